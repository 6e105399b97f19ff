// What the core gives, unpacked: lessons, their figures, and the points of a run.

import { gradientStates, softmaxStates } from '../settings.generated.js';

/** @typedef {import('./packing.js').Unpacking} Unpacking */

/**
 * @template {object} Lesson
 * @param {Lesson} lesson
 * @returns {Lesson & {shapes: Record<string, number[]>}}
 */
export function withShapes(lesson) {
  const tensors = Object.entries(lesson).filter(([name, { shape }]) => shape !== undefined && name !== 'visible');
  return { ...lesson, shapes: Object.fromEntries(tensors.map(([name, { shape }]) => [name, [...shape]])) };
}

/**
 * The order is the one in which bindings/lesson.cpp packs.
 *
 * @param {Unpacking} take
 * @param {import('../lesson-state.js').LessonState} state
 * @returns {import('../lesson-engine.js').LessonResult}
 */
export function unpackLesson(take, { tokens, context, padding }) {
  const projected = {
    X: take.tensor(),
    Wq: take.tensor(),
    Wk: take.tensor(),
    Wv: take.tensor(),
    Q: take.tensor(),
    K: take.tensor(),
    V: take.tensor(),
  };
  const embedded = take.tensor();
  const biases = unpackBiases(take);
  const words = [...tokens];
  const lines = { reference: take.numbers(), total: take.numbers() };
  const stages = {
    scores: take.tensor(),
    scaled: take.tensor(),
    masked: take.tensor(),
    weights: take.tensor(),
    output: take.tensor(),
  };
  const visible = take.tensor();
  return withShapes({
    tokens: words,
    keyTokens: context.length > 0 ? [...context] : words,
    padding,
    ...projected,
    ...biases,
    ...(context.length > 0 && { context: embedded }),
    ...stages,
    visible: { data: Uint8Array.from(visible.data), shape: visible.shape },
    ...lines,
    metrics: { ...unpackMetrics(take), spread: take.number(), expectedSpread: take.numberOrNull() },
    divisor: take.number(),
    worksheet: unpackWorksheet(take),
  });
}

/** The biases that there are. @param {Unpacking} take @returns {import('../lesson-engine.js').Biases} */
export function unpackBiases(take) {
  return Object.fromEntries(
    ['bq', 'bk', 'bv'].flatMap((name) => {
      const bias = take.tensor();
      return bias.data.length > 0 ? [[name, bias]] : [];
    }),
  );
}

/** @param {Unpacking} take @returns {Omit<import('../lesson-engine.js').Metrics, 'spread' | 'expectedSpread'>} */
export function unpackMetrics(take) {
  return {
    peak: take.numbers(),
    entropy: take.numbers(),
    maximumEntropy: take.numbers(),
    jacobian: take.numbers(),
    rowSum: take.numbers(),
    state: take.numbers().map((state) => softmaxStates[state]),
    gradient: take.numbers().map((state) => gradientStates[state]),
  };
}

/** @param {Unpacking} take @returns {import('../lesson-engine.js').Worksheet} */
export function unpackWorksheet(take) {
  return {
    products: take.tensor(),
    subtracted: take.numbers(),
    shifted: take.numbers(),
    exponentials: take.numbers(),
    totals: take.numbers(),
    contributions: take.tensor(),
  };
}

/** @param {Unpacking} take @returns {import('../lesson-engine.js').TrainingPoint} */
export function unpackPoint(take) {
  return {
    loss: take.number(),
    WqNorm: take.number(),
    WkNorm: take.number(),
    WvNorm: take.number(),
    trainedNorm: take.number(),
    meanJacobian: take.number(),
    largestJacobian: take.number(),
  };
}
