// Gradients, training and statistics through the JavaScript API. Covers these calls of engine/lesson-engine.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, assertRowClose, loadEngine } from '../support.mjs';

const engine = await loadEngine();

const wide = { dK: 64 };

test('at the defaults the scaled run learns and the unscaled run freezes', () => {
  const scaled = engine.train({ ...wide, divisor: 'sqrt' });
  const unscaled = engine.train({ ...wide, divisor: 'none' });
  for (const { points } of [scaled, unscaled]) {
    assert.equal(points.length, 201);
  }
  assert.ok(scaled.points[200].loss < 0.05 * scaled.points[0].loss);
  assert.ok(unscaled.points[200].loss > 0.4 * unscaled.points[0].loss);
  const alive = unscaled.points.filter(({ meanJacobian }) => meanJacobian >= 0.05);
  assert.ok(alive.length <= 3, 'a saturated row that jumps to another key is soft on its way');
  for (const { weights } of [scaled, unscaled]) {
    assert.deepEqual(weights.shape, [6, 6]);
  }
  for (let i = 1; i < 6; i++) {
    assert.ok(scaled.weights.data[6 * i + i - 1] > 0.9, `row ${i} found the token before it`);
  }
});

test('steps taken one by one are the run, bit for bit', () => {
  const state = { dK: 5, dV: 3, mask: /** @type {const} */ ('causal'), tokens: ['a', 'b', 'c', 'd'] };
  const options = { learningRate: 0.7, matrices: /** @type {const} */ ('all') };
  const whole = engine.train(state, { ...options, steps: 7 });
  const points = [];
  /** @type {import('../../../web/engine/lesson-engine.js').Training | undefined} */
  let run;
  for (let step = 0; step < 7; step++) {
    run = engine.train(state, { ...options, steps: 1, start: run?.trained });
    points.push(...run.points.slice(step === 0 ? 0 : 1));
  }
  assert.deepEqual(points, whole.points);
  assert.deepEqual(run?.trained, whole.trained);
  assert.deepEqual(run?.weights, whole.weights);
});

test('only the chosen matrices are trained', () => {
  const before = engine.train({}, { steps: 0 }).trained;
  const moved = (/** @type {'queryAndKey' | 'value' | 'all'} */ matrices) => {
    const { trained } = engine.train({}, { steps: 1, matrices });
    const names = /** @type {const} */ (['Wq', 'Wk', 'Wv']);
    return names.filter((name) => trained[name].data.some((entry, index) => entry !== before[name].data[index]));
  };
  assert.deepEqual(moved('queryAndKey'), ['Wq', 'Wk']);
  assert.deepEqual(moved('value'), ['Wv']);
  assert.deepEqual(moved('all'), ['Wq', 'Wk', 'Wv']);
});

test('a run stops at the first loss that is not finite, and says after which step', () => {
  const { points, stoppedAt } = engine.train({ dK: 8 }, { learningRate: 1e9, matrices: 'all', steps: 50 });
  assert.ok(stoppedAt !== null && stoppedAt < 50);
  assert.equal(points.length, stoppedAt + 1);
  assert.ok(!Number.isFinite(points[stoppedAt].loss));
  assert.ok(points.slice(0, -1).every(({ loss }) => Number.isFinite(loss)));
  assert.equal(engine.train({}, { steps: 3 }).stoppedAt, null);
});

test('the gradients of the task are those of the first training step', () => {
  for (const divisor of /** @type {const} */ (['sqrt', 'none', 'dk'])) {
    const { scores, largestScore, scoresNorm, shares, ...point } = engine.taskGradients({ ...wide, divisor });
    assert.deepEqual(point, engine.train({ ...wide, divisor }, { steps: 0 }).points[0]);
    assert.deepEqual(scores.shape, [6, 6]);
    assert.equal(largestScore, Math.max(...scores.data.map(Math.abs)));
    assertRowClose([scoresNorm], [Math.hypot(...scores.data)], 1e-12, 'norm');
    for (let i = 0; i < 6; i++) {
      const row = scores.data.subarray(6 * i, 6 * i + 6);
      assertRowClose([shares[i]], [(Math.hypot(...row) / scoresNorm) ** 2], 1e-12, `share of row ${i}`);
      const size = Math.max(1e-300, ...row.map(Math.abs));
      assert.ok(Math.abs(row.reduce((sum, entry) => sum + entry, 0)) < 1e-12 * size, 'a softmax passes no common part');
    }
  }
});

