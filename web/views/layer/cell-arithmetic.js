// What one entry of the layer's matrices is made of, term by term, and which entries those terms are. Every number is the
// engine's; this file only chooses which to show.

import { format, rowOf, tokenName } from '../format.js';

/** @typedef {import('../../engine/lesson-engine.js').LessonResult} LessonResult */
/** @typedef {import('../../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {typeof import('../../language/messages/en.js').default} Messages */
/** @typedef {import('./matrix.js').Light} Light */

/**
 * The matrices and biases, in the order of the data. "context" is what keys and values come from, where that is not X.
 */
export const matrixNames = /** @type {const} */ ([
  ...['X', 'context', 'Wq', 'bq', 'Wk', 'bk', 'Wv', 'bv'],
  ...['Q', 'K', 'V', 'S', 'A', 'Z'],
]);

/** @typedef {typeof matrixNames[number]} MatrixName */

/** An entry. @typedef {{matrix: MatrixName, row: number, column: number}} Place */

/** @typedef {{name: string, working: string, result: string}} Step */

/** The dot of a product. A line may break after it, but only where a term has no room on one. */
const times = '\u2060·\u200b';

/**
 * The products that a number is the sum of, the first of them written out.
 *
 * @param {Messages} messages
 * @param {ArrayLike<number>} left
 * @param {ArrayLike<number>} right
 * @param {number} most  that are written out before the rest is counted
 */
export function productTerms(messages, left, right, most) {
  /** A number as a factor: a negative one in parentheses. @param {number} value */
  const factor = (value) => (value < 0 ? `(${format(value, messages)})` : format(value, messages));
  const terms = Array.from(left).slice(0, most);
  const written = terms.map((value, index) => `${factor(value)}${times}${factor(right[index])}`);
  return [...written, ...(left.length > most ? [messages.moreTerms(left.length - most)] : [])].join('\u00a0+\n');
}

/** A column of a matrix. @param {import('../../engine/lesson-engine.js').Tensor} tensor @param {number} column */
const columnOf = ({ data, shape: [rows, columns] }, column) =>
  Array.from({ length: rows }, (_, row) => data[row * columns + column]);

/** A bias that there is not. */
const none = { data: new Float64Array(0), shape: [1, 0] };

/** @param {LessonResult} result @returns {Record<MatrixName, import('../../engine/lesson-engine.js').Tensor>} */
export function matricesOf(result) {
  const { X, context = X, Wq, Wk, Wv, bq = none, bk = none, bv = none, Q, K, V, masked, weights, output } = result;
  return { X, context, Wq, bq, Wk, bk, Wv, bv, Q, K, V, S: masked, A: weights, Z: output };
}

/** The bias that is added where a matrix is a factor; "W_q" for "bq" the other way round. @param {string} name */
export const partnerOf = (name) =>
  /** @type {MatrixName} */ (name.replace(/^[Wb]/, (letter) => (letter === 'W' ? 'b' : 'W')));

/** Where an entry of Q, K, V or Z comes from: a row of one matrix and a column of another. @type {Record<string, [MatrixName, MatrixName]>} */
const factors = { Q: ['X', 'Wq'], K: ['context', 'Wk'], V: ['context', 'Wv'], Z: ['A', 'V'], S: ['Q', 'K'] };

/**
 * The matrices that an entry is the product of, as the state wires them; null where it is no product.
 *
 * @param {LessonResult} result
 * @param {LessonState} state
 * @param {MatrixName} matrix
 * @returns {[MatrixName, MatrixName] | null}
 */
export function factorsOf({ context }, { projections, blend }, matrix) {
  const pair = factors[matrix];
  if (pair === undefined) {
    return null;
  }
  const embedded = context === undefined ? 'X' : 'context';
  const [left, right] = /** @type {[MatrixName, MatrixName]} */ (
    pair.map((name) => (name === 'context' ? embedded : name === 'V' && blend === 'embeddings' ? embedded : name))
  );
  return [left, projections === 'shared' && /^W/.test(right) ? 'Wq' : right];
}

/**
 * @param {Messages} messages
 * @param {LessonResult} result
 * @param {LessonState} state
 * @param {Place} place  of no weight: those have arithmetic of their own
 * @param {number} most  terms that are written out
 * @returns {{title: string, steps: Step[]}}
 */
