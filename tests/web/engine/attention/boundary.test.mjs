// What JavaScript may hand over by mistake: thousands of calls of which one or two values are wrong, the same at every
// run. Each must give numbers, or an EngineError of one sentence that names what was wrong; and the engine goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, loadEngine, scattered } from '../../support.mjs';

const engine = await loadEngine();

let state = 2017;

/** A whole number from 0 to limit - 1, without a pattern. @param {number} limit */
function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

/** @template T @param {readonly T[]} values */
const oneOf = (values) => values[below(values.length)];

const wrongValues = /** @type {unknown[]} */ ([
  undefined,
  null,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  -0,
  0,
  1,
  0.5,
  3,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 32 + 1,
  -(2 ** 31),
  Number.MAX_SAFE_INTEGER,
  '',
  '5',
  'causal',
  'x'.repeat(300_000),
  'one\ntwo',
  true,
  false,
  5n,
  Symbol('wrong'),
  {},
  Object.create(null),
  [],
  [1],
  [-1, 1],
  [2 ** 32, 1],
  [undefined],
  ['a', 'b'],
  ['x'.repeat(300_000), 'y'],
  new Array(3),
  new Array(200_000).fill('a'),
  [['a']],
  () => 1,
  new Date(0),
  new Map(),
  new Float32Array(4),
  new Float64Array(4),
  new Float64Array(4).fill(Number.NaN),
  new Uint8Array(2),
  new DataView(new ArrayBuffer(8)),
  { data: new Float64Array(6), shape: [2, 3] },
  { data: new Float64Array(6), shape: [6, -1] },
  { data: new Float64Array(6).fill(1e308), shape: [2, 3] },
  { data: new Float64Array(0), shape: [0, 4] },
  { data: [1, 2], shape: [1, 2] },
  { data: new Uint8Array(1), shape: [1] },
  { data: null, shape: null },
]);

/**
 * The same values with one or two of them, or of what is in them, replaced.
 *
 * @param {Record<string, any>} right
 * @param {readonly string[]} names  that may stand there too
 */
function spoiled(right, names) {
  const wrong = { ...right };
  for (let change = below(2); change >= 0; change--) {
    const name = oneOf([...Object.keys(right), ...names]);
    const inside = wrong[name];
    if (typeof inside === 'object' && inside !== null && 'shape' in inside && below(2) === 0) {
      wrong[name] = { ...inside, [oneOf(['data', 'shape'])]: oneOf(wrongValues) };
    } else {
      wrong[name] = oneOf(wrongValues);
    }
  }
  return wrong;
}

/** Every number in a result, however deep. @param {any} value @returns {Iterable<number>} */
function* numbersIn(value) {
  if (typeof value === 'number') {
    yield value;
  } else if (ArrayBuffer.isView(value)) {
    yield* /** @type {Float64Array} */ (value);
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) {
      yield* numbersIn(each);
    }
  }
}

/** A call as a failure shows it. @param {any} value */
function shown(value) {
  return JSON.stringify(value, (_, entry) => {
    const isLong = (entry?.length ?? 0) > 100;
    return isLong
      ? `${entry.length} of something`
      : ['object', 'string'].includes(typeof entry)
        ? entry
        : String(entry);
  });
}

/**
 * What is wrong with what becomes of a call, or null.
 *
 * @param {() => unknown} call
 * @param {readonly string[]} named  what a sentence may begin with
 * @param {{given: number, refused: number}} counts
 */