test('the task’s gradient is the slope of its loss', () => {
  const state = { dK: 4, dV: 3, tokens: ['a', 'b', 'c'] };
  const { trained, points } = engine.train(state, { steps: 0 });
  const step = 1e-6;
  let sumOfSquares = 0;
  for (let index = 0; index < trained.Wq.data.length; index++) {
    const [above, below] = [step, -step].map((change) => {
      const data = trained.Wq.data.slice();
      data[index] += change;
      return engine.train(state, { steps: 0, start: { ...trained, Wq: { ...trained.Wq, data } } }).points[0].loss;
    });
    sumOfSquares += ((above - below) / (2 * step)) ** 2;
  }
  assertRowClose([points[0].WqNorm], [Math.sqrt(sumOfSquares)], 1e-7);
});

test('what cannot be trained is refused in one sentence', () => {
  const refusals = /** @type {const} */ ([
    [{}, { learningRate: 0 }, 'learningRate is 0, but must be positive and finite'],
    [{}, { learningRate: -1 }, 'learningRate is negative, but must be positive and finite'],
    [{}, { learningRate: Number.NaN }, 'learningRate is NaN, but must be positive and finite'],
    [{}, { learningRate: 'fast' }, 'learningRate is "fast", but must be a positive number'],
    [{}, { steps: -1 }, 'steps is -1, but must be a whole number from 0 to 10000'],
    [{}, { steps: 1.5 }, 'steps is 1.5, but must be a whole number from 0 to 10000'],
    [{}, { steps: 10_001 }, 'steps is 10001, but must be a whole number from 0 to 10000'],
    [{}, { matrices: 'some' }, 'matrices is "some", but must be queryAndKey or value or all'],
    [{ tokens: ['alone'] }, {}, 'tokens holds 1 token, but the task is to hand over the value of the token before'],
    [{ projections: 'identity' }, {}, 'projections is "identity", but training needs matrices to train'],
    [{ dK: 0 }, {}, 'dK is 0, but must be a whole number from 1 to 512'],
    [{}, { steps: 2 ** 32 + 1 }, 'steps is 4294967297, but must be a whole number from 0 to 10000'],
    [{}, { rate: 1 }, 'options has a key "rate", but no setting has that name'],
    [{}, { start: null }, 'start is null, but must be an object'],
    [{}, { start: {} }, 'start.Wq is undefined, but must be an object'],
    [{}, { start: { Wq: { data: [1], shape: [1, 1] } } }, 'start.Wq.data is an array, but must be Float64Array'],
    [
      {},
      { start: { Wq: { data: new Float64Array(6), shape: [2, 4] } } },
      'start.Wq.shape is an array, but must be two lengths for 6 numbers',
    ],
  ]);
  for (const [state, options, sentence] of refusals) {
    assertRefused(() => engine.train(/** @type {any} */ (state), /** @type {any} */ (options)), sentence);
  }
});

test('over many seeds the spread follows √d_k unscaled and stays near 1 scaled', () => {
  const { dK, unscaled, scaled, variances, seeds } = engine.statistics({ seeds: 300 });
  assert.deepEqual(
    dK,
    Array.from({ length: 64 }, (_, index) => index + 1),
  );
  assert.equal(seeds, 300);
  for (const place of [3, 15, 63]) {
    assert.equal(unscaled.expected[place], Math.sqrt(dK[place]));
    assert.ok(Math.abs(unscaled.spread[place] / Math.sqrt(dK[place]) - 1) < 0.1);
    assert.ok(Math.abs(scaled.spread[place] - 1) < 0.1);
    assert.ok(unscaled.low[place] < unscaled.spread[place] && unscaled.spread[place] < unscaled.high[place]);
    assert.ok(Math.abs(variances.query[place] - 1) < 0.1 && Math.abs(variances.key[place] - 1) < 0.1);
    assert.ok(Math.abs(variances.product[place] - 1) < 0.15);
    assert.ok(Math.abs(variances.score[place] / dK[place] - 1) < 0.15);
  }
  assert.ok(unscaled.saturated[63] > 0.4 && scaled.saturated[63] < 0.01);
  assert.ok(unscaled.peak[63] > 0.8 && scaled.peak[63] < 0.5);
  assert.ok(unscaled.jacobian[63] < 0.5 * scaled.jacobian[63]);
});

