// Q, K and V at once, where nobody knows what they were projected from. Covers withoutProjections of engine/own-matrices.js and
// its ways in: a state, a document, an engine's call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChosenSettings } from '../../../web/element/chosen-settings.js';
import { parseLesson } from '../../../web/engine/lesson-document.js';
import { findProblem } from '../../../web/engine/lesson-state.js';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();

/** Three queries and keys of width 4, in two heads of 2, and values of width 2: no two sizes alike but for these. */
const Q = [
  [0.1, -2, 3, 0.25],
  [1 / 3, 0, 1e-300, -0.5],
  [7, 1, -1, 2],
];
const K = [
  [1, 2, -3, 4],
  [0.7, 0.2, 0.1, -1e200],
  [-1, 0, 5, 1e-9],
];
const V = [
  [10, 0.1],
  [20, 0.2],
  [-30, 0.3],
];
const given = { Q, K, V, heads: 2, mask: /** @type {const} */ ('causal') };

const flat = (/** @type {number[][]} */ rows) => rows.flat();

test('a lesson of given Q, K and V has these to the last bit, and everything after them follows', () => {
  const result = engine.lesson(given);
  assert.deepEqual(Array.from(result.Q.data), flat(Q));
  assert.deepEqual(Array.from(result.K.data), flat(K));
  assert.deepEqual(Array.from(result.V.data), flat(V));
  assert.deepEqual(result.tokens, ['x1', 'x2', 'x3']);
  // The second row of the first head, number by number.
  const scores = [0, 1].map((key) => (Q[1][0] * K[key][0] + Q[1][1] * K[key][1]) / Math.SQRT2);
  const weights = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const total = weights[0] + weights[1];
  const z = (weights[0] * V[0][0] + weights[1] * V[1][0]) / total;
  assert.ok(Math.abs(result.output.data[2] - z) <= 1e-12 * Math.abs(z));
});

test('a matrix as data and shape, and a document, say the same', () => {
  const as = (/** @type {number[][]} */ rows) => ({
    data: Float64Array.from(flat(rows)),
    shape: [rows.length, rows[0].length],
  });
  const expected = engine.lesson(given);
  assert.deepEqual(engine.lesson({ ...given, Q: as(Q), K: as(K), V: as(V) }), expected);
  assert.deepEqual(engine.lesson(parseLesson(JSON.stringify({ version: 1, ...given }))), expected);
  const chosen = new ChosenSettings();
  chosen.replace(given);
  assert.equal(chosen.state.dModel, 10);
  assert.deepEqual(engine.lesson(chosen.state), expected);
});

test('proofs hold of them, and training starts from them', () => {
  for (const { law, outcome } of engine.proofs({ ...given, heads: 1 })) {
    assert.notEqual(outcome, law === 'weightsAreFinite' || law === 'pastIsUntouched' ? 'fails' : '', law);
  }
  const { trained } = engine.train({ ...given, heads: 1, K: [[1, 0, 0, 0], ...Q.slice(1)] }, { steps: 0 });
  assert.deepEqual(Array.from(trained.Wv.data.slice(-4)), [1, 0, 0, 1]);
});

const refusals = /** @type {[string, Record<string, any>, string][]} */ ([
  ['one of the three', { Q }, 'K is null, but must be rows of numbers'],
  ['other widths of keys', { Q, K: [[1], [2], [3]], V }, 'K has shape (3, 1), but Q asks for (3, 4)'],
  ['fewer values', { Q, K, V: V.slice(1) }, 'V has shape (2, 2), but Q asks for (3, 2)'],
  ['no number', { Q, K, V: [[1], [Number.NaN], [2]] }, 'V holds NaN at (1, 0), but must hold finite numbers'],
  ['X beside them', { Q, K, V, X: Q }, 'X is given, but Q, K and V stand in its place'],
  ['a bias beside them', { Q, K, V, bk: [[1, 2, 3, 4]] }, 'bk is given, but Q, K and V stand in its place'],
]);
for (const [title, said, message] of refusals) {
  test(`refused: ${title}`, () => {
    assert.throws(() => engine.lesson(said), { message });
    const chosen = new ChosenSettings();
    chosen.replace(said);
    const { argument, found, expected } = findProblem(chosen.state) ?? {};
    assert.equal(`${argument} ${found}, but ${expected}`, message);
    chosen.replace(given);
    assert.equal(findProblem(chosen.state), null, 'it recovers');
  });
}
