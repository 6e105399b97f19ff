// The engine as JavaScript sees it: plain values in, plain values out. The only file that imports the generated module.

import packedEngine from '#engine/bytes';
import createModule from '#engine/module';
import { completeState, describe, findProblem, settingNames, settings } from './state.js';

/** @typedef {import('./state.js').LessonState} LessonState */
/** @typedef {import('./state.js').Problem} Problem */

/**
 * A row-major array with its shape.
 *
 * @template {Float32Array | Float64Array | Uint8Array} [Data=Float32Array | Float64Array]
 * @typedef {{data: Data, shape: number[]}} Tensor
 */

/** @typedef {'diffuse' | 'peaked' | 'saturated (one-hot)' | 'no visible key' | 'not a distribution'} SoftmaxState */
/** @typedef {'alive' | 'fading' | 'dead' | 'no choice' | 'undefined'} GradientState */

/**
 * Figures of a lesson. Arrays hold one entry for each query.
 *
 * @typedef {object} Metrics
 * @property {number} spread  population standard deviation of the visible scores as the softmax sees them
 * @property {number | null} expectedSpread  what theory expects of it; null where the law says nothing
 * @property {number[]} peak  largest weight
 * @property {number[]} entropy  in nats
 * @property {number[]} maximumEntropy  ln of the number of visible keys, in nats
 * @property {number[]} jacobian  Frobenius norm of diag(a) − aaᵀ
 * @property {number[]} rowSum
 * @property {SoftmaxState[]} state
 * @property {GradientState[]} gradient
 */

/**
 * The highlighted query unrolled key by key.
 *
 * @typedef {object} Worksheet
 * @property {Tensor<Float64Array>} products  (T, d_k), the terms of q·k
 * @property {number[]} subtracted  what each score loses before exp: the row's maximum
 * @property {number[]} shifted  score − subtracted; −∞ where hidden
 * @property {number[]} exponentials
 * @property {number[]} totals  what each exponential is divided by
 * @property {Tensor<Float64Array>} contributions  (T, d_v), weight × value
 */

/**
 * @typedef {Record<'X' | 'Wq' | 'Wk' | 'Wv' | 'Q' | 'K' | 'V' | 'scores' | 'scaled' | 'masked' | 'weights' | 'output',
 *   Tensor<Float64Array>> & {tokens: string[], shapes: Record<string, number[]>, visible: Tensor<Uint8Array>,
 *   divisor: number, metrics: Metrics, worksheet: Worksheet}} LessonResult
 */

/**
 * A law checked on a state, item by item: an item is a row of the picture, or the one number of a law about the whole.
 *
 * @typedef {object} Proof
 * @property {string} law
 * @property {'holds' | 'fails' | 'notClaimed'} outcome
 * @property {number} residual  the worst of `residuals`
 * @property {number} tolerance
 * @property {number[]} found
 * @property {number[]} expected
 * @property {number[]} residuals
 */

/** @typedef {Record<'first' | 'second' | 'difference', Tensor<Float64Array>> & {largest: number}} Comparison */

/** @typedef {Record<'scaled' | 'unscaled', Tensor<Float64Array>> & {scaledNorm: number, unscaledNorm: number}} Jacobians */

/**
 * @typedef {object} AttentionOptions
 * @property {Tensor} query  (n_query, d_k)
 * @property {Tensor} key  (n_key, d_k)
 * @property {Tensor} value  (n_key, d_v)
 * @property {number} [scale]  factor on q·k; 1/√d_k where absent
 * @property {Tensor<any>} [mask]  Uint8Array (1 = may look) or float (added to the scores)
 * @property {boolean} [isCausal]
 * @property {number} [queryOffset]
 * @property {number} [leftWindow]  no limit where it is -1
 * @property {number} [rightWindow]  no limit where it is -1
 * @property {number[]} [keyLengths]  valid keys, one entry for each batch
 * @property {number} [softcap]  0 for none
 * @property {('scores' | 'capped' | 'masked' | 'weights')[]} [returns]
 */

/** Thrown for an argument that cannot be used; the message names it, what was found and what was expected. */
export class EngineError extends Error {
  /** @param {Problem | string} problem */
  constructor(problem) {
    super(typeof problem === 'string' ? problem : `${problem.argument} ${problem.found}, but ${problem.expected}`);
    this.name = 'EngineError';
    /** @type {Problem | null} */
    this.problem = typeof problem === 'string' ? null : problem;
  }
}

