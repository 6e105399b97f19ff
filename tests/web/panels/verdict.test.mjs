// What is said of training runs. Covers panels/verdict.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOn } from '../../../web/panels/verdict.js';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();

/** @param {import('../../../web/engine/lesson-state.js').LessonState | object} state @param {object} [options] */
const run = (state, options = {}) =>
  engine.train(/** @type {any} */ (state), { steps: 200, learningRate: 1.5, ...options });

/** @param {[loss: number, norm: number, jacobian: number][]} numbers */
const series = (numbers) =>
  numbers.map(([loss, norm, meanJacobian]) => ({
    loss,
    WqNorm: 7,
    WkNorm: 7,
    WvNorm: 7,
    trainedNorm: norm,
    meanJacobian,
    largestJacobian: meanJacobian,
  }));

test('the default race: the scaled run has learnt and is finished, the unscaled one overshot and died', () => {
  const scaled = verdictOn(run({ dK: 64 }).points);
  assert.equal(scaled.fate, 'learnt');
  assert.ok(scaled.jacobian.last < 0.1, 'its softmax ends nearly one-hot');
  const { points } = run({ dK: 64, divisor: 'none' });
  const unscaled = verdictOn(points);
  assert.equal(unscaled.fate, 'died');
  const norms = points.map(({ trainedNorm }) => trainedNorm);
  const most = Math.max(...norms);
  assert.deepEqual(unscaled.gradient, { first: norms[0], most, last: norms[200] });
  assert.ok(unscaled.gradient.most > 4 * unscaled.gradient.first, 'it was not frozen from the start');
  assert.equal(unscaled.diedAt, 59);
  assert.ok(norms[58] > most / 100 && norms.slice(59).every((norm) => norm < most / 100));
});

test('at a small rate the unscaled run is not called frozen', () => {
  const { fate, loss } = verdictOn(run({ dK: 64, divisor: 'none' }, { learningRate: 0.01 }).points);
  assert.ok(loss.last < 0.5 * loss.first);
  assert.match(fate, /learnt|slow/);
});

for (const [fate, numbers] of /** @type {[string, [number, number, number][]][]} */ ([
  [
    'frozen',
    [
      [2, 1e-9, 0.01],
      [2, 1e-9, 0.01],
      [2, 1e-9, 0.01],
    ],
  ],
  [
    'died',
    [
      [2, 1, 0.4],
      [3, 5, 0.2],
      [2.5, 1e-7, 0.01],
    ],
  ],
  [
    'learnt',
    [
      [2, 1, 0.4],
      [1, 1, 0.3],
      [0.1, 1e-7, 0.01],
    ],
  ],
  [
    'slow',
    [
      [2, 1, 0.4],
      [1.8, 1, 0.4],
      [1.7, 1, 0.4],
      [1.5, 1, 0.4],
      [1.2, 1, 0.4],
    ],
  ],
  [
    'settled',
    [
      [2, 1, 0.4],
      [1.2, 1, 0.4],
      [1, 0.1, 0.4],
      [1, 0.1, 0.4],
      [1, 0.1, 0.4],
    ],
  ],
  [
    'stuck',
    [
      [2, 1, 0.4],
      [2.1, 1, 0.4],
      [1.99, 1, 0.4],
    ],
  ],
  [
    'stuck',
    [
      [2, 1e-3, 0.4],
      [2, 1e-3, 0.4],
      [2, 1e-3, 0.4],
    ],
  ],
])) {
  test(`a run of these numbers is ${fate}: ${JSON.stringify(numbers)}`, () => {
    assert.equal(verdictOn(series(numbers)).fate, fate);
  });
}

test('a loss that rises again after it was low has not learnt', () => {
  assert.notEqual(
    verdictOn(
      series([
        [2, 1, 0.4],
        [0.1, 1, 0.4],
        [1.9, 1, 0.4],
      ]),
    ).fate,
    'learnt',
  );
  assert.equal(
    verdictOn(
      series([
        [2, 1, 0.4],
        [0.1, 1, 0.4],
        [1, 1, 0.4],
        [0.2, 1, 0.3],
      ]),
    ).learntAt,
    3,
  );
});
