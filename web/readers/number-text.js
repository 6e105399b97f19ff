// Numbers as text: which are float64, and which only look like one.

import { isNumber as hasForm } from '../engine/number-text.js';

/**
 * Cells, numbers or values that are read of one text: four times the numbers of the largest embeddings that a lesson takes. A text of
 * nothing but line ends or brackets would take a hundred times its size.
 */
export const mostEntries = 2 ** 22;

/** Characters of a number. Longer texts, which no program writes, would wear a pattern's stack out. */
export const longest = 1000;

/** @param {string} text  whether it has the form of a number; `numberIn` says whether it is one */
export const isNumber = (text) => text.length <= longest && hasForm(text);

/**
 * The number that a text is, or why it is none: an end of the sentence "<text> …".
 *
 * Fractions are rounded to float64, as everywhere. Whole numbers must be held exactly, or be as JavaScript writes the float64;
 * what would become an infinity, or 0 without being it, is none.
 *
 * @param {string} text
 * @returns {number | string}
 */
export function numberIn(text) {
  if (!isNumber(text)) {
    return 'is no number';
  }
  const number = Number(text);
  if (!Number.isFinite(number)) {
    return 'is beyond the range of float64';
  }
  if (number === 0 && /[1-9]/.test(text.split(/e/i)[0])) {
    return 'is too small for float64';
  }
  if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number)) {
    const isExact = BigInt(number) === BigInt(text.replace('+', '')) || String(number) === text;
    return isExact ? number : 'has no exact float64';
  }
  return number;
}
