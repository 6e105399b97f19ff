// Starts a WebAssembly module, in a page or in Node.

import { EngineError } from './engine-error.js';
import { moduleBytes } from './module-bytes.js';

/** The smallest WebAssembly module: nothing but its head. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/**
 * A function that starts a module when it is first called, and gives the same one ever after.
 *
 * @template Module, Started
 * @param {string} packed  the module's bytes: base64 of a zlib stream
 * @param {(options: {wasm: ArrayBuffer}) => Promise<Module>} create  the generated module
 * @param {(module: Module) => Started} wrap
 * @returns {() => Promise<Started>}  fails with an EngineError if WebAssembly is missing or forbidden; a later call
 *   tries again
 */
export function memoisedStart(packed, create, wrap) {
  /** @type {Promise<Started> | undefined} */
  let starting;
  const start = async () => {
    try {
      // The module's own start cannot tell of a failure, so what may forbid it is asked first.
      new WebAssembly.Module(emptyModule);
      const wasm = await moduleBytes(packed);
      if (!WebAssembly.validate(wasm)) {
        throw new Error('this browser lacks 128-bit SIMD');
      }
      return wrap(await create({ wasm }));
    } catch (reason) {
      throw new EngineError(
        `WebAssembly could not start (${reason instanceof Error ? reason.message : reason}); ` +
          "a Content-Security-Policy must allow 'wasm-unsafe-eval'",
      );
    }
  };
  return () => {
    starting ??= start().catch((error) => {
      starting = undefined;
      throw error;
    });
    return starting;
  };
}
