// What a reader hands in: a code of one line that holds who answered what in which state, with a checksum of the core's. It
// finds slips, cuts and idle changes; it is no signature, since whoever reads this file can write a code.

import { EngineError } from './engine-error.js';

/** @typedef {Pick<import('./lesson-engine.js').LessonEngine, 'checksum'>} Checksums */

/**
 * The last answer to an exercise: the guess, what the state showed, the number that decided, and how often there was a guess.
 *
 * @typedef {{name: string, guess: string, answer: string, found: number, tries: number}} HomeworkAnswer
 */

/**
 * @typedef {object} Homework
 * @property {string} student
 * @property {string} time  of handing in, as ISO 8601 to the minute, in UTC
 * @property {number} seconds  since the exercises were opened
 * @property {HomeworkAnswer[]} answers
 * @property {string} link  the state on the screen, as a link's query
 */

/** Letters and figures alone: a spreadsheet takes it for a text, and a double click selects it. */
const form = /attn1x([0-9a-f]+)x([0-9a-z]{1,11})(?![0-9a-zA-Z])/;

/** A name as two spellings of one have it: without outer and double spaces, in small letters. @param {string} name */
export const plainName = (name) => name.normalize('NFC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();

/**
 * The seed of a student: the same for the same name, whatever its case and spaces.
 *
 * @param {Checksums} engine
 * @param {string} name
 */
export const seedOfName = (engine, name) => engine.checksum(plainName(name)) % 2 ** 32;

/**
 * @param {Checksums} engine
 * @param {Homework} homework
 */
export function formatHomework(engine, { student, time, seconds, answers, link }) {
  const text = JSON.stringify([
    student,
    time,
    seconds,
    link,
    ...answers.map(({ name, guess, answer, found, tries }) => [name, guess, answer, found, tries]),
  ]);
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `attn1x${bytes}x${engine.checksum(text).toString(36)}`;
}

/**
 * The homework in a text, which may have other things around it, as a row of a spreadsheet has.
 *
 * @param {Checksums} engine
 * @param {string} text
 * @returns {Homework}
 * @throws {EngineError} where there is no code, or one that was changed
 */
export function parseHomework(engine, text) {
  const [, bytes, checksum] = form.exec(text) ?? [];
  const problem = (/** @type {string} */ found, /** @type {string} */ expected) =>
    new EngineError({ argument: 'code', found, expected });
  if (bytes === undefined) {
    throw problem(/attn1x/.test(text) ? 'is cut off' : 'is missing', 'must begin with attn1x and be whole');
  }
  const written = new TextDecoder().decode(
    Uint8Array.from(bytes.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
  );
  const sum = engine.checksum(written).toString(36);
  if (sum !== checksum || bytes.length % 2 !== 0) {
    throw problem(`was changed: it ends in ${checksum}`, `must end in ${sum}, the checksum of what it says`);
  }
  try {
    const [student, time, seconds, link, ...answers] = JSON.parse(written);
    return {
      student: String(student),
      time: String(time),
      seconds: Number(seconds),
      link: String(link),
      answers: answers.map((/** @type {[string, string, string, number, number]} */ answer) => {
        const [name, guess, shown, found, tries] = answer;
        return { name: String(name), guess: String(guess), answer: String(shown), found: Number(found), tries };
      }),
    };
  } catch {
    throw problem('holds no homework', 'must be copied from the exercises');
  }
}
