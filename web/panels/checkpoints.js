// Predict, do, compare: the reader commits a guess, makes it happen, and the widget checks it against its own state.

import { h, math, mathNodes, setAttribute, setMath } from '../views/dom.js';
import { format } from '../views/format.js';
import { exercises, questions } from './exercises.js';

/** Radio buttons of different widgets on one page must not share a group. */
let groups = 0;

/** @type {(messages: typeof import('../messages/en.js').default, actions: import('./panels.js').PanelActions) => import('./panels.js').Panel} */
export function createCheckpoints(messages, actions) {
  const text = messages.checkpoints;
  /** @type {import('./panels.js').PanelContext} */
  let now;
  const group = ++groups;

  const lines = exercises.map((exercise) => {
    const words = text.exercises[/** @type {keyof typeof text.exercises} */ (exercise.name)];
    /** @type {{guess: string, atGuess: import('./panels.js').PanelContext, seen: Map<string, number>} | null} */
    let committed = null;
    const outcome = h('p', { class: 'outcome', 'aria-live': 'polite' });
    const choices = exercise.choices.map((choice) =>
      h(
        'label',
        {},
        h('input', {
          type: 'radio',
          name: `${group}-${exercise.name}`,
          value: choice,
          change: () => {
            committed = { guess: choice, atGuess: now, seen: new Map() };
            setAttribute(root, 'data-outcome', 'waiting');
            setMath(outcome, words.deed);
          },
        }),
        math(words.choices[choice]),
      ),
    );
    const root = h(
      'fieldset',
      {},
      h('legend', {}, ...mathNodes(words.question)),
      h('div', { class: 'choices' }, ...choices),
      outcome,
    );
    root.dataset.exercise = exercise.name;

    return {
      root,
      update() {
        if (committed === null) {
          return;
        }
        const { guess, atGuess, seen } = committed;
        exercise.watch?.(now, seen);
        if (now === atGuess || !exercise.isDone(now, atGuess, seen)) {
          return;
        }
        committed = null;
        const { answer, found } = exercise.reveal(now, atGuess, seen);
        const isRight = guess === answer;
        setAttribute(root, 'data-outcome', isRight ? 'right' : 'wrong');
        setMath(outcome, `${isRight ? text.right : text.wrong(words.choices[answer])} ${words.reveal(format(found))}`);
        actions.dispatch('attention-checkpoint', { name: exercise.name, guess, answer, correct: isRight, found });
      },
    };
  });

  const asked = questions.map(({ name, settings, panel }) =>
    h(
      'li',
      {},
      h('span', {}, ...mathNodes(text.questions[/** @type {keyof typeof text.questions} */ (name)])),
      ' ',
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          click: () => {
            if (now.state.preset === 'sentence') {
              actions.change(settings);
            }
            actions.open(panel);
          },
        },
        text.show,
      ),
    ),
  );

  return {
    root: h(
      'div',
      { class: 'checkpoints' },
      h('p', {}, text.introduction),
      ...lines.map(({ root }) => root),
      h('h4', {}, text.questionsTitle),
      h('ul', {}, ...asked),
    ),

    update(context) {
      now = context;
      for (const line of lines) {
        line.update();
      }
    },
  };
}
