// Numbers as the panels write them, and which of many they show. Rounds and chooses; never computes.

import { h, setAttribute, setText } from '../views/dom.js';
import { format, formatPrecise, plainText } from '../views/format.js';

/** @typedef {import('../views/format.js').Language} Language */

/**
 * The proof of one law.
 *
 * @param {import('../engine/lesson-engine.js').Proof[]} proofs
 * @param {string} law
 */
export function proofOf(proofs, law) {
  return /** @type {import('../engine/lesson-engine.js').Proof} */ (proofs.find((proof) => proof.law === law));
}

/**
 * A number for reading, which opens to all of its digits.
 *
 * @param {Language} language
 * @param {string} name  of what it measures, for screen readers
 */
export function createNumber(language, name) {
  const rounded = h('summary', {});
  const digits = h('small', {});
  return {
    root: h('details', { class: 'number' }, rounded, digits),

    /** @param {number} value */
    update(value) {
      const text = format(value, language);
      setText(rounded, text);
      setAttribute(rounded, 'aria-label', plainText(`${name.trim()} ${text}`));
      setText(digits, formatPrecise(value, language));
    },
  };
}

/**
 * The places of the largest sizes, in order of place, the one that must be there among them.
 *
 * @param {ArrayLike<number>} sizes  NaN counts as largest
 * @param {number} most
 * @param {number} [wanted]
 */
export function placesOfLargest(sizes, most, wanted) {
  const rank = (/** @type {number} */ place) =>
    place === wanted || Number.isNaN(sizes[place]) ? Number.MAX_VALUE : sizes[place];
  return Array.from(sizes, (_, place) => place)
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, most)
    .sort((a, b) => a - b);
}
