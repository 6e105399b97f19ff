// Biases as the page has them: of a state, in what the engine gives, and in training. What they compute is in
// tests/core/lesson/bias_test.cpp.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeText, completeState, parseAttribute } from '../../../web/engine/lesson-state.js';
import { decidedWidths, editFits } from '../../../web/engine/own-matrices.js';
import { loadEngine } from '../support.mjs';

/** @typedef {import('../../../web/engine/lesson-state.js').LessonState} LessonState */

const engine = await loadEngine();

/** @type {Partial<LessonState>} */
const biased = { dModel: 5, dK: 3, dV: 2, bq: [[0.5, -2, 1.25]], bv: [[7, -0.125]], mask: 'causal' };

/** @param {import('../../../web/engine/lesson-engine.js').Tensor} tensor @param {number} row */
const rowOf = ({ data, shape: [, columns] }, row) => Array.from(data.slice(row * columns, (row + 1) * columns));

test('an attribute writes a bias as a matrix of one row, and a bias decides a width that no matrix does', () => {
  assert.deepEqual(parseAttribute('bq', '1 -0 3'), [[1, -0, 3]]);
  assert.equal(attributeText('bq', [[1, -0, 3]]), '1 -0 3');
  const row = Float64Array.of(4, -5);
  assert.deepEqual(completeState({ bv: /** @type {any} */ (row) }).bv, [[4, -5]], 'a row by itself is one too');
  const state = completeState({ heads: 2, bk: [[1, 2, 3, 4, 5, 6]], bv: [[7, 8]] });
  assert.deepEqual([state.dK, state.dV], [3, 1]);
  assert.equal(decidedWidths(state).get('dK')?.matrix, 'bk');
  assert.equal(completeState({ Wq: Array(16).fill([1, 2]), bk: [[1, 2, 3]] }).dK, 2, 'a matrix decides first');
  assert.throws(() => engine.lesson({ Wq: Array(16).fill([1, 2]), bk: [[1, 2, 3]] }), {
    message: 'bk has shape (1, 3), but the state asks for (1, heads * d_k) = (1, 2)',
  });
});

test('an edit fits a bias in its one row', () => {
  const state = completeState({ heads: 2, dK: 3 });
  const edit = { matrix: /** @type {const} */ ('bq'), row: 0, column: 2, value: 1, head: 1 };
  assert.ok(editFits(edit, state));
  assert.ok(!editFits({ ...edit, row: 1 }, state));
  assert.ok(!editFits({ ...edit, column: 3 }, state));
});

test('what a bias holds is added to every row, and a bias that is not there is none', () => {
  const plain = engine.lesson({ ...biased, bq: null, bv: null });
  const result = engine.lesson(biased);
  assert.deepEqual(result.shapes.bq, [1, 3]);
  assert.deepEqual([result.bk, plain.bq, plain.shapes.bq], [undefined, undefined, undefined]);
  assert.deepEqual(result.K, plain.K);
  for (let row = 0; row < 6; row++) {
    const q = rowOf(plain.Q, row).map((each, column) => each + [0.5, -2, 1.25][column]);
    assert.deepEqual(rowOf(result.Q, row), q);
    const v = rowOf(plain.V, row).map((each, column) => each + [7, -0.125][column]);
    assert.deepEqual(rowOf(result.V, row), v);
  }
  assert.equal(result.metrics.expectedSpread, null);
});

test('the biases of several heads stand side by side, also in slices', () => {
  const state = { ...biased, heads: 2, bq: [[1, 2, 3, 4, 5, 6]], bv: null };
  const edits = [{ matrix: /** @type {const} */ ('bv'), row: 0, column: 1, value: -3, head: 1 }];
  const result = engine.lesson({ ...state, head: 1, edits });
  assert.deepEqual(Array.from(result.bq?.data ?? []), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(Array.from(result.bv?.data ?? []), [0, 0, 0, -3]);
  assert.deepEqual(Array.from(result.head?.bq?.data ?? []), [4, 5, 6]);
  const slices = [...engine.lessonInSlices({ ...state, head: 1, edits }, 7)];
  assert.deepEqual(slices.at(-1), result);
});

test('training moves the biases that there are, and a run goes on from them', () => {
  const options = { matrices: /** @type {const} */ ('all'), learningRate: 0.5 };
  const whole = engine.train(biased, { ...options, steps: 4 });
  const half = engine.train(biased, { ...options, steps: 2 });
  assert.deepEqual(Object.keys(whole.trained), ['Wq', 'Wk', 'Wv', 'bq', 'bv']);
  assert.notDeepEqual(Array.from(half.trained.bq?.data ?? []), [0.5, -2, 1.25]);
  assert.deepEqual(engine.train(biased, { ...options, steps: 2, start: half.trained }).trained, whole.trained);
  const { bq, ...withoutOne } = half.trained;
  assert.equal(bq?.shape[1], 3);
  assert.throws(() => engine.train(biased, { ...options, start: withoutOne }), {
    message: 'start.bq has shape (0, 0), but the state asks for (1, 3)',
  });
});
