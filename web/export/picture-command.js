#!/usr/bin/env node
// attention-picture: a lesson's picture as an SVG file, for paper and for pages without scripts.

import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EngineError } from '../engine/engine-error.js';
import { loadLessonEngine } from '../engine/lesson-module.js';
import { completeState, readSettings, settingNames, settings } from '../engine/lesson-state.js';
import { closestLanguage } from '../language/closest-language.js';
import english from '../language/messages/en.js';
import { explain } from '../views/problem.js';
import { pictureOf, toSVG } from './picture.js';

const usage = `Usage: attention-picture [--output FILE] [--ATTRIBUTE VALUE ...]

Writes the picture of an <attention-widget> with these attributes as SVG, to the standard output or into FILE.

Attributes: ${settingNames.map((name) => settings[name].attribute).join(', ')},
lang (of the texts; English where there are none in it), linked (which no picture shows)

  attention-picture --d-k 64 --divisor none --output collapsed.svg

Exit status: 0, or 1 where there is no such picture, or 2 where an option is not understood.
`;

const options = Object.fromEntries(
  ['output', 'lang', ...settingNames.map((name) => settings[name].attribute)].map((name) => [
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

/** @param {Record<string, string | boolean | undefined>} values @param {typeof english} messages */
async function write({ output, ...values }, messages) {
  const state = completeState(
    /** @type {Partial<import('../engine/lesson-state.js').LessonState>} */ (
      readSettings((attribute) => /** @type {string | undefined} */ (values[attribute]))
    ),
  );
  const engine = await loadLessonEngine();
  const result = engine.lesson(state);
  const picture = toSVG(pictureOf(state, result.head ?? result, messages));
  if (typeof output === 'string') {
    writeFileSync(output, picture);
  } else {
    process.stdout.write(picture);
  }
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
    await write(values, messages).catch((error) => {
      fail(1, error instanceof EngineError ? explain(messages, error).sentence : error);
    });
  }
} catch (error) {
  fail(2, error);
}
