// Calls that WebAssembly's memory has no room for. A ceiling that the tests put over that memory makes small calls fail
// as huge ones do; the last tests do without it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, loadEngine, scattered } from '../../support.mjs';

const engine = await loadEngine();

const mebibyte = 2 ** 20;

let ceiling = Number.POSITIVE_INFINITY;
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (/** @type {number} */ pages) {
  if (this.buffer.byteLength + 65536 * pages > ceiling) {
    throw new RangeError('there is a ceiling');
  }
  return grow.call(this, pages);
};

/** @template Result @param {number} bytes @param {() => Result} call */
function under(bytes, call) {
  ceiling = bytes;
  try {
    return call();
  } finally {
    ceiling = Number.POSITIVE_INFINITY;
  }
}

/** The module's whole memory. */
const bytesOfMemory = () => /** @type {any} */ (engine).module.reserveCall(8).buffer.byteLength;

/** @param {number[]} shape @param {Float64ArrayConstructor | Float32ArrayConstructor} [Type] */
function waves(shape, Type = Float64Array) {
  const size = shape.reduce((product, length) => product * length, 1);
  return { data: new Type(size).map((_, index) => Math.sin(1.7 * index)), shape };
}

/** @param {number} count */
const words = (count) => Array.from({ length: count }, (_, index) => `word${index}`);

const grouped = { query: scattered(2, 4, 3, 6), key: scattered(2, 2, 5, 6), value: scattered(2, 2, 5, 7) };
const packed = { query: scattered(2, 3, 8), key: scattered(2, 4, 4), value: scattered(2, 4, 6), heads: 2 };
const matrices = { query: scattered(3, 4), key: scattered(5, 4), value: scattered(5, 2) };
const float32 = {
  query: waves([3, 4], Float32Array),
  key: waves([5, 4], Float32Array),
  value: waves([5, 2], Float32Array),
};

const mask = scattered(3, 5);
const outputGradient = scattered(2, 4, 3, 7);

/** Every way in, on few numbers. */
const smallCalls = () => [
  engine.attention({ ...grouped, isCausal: true, keyLengths: [5, 2] }),
  engine.attention({ ...packed, returns: ['scores', 'masked', 'weights'] }),
  engine.attention({ ...matrices, mask, returns: [] }),
  engine.attention({ ...matrices, returns: [] }),
  engine.attention({ ...float32, softcap: 2, returns: [] }),
  engine.attention({ ...float32, softcap: 2, returns: [] }), // the form of the call before
  engine.gradients({ ...grouped, outputGradient }),
  engine.lesson({ dK: 7, heads: 2, mask: 'causal' }),
  engine.train({ dK: 5, dModel: 9 }, { steps: 3, matrices: 'all' }),
  engine.statistics({ tokens: ['a', 'b', 'c'], dModel: 3, largestDK: 4, seeds: 5 }),
  engine.proofs({ dK: 3 }),
  engine.compare({ dK: 3 }, { dK: 5 }),
  engine.taskGradients({ dK: 3 }),
];

const most = 32 * mebibyte;

/** Just about what fits below the ceiling: 2 MiB of tensors, and 8 MiB of results. */
const large = { query: waves([1024, 32]), key: waves([1024, 32]), value: waves([1024, 32]) };
const largeCall = () => engine.attention(large);

/** @type {Record<string, () => unknown>} */
const calls = {
  'attention whose tensors have no room': () =>
    engine.attention({ query: waves([1, 16]), key: waves([150_000, 16]), value: waves([150_000, 16]), returns: [] }),
  'attention in rank 2 whose weights have none': () =>
    engine.attention({ query: waves([2000, 4]), key: waves([2000, 4]), value: waves([2000, 4]) }),
  'attention in rank 3 whose stages have none': () =>
    engine.attention({
      query: waves([2, 700, 8]),
      key: waves([2, 700, 8]),
      value: waves([2, 700, 8]),
      heads: 2,
      returns: ['scores', 'weights'],
    }),
  'attention in rank 4 whose output has none': () =>
    engine.attention({
      query: waves([1, 1, 200_000, 1]),
      key: waves([1, 1, 2, 1]),
      value: waves([1, 1, 2, 20]),
      returns: [],
    }),
  'stages that need copies of key and value': () =>
    engine.attention({
      query: waves([1, 64]),
      key: waves([16_000, 64]),
      value: waves([16_000, 64]),
      returns: ['scores'],
    }),
  'rows that are too wide for the tiles': () =>
    engine.attention({
      query: waves([1, 500_000], Float32Array),
      key: waves([1, 500_000], Float32Array),
      value: waves([1, 500_000], Float32Array),
      returns: [],
    }),
  gradients: () =>
    engine.gradients({
      query: waves([1, 8]),
      key: waves([80_000, 8]),
      value: waves([80_000, 8]),
      outputGradient: waves([1, 8]),
    }),
  lesson: () => [...engine.lessonInSlices({ tokens: words(800) }, Number.POSITIVE_INFINITY)],
  train: () => engine.train({ tokens: words(700), heads: 2 }, { steps: 1 }),
  'the gradients of the task': () => engine.taskGradients({ tokens: words(900) }),
  comparison: () => engine.compare({ tokens: words(900) }, { tokens: words(900), dK: 5 }),
  jacobians: () => engine.jacobians({ tokens: words(1200) }),
  widths: () => engine.widths({ tokens: words(1600) }),
  proofs: () => engine.proofs({ tokens: words(800) }),
  statistics: () => engine.statistics({ tokens: ['a', 'b'], dModel: 2, largestDK: 512, seeds: 7000 }),
};

