// Lessons in slices, and one row of a lesson again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import { assertRefused, loadEngine } from '../support.mjs';

const engine = await loadEngine();

test('a lesson in slices is the lesson, bit for bit, and tells how far it is', () => {
  const tokens = Array.from({ length: 70 }, (_, index) => `tok${index}`);
  for (const settings of /** @type {Partial<import('../../../web/engine/lesson-state.js').LessonState>[]} */ ([
    {},
    { mask: 'causal', divisor: 'none', dV: 5 },
    { mask: 'late', blend: 'embeddings', dModel: 7 },
    { softmaxAxis: 'queries', mask: 'causal', softmax: 'naive', divisor: 'none', dK: 40 },
    { projections: 'identity', softmaxAxis: 'queries' },
    { heads: 3, head: 2, mask: 'causal' },
    { mask: 'window', window: 5, dV: 3, padding: 9 },
    { padding: 66, heads: 2 },
    { context: tokens.slice(4).reverse(), dV: 3, mask: 'causal' },
    { context: [...tokens, ...tokens], heads: 2, head: 1, softmaxAxis: 'queries', padding: 7 },
    { context: [...tokens, 'last'], blend: 'embeddings', dModel: 5, dropout: 0.2 },
    { padding: 3, softmaxAxis: 'queries', mask: 'causal', dV: 2 },
    { mask: 'window', window: 2, softmaxAxis: 'queries', dropout: 0.2 },
    { dropout: 0.3, softmaxAxis: 'queries' },
    { dropout: 0.3, heads: 2, head: 1 },
  ])) {
    const state = { tokens, row: 67, ...settings };
    const steps = [...engine.lessonInSlices(state, 700)];
    assert.deepStrictEqual(steps.pop(), engine.lesson(state));
    assert.ok(steps.length >= 8, `${steps.length} slices`);
    steps.reduce((before, share) => {
      assert.ok(Number(share) >= Number(before) && Number(share) <= 1, `${share} after ${before}`);
      return share;
    }, 0);
  }
});

test('another row of a lesson is the lesson with that row', () => {
  for (const settings of /** @type {Partial<import('../../../web/engine/lesson-state.js').LessonState>[]} */ ([
    { mask: 'causal' },
    { softmaxAxis: 'queries', softmax: 'naive', divisor: 'none', dK: 40 },
    { blend: 'embeddings', heads: 2, head: 1 },
    { dropout: 0.5 },
    { padding: 3, mask: 'window', window: 2 },
    { context: ['three', 'other', 'words'], softmaxAxis: 'queries', blend: 'embeddings', dModel: 5 },
    { context: ['three', 'other', 'words'], heads: 2, dV: 3 },
  ])) {
    const state = completeState({ ...settings, row: 4 });
    assert.deepStrictEqual(engine.highlight(engine.lesson(settings), state), engine.lesson(state));
  }
});

test('a row, a state or a result of another shape is refused by name', () => {
  const state = completeState({ row: 4, dV: 5 });
  const result = engine.lesson(state);
  const { Q, weights } = result;
  const two = engine.lesson({ heads: 2, dV: 5 });
  for (const [wrong, changed, sentence] of /** @type {[any, any, string | RegExp][]} */ ([
    [result, { ...state, row: 99 }, /^row is 99, but must be /],
    [result, { ...state, tokens: ['a', 'b'], row: 1 }, 'result.X has shape (6, 16), but must have shape (2, 16)'],
    [result, { ...state, dK: 17 }, 'result.Q has shape (6, 16), but must have shape (6, 17)'],
    [result, { ...state, dV: 6 }, 'result.V has shape (6, 5), but must have shape (6, 6)'],
    [result, null, 'state is null, but must be an object'],
    [null, state, 'result is null, but must be an object'],
    [{}, state, 'result.X is undefined, but must be an object'],
    [{ ...result, Q: { ...Q, data: Q.data.subarray(1) } }, state, 'result.Q.data holds 95 numbers, but must hold 96'],
    [{ ...result, K: { ...Q, data: 'none' } }, state, 'result.K.data is "none", but must be Float64Array'],
    [
      { ...result, weights: { ...weights, shape: [6] } },
      state,
      'result.weights.shape is an array, but must be two lengths',
    ],
    [{ ...result, total: [1] }, state, 'result.total holds 1 numbers, but must hold 6'],
    [{ ...result, reference: undefined }, state, 'result.reference is undefined, but must be an array of numbers'],
    [{ ...two, head: 5 }, { ...state, heads: 2 }, 'result.head is 5, but must be an object'],
  ])) {
    assertRefused(() => engine.highlight(wrong, changed), sentence);
  }
});
