// Values as they cross between JavaScript and the core: bindings/packing.hpp is the other side.

import { EngineError } from '../engine-error.js';
import { callModule, requireRoom, withRoomFor } from '../instance.js';
import { lessonSettingNames, settings } from '../lesson-state.js';
import { matrixNames } from '../own-matrices.js';

/** @typedef {import('../lesson-state.js').LessonState} LessonState */
/** @typedef {import('../lesson-state.js').Problem} Problem */

/**
 * What the core computes from, in the order of its table: choices by their place, texts as the lengths and bytes of their
 * UTF-8, a matrix with its lengths before it, edits with their count.
 *
 * @param {LessonState} state
 * @returns {number[]}
 */
export function packState(state) {
  return lessonSettingNames.flatMap((name) => {
    /** @type {import('../lesson-state.js').Setting} */
    const setting = settings[name];
    switch (setting.kind) {
      case 'choice':
        return setting.choices.indexOf(/** @type {string} */ (state[name]));
      case 'tokens':
        return packTexts(/** @type {string[]} */ (state[name]));
      case 'whole':
        return Number(state[name] ?? (setting.follows && state[setting.follows]));
      case 'number':
        return /** @type {number} */ (state[name]);
      case 'matrix': {
        const rows = /** @type {import('../own-matrices.js').Rows} */ (state[name] ?? []);
        return [rows.length, rows[0]?.length ?? 0, ...rows.flat()];
      }
      case 'edits':
        return [
          state.edits.length,
          ...state.edits.flatMap(({ matrix, head = 0, row, column, value }) => [
            matrixNames.indexOf(matrix),
            head,
            row,
            column,
            value,
          ]),
        ];
      default:
        return [];
    }
  });
}

/** @type {TextEncoder | undefined} made when it is first needed: jsdom, which has none, can import this file */
let utf8;

/**
 * Texts as their number, and each as the length and the bytes of its UTF-8.
 *
 * @param {string[]} texts
 */
export function packTexts(texts) {
  const packed = texts.map((text) => {
    utf8 ??= new TextEncoder();
    const bytes = utf8.encode(text);
    return [bytes.length, ...bytes];
  });
  return [texts.length, ...packed.flat()];
}

/**
 * Calls the core and gives what `unpack` makes of its numbers.
 *
 * @template Result
 * @param {import('#lesson/module').LessonModule} module
 * @param {import('#lesson/module').LessonFunction} name
 * @param {ArrayLike<number>} numbers
 * @param {(take: Unpacking) => Result} unpack
 * @returns {Result}
 * @throws {EngineError}  if the core refuses the call, or the memory has no room for it
 */
export function receiveFrom(module, name, numbers, unpack) {
  requireRoom(8 * numbers.length);
  /** @type {Result | undefined} */
  let result;
  /** @type {Problem | undefined} */
  let problem;
  const call = () =>
    module[name](numbers, numbers.length, {
      receive(packed) {
        result = unpack(new Unpacking(packed));
      },
      // What is thrown in here would leave WebAssembly's stack as it is.
      refuse(text) {
        problem = problemFrom(text);
      },
    });
  callModule(module, call, undefined);
  if (problem !== undefined) {
    throw new EngineError(problem);
  }
  return /** @type {Result} */ (result);
}

/**
 * A problem as the core tells it: argument, found and expected, a line each.
 *
 * @param {Uint8Array} text
 * @returns {Problem}
 */
export function problemFrom(text) {
  const [argument, found, expected] = new TextDecoder().decode(text).split('\n');
  return { argument: inCamelCase(argument), found, expected };
}

/**
 * The core writes snake_case; a caller in JavaScript wrote camelCase.
 *
 * @param {string} snakeCase
 */
function inCamelCase(snakeCase) {
  const isMatrix = /\b([A-Z]|b_)/.test(snakeCase); // W_q is Wq
  return isMatrix ? snakeCase.replace('_', '') : snakeCase.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

/**
 * Reads values in the order in which the core packed them, out of WebAssembly's memory. Whatever it gives is a copy.
 */
export class Unpacking {
  #packed;
  #next = 0;

  /** @param {Float64Array} packed */
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

  /** What is left, to its end. */
  rest() {
    return this.#entries(this.#packed.length - this.#next);
  }

  numbers() {
    const numbers = [];
    for (let left = this.number(); left > 0; left--) {
      numbers.push(this.number());
    }
    return numbers;
  }

  /** @returns {{data: Float64Array, shape: number[]}} */
  tensor() {
    const shape = [this.number(), this.number()];
    return { data: this.#entries(shape[0] * shape[1]), shape };
  }

  /** @param {number} count */
  #entries(count) {
    this.#next += count;
    return withRoomFor(8 * count, () => this.#packed.slice(this.#next - count, this.#next));
  }
}
