// A lesson's numbers for other programs, with every digit: all stages as JSON, or the weights as a CSV table.

import { namesOf } from '../views/format.js';

/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */

/**
 * A line for each query and key: "query,key,visible,score,scaled,weight". A word that stands twice has its position.
 *
 * @param {LessonResult} result  of one head
 */
export function toCSV({ tokens, keyTokens, visible, scores, scaled, weights }) {
  const n = keyTokens.length;
  const [queries, keys] = [tokens, keyTokens].map((words) => namesOf(words, String).map(quoted));
  const lines = ['query,key,visible,score,scaled,weight'];
  for (let cell = 0; cell < tokens.length * n; cell++) {
    const names = [queries[Math.floor(cell / n)], keys[cell % n]];
    const numbers = [visible, scores, scaled, weights].map(({ data }) => data[cell]);
    lines.push([...names, ...numbers].join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

/**
 * The state and its result. A number that JSON has no word for is the text that JavaScript's `Number` and Python's `float`
 * read back: "NaN", "Infinity", "-Infinity", "-0".
 *
 * @param {import('../engine/lesson-state.js').LessonState} state
 * @param {LessonResult} result
 */
export function toJSON(state, result) {
  return JSON.stringify(
    { state, result },
    (_, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : writable(value)),
    1,
  );
}

/** @param {unknown} value */
function writable(value) {
  const isLost = typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0));
  return isLost ? (value === 0 ? '-0' : String(value)) : value;
}

/**
 * A field as RFC 4180 has it, quoted too where a spreadsheet of another language takes a semicolon for the separator. A
 * spreadsheet would run what begins like a formula, after blanks and in full-width characters too: that gets a quotation
 * mark in front.
 *
 * @param {string} token
 */
function quoted(token) {
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(token) ? `'${token}` : token;
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