function faultOf(call, named, counts) {
  try {
    for (const number of numbersIn(call())) {
      if (Number.isNaN(number)) {
        return 'it gives NaN';
      }
    }
    counts.given++;
    return null;
  } catch (error) {
    if (!(error instanceof EngineError)) {
      return String(/** @type {Error} */ (error)?.stack ?? error);
    }
    counts.refused++;
    const { message } = error;
    const isSentence = /^[\w. ]+ .+, but .+$/su.test(message) && !/undefined is not|\[object /u.test(message);
    const argument = message.match(/^the gradient of (\w+) overflows/u)?.[1] ?? message.split(/[ .]/u)[0];
    return isSentence && message.length < 300 && named.includes(argument) ? null : message;
  }
}

/**
 * @param {string} title
 * @param {number} rounds
 * @param {(...wrong: any[]) => unknown} call
 * @param {() => any[]} draw  the arguments
 * @param {readonly string[]} named  what a sentence may begin with
 */
function throwAt(title, rounds, call, draw, named) {
  test(`${rounds} wrong calls of ${title} give numbers, or one sentence that names an argument`, () => {
    const attention = engine.attention(right.attention);
    const lesson = engine.lesson({ dK: 5 });
    const counts = { given: 0, refused: 0 };
    for (let round = 0; round < rounds; round++) {
      const wrong = draw();
      const fault = faultOf(() => call(...wrong), named, counts);
      if (fault !== null) {
        assert.fail(`${title} of ${shown(wrong)}: ${fault}`);
      }
      if (round % 100 === 99) {
        assert.deepEqual(engine.attention(right.attention), attention);
        assert.deepEqual(engine.lesson({ dK: 5 }), lesson);
      }
    }
    assert.ok(counts.given > rounds / 100 && counts.refused > rounds / 4, `both happen: ${shown(counts)}`);
  });
}

const tensors = { query: scattered(2, 3, 8), key: scattered(2, 4, 4), value: scattered(2, 4, 6) };

const right = {
  attention: {
    ...tensors,
    heads: 2,
    keyValueHeads: 1,
    isCausal: true,
    queryOffset: [1, 2],
    keyLengths: [4, 3],
    softcap: 2,
    scale: 0.5,
    mask: scattered(3, 4),
  },
  lesson: { tokens: ['a', 'b', 'c'], dModel: 5, dK: 3, dV: 2, heads: 2, head: 1, row: 2, seed: 7 },
  training: { steps: 2, learningRate: 0.5, matrices: 'all' },
  statistics: { tokens: ['a', 'b', 'c'], dModel: 3, largestDK: 4, firstSeed: 5, seeds: 2 },
};

const attentionNames = ['leftWindow', 'rightWindow', 'returns', 'output', 'isCausual'];
const attentionArguments = [...Object.keys(right.attention), ...attentionNames, 'options', 'scores'];
const lessonNames = ['divisor', 'mask', 'projections', 'softmaxAxis', 'blend', 'preset', 'panels', 'theme', 'dk'];
const lessonArguments = [...Object.keys(right.lesson), ...lessonNames, 'state', 'scores', 'scaled'];

throwAt(
  'attention',
  4000,
  (options) => {
    const { output, weights } = engine.attention(options);
    return { output, weights };
  },
  () => [below(50) === 0 ? oneOf(wrongValues) : spoiled(right.attention, attentionNames)],
  attentionArguments,
);

throwAt(
  'gradients',
  4000,
  (options) => engine.gradients(options),
  () => {
    const call = { ...right.attention, outputGradient: scattered(2, 3, 12) };
    return [below(50) === 0 ? oneOf(wrongValues) : spoiled(call, attentionNames)];
  },
  [...attentionArguments, 'outputGradient'],
);

throwAt(
  'lesson',
  2000,
  (lesson) => engine.lesson(lesson),
  () => [below(50) === 0 ? oneOf(wrongValues) : spoiled(right.lesson, lessonNames)],
  lessonArguments,
);

throwAt(
  'train',
  2000,
  (lesson, options) => {
    const run = engine.train(lesson, options);
    return run.stoppedAt === null ? run : {}; // whose last figures are no longer finite
  },
  () => {
    const start = engine.train(right.lesson, { steps: 0 }).trained;
    const training = { ...right.training, ...(below(2) === 0 && { start: spoiled(start, ['Wo']) }) };
    return below(3) === 0
      ? [spoiled(right.lesson, lessonNames), right.training]
      : [right.lesson, below(50) === 0 ? oneOf(wrongValues) : spoiled(training, ['start', 'rate'])];
  },
  [...lessonArguments, ...Object.keys(right.training), 'start', 'options', 'W_q', 'W_k', 'W_v'],
);

throwAt(
  'statistics',
  1000,
  (options) => engine.statistics(options),
  () => [below(50) === 0 ? oneOf(wrongValues) : spoiled(right.statistics, ['dk'])],
  [...Object.keys(right.statistics), 'options'],
);
