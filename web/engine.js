// The whole engine, for programs: lessons, and attention on tensors of the caller's own. Its WebAssembly is the widget's
// core again, built for speed, with the functions that the widget has no use for.

import packedModule from '#engine/bytes';
import createModule from '#engine/module';
import { attentionCall, stageNames } from './attention-options.js';
import { EngineError } from './engine-error.js';
import { LessonEngine } from './lesson-engine.js';
import { memoisedStart } from './loading.js';
import { receiveFrom } from './packing.js';

export { EngineError };

/**
 * A row-major array with its shape.
 *
 * @template {Float32Array | Float64Array | Uint8Array} [Data=Float32Array | Float64Array]
 * @typedef {import('./lesson-engine.js').Tensor<Data>} Tensor
 */

/**
 * Computes attention. Get one with {@link loadEngine}.
 *
 * @extends {LessonEngine<import('#engine/module').EngineModule>}
 */
export class Engine extends LessonEngine {
  /**
   * softmax(mask(QKᵀ · scale)) V.
   *
   * @param {import('./attention-options.js').AttentionOptions} options
   * @returns {{output: Tensor, scores?: Tensor, capped?: Tensor, masked?: Tensor, weights?: Tensor}}
   * @throws {EngineError}
   */
  attention(options) {
    const { isDouble, tensors, numbers, returns } = attentionCall(options);
    /** @type {(...packed: any[]) => void} */
    const attention = isDouble ? this.module.attentionFloat64 : this.module.attentionFloat32;
    /** @type {Parameters<typeof receiveFrom<object, any>>[0]} */
    const call = (packed, size, receiver) => attention(...tensors, packed, size, receiver);
    return receiveFrom(call, numbers, (take) => {
      const output = take.tensor();
      const asked = stageNames.filter((stage) => returns.includes(stage));
      return { output, ...Object.fromEntries(asked.map((stage) => [stage, take.tensor()])) };
    });
  }
}

/**
 * The engine. One WebAssembly instance serves the whole program, however often this is called.
 */
export const loadEngine = memoisedStart(packedModule, createModule, (module) => new Engine(module));
