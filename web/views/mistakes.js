// The mistakes that the lesson makes on purpose: the setting that makes each, the law that it breaks, and what it does
// to the state on the screen.

import { rowOf, tokenName } from './format.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */

/**
 * @typedef {object} Mistake
 * @property {string} name
 * @property {keyof LessonState} setting
 * @property {string | number} wrong  the value of the setting that is the mistake; of a number every value but the right one is
 * @property {string | number} right  the value that mends it
 * @property {(dK?: number) => Partial<LessonState>} [also]  widths that go with it; dK is absent when it is mended
 * @property {string} law  the proof that is about it
 * @property {(context: {result: import('../engine/lesson-engine.js').LessonResult, state: LessonState}, proof: import('../engine/lesson-engine.js').Proof,
 *   write: (value: number) => string) => (string | number)[]} tell
 *   what a sentence about its consequence needs: the engine's numbers, written as its language writes them
 */

/** Whether a state makes a mistake. @param {Mistake} mistake @param {LessonState} state */
export function makes({ setting, wrong, right }, state) {
  return typeof wrong === 'number' ? state[setting] !== right : state[setting] === wrong;
}

/** @type {Mistake[]} */
export const mistakes = [
  {
    name: 'noDivisor',
    setting: 'divisor',
    wrong: 'none',
    right: 'sqrt',
    law: 'spreadIsKept',
    tell: ({ result: { metrics, tokens } }, _, write) => [
      write(metrics.spread),
      metrics.gradient.filter((gradient) => gradient === 'dead' || gradient === 'undefined').length,
      tokens.length,
    ],
  },
  {
    name: 'divisorTooLarge',
    setting: 'divisor',
    wrong: 'dk',
    right: 'sqrt',
    law: 'spreadIsKept',
    tell: ({ result: { metrics }, state: { row } }, _, write) =>
      [metrics.spread, metrics.entropy[row], metrics.maximumEntropy[row]].map(write),
  },
  {
    name: 'oneMatrix',
    setting: 'projections',
    wrong: 'shared',
    right: 'separate',
    also: () => ({ dV: null }),
    law: 'rolesDiffer',
    tell: (_, { found }, write) => found.map(write),
  },
  {
    name: 'noParameters',
    setting: 'projections',
    wrong: 'identity',
    right: 'separate',
    also: (dK) => ({ dModel: dK, dV: null, heads: 1, head: 0 }),
    law: 'somethingCanLearn',
    tell: (_, { found }) => found,
  },
  {
    name: 'wrongAxis',
    setting: 'softmaxAxis',
    wrong: 'queries',
    right: 'keys',
    law: 'rowsSumToOne',
    tell: ({ state: { row } }, { found, residual }, write) => [found[row], residual].map(write),
  },
  {
    name: 'lateMask',
    setting: 'mask',
    wrong: 'late',
    right: 'causal',
    law: 'pastIsUntouched',
    tell({ result: { metrics, tokens } }, { residual }, write) {
      const least = Math.min(...metrics.rowSum);
      return [tokenName(tokens, metrics.rowSum.indexOf(least)), write(least), write(residual)];
    },
  },
  {
    name: 'noMaximum',
    setting: 'softmax',
    wrong: 'naive',
    right: 'stable',
    law: 'weightsAreFinite',
    tell({ result: { tokens, keyTokens, scaled, visible } }, { outcome }, write) {
      const seen = scaled.data.map((score, index) => (visible.data[index] ? score : -Infinity));
      const largest = seen.reduce((most, score) => Math.max(most, score));
      const query = Math.floor(seen.indexOf(largest) / keyTokens.length);
      return [write(largest), outcome === 'fails' ? tokenName(tokens, query) : ''];
    },
  },
  {
    name: 'dropout',
    setting: 'dropout',
    wrong: 0.5,
    right: 0,
    law: 'rowsSumToOne',
    tell({ result: { tokens, weights, visible }, state: { row, dropout } }, { found }, write) {
      const cells = Array.from(rowOf(weights, row)).filter((_, key) => rowOf(visible, row)[key]);
      const dropped = cells.filter((weight) => weight === 0).length;
      return [tokenName(tokens, row), dropped, cells.length, write(dropout), write(found[row])];
    },
  },
  {
    name: 'rawEmbeddings',
    setting: 'blend',
    wrong: 'embeddings',
    right: 'values',
    law: 'valuesAreBlended',
    tell: ({ result: { output, V } }, { residual }, write) => [write(residual), output.shape[1], V.shape[1]],
  },
];
