// The walk of the highlighted query from x to z, a step at a time. The state holds the step: a page's prose, a teacher's
// clicker and the reader drive it alike.

import { button, h, math, setAttribute, setHidden, setMath } from '../dom.js';
import { format, rowOf, tokenName } from '../format.js';
import { makes, mistakes } from '../mistakes.js';
import { createPlayer } from '../player.js';
import { symbolOf } from './cell-arithmetic.js';

/** @typedef {import('../../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../../engine/lesson-engine.js').LessonResult} LessonResult */

export const lastStep = 8;

/** How long Play stays at a step: a sentence is read in that time. */
const stepMilliseconds = 3500;

/** Weights of the largest lesson whose laws are proved at a step: panels refuse longer ones too. */
const mostProved = 512 * 512;

/** The steps at which the wiring of a mistake differs. @type {Record<string, number[]>} */
const stepsOfMistakes = {
  noDivisor: [5],
  divisorTooLarge: [5],
  oneMatrix: [2, 3],
  noParameters: [2, 3],
  wrongAxis: [7],
  lateMask: [6, 7],
  noMaximum: [7],
  dropout: [7],
  rawEmbeddings: [8],
};

/**
 * @param {typeof import('../../language/messages/en.js').default} messages
 * @param {(changes: Partial<LessonState>) => void} change
 */
export function createWalk(messages, change) {
  const texts = messages.walk;
  let step = 0;
  const go = (/** @type {number} */ to) => change({ step: Math.max(0, Math.min(lastStep, to)) });
  const player = createPlayer(
    texts,
    'walk-play',
    () => stepMilliseconds,
    () => {
      const to = step === lastStep ? 1 : step + 1;
      go(to);
      return to < lastStep;
    },
  );
  const back = button('◀', () => go(step - 1), { part: 'back', 'aria-label': texts.back });
  const next = button('▶', () => go(step + 1), { part: 'next', 'aria-label': texts.next });
  const steps = texts.steps.map((name, index) =>
    h(
      'button',
      { type: 'button', class: 'step', part: 'step', click: () => go(step === index + 1 ? 0 : index + 1) },
      math(`${index + 1} ${name}`),
    ),
  );
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      player.stop();
      go(step + way);
      steps[Math.max(0, Math.min(lastStep, step + way) - 1)].focus();
    }
  };
  const strip = h(
    'div',
    { class: 'walk-strip', role: 'group', 'aria-label': texts.name, keydown: keys },
    ...steps,
    h('span', { class: 'walk-buttons' }, back, next, player.button),
  );
  const sentence = h('p', { class: 'walk-sentence' });
  const root = h('div', { class: 'walk', part: 'walk' }, strip, sentence);

  return {
    root,
    sentence,

    /**
     * @param {LessonState} state
     * @param {LessonResult} result
     * @param {import('../cells.js').Cell} selected
     * @param {(law: string) => import('../../engine/lesson-engine.js').Proof} proofOf
     * @param {(name: string) => boolean} isLockedSetting
     */
    update(state, result, selected, proofOf, isLockedSetting) {
      step = state.step;
      const isLocked = isLockedSetting('step');
      steps.forEach((each, index) => {
        setAttribute(each, 'aria-current', index + 1 === step ? 'step' : null);
        each.disabled = isLocked;
        each.tabIndex = index === Math.max(0, step - 1) ? 0 : -1; // the arrow keys reach the others
      });
      back.disabled = isLocked;
      next.disabled = isLocked;
      player.button.disabled = isLocked;
      setHidden(sentence, step === 0);
      if (step === 0) {
        setMath(sentence, '');
      } else {
        const made = mistakes.filter((each) => stepsOfMistakes[each.name].includes(step) && makes(each, state));
        const wrong = made.map(({ name, law }) => {
          const { title } = messages.break.mistakes[name];
          if (result.visible.data.length > mostProved) {
            return ` ${title}.`;
          }
          const { outcome } = proofOf(law);
          const { claim } = messages.proofs.laws[law];
          return ` ${title}. ${messages.proofs.outcomes[outcome].mark} ${messages.proofs.outcomes[outcome].text}: ${claim}.`;
        });
        setMath(sentence, say(messages, state, result, selected) + wrong.join(''));
        setAttribute(sentence, 'data-wrong', wrong.length > 0);
      }
    },
  };
}

/**
 * What a step says, from the numbers of the highlighted row.
 *
 * @param {typeof import('../../language/messages/en.js').default} messages
 * @param {LessonState} state
 * @param {LessonResult} result
 * @param {import('../cells.js').Cell} selected
 */
function say(messages, state, result, { row, column }) {
  const { step, projections, divisor, mask, softmaxAxis } = state;
  const { tokens, keyTokens, X, bq, Q, K, V, scores, scaled, masked, weights, visible, output, metrics } = result;
  const says = messages.walk.says;
  const write = (/** @type {number} */ value) => format(value, messages);
  const first = (/** @type {import('../../engine/lesson-engine.js').Tensor} */ tensor, /** @type {number} */ index) =>
    write(rowOf(tensor, index)[0]);
  const query = tokenName(tokens, row);
  const key = tokenName(keyTokens, column);
  const at = row * keyTokens.length + column;
  const seen = (/** @type {ArrayLike<number>} */ line) => Array.from(line).filter((each) => each !== -Infinity).length;
  switch (step) {
    case 1:
      return says.x(query, X.shape[1], first(X, row));
    case 2:
      return projections === 'identity'
        ? says.qIsX(query, first(Q, row))
        : says.q(
            query,
            symbolOf('Wq', state) + (bq === undefined ? '' : ` + ${symbolOf('bq', state)}`),
            Q.shape[1],
            first(Q, row),
          );
    case 3:
      return says.kv(key, first(K, column), first(V, column));
    case 4:
      return says.score(query, key, write(scores.data[at]));
    case 5:
      return says.divide[divisor](write(scores.data[at]), write(result.divisor), write(scaled.data[at]));
    case 6:
      return mask === 'late'
        ? says.lateMask(query, seen(rowOf(masked, row)), rowOf(visible, row).filter(Boolean).length)
        : says.mask(query, seen(rowOf(masked, row)), keyTokens.length);
    case 7:
      return says.softmax[softmaxAxis](query, key, write(weights.data[at]), write(metrics.rowSum[row]));
    default:
      return says.z(query, write(weights.data[at]), key, output.shape[1], first(output, row));
  }
}
