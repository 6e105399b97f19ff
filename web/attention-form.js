// The form of a call of engine.attention: all of it but the numbers in its tensors. Programs make calls of one form over
// and over, and to check the options and to write them into WebAssembly's memory takes longer than six tokens' attention.

/** @typedef {import('./attention-options.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./attention-options.js').Tensor} Tensor */

export class AttentionForm {
  /** @type {string[]} */
  #names = [];
  /** @type {unknown[]} */
  #values = [];

  /**
   * The form of options that are in order; none where they hold a mask or a list, which would have to be compared entry
   * by entry, or ask for stages.
   *
   * @param {AttentionOptions} options
   * @returns {AttentionForm | undefined}
   */
  static of(options) {
    const { query, key, value, mask, queryOffset, keyLengths, returns } = options;
    if (mask !== undefined || keyLengths !== undefined || Array.isArray(queryOffset) || returns?.length !== 0) {
      return undefined;
    }
    const form = new AttentionForm();
    const tensors = { query: new TensorForm(query), key: new TensorForm(key), value: new TensorForm(value) };
    for (const [name, known] of Object.entries({ ...options, ...tensors, returns: none })) {
      form.#names.push(name);
      form.#values.push(known);
    }
    return form;
  }

  /**
   * Whether a call has this form. It is then in order, whatever numbers its tensors hold.
   *
   * @param {any} options  perhaps none
   */
  fits(options) {
    let at = 0;
    for (const name in options) {
      if (name !== this.#names[at] || !isAs(options[name], this.#values[at])) {
        return false;
      }
      at++;
    }
    return at === this.#names.length;
  }
}

/** Stands for a list without entries. */
const none = Symbol();

/** @param {any} value  of an option @param {unknown} known  what it must be */
function isAs(value, known) {
  return known instanceof TensorForm
    ? known.fits(value)
    : known === none
      ? Array.isArray(value) && value.length === 0
      : value === known;
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

  /** @param {any} tensor */
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
