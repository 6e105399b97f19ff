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
 * @property {Stage[]} [returns]  the stages that come back beside the output. Without any, weights below 2⁻⁶⁰ of a row's largest
 *   count as 0, which shows where values are further apart than that; with one, the output is of all weights
 * @property {Tensor} [output]  of the output's type and shape: takes the output, in place of a new tensor. Making one
 *   takes as long as the attention of six tokens
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
 * A call that has been checked: its tensors, and everything else as the numbers that cross to the core.
 *
 * @typedef {ReturnType<typeof attentionCall> & {outputGradient?: Tensor}} AttentionCall
 */

/**
 * A kind of option: what it may be, and the numbers that it crosses as.
 *
 * @typedef {object} Kind
 * @property {(argument: string, value: any) => void} check  throws an EngineError
 * @property {(numbers: number[], value: any) => void} pack  appends the numbers of a value, or of undefined
 */

/** In the order in which bindings/attention.cpp gives them. */
export const attentionStages = /** @type {const} */ (['scores', 'capped', 'masked', 'weights']);

/** Positions and lengths are whole numbers up to this, either way. */
const mostWhole = 0x7fffffff;

/** @type {Kind} NaN stands for an absent one. */
const finite = {
  check(argument, value) {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be a finite number' });
    }
  },
  pack: (numbers, value) => numbers.push(value ?? Number.NaN),
};

/** @type {Kind} */
const boolean = {
  check(argument, value) {
    if (typeof value !== 'boolean') {
      throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be true or false' });
    }
  },
  pack: (numbers, value) => numbers.push(Number(value)),
};

/** @type {(least: number) => Kind} A whole number; -1 stands for an absent one. */
const wholeFrom = (least) => ({
  check(argument, value) {
    if (!isWhole(value, least)) {
      throw new EngineError({
        argument,
        found: `is ${describe(value)}`,
        expected: `must be a whole number from ${least} to ${mostWhole}`,
      });
    }
  },
  pack: (numbers, value) => numbers.push(value ?? -1),
});

/** @type {(least: number) => Kind} Its length and its entries; -1 stands for an absent one. */
const wholesFrom = (least) => ({
  check(argument, values) {
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
  },
  pack(numbers, values) {
    numbers.push(values === undefined ? -1 : values.length);
    for (let index = 0; index < values?.length; index++) {
      numbers.push(values[index]);
    }
  },
});

const position = wholeFrom(-mostWhole);
const count = wholeFrom(1);
const lengths = wholesFrom(0);
const positions = wholesFrom(-mostWhole);

/** @type {Kind} One number for every batch, which -1 announces, or a list. */
const positionOrPositions = {
  check: (argument, value) => (Array.isArray(value) ? positions : position).check(argument, value),
  pack(numbers, value) {
    if (Array.isArray(value)) {
      positions.pack(numbers, value);
    } else {
      numbers.push(-1, value);
    }
  },
};

/** @type {Kind} For each stage, 1 where it is listed. */
const stages = {
  check(argument, names) {
    const at = Array.isArray(names) ? names.findIndex((name) => !attentionStages.includes(name)) : 0;
    if (!Array.isArray(names) || at !== -1) {
      throw new EngineError({
        argument,
        found: Array.isArray(names) ? `has ${describe(names[at])}` : `is ${describe(names)}`,
        expected: `must list ${attentionStages.join(', ')}`,
      });
    }
  },
  pack(numbers, names) {
    for (const stage of attentionStages) {
      numbers.push(Number(names.includes(stage)));
    }
  },
};

/**
 * Every option that is no tensor: its kind, and its value where it is absent. They are checked and cross in this order,
 * which is that of `options_from` in bindings/attention.cpp.
 */
export const optionTable = {
  scale: [finite, undefined],
  softcap: [finite, 0],
  isCausal: [boolean, false],
  queryOffset: [positionOrPositions, 0],
  leftWindow: [position, -1],
  rightWindow: [position, -1],
  keyLengths: [lengths, undefined],
  heads: [count, undefined],
  keyValueHeads: [count, undefined],
  returns: [stages, /** @type {Stage[]} */ (['weights'])],
};

/**
 * The values of a call's options, inherited ones too, in the order of the table. Written out, as JavaScript engines look
 * up a name that is written out a hundred nanoseconds faster than ten names out of a list.
 *
 * @param {Record<keyof typeof optionTable, unknown>} options
 */
export function optionValues({
  scale,
  softcap,
  isCausal,
  queryOffset,
  leftWindow,
  rightWindow,
  keyLengths,
  heads,
  keyValueHeads,
  returns,
}) {
  return [scale, softcap, isCausal, queryOffset, leftWindow, rightWindow, keyLengths, heads, keyValueHeads, returns];
}

const optionNames = Object.keys(optionTable);
const entries = /** @type {[Kind, unknown][]} */ (Object.values(optionTable));
const kinds = entries.map(([kind]) => kind);
const absentValues = entries.map(([, absent]) => absent);

const sharedNames = ['query', 'key', 'value', 'mask', ...optionNames];
const attentionNames = [...sharedNames, 'output'];
const gradientNames = [...sharedNames, 'outputGradient'];

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
  const { query, key, value, mask, output, returns = optionTable.returns[1] } = options;
  const values = optionValues(/** @type {Record<keyof typeof optionTable, unknown>} */ (options));
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
  /** @type {number[]} */
  const numbers = [];
  for (let at = 0; at < values.length; at++) {
    // Only what is absent has a default: null is a value, and none that an option can have.
    const value = values[at];
    if (value !== undefined) {
      kinds[at].check(optionNames[at], value);
    }
    kinds[at].pack(numbers, value === undefined ? absentValues[at] : value);
  }
  return { isDouble, query, key, value, mask, output, returns: /** @type {Stage[]} */ (returns), numbers };
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

/** @param {unknown} value @param {number} least */
function isWhole(value, least) {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= mostWhole;
}
