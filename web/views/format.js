// Numbers and tokens as text, and the rows that numbers are taken from. Rounds for reading; never computes.

import { isNumber } from '../engine/number-text.js';

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
 * The number that a reader types: decimal digits, with the decimal separator of the language or a point, or an exponent.
 * Anything else is the text as it is, for the engine to refuse: "1.500" may mean thousands in Spanish, and "1,500" in English.
 *
 * @param {string} text
 * @param {Language} language
 * @returns {number | string}
 */
export function readNumber(text, language) {
  const typed = text.trim().replace('−', '-');
  const separator = localised('.', language);
  const number = typed.replace(separator, '.');
  const isThousands = separator !== '.' && /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(typed);
  return !isThousands && isNumber(number) ? Number(number) : text;
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
 * A number with every digit that it takes to read it back.
 *
 * @param {number} value
 * @param {Language} language
 */
export function formatPrecise(value, language) {
  return Number.isFinite(value) ? localised(String(value), language) : format(value, language);
}

/**
 * A number to two decimals behind its sign. Only an exact zero has none.
 *
 * @param {number} value
 * @param {Language} language
 */
export function formatSigned(value, language) {
  return value === 0 || !Number.isFinite(value)
    ? format(value, language)
    : (value < 0 ? '−' : '+') + localised(Math.abs(value).toFixed(2), language);
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

/** The most letters of a token that are shown: a longer one would push all else out of sight. */
const mostLetters = 40;

/** What turns the direction of the text around it. */
const directionControl = /[\u202a-\u202e\u2066-\u2069]/g;

/** Blank, although Unicode does not count it among the blanks: the empty pattern of Braille. */
const invisibleOnly = /^[\s\p{Cf}\p{Cc}\p{DI}\u2800]+$/u;

/**
 * A token as a label: as it is, with a placeholder for what nobody could see or click, and for what would turn the text
 * after it around; a long one shortened.
 *
 * @param {string} token
 */
export function visibleToken(token) {
  if (token === '') {
    return '∅';
  }
  // Two code units hold one letter at most.
  const letters = [...token.slice(0, 2 * mostLetters + 2)];
  const isLong = letters.length > mostLetters;
  const text = isLong ? letters.slice(0, mostLetters - 1).join('') : token;
  const end = isLong ? '…' : '';
  if (invisibleOnly.test(text)) {
    return (
      letters
        .slice(0, isLong ? 5 : mostLetters)
        .map((letter) => (letter === ' ' ? '␣' : codePoint(letter)))
        .join('') + end
    );
  }
  const isAccent = /^\p{M}+$/u.test(text);
  return (isAccent ? '◌' : '') + text.replace(directionControl, codePoint).replace(isLong ? /\u200d$/ : /^$/, '') + end;
}

/** @type {WeakMap<string[], string[]>} */
const namesOfTokens = new WeakMap();

/**
 * What each token of a sentence is called away from its place: as it is shown and, where the same word stands twice, with
 * its position, the first being 1: "cat", "the (3)".
 *
 * @param {string[]} tokens
 * @param {(token: string) => string} [write]
 */
export function namesOf(tokens, write = visibleToken) {
  const words = tokens.map(write);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return words.map((word, place) => (counts.get(word) === 1 ? word : `${word} (${place + 1})`));
}

/**
 * One of them for a text, isolated: its direction has no effect on what stands beside it. `mathNodes` makes an element of
 * it, and `plainText` what an attribute holds.
 *
 * @param {string[]} tokens
 * @param {number} place
 */
export function tokenName(tokens, place) {
  let names = namesOfTokens.get(tokens);
  if (names === undefined) {
    names = namesOf(tokens);
    namesOfTokens.set(tokens, names);
  }
  return isolated(names[place] ?? '');
}

/** A text between the marks of a first-strong isolate. @param {string} text */
export const isolated = (text) => `\u2068${text}\u2069`;

/** A text without the marks around what reads the same in every direction. @param {string} text */
export const lessMarked = (text) => text.replace(/\u2068([A-Za-z]+)\u2069/g, '$1');

/**
 * A text as an attribute holds it, for tooltips and screen readers: symbols as words, "d k".
 *
 * @param {string} text
 */
export function plainText(text) {
  return lessMarked(text).replace(/\u2068[^\u2069]*\u2069|\b[A-Za-z]_(?=[a-z])/g, (part) =>
    part.replace(/^(.)_$/, '$1 '),
  );
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
