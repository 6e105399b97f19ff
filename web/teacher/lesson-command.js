#!/usr/bin/env node
// attention-lesson: a lesson as a package for a learning platform.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { strToU8, zipSync } from 'fflate';
import { loadLessonEngine } from '../engine/lesson-module.js';
import { attributeText, completeState, readSettings, settingNames, settings } from '../engine/lesson-state.js';
import { scormManifest, scormPage } from './scorm-package.js';

const usage = `Usage: attention-lesson pack --scorm 1.2|2004 [--output FILE] [--title TEXT] [--lang TAG]
                             [--exercises COUNT] [--pass PERCENT] [--ATTRIBUTE VALUE ...]

Writes a SCORM package, lesson.zip or FILE, of one page with an <attention-widget> that has these attributes. The lesson is
complete when COUNT exercises are done (3), and passed when PERCENT (60) per cent of them are right.

Attributes: ${settingNames.map((name) => settings[name].attribute).join(', ')}

  attention-lesson pack --scorm 2004 --mask causal --panels 'break checkpoints' --output mask.zip

Exit status: 0, or 1 where there is no such lesson, or 2 where an option is not understood.
`;

const own = ['scorm', 'output', 'title', 'lang', 'exercises', 'pass'];
const options = Object.fromEntries(
  [...own, ...settingNames.map((name) => settings[name].attribute)].map((name) => [
    name,
    { type: /** @type {const} */ ('string') },
  ]),
);

/** @param {number} status @param {unknown} error */
function fail(status, error) {
  console.error(`attention-lesson: ${error instanceof Error ? error.message : error}`);
  process.exitCode = status;
}

/** @param {string} name @param {string} text @param {number} least @param {number} most */
function whole(name, text, least, most) {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new RangeError(`--${name} is "${text}", but must be a whole number from ${least} to ${most}`);
  }
  return number;
}

/** The files of the package that such a page needs, by their names in it. */
function widgetFiles() {
  const folder = new URL('./', import.meta.url);
  const beside = ['picture', 'snippets', 'panels', 'try-and-take', 'numbers', 'exchange', 'read-lesson'];
  const names = ['attention-widget.classic', 'scorm', ...beside].map((name) => `${name}.js`);
  const languages = readdirSync(new URL('messages/', folder)).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(
    [...names, ...languages.map((name) => `messages/${name}`)].map((name) => [
      name,
      new Uint8Array(readFileSync(new URL(name, folder))),
    ]),
  );
}

/** @param {Record<string, string | undefined>} given */
async function pack(given) {
  const { scorm, output = 'lesson.zip', title = 'Self-attention', lang = 'en', exercises = '3', pass = '60' } = given;
  if (scorm !== '1.2' && scorm !== '2004') {
    throw new RangeError(`--scorm is ${scorm === undefined ? 'missing' : `"${scorm}"`}, but must be 1.2 or 2004`);
  }
  const task = { exercises: whole('exercises', exercises, 1, 11), pass: whole('pass', pass, 0, 100) };
  const chosen = readSettings((attribute) => given[attribute]);
  (await loadLessonEngine()).lesson(completeState(/** @type {any} */ (chosen))); // refuses what cannot be computed
  const attributes = settingNames
    .filter((name) => name in chosen)
    .map((name) => /** @type {[string, string]} */ ([settings[name].attribute, attributeText(name, chosen[name])]));
  if (given.panels === undefined) {
    attributes.push(['panels', 'break checkpoints']);
  }
  const lesson = { title, language: lang, attributes, ...task };
  const files = { 'index.html': strToU8(scormPage(lesson)), ...widgetFiles() };
  const manifest = strToU8(scormManifest(scorm, lesson, Object.keys(files)));
  writeFileSync(output, zipSync({ 'imsmanifest.xml': manifest, ...files }, { level: 9 }));
}

try {
  const { values, positionals } = parseArgs({
    options: { ...options, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(usage);
  } else if (positionals.length !== 1 || positionals[0] !== 'pack') {
    throw Object.assign(new Error(`the command is "${positionals.join(' ')}", but must be pack`), { code: 'usage' });
  } else {
    await pack(/** @type {Record<string, string | undefined>} */ (values)).catch((error) =>
      fail(error instanceof RangeError ? 2 : 1, error),
    );
  }
} catch (error) {
  fail(2, error);
  process.stderr.write(usage);
}