/** @type {Promise<Engine> | undefined} */
let loading;

/**
 * The engine. One WebAssembly instance serves the whole page, however often this is called.
 *
 * @returns {Promise<Engine>}
 * @throws {EngineError}  if WebAssembly is missing or forbidden; a later call tries again
 */
export function loadEngine() {
  loading ??= startEngine();
  return loading;
}

/** The smallest WebAssembly module: nothing but its head. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

async function startEngine() {
  try {
    // The module's own start cannot tell of a failure, so what may forbid it is asked first.
    await WebAssembly.compile(emptyModule);
    const wasm = await unpack(packedEngine);
    if (!WebAssembly.validate(wasm)) {
      throw new Error('this browser lacks 128-bit SIMD');
    }
    return new Engine(await createModule({ wasm }));
  } catch (reason) {
    loading = undefined;
    throw new EngineError(
      `WebAssembly could not start (${reason instanceof Error ? reason.message : reason}); ` +
        "a Content-Security-Policy must allow 'wasm-unsafe-eval'",
    );
  }
}

/**
 * The bytes behind a text: base64 of a zlib stream.
 *
 * @param {string} packed
 */
function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

// Names in the order of the core's enumerators, whose numbers cross.

const softmaxStates = /** @type {const} */ ([
  'diffuse',
  'peaked',
  'saturated (one-hot)',
  'no visible key',
  'not a distribution',
]);

const gradientStates = /** @type {const} */ (['alive', 'fading', 'dead', 'no choice', 'undefined']);

const laws = /** @type {const} */ ([
  'weightsAreFinite',
  'rowsSumToOne',
  'futureIsHidden',
  'pastIsUntouched',
  'orderDoesNotCount',
  'outputHasShape',
  'valuesAreBlended',
  'rolesDiffer',
  'somethingCanLearn',
  'spreadIsKept',
  'entropyIsKept',
  'gradientIsAlive',
]);

const outcomes = /** @type {const} */ (['holds', 'fails', 'notClaimed']);

/** Computes attention. Get one with {@link loadEngine}. */
export class Engine {
  #module;

