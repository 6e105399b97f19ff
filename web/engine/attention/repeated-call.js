// The form of a call of engine.attention: all of it but the numbers in its tensors. Programs make calls of one form over
// and over, and to check the options and to write them into WebAssembly's memory takes longer than six tokens' attention.

/** @typedef {import('./options.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./options.js').Tensor} Tensor */

export class AttentionForm {
  /** @type {string[]} */
  #names = [];
  #options;
  #query;
  #key;
  #value;
  #output;

  /**
   * The form of options that are in order; none where they hold a mask or a list, which would have to be compared entry
   * by entry, or ask for stages.
   *
   * @param {AttentionOptions} options
   * @returns {AttentionForm | undefined}
   */
  static of(options) {
    const { mask, queryOffset, keyLengths, returns } = options;
    const isPlain = mask === undefined && keyLengths === undefined && !Array.isArray(queryOffset);
    return isPlain && returns?.length === 0 ? new AttentionForm(options) : undefined;
  }

  /** @param {AttentionOptions} options */
  constructor(options) {
    for (const name in options) {
      this.#names.push(name);
    }
    const { scale, softcap, isCausal, queryOffset, leftWindow, rightWindow, heads, keyValueHeads } = options;
    this.#options = { scale, softcap, isCausal, queryOffset, leftWindow, rightWindow, heads, keyValueHeads };
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
    const known = this.#options;
    return (
      at === this.#names.length &&
      options.scale === known.scale &&
      options.softcap === known.softcap &&
      options.isCausal === known.isCausal &&
      options.queryOffset === known.queryOffset &&
      options.leftWindow === known.leftWindow &&
      options.rightWindow === known.rightWindow &&
      options.heads === known.heads &&
      options.keyValueHeads === known.keyValueHeads &&
      options.mask === undefined &&
      options.keyLengths === undefined &&
      Array.isArray(options.returns) &&
      options.returns.length === 0 &&
      this.#query.fits(options.query) &&
      this.#key.fits(options.key) &&
      this.#value.fits(options.value) &&
      (this.#output === undefined ? options.output === undefined : this.#output.fits(options.output))
    );
  }
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
