// The lesson's exercises: what to predict, when the reader has done it, and which answer the state on the screen gives.

import { rowOf } from '../views/format.js';
import { proofOf } from './panel-numbers.js';

/** @typedef {import('./panel.js').PanelContext} PanelContext */

/**
 * What has happened since a guess: the lesson as it was then, and the spreads that d_k = 64 has shown, by divisor.
 *
 * @typedef {{atGuess: PanelContext, spreads: Record<string, number>}} Since
 */

/**
 * @typedef {object} Exercise
 * @property {string} name
 * @property {(now: PanelContext, since: Since) => boolean} isDone
 * @property {(now: PanelContext, since: Since) => number} find  the number that decides
 * @property {Record<string, number>} answers  in ascending order, each with the largest number that it stands for
 */

/** The upper ends of the answers on what a row sums to: less than 1, 1 within rounding, more. */
const besideOne = { less: 1 - 1e-9, one: 1 + 1e-9, more: Infinity };

/** All that decides the outputs before the last. @param {PanelContext} context */
const withoutLastToken = ({ state }) => JSON.stringify({ ...state, row: 0, tokens: state.tokens.slice(0, -1) });

/** @type {Exercise[]} */
export const exercises = [
  {
    name: 'peak',
    isDone: ({ state }) => state.divisor === 'none' && state.dK === 64,
    find: ({ state, result }) => result.metrics.peak[state.row],
    answers: { low: 0.45, middle: 0.95, one: Infinity },
  },
  {
    name: 'divisor',
    isDone: (_, { spreads }) => 'sqrt' in spreads && 'dk' in spreads,
    find: (_, { spreads }) => spreads.sqrt,
    answers: { sqrt: Math.sqrt(8), dk: Infinity }, // at d_k = 64, ÷ d_k leaves an eighth of the spread that ÷ √d_k does
  },
  {
    name: 'lateMask',
    isDone: ({ state }) => state.mask === 'late',
    find: ({ result }) => Math.min(...result.metrics.rowSum),
    answers: besideOne,
  },
  {
    name: 'lastToken',
    // The four tokens have fixed words: there the proof, which turns the last one around, does it.
    isDone: (now, { atGuess }) =>
      now.state.mask === 'causal' &&
      (now.state.preset === 'four-token' ||
        (withoutLastToken(now) === withoutLastToken(atGuess) &&
          now.state.tokens.at(-1) !== atGuess.state.tokens.at(-1))),
    find: ({ state, result: { output, tokens }, proofs }, { atGuess }) =>
      state.preset === 'four-token'
        ? proofOf(proofs(), 'pastIsUntouched').residuals.filter(Boolean).length
        : tokens.slice(1).filter((_, row) => String(rowOf(output, row)) !== String(rowOf(atGuess.result.output, row)))
            .length,
    answers: { none: -1, last: 0, all: Infinity },
  },
  {
    name: 'axis',
    isDone: ({ state }) => state.softmaxAxis === 'queries',
    find: ({ state, result }) => result.metrics.rowSum[state.row],
    answers: besideOne,
  },
  {
    name: 'oneMatrix',
    isDone: ({ state }) => state.projections === 'shared',
    find: ({ proofs }) => proofOf(proofs(), 'rolesDiffer').found[0],
    answers: { opposite: -1, equal: 1e-9, unrelated: Infinity },
  },
];

/**
 * Questions that the widget answers: the settings that show it and the panel to look at.
 *
 * @type {{name: string, settings: Partial<import('../engine/lesson-state.js').LessonState>, panel: import('../engine/lesson-state.js').PanelName}[]}
 */
export const questions = [
  { name: 'trained', settings: { projections: 'identity', dK: 16, dModel: 16, dV: null }, panel: 'break' },
  { name: 'roles', settings: {}, panel: 'worksheet' },
  { name: 'derive', settings: { dK: 64 }, panel: 'worksheet' },
  { name: 'without', settings: { divisor: 'none', dK: 64 }, panel: 'jacobian' },
  { name: 'values', settings: { blend: 'embeddings' }, panel: 'break' },
  { name: 'square', settings: {}, panel: 'shapes' },
  { name: 'tooMuch', settings: { divisor: 'dk', dK: 64 }, panel: 'break' },
];
