// The lessons of the core as JavaScript sees them: plain values in, plain values out.

import { packState, packTexts, receiveFrom } from './crossing/packing.js';
import { unpackBiases, unpackLesson, unpackPoint, unpackWorksheet, withShapes } from './crossing/unpacking.js';
import { makeNumbers } from './instance.js';
import {
  checkedState,
  packSampling,
  packTraining,
  requireKeys,
  requireLesson,
  requireSamples,
  requireSeeds,
  samplingNames,
  sumsBefore,
} from './lesson-arguments.js';
import { callRows, entriesAtOnce, headInSlices, pack, put, rowsOf, stageNames, table } from './lesson-slices.js';
import { keysOf } from './lesson-state.js';
import { withoutMatrices } from './own-matrices.js';
import { laws, outcomes } from './settings.generated.js';

/** @typedef {import('./lesson-state.js').LessonState} LessonState */
/** @typedef {Partial<LessonState> & import('./setting-values.js').Projections} GivenState */
/** @typedef {import('./lesson-state.js').Problem} Problem */

/**
 * A row-major array with its shape.
 *
 * @template {Float32Array | Float64Array | Uint8Array} [Data=Float32Array | Float64Array]
 * @typedef {{data: Data, shape: number[]}} Tensor
 */

/** @typedef {typeof import('./settings.generated.js').softmaxStates[number]} SoftmaxState */
/** @typedef {typeof import('./settings.generated.js').gradientStates[number]} GradientState */

/**
 * Figures of a lesson. Arrays hold one entry for each query.
 *
 * @typedef {object} Metrics
 * @property {number} spread  population standard deviation of the visible scores as the softmax sees them
 * @property {number | null} expectedSpread  what theory expects of it; null where the law says nothing
 * @property {number[]} peak  largest weight
 * @property {number[]} entropy  in nats
 * @property {number[]} maximumEntropy  ln of the number of visible keys, in nats
 * @property {number[]} jacobian  Frobenius norm of ∂aⱼ/∂sₗ over the row's keys: of diag(a) − aaᵀ where nothing is broken
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
 * `keyTokens` are the words that keys and values are made of: `tokens`, or those of the state's `context`, whose embeddings
 * `context` is then; K and V have as many rows, and the stages between as many columns. `padding` says how many of them, at
 * the end, are padding.
 *
 * `reference` is what a line of the softmax loses before exp, `total` the sum of its exponentials; a line is a row, or a
 * column where the softmax runs along the queries.
 *
 * With several heads the matrices, Q, K, V and the output have every head's columns side by side, and the stages between
 * have shape (heads, T, T); `average` is the mean of the heads' weights, and `head` the same lesson of the state's head
 * alone, which the metrics and the worksheet are of.
 *
 * @typedef {Record<'X' | 'Wq' | 'Wk' | 'Wv' | 'Q' | 'K' | 'V' | 'scores' | 'scaled' | 'masked' | 'weights' | 'output',
 *   Tensor<Float64Array>> & {tokens: string[], keyTokens: string[], padding: number, context?: Tensor<Float64Array>, shapes: Record<string, number[]>, visible: Tensor<Uint8Array>,
 *   divisor: number, reference: number[], total: number[], metrics: Metrics, worksheet: Worksheet, average?: Tensor<Float64Array>, head?: LessonResult} & Biases} LessonResult
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

/**
 * @typedef {Record<'scaled' | 'unscaled' | 'own', Tensor<Float64Array>> &
 *   Record<'scaledNorm' | 'unscaledNorm' | 'ownNorm', number>} Jacobians  `own`: with the state's own divisor
 */

/**
 * Figures of a state at every width: `dK` from 2 to 64, and for both divisors, with as many entries, `metrics.spread` and
 * the highlighted row's `metrics.peak`.
 *
 * @typedef {{dK: number[]} & Record<'sqrt' | 'none', {spread: number[], peak: number[]}>} Widths
 */

/**
 * Figures at one moment of a run. The gradients are the loss's; their norms, and the Jacobian's, are Frobenius norms.
 *
 * @typedef {object} TrainingPoint
 * @property {number} loss
 * @property {number} WqNorm  reached through the softmax
 * @property {number} WkNorm  reached through the softmax
 * @property {number} WvNorm  reached past it
 * @property {number} trainedNorm  of all that is trained together
 * @property {number} meanJacobian  mean over the rows
 * @property {number} largestJacobian
 */

/**
 * @typedef {object} TrainingOptions
 * @property {number} [steps]  0 measures the start
 * @property {number} [learningRate]
 * @property {'queryAndKey' | 'value' | 'all'} [matrices]  those that are trained
 * @property {Matrices} [start]  to go on from; the state's own where absent
 */