  /** @param {import('#engine/module').EngineModule} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * Everything that a widget shows for a state: every stage from X to the output, and the figures beside them.
   *
   * @param {Partial<LessonState>} [state]  what is left out is the preset's default
   * @returns {LessonResult}
   * @throws {EngineError}
   */
  lesson(state = {}) {
    const whole = checkedState('state', state);
    /** @type {LessonResult | undefined} */
    let result;
    const refusal = this.#module.lesson(whole.tokens, whole.numbers, (packed) => {
      result = this.#unpackLesson(new Unpacking(packed), whole.tokens);
    });
    return completed(result, refusal);
  }

  /**
   * The laws of self-attention, checked on a state now: each with what was found, what the law expects, and how far
   * apart they are.
   *
   * @param {Partial<LessonState>} [state]
   * @returns {Proof[]}
   * @throws {EngineError}
   */
  proofs(state = {}) {
    const whole = checkedState('state', state);
    /** @type {Proof[]} */
    const proofs = [];
    const refusal = this.#module.proofs(whole.tokens, whole.numbers, (packed) => {
      const take = new Unpacking(packed);
      while (take.hasMore()) {
        proofs.push({
          law: laws[take.number()],
          outcome: outcomes[take.number()],
          residual: take.number(),
          tolerance: take.number(),
          found: take.numbers(),
          expected: take.numbers(),
          residuals: take.numbers(),
        });
      }
    });
    return completed(proofs, refusal);
  }

  /**
   * The weights of two states, and the second's less the first's.
   *
   * @param {Partial<LessonState>} first
   * @param {Partial<LessonState>} second  with as many tokens
   * @returns {Comparison}
   * @throws {EngineError}
   */
  compare(first, second) {
    const a = checkedState('first', first);
    const b = checkedState('second', second);
    /** @type {Comparison | undefined} */
    let comparison;
    const refusal = this.#module.comparison(a.tokens, a.numbers, b.tokens, b.numbers, (packed) => {
      const take = new Unpacking(packed);
      comparison = { first: take.tensor(), second: take.tensor(), difference: take.tensor(), largest: take.number() };
    });
    return completed(comparison, refusal);
  }

  /**
   * The softmax Jacobian diag(a) − aaᵀ of the highlighted row, with the divisor √d_k and with none.
   *
   * @param {Partial<LessonState>} [state]
   * @returns {Jacobians}
   * @throws {EngineError}
   */
  jacobians(state = {}) {
    const whole = checkedState('state', state);
    /** @type {Jacobians | undefined} */
    let jacobians;
    const refusal = this.#module.jacobians(whole.tokens, whole.numbers, (packed) => {
      const take = new Unpacking(packed);
      jacobians = {
        scaled: take.tensor(),
        unscaled: take.tensor(),
        scaledNorm: take.number(),
        unscaledNorm: take.number(),
      };
    });
    return completed(jacobians, refusal);
  }

  /**
   * The order is the one in which bindings.cpp packs.
   *
   * @param {Unpacking<Float64Array>} take
   * @param {string[]} tokens
   * @returns {LessonResult}
   */
  #unpackLesson(take, tokens) {
    const tensors = {
      X: take.tensor(),
      Wq: take.tensor(),
      Wk: take.tensor(),
      Wv: take.tensor(),
      Q: take.tensor(),
      K: take.tensor(),
      V: take.tensor(),
      scores: take.tensor(),
      scaled: take.tensor(),
      masked: take.tensor(),
      weights: take.tensor(),
      output: take.tensor(),
    };
    const visible = take.tensor();
    const divisor = take.number();
    const metrics = {
      spread: take.number(),
      expectedSpread: take.numberOrNull(),
      peak: take.numbers(),
      entropy: take.numbers(),
      maximumEntropy: take.numbers(),
      jacobian: take.numbers(),
      rowSum: take.numbers(),
      state: take.numbers().map((state) => softmaxStates[state]),
      gradient: take.numbers().map((state) => gradientStates[state]),
    };
    const worksheet = {
      products: take.tensor(),
      subtracted: take.numbers(),
      shifted: take.numbers(),
      exponentials: take.numbers(),
      totals: take.numbers(),
      contributions: take.tensor(),
    };
    return {
      tokens: [...tokens],
      shapes: Object.fromEntries(Object.entries(tensors).map(([name, { shape }]) => [name, [...shape]])),
      ...tensors,
      visible: { data: Uint8Array.from(visible.data), shape: visible.shape },
      divisor,
      metrics,
      worksheet,
    };
  }

  /**
   * softmax(mask(QKᵀ · scale)) V.
   *
   * @param {AttentionOptions} options
   * @returns {{output: Tensor, scores?: Tensor, capped?: Tensor, masked?: Tensor, weights?: Tensor}}
   * @throws {EngineError}
   */
  attention(options) {
    const { query, key, value, mask, isDouble, settings } = attentionCall(options);
    /** @type {ReturnType<Engine['attention']> | undefined} */
    let result;
    const attention = isDouble ? this.#module.attentionFloat64 : this.#module.attentionFloat32;
    const refusal = attention(query, key, value, mask, settings, (packed) => {
      const take = new Unpacking(packed);
      const output = take.tensor();
      const asked = stageNames.filter((_, index) => settings.stages & (1 << index));
      result = { output, ...Object.fromEntries(asked.map((stage) => [stage, take.tensor()])) };
    });
    return completed(result, refusal);
  }
}

/**
 * Reads values in the order in which bindings.cpp packed them, out of WebAssembly's memory. Whatever it gives is a copy.
 *
 * @template {Float32Array | Float64Array} Data
 */
class Unpacking {
  #packed;
  #next = 0;

  /** @param {Data} packed */
  constructor(packed) {
    this.#packed = packed;
  }

  hasMore() {
    return this.#next < this.#packed.length;
  }

  number() {
    return this.#packed[this.#next++];
  }

  /** A standard deviation, which is never negative, or null for the −1 that stands for none. */
  numberOrNull() {
    const number = this.number();
    return number < 0 ? null : number;
  }

  numbers() {
    const numbers = [];
    for (let left = this.number(); left > 0; left--) {
      numbers.push(this.number());
    }
    return numbers;
  }

