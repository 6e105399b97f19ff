// The figures at every width that the curves beside the slider draw. Covers engine.widths.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, loadEngine } from '../support.mjs';

const engine = await loadEngine();

test('the figures at every width are the lessons’ of the same state, divided and not', () => {
  /** @type {Partial<import('../../../web/engine/lesson-state.js').LessonState>[]} */
  const states = [
    {},
    { tokens: ['the', 'cät', '坐'], dModel: 5, dK: 9, divisor: 'dk', row: 2, seed: 7, mask: 'late', dropout: 0.4 },
    { context: ['a', 'b', 'c', 'd'], padding: 1, heads: 2, head: 1, softmaxAxis: 'queries', mask: 'causal' },
    { projections: 'identity', softmax: 'naive', row: 4 },
  ];
  for (const state of states) {
    const { dK, sqrt, none } = engine.widths(state);
    assert.deepEqual(
      dK,
      Array.from({ length: 63 }, (_, index) => index + 2),
    );
    dK.forEach((width, index) => {
      const sizes = { dK: width, dV: width, ...(state.projections === 'identity' && { dModel: width }) };
      for (const [divisor, figures] of /** @type {const} */ ([
        ['sqrt', sqrt],
        ['none', none],
      ])) {
        const { metrics } = engine.lesson({ ...state, ...sizes, divisor });
        const found = [figures.spread[index], figures.peak[index]];
        assert.deepEqual(found, [metrics.spread, metrics.peak[state.row ?? 1]], `${width}, ${divisor}`);
      }
    });
  }
  assert.ok(Number.isNaN(engine.widths({ softmax: 'naive', row: 4 }).none.peak[62]), 'an overflow');
});

test('the preset four-token has lists of no widths', () => {
  const empty = { spread: [], peak: [] };
  assert.deepEqual(engine.widths({ preset: 'four-token' }), { dK: [], sqrt: empty, none: empty });
});

test('figures of a state that cannot be computed are refused by the name of its setting', () => {
  assertRefused(() => engine.widths({ row: 6 }), 'row is 6, but must be a whole number from 0 to 5');
  assertRefused(() => engine.widths({ dK: 513 }), 'dK is 513, but must be a whole number from 1 to 512');
  assertRefused(() => engine.widths(/** @type {any} */ (null)), 'state is null, but must be an object');
});
