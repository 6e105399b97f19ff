// What the files of dist/ weigh. Covers build/build.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { minified, options } from '../../../web/build/build.mjs';

/** Bytes that a page may cost its readers. Raise it only for something that is worth as much. */
const most = 80_000;

/** Bytes of the engine for programs: built for speed, with the lessons, own matrices and biases among them, and 7 kB of embind's. */
const mostForPrograms = 109_000;

/** @param {string} entry  a package export */
const travels = (entry) => gzipSync(readFileSync(fileURLToPath(import.meta.resolve(entry))), { level: 9 }).length;

test('the widget, engine and style sheet and all, travels in less than 80 kB', (context) => {
  const sizes = ['attention-widget', 'attention-widget/element', 'attention-widget/engine'].map(travels);
  context.diagnostic(`gzipped: widget ${sizes[0]}, element ${sizes[1]}, engine ${sizes[2]} bytes`);
  assert.ok(sizes[0] < most, `the widget takes ${sizes[0]} bytes`);
  assert.ok(sizes[1] < most && sizes[2] < mostForPrograms, 'each way in carries no more than it needs');
});

test('what reads and writes matrices travels in less than 25 kB, and only where it is asked for', (context) => {
  const size = travels('attention-widget/exchange.js');
  context.diagnostic(`gzipped: exchange ${size} bytes`);
  assert.ok(size < 25_000, `${size} bytes`);
});

test('what reads trained models travels in less than 60 kB, the tokenizer and a part of the core among it', (context) => {
  const size = travels('attention-widget/models');
  context.diagnostic(`gzipped: models ${size} bytes`);
  assert.ok(size < 60_000, `${size} bytes`);
});

test('what a talk, a platform and the check of homework need weighs little', (context) => {
  for (const [name, share] of Object.entries({ present: 3_000, scorm: 2_000, check: 45_000 })) {
    const file = fileURLToPath(new URL(`../../../dist/${name}.js`, import.meta.url));
    const size = gzipSync(readFileSync(file), { level: 9 }).length;
    context.diagnostic(`gzipped: ${name} ${size} bytes`);
    assert.ok(size < share, `${name}: ${size} bytes`);
  }
});

test('the shipped files build no code from text', () => {
  for (const entry of [
    'attention-widget',
    'attention-widget/element',
    'attention-widget/engine',
    'attention-widget/models',
  ]) {
    const source = readFileSync(fileURLToPath(import.meta.resolve(entry)), 'utf8');
    assert.doesNotMatch(source, /\bnew Function\b|[^.\w]Function\(|[^.\w]eval\(/);
  }
});

/**
 * What the panels inside the widget may add to it: their code and styles, gzipped. Raise it only for something that is worth as
 * much. Their texts, and what the core has for them, come on top.
 */
const maxOfPanels = 1_500;

/** @type {esbuild.Plugin} the widget with no panel in its registry */
const withoutPanels = {
  name: 'without-panels',
  setup(build) {
    build.onLoad({ filter: /panels[\\/]registry\.js$/ }, () => ({
      contents: 'export const groups = {}, inside = [];',
    }));
  },
};

/** @type {esbuild.Plugin} the engine's bytes have no part in the difference */
const withoutEngine = {
  name: 'without-engine',
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, () => ({ contents: '', loader: 'text' }));
  },
};

/** What the widget's own code takes, built as for a page. @param {esbuild.Plugin[]} plugins */
async function sizeOfWidget(plugins) {
  const { outputFiles = [] } = await esbuild.build({
    ...options,
    entryPoints: ['web/element/define.js'],
    write: false,
    plugins: [...plugins, withoutEngine, ...(options.plugins ?? [])],
  });
  return gzipSync(await minified(outputFiles[0].text), { level: 9 }).length;
}

test('the panels inside the widget add less than 1.5 kB', async (context) => {
  const [whole, bare] = await Promise.all([sizeOfWidget([]), sizeOfWidget([withoutPanels])]);
  context.diagnostic(`gzipped, without the engine: ${whole} bytes, of which the panels are ${whole - bare}`);
  assert.ok(whole - bare > maxOfPanels / 2, 'they are left out');
  assert.ok(whole - bare < maxOfPanels, `the panels add ${whole - bare} bytes`);
});
