// Predict, do, compare: the reader commits a guess, makes it happen, and the widget checks it against its own state.

import { formatHomework, seedOfName } from '../engine/homework.js';
import { isLocked } from '../engine/lesson-state.js';
import { formatLink } from '../engine/link.js';
import { button, choice, h, math, mathNodes, setAttribute, setMath, setText } from '../views/dom.js';
import { format, plainText } from '../views/format.js';
import styles from './checkpoints.css';
import { createCopy } from './copy.js';
import { answerTo, exercises, isPossible, questions } from './exercises.js';

/** Radio buttons of different widgets on one page must not share a group. */
let groups = 0;

/** @type {import('./panel.js').PanelDefinition} */
export const checkpoints = { name: 'checkpoints', styles: [styles], create: createCheckpoints };

/** @type {import('./panel.js').CreatePanel} */
function createCheckpoints(messages, actions) {
  const text = messages.checkpoints;
  /** @type {import('./panel.js').PanelContext} */
  let now;
  const group = ++groups;

  const handIn = createHandIn(messages, actions);

  const lines = exercises.map((exercise) => {
    const { name, isDone, find, show, answers } = exercise;
    const { question, choices, deed, reveal } = text.exercises[name];
    const names = Object.keys(answers);
    /** @type {number | null} the guess, by its place */
    let guess = null;
    /** @type {import('./exercises.js').Since} */
    let since;
    const outcome = h('p', { class: 'mark outcome', 'aria-live': 'polite' });
    const commit = (/** @type {number} */ index) => {
      guess = index;
      since = { atGuess: now, spreads: {} };
      setAttribute(root, 'data-outcome', 'waiting');
      setMath(outcome, deed);
    };
    const guesses = choices.map((said, index) => {
      const label = choice(`${group}-${name}`, names[index], said, () => {});
      // A click and the keyboard's choice alike; unlike a change it comes with the same answer again.
      label.querySelector('input')?.addEventListener('click', () => commit(index));
      return label;
    });
    const root = h(
      'fieldset',
      { 'data-exercise': name },
      h('legend', {}, ...mathNodes(question)),
      h('div', { class: 'strip' }, ...guesses),
      outcome,
    );

    const update = () => {
      root.hidden = !isPossible(exercise, now.state);
      if (guess === null || now === since.atGuess) {
        return;
      }
      const { dK, divisor } = now.state;
      if (dK === 64) {
        since.spreads[divisor] = now.result.metrics.spread;
      }
      const found = isDone(now, since) ? find(now, since) : Number.NaN;
      const answer = Object.values(answers).findIndex((most) => found <= most);
      if (answer !== -1) {
        const correct = guess === answer;
        setAttribute(root, 'data-outcome', correct ? 'holds' : 'fails');
        const numbers = (show?.(now, since) ?? [found]).map((number) => format(number, messages));
        setMath(outcome, `${correct ? text.right : text.wrong(choices[answer])} ${reveal(...numbers)}`);
        const checked = { name, guess: names[guess], answer: names[answer], correct, found };
        actions.dispatch('attention-checkpoint', checked);
        handIn.take(checked);
        guess = null;
      }
    };
    return { root, update };
  });

  const asked = questions.map((question) => {
    const show = () => {
      const answer = answerTo(question, now);
      if (answer !== null) {
        actions.change(answer);
        actions.open(question.panel);
      }
    };
    const root = h(
      'li',
      {},
      math(text.questions[question.name]),
      ' ',
      button(text.show, show, {
        'aria-label': plainText(`${text.show}: ${text.questions[question.name]} ${messages.panels[question.panel]}`),
      }),
    );
    return { question, root };
  });
  let offered = '';

  return {
    root: h(
      'div',
      { class: 'checkpoints' },
      h('p', {}, text.introduction),
      ...lines.map(({ root }) => root),
      h('h4', {}, text.questionsTitle),
      h('ul', {}, ...asked.map(({ root }) => root)),
      handIn.root,
    ),

    update(context) {
      now = context;
      handIn.update(context);
      for (const line of lines) {
        line.update();
      }
      const { preset, panels, locked } = now.state;
      const deciding = JSON.stringify([preset, panels, locked, locked && { ...now.state, row: 0 }]);
      if (deciding !== offered) {
        offered = deciding;
        for (const { question, root } of asked) {
          root.hidden = answerTo(question, now) === null;
        }
      }
    },
  };
}

/**
 * The end of the panel: what was answered, as a code for a teacher, and numbers of the student's own.
 *
 * @param {import('../language/language.js').Messages} messages
 * @param {import('./panel.js').PanelActions} actions
 */
function createHandIn(messages, actions) {
  const text = messages.checkpoints.handIn;
  const opened = Date.now();
  /** @type {Map<string, import('../engine/homework.js').HomeworkAnswer>} */
  const answers = new Map();
  /** @type {import('./panel.js').PanelContext} */
  let now;

  const name = h('input', { type: 'text', maxlength: 80, autocomplete: 'name', spellcheck: 'false' });
  const said = h('p', { role: 'status' });
  const code = h('code', { translate: 'no' });
  const shown = h('pre', { tabindex: 0, role: 'region', 'aria-label': text.code }, code);
  const copy = createCopy(
    messages.code,
    text.code,
    () => code.textContent ?? '',
    () => code,
  );
  const result = h('div', { class: 'code' }, shown, copy.root);
  result.hidden = true;
  const named = () => {
    setText(said, name.value.trim() === '' ? text.nameless : '');
    if (said.textContent !== '') {
      name.focus();
    }
    return said.textContent === '';
  };

  const own = button(text.own, () => {
    if (named()) {
      const seed = seedOfName(now.engine, name.value);
      actions.change({ seed });
      setText(said, text.seeded(String(seed)));
    }
  });
  const make = button(text.make, () => {
    if (named()) {
      const homework = {
        student: name.value.trim(),
        time: `${new Date().toISOString().slice(0, 16)}Z`,
        seconds: Math.round((Date.now() - opened) / 1000),
        answers: [...answers.values()],
        link: formatLink(now.state),
      };
      setText(code, formatHomework(now.engine, homework));
      setText(said, text.made(answers.size));
      result.hidden = false;
      copy.update();
      actions.dispatch('attention-homework', { ...homework, code: code.textContent });
    }
  });

  return {
    root: h(
      'section',
      { class: 'hand-in' },
      h('h4', {}, text.title),
      h('p', {}, text.introduction),
      h('p', { class: 'strip' }, h('label', {}, `${text.name} `, name), own, make),
      said,
      result,
    ),

    /** @param {import('./panel.js').PanelContext} context */
    update(context) {
      now = context;
      const { state } = context;
      own.hidden = state.preset !== 'sentence' || isLocked(state, 'seed') || isLocked(state, 'edits');
    },

    /** An exercise is done. @param {{name: string, guess: string, answer: string, found: number}} checked */
    take({ name: exercise, guess, answer, found }) {
      const { tries = 0 } = answers.get(exercise) ?? {};
      answers.set(exercise, { name: exercise, guess, answer, found, tries: tries + 1 });
      result.hidden = true; // the code is of what was answered before
      setText(said, '');
    },
  };
}
