// Predict, do, compare: the reader commits a guess, makes it happen, and the widget checks it against its own state.

import { button, choice, h, math, mathNodes, setAttribute, setMath } from '../views/dom.js';
import { format, plainText } from '../views/format.js';
import styles from './checkpoints.css';
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
        actions.dispatch('attention-checkpoint', { name, guess: names[guess], answer: names[answer], correct, found });
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
    ),

    update(context) {
      now = context;
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
