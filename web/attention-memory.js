// The memory that JavaScript and the core share for attention: bindings/attention.cpp is the other side.

import { sizeOf, stageNames } from './attention-options.js';
import { EngineError } from './engine-error.js';
import { problemFrom } from './packing.js';

/** @typedef {import('./attention-options.js').AttentionCall} AttentionCall */
/** @typedef {import('./attention-options.js').AttentionResult} AttentionResult */
/** @typedef {import('./attention-options.js').Gradients} Gradients */
/** @typedef {import('#engine/module').EngineModule} EngineModule */

/** Numbers of a call at most, less its offsets and lengths: addresses and shapes of five tensors, and the options. */
const numbersOfCall = 48;

const mostBytes = 0x7fffffff;

/**
 * Writes calls into WebAssembly's memory and reads results out of it. Views of the memory are kept until it grows.
 */
export class AttentionMemory {
  #module;
  #size = 0;
  #address = 0;
  #bytes = new Uint8Array();
  #float32 = new Float32Array();
  #float64 = new Float64Array();
  #next = 0;

  /** @param {EngineModule} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * @param {AttentionCall} call
   * @returns {AttentionResult}
   * @throws {EngineError}  if the core refuses the call
   */
  attention(call) {
    this.#compute(call, call.isDouble ? this.#module.attentionFloat64 : this.#module.attentionFloat32);
    const { take, outputShape, stageShape } = this.#results(call);
    /** @type {AttentionResult} */
    const result = { output: take(outputShape) };
    for (const stage of stageNames) {
      if (call.returns.includes(stage)) {
        result[stage] = take(stageShape);
      }
    }
    return result;
  }

  /**
   * @param {AttentionCall & {outputGradient: import('./attention-options.js').Tensor}} call
   * @returns {Gradients}
   * @throws {EngineError}  if the core refuses the call
   */
  gradients(call) {
    this.#compute(call, call.isDouble ? this.#module.gradientsFloat64 : this.#module.gradientsFloat32);
    const { take, stageShape } = this.#results(call);
    const [query, key, value] = [call.query, call.key, call.value].map(({ shape }) => take(shape));
    return { query, key, value, scores: take(stageShape) };
  }

  /** @param {AttentionCall} call @param {() => number} run */
  #compute(call, run) {
    this.#write(call);
    if (run() !== 0) {
      throw new EngineError(this.#problem());
    }
    if (this.#float64.length === 0) {
      this.#look(this.#size); // the core's own memory grew
    }
  }

  #problem() {
    /** @type {import('./state.js').Problem | undefined} */
    let problem;
    this.#module.tellProblem({
      refuse(text) {
        problem = problemFrom(text);
      },
    });
    return /** @type {import('./state.js').Problem} */ (/** @type {unknown} */ (problem));
  }

  /** @param {AttentionCall} call */
  #write(call) {
    const { query, key, value, mask, outputGradient, queryOffset, keyLengths } = call;
    const tensors = [query, key, value, mask, outputGradient];
    const offsets = typeof queryOffset === 'number' ? 0 : queryOffset.length;
    const bytes = 8 * (numbersOfCall + offsets + (keyLengths?.length ?? 0));
    this.#reserve(tensors.reduce((sum, tensor) => sum + (tensor ? padded(tensor.data) : 0), bytes));
    this.#next = this.#address / 8;
    let place = this.#address + bytes;
    for (const tensor of tensors) {
      if (tensor === undefined) {
        this.#put(0);
        this.#put(0);
      } else {
        place = this.#putTensor(tensor, place);
      }
    }
    this.#put(call.scale);
    this.#put(call.softcap);
    this.#put(Number(call.isCausal));
    this.#put(call.leftWindow);
    this.#put(call.rightWindow);
    this.#put(call.heads);
    this.#put(call.keyValueHeads);
    if (typeof queryOffset === 'number') {
      this.#put(-1);
      this.#put(queryOffset);
    } else {
      this.#putList(queryOffset);
    }
    if (keyLengths === undefined) {
      this.#put(-1);
    } else {
      this.#putList(keyLengths);
    }
    this.#put(Number(mask?.data instanceof Uint8Array));
    for (const stage of stageNames) {
      this.#put(Number(call.returns.includes(stage)));
    }
  }

  /**
   * The answer of the core: what takes the results out one after the other, as copies, and the shapes that they have.
   *
   * @param {AttentionCall} call
   */
  #results({ isDouble }) {
    this.#next = this.#address / 8;
    const memory = isDouble ? this.#float64 : this.#float32;
    let place = this.#take() / memory.BYTES_PER_ELEMENT;
    /** @param {number[]} shape */
    const take = (shape) => {
      const start = place;
      place += sizeOf(shape);
      return { data: memory.slice(start, place), shape: [...shape] };
    };
    return { take, outputShape: this.#takeShape(), stageShape: this.#takeShape() };
  }

  /** @param {number} bytes */
  #reserve(bytes) {
    if (bytes > this.#size || this.#float64.length === 0) {
      this.#look(Math.max(bytes, this.#size));
    }
  }

  /** @param {number} bytes  of the block for calls */
  #look(bytes) {
    const view = bytes <= mostBytes ? this.#module.reserveCall(bytes) : null;
    if (view === null) {
      this.#size = 0;
      throw new EngineError({
        argument: 'options',
        found: `holds tensors of ${bytes} bytes`,
        expected: "WebAssembly's memory has no room for them",
      });
    }
    this.#size = bytes;
    this.#address = view.byteOffset;
    this.#bytes = new Uint8Array(view.buffer);
    this.#float32 = new Float32Array(view.buffer);
    this.#float64 = new Float64Array(view.buffer);
  }

  /** @param {number} number */
  #put(number) {
    this.#float64[this.#next++] = number;
  }

  /** @param {number[]} numbers */
  #putList(numbers) {
    this.#put(numbers.length);
    for (const number of numbers) {
      this.#put(number);
    }
  }

  /**
   * Writes a tensor's numbers to an address, and where they are and its shape to the call.
   *
   * @param {import('./attention-options.js').AnyTensor} tensor
   * @param {number} address
   * @returns {number} the address behind it
   */
  #putTensor({ data, shape }, address) {
    const memory =
      data instanceof Float32Array ? this.#float32 : data instanceof Float64Array ? this.#float64 : this.#bytes;
    memory.set(data, address / data.BYTES_PER_ELEMENT);
    this.#put(address);
    this.#putList(shape);
    return address + padded(data);
  }

  #take() {
    return this.#float64[this.#next++];
  }

  #takeShape() {
    const shape = [];
    for (let left = this.#take(); left > 0; left--) {
      shape.push(this.#take());
    }
    return shape;
  }
}

/**
 * How many bytes an array takes where the next one may begin at whole multiples of 8 alone.
 *
 * @param {Float32Array | Float64Array | Uint8Array} data
 */
function padded({ byteLength }) {
  return Math.ceil(byteLength / 8) * 8;
}
