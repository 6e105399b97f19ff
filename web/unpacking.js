// Values as bindings.cpp packs them, read back one by one.

/**
 * Reads values in the order in which bindings.cpp packed them, out of WebAssembly's memory. Whatever it gives is a copy.
 *
 * @template {Float32Array | Float64Array} Data
 */
export class Unpacking {
  #packed;
  #next = 0;

  /** @param {Data} packed */
  constructor(packed) {
    this.#packed = packed;
  }

  hasMore() {
    return this.#next < this.#packed.length;
  }

  number() {
    return this.#packed[this.#next++];
  }

  /** A standard deviation, which is never negative, or null for the −1 that stands for none. */
  numberOrNull() {
    const number = this.number();
    return number < 0 ? null : number;
  }

  numbers() {
    const numbers = [];
    for (let left = this.number(); left > 0; left--) {
      numbers.push(this.number());
    }
    return numbers;
  }

  /** @returns {{data: Data, shape: number[]}} */
  tensor() {
    const shape = [this.number(), this.number()];
    return { data: this.#entries(shape[0] * shape[1]), shape };
  }

  /** @param {number} count */
  #entries(count) {
    this.#next += count;
    return /** @type {Data} */ (this.#packed.slice(this.#next - count, this.#next));
  }
}
