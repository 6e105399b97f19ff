// A lesson's state as a JSON document, the interchange format: `attention lesson --state` reads it natively
// (core/program/lesson_document.hpp), core/README.md describes it, dist/lesson.schema.json says it to programs.

import { describe, EngineError } from './engine-error.js';
import { settings } from './lesson-state.js';
import { keptMatrix, withoutProjections } from './own-matrices.js';

/** @typedef {import('./lesson-state.js').LessonState} LessonState */

export const documentVersion = 1;

/** What objects inside a document can have, by the kind of the setting. @type {Record<string, string[]>} */
const innerKeys = { edits: ['matrix', 'row', 'column', 'value', 'head'], matrix: ['data', 'shape'] };

/** @param {string} found @param {string} expected @param {string} [argument] */
const problem = (found, expected, argument = 'state') => new EngineError({ argument, found, expected });

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a document says of a state. Whether it can be computed the engine says, as of any state.
 *
 * @param {string} text
 * @returns {Partial<LessonState>}
 * @throws {EngineError}  where it is no JSON object or of another version, and for a key that stands twice or means nothing
 */
export function parseLesson(text) {
  const document = parsedJSON(text.replace(/^\ufeff/, ''));
  if (!isObject(document)) {
    throw problem(`is ${describe(document)}`, 'must be an object');
  }
  const { version = documentVersion, ...said } = /** @type {Record<string, any>} */ (document);
  if (version !== documentVersion) {
    throw problem(`is of version ${describe(version)}`, `only version ${documentVersion} can be read`);
  }
  requireKeys('state', said, [...Object.keys(settings), 'Q', 'K', 'V']);
  for (const [name, value] of Object.entries(said)) {
    const { kind } = settings[/** @type {keyof typeof settings} */ (name)] ?? settings.X;
    for (const each of [value].flat()) {
      requireKeys(name, each, innerKeys[kind]);
    }
    if (kind === 'tokens' && typeof value === 'string') {
      said[name] = value.split(/\s+/u).filter(Boolean);
    } else if (kind === 'matrix') {
      said[name] = keptMatrix(name, value);
    }
  }
  return withoutProjections(said);
}

/**
 * The document that `parseLesson` and the program read: every setting, each on a line, and no bit of a number lost.
 *
 * @param {Partial<LessonState>} state
 */
export function formatLesson(state) {
  const lines = Object.entries({ version: documentVersion, ...state }).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${JSON.stringify(name)}: ${textOf(value)}`],
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** A value as JSON; JSON.stringify would write 0 for -0. @param {any} value @returns {string} */
function textOf(value) {
  if (Array.isArray(value)) {
    return `[${value.map(textOf)}]`;
  }
  if (isObject(value)) {
    return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`)}}`;
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

/**
 * A text's value. Of a key that stands in an object twice JSON.parse takes the later and says nothing, so that the keys
 * are counted in both.
 *
 * @param {string} text
 * @returns {unknown}
 */
function parsedJSON(text) {
  /** @type {Map<string, number>} */
  const missing = new Map();
  const count = (/** @type {string} */ key, /** @type {number} */ by) => missing.set(key, (missing.get(key) ?? 0) + by);
  try {
    const value = JSON.parse(text, function (key, each) {
      count(key, Array.isArray(this) ? 0 : -1);
      return each;
    });
    count('', 1); // the whole has no key
    for (const [, key, colon] of text.matchAll(/("(?:[^"\\]+|\\.)*")(\s*:)?/g)) {
      count(JSON.parse(key), colon ? 1 : 0);
    }
    const [twice] = Array.from(missing).find(([, times]) => times > 0) ?? [];
    if (twice === undefined) {
      return value;
    }
    throw problem(`has a key ${describe(twice)} twice`, 'a key may stand in an object once');
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    throw name === 'EngineError' ? error : problem(`is no JSON (${message})`, 'must be a lesson’s state as JSON');
  }
}

/** @param {string} argument @param {unknown} object @param {readonly string[]} [known] */
function requireKeys(argument, object, known = []) {
  const unknown = isObject(object) ? Object.keys(object).find((key) => !known.includes(key)) : undefined;
  if (unknown !== undefined) {
    throw problem(`has a key ${describe(unknown)}`, 'nothing there has that name', argument);
  }
}