export function cellArithmetic(messages, result, state, { matrix, row, column }, most) {
  const texts = messages.layer;
  const all = matricesOf(result);
  const { data, shape } = all[matrix];
  const write = (/** @type {number} */ value) => format(value, messages);
  const value = write(data[row * shape[1] + column]);
  const title = `${symbolOf(matrix, state)} ${entryName(messages, result, matrix, row)}${messages.comma}${texts.column(column + 1)}`;
  const pair = factorsOf(result, state, matrix);
  if (pair === null || (state.projections === 'identity' && matrix !== 'Z')) {
    const working = pair === null ? '' : texts.isX;
    return { title, steps: [{ name: symbolOf(matrix, state), working, result: value }] };
  }
  const [left, right] = pair;
  const working = productTerms(messages, rowOf(all[left], row), columnOf(all[right], column), most);
  const name = `${symbolOf(left, state)} · ${symbolOf(right, state)}`;
  const bias = all[partnerOf(right)].data[column];
  return {
    title,
    steps: [
      bias === undefined || right[0] !== 'W'
        ? { name, working, result: value }
        : {
            name: `${name} + ${symbolOf(partnerOf(right), state)}`,
            working: `${working}\u00a0+\n${write(bias)}`,
            result: value,
          },
    ],
  };
}

/** @param {Messages} messages @param {LessonResult} result @param {MatrixName} matrix @param {number} row */
export function entryName(messages, { tokens, keyTokens }, matrix, row) {
  return /^[Wb]/.test(matrix)
    ? messages.layer.row(row + 1)
    : `“${tokenName(/^(context|K|V)$/.test(matrix) ? keyTokens : tokens, row)}”`;
}

/** @param {MatrixName} matrix @param {LessonState} state */
export function symbolOf(matrix, { projections }) {
  if (matrix === 'context') {
    return 'C';
  }
  const [letter, role] = matrix;
  return role === undefined || projections === 'shared' ? letter : `${letter}_${role}`;
}

/**
 * What is lit: the row of the highlighted query and of the selected key, and what the entry that the reader is at is made
 * of, or makes.
 *
 * @param {LessonResult} result
 * @param {LessonState} state
 * @param {import('../cells.js').Cell} selected
 * @param {Place | null} at
 * @returns {Partial<Record<MatrixName, Light[]>>}
 */
export function lightsOf(result, state, selected, at) {
  const line = (/** @type {number} */ index) => /** @type {[number, number]} */ ([index, index + 1]);
  /** @type {(row: number) => Light} */
  const asQuery = (row) => ({ rows: line(row), kind: 'query' });
  /** @type {(row: number) => Light} */
  const asKey = (row) => ({ rows: line(row), kind: 'key' });
  if (at === null) {
    const query = asQuery(selected.row);
    const key = asKey(selected.column);
    return {
      ...{ X: result.context === undefined ? [key, query] : [query], context: [key] },
      ...{ Q: [query], K: [key], V: [key], S: [query], Z: [query] },
    };
  }
  const { matrix, row, column } = at;
  /** @type {Light} */
  const own = { rows: line(row), columns: line(column), kind: 'operand' };
  const pair = factorsOf(result, state, matrix);
  /** @type {Partial<Record<MatrixName, Light[]>>} */
  const lights = { [matrix]: [own] };
  if (matrix === 'S' || matrix === 'A') {
    return { ...lights, S: [own], Q: [asQuery(row)], K: [asKey(column)] };
  }
  if (pair !== null) {
    const [left, right] = pair;
    lights[left] = [{ rows: line(row), kind: 'operand' }];
    if (state.projections !== 'identity' || matrix === 'Z') {
      lights[right] = [{ columns: line(column), kind: 'operand' }];
      lights[partnerOf(right)] = lights[right];
    }
  } else if (/^[Wb]/.test(matrix)) {
    const factor = matrix[0] === 'W' ? matrix : partnerOf(matrix);
    for (const made of /** @type {const} */ (['Q', 'K', 'V'])) {
      if (factorsOf(result, state, made)?.[1] === factor) {
        lights[made] = [{ columns: line(column), kind: 'operand' }];
      }
    }
  } else {
    for (const made of /** @type {const} */ (['Q', 'K', 'V'])) {
      if (factorsOf(result, state, made)?.[0] === matrix) {
        lights[made] = [{ rows: line(row), kind: 'operand' }];
      }
    }
  }
  return lights;
}
