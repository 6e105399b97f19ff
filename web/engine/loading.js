// Starts a WebAssembly module, in a page or in Node.

import { EngineError } from './engine-error.js';
import { moduleBytes } from './module-bytes.js';

/** The smallest WebAssembly module: nothing but its head. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** One function of 128-bit SIMD, `i8x16.popcnt(i8x16.splat(0))`, after the head. */
const simdModule = Uint8Array.of(
  ...[...emptyModule, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 0x41, 0, 0xfd, 15, 0xfd, 98, 11],
);

/** Why a browser compiles no WebAssembly at all, or null. A module's own start could not tell. */
function refusal() {
  if (globalThis.WebAssembly === undefined) {
    return '(this browser has none, or it is turned off)';
  }
  try {
    new WebAssembly.Module(emptyModule);
    return null;
  } catch (reason) {
    const said = messageOf(reason);
    const isPolicy = /content.security.policy|\bCSP\b/i.test(said);
    return isPolicy ? `(${said}); a Content-Security-Policy must allow 'wasm-unsafe-eval'` : `(${said})`;
  }
}

/** @param {unknown} reason */
const messageOf = (reason) => (reason instanceof Error ? reason.message : String(reason));

/**
 * A function that starts a module when it is first called, and gives the same one ever after.
 *
 * @template Module, Started
 * @param {string} packed  the module's bytes: base64 of a zlib stream
 * @param {(options: {wasm: ArrayBuffer}) => Promise<Module>} create  the generated module
 * @param {(module: Module) => Started} wrap
 * @returns {() => Promise<Started>}  fails with an EngineError that says what was asked for and what came; a later call
 *   tries again
 */
export function memoisedStart(packed, create, wrap) {
  /** @type {Promise<Started> | undefined} */
  let starting;
  let isAgain = false;
  const start = async () => {
    const refused = refusal();
    if (refused !== null) {
      throw new EngineError(`WebAssembly could not start ${refused}`);
    }
    try {
      const { wasm, source } = await moduleBytes(packed, isAgain);
      if (!WebAssembly.validate(wasm)) {
        throw new Error(
          WebAssembly.validate(simdModule) ? `${source} is no whole module` : 'this browser lacks 128-bit SIMD',
        );
      }
      return wrap(await create({ wasm }));
    } catch (reason) {
      throw new EngineError(`WebAssembly could not start (${messageOf(reason)})`);
    }
  };
  return () => {
    starting ??= start().catch((error) => {
      starting = undefined;
      isAgain = true;
      throw error;
    });
    return starting;
  };
}
