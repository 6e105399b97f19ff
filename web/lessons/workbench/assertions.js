// What a row of attention must be: the first assertion that the reader's row breaks, and with what numbers.

/** @typedef {import('./rows.js').Row} Row */

/**
 * What a reader's function gave for a row, as it crossed from the worker: lists of numbers, or in words what was there instead.
 *
 * @typedef {{weights: number[] | string, output: number[] | string}} Answer
 */

/**
 * The assertion that fails, with what its sentence needs; null where all hold.
 *
 * @typedef {{assertion: 'shape' | 'finite' | 'future' | 'sum' | 'weights' | 'output', values: (string | number)[]} | null} Fault
 */

/** The core's numbers and the reader's differ by rounding, and it grows with the numbers. */
const tolerance = 1e-9;

/** @param {number} found @param {number} expected */
const isClose = (found, expected) => Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected));

/** @param {number[]} list @param {number[]} expected */
const firstDifference = (list, expected) => list.findIndex((each, at) => !isClose(each, expected[at]));

/** @param {Answer} answer @param {Row} row @returns {Fault} */
function shapeFault({ weights, output }, row) {
  for (const [name, list, length] of /** @type {const} */ ([
    ['weights', weights, row.K.length],
    ['output', output, row.V[0].length],
  ])) {
    if (typeof list === 'string' || list.length !== length) {
      return { assertion: 'shape', values: [name, typeof list === 'string' ? list : list.length, length] };
    }
  }
  return null;
}

/** @param {number[]} weights @param {number[]} output @returns {Fault} */
function finiteFault(weights, output) {
  for (const [name, list] of /** @type {const} */ ([
    ['weights', weights],
    ['output', output],
  ])) {
    const at = list.findIndex((each) => !Number.isFinite(each));
    if (at !== -1) {
      return { assertion: 'finite', values: [`${name}[${at}]`, String(list[at])] };
    }
  }
  return null;
}

/**
 * The first assertion that an answer breaks: right shape, numbers at all, future exactly 0, sum of 1, the core's weights, the
 * core's output.
 *
 * @param {Row} row
 * @param {Answer} answer
 * @returns {Fault}
 */
export function faultOf(row, answer) {
  const shape = shapeFault(answer, row);
  if (shape !== null) {
    return shape;
  }
  const [weights, output] = [/** @type {number[]} */ (answer.weights), /** @type {number[]} */ (answer.output)];
  const finite = finiteFault(weights, output);
  if (finite !== null) {
    return finite;
  }
  const future = weights.findIndex((weight, j) => row.causal && j > row.i && weight !== 0);
  if (future !== -1) {
    return { assertion: 'future', values: [future, weights[future]] };
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (!isClose(sum, 1)) {
    return { assertion: 'sum', values: [sum] };
  }
  for (const [name, list, expected] of /** @type {const} */ ([
    ['weights', weights, row.weights],
    ['output', output, row.output],
  ])) {
    const at = firstDifference(list, expected);
    if (at !== -1) {
      return { assertion: name, values: [`${name}[${at}]`, list[at], expected[at]] };
    }
  }
  return null;
}

/**
 * The first entry of the outputs of earlier rows that moved when the last token changed; null where none did.
 *
 * @param {Answer[]} before
 * @param {Answer[]} after
 * @returns {{row: number, before: number, after: number} | null}
 */
export function movedOutput(before, after) {
  for (const [row, { output }] of before.entries()) {
    const changed = after[row].output;
    for (let column = 0; column < output.length; column++) {
      if (!Object.is(output[column], changed[column])) {
        return { row, before: Number(output[column]), after: Number(changed[column]) };
      }
    }
  }
  return null;
}
