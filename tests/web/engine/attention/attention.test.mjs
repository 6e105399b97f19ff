// Attention over batches and heads, in every rank, by the JavaScript API. Covers engine/engine.js and repeated-call.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionTable } from '../../../../web/engine/attention/options.js';
import { assertRefused, callOf, loadEngine, readReference, scattered, zeros } from '../../support.mjs';

/** @typedef {import('../../../../web/engine/attention/options.js').AttentionOptions} AttentionOptions */
/** @typedef {import('../../../../web/engine/attention/options.js').AnyTensor} AnyTensor */

const engine = await loadEngine();
const reference = readReference('multi_head_reference.json');
const stages = /** @type {const} */ (['scores', 'capped', 'masked', 'weights']);

/**
 * Equal but for rounding; NaN agrees with nothing, and an infinity with itself alone.
 *
 * @param {AnyTensor | undefined} actual
 * @param {{shape: number[], data: (number | string)[]}} expected
 * @param {number} tolerance
 * @param {string} name
 */
function assertTensorClose(actual, { shape, data }, tolerance, name) {
  assert.ok(actual !== undefined, `${name} is missing`);
  assert.deepEqual(actual.shape, shape, `${name}: shape`);
  assert.equal(actual.data.length, data.length, `${name}: size`);
  data.forEach((entry, index) => {
    const number = entry === '-inf' ? -Infinity : Number(entry);
    const found = actual.data[index];
    const fits = found === number || Math.abs(found - number) <= tolerance * (1 + Math.abs(number));
    assert.ok(fits, `${name}[${index}] is ${found}, expected ${number}`);
  });
}

const rank4 = { query: scattered(2, 4, 3, 6), key: scattered(2, 4, 5, 6), value: scattered(2, 4, 5, 7) };

for (const { Type, tolerance, isHalf } of [
  { Type: Float64Array, tolerance: 1e-10, isHalf: false },
  { Type: Float32Array, tolerance: 1e-5, isHalf: false },
  { Type: Float32Array, tolerance: 2e-3, isHalf: true },
]) {
  const numbers = isHalf ? 'numbers of half precision' : Type.name.slice(0, 7);
  test(`${numbers}: every rank, mask and option gives what an independent reference gives`, () => {
    const entries = reference.cases.filter((/** @type {any} */ entry) => entry.isHalf === isHalf);
    assert.equal(entries.length, isHalf ? 4 : 76);
    for (const entry of entries) {
      const call = callOf(reference, entry, Type);
      const result = engine.attention({ ...call, returns: [...stages] });
      assert.deepEqual(Object.keys(result), ['output', ...stages]);
      for (const [name, expected] of Object.entries(entry.results)) {
        const tensor = result[/** @type {'output'} */ (name)];
        assert.ok(tensor.data instanceof Type);
        assertTensorClose(tensor, expected, tolerance, `${entry.name}, ${name}`);
      }
      const alone = engine.attention({ ...call, returns: [] });
      assert.deepEqual(Object.keys(alone), ['output']);
      assertTensorClose(alone.output, entry.results.output, tolerance, `${entry.name}, output without stages`);
    }
  });
}

test('stages have the shape (batches, heads, queries, keys), whether heads stand apart or side by side', () => {
  const packed = { query: scattered(2, 3, 24), key: scattered(2, 5, 24), value: scattered(2, 5, 28), heads: 4 };
  for (const [options, outputShape] of /** @type {[AttentionOptions, number[]][]} */ ([
    [rank4, [2, 4, 3, 7]],
    [packed, [2, 3, 28]],
  ])) {
    const result = engine.attention({ ...options, returns: [...stages] });
    assert.deepEqual(result.output.shape, outputShape);
    for (const stage of stages) {
      assert.deepEqual(result[stage]?.shape, [2, 4, 3, 5]);
    }
  }
  assert.deepEqual(
    engine.attention({ query: zeros(3, 6), key: zeros(5, 6), value: zeros(5, 7) }).weights?.shape,
    [3, 5],
  );
});

