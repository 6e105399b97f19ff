// The engine as JavaScript sees it: plain values in, plain values out. The only file that imports the generated module.

import packedEngine from '#engine/bytes';
import createModule from '#engine/module';
import { attentionCall, stageNames } from './attention-options.js';
import { EngineError, requireObject } from './engine-error.js';
import { completeState, describe, findProblem, settingNames, settings } from './state.js';
import { Unpacking } from './unpacking.js';

export { EngineError };

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
   * @param {import('./attention-options.js').AttentionOptions} options
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