/** @typedef {{[Name in 'bq' | 'bk' | 'bv']?: Tensor<Float64Array>}} Biases  those that there are, (1, d) */

/** @typedef {Record<'Wq' | 'Wk' | 'Wv', Tensor<Float64Array>> & Biases} Matrices */

/**
 * A run. `points` holds the figures before each step and after the last; `stoppedAt` the number of steps after which the
 * loss was no longer finite.
 *
 * @typedef {{points: TrainingPoint[], stoppedAt: number | null, trained: Matrices, masked: Tensor<Float64Array>,
 *   weights: Tensor<Float64Array>}} Training
 */

/**
 * What the training task's loss asks of a state. `scores` is its gradient by the divided scores, `scoresNorm` the Frobenius
 * norm of that, and `shares` each row's share of the norm's square: they sum to 1, or are 0 as the gradient is.
 *
 * @typedef {TrainingPoint & {scores: Tensor<Float64Array>, largestScore: number, scoresNorm: number, shares: number[]}} TaskGradients
 */

/**
 * Random sentences at every d_k from 1 up: separate matrices, no mask.
 *
 * @typedef {object} SampleOptions
 * @property {string[]} [tokens]
 * @property {number} [dModel]
 * @property {number} [largestDK]
 */

/**
 * What was sampled of a slice of seeds: each seed's spread at each width, and sums that go on from the slice before.
 *
 * @typedef {{spread: Tensor<Float64Array>, sums: Float64Array}} Sample
 */

/**
 * For each d_k, over the seeds: the spread's median and its 10 % and 90 % quantiles, and means of the rest.
 *
 * @typedef {Record<'expected' | 'spread' | 'low' | 'high' | 'peak' | 'jacobian' | 'saturated', number[]>} SpreadStatistics
 */

/**
 * @typedef {{dK: number[], seeds: number, scaled: SpreadStatistics, unscaled: SpreadStatistics,
 *   variances: Record<'query' | 'key' | 'product' | 'score', number[]>}} Statistics
 */

const spreadFigures = ['expected', 'low', 'spread', 'high', 'peak', 'jacobian', 'saturated'];

const varianceNames = ['query', 'key', 'product', 'score'];

/**
 * Computes lessons. Every number is the core's.
 *
 * @template {import('#lesson/module').LessonModule} [Module=import('#lesson/module').LessonModule]
 */
export class LessonEngine {
  /** @protected @type {Module} */
  module;

  /** @param {Module} module */
  constructor(module) {
    this.module = module;
  }

  /**
   * Everything that a widget shows for a state: every stage from X to the output, and the figures beside them.
   *
   * @param {GivenState} [state]  what is left out is the preset's default
   * @returns {LessonResult}
   * @throws {EngineError}
   */
  lesson(state = {}) {
    let last;
    for (const step of this.lessonInSlices(state)) {
      last = step;
    }
    return /** @type {LessonResult} */ (last);
  }

