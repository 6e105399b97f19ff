#!/usr/bin/env node
// attention-picture: a lesson's picture as an SVG file, for paper and for pages without scripts.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadLessonEngine } from '../engine/lesson-module.js';
import { completeState, readSettings, settingNames, settings } from '../engine/lesson-state.js';
import english from '../language/messages/en.js';
import { pictureOf, toSVG } from './picture.js';

const usage = `Usage: attention-picture [--output FILE] [--ATTRIBUTE VALUE ...]

Writes the picture of an <attention-widget> with these attributes as SVG, to the standard output or into FILE.

Attributes: ${settingNames.map((name) => settings[name].attribute).join(', ')}

  attention-picture --d-k 64 --divisor none --output collapsed.svg

Exit status: 0, or 1 where there is no such picture, or 2 where an option is not understood.
`;

const options = Object.fromEntries(
  ['output', ...settingNames.map((name) => settings[name].attribute)].map((name) => [
    name,
    { type: /** @type {const} */ ('string') },
  ]),
);

/** @param {number} status @param {unknown} error */
function fail(status, error) {
  console.error(`attention-picture: ${error instanceof Error ? error.message : error}`);
  process.exitCode = status;
}

/** @param {Record<string, string | boolean | undefined>} values */
async function write({ output, ...values }) {
  const state = completeState(
    /** @type {Partial<import('../engine/lesson-state.js').LessonState>} */ (
      readSettings((attribute) => /** @type {string | undefined} */ (values[attribute]))
    ),
  );
  const engine = await loadLessonEngine();
  const result = engine.lesson(state);
  const picture = toSVG(pictureOf(state, result.head ?? result, english));
  if (typeof output === 'string') {
    writeFileSync(output, picture);
  } else {
    process.stdout.write(picture);
  }
}

try {
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(usage);
  } else {
    await write(values).catch((error) => fail(1, error));
  }
} catch (error) {
  fail(2, error);
}
