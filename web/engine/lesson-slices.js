// Lessons of long sentences, in slices: each call of the core computes some of the tokens or some of the rows, and this
// file puts the parts side by side. The numbers are those of one call, bit for bit.

import { packState, receiveFrom } from './crossing/packing.js';
import { unpackMetrics } from './crossing/unpacking.js';
import { makeNumbers } from './instance.js';
import { keysOf } from './lesson-state.js';
import { matricesOfTokens, withoutMatrices } from './own-matrices.js';

/** @typedef {import('./lesson-engine.js').LessonResult} LessonResult */
/** @typedef {{data: Float64Array, shape: number[]}} Table */
/** @typedef {import('./crossing/packing.js').Unpacking} Unpacking */
/** @typedef {import('./lesson-state.js').LessonState} LessonState */

/** No lines are given. */
const none = [0];

/** Tokens whose queries, keys and values are computed at once. */
const tokensAtOnce = 64;

/** The core's tables of tokens by tokens, in the order in which it hands them over. */
export const stageNames = /** @type {const} */ (['scores', 'scaled', 'masked', 'weights']);

/**
 * How many entries of a lesson's tables a slice computes: all of them where that takes no longer than a frame or two.
 *
 * @param {LessonState} state
 */
export function entriesAtOnce({ tokens, context, heads, dK, dV }) {
  const work = 150 + dK + (dV ?? dK); // of an entry, from its score to its share of the output, in about nanoseconds
  return heads * tokens.length * keysOf({ tokens, context }).length * work > 2e7
    ? 5e6 / work
    : Number.POSITIVE_INFINITY;
}

/**
 * Some rows of a lesson.
 *
 * @param {import('#lesson/module').LessonModule} module
 * @param {number[]} packedState
 * @param {number[]} numbers  the place of the first query, less the first key's, and the spread of the rows before
 * @param {(Table | number[])[]} tables  Q, K, what is blended, and lines with their lengths before them
 * @param {(take: Unpacking) => void} unpack
 * @throws {import('./engine-error.js').EngineError}
 */
export function callRows(module, packedState, numbers, tables, unpack) {
  receiveFrom(module, 'lessonRows', pack(packedState, numbers, ...tables), unpack);
}

/**
 * One head of a lesson.
 *
 * @param {import('#lesson/module').LessonModule} module
 * @param {LessonState} state  whole, and without a problem
 * @param {(state: LessonState) => LessonResult} inOneCall
 * @param {Table[]} stages  of queries by keys, to be filled in, in the order of `stageNames`
 * @param {number} atOnce  entries of a table
 * @param {(first: number, count: number) => void} average  adds to the mean of the heads' weights
 * @returns {Generator<number, any>}  yields the share of all heads that is done; returns a lesson without its worksheet
 */
