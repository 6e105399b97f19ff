// The whole engine, for programs: lessons, and attention on tensors of the caller's own. Its WebAssembly is the widget's
// core again, built for speed, with the functions that the widget has no use for.

import packedModule from '#engine/bytes';
import createModule from '#engine/module';
import { AttentionMemory } from './attention/memory.js';
import { EngineError } from './engine-error.js';
import { restartable } from './instance.js';
import { LessonEngine } from './lesson-engine.js';
import { memoisedStart } from './loading.js';

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
  #memory = new AttentionMemory(this.module);

  /**
   * softmax(mask(QKᵀ · scale)) V, for each head of each batch.
   *
   * @param {import('./attention/options.js').AttentionOptions} options
   * @returns {import('./attention/options.js').AttentionResult}
   * @throws {EngineError}
   */
  attention(options) {
    return this.#memory.attention(options);
  }

  /**
   * The backward pass: how much a loss changes with each number that went into attention, given how much it changes
   * with each of the output.
   *
   * @param {import('./attention/options.js').GradientOptions} options
   * @returns {import('./attention/options.js').Gradients}
   * @throws {EngineError}
   */
  gradients(options) {
    return this.#memory.gradients(options);
  }
}

/**
 * The engine. One WebAssembly instance serves the whole program, however often this is called.
 */
export const loadEngine = memoisedStart(packedModule, restartable(createModule), (module) => new Engine(module));