test('slices of seeds give the statistics of one run, and each seed those of its lesson', () => {
  const options = { tokens: ['a', 'b', 'c'], dModel: 5, largestDK: 7 };
  const first = engine.sample(options, 10, 4);
  const second = engine.sample(options, 14, 3, first);
  assert.deepEqual(
    engine.summarise(options, [first, second]),
    engine.statistics({ ...options, firstSeed: 10, seeds: 7 }),
  );
  const { tokens, dModel } = options;
  const { metrics } = engine.lesson({ tokens, dModel, dK: 6, divisor: 'none', seed: 12 });
  assertRowClose([first.spread.data[2 * 7 + 5]], [metrics.spread], 1e-12);
});

test('samples of another shape are refused by name, by those that go on from them', () => {
  const options = { tokens: ['a', 'b', 'c'], dModel: 5, largestDK: 7 };
  const sample = engine.sample(options, 10, 4);
  const wider = engine.sample({ ...options, largestDK: 9 }, 10, 4);
  const { spread, sums } = sample;
  for (const [before, sentence] of /** @type {[any, string][]} */ ([
    [wider, 'before.sums holds 126 numbers, but must hold 98'],
    [{ spread, sums: sums.slice(1) }, 'before.sums holds 97 numbers, but must hold 98'],
    [{ spread }, 'before.sums is undefined, but must be Float64Array'],
    [{}, 'before.sums is undefined, but must be Float64Array'],
    [null, 'before is null, but must be an object'],
    ['none', 'before is "none", but must be an object'],
  ])) {
    assertRefused(() => engine.sample(options, 14, 3, before), sentence);
  }
  for (const [samples, sentence] of /** @type {[any, string][]} */ ([
    [[], 'samples is an array, but must hold at least one sample'],
    [sample, 'samples is an object, but must hold at least one sample'],
    [[{}], 'samples[0].sums is undefined, but must be Float64Array'],
    [[sample, wider], 'samples[1].sums holds 126 numbers, but must hold 98'],
    [[sample, { sums }], 'samples[1].spread is undefined, but must be an object'],
    [[{ sums, spread: wider.spread }, sample], 'samples[0].spread has shape (4, 9), but must have shape (seeds, 7)'],
    [
      [{ sums, spread: { ...spread, shape: [0, 7] } }],
      'samples[0].spread has shape (0, 7), but must have shape (seeds, 7)',
    ],
    [[{ sums, spread: { ...spread, shape: [5, 7] } }], 'samples[0].spread.data holds 28 numbers, but must hold 35'],
    [[{ sums, spread: { ...spread, shape: 7 } }], 'samples[0].spread.shape is 7, but must be two lengths'],
    [
      [{ sums, spread: { ...spread, data: [...spread.data] } }],
      'samples[0].spread.data is an array, but must be Float64Array',
    ],
  ])) {
    assertRefused(() => engine.summarise(options, samples), sentence);
  }
  assert.equal(engine.summarise(options, [sample]).seeds, 4);
});

test('what cannot be sampled is refused in one sentence', () => {
  assertRefused(() => engine.statistics({ seeds: 0 }), 'seeds is 0, but must be a whole number from 1 to 10000');
  assertRefused(
    () => engine.statistics({ seeds: 10_001 }),
    'seeds is 10001, but must be a whole number from 1 to 10000',
  );
  for (const [options, sentence] of /** @type {[any, string][]} */ ([
    [{ largestDK: 'wide' }, 'largestDK is "wide", but must be a whole number from 1 to 512'],
    [{ largestDK: 1e9 }, 'largestDK is 1000000000, but must be a whole number from 1 to 512'],
    [{ seeds: '200' }, 'seeds is "200", but must be a whole number from 1 to 10000'],
    [{ seeds: 1.5 }, 'seeds is 1.5, but must be a whole number from 1 to 10000'],
    [{ firstSeed: 2 ** 32 }, 'firstSeed is 4294967296, but must be a whole number from 0 to 4294967295'],
    [{ tokens: 5 }, 'tokens is 5, but must be words or an array of strings'],
    [{ dModel: '16' }, 'dModel is "16", but must be a whole number from 1 to 512'],
    [{ dK: 64 }, 'options has a key "dK", but no setting has that name'],
    [null, 'options is null, but must be an object'],
  ])) {
    assertRefused(() => engine.statistics(options), sentence);
  }
  for (const largestDK of [0, 513]) {
    assertRefused(
      () => engine.statistics({ largestDK }),
      `largestDK is ${largestDK}, but must be a whole number from 1 to 512`,
    );
  }
});
