// How times are compared: by turns, as a ratio for each pair, and the median of the ratios. What else the machine does
// slows both of a pair, and a pair that it hits in the middle is one of many.

/** @typedef {() => unknown} Call  may give a promise, which is waited for */
/** @typedef {{call: Call, repeats: number}} Workload */
/** @typedef {{ours: number, peer: number, ratio: number}} Comparison  times in milliseconds; the ratio is theirs ÷ ours */

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The average over a workload's calls, in milliseconds.
 *
 * @param {Workload} workload
 */
export async function timeOf({ call, repeats }) {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) {
    const answer = call();
    if (answer instanceof Promise) {
      await answer;
    }
  }
  return (performance.now() - start) / repeats;
}

/**
 * A call, warmed up, and as often as fills 20 ms: a page's clock ticks in tenths of a millisecond.
 *
 * @param {Call} call
 * @returns {Promise<Workload>}
 */
export async function workloadOf(call) {
  let time = await timeOf({ call, repeats: 2 });
  // Engines compile anew what has been running for a while.
  for (const end = performance.now() + 200; performance.now() < end; ) {
    time = await timeOf({ call, repeats: Math.ceil(20 / Math.max(time, 1e-3)) });
  }
  return { call, repeats: Math.ceil(20 / time) };
}

/**
 * @param {(() => Promise<number>)[]} measurements
 * @param {number} turns
 * @returns {Promise<number[][]>} what each gave, turn by turn: a, b, a, b, …
 */
export async function byTurns(measurements, turns) {
  /** @type {number[][]} */
  const results = measurements.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, measure] of measurements.entries()) {
      results[index].push(await measure());
    }
  }
  return results;
}

/**
 * @param {number[]} ours
 * @param {number[]} peer  of the same turns
 * @returns {Comparison}
 */
export function compareTurns(ours, peer) {
  return { ours: median(ours), peer: median(peer), ratio: median(peer.map((time, turn) => time / ours[turn])) };
}

/**
 * @param {Float32Array} expected
 * @param {Float32Array} found
 * @returns {number} NaN where an entry is NaN or missing
 */
export function largestDifference(expected, found) {
  return expected.reduce((largest, entry, at) => Math.max(largest, Math.abs(entry - found[at])), 0);
}
