#!/usr/bin/env node
// attention-picture: a lesson's picture as an SVG file, for paper and for pages without scripts.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EngineError } from '../engine/engine-error.js';
import { parseLesson } from '../engine/lesson-document.js';
import { loadLessonEngine } from '../engine/lesson-module.js';
import { completeState, readSettings, settingNames, settings } from '../engine/lesson-state.js';
import { closestLanguage } from '../language/closest-language.js';
import english from '../language/messages/en.js';
import { explain } from '../views/problem.js';
import { pictureOf, toSVG } from './picture.js';

const usage = `Usage: attention-picture [--output FILE] [--state LESSON] [--ATTRIBUTE VALUE ...]

Writes the picture of an <attention-widget> with these attributes as SVG, to the standard output or into FILE.
LESSON is a file of a lesson's state as JSON; attributes beside it override it.

Attributes: ${settingNames.map((name) => settings[name].attribute).join(', ')},
lang (of the texts; English where there are none in it), linked (which no picture shows)

  attention-picture --d-k 64 --divisor none --output collapsed.svg

Exit status: 0, or 1 where there is no such picture, or 2 where an option is not understood.
`;

const options = Object.fromEntries(
  ['output', 'state', 'lang', ...settingNames.map((name) => settings[name].attribute)].map((name) => [
    name,
    { type: /** @type {const} */ ('string') },
  ]),
);

/** @param {number} status @param {unknown} error */
function fail(status, error) {
  console.error(`attention-picture: ${error instanceof Error ? error.message : error}`);
  process.exitCode = status;
}

/** The texts in the closest language that there is a file of beside this one. @param {string} tag */
async function messagesFor(tag) {
  const folder = new URL('./messages/', import.meta.url);
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.js') ? [file.slice(0, -'.js'.length)] : []));
  const name = closestLanguage(tag, ['en', ...names]);
  if (name === undefined || name === 'en') {
    return english;
  }
  await import(new URL(`${name}.js`, folder).href);
  const registry = /** @type {any} */ (globalThis)[Symbol.for('attention-widget.messages')];
  return /** @type {typeof english} */ (registry[name]);
}

/**
 * What a file says of a state.
 *
 * @param {string} path
 */
function readLesson(path) {
  try {
    return parseLesson(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    if (error instanceof EngineError) {
      throw error;
    }
    const { message } = /** @type {Error} */ (error);
    throw new EngineError({
      argument: 'state',
      found: `cannot be read (${message})`,
      expected: "must be a file that holds a lesson's state as JSON",
    });
  }
}

/** @param {Record<string, string | boolean | undefined>} values @param {typeof english} messages */
async function write({ output, state: path, ...values }, messages) {
  /** @type {Record<string, any>} */
  const attributes = readSettings((attribute) => /** @type {string | undefined} */ (values[attribute]));
  const state = completeState({ ...(typeof path === 'string' ? readLesson(path) : {}), ...attributes });
  const engine = await loadLessonEngine();
  const result = engine.lesson(state);
  const picture = toSVG(pictureOf(state, result.head ?? result, messages));
  if (typeof output === 'string') {
    writeFileSync(output, picture);
  } else {
    process.stdout.write(picture);
  }
}

/**
 * What kept the picture from being drawn; of a state's file it names the file.
 *
 * @param {unknown} error
 * @param {Record<string, string | boolean | undefined>} values
 * @param {typeof english} messages
 */
function reasonOf(error, { state: path, ...given }, messages) {
  if (!(error instanceof EngineError)) {
    return error;
  }
  const { argument, sentence } = explain(messages, error);
  return path === undefined || String(argument) in given ? sentence : `${path}: ${sentence}`;
}

try {
  const flags = {
    linked: { type: /** @type {const} */ ('boolean') },
    help: { type: /** @type {const} */ ('boolean'), short: 'h' },
  };
  const { values } = parseArgs({ options: { ...options, ...flags } });
  if (values.help) {
    process.stdout.write(usage);
  } else {
    const messages = await messagesFor(String(/** @type {{lang?: string}} */ (values).lang ?? 'en'));
    await write(values, messages).catch((error) => fail(1, reasonOf(error, values, messages)));
  }
} catch (error) {
  fail(2, error);
}
