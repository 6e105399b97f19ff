// The options of engine.attention: what each may be, and what it is when nobody says.

import { EngineError, requireObject } from './engine-error.js';
import { describe } from './state.js';

/** @typedef {import('./engine.js').Tensor} Tensor */

/**
 * @typedef {object} AttentionOptions
 * @property {Tensor} query  (n_query, d_k)
 * @property {Tensor} key  (n_key, d_k)
 * @property {Tensor} value  (n_key, d_v)
 * @property {number} [scale]  factor on q·k; 1/√d_k where absent
 * @property {import('./engine.js').Tensor<any>} [mask]  Uint8Array (1 = may look) or float (added to the scores)
 * @property {boolean} [isCausal]
 * @property {number} [queryOffset]
 * @property {number} [leftWindow]  no limit where it is -1
 * @property {number} [rightWindow]  no limit where it is -1
 * @property {number[]} [keyLengths]  valid keys, one entry for each batch
 * @property {number} [softcap]  0 for none
 * @property {('scores' | 'capped' | 'masked' | 'weights')[]} [returns]
 */

/** In the order in which bindings/attention.cpp packs them. */
export const stageNames = /** @type {const} */ (['scores', 'capped', 'masked', 'weights']);

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
export function attentionCall(options) {
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
    tensors: /** @type {const} */ ([query.data, key.data, value.data, mask?.data]),
    numbers: [
      ...query.shape,
      ...key.shape,
      ...value.shape,
      scale === undefined ? Number.NaN : number('scale', scale),
      number('softcap', softcap),
      Number(boolean('isCausal', isCausal)),
      whole('queryOffset', queryOffset),
      whole('leftWindow', leftWindow),
      whole('rightWindow', rightWindow),
      keyLengths === undefined ? -1 : keyLength(keyLengths, key.shape[0]),
      ...packedMask(mask),
      ...stageNames.map((stage) => Number(stages(returns).includes(stage))),
    ],
    returns,
  };
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
  return Number(value);
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
 * The kind of a mask in the order of bindings/attention.cpp, and its shape.
 *
 * @param {import('./engine.js').Tensor<any>} [mask]
 */
function packedMask(mask) {
  return mask === undefined ? [0] : [mask.data instanceof Uint8Array ? 1 : 2, ...[1, 1, ...mask.shape].slice(-2)];
}

/** @param {unknown} names @returns {string[]} */
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
