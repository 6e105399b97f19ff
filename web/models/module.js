// The core's layer norm and projections, compiled to a module of their own: the numbers of a trained layer come from the core,
// as all others do, and lie in the module's memory.

import packed from '#model/bytes';
import { EngineError } from '../engine/engine-error.js';
import { moduleBytes } from '../engine/module-bytes.js';

/**
 * @typedef {object} Core
 * @property {(count: number) => number} take  an address with room for so many numbers, all 0
 * @property {(address: number, count: number) => Float64Array} numbers  those at an address; of no use after the next `take`
 * @property {(count: number, addend: number, sum: number) => void} add  numbers at one address to those at another
 * @property {(x: number, tokens: number, dModel: number, gain: number, bias: number, epsilon: number, mean: number, variance: number) => void} normalise
 * @property {(x: number, tokens: number, dModel: number, weight: number, bias: number, width: number, y: number) => void} project
 * @property {() => number} memory  bytes
 */

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** A module of its own for each model, so that its memory goes with it. @returns {Promise<Core>} */
export async function loadCore() {
  compiled ??= moduleBytes(packed, false).then(({ wasm }) => WebAssembly.compile(wasm));
  const imports = {
    env: { emscripten_notify_memory_growth() {} },
    wasi_snapshot_preview1: { proc_exit() {}, fd_close() {}, fd_write() {}, fd_seek() {} },
  };
  const { exports } = await WebAssembly.instantiate(await compiled, imports);
  const { memory, take_numbers, add_numbers, normalise, project, _initialize } = /** @type {any} */ (exports);
  _initialize?.();
  return {
    take(count) {
      const address = take_numbers(count);
      if (address === 0) {
        throw new EngineError({
          argument: 'memory',
          found: `has no room for ${count} numbers more`,
          expected: 'the layer and the sentence must fit beside each other',
        });
      }
      return address;
    },
    numbers: (address, count) => new Float64Array(memory.buffer, address, count),
    add: add_numbers,
    normalise(...parts) {
      const problem = normalise(...parts);
      if (problem !== 0) {
        const bytes = new Uint8Array(memory.buffer, problem);
        const [argument, found, expected] = new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))).split('\n');
        throw new EngineError({ argument, found, expected });
      }
    },
    project,
    memory: () => memory.buffer.byteLength,
  };
}