test('heads of key and value are counted by their width where nobody counts them', () => {
  const query = scattered(2, 3, 24);
  for (const [width, keyValueHeads] of [
    [24, 4],
    [12, 2],
    [6, 1],
  ]) {
    const call = { query, key: scattered(2, 5, width), value: scattered(2, 5, 4 * keyValueHeads), heads: 4 };
    assert.deepEqual(engine.attention(call), engine.attention({ ...call, keyValueHeads }));
  }
});

test('what comes back is a copy, and tensors may be parts of larger arrays', () => {
  const first = engine.attention(rank4);
  const kept = structuredClone(first);
  const all = new Float64Array(rank4.query.data.length + 3);
  all.set(rank4.query.data, 3);
  const second = engine.attention({ ...rank4, query: { data: all.subarray(3), shape: [2, 4, 3, 6] } });
  assert.deepEqual(second, kept);
  engine.attention({ query: scattered(300, 64), key: scattered(301, 64), value: scattered(301, 64) }); // memory grows
  engine.attention({ query: scattered(1024, 128), key: scattered(1024, 128), value: scattered(1024, 128), scale: 0 });
  assert.deepEqual(first, kept);
  first.output.shape.push(1);
  first.output.data.fill(0);
  assert.deepEqual(engine.attention(rank4), kept);
});

test('calls with float32 and float64, with lessons between them, do not disturb each other', () => {
  const single = Object.fromEntries(
    Object.entries(rank4).map(([name, { data, shape }]) => [name, { data: Float32Array.from(data), shape }]),
  );
  const call = /** @type {AttentionOptions} */ (/** @type {unknown} */ (single));
  const [double, float, lesson] = [engine.attention(rank4), engine.attention(call), engine.lesson()];
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(engine.attention(call), float);
    assert.deepEqual(engine.lesson(), lesson);
    assert.deepEqual(engine.attention(rank4), double);
  }
  assert.ok(float.output.data instanceof Float32Array && double.output.data instanceof Float64Array);
});

/** The output alone, by an engine whose last call was of another form. @param {AttentionOptions} options */
function outputAnew(options) {
  engine.attention({ query: zeros(1, 1), key: zeros(1, 1), value: zeros(1, 1) });
  return engine.attention({ ...options, returns: [] }).output;
}

/** All that a call gives, or why it is refused. @param {object} options */
function outcomeOf(options) {
  try {
    return engine.attention(/** @type {AttentionOptions} */ (options));
  } catch (error) {
    return String(error);
  }
}

/** The same, by an engine whose last call was of another form. @param {object} options */
function outcomeAnew(options) {
  engine.attention({ query: zeros(1, 1), key: zeros(1, 1), value: zeros(1, 1) });
  return outcomeOf(options);
}

/** As rank4, of other numbers. @param {number} factor */
const rank4Times = (factor) =>
  /** @type {typeof rank4} */ (
    Object.fromEntries(
      Object.entries(rank4).map(([name, { data, shape }]) => [
        name,
        { data: data.map((entry) => factor * entry), shape: [...shape] },
      ]),
    )
  );

test('a call of the form of the last one gives what it gives after any other', () => {
  const calls = [1, 0.5, -2].map((factor) => ({ ...rank4Times(factor), isCausal: true, returns: [] }));
  const expected = calls.map(outputAnew);
  const repeated = calls.map((options) => engine.attention(options));
  assert.deepEqual(
    repeated,
    expected.map((output) => ({ output })),
  );
  assert.notDeepEqual(expected[0].data, expected[1].data);
  repeated[2].output.data.fill(0);
  repeated[2].output.shape.push(1);
  assert.deepEqual(engine.attention(calls[2]), { output: expected[2] });

  const singles = calls.map(({ query, key, value }) => ({
    query: { data: Float32Array.from(query.data), shape: query.shape },
    key: { data: Float32Array.from(key.data), shape: key.shape },
    value: { data: Float32Array.from(value.data), shape: value.shape },
    returns: [],
  }));
  const expectedSingles = singles.map(outputAnew);
  assert.deepEqual(
    singles.map((options) => engine.attention(options).output),
    expectedSingles,
  );
});

