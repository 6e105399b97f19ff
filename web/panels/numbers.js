// Numbers as the panels write them, and which of many they show. Rounds and chooses; never computes.

import { h, setText } from '../views/dom.js';
import { format } from '../views/format.js';

/**
 * A number with every digit that it takes to read it back.
 *
 * @param {number} value
 */
export function formatPrecise(value) {
  return Number.isFinite(value) ? String(value).replaceAll('-', '−').replace('e+', 'e') : format(value);
}

/**
 * A number to two decimals behind its sign. Only an exact zero has none.
 *
 * @param {number} value
 */
export function formatSigned(value) {
  return value === 0 || !Number.isFinite(value) ? format(value) : (value < 0 ? '−' : '+') + Math.abs(value).toFixed(2);
}

/**
 * The proof of one law.
 *
 * @param {import('../lesson-engine.js').Proof[]} proofs
 * @param {string} law
 */
export function proofOf(proofs, law) {
  return /** @type {import('../lesson-engine.js').Proof} */ (proofs.find((proof) => proof.law === law));
}

/** A number for reading, which opens to all of its digits. */
export function createNumber() {
  const rounded = h('summary', {});
  const digits = h('small', {});
  return {
    root: h('details', { class: 'number' }, rounded, digits),

    /** @param {number} value */
    update(value) {
      setText(rounded, format(value));
      setText(digits, formatPrecise(value));
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
