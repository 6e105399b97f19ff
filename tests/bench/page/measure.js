// Runs in the page: what the bench asks for by page.evaluate(), as functions of globalThis.bench.

import { loadLessonEngine } from '../../../web/engine/lesson-module.js';
import { byTurns, compareTurns, largestDifference, median, timeOf, workloadOf } from '../ratios.mjs';
import { runtimes, versions } from './peers.js';

/** @typedef {'onnxruntime' | 'tensorflow' | 'plain'} Peer */

const width = 64;
const tolerance = 1e-5;

/** Entries of mean 0 and variance 1, by Box and Muller's transform. @param {number} size */
function normalEntries(size) {
  return Float32Array.from({ length: size }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - Math.random()));
    return radius * Math.cos(2 * Math.PI * Math.random());
  });
}

/** @param {number} length */
function randomHeads(length) {
  const [query, key, value] = [0, 1, 2].map(() => normalEntries(length * width));
  return { query, key, value, length, width };
}

/** @param {import('../ratios.mjs').Call[]} calls @param {number} turns */
async function timesOf(calls, turns) {
  const workloads = [];
  for (const call of calls) {
    workloads.push(await workloadOf(call));
  }
  return byTurns(
    workloads.map((workload) => () => timeOf(workload)),
    turns,
  );
}

/**
 * Our time beside a peer's, once both have given the same answer.
 *
 * @param {{peer: Peer, length: number, isCausal: boolean, turns: number}} options
 * @returns {Promise<import('../ratios.mjs').Comparison | {ours: number, failure: string}>}
 */
async function beside({ peer, length, isCausal, turns }) {
  const heads = randomHeads(length);
  const own = await runtimes.ours({ ...heads, isCausal });
  const other = await runtimes[peer]({ ...heads, isCausal });
  try {
    const expected = await own.call();
    /** @type {Float32Array} */
    let found;
    try {
      found = await other.call();
    } catch (reason) {
      const [ours] = await timesOf([own.call], turns);
      return { ours: median(ours), failure: reason instanceof Error ? reason.message : String(reason) };
    }
    const difference = largestDifference(expected, found);
    if (!(difference <= tolerance)) {
      throw new Error(`${peer} answers otherwise at T = ${length}: the largest difference is ${difference}`);
    }
    const [ours, theirs] = await timesOf([own.call, other.call], turns);
    return compareTurns(ours, theirs);
  } finally {
    await other.dispose?.();
  }
}

/** @type {Promise<any> | undefined} */
let peakModule;

/**
 * Our share of what the processor multiplies and adds at most in WebAssembly, measured by turns.
 *
 * @param {{length: number, isCausal: boolean, turns: number}} options
 */
async function shareOfPeak({ length, isCausal, turns }) {
  peakModule ??= WebAssembly.instantiateStreaming(fetch('/peak.wasm'), {});
  const { multiply_and_add: multiplyAndAdd, operations_of: operationsOf } = (await peakModule).instance.exports;
  const rounds = 400_000;
  const { call } = await runtimes.ours({ ...randomHeads(length), isCausal });
  const [ours, peak] = await timesOf([call, () => multiplyAndAdd(rounds)], turns);
  const pairs = isCausal ? (length * (length + 1)) / 2 : length * length;
  return compareTurns(ours, peak).ratio * ((4 * width * pairs) / operationsOf(rounds));
}

/**
 * The time at each logit scale, relative to the first.
 *
 * @param {{length: number, scales: number[], turns: number}} options
 */
async function logitScales({ length, scales, turns }) {
  const heads = randomHeads(length);
  const calls = [];
  for (const scale of scales) {
    const { call } = await runtimes.ours({ ...heads, isCausal: false, scale: scale / Math.sqrt(width) });
    calls.push(call);
  }
  const [first, ...others] = await timesOf(calls, turns);
  return others.map((times) => compareTurns(first, times).ratio);
}

/**
 * The widget's engine: a training race of both divisors, 200 steps each.
 *
 * @param {number} turns
 */
async function trainingTimes(turns) {
  const engine = await loadLessonEngine();
  const race = () => {
    for (const divisor of /** @type {const} */ (['sqrt', 'none'])) {
      const { points } = engine.train({ dModel: 16, dK: 64, divisor }, { steps: 200 });
      if (points.length !== 201) {
        throw new Error(`the run stopped after ${points.length - 1} steps`);
      }
    }
  };
  const [times] = await byTurns([() => timeOf({ call: race, repeats: 1 })], turns);
  return times;
}

/**
 * The widget's engine: 10 000 seeds at every width up to 64.
 *
 * @param {number} turns
 */
async function seedsTimes(turns) {
  const engine = await loadLessonEngine();
  const call = () => engine.statistics({ largestDK: 64, seeds: 10_000 });
  const [times] = await byTurns([() => timeOf({ call, repeats: 1 })], turns);
  return times;
}

const bench = { beside, shareOfPeak, logitScales, trainingTimes, seedsTimes, versions };

/** @typedef {typeof bench} Bench */

Object.assign(globalThis, { bench });