test('whatever differs from the form of the last call is seen', () => {
  const last = { ...rank4, returns: [] };
  /** @type {AttentionOptions[]} */
  const others = [
    { ...last, scale: 0.3 },
    { ...last, isCausal: true },
    { ...last, queryOffset: [0, 1] },
    { ...last, queryOffset: 1, isCausal: true },
    { ...last, leftWindow: 1 },
    { ...last, rightWindow: 0 },
    { ...last, softcap: 0.5 },
    { ...last, keyLengths: [3, 5] },
    { ...last, mask: zeros(5) },
    { ...last, value: { data: rank4.value.data, shape: [2, 4, 5, 7] }, query: scattered(2, 4, 2, 6) },
    { ...last, query: { data: rank4.query.data, shape: [2, 4, 3, 6] }, key: zeros(2, 4, 5, 6) },
    { returns: [], value: rank4.value, key: rank4.key, query: rank4.query },
  ];
  for (const options of others) {
    const expected = outputAnew(options);
    engine.attention(last);
    assert.deepEqual(engine.attention(options).output, expected, Object.keys(options).join());
  }
  const packed = { query: scattered(1, 4, 4), key: scattered(1, 3, 4), value: scattered(1, 3, 4), returns: [] };
  const inTwo = outputAnew({ ...packed, heads: 2 });
  assert.notDeepEqual(engine.attention(packed).output, inTwo);
  assert.deepEqual(engine.attention({ ...packed, heads: 2 }).output, inTwo);
  engine.attention(last);
  assert.deepEqual(Object.keys(engine.attention(rank4)), ['output', 'weights']);

  for (const [options, message] of /** @type {[any, string | RegExp][]} */ ([
    [{ ...last, isCasual: true }, 'options has a key "isCasual", but no option has that name'],
    [{ ...last, scale: '0.3' }, 'scale is "0.3", but must be a finite number'],
    [{ ...last, query: null }, /^query is null, but /],
    [{ ...last, query: { data: rank4.query.data, shape: '2,4,3,6' } }, /^query\.shape is /],
    [{ ...last, query: { data: rank4.query.data.subarray(1), shape: [2, 4, 3, 6] } }, /^query holds 143 numbers, /],
    [{ ...last, query: { data: Float32Array.from(rank4.query.data), shape: [2, 4, 3, 6] } }, /^key\.data is Float64/],
    [{ ...last, query: { data: rank4.query.data, shape: [2, 4, 6, 3] } }, /^key has shape /],
    [{ ...last, returns: [], key: { data: [], shape: [2, 4, 5, 6] } }, /^key\.data is Array, /],
    [null, /^options is null, /],
    [undefined, /^options is undefined, /],
  ])) {
    const before = engine.attention(last);
    assertRefused(() => engine.attention(options), message);
    assert.deepEqual(engine.attention(last), before);
  }
});

/** Two values of each option, each of which gives another output than the other. */
const twoValues = {
  scale: [0.5, 2],
  softcap: [0.5, 2],
  isCausal: [true, false],
  queryOffset: [0, 1],
  leftWindow: [0, 1],
  rightWindow: [0, 1],
  keyLengths: [undefined, [5, 2]],
  heads: [2, 4],
  keyValueHeads: [2, 4],
  returns: [[], ['scores']],
};

test('every option of a repeated call is compared by its value', () => {
  assert.deepEqual(Object.keys(twoValues), Object.keys(optionTable));
  const packed = { query: scattered(2, 3, 8), key: scattered(2, 5, 8), value: scattered(2, 5, 8) };
  const others = /** @type {Record<string, object>} */ ({
    queryOffset: { isCausal: true },
    // As many heads of query as of key and value: the shapes fit both values.
    heads: { keyValueHeads: undefined },
    keyValueHeads: { heads: 4, key: scattered(2, 5, 4), value: scattered(2, 5, 8) },
  });
  for (const [name, values] of Object.entries(twoValues)) {
    const tensors = name === 'heads' || name === 'keyValueHeads' ? packed : rank4;
    const [first, second] = values.map((value) => ({ ...tensors, returns: [], ...others[name], [name]: value }));
    const outcomes = [first, second].map(outcomeAnew);
    assert.notDeepEqual(outcomes[0], outcomes[1], `${name}: the two values`);
    for (const at of [0, 0, 1, 1, 0, 1]) {
      assert.deepEqual(outcomeOf([first, second][at]), outcomes[at], `${name}: ${values[at]} after another call`);
    }
  }
});

