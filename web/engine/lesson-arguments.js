// What is asked of the arguments of a lesson engine's calls before they cross, and how their options are packed.

import { packTexts } from './crossing/packing.js';
import { describe, EngineError, requireObject } from './engine-error.js';
import { completeState, findProblem, keysOf, settingNames, settings } from './lesson-state.js';
import { withoutProjections } from './own-matrices.js';

/** @typedef {import('./lesson-engine.js').LessonResult} LessonResult */
/** @typedef {import('./lesson-engine.js').Sample} Sample */
/** @typedef {import('./lesson-engine.js').SampleOptions} SampleOptions */
/** @typedef {import('./lesson-engine.js').TrainingOptions} TrainingOptions */
/** @typedef {import('./lesson-engine.js').Tensor<Float64Array>} Matrix */
/** @typedef {import('./lesson-state.js').LessonState} LessonState */

/** Of one run. */
const mostSeeds = 10_000;
const mostSteps = 10_000;

/** What the core sums up at one width. */
const sumsOfWidth = 14;

export const samplingNames = ['tokens', 'dModel', 'largestDK'];

const matrixNames = /** @type {const} */ (['Wq', 'Wk', 'Wv', 'bq', 'bk', 'bv']);

const noBias = { data: new Float64Array(0), shape: [0, 0] };

const trainedMatrices = ['queryAndKey', 'value', 'all'];

/** @param {number} firstSeed @param {number} seeds */
export function requireSeeds(firstSeed, seeds) {
  requireWhole('firstSeed', firstSeed, 0, settings.seed.most);
  requireWhole('seeds', seeds, 1, mostSeeds);
}

/**
 * @param {Sample[]} samples  in order, at least one
 * @param {number} largestDK
 * @returns {number} of the seeds in them
 */
export function requireSamples(samples, largestDK) {
  const isList = Array.isArray(samples) && samples.length > 0;
  requireThat(isList, 'samples', samples, 'must hold at least one sample');
  let seeds = 0;
  for (let index = 0; index < samples.length; index++) {
    sumsOf(`samples[${index}]`, samples[index], largestDK);
    seeds += requireTable(`samples[${index}].spread`, samples[index].spread, [null, largestDK]);
  }
  return seeds;
}

/**
 * What a sample goes on from.
 *
 * @param {Sample | undefined} before
 * @param {number} largestDK
 */
export function sumsBefore(before, largestDK) {
  return before === undefined ? new Float64Array(sumsOfWidth * largestDK) : sumsOf('before', before, largestDK);
}

/**
 * The sums of a sample that was taken up to that width.
 *
 * @param {string} argument
 * @param {Sample} sample
 * @param {number} largestDK
 */
function sumsOf(argument, sample, largestDK) {
  requireObject(argument, sample);
  const { sums } = sample;
  requireNumbers(`${argument}.sums`, sums, sumsOfWidth * largestDK);
  return sums;
}

/** @param {string} argument @param {unknown} numbers @param {number} count */
function requireNumbers(argument, numbers, count) {
  requireThat(numbers instanceof Float64Array, argument, numbers, 'must be Float64Array');
  requireCount(argument, /** @type {Float64Array} */ (numbers), count);
}

/** @param {string} argument @param {{length: number}} list @param {number} count */
function requireCount(argument, { length }, count) {
  if (length !== count) {
    throw new EngineError({ argument, found: `holds ${length} numbers`, expected: `must hold ${count}` });
  }
}

/**
 * @param {string} argument
 * @param {unknown} table
 * @param {[number | null, number]} lengths  null for any from 1 on
 * @returns {number} of its rows
 */
function requireTable(argument, table, [rows, columns]) {
  requireObject(argument, table);
  const { data, shape } = /** @type {{data: any, shape: any}} */ (table);
  const isShape = Array.isArray(shape) && shape.length === 2 && shape.every(Number.isInteger);
  requireThat(isShape, `${argument}.shape`, shape, 'must be two lengths');
  if (shape[1] !== columns || (rows === null ? shape[0] < 1 : shape[0] !== rows)) {
    const found = `has shape (${shape.join(', ')})`;
    throw new EngineError({ argument, found, expected: `must have shape (${rows ?? 'seeds'}, ${columns})` });
  }
  requireNumbers(`${argument}.data`, data, shape[0] * columns);
  return shape[0];
}

/**
 * That a lesson is of the shapes that a state asks for, as far as a worksheet needs it.
 *
 * @param {LessonResult} result
 * @param {LessonState} state  whole
 */