for (const [name, call] of Object.entries(calls)) {
  test(`${name}: no room throws one sentence with the bytes, and leaves the engine as it was`, () => {
    /** @type {any} */ (engine).module.restart(); // the test before has let the memory grow
    const small = smallCalls();
    const before = under(most, largeCall);
    for (let repetition = 0; repetition < 2; repetition++) {
      assert.throws(
        () => under(most, call),
        (error) => {
          assert.ok(error instanceof EngineError, String(/** @type {any} */ (error)?.stack ?? error));
          const [, bytes] =
            error.message.match(/^the call needs at least (\d+) bytes, but the memory has no room for them$/) ?? [];
          assert.ok(Number(bytes) > 10 * mebibyte, error.message);
          return true;
        },
      );
      assert.ok(bytesOfMemory() <= 17 * mebibyte, 'what it took is freed');
      assert.deepEqual(smallCalls(), small);
      assert.deepEqual(under(most, largeCall), before);
    }
    call(); // which has room without the ceiling
    assert.deepEqual(smallCalls(), small);
  });
}

test('a call has room where nothing but what earlier calls left is in its way', () => {
  const expected = under(most, largeCall);
  const wide = { query: waves([1, 8]), key: waves([120_000, 8]), value: waves([120_000, 8]), returns: [] };
  under(most, () => engine.attention(/** @type {any} */ (wide)));
  assert.deepEqual(under(most, largeCall), expected);
  under(most, () => engine.lesson({ tokens: words(500) }));
});

test('results that JavaScript has no room for are refused, and the next call is the same as ever', () => {
  const expected = smallCalls();
  const { slice } = Float64Array.prototype;
  for (const call of [() => engine.attention(matrices), () => engine.lesson({ dK: 3 })]) {
    Float64Array.prototype.slice = () => {
      throw new RangeError('Array buffer allocation failed');
    };
    try {
      assert.throws(call, {
        name: 'EngineError',
        message: /^the call needs at least \d+ bytes, but the memory has no room/,
      });
    } finally {
      Float64Array.prototype.slice = slice;
    }
    assert.deepEqual(smallCalls(), expected);
  }
});

test('a fresh instance that has no room either is asked for again by the next call', () => {
  const expected = smallCalls();
  const { Instance } = WebAssembly;
  WebAssembly.Instance = /** @type {any} */ (
    function refused() {
      throw new RangeError('could not allocate memory');
    }
  );
  try {
    assert.throws(() => under(most, calls.gradients), { name: 'EngineError' });
    assert.throws(() => engine.lesson(), { name: 'EngineError', message: /^The engine starts again/ });
    assert.throws(() => engine.attention(matrices), { name: 'EngineError', message: /^The engine starts again/ });
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.throws(() => engine.lesson(), { name: 'EngineError', message: /^The engine starts again/ });
  assert.deepEqual(smallCalls(), expected);
});

test('a browser that starts an instance only in its own time refuses calls until it has', async () => {
  const expected = smallCalls();
  const { Instance } = WebAssembly;
  WebAssembly.Instance = /** @type {any} */ (
    function refused() {
      throw new RangeError(
        'WebAssembly.Instance is disallowed on the main thread, if the buffer size is larger than 4KB',
      );
    }
  );
  try {
    assert.throws(() => under(most, calls.gradients), { name: 'EngineError' });
    assert.throws(() => engine.lesson(), { name: 'EngineError', message: /^The engine starts again/ });
    for (let wait = 0; wait < 100; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.deepEqual(smallCalls(), expected);
});

test('rows whose working memory has more bytes than a size of WebAssembly can count are refused', () => {
  const expected = smallCalls();
  const value = { data: new Float32Array(134_300_000), shape: [1, 134_300_000] };
  const one = { data: Float32Array.of(1), shape: [1, 1] };
  assert.throws(() => engine.attention({ query: one, key: one, value, returns: [] }), {
    name: 'EngineError',
    message: /^the call needs at least \d{10} bytes, but the memory has no room for them$/,
  });
  assert.deepEqual(smallCalls(), expected);
});

test('a million keys of float64 with weights, and tables beyond any memory, are refused', () => {
  const expected = smallCalls();
  const keys = { data: new Float64Array(64_000_000), shape: [1_000_000, 64] };
  assert.throws(() => engine.attention({ query: scattered(1, 64), key: keys, value: keys }), {
    name: 'EngineError',
    message: /^the call needs at least \d{10} bytes/,
  });
  const long = { data: new Float64Array(100_000), shape: [100_000, 1] };
  assert.throws(() => engine.attention({ query: long, key: long, value: long }), {
    name: 'EngineError',
    message: /^the call needs at least 8000\d{7} bytes/,
  });
  assert.deepEqual(smallCalls(), expected);
});