test('options that are changed in place are seen by the next call', () => {
  /** @type {import('../../../../web/engine/attention/options.js').Stage[]} */
  const returns = [];
  const options = { ...rank4, returns, softcap: 0.5 };
  const before = [engine.attention(options), engine.attention(options)];
  assert.deepEqual(before[0], before[1]);
  returns.push('weights');
  assert.deepEqual(Object.keys(engine.attention(options)), ['output', 'weights']);
  returns.pop();
  engine.attention(options);
  options.softcap = 2;
  assert.deepEqual(engine.attention(options).output, outputAnew({ ...rank4, softcap: 2 }));
});

test('what options inherit, and what they do not show, is a part of their form', () => {
  class Options {
    /** @param {number} factor */
    constructor(factor) {
      this.factor = factor;
    }
    get scale() {
      return this.factor;
    }
  }
  const withScale = (/** @type {number} */ factor) => {
    const options = Object.assign(Object.create(new Options(factor)), { ...rank4, returns: [] });
    Object.defineProperty(options, 'factor', { value: factor, enumerable: false });
    return options;
  };
  const expected = [0.5, 2].map((scale) => outputAnew({ ...rank4, scale }));
  engine.attention(withScale(0.5));
  assert.deepEqual(engine.attention(withScale(2)).output, expected[1]);
  assert.deepEqual(engine.attention(withScale(0.5)).output, expected[0]);
  const plain = { ...rank4, returns: [] };
  assert.deepEqual(engine.attention(plain).output, outputAnew(plain));
  assertRefused(() => engine.attention(/** @type {any} */ ({ returns: [] })), /^query is undefined, /);
});

test('an output of the caller takes the numbers, call after call', () => {
  const expected = engine.attention(rank4);
  const room = new Float64Array(170).fill(7);
  const output = { data: room.subarray(1, 169), shape: [2, 4, 3, 7] };
  for (const returns of [undefined, [], []]) {
    output.data.fill(7);
    const result = engine.attention({ ...rank4, returns, output });
    assert.equal(result.output, output);
    const alone = returns === undefined ? expected.output : outputAnew(rank4);
    assert.deepEqual(Array.from(output.data), Array.from(alone.data));
    assert.deepEqual([room[0], room[169]], [7, 7]);
    assert.deepEqual(result.weights, returns === undefined ? expected.weights : undefined);
  }
  const other = { data: new Float64Array(168), shape: [2, 4, 3, 7] };
  engine.attention({ ...rank4, returns: [], output });
  engine.attention({ ...rank4Times(0.5), returns: [], output: other });
  assert.deepEqual(other, outputAnew(rank4Times(0.5)));
  assert.deepEqual(Array.from(output.data), Array.from(outputAnew(rank4).data), 'the earlier output stays');
  const { output: made } = engine.attention({ ...rank4, returns: [] });
  assert.ok(made !== output && made !== other);

  const square = { query: scattered(3, 4), key: scattered(5, 4), value: scattered(5, 4), returns: [] };
  const overQuery = structuredClone(square);
  engine.attention({ ...overQuery, output: overQuery.query });
  assert.deepEqual(overQuery.query, outputAnew(square), 'the query makes room for the output');
});

