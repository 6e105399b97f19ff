// Builds dist/lessons/: the lessons' pages with all that they need beside them, so that the folder works wherever it lies.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { packagesNoted } from './licences.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const source = `${project}/web/lessons`;
const target = `${project}/dist/lessons`;

/** The scripts of the page with the editor, which are bundled for it alone. */
const workbenchScripts = {
  workbench: 'workbench/workbench.js',
  'workbench-worker': 'workbench/worker.js',
};

/**
 * The pictures that a page shows on paper and without a script, each with the settings that it is made with:
 * <img src="pictures/collapsed.svg" data-picture="--d-k 64 --divisor none">.
 *
 * @param {string} html
 * @returns {{file: string, options: string[]}[]}
 */
export function picturesIn(html) {
  return Array.from(html.matchAll(/<img src="([^"]+)" data-picture="([^"]*)"/g), ([, file, options]) => ({
    file,
    options: Array.from(options.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare),
  }));
}

/** What each picture was made of, so that a server makes again only those of which something changed. @type {Map<string, string>} */
const made = new Map();

/** @param {{file: string, options: string[]}} picture */
function makePicture({ file, options }) {
  const command = `${project}/dist/picture-command.js`;
  const language = options.includes('--lang') ? options[options.indexOf('--lang') + 1] : 'en';
  const messages = `${project}/dist/messages/${language}.js`;
  const sources = [command, ...(existsSync(messages) ? [messages] : [])].map((path) => readFileSync(path, 'utf8'));
  const ingredients = createHash('sha256')
    .update(JSON.stringify([options, sources]))
    .digest('hex');
  if (made.get(file) === ingredients) {
    return;
  }
  mkdirSync(dirname(`${target}/${file}`), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [command, ...options, '--output', `${target}/${file}`], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`The picture ${file} of a lesson cannot be made:\n${stderr}`);
  }
  made.set(file, ingredients);
}

/** Copies pages and their icon as they are, and bundles what they load: short, for readers on a slow line. */
export async function buildLessonPages() {
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(source).filter((name) => /\.(html|svg)$/.test(name))) {
    copyFileSync(`${source}/${file}`, `${target}/${file}`);
  }
  await esbuild.build({
    absWorkingDir: source,
    entryPoints: { lesson: 'lesson.js', ...workbenchScripts },
    outdir: target,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    plugins: [packagesNoted],
    logLevel: 'warning',
  });
  const { code } = await esbuild.transform(readFileSync(`${source}/lesson.css`, 'utf8'), {
    loader: 'css',
    minify: true,
  });
  writeFileSync(`${target}/lesson.css`, code);
}

/**
 * Copies the widget beside the pages, as an author would: the classic script, for file: too, and what it loads when asked.
 * Makes the pages' pictures with it. Both are built before.
 *
 * @param {string[]} siblings  names of the scripts that lie beside the widget
 */
export function supplyLessons(siblings) {
  for (const name of ['attention-widget.classic', ...siblings]) {
    copyFileSync(`${project}/dist/${name}.js`, `${target}/${name}.js`);
  }
  cpSync(`${project}/dist/messages`, `${target}/messages`, {
    recursive: true,
    filter: (path) => !path.endsWith('.d.ts'),
  });
  for (const page of readdirSync(source).filter((name) => name.endsWith('.html'))) {
    picturesIn(readFileSync(`${source}/${page}`, 'utf8')).forEach(makePicture);
  }
}
