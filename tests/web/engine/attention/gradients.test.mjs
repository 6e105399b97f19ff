// Gradients of attention, in every rank and with every option, by the JavaScript API.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertRefused,
  assertRowClose,
  callOf,
  EngineError,
  loadEngine,
  readReference,
  scattered,
  tensorFrom,
  zeros,
} from '../../support.mjs';

/** @typedef {import('../../../../web/engine/attention/options.js').GradientOptions} GradientOptions */

const engine = await loadEngine();
const calls = readReference('multi_head_reference.json');
const reference = readReference('multi_head_gradient_reference.json');

/** Two batches of four heads, which two heads of key and value serve: no length is another's neighbour's. */
const grouped = {
  query: scattered(2, 4, 3, 6),
  key: scattered(2, 2, 5, 6),
  value: scattered(2, 2, 5, 7),
  outputGradient: scattered(2, 4, 3, 7),
};

for (const { Type, tolerance } of [
  { Type: Float64Array, tolerance: 1e-10 },
  { Type: Float32Array, tolerance: 1e-5 },
]) {
  test(`${Type.name.slice(0, 7)}: every rank, mask and option gives the gradients of automatic differentiation`, () => {
    assert.equal(reference.cases.length, 34);
    for (const { name, outputGradient, gradients } of reference.cases) {
      const entry = calls.cases.find((/** @type {any} */ each) => each.name === name);
      const found = engine.gradients({
        ...callOf(calls, entry, Type),
        outputGradient: tensorFrom(reference.outputGradients[outputGradient], Type),
      });
      assert.deepEqual(Object.keys(found), ['query', 'key', 'value', 'scores']);
      for (const [which, { data, shape }] of Object.entries(found)) {
        assert.ok(data instanceof Type);
        assert.deepEqual(shape, gradients[which].shape, `${name}, ${which}: shape`);
        assertRowClose(data, gradients[which].data, tolerance, `${name}, ${which}`);
      }
    }
  });
}

test('one query and two keys give the gradients that can be worked out by hand', () => {
  // Scores 0 and ln 3 give weights 1/4 and 3/4; dA = (0, 8) has the mean 6 under them; ds = (-6/4, 3 · 2/4).
  const float64 = (/** @type {number[]} */ ...numbers) => Float64Array.from(numbers);
  const { query, key, value, scores } = engine.gradients({
    query: { data: float64(1), shape: [1, 1] },
    key: { data: float64(0, Math.log(3)), shape: [2, 1] },
    value: { data: float64(0, 8), shape: [2, 1] },
    outputGradient: { data: float64(1), shape: [1, 1] },
  });
  assertRowClose(scores.data, [-1.5, 1.5], 1e-15);
  assertRowClose(query.data, [1.5 * Math.log(3)], 1e-15);
  assertRowClose(key.data, [-1.5, 1.5], 1e-15);
  assertRowClose(value.data, [0.25, 0.75], 1e-15);
});

test('what is hidden, and a query that sees no key, has gradients of exactly 0, whatever it holds', () => {
  const mask = { data: new Uint8Array(15).fill(1), shape: [3, 5] };
  mask.data.fill(0, 5, 10); // from the second query
  const call = { ...structuredClone(grouped), mask, keyLengths: [4, 5], softcap: 3 };
  const before = engine.gradients(call);
  call.query.data[6] = Number.NaN;
  call.outputGradient.data[7] = Number.NaN;
  call.key.data[24] = Number.POSITIVE_INFINITY;
  call.value.data[28] = Number.NaN;
  const { query, key, value, scores } = engine.gradients(call);
  assert.deepEqual({ query, key, value, scores }, before);
  assert.ok([query, key, value, scores].every(({ data }) => data.every(Number.isFinite)));
  assert.ok(query.data.subarray(6, 12).every((number) => number === 0));
  assert.ok(scores.data.subarray(4, 10).every((number) => number === 0));
  assert.ok(key.data.subarray(24, 30).every((number) => number === 0));
  assert.ok(value.data.subarray(28, 35).every((number) => number === 0));
  assert.ok(query.data[0] !== 0 && scores.data[3] !== 0 && key.data[18] !== 0 && value.data[27] !== 0);
});

test('gradients leave their arguments as they are, and are copies', () => {
  const mask = scattered(2, 1, 3, 5);
  const call = { ...grouped, mask, queryOffset: [1, 2], keyLengths: [4, 5], isCausal: true };
  const untouched = structuredClone(call);
  const first = engine.gradients(call);
  assert.deepEqual(call, untouched);
  const kept = structuredClone(first);
  const long = { query: scattered(300, 64), key: scattered(301, 64), value: scattered(301, 64) };
  engine.gradients({ ...long, outputGradient: scattered(300, 64) }); // memory grows
  engine.attention({ ...long, returns: ['scores', 'weights'] });
  assert.deepEqual(first, kept);
  first.scores.data.fill(0);
  first.query.shape.push(1);
  assert.deepEqual(call, untouched);
  assert.deepEqual(engine.gradients(call), kept);
});

