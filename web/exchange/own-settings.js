// What a state becomes with matrices of one's own: their shapes decide more than themselves.

import { matricesIn, matrixNames } from '../engine/own-matrices.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/own-matrices.js').MatrixName} MatrixName */

/**
 * The settings that make room for some matrices: as many words as X has rows, a preset and heads that their widths allow.
 *
 * @param {LessonState} state
 * @param {Partial<Record<MatrixName, readonly (readonly number[])[]>>} matrices
 * @param {readonly string[]} [words]  the names of X's rows
 * @returns {Partial<LessonState>}  with the matrices
 */
export function settingsFor(state, matrices, words) {
  /** @type {Partial<LessonState>} */
  const changes = { ...matrices, edits: state.edits.filter(({ matrix }) => !(matrix in matrices)) };
  const { X } = matrices;
  if (X !== undefined && X.length !== state.tokens.length) {
    changes.tokens = words?.length === X.length ? [...words] : X.map((_, row) => `x${row + 1}`);
    changes.row = Math.min(state.row, X.length - 1);
  }
  const ofLayer = matrixNames.filter((name) => name !== 'X' && matrices[name] !== undefined);
  if (ofLayer.some((name) => !matricesIn(state).includes(name))) {
    changes.projections = 'separate';
  }
  if (ofLayer.some((name) => Number(matrices[name]?.[0].length) % state.heads !== 0)) {
    Object.assign(changes, { heads: 1, head: 0 });
  }
  const isOfFour = Object.values(matrices).every((rows) => rows[0].length === 2);
  if (state.preset === 'four-token' && (changes.tokens !== undefined || !isOfFour)) {
    Object.assign(changes, { preset: 'sentence', tokens: changes.tokens ?? state.tokens, mask: state.mask });
  }
  return changes;
}

/**
 * The settings beside the matrices that become others: 'tokens="x1 x2", heads="1"'.
 *
 * @param {LessonState} state
 * @param {Partial<LessonState>} changes
 */
export function alsoSet(state, changes) {
  const names = /** @type {(keyof LessonState)[]} */ (Object.keys(changes));
  return names
    .filter((name) => ![...matrixNames, 'edits', 'row'].includes(name))
    .filter((name) => String(changes[name]) !== String(state[name]))
    .map((name) => `${name}="${[changes[name]].flat().join(' ')}"`)
    .join(', ');
}

/**
 * Rows as a text names them, "0-5" or "3, 17, 4".
 *
 * @param {string} text
 * @param {number} count  of all
 * @returns {number[] | null}  null where it names none of these
 */
export function parseRows(text, count) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const rows = parts.flatMap((part) => {
    const [, from, to = from] = /^(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(part) ?? [];
    const length = Number(to) - Number(from) + 1;
    return length > 0 && Number(to) < count && length <= 4096
      ? Array.from({ length }, (_, index) => Number(from) + index)
      : [-1];
  });
  return rows.length === 0 || rows.includes(-1) ? null : rows;
}

/** The text that `parseRows` reads. @param {readonly number[]} rows */
export function rowsText(rows) {
  const isRange = rows.length > 2 && rows.every((row, index) => row === rows[0] + index);
  return isRange ? `${rows[0]}-${rows[rows.length - 1]}` : rows.join(', ');
}

/** A row-major array as rows. @param {{data: ArrayLike<number>, shape: number[]}} matrix  a vector is one row */
export function rowsOfMatrix({ data, shape }) {
  const [rows, columns] = shape.length === 1 ? [1, shape[0]] : shape;
  const all = Array.from(data);
  return Array.from({ length: rows }, (_, row) => all.slice(row * columns, (row + 1) * columns));
}

/**
 * Why a state with these settings would be no lesson: the core's own sentence.
 *
 * @param {import('../engine/lesson-engine.js').LessonEngine} engine
 * @param {LessonState} state
 * @param {Partial<LessonState>} changes
 * @throws {import('../engine/engine-error.js').EngineError}
 */
export function requireLessonOf(engine, state, changes) {
  engine.lesson({ ...state, padding: 0, head: 0, ...changes, row: 0 });
}