  /**
   * The same for one who has other things to do in between: gives the share that is done, again and again, and at last
   * the lesson.
   *
   * @param {GivenState} [state]
   * @param {number} [atOnce]  entries of a table in a slice; where it is absent, a long lesson's take a few milliseconds
   * @returns {Generator<number | LessonResult>}
   * @throws {EngineError}
   */
  *lessonInSlices(state = {}, atOnce) {
    const whole = checkedState('state', state);
    const { heads, head, tokens } = whole;
    const n = tokens.length;
    const keys = keysOf(whole).length;
    const entries = atOnce ?? entriesAtOnce(whole);
    const inOneCall = (/** @type {LessonState} */ some) =>
      receiveFrom(this.module, 'lesson', packState(some), (take) => unpackLesson(take, some));
    const isSliced = heads * n * keys > entries;
    if (heads === 1 && !isSliced) {
      yield inOneCall(whole);
      return;
    }
    callRows(this.module, packState(whole), [0, 0, 0, 0], Array(8).fill([0]), () => {}); // looks for a problem
    const stages = stageNames.map(() => makeNumbers(heads * n * keys));
    const average = table(n, keys);
    /** @type {any[]} */
    const lessons = [];
    for (let index = 0; index < heads; index++) {
      const ofHead = { ...whole, head: index };
      const tables = stages.map((data) => rowsOf({ data, shape: [heads * n, keys] }, index * n, n));
      const addToAverage = (/** @type {number} */ first, /** @type {number} */ count) => {
        if (heads === 1) {
          return;
        }
        const [sum, weights] = [average, tables[3]].map((each) => rowsOf(each, first, count));
        receiveFrom(this.module, 'average', pack([heads], sum, weights), (take) => put(average, take.tensor(), first));
      };
      if (isSliced) {
        lessons.push(yield* headInSlices(this.module, ofHead, inOneCall, tables, entries, addToAverage));
      } else {
        lessons.push(inOneCall(ofHead));
        stageNames.forEach((name, stage) => {
          tables[stage].data.set(lessons[index][name].data);
        });
        addToAverage(0, n);
      }
    }
    const shown = withShapes(this.#highlighted(lessons[head], whole));
    if (heads === 1) {
      yield shown;
      return;
    }
    const joined = { ...shown, head: shown, average };
    for (const name of /** @type {const} */ (['Wq', 'Wk', 'Wv', 'bq', 'bk', 'bv', 'Q', 'K', 'V', 'output'])) {
      if (shown[name] === undefined) {
        continue; // no bias
      }
      const [rows, columns] = shown[name].shape;
      joined[name] = table(rows, heads * columns);
      lessons.forEach((lesson, index) => {
        put(joined[name], lesson[name], 0, index * columns);
      });
    }
    stageNames.forEach((name, stage) => {
      joined[name] = { data: stages[stage], shape: [heads, n, keys] };
    });
    yield withShapes(joined);
  }

  /**
   * A lesson with another row highlighted: of the state's settings the row is all that may differ.
   *
   * @template {LessonResult} Lesson
   * @param {Lesson} result
   * @param {LessonState} state
   * @returns {Lesson}
   * @throws {EngineError}
   */
  highlight(result, state) {
    const whole = checkedState('state', state);
    requireLesson(result, whole);
    return this.#highlighted(result, whole);
  }

  /**
   * @template {LessonResult} Lesson
   * @param {Lesson} result
   * @param {LessonState} whole  checked, as the lesson is
   * @returns {Lesson}
   */
  #highlighted(result, whole) {
    const { Q, K, V, X, context, masked, weights, reference, total } = result.head ?? result;
    const [q, ...stages] = [Q, masked, weights].map((each) => rowsOf(each, whole.row, 1));
    const lines = [reference, total].flatMap((line) => [[line.length], line]);
    const blended = whole.blend === 'values' ? V : (context ?? X);
    const numbers = pack(
      packState({ ...withoutMatrices(whole), tokens: [], context: [] }),
      q,
      K,
      ...stages,
      blended,
      ...lines,
    );
    const worksheet = receiveFrom(this.module, 'worksheet', numbers, unpackWorksheet);
    return { ...result, worksheet, ...(result.head && { head: { ...result.head, worksheet } }) };
  }

  /**
   * The laws of self-attention, checked on a state now: each with what was found, what the law expects, and how far
   * apart they are.
   *
   * @param {GivenState} [state]
   * @returns {Proof[]}
   * @throws {EngineError}
   */
  proofs(state = {}) {
    return receiveFrom(this.module, 'proofs', packState(checkedState('state', state)), (take) => {
      /** @type {Proof[]} */
      const proofs = [];
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
      return proofs;
    });
  }

  /**
   * The weights of two states, and the second's less the first's.
   *
   * @param {GivenState} first
   * @param {GivenState} second  with as many queries and keys
   * @returns {Comparison}
   * @throws {EngineError}
   */
  compare(first, second) {
    const states = [...packState(checkedState('first', first)), ...packState(checkedState('second', second))];
    return receiveFrom(this.module, 'comparison', states, (take) => ({
      first: take.tensor(),
      second: take.tensor(),
      difference: take.tensor(),
      largest: take.number(),
    }));
  }

  /**
   * The softmax Jacobian of the highlighted row, ∂aⱼ/∂sₗ of what was computed, with the divisor √d_k, with none, and
   * with the state's own: diag(a) − aaᵀ where nothing is broken.
   *
   * @param {GivenState} [state]
   * @returns {Jacobians}
   * @throws {EngineError}
   */
  jacobians(state = {}) {
    return receiveFrom(this.module, 'jacobians', packState(checkedState('state', state)), (take) => ({
      scaled: take.tensor(),
      unscaled: take.tensor(),
      own: take.tensor(),
      scaledNorm: take.number(),
      unscaledNorm: take.number(),
      ownNorm: take.number(),
    }));
  }

