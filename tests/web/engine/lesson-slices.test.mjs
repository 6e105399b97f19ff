// Lessons in slices, and one row of a lesson again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import { loadEngine } from '../support.mjs';

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
  ])) {
    const state = completeState({ ...settings, row: 4 });
    assert.deepStrictEqual(engine.highlight(engine.lesson(settings), state), engine.lesson(state));
  }
});
