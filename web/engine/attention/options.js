// The options of engine.attention and engine.gradients: what each may be, and what it is when nobody says.

import { describe, EngineError, requireObject } from '../engine-error.js';

/** @typedef {import('../engine.js').Tensor} Tensor */
/** @typedef {import('../engine.js').Tensor<Float32Array | Float64Array | Uint8Array>} AnyTensor */
/** @typedef {'scores' | 'capped' | 'masked' | 'weights'} Stage */

/**
 * @typedef {object} AttentionOptions
 * @property {Tensor} query  (n_query, d_k), (batches, n_query, heads · d_k) or (batches, heads, n_query, d_k)
 * @property {Tensor} key  the same with n_key, and keyValueHeads, of which heads is a multiple
 * @property {Tensor} value  as key, with d_v
 * @property {number} [scale]  factor on q·k; 1/√d_k where absent
 * @property {AnyTensor} [mask]  Uint8Array (1 = may look) or float (added to the scores), of rank 1 to 4; its last axes
 *   are those of (batches, heads, n_query, n_key), or 1
 * @property {boolean} [isCausal]  key j is visible to query i where j <= i + queryOffset
 * @property {number | number[]} [queryOffset]  one for all batches, or one for each
 * @property {number} [leftWindow]  keys visible to the left of i + queryOffset; no limit where it is -1
 * @property {number} [rightWindow]  the same to the right
 * @property {number[]} [keyLengths]  valid keys, one number for each batch
 * @property {number} [softcap]  0 for none
 * @property {number} [heads]  in the last axis of query, where it has rank 3; 1 where absent
 * @property {number} [keyValueHeads]  the same of key and value; where absent, as many as are as wide as query's
 * @property {Stage[]} [returns]  the stages that come back beside the output
 * @property {Tensor} [output]  of the output's type and shape: takes the output, in place of a new tensor. To make one
 *   anew takes as long as the attention of six tokens
 */

/**
 * The output has query's rank, a stage the shape (batches, heads, n_query, n_key), or (n_query, n_key) for rank 2.
 *
 * @typedef {{output: Tensor} & Partial<Record<Stage, Tensor>>} AttentionResult
 */

/**
 * The same call, whose `returns` have no part in gradients.
 *
 * @typedef {Omit<AttentionOptions, 'output'> & {outputGradient: Tensor}} GradientOptions  of the output's shape: the
 *   gradient of a loss with respect to each of its entries
 */

/**
 * The loss's gradients: of query, key and value in their own shapes, and of the scores q·k · scale, before softcap and
 * mask, in the shape of a stage.
 *
 * @typedef {Record<'query' | 'key' | 'value' | 'scores', Tensor>} Gradients
 */

/**
 * A call of which every value has the type that it must have. NaN and -1 stand for a scale and heads that are absent.
 *
 * @typedef {ReturnType<typeof attentionCall> & {outputGradient?: Tensor}} AttentionCall
 */

/** In the order in which bindings/attention.cpp gives them. */
export const stageNames = /** @type {const} */ (['scores', 'capped', 'masked', 'weights']);

const sharedNames = [
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
  'heads',
  'keyValueHeads',
  'returns',
];

const attentionNames = [...sharedNames, 'output'];
const gradientNames = [...sharedNames, 'outputGradient'];

/** Positions and lengths are whole numbers up to this, either way. */
const mostWhole = 0x7fffffff;

/** @type {Stage[]} */
const defaultReturns = ['weights'];

/**
 * Checks what WebAssembly would silently bend (−1 to 4294967295, undefined to NaN, "5" to 5) and fills in defaults.
 * What the core finds by itself is left to it.
 *
 * @param {AttentionOptions} options
 * @param {string[]} [names]  the options that there are
 */
