// Numbers and tokens as text, and the rows that numbers are taken from. Rounds for reading; never computes.

/** @typedef {{locale: string}} Language  a catalogue of texts, of which numbers need the name alone */

/**
 * The decimal separators of languages, once they have been asked for. English, which is inside, brings its own: the first
 * question wakes Intl, and takes as long as the rest of a first picture's text.
 *
 * @type {Record<string, string>}
 */
const separators = { en: '.' };

/**
 * A number's text with a true minus sign and a language's decimal separator. Its digits stay as they are: no language's
 * own numerals, and no grouping, so that a reader can follow them from step to step. (Intl alone would round otherwise.)
 *
 * @param {string} text
 * @param {Language} language
 */
export function localised(text, { locale }) {
  separators[locale] ??= (0.5).toLocaleString(locale, { numberingSystem: 'latn' })[1];
  return text.replaceAll('-', '−').replace('e+', 'e').replace('.', separators[locale]);
}

/**
 * A number to two decimals, or in scientific form where two decimals would hide it.
 *
 * @param {number} value
 * @param {Language} language
 */
export function format(value, language) {
  if (Number.isNaN(value)) {
    return 'NaN';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '∞' : '−∞';
  }
  const size = Math.abs(value);
  const text = value === 0 ? '0' : size < 0.005 || size >= 1e5 ? value.toExponential(1) : value.toFixed(2);
  return localised(text, language);
}

/**
 * A figure: always two decimals, so that it keeps its width while the slider moves.
 *
 * @param {number} value
 * @param {Language} language
 */
export function formatFigure(value, language) {
  return Number.isFinite(value) && Math.abs(value) < 1e5
    ? localised(value.toFixed(2), language)
    : format(value, language);
}

/**
 * A weight as a cell shows it: exact zeros and ones look exact, and a tiny weight does not look like a zero.
 *
 * @param {number} weight
 * @param {Language} language
 */
export function formatWeight(weight, language) {
  if (!Number.isFinite(weight)) {
    return format(weight, language);
  }
  return weight === 0 || weight === 1 ? String(weight) : localised(weight.toFixed(2), language);
}

/**
 * A weight as it is worked out: as its cell shows it, but a tiny one in full.
 *
 * @param {number} weight
 * @param {Language} language
 */
export function formatWeightInFull(weight, language) {
  return (weight > 0 && weight < 0.005 ? format : formatWeight)(weight, language);
}

/**
 * A number as its cell is called: as it shows it, so that whoever says what is there means the cell, and in full where
 * that tells more.
 *
 * @param {string} shown
 * @param {string} full
 */
export function formatSpoken(shown, full) {
  return shown === full ? shown : `${shown} (${full})`;
}

/**
 * A token as a label: as it is, or a placeholder where there would be nothing to see or to click.
 *
 * @param {string} token
 */
export function visibleToken(token) {
  if (token === '') {
    return '∅';
  }
  if (/^[\s\p{Cf}\p{Cc}]+$/u.test(token)) {
    return [...token].map((character) => (character === ' ' ? '␣' : codePoint(character))).join('');
  }
  return token;
}

/** @param {string} character */
function codePoint(character) {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * One row of a matrix.
 *
 * @template {Float32Array | Float64Array | Uint8Array} Data
 * @param {import('../engine/lesson-engine.js').Tensor<Data>} tensor
 * @param {number} row
 * @returns {Data}
 */
export function rowOf({ data, shape }, row) {
  return /** @type {Data} */ (data.subarray(row * shape[1], (row + 1) * shape[1]));
}
