// The lesson's exercises: what to predict, when the reader has done it, and which answer the state on the screen gives.

import { completeState, isLocked, lessonSettingNames } from '../engine/lesson-state.js';
import { decides, withoutMatrices } from '../engine/own-matrices.js';
import { rowOf } from '../views/format.js';
import { proofOf } from './panel-numbers.js';

/** @typedef {import('./panel.js').PanelContext} PanelContext */
/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-state.js').SettingName} SettingName */

/**
 * What has happened since a guess: the lesson as it was then, and the spreads that d_k = 64 has shown, by divisor.
 *
 * @typedef {{atGuess: PanelContext, spreads: Record<string, number>}} Since
 */

/**
 * @typedef {object} Exercise
 * @property {string} name
 * @property {import('../engine/lesson-state.js').LessonState['preset'][]} presets  the lessons that it is about
 * @property {SettingName[]} deeds  what the reader changes to do it
 * @property {boolean} [isUnderBreakIt]  whether the panel of mistakes is where that is done
 * @property {(now: PanelContext, since: Since) => boolean} isDone
 * @property {(now: PanelContext, since: Since) => number} find  the number that decides
 * @property {(now: PanelContext, since: Since) => number[]} [show]  the numbers that say so; that one, where there are no others
 * @property {Record<string, number>} answers  in ascending order, each with the largest number that it stands for
 */

/** The upper ends of the answers on what a row sums to: less than 1, 1 within rounding, more. */
const besideOne = { less: 1 - 1e-9, one: 1 + 1e-9, more: Infinity };

/** All that decides the outputs before the last. @param {PanelContext} context */
const withoutLastToken = ({ state }) => JSON.stringify({ ...state, row: 0, tokens: state.tokens.slice(0, -1) });

/** @param {PanelContext} context */
const withoutDivisor = ({ state }) => JSON.stringify({ ...state, divisor: '' });

/** The settings of a state without its edits. @param {PanelContext} context */
const withoutEdits = ({ state }) => JSON.stringify({ ...state, row: 0, edits: [] });

/** How far apart two rows of a table are, at most. @param {import('../engine/lesson-engine.js').Tensor} table @param {number} row @param {number} other */
const distance = (table, row, other) =>
  Math.max(...Array.from(rowOf(table, row), (entry, column) => Math.abs(entry - rowOf(table, other)[column])));

/** Whether two lessons have the same matrices and biases. @param {PanelContext} first @param {PanelContext} second */
const sameMatrices = ({ result: first }, { result: second }) =>
  /** @type {const} */ (['Wq', 'Wk', 'Wv', 'bq', 'bk', 'bv']).every(
    (name) => String(first[name]?.data) === String(second[name]?.data),
  );

/** Two queries with the same weights, or undefined. @param {PanelContext} context @returns {[number, number] | undefined} */
function equalRows({ result: { weights, tokens } }) {
  for (let row = 0; row < tokens.length; row++) {
    for (let other = 0; other < row; other++) {
      if (distance(weights, row, other) < 1e-12) {
        return [other, row];
      }
    }
  }
  return undefined;
}

/** @type {LessonState['preset'][]} */
const everyPreset = ['sentence', 'four-token'];