export function* headInSlices(module, state, inOneCall, stages, atOnce, average) {
  const { tokens, context, heads, head } = state;
  const n = tokens.length;
  const keyTokens = keysOf(state);
  const keys = keyTokens.length;
  const packedState = packState(withoutMatrices(state));
  /** @type {Record<string, Table>} */
  const whole = {};
  /** @type {any} */
  let part;
  const isCross = context.length > 0;
  for (let first = 0; first < Math.max(n, keys); first += tokensAtOnce) {
    // A sentence that is through stands there with its first words, which are not put.
    const some = (/** @type {string[]} */ words) =>
      words.slice(first < words.length ? first : 0).slice(0, tokensAtOnce);
    const own = matricesOfTokens(state, first < n ? first : 0, tokensAtOnce);
    part = inOneCall({ ...state, ...own, tokens: some(tokens), context: some(context), row: 0, padding: 0 });
    for (const name of isCross ? ['X', 'Q', 'context', 'K', 'V'] : ['X', 'Q', 'K', 'V']) {
      const rows = 'XQ'.includes(name) ? n : keys;
      whole[name] ??= table(rows, part[name].shape[1]);
      if (first < rows) {
        put(whole[name], part[name], first);
      }
    }
    yield head / heads;
  }

  const { X, Q, K, V } = whole;
  const blended = state.blend === 'values' ? V : (whole.context ?? X);
  /** @type {number[][]} what the softmax's lines subtract and divide by */
  const lines = [[], []];
  const isAlongKeys = state.softmaxAxis === 'keys';
  const takeLines = (/** @type {Unpacking} */ take) => {
    for (const line of lines) {
      const more = take.numbers();
      if (line.length < (isAlongKeys ? n : keys)) {
        line.push(...more);
      }
    }
  };
  for (let first = 0, most = Math.ceil(atOnce / n); first < keys && !isAlongKeys; first += most) {
    const [some, values] = [K, blended].map((each) => rowsOf(each, first, most));
    callRows(module, packedState, [-first, 0, 0, 0], [Q, some, values, none, none], takeLines);
    yield head / heads;
  }

  const output = table(n, blended.shape[1]);
  const visible = { data: new Uint8Array(n * keys), shape: [n, keys] };
  const most = Math.ceil(atOnce / keys);
  const metrics = { ...part.metrics };
  /** @type {any[]} */
  let spread = [0, 0, 0];
  for (let first = 0; first < n; first += most) {
    const given = isAlongKeys ? [none, none] : lines.map((line) => [keys, ...line]);
    callRows(module, packedState, [first, ...spread], [rowsOf(Q, first, most), K, blended, ...given], (take) => {
      takeLines(take);
      for (const each of [...stages, output, visible]) {
        put(each, take.tensor(), first);
      }
      for (const [name, figures] of Object.entries(unpackMetrics(take))) {
        metrics[name] = first === 0 ? figures : metrics[name].concat(figures);
      }
      metrics.spread = take.number();
      spread = [take.number(), take.number(), take.number()];
    });
    average(first, most);
    yield (head + first / n) / heads;
  }
  if (spread[0] < 2) {
    metrics.expectedSpread = null; // of one score there is no spread to expect
  }
  const [scores, scaled, masked, weights] = stages;
  const [reference, total] = lines;
  return {
    ...part,
    ...whole,
    tokens,
    keyTokens,
    padding: state.padding,
    scores,
    scaled,
    masked,
    weights,
    output,
    visible,
    metrics,
    reference,
    total,
  };
}

/**
 * Values as the core reads them: tables with their shapes before them.
 *
 * @param {(ArrayLike<number> | {data: ArrayLike<number>, shape: number[]})[]} values
 */
export function pack(...values) {
  const lists = values.flatMap((value) => ('shape' in value ? [value.shape, value.data] : [value]));
  const numbers = makeNumbers(lists.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  for (const list of lists) {
    numbers.set(list, next);
    next += list.length;
  }
  return numbers;
}

/** @param {number} rows @param {number} columns @returns {Table} */
export const table = (rows, columns) => ({ data: makeNumbers(rows * columns), shape: [rows, columns] });

/**
 * Some rows of a table, as many as there are up to `count`. They share its numbers.
 *
 * @param {Table} whole
 * @param {number} first
 * @param {number} count
 * @returns {Table}
 */
export function rowsOf({ data, shape: [, columns] }, first, count) {
  const some = data.subarray(first * columns, (first + count) * columns);
  return { data: some, shape: [some.length / columns, columns] };
}

/**
 * Copies a part into a table.
 *
 * @param {{data: Float64Array | Uint8Array, shape: number[]}} whole
 * @param {Table} part
 * @param {number} row  where the part's first entry goes
 * @param {number} [column]
 */
export function put({ data, shape }, part, row, column = 0) {
  for (let each = 0; each < part.shape[0]; each++) {
    data.set(rowsOf(part, each, 1).data, (row + each) * shape[1] + column);
  }
}