test('gradients take every option of attention, and the stages that it would give have no part in them', () => {
  const { outputGradient, ...call } = grouped;
  for (const returns of /** @type {const} */ ([[], ['scores'], ['weights', 'masked']])) {
    assert.deepEqual(engine.gradients({ ...grouped, returns: [...returns] }), engine.gradients(grouped));
  }
  assertRefused(
    () => engine.attention(/** @type {any} */ (grouped)),
    'options has a key "outputGradient", but no option has that name',
  );
  const inherited = Object.assign(Object.create(call), { outputGradient });
  assert.deepEqual(engine.gradients(inherited), engine.gradients(grouped));
});

test('an output gradient that does not fit is refused in one sentence, and the next call works', () => {
  const before = engine.gradients(grouped);
  const packed = {
    query: zeros(2, 3, 24),
    key: zeros(2, 5, 12),
    value: zeros(2, 5, 14),
    outputGradient: zeros(2, 3, 7),
    heads: 4,
  };
  const poisoned = structuredClone(grouped.outputGradient);
  poisoned.data[100] = Number.NaN;
  for (const [options, message] of /** @type {[any, string][]} */ ([
    [{ ...grouped, outputGradient: undefined }, 'outputGradient is undefined, but must be an object'],
    [{ ...grouped, outputGradient: null }, 'outputGradient is null, but must be an object'],
    [
      { ...grouped, outputGradient: zeros(2, 4, 3, 6) },
      'outputGradient has shape (2, 4, 3, 6), but the output has shape (2, 4, 3, 7)',
    ],
    [
      { ...grouped, outputGradient: zeros(3, 7) },
      'outputGradient has shape (3, 7), but the output has shape (2, 4, 3, 7)',
    ],
    [packed, 'outputGradient has shape (2, 3, 7), but the output has shape (2, 3, 28)'],
    [{ ...grouped, outputGradient: poisoned }, 'outputGradient is NaN at (1, 0, 2, 2), but it must be finite'],
    [
      { ...grouped, outputGradient: { data: new Float32Array(168), shape: [2, 4, 3, 7] } },
      'outputGradient.data is Float32Array, but must be Float64Array, as query is',
    ],
    [
      { ...grouped, outputGradient: { data: new Float64Array(167), shape: [2, 4, 3, 7] } },
      'outputGradient holds 167 numbers, but shape (2, 4, 3, 7) needs 168',
    ],
    [
      { ...grouped, outputGradient: { data: new Float64Array(3), shape: [3] } },
      /^outputGradient has shape \(3\), but /,
    ],
    [{ ...grouped, gradient: zeros(1, 1) }, 'options has a key "gradient", but no option has that name'],
    [undefined, 'options is undefined, but must be an object'],
  ])) {
    assertRefused(() => engine.gradients(options), message);
    assert.deepEqual(engine.gradients(grouped), before);
  }
});

test('what attention refuses, gradients refuse in the same sentence', () => {
  const { outputGradient, ...call } = grouped;
  const poisoned = structuredClone(call.value);
  poisoned.data[3] = Number.NaN;
  for (const wrong of /** @type {any[]} */ ([
    { query: undefined },
    { query: { data: [1], shape: [1, 1] } },
    { key: zeros(2, 2, 5, 5) },
    { key: zeros(2, 3, 5, 6) },
    { value: zeros(2, 2, 4, 7) },
    { value: poisoned },
    { scale: '1' },
    { scale: Number.NaN },
    { softcap: -1 },
    { mask: zeros(4, 2, 3, 5) },
    { mask: { data: new Float64Array(15).fill(Number.NaN), shape: [3, 5] } },
    { isCausal: 1 },
    { queryOffset: [1] },
    { queryOffset: 0.5 },
    { leftWindow: -2 },
    { rightWindow: Number.POSITIVE_INFINITY },
    { keyLengths: 5 },
    { keyLengths: [5, 6] },
    { heads: 3 },
    { keyValueHeads: 4 },
    { returns: 'weights' },
    { scale: 1e308 },
  ])) {
    let sentence = '';
    try {
      engine.attention({ ...call, ...wrong });
    } catch (error) {
      assert.ok(error instanceof EngineError);
      sentence = error.message;
    }
    assert.notEqual(sentence, '', Object.keys(wrong).join());
    assertRefused(() => engine.gradients({ outputGradient, ...call, ...wrong }), sentence);
  }
});

test('gradients that overflow are named with their place, and those that no memory could hold are refused', () => {
  const call = structuredClone(grouped);
  call.outputGradient.data[0] = 1e300;
  call.value.data[0] = 1e300;
  assertRefused(
    () => engine.gradients(call),
    /^the gradient of scores overflows to \S+ at \(0, 0, 0, 0\), but it must /,
  );
  const tokens = 40_000;
  const long = { query: zeros(tokens, 1), key: zeros(tokens, 1), value: zeros(tokens, 1) };
  assertRefused(
    () => engine.gradients({ ...long, outputGradient: zeros(tokens, 1) }),
    /^the call needs at least 128\d{8} bytes, but the memory has no room for them$/,
  );
  assert.deepEqual(engine.gradients(grouped).key.shape, [2, 2, 5, 6]);
});