/** @type {Exercise[]} */
export const exercises = [
  {
    name: 'peak',
    presets: ['sentence'],
    deeds: ['divisor', 'dK'],
    isDone: ({ state }) => state.divisor === 'none' && state.dK === 64,
    find: ({ state, result }) => result.metrics.peak[state.row],
    answers: { low: 0.45, middle: 0.95, one: Infinity },
  },
  {
    name: 'divisor',
    presets: ['sentence'],
    deeds: ['divisor', 'dK'],
    isUnderBreakIt: true,
    isDone: (_, { spreads }) => 'sqrt' in spreads && 'dk' in spreads,
    find: (_, { spreads }) => spreads.sqrt,
    answers: { sqrt: Math.sqrt(8), dk: Infinity }, // at d_k = 64, ÷ d_k leaves an eighth of the spread that ÷ √d_k does
  },
  {
    name: 'oneKey',
    presets: ['four-token'],
    deeds: ['row'],
    isDone: ({ state }, { atGuess }) => state.mask === 'causal' && state.row === 0 && atGuess.state.row !== 0,
    find: ({ result }) => result.metrics.peak[0],
    answers: besideOne,
  },
  {
    name: 'sharper',
    presets: ['four-token'],
    deeds: ['divisor'],
    isDone: (now, { atGuess }) =>
      now.state.divisor === 'none' &&
      atGuess.state.divisor === 'sqrt' &&
      withoutDivisor(now) === withoutDivisor(atGuess) &&
      now.result.metrics.gradient[now.state.row] !== 'no choice',
    find: ({ state: { row }, result }, { atGuess }) =>
      result.metrics.entropy[row] - atGuess.result.metrics.entropy[row],
    show: ({ state: { row }, result }, { atGuess }) => [
      atGuess.result.metrics.entropy[row],
      result.metrics.entropy[row],
    ],
    answers: { falls: -1e-9, stays: 1e-9, rises: Infinity },
  },
  {
    name: 'lateMask',
    presets: everyPreset,
    deeds: ['mask'],
    isUnderBreakIt: true,
    isDone: ({ state }) => state.mask === 'late',
    find: ({ result }) => Math.min(...result.metrics.rowSum),
    answers: besideOne,
  },
  {
    name: 'lastToken',
    presets: ['sentence'],
    deeds: ['mask', 'tokens'],
    isDone: (now, { atGuess }) =>
      now.state.mask === 'causal' &&
      withoutLastToken(now) === withoutLastToken(atGuess) &&
      now.state.tokens.at(-1) !== atGuess.state.tokens.at(-1),
    find: ({ result: { output, tokens } }, { atGuess }) =>
      tokens.slice(1).filter((_, row) => String(rowOf(output, row)) !== String(rowOf(atGuess.result.output, row)))
        .length,
    answers: { none: -1, last: 0, all: Infinity },
  },
  {
    name: 'axis',
    presets: everyPreset,
    deeds: ['softmaxAxis'],
    isUnderBreakIt: true,
    isDone: ({ state }) => state.softmaxAxis === 'queries',
    find: ({ state, result }) => result.metrics.rowSum[state.row],
    answers: besideOne,
  },
  {
    name: 'oneNumber',
    presets: ['four-token'],
    deeds: ['edits'],
    isDone: ({ state: { edits }, result: { weights } }) => edits.length === 1 && rowOf(weights, 3)[0] > 0.99,
    find: ({ state: { edits } }) => ['X', 'Wq', 'Wk'].indexOf(edits[0].matrix),
    show: ({ result: { weights } }) => [rowOf(weights, 3)[0]],
    answers: { x: 0, q: 1, k: 2 },
  },
  {
    name: 'equalRows',
    presets: ['four-token'],
    deeds: ['edits', 'mask'],
    isDone: (now, { atGuess }) =>
      now.state.edits.length > 0 &&
      now.state.mask === 'none' &&
      equalRows(atGuess) === undefined &&
      equalRows(now) !== undefined,
    find: (now) => distance(now.result.Q, .../** @type {[number, number]} */ (equalRows(now))),
    answers: { equal: 1e-9, apart: Infinity },
  },
  {
    name: 'breakCausality',
    presets: ['four-token'],
    deeds: ['edits'],
    isDone: (now, { atGuess }) =>
      now.state.mask === 'causal' &&
      withoutEdits(now) === withoutEdits(atGuess) &&
      String(rowOf(now.result.X, 3)) !== String(rowOf(atGuess.result.X, 3)) &&
      [0, 1, 2].every((row) => String(rowOf(now.result.X, row)) === String(rowOf(atGuess.result.X, row))) &&
      sameMatrices(now, atGuess),
    find: ({ result: { output } }, { atGuess }) =>
      [0, 1, 2].filter((row) => String(rowOf(output, row)) !== String(rowOf(atGuess.result.output, row))).length,
    answers: { none: 0, some: 2, all: Infinity },
  },
  {
    name: 'oneMatrix',
    presets: everyPreset,
    deeds: ['projections'],
    isUnderBreakIt: true,
    isDone: ({ state }) => state.projections === 'shared',
    find: ({ proofs }) => proofOf(proofs(), 'rolesDiffer').found[0],
    answers: { opposite: -1, equal: 1e-9, unrelated: Infinity },
  },
];

/**
 * Whether what the reader must change is there to change.
 *
 * @param {Exercise} exercise
 * @param {LessonState} state
 */
export function isPossible({ presets, deeds, isUnderBreakIt }, state) {
  const { preset, panels } = state;
  return (
    presets.includes(preset) &&
    !deeds.some((name) => isLocked(state, name) || decides(state, name) !== undefined) &&
    (!isUnderBreakIt || panels === null || panels.includes('break'))
  );
}

/**
 * The state that shows what answers a question: the one that the widget opened with, but seeded, the reader's words and
 * seed, and the question's own settings. Null where the widget has no such state: something is locked, or there is no such panel.
 *
 * @param {Question} question
 * @param {PanelContext} context
 * @returns {Partial<LessonState> | null}
 */
export function answerTo({ settings, panel }, { engine, state, start }) {
  const { preset, tokens, context, seed, row, step, beside, panels, theme, locked } = state;
  const opened = start.preset === preset ? start : completeState({ preset });
  /** @type {Partial<LessonState>} */
  const own = preset === 'sentence' ? settings : { ...settings, ...fourTokenWidths };
  const answer = {
    ...withoutMatrices(opened),
    tokens,
    context,
    seed,
    row,
    step,
    beside,
    panels,
    theme,
    locked,
    ...own,
  };
  const isChangeable = lessonSettingNames.every(
    (name) => !isLocked(state, name) || String(answer[name]) === String(state[name]),
  );
  if (!isChangeable || (panels !== null && !panels.includes(panel))) {
    return null;
  }
  try {
    // Whether settings agree does not depend on the words.
    engine.lesson(preset === 'sentence' ? { ...answer, tokens: ['a', 'b'], context: [], row: 0, padding: 0 } : answer);
    return answer;
  } catch {
    return null;
  }
}

/** The four tokens have matrices of their own. */
const fourTokenWidths = { dModel: 2, dK: 2, dV: null };

/**
 * A question that the widget answers: the settings that show it and the panel to look at.
 *
 * @typedef {{name: string, settings: Partial<LessonState>, panel: import('../engine/lesson-state.js').PanelName}} Question
 */

/** @type {Question[]} */
export const questions = [
  {
    name: 'trained',
    settings: { projections: 'identity', dK: 16, dModel: 16, dV: null, heads: 1, head: 0 },
    panel: 'break',
  },
  { name: 'roles', settings: {}, panel: 'worksheet' },
  { name: 'derive', settings: { dK: 64 }, panel: 'worksheet' },
  { name: 'without', settings: { divisor: 'none', dK: 64 }, panel: 'jacobian' },
  { name: 'values', settings: { blend: 'embeddings' }, panel: 'break' },
  { name: 'square', settings: {}, panel: 'shapes' },
  { name: 'tooMuch', settings: { divisor: 'dk', dK: 64 }, panel: 'break' },
];