  /**
   * What `lesson` says of the same state at every dK from 2 to 64, divided by √d_k and not divided. Neither the state's
   * own dK nor its divisor has a part in it; without projections dModel goes along. The preset four-token has one width,
   * and its lists are empty.
   *
   * @param {GivenState} [state]
   * @returns {Widths}
   * @throws {EngineError}
   */
  widths(state = {}) {
    return receiveFrom(this.module, 'widths', packState(checkedState('state', state)), (take) => {
      const { data, shape } = take.tensor();
      const column = (/** @type {number} */ at) => Array.from({ length: shape[0] }, (_, row) => data[5 * row + at]);
      const figures = (/** @type {number} */ at) => ({ spread: column(at), peak: column(at + 1) });
      return { dK: column(0), sqrt: figures(1), none: figures(3) };
    });
  }

  /**
   * The upper 53 bits of a text's FNV-1a hash over its UTF-8 bytes.
   *
   * @param {string} text
   * @returns {number} whole, below 2⁵³
   */
  checksum(text) {
    return receiveFrom(this.module, 'checksum', packTexts([text]).slice(1), (take) => take.number());
  }

  /**
   * Gradient descent on the state's own matrices. The task: each position hands over the value of the token before it;
   * the loss is the mean squared error. Steps can be taken in several calls, each going on from what the last trained.
   *
   * @param {GivenState} [state]
   * @param {TrainingOptions} [options]
   * @returns {Training}
   * @throws {EngineError}
   */
  train(state = {}, options = {}) {
    const numbers = [...packState(checkedState('state', state)), ...packTraining(options)];
    return receiveFrom(this.module, 'train', numbers, (take) => ({
      points: Array.from({ length: take.number() }, () => unpackPoint(take)),
      stoppedAt: take.numberOrNull(),
      trained: { Wq: take.tensor(), Wk: take.tensor(), Wv: take.tensor(), ...unpackBiases(take) },
      masked: take.tensor(),
      weights: take.tensor(),
    }));
  }

  /**
   * The gradients of the training task's loss at a state.
   *
   * @param {GivenState} [state]
   * @returns {TaskGradients}
   * @throws {EngineError}
   */
  taskGradients(state = {}) {
    return receiveFrom(this.module, 'taskGradients', packState(checkedState('state', state)), (take) => ({
      ...unpackPoint(take),
      scores: take.tensor(),
      largestScore: take.number(),
      scoresNorm: take.number(),
      shares: take.numbers(),
    }));
  }

  /**
   * How the spread of q·k grows with d_k, over many seeds.
   *
   * @param {SampleOptions & {firstSeed?: number, seeds?: number}} [options]
   * @returns {Statistics}
   * @throws {EngineError}
   */
  statistics(options = {}) {
    requireKeys('options', options, ['firstSeed', 'seeds', ...samplingNames]);
    const { firstSeed = 0, seeds = 200, ...sampling } = options;
    return this.summarise(sampling, [this.sample(sampling, firstSeed, seeds)]);
  }

  /**
   * A slice of a long run: `summarise` takes the slices in order.
   *
   * @param {SampleOptions} options
   * @param {number} firstSeed
   * @param {number} seeds
   * @param {Sample} [before]
   * @returns {Sample}
   * @throws {EngineError}
   */
  sample(options, firstSeed, seeds, before) {
    requireSeeds(firstSeed, seeds);
    const { packed, largestDK } = packSampling(options);
    const sums = sumsBefore(before, largestDK);
    return receiveFrom(this.module, 'sample', [...packed, firstSeed, seeds, ...sums], (take) => ({
      spread: take.tensor(),
      sums: take.rest(),
    }));
  }

  /**
   * @param {SampleOptions} options
   * @param {Sample[]} samples  in order, at least one
   * @returns {Statistics}
   * @throws {EngineError}
   */
  summarise(options, samples) {
    const { packed, largestDK } = packSampling(options);
    const seeds = requireSamples(samples, largestDK);
    const head = [...packed, ...samples[samples.length - 1].sums, seeds, largestDK];
    const numbers = makeNumbers(head.length + seeds * largestDK);
    numbers.set(head);
    let next = head.length;
    for (const { spread } of samples) {
      numbers.set(spread.data, next);
      next += spread.data.length;
    }
    return receiveFrom(this.module, 'summarise', numbers, (take) => {
      const table = (/** @type {readonly string[]} */ names) =>
        Object.fromEntries(names.map((name) => [name, Array(0)]));
      const parts = { unscaled: table(spreadFigures), scaled: table(spreadFigures), variances: table(varianceNames) };
      const dK = Array.from({ length: largestDK }, (_, index) => index + 1);
      for (const _ of dK) {
        for (const columns of Object.values(parts)) {
          for (const column of Object.values(columns)) {
            column.push(take.number());
          }
        }
      }
      return /** @type {Statistics} */ (/** @type {unknown} */ ({ dK, seeds, ...parts }));
    });
  }
}
