// A WebAssembly instance that is replaced by a fresh one where a call ended half-way: nothing freed what that call held.
// Between calls nothing of the caller's lies in an instance, so that the fresh one goes on as if nothing had been.

import { EngineError } from './engine-error.js';

/** What an instance's memory can have at most. */
const mostBytes = 0x7fffffff;

/**
 * Wraps the function that creates a module, so that the module can start again.
 *
 * @template {object} Module
 * @param {(options: {wasm: any}) => Promise<Module>} create
 * @returns {(options: {wasm: ArrayBuffer}) => Promise<Module>}
 */
export function restartable(create) {
  return async ({ wasm }) => {
    const module = /** @type {any} */ (await create({ wasm }));
    let isStarting = false;
    const refuse = () => {
      if (!isStarting) {
        module.restart();
      }
      throw new EngineError('The engine starts again after a call that its memory had no room for; call once more');
    };
    module.restart = () => {
      /** @type {any} */
      const fresh = { wasm };
      try {
        fresh.wasm = new WebAssembly.Module(wasm);
        create(fresh); // which starts a compiled module before it returns
        Object.assign(module, fresh);
      } catch (reason) {
        for (const name of Object.keys(module)) {
          if (typeof module[name] === 'function' && name !== 'restart') {
            module[name] = refuse;
          }
        }
        // Chromium before 115 starts a module of this size on its main thread only in its own time.
        if (/main thread/.test(String(reason))) {
          isStarting = true;
          fresh.wasm = wasm;
          create(fresh).then(() => {
            isStarting = false;
            Object.assign(module, fresh);
          });
        }
      }
    };
    return module;
  };
}

/** Numbers that JavaScript itself has no room for. */
class Shortage {
  /** @param {number} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }
}

/**
 * Makes room for numbers of JavaScript's own: a RangeError does not say how many there were.
 *
 * @template Data
 * @param {number} bytes
 * @param {() => Data} make
 * @returns {Data}
 * @throws {Shortage}
 */
export function withRoomFor(bytes, make) {
  try {
    return make();
  } catch (error) {
    throw error instanceof RangeError ? new Shortage(bytes) : error;
  }
}

/**
 * So many zeros, of JavaScript's own memory.
 *
 * @param {number} count
 * @throws {EngineError}
 */
export function makeNumbers(count) {
  try {
    return new Float64Array(count);
  } catch {
    throw shortageError(8 * count);
  }
}

/**
 * Runs a call of a module. Where the memory has no room for it, the instance is replaced, and the call made once more:
 * what earlier calls left may have been in its way.
 *
 * @template Argument, Result
 * @param {{restart?(): void}} module
 * @param {(argument: Argument) => Result} call
 * @param {Argument} argument
 * @returns {Result}
 * @throws {EngineError}  if a fresh instance has no room for it either
 */
export function callModule(module, call, argument) {
  try {
    return call(argument);
  } catch (error) {
    if (error instanceof EngineError) {
      throw error;
    }
    module.restart?.();
    if (!isShortage(error)) {
      throw error;
    }
    if (error instanceof Shortage || error.bytes > mostBytes) {
      throw shortageError(error.bytes);
    }
  }
  try {
    return call(argument);
  } catch (error) {
    if (!(error instanceof EngineError)) {
      module.restart?.();
    }
    throw isShortage(error) ? shortageError(error.bytes) : error;
  }
}

/**
 * Refuses bytes that no instance can have, before the call begins.
 *
 * @param {number} bytes
 */
export function requireRoom(bytes) {
  if (bytes > mostBytes) {
    throw shortageError(bytes);
  }
}

/** @param {any} error @returns {error is Shortage | {bytes: number}} what bindings/memory.cpp throws, or the class above */
function isShortage(error) {
  return typeof error?.bytes === 'number';
}

/** @param {number} bytes */
function shortageError(bytes) {
  return new EngineError({
    argument: 'the call',
    found: `needs at least ${bytes} bytes`,
    expected: 'the memory has no room for them',
  });
}