test('an output that does not fit is refused by name, and left as it was', () => {
  const data = new Float64Array(168).fill(7);
  const last = { ...rank4, returns: [], output: { data, shape: [2, 4, 3, 7] } };
  for (const [output, message] of /** @type {[any, string][]} */ ([
    [{ data, shape: [2, 4, 7, 3] }, 'output has shape (2, 4, 7, 3), but must have shape (2, 4, 3, 7)'],
    [{ data, shape: [2, 12, 7] }, 'output has shape (2, 12, 7), but must have shape (2, 4, 3, 7)'],
    [
      { data: new Float32Array(168), shape: [2, 4, 3, 7] },
      'output.data is Float32Array, but must be Float64Array, as query is',
    ],
    [{ data: data.subarray(1), shape: [2, 4, 3, 7] }, 'output holds 167 numbers, but shape (2, 4, 3, 7) needs 168'],
    [null, 'output is null, but must be an object'],
  ])) {
    engine.attention(last);
    data.fill(7);
    assertRefused(() => engine.attention({ ...last, output }), message);
    assert.ok(data.every((entry) => entry === 7));
  }
  const poisoned = rank4Times(1);
  poisoned.query.data[0] = Number.NaN;
  assertRefused(() => engine.attention({ ...last, ...poisoned }), /^query is NaN at /);
  assert.ok(data.every((entry) => entry === 7));
  const outputGradient = scattered(2, 4, 3, 7);
  assertRefused(
    () => engine.gradients(/** @type {any} */ ({ ...last, outputGradient })),
    'options has a key "output", but no option has that name',
  );
});

test('a call of the form of the last one is refused for its numbers, and the next works', () => {
  const last = { ...rank4, returns: [] };
  const before = engine.attention(last);
  const poisoned = rank4Times(1);
  poisoned.key.data[32] = Number.NaN;
  assertRefused(() => engine.attention({ ...poisoned, returns: [] }), /^key is NaN at \(0, 1, 0, 2\), but /);
  assertRefused(() => engine.attention({ ...rank4Times(1e200), returns: [] }), /^scores overflow to /);
  assert.deepEqual(engine.attention(last), before);
});

test('calls of one form go on between lessons and gradients, and when the memory grows', () => {
  const last = { ...rank4, returns: [] };
  const before = engine.attention(last);
  const outputGradient = scattered(2, 4, 3, 7);
  for (const between of [
    () => engine.lesson(),
    () => engine.gradients({ ...rank4, outputGradient }),
    () => engine.train({}, { steps: 2 }),
    () => engine.lesson({ tokens: Array.from({ length: 700 }, (_, index) => `t${index}`) }),
    () => engine.attention({ query: scattered(900, 64), key: scattered(901, 64), value: scattered(901, 64) }),
    () => assert.throws(() => engine.attention(/** @type {any} */ ({ ...rank4, query: zeros(1) }))),
  ]) {
    between();
    assert.deepEqual(engine.attention(last), before);
    assert.deepEqual(engine.attention(last), before);
  }
});