export function attentionCall(options, names = attentionNames) {
  requireObject('options', options);
  for (const name in options) {
    if (!names.includes(name)) {
      throw new EngineError({
        argument: 'options',
        found: `has a key ${describe(name)}`,
        expected: 'no option has that name',
      });
    }
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
    heads,
    keyValueHeads,
    returns = defaultReturns,
    output,
  } = options;
  const isDouble = query?.data instanceof Float64Array;
  requireTensor('query', query, isDouble ? Float64Array : Float32Array);
  requireTensor('key', key, isDouble ? Float64Array : Float32Array);
  requireTensor('value', value, isDouble ? Float64Array : Float32Array);
  if (mask !== undefined) {
    requireTensor('mask', mask, isDouble ? Float64Array : Float32Array);
  }
  if (output !== undefined) {
    requireTensor('output', output, isDouble ? Float64Array : Float32Array);
  }
  return {
    isDouble,
    query,
    key,
    value,
    mask,
    scale: scale === undefined ? Number.NaN : number('scale', scale),
    softcap: number('softcap', softcap),
    isCausal: boolean('isCausal', isCausal),
    queryOffset: Array.isArray(queryOffset)
      ? wholes('queryOffset', queryOffset, -mostWhole)
      : whole('queryOffset', queryOffset, -mostWhole),
    leftWindow: whole('leftWindow', leftWindow, -mostWhole),
    rightWindow: whole('rightWindow', rightWindow, -mostWhole),
    keyLengths: keyLengths === undefined ? undefined : wholes('keyLengths', keyLengths, 0),
    heads: heads === undefined ? -1 : whole('heads', heads, 1),
    keyValueHeads: keyValueHeads === undefined ? -1 : whole('keyValueHeads', keyValueHeads, 1),
    returns: stages(returns),
    output,
  };
}

/**
 * @param {GradientOptions} options
 * @returns {AttentionCall & {outputGradient: Tensor}}
 */
export function gradientsCall(options) {
  const call = attentionCall(options, gradientNames);
  const { outputGradient } = options;
  requireTensor('outputGradient', outputGradient, call.isDouble ? Float64Array : Float32Array);
  return { ...call, outputGradient };
}

/** @param {number[]} shape */
export function sizeOf(shape) {
  let size = 1;
  for (const length of shape) {
    size *= length;
  }
  return size;
}

/**
 * @param {string} argument
 * @param {unknown} tensor
 * @param {Float64ArrayConstructor | Float32ArrayConstructor} type  a mask may hold bytes instead
 */
function requireTensor(argument, tensor, type) {
  requireObject(argument, tensor);
  const { data, shape } = /** @type {{data: any, shape: any}} */ (tensor);
  const isMask = argument === 'mask';
  if (!(data instanceof type || (isMask && data instanceof Uint8Array))) {
    const expected =
      argument === 'query'
        ? 'Float32Array or Float64Array'
        : `${isMask ? 'Uint8Array or ' : ''}${type.name}, as query is`;
    throw new EngineError({
      argument: `${argument}.data`,
      found: `is ${data?.constructor?.name ?? describe(data)}`,
      expected: `must be ${expected}`,
    });
  }
  if (!Array.isArray(shape) || !shape.every((length) => Number.isInteger(length) && length >= 0)) {
    throw new EngineError({
      argument: `${argument}.shape`,
      found: `is ${describe(shape)}`,
      expected: 'must be an array of whole numbers',
    });
  }
  if (shape.length < (isMask ? 1 : 2) || shape.length > 4) {
    throw new EngineError({
      argument,
      found: `has shape (${shape.join(', ')})`,
      expected: `must have rank ${isMask ? '1, ' : ''}2, 3 or 4`,
    });
  }
  const size = sizeOf(shape);
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

/** @param {unknown} value @param {number} least */
function isWhole(value, least) {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= mostWhole;
}

/** @param {string} argument @param {unknown} value @param {number} least */
function whole(argument, value, least) {
  if (!isWhole(value, least)) {
    throw new EngineError({
      argument,
      found: `is ${describe(value)}`,
      expected: `must be a whole number from ${least} to ${mostWhole}`,
    });
  }
  return Number(value);
}

/** @param {string} argument @param {unknown} values @param {number} least @returns {number[]} */
function wholes(argument, values, least) {
  if (!Array.isArray(values)) {
    throw new EngineError({
      argument,
      found: `is ${describe(values)}`,
      expected: 'must be an array of whole numbers, one for each batch',
    });
  }
  // Not by `every`, which passes over what an array does not have.
  for (let index = 0; index < values.length; index++) {
    if (!isWhole(values[index], least)) {
      throw new EngineError({
        argument,
        found: `has ${describe(values[index])}`,
        expected: `must hold whole numbers from ${least} to ${mostWhole}`,
      });
    }
  }
  return values;
}

/** @param {string} argument @param {unknown} value */
function boolean(argument, value) {
  if (typeof value !== 'boolean') {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be true or false' });
  }
  return value;
}

/** @param {unknown} names @returns {Stage[]} */
function stages(names) {
  const at = Array.isArray(names) ? names.findIndex((name) => !stageNames.includes(name)) : 0;
  if (!Array.isArray(names) || at !== -1) {
    throw new EngineError({
      argument: 'returns',
      found: Array.isArray(names) ? `has ${describe(names[at])}` : `is ${describe(names)}`,
      expected: `must list ${stageNames.join(', ')}`,
    });
  }
  return names;
}