  /** @returns {{data: Data, shape: number[]}} */
  tensor() {
    const shape = [this.number(), this.number()];
    return { data: this.#entries(shape[0] * shape[1]), shape };
  }

  /** @param {number} count */
  #entries(count) {
    this.#next += count;
    return /** @type {Data} */ (this.#packed.slice(this.#next - count, this.#next));
  }
}

/**
 * The result of a call, unless the core refused it.
 *
 * @template Result
 * @param {Result | undefined} result
 * @param {import('#engine/module').Refusal | undefined} refusal
 * @returns {Result}
 */
function completed(result, refusal) {
  if (refusal !== undefined) {
    throw new EngineError(inJavaScriptNames(refusal));
  }
  return /** @type {Result} */ (result);
}

/**
 * The core writes snake_case; a caller in JavaScript wrote camelCase.
 *
 * @param {Problem} problem
 */
function inJavaScriptNames(problem) {
  const camel = inCamelCase(problem.argument);
  return { ...problem, argument: camel === 'keyLength' ? 'keyLengths' : camel };
}

/** @param {string} snakeCase */
function inCamelCase(snakeCase) {
  return snakeCase.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

/**
 * A whole state, as the module takes it, or a sentence about what is wrong with it.
 *
 * @param {string} argument
 * @param {Partial<LessonState>} state
 */
function checkedState(argument, state) {
  requireObject(argument, state);
  const unknown = Object.keys(state).find((key) => !settingNames.includes(/** @type {any} */ (key)));
  if (unknown !== undefined) {
    throw new EngineError({ argument, found: `has a key ${describe(unknown)}`, expected: 'no setting has that name' });
  }
  const whole = completeState(state);
  const problem = findProblem(whole);
  if (problem !== null) {
    throw new EngineError(problem);
  }
  return { tokens: whole.tokens, numbers: numbersOf(whole) };
}

/**
 * A state as the module takes it: its choices by their place, in the order of the core's enumerators.
 *
 * @param {LessonState} state
 */
function numbersOf(state) {
  const numbers = /** @type {Record<string, unknown>} */ ({ ...state, dV: state.dV ?? state.dK });
  for (const name of settingNames) {
    /** @type {import('./state.js').Setting} */
    const setting = settings[name];
    if (setting.kind === 'choice') {
      numbers[name] = setting.choices.indexOf(/** @type {string} */ (state[name]));
    }
  }
  return numbers;
}

/** In the order in which bindings.cpp packs them. */
const stageNames = ['scores', 'capped', 'masked', 'weights'];

const attentionKeys = [
  'query',
  'key',
  'value',
  'scale',
  'mask',
  'isCausal',
  'queryOffset',
  'leftWindow',
  'rightWindow',
  'keyLengths',
  'softcap',
  'returns',
];

/**
 * Checks what embind would silently bend (−1 to 4294967295, undefined to NaN, "5" to 5) and fills in defaults.
 *
 * @param {AttentionOptions} options
 */
function attentionCall(options) {
  requireObject('options', options);
  const unknown = Object.keys(options).find((key) => !attentionKeys.includes(key));
  if (unknown !== undefined) {
    throw new EngineError({
      argument: 'options',
      found: `has a key ${describe(unknown)}`,
      expected: 'no option has that name',
    });
  }
  // Only what is absent has a default: null is a value, and none that an option can have.
  const {
    query,
    key,
    value,
    mask,
    scale,
    softcap = 0,
    isCausal = false,
    queryOffset = 0,
    leftWindow = -1,
    rightWindow = -1,
    keyLengths,
    returns = ['weights'],
  } = options;
  const isDouble = query?.data instanceof Float64Array;
  requireTensor('query', query, [Float32Array, Float64Array]);
  for (const [name, tensor] of Object.entries({ key, value })) {
    requireTensor(name, tensor, isDouble ? [Float64Array] : [Float32Array]);
  }
  if (mask !== undefined) {
    requireTensor('mask', mask, [Uint8Array, isDouble ? Float64Array : Float32Array]);
  }
  return {
    isDouble,
    query,
    key,
    value,
    mask: mask === undefined ? null : { data: mask.data, shape: [1, 1, ...mask.shape].slice(-2) },
    settings: {
      scale: scale === undefined ? Number.NaN : number('scale', scale),
      softcap: number('softcap', softcap),
      isCausal: boolean('isCausal', isCausal),
      queryOffset: whole('queryOffset', queryOffset),
      leftWindow: whole('leftWindow', leftWindow),
      rightWindow: whole('rightWindow', rightWindow),
      keyLength: keyLengths === undefined ? -1 : keyLength(keyLengths, key.shape[0]),
      maskIsBoolean: mask?.data instanceof Uint8Array,
      stages: stageBits(returns),
    },
  };
}

/** @type {(argument: string, value: unknown) => asserts value is object} */
function requireObject(argument, value) {
  if (typeof value !== 'object' || value === null) {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be an object' });
  }
}

/**
 * @param {string} argument
 * @param {unknown} tensor
 * @param {(Float64ArrayConstructor | Float32ArrayConstructor | Uint8ArrayConstructor)[]} types
 */
function requireTensor(argument, tensor, types) {
  requireObject(argument, tensor);
  const { data, shape } = /** @type {{data: any, shape: any}} */ (tensor);
  if (!types.some((type) => data instanceof type)) {
    const found = data?.constructor?.name ?? describe(data);
    const expected = types.map((type) => type.name).join(' or ');
    throw new EngineError({
      argument: `${argument}.data`,
      found: `is ${found}`,
      expected: `must be ${expected}${argument === 'query' ? '' : ', as query is'}`,
    });
  }
  if (!Array.isArray(shape) || !shape.every((length) => Number.isInteger(length) && length >= 0)) {
    throw new EngineError({
      argument: `${argument}.shape`,
      found: `is ${describe(shape)}`,
      expected: 'must be an array of whole numbers',
    });
  }
  const least = argument === 'mask' ? 1 : 2;
  if (shape.length < least || shape.length > 2) {
    throw new EngineError({ argument, found: `has shape (${shape.join(', ')})`, expected: 'must have rank 2' });
  }
  const size = shape.reduce((product, length) => product * length, 1);
  if (data.length !== size) {
    throw new EngineError({
      argument,
      found: `holds ${data.length} numbers`,
      expected: `shape (${shape.join(', ')}) needs ${size}`,
    });
  }
}

/** @param {string} argument @param {unknown} value */
function number(argument, value) {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be a finite number' });
  }
  return value;
}

/** @param {string} argument @param {unknown} value */
function whole(argument, value) {
  const most = 0x7fffffff;
  if (!Number.isInteger(value) || Math.abs(Number(value)) > most) {
    throw new EngineError({
      argument,
      found: `is ${describe(value)}`,
      expected: `must be a whole number from ${-most} to ${most}`,
    });
  }
  return value;
}

/** @param {string} argument @param {unknown} value */
function boolean(argument, value) {
  if (typeof value !== 'boolean') {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be true or false' });
  }
  return value;
}

/** @param {unknown} lengths @param {number} keys */
function keyLength(lengths, keys) {
  if (!Array.isArray(lengths) || lengths.length !== 1 || !Number.isInteger(lengths[0]) || lengths[0] < 0) {
    throw new EngineError({
      argument: 'keyLengths',
      found: `is ${Array.isArray(lengths) ? `[${lengths.map(describe).join(', ')}]` : describe(lengths)}`,
      expected: 'must hold one whole number for each batch, here 1',
    });
  }
  if (lengths[0] > keys) {
    throw new EngineError({ argument: 'keyLengths', found: `is ${lengths[0]}`, expected: `there are ${keys} keys` });
  }
  return lengths[0];
}

/**
 * One bit for each stage that is asked for.
 *
 * @param {unknown} names
 */
function stageBits(names) {
  const at = Array.isArray(names) ? names.findIndex((name) => !stageNames.includes(name)) : 0;
  if (!Array.isArray(names) || at !== -1) {
    throw new EngineError({
      argument: 'returns',
      found: Array.isArray(names) ? `has ${describe(names[at])}` : `is ${describe(names)}`,
      expected: `must list ${stageNames.join(', ')}`,
    });
  }
  return names.reduce((bits, name) => bits | (1 << stageNames.indexOf(name)), 0);
}