test('tensors, heads, offsets and lengths that do not fit are refused by name, and the next call works', () => {
  const before = engine.attention(rank4);
  const packed = { query: zeros(2, 3, 24), key: zeros(2, 5, 24), value: zeros(2, 5, 28), heads: 4 };
  const large = 'must be a whole number from 1 to 2147483647';
  for (const [options, message] of /** @type {[object, string][]} */ ([
    [{ ...rank4, query: zeros(1, 1, 2, 3, 6) }, 'query has shape (1, 1, 2, 3, 6), but must have rank 2, 3 or 4'],
    [{ ...rank4, key: zeros(2, 5, 24) }, 'key has shape (2, 5, 24), but query has rank 4'],
    [{ ...rank4, key: zeros(2, 4, 5, 5) }, 'key has shape (2, 4, 5, 5), but query has d_k = 6'],
    [{ ...rank4, key: zeros(2, 3, 5, 6) }, "key has shape (2, 3, 5, 6), but its 3 heads must divide query's 4"],
    [{ ...rank4, value: zeros(2, 2, 5, 6) }, 'value has shape (2, 2, 5, 6), but key has 4 heads'],
    [{ ...rank4, value: zeros(1, 4, 5, 6) }, 'value has shape (1, 4, 5, 6), but key has 2 batches'],
    [{ ...rank4, heads: 3 }, 'heads is 3, but query with shape (2, 4, 3, 6) has 4'],
    [{ ...packed, heads: 5 }, "heads is 5, but must divide query's width 24"],
    [{ ...packed, heads: 0 }, `heads is 0, but ${large}`],
    [{ ...packed, heads: '4' }, `heads is "4", but ${large}`],
    [{ ...packed, heads: null }, `heads is null, but ${large}`],
    [{ ...packed, keyValueHeads: 2.5 }, `keyValueHeads is 2.5, but ${large}`],
    [{ ...packed, keyValueHeads: 5 }, "keyValueHeads is 5, but must divide key's width 24"],
    [{ ...packed, keyValueHeads: 2 }, 'key has shape (2, 5, 24), but query has d_k = 6'],
    [{ ...rank4, keyLengths: [5] }, 'keyLengths holds 1 numbers, but must hold one for each batch, here 2'],
    [{ ...rank4, keyLengths: [] }, 'keyLengths holds 0 numbers, but must hold one for each batch, here 2'],
    [{ ...rank4, keyLengths: [5, 6] }, 'keyLengths is 6 for batch 1, but there are 5 keys'],
    [{ ...rank4, keyLengths: [5, -1] }, 'keyLengths has -1, but must hold whole numbers from 0 to 2147483647'],
    [
      { ...rank4, keyLengths: new Array(2) },
      'keyLengths has undefined, but must hold whole numbers from 0 to 2147483647',
    ],
    [{ ...rank4, queryOffset: [1] }, 'queryOffset holds 1 numbers, but must hold one for each batch, here 2'],
    [
      { ...rank4, queryOffset: [1, 0.5] },
      'queryOffset has 0.5, but must hold whole numbers from -2147483647 to 2147483647',
    ],
    [{ ...rank4, queryOffset: 2 ** 30 }, 'queryOffset is 1073741824, but must be from -536870912 to 536870912'],
    [
      { ...rank4, mask: zeros(4, 2, 3, 5) },
      'mask has shape (4, 2, 3, 5), but must broadcast to (batches, heads, n_query, n_key) = (2, 4, 3, 5)',
    ],
    [{ ...rank4, mask: zeros(1, 1, 1, 1, 1) }, 'mask has shape (1, 1, 1, 1, 1), but must have rank 1, 2, 3 or 4'],
  ])) {
    assertRefused(() => engine.attention(/** @type {any} */ (options)), message);
    assert.deepEqual(engine.attention(rank4), before);
  }
});

test('numbers that a query sees must be finite, and are named by their place in the tensor that was given', () => {
  const poisoned = (/** @type {'query' | 'key' | 'value'} */ name, /** @type {number} */ at) => {
    const tensors = structuredClone(rank4);
    tensors[name].data[at] = Number.NaN;
    return tensors;
  };
  assertRefused(() => engine.attention(poisoned('value', 279)), /^value is NaN at \(1, 3, 4, 6\), but /);
  assertRefused(() => engine.attention(poisoned('key', 32)), /^key is NaN at \(0, 1, 0, 2\), but /);
  const { output } = engine.attention({ ...poisoned('key', 29), keyLengths: [4, 5] });
  assert.ok(output.data.every(Number.isFinite));
  assertRefused(
    () => engine.attention({ ...rank4, scale: 1e308, returns: [] }),
    /^scores overflow to -?infinity at \(0, 0, 0, \d\), but a visible score must be finite$/,
  );
});

test('stages that no memory could hold are refused, and the next call works', () => {
  const tokens = 40_000;
  const long = { query: zeros(tokens, 1), key: zeros(tokens, 1), value: zeros(tokens, 1) };
  assertRefused(
    () => engine.attention({ ...long, returns: ['scores', 'weights'] }),
    /^the call needs at least 256\d{8} bytes, but the memory has no room for them$/,
  );
  assert.deepEqual(engine.attention(rank4).output.shape, [2, 4, 3, 7]);
});