export function requireLesson(result, { tokens, context, dModel, dK, dV, row, softmaxAxis }) {
  requireObject('result', result);
  const lesson = result.head ?? result;
  requireObject('result.head', lesson);
  const n = tokens.length;
  if (row >= n) {
    throw new EngineError({
      argument: 'row',
      found: `is ${row}`,
      expected: `must be a whole number from 0 to ${n - 1}`,
    });
  }
  const keys = keysOf({ tokens, context }).length;
  /** @type {[keyof LessonResult, number, number][]} */
  const shapes = [
    ['X', n, dModel],
    ['Q', n, dK],
    ['K', keys, dK],
    ['V', keys, dV ?? dK],
    ['masked', n, keys],
    ['weights', n, keys],
  ];
  if (context.length > 0) {
    shapes.push(['context', keys, dModel]);
  }
  for (const [name, rows, columns] of shapes) {
    requireTable(`result.${name}`, lesson[name], [rows, columns]);
  }
  for (const name of /** @type {const} */ (['reference', 'total'])) {
    requireThat(Array.isArray(lesson[name]), `result.${name}`, lesson[name], 'must be an array of numbers');
    requireCount(`result.${name}`, lesson[name], softmaxAxis === 'keys' ? n : keys);
  }
}

/** @param {SampleOptions} options */
export function packSampling(options) {
  requireKeys('options', options, samplingNames);
  const { largestDK = 64, ...state } = options;
  const { tokens, dModel } = checkedState('options', state);
  requireWhole('largestDK', largestDK, 1, settings.dK.most);
  return { packed: [...packTexts(tokens), dModel, largestDK], largestDK };
}

/**
 * A run's options in the order of bindings/training.cpp.
 *
 * @param {TrainingOptions} options
 */
export function packTraining(options) {
  requireKeys('options', options, ['steps', 'learningRate', 'matrices', 'start']);
  const { steps = 200, learningRate = 1.5, matrices = 'queryAndKey', start } = options;
  const choice = trainedMatrices.indexOf(matrices);
  requireWhole('steps', steps, 0, mostSteps);
  requireThat(typeof learningRate === 'number', 'learningRate', learningRate, 'must be a positive number');
  requireThat(choice !== -1, 'matrices', matrices, `must be ${trainedMatrices.join(' or ')}`);
  if (start !== undefined) {
    requireObject('start', start);
  }
  const packed =
    start === undefined
      ? []
      : matrixNames.flatMap((name) =>
          packMatrix(`start.${name}`, start[name] ?? (name[0] === 'b' ? noBias : undefined)),
        );
  return [steps, learningRate, choice, Number(start !== undefined), ...packed];
}

/**
 * Two lengths and so many entries: the core takes them at their word.
 *
 * @param {string} argument
 * @param {Matrix | undefined} matrix
 */
function packMatrix(argument, matrix) {
  requireObject(argument, matrix);
  const { data, shape } = /** @type {Matrix} */ (matrix);
  requireThat(data instanceof Float64Array, `${argument}.data`, data, 'must be Float64Array');
  const isShape = Array.isArray(shape) && shape.length === 2 && shape.every((length) => Number.isInteger(length));
  const fits = isShape && shape[0] >= 0 && shape[0] * shape[1] === data.length;
  requireThat(fits, `${argument}.shape`, shape, `must be two lengths for ${data.length} numbers`);
  return [...shape, ...data];
}

/** @param {string} argument @param {unknown} value @param {number} least @param {number} most */
function requireWhole(argument, value, least, most) {
  const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  requireThat(fits, argument, value, `must be a whole number from ${least} to ${most}`);
}

/** @type {(argument: string, value: unknown, names: readonly string[]) => asserts value is object} */
export function requireKeys(argument, value, names) {
  requireObject(argument, value);
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new EngineError({ argument, found: `has a key ${describe(unknown)}`, expected: 'no setting has that name' });
  }
}

/** @param {boolean} holds @param {string} argument @param {unknown} value @param {string} expected */
function requireThat(holds, argument, value, expected) {
  if (!holds) {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected });
  }
}

/**
 * A whole state, or a sentence about what is wrong with it.
 *
 * @param {string} argument
 * @param {import('./lesson-engine.js').GivenState} state
 */
export function checkedState(argument, state) {
  requireKeys(argument, state, [...settingNames, 'Q', 'K', 'V']);
  const whole = completeState(withoutProjections(state));
  const problem = findProblem(whole);
  if (problem !== null) {
    throw new EngineError(problem);
  }
  return whole;
}
