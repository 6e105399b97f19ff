// How a reader refuses: file, place, what was found there, what was expected.

import { EngineError } from '../engine/engine-error.js';

/** Longer names are cut in a sentence. */
const longestName = 60;

/** @param {string} name  of a file or a tensor, as anyone may have written it */
export function shortened(name) {
  const characters = [...name.slice(0, 4 * longestName)];
  return characters.length > longestName ? `${characters.slice(0, longestName).join('')}…` : name;
}

/**
 * @param {string} file
 * @param {string} place  in the file; empty: the file as a whole
 * @param {string} found  "has 43 bytes of data"
 * @param {string} expected  "must have 48"
 * @returns {never}
 * @throws {EngineError}  always
 */
export function refuse(file, place, found, expected) {
  throw new EngineError({ argument: [file, place].filter(Boolean).map(shortened).join(', '), found, expected });
}

/**
 * @param {number[]} shape  @returns {string} "(2, 3)"
 */
export const shapeText = (shape) => `(${shape.slice(0, 8).join(', ')}${shape.length > 8 ? ', …' : ''})`;

/**
 * Where an entry stands, as an index for each axis.
 *
 * @param {number} at  in row-major order
 * @param {number[]} shape
 */
export function indexesOf(at, shape) {
  let rest = at;
  const reversed = shape.toReversed().map((length) => {
    const index = rest % length;
    rest = Math.floor(rest / length);
    return index;
  });
  return reversed.reverse();
}

/** @param {number[]} indexes  @returns {string} "[1][2]" */
export const placeText = (indexes) => indexes.map((index) => `[${index}]`).join('');

/**
 * How many entries a shape has, or Infinity where no file could hold them: lengths that multiply beyond 2^53 have no exact
 * product.
 *
 * @param {number[]} shape
 */
export function countOf(shape) {
  const count = shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1);
  return count <= Number.MAX_SAFE_INTEGER ? count : Number.POSITIVE_INFINITY;
}
