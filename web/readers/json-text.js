// JSON as hostile files have it. By hand because JSON.parse takes the last of two values of one name, rounds whole numbers and
// turns 1e999 into an infinity without a word, and says where a text is broken in words of each browser's own.

import { describe } from '../engine/engine-error.js';
import { mostEntries, numberIn } from './number-text.js';
import { refuse } from './refusal.js';

/** @typedef {null | boolean | number | string | JsonList | JsonObject} Json */
/** @typedef {Json[]} JsonList */
/** @typedef {Map<string, Json>} JsonObject  in the order of the text; no name means anything to a Map */

/** Arrays and objects in one another. */
const deepest = 64;

const blanks = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them
const plainText = /"[^"\\\u0000-\u001f]*"/y;
const numberText = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const word = /(?:true|false|null)(?!\w)/y;

/** @type {Record<string, Json>} */
const words = { true: true, false: false, null: null };

/**
 * @param {string} text
 * @param {string} file
 * @param {string} [part]  of the file, where the text is a part
 * @returns {Json}
 */
export function parseJson(text, file, part = '') {
  let at = 0;
  let count = 0;

  /** @param {string} expected @param {string} [found] @returns {never} */
  const fail = (expected, found) => {
    const lines = text.slice(0, at).split(/\r\n?|\n/);
    const place = `${part && `${part} `}line ${lines.length}, character ${(lines.at(-1) ?? '').length + 1}`;
    return refuse(
      file,
      place,
      found ?? (at < text.length ? `is ${describe(text.slice(at, at + 20))}` : 'is the end'),
      expected,
    );
  };

  /** @param {RegExp} pattern  sticky */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };

  const quotedText = () => {
    const plain = take(plainText);
    if (plain !== undefined) {
      return plain.slice(1, -1);
    }
    let end = at + 1;
    while (end < text.length && text[end] !== '"') {
      end += text[end] === '\\' ? 2 : 1;
    }
    try {
      const value = JSON.parse(text.slice(at, end + 1));
      at = end + 1;
      return /** @type {string} */ (value);
    } catch {
      return fail('a text must be whole, with escapes of JSON');
    }
  };

  /** @param {number} depth @returns {JsonList} */
  const list = (depth) => {
    const items = [];
    at++;
    take(blanks);
    while (text[at] !== ']') {
      items.push(value(depth));
      take(blanks);
      if (text[at] === ',') {
        at++;
        take(blanks);
        if (text[at] === ']') {
          fail('a value must follow a comma');
        }
      } else if (text[at] !== ']') {
        fail('a comma or "]" must follow a value');
      }
    }
    at++;
    return items;
  };

  /** @param {number} depth @returns {JsonObject} */
  const object = (depth) => {
    /** @type {JsonObject} */
    const entries = new Map();
    at++;
    take(blanks);
    while (text[at] !== '}') {
      const name = text[at] === '"' ? quotedText() : fail('a name in quotation marks must stand here');
      if (entries.has(name)) {
        fail('every name must stand once', `is after a second ${describe(name)}`);
      }
      take(blanks);
      if (text[at] !== ':') {
        fail('a colon must follow a name');
      }
      at++;
      entries.set(name, value(depth));
      take(blanks);
      if (text[at] === ',') {
        at++;
        take(blanks);
        if (text[at] === '}') {
          fail('a name must follow a comma');
        }
      } else if (text[at] !== '}') {
        fail('a comma or "}" must follow a value');
      }
    }
    at++;
    return entries;
  };

  const number = () => {
    const start = at;
    const found = take(numberText);
    if (found === undefined) {
      return fail('a number, a text, an array, an object, true, false or null must stand here');
    }
    const read = numberIn(found);
    if (typeof read === 'string') {
      at = start;
      fail('a number must be a finite float64', `is ${found.slice(0, 40)}, which ${read}`);
    }
    return read;
  };

  /** @param {number} depth @returns {Json} */
  const value = (depth) => {
    take(blanks);
    if (++count > mostEntries) {
      fail(`at most ${mostEntries} values are read`, `is value ${count}`);
    }
    if (depth === deepest && /[[{]/.test(text[at])) {
      fail(`at most ${deepest} may stand in one another`);
    }
    if (text[at] === '[') {
      return list(depth + 1);
    }
    if (text[at] === '{') {
      return object(depth + 1);
    }
    if (text[at] === '"') {
      return quotedText();
    }
    const found = take(word);
    return found === undefined ? number() : words[found];
  };

  const result = value(0);
  take(blanks);
  if (at < text.length) {
    fail('nothing may follow the end');
  }
  return result;
}
