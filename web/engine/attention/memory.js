// The memory that JavaScript and the core share for attention: bindings/attention.cpp is the other side.

import { problemFrom } from '../crossing/packing.js';
import { EngineError } from '../engine-error.js';
import { callModule, requireRoom, withRoomFor } from '../instance.js';
import { attentionCall, attentionStages, gradientsCall, sizeOf } from './options.js';
import { AttentionForm } from './repeated-call.js';

/** @typedef {import('./options.js').AttentionCall} AttentionCall */
/** @typedef {import('./options.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./options.js').AttentionResult} AttentionResult */
/** @typedef {import('./options.js').Gradients} Gradients */
/** @typedef {import('./options.js').Tensor} Tensor */
/** @typedef {import('#engine/module').EngineModule} EngineModule */

/**
 * @typedef {object} Repeatable  a call that can be made again with other numbers in its tensors
 * @property {AttentionForm} form
 * @property {boolean} isDouble
 * @property {number} tensors  the place of the first, counted in bytes from the start of the call
 * @property {number} place  of the output
 * @property {number[]} shape  of the output
 */

/** The most numbers that five tensors cross as: an address, a rank and four lengths each, and the type of the mask. */
const numbersOfTensors = 31;

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
  #place = 0;
  /** @type {Repeatable | undefined} of the last call, if that was one of attention */
  #repeatable;

  /** @param {EngineModule} module */
  constructor(module) {
    this.#module = module;
    const { restart } = module;
    module.restart = () => {
      restart?.();
      this.#forget();
    };
  }

  /**
   * @param {AttentionOptions} options
   * @returns {AttentionResult}
   * @throws {EngineError}
   */
  attention(options) {
    return callModule(this.#module, this.#attend, options);
  }

  /**
   * @param {import('./options.js').GradientOptions} options
   * @returns {Gradients}
   * @throws {EngineError}
   */
  gradients(options) {
    return callModule(this.#module, this.#differentiate, options);
  }

  /** @param {AttentionOptions} options @returns {AttentionResult} */
  #attend = (options) => {
    if (this.#repeatable?.form.fits(options) && this.#float64.length > 0) {
      return this.#repeat(options, this.#repeatable);
    }
    const call = attentionCall(options);
    const run = call.isDouble ? this.#module.attentionFloat64 : this.#module.attentionFloat32;
    const outputShape = this.#compute(call, run);
    requireShape(call.output, outputShape);
    const form = AttentionForm.of(options);
    this.#repeatable = form && {
      form,
      isDouble: call.isDouble,
      tensors: bytesBeforeTensors(call),
      place: this.#place,
      shape: [...outputShape],
    };
    /** @type {AttentionResult} */
    const result = { output: this.#takeTensor(call.isDouble, outputShape, call.output) };
    if (call.returns.length > 0) {
      const stageShape = this.#takeShape();
      for (const stage of attentionStages) {
        if (call.returns.includes(stage)) {
          result[stage] = this.#takeTensor(call.isDouble, [...stageShape]);
        }
      }
    }
    return result;
  };

  /** @param {import('./options.js').GradientOptions} options @returns {Gradients} */
  #differentiate = (options) => {
    const call = gradientsCall(options);
    this.#compute(call, call.isDouble ? this.#module.gradientsFloat64 : this.#module.gradientsFloat32);
    const [query, key, value] = [call.query, call.key, call.value].map(({ shape }) =>
      this.#takeTensor(call.isDouble, [...shape]),
    );
    return { query, key, value, scores: this.#takeTensor(call.isDouble, this.#takeShape()) };
  };

  /** Lets go of an instance that is replaced. */
  #forget() {
    this.#size = 0;
    this.#bytes = new Uint8Array();
    this.#float32 = new Float32Array();
    this.#float64 = new Float64Array();
    this.#repeatable = undefined;
  }

  /**
   * A call of the form of the last one: its numbers take the places of that one's.
   *
   * @param {AttentionOptions} options
   * @param {Repeatable} repeatable
   * @returns {AttentionResult}
   */
  #repeat({ query, key, value, output }, { isDouble, tensors, place, shape }) {
    this.#place = this.#address + tensors;
    this.#putNumbers(query);
    this.#putNumbers(key);
    this.#putNumbers(value);
    this.#run(isDouble ? this.#module.attentionAgainFloat64 : this.#module.attentionAgainFloat32);
    this.#place = place;
    return { output: this.#takeTensor(isDouble, [...shape], output) };
  }

  /**
   * @param {AttentionCall} call
   * @param {() => number} run
   * @returns {number[]} the shape of the output; that of a stage is to be taken next
   */
  #compute(call, run) {
    this.#repeatable = undefined;
    this.#write(call);
    this.#run(run);
    this.#next = this.#address / 8;
    this.#place = this.#take();
    return this.#takeShape();
  }

  /** @param {() => number} run  computes what stands in the block */
  #run(run) {
    if (run() !== 0) {
      throw new EngineError(this.#problem());
    }
    if (this.#float64.length === 0) {
      this.#look(this.#size); // the core's own memory grew
    }
  }

  #problem() {
    /** @type {import('../lesson-state.js').Problem | undefined} */
    let problem;
    this.#module.tellProblem({
      refuse(text) {
        problem = problemFrom(text);
      },
    });
    return /** @type {import('../lesson-state.js').Problem} */ (/** @type {unknown} */ (problem));
  }

  /** @param {AttentionCall} call */
  #write(call) {
    const { query, key, value, mask, outputGradient } = call;
    const bytes = bytesBeforeTensors(call);
    this.#reserve(bytes + padded(query) + padded(key) + padded(value) + padded(mask) + padded(outputGradient));
    this.#next = this.#address / 8;
    this.#place = this.#address + bytes;
    this.#putTensor(query);
    this.#putTensor(key);
    this.#putTensor(value);
    this.#putTensor(mask);
    this.#putTensor(outputGradient);
    this.#put(Number(mask?.data instanceof Uint8Array));
    this.#float64.set(call.numbers, this.#next);
  }

  /**
   * A copy of the numbers of a result, behind those of the one before.
   *
   * @param {boolean} isDouble
   * @param {number[]} shape
   * @param {Tensor} [tensor]  of that type and shape, to take them
   * @returns {Tensor}
   */
  #takeTensor(isDouble, shape, tensor) {
    const memory = isDouble ? this.#float64 : this.#float32;
    const start = this.#place / memory.BYTES_PER_ELEMENT;
    const end = start + sizeOf(shape);
    this.#place = end * memory.BYTES_PER_ELEMENT;
    if (tensor === undefined) {
      const bytes = memory.BYTES_PER_ELEMENT * (end - start);
      return { data: withRoomFor(bytes, () => memory.slice(start, end)), shape };
    }
    tensor.data.set(memory.subarray(start, end));
    return tensor;
  }

  /** @param {number} bytes */
  #reserve(bytes) {
    if (bytes > this.#size || this.#float64.length === 0) {
      this.#look(Math.max(bytes, this.#size));
    }
  }

  /** @param {number} bytes  of the block for calls */
  #look(bytes) {
    requireRoom(bytes);
    const view = this.#module.reserveCall(bytes);
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
   * Writes a tensor's numbers behind those of the one before, and where they are and its shape to the call.
   *
   * @param {import('./options.js').AnyTensor | undefined} tensor  undefined is written as rank 0
   */
  #putTensor(tensor) {
    this.#put(this.#place);
    if (tensor === undefined) {
      this.#put(0);
    } else {
      this.#putList(tensor.shape);
      this.#putNumbers(tensor);
    }
  }

  /** @param {import('./options.js').AnyTensor} tensor */
  #putNumbers(tensor) {
    const { data } = tensor;
    if (data instanceof Float32Array) {
      this.#float32.set(data, this.#place / 4);
    } else if (data instanceof Float64Array) {
      this.#float64.set(data, this.#place / 8);
    } else {
      this.#bytes.set(data, this.#place);
    }
    this.#place += padded(tensor);
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
 * @param {Tensor | undefined} output  to take the output, if there is one
 * @param {number[]} shape  of the output
 */
function requireShape(output, shape) {
  if (output !== undefined && output.shape.join() !== shape.join()) {
    throw new EngineError({
      argument: 'output',
      found: `has shape (${output.shape.join(', ')})`,
      expected: `must have shape (${shape.join(', ')})`,
    });
  }
}

/**
 * How many bytes the numbers of a call take, before the numbers in its tensors: whole cache lines of 64.
 *
 * @param {AttentionCall} call
 */
function bytesBeforeTensors({ numbers }) {
  return Math.ceil((numbersOfTensors + numbers.length) / 8) * 64;
}

/**
 * How many bytes a tensor takes where the next one may begin at whole multiples of 8 alone.
 *
 * @param {import('./options.js').AnyTensor | undefined} tensor
 */
function padded(tensor) {
  return tensor === undefined ? 0 : Math.ceil(tensor.data.byteLength / 8) * 8;
}
