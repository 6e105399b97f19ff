// The ten rows on which a reader's attention_row is tried. Their numbers come from the core, by way of a widget.

/**
 * A row as the reader's function gets it, and what the core made of it.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {number} i  the query
 * @property {boolean} causal
 * @property {number[][]} Q  (n, d_k)
 * @property {number[][]} K  (n, d_k)
 * @property {number[][]} V  (n, d_v)
 * @property {number[]} scores  of the row, divided, before the mask
 * @property {number[]} weights
 * @property {number[]} output
 * @property {number} entropy  of the weights, in nats
 */

/** @typedef {{name: string, row: number, settings: Record<string, unknown>}} Case */

/** Scores of about 800 and 799 after the division: their exponentials are no numbers. */
const hugeEmbeddings = [
  [1132, 0],
  [1131, 0],
  [1, 1],
  [1, -1],
];

/** With keys turned around every score is about −800: every exponential is 0, and so is their sum. */
const negative = {
  X: [
    [34, 0],
    [34.02, 0],
    [34.05, 0],
    [34.01, 0],
  ],
  Wk: [
    [-1, 0],
    [-1, 1],
  ],
};

/** @type {Case[]} */
export const cases = [
  { name: 'plain', row: 1, settings: {} },
  { name: 'narrowValues', row: 4, settings: { dK: 5, dV: 3 } },
  { name: 'wide', row: 5, settings: { dK: 64 } },
  { name: 'oneVisible', row: 0, settings: { preset: 'four-token' } },
  { name: 'twoVisible', row: 1, settings: { preset: 'four-token' } },
  { name: 'lastRow', row: 3, settings: { preset: 'four-token' } },
  { name: 'causal', row: 2, settings: { mask: 'causal', dK: 8 } },
  { name: 'oneToken', row: 0, settings: { tokens: ['step'] } },
  { name: 'huge', row: 2, settings: { preset: 'four-token', X: hugeEmbeddings } },
  { name: 'negative', row: 2, settings: { preset: 'four-token', mask: 'none', ...negative } },
];

/** Another entry of token four's embedding. @param {number} column @param {number} value */
const edit = (column, value) => ({ matrix: 'X', row: 3, column, value });

/** The four tokens, and the same with another token four: rows one to three see nothing of it. @type {[Case, Case]} */
export const lastTokenChanged = [
  { name: 'before', row: 2, settings: { preset: 'four-token' } },
  { name: 'after', row: 2, settings: { preset: 'four-token', edits: [edit(0, 5), edit(1, -7)] } },
];

/** The last row without the scale, for its entropy. @type {Case} */
export const notDivided = { name: 'notDivided', row: 3, settings: { preset: 'four-token', divisor: 'none' } };

/** @param {{data: ArrayLike<number>, shape: number[]}} matrix @returns {number[][]} */
const rowsOf = ({ data, shape: [rows, columns] }) =>
  Array.from({ length: rows }, (_, i) => Array.from(data).slice(i * columns, (i + 1) * columns));

/**
 * What the core made of a case.
 *
 * @param {Case} each
 * @param {any} state  the whole state
 * @param {any} result  of the engine's lesson, or a widget's `result`
 * @returns {Row}
 */
export function rowFrom({ name, row: i }, state, result) {
  return {
    name,
    i,
    causal: state.mask === 'causal',
    Q: rowsOf(result.Q),
    K: rowsOf(result.K),
    V: rowsOf(result.V),
    scores: rowsOf(result.scaled)[i],
    weights: rowsOf(result.weights)[i],
    output: rowsOf(result.output)[i],
    entropy: result.metrics.entropy[i],
  };
}
