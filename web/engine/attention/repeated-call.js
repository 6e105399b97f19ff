// The form of a call of engine.attention: all of it but the numbers in its tensors. Programs make calls of one form over
// and over, and to check the options and to write them into WebAssembly's memory takes longer than six tokens' attention.

import { optionValues } from './options.js';

/** @typedef {import('./options.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./options.js').Tensor} Tensor */

export class AttentionForm {
  /** @type {string[]} */
  #names = [];
  #values;
  #query;
  #key;
  #value;
  #output;

  /**
   * The form of options that are in order; none where they hold a mask or a list, which would have to be compared entry
   * by entry, or ask for stages.
   *
   * @param {any} options
   * @returns {AttentionForm | undefined}
   */
  static of(options) {
    const values = optionValues(options);
    const isPlain = values.every((value) => typeof value !== 'object' || isEmptyList(value));
    return isPlain && options.mask === undefined && isEmptyList(options.returns)
      ? new AttentionForm(options, values)
      : undefined;
  }

  /** @param {AttentionOptions} options @param {unknown[]} values */
  constructor(options, values) {
    for (const name in options) {
      this.#names.push(name);
    }
    this.#values = values;
    this.#query = new TensorForm(options.query);
    this.#key = new TensorForm(options.key);
    this.#value = new TensorForm(options.value);
    this.#output = options.output && new TensorForm(options.output);
  }

  /**
   * Whether a call has this form. It is then in order, whatever numbers its tensors hold.
   *
   * @param {any} options  anything at all
   */
  fits(options) {
    if (typeof options !== 'object' || options === null) {
      return false;
    }
    let at = 0;
    for (const name in options) {
      if (name !== this.#names[at++]) {
        return false;
      }
    }
    return (
      at === this.#names.length &&
      this.#hasValues(optionValues(options)) &&
      options.mask === undefined &&
      this.#query.fits(options.query) &&
      this.#key.fits(options.key) &&
      this.#value.fits(options.value) &&
      (this.#output === undefined ? options.output === undefined : this.#output.fits(options.output))
    );
  }

  /** @param {unknown[]} values */
  #hasValues(values) {
    const known = this.#values;
    for (let at = 0; at < values.length; at++) {
      // An empty list stands for any other. It may have grown since the last call.
      const isList = typeof known[at] === 'object';
      if (isList ? !isEmptyList(values[at]) : values[at] !== known[at]) {
        return false;
      }
    }
    return true;
  }
}

/** @param {unknown} value */
function isEmptyList(value) {
  return Array.isArray(value) && value.length === 0;
}

class TensorForm {
  #isDouble;
  #size;
  #shape;

  /** @param {Tensor} tensor */
  constructor({ data, shape }) {
    this.#isDouble = data instanceof Float64Array;
    this.#size = data.length;
    this.#shape = [...shape];
  }

  /** @param {any} tensor  anything at all */
  fits(tensor) {
    const { data, shape } = tensor ?? {};
    const isOfType = this.#isDouble ? data instanceof Float64Array : data instanceof Float32Array;
    if (!isOfType || data.length !== this.#size || !Array.isArray(shape) || shape.length !== this.#shape.length) {
      return false;
    }
    for (let axis = 0; axis < shape.length; axis++) {
      if (shape[axis] !== this.#shape[axis]) {
        return false;
      }
    }
    return true;
  }
}
