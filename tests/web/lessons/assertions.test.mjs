// What the editor asserts of a row, on the core's own numbers and on each kind of wrong one. Covers lessons/workbench/assertions.js
// and rows.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadEngine } from 'attention-widget/engine';
import { parseHTML } from 'linkedom';
import { completeState } from '../../../web/engine/lesson-state.js';
import { faultOf, movedOutput } from '../../../web/lessons/workbench/assertions.js';
import { cases, lastTokenChanged, notDivided, rowFrom } from '../../../web/lessons/workbench/rows.js';

/** @typedef {import('../../../web/lessons/workbench/rows.js').Row} Row */

const engine = await loadEngine();

/** @param {import('../../../web/lessons/workbench/rows.js').Case} each @returns {Row} */
function rowOf(each) {
  const state = completeState(/** @type {any} */ (each.settings));
  return rowFrom(each, state, engine.lesson(/** @type {any} */ (each.settings)));
}

const rows = cases.map(rowOf);
const named = (/** @type {string} */ name) => /** @type {Row} */ (rows.find((row) => row.name === name));

/** The solution that the page shows. @type {(i: number, Q: number[][], K: number[][], V: number[][], causal: boolean) => any} */
const solution = (() => {
  const html = readFileSync(new URL('../../../web/lessons/scaled-dot-product.html', import.meta.url), 'utf8');
  const text = parseHTML(html).document.getElementById('solution')?.textContent;
  return new Function(`${text}; return attention_row;`)();
})();

/** @param {Row} row */
const solved = ({ i, Q, K, V, causal }) => solution(i, Q, K, V, causal);

test('there are ten rows: plain and causal, of one visible key and of one token, wide, narrow, and of scores beyond ±700', () => {
  assert.equal(rows.length, 10);
  assert.deepEqual(new Set(rows.map(({ causal }) => causal)), new Set([true, false]));
  assert.deepEqual(named('oneVisible').weights, [1, 0, 0, 0]);
  assert.equal(named('oneToken').K.length, 1);
  assert.deepEqual([named('narrowValues').K[0].length, named('narrowValues').V[0].length], [5, 3]);
  assert.ok(Math.max(...named('huge').scores) > 800);
  assert.ok(Math.max(...named('negative').scores) < -790);
  for (const row of rows) {
    assert.ok(row.weights.every(Number.isFinite) && row.output.every(Number.isFinite), row.name);
  }
});

test('the page’s solution holds on every row, and so do the core’s own numbers', () => {
  for (const row of rows) {
    assert.equal(faultOf(row, solved(row)), null, row.name);
    assert.equal(faultOf(row, { weights: row.weights, output: row.output }), null, row.name);
  }
});

test('each assertion is the first to fail where it should be, with its numbers', () => {
  const row = named('twoVisible');
  const { weights, output } = row;
  const late = [0.18, 0.37, 0.36, 0.09];
  for (const [answer, assertion, values] of /** @type {const} */ ([
    [{ weights: 'undefined', output }, 'shape', ['weights', 'undefined', 4]],
    [{ weights, output: [1] }, 'shape', ['output', 1, 2]],
    [{ weights: [...weights.slice(0, 3), Number.NaN], output }, 'finite', ['weights[3]', 'NaN']],
    [{ weights, output: [0, Number.POSITIVE_INFINITY] }, 'finite', ['output[1]', 'Infinity']],
    [{ weights: late, output }, 'future', [2, 0.36]],
    [{ weights: [0.5, 0.25, 0, 0], output }, 'sum', [0.75]],
    [{ weights: [0.25, 0.75, 0, 0], output }, 'weights', ['weights[0]', 0.25, weights[0]]],
    [{ weights, output: [output[0], 7] }, 'output', ['output[1]', 7, output[1]]],
  ])) {
    assert.deepEqual(faultOf(row, /** @type {any} */ (answer)), { assertion, values });
  }
});

test('rounding is forgiven, a millionth is not', () => {
  const row = named('plain');
  const nudged = (/** @type {number} */ by) => ({
    weights: row.weights.map((each, at) => each + (at === 0 ? by : at === 1 ? -by : 0)),
    output: row.output,
  });
  assert.equal(faultOf(row, nudged(1e-12)), null);
  assert.equal(faultOf(row, nudged(1e-6))?.assertion, 'weights');
});

test('a plain softmax overflows on both extreme rows', () => {
  for (const row of [named('huge'), named('negative')]) {
    const exponentials = row.scores.map((score, j) => (row.causal && j > row.i ? 0 : Math.exp(score)));
    const total = exponentials.reduce((sum, each) => sum + each, 0);
    const weights = exponentials.map((each) => each / total);
    assert.equal(faultOf(row, { weights, output: row.output })?.assertion, 'finite', row.name);
  }
});

test('when only token four changes the solution’s outputs one to three stay, and without the mask they move', () => {
  const [before, after] = lastTokenChanged.map(rowOf);
  const outputs = (/** @type {Row} */ { Q, K, V }, /** @type {boolean} */ causal) =>
    [0, 1, 2].map((i) => solution(i, Q, K, V, causal));
  assert.notDeepEqual(before.K[3], after.K[3]);
  assert.equal(movedOutput(outputs(before, true), outputs(after, true)), null);
  const moved = movedOutput(outputs(before, false), outputs(after, false));
  assert.equal(moved?.row, 0);
  assert.notEqual(moved?.before, moved?.after);
});

test('the entropy of the last row falls without the scale', () => {
  assert.ok(rowOf(notDivided).entropy < named('lastRow').entropy);
});
