import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { minify } from 'terser';
import { options } from '../../web/build.mjs';

/** Bytes that a page may cost its readers. Raise it only for something that is worth as much. */
const most = 60_000;

/** Bytes of the engine for programs, which is built for speed. */
const mostForPrograms = 70_000;

/** @param {string} entry  a package export */
const travels = (entry) => gzipSync(readFileSync(fileURLToPath(import.meta.resolve(entry))), { level: 9 }).length;

test('the widget, engine and style sheet and all, travels in less than 60 kB', (context) => {
  const sizes = ['attention-widget', 'attention-widget/element', 'attention-widget/engine'].map(travels);
  context.diagnostic(`gzipped: widget ${sizes[0]}, element ${sizes[1]}, engine ${sizes[2]} bytes`);
  assert.ok(sizes[0] < most, `the widget takes ${sizes[0]} bytes`);
  assert.ok(sizes[1] < most && sizes[2] < mostForPrograms, 'each way in carries no more than it needs');
});

test('the shipped files build no code from text', () => {
  for (const entry of ['attention-widget', 'attention-widget/element', 'attention-widget/engine']) {
    const source = readFileSync(fileURLToPath(import.meta.resolve(entry)), 'utf8');
    assert.doesNotMatch(source, /\bnew Function\b|[^.\w]Function\(|[^.\w]eval\(/);
  }
});

/**
 * What the panels may add to a page: their code, styles and messages. Raise it only for something that is worth as much.
 * The core's proofs and comparisons come on top; leaving them out of bindings.cpp makes the module 2.1 kB smaller.
 */
const mostForPanels = 12_800;

/** The widget without its panels: an empty list of them, no styles and no messages. @type {esbuild.Plugin} */
const withoutPanels = {
  name: 'without-panels',
  setup(build) {
    const noPanels = `
      export function createPanels() {
        return { root: document.createElement('div'), update() {}, point() {} };
      }`;
    build.onLoad({ filter: /panels[\\/]panels\.js$/ }, () => ({ contents: noPanels }));
    build.onLoad({ filter: /panels[\\/][\w-]+\.css$/ }, () => ({ contents: '', loader: 'text' }));
    build.onLoad({ filter: /messages[\\/]en\.js$/ }, ({ path }) => {
      const messages = readFileSync(path, 'utf8');
      const contents = messages.replace(/\n {2}panels: \{.*/s, '\n};'); // they come last
      assert.ok(contents.length < messages.length, 'the messages of the panels are found');
      return { contents };
    });
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
    entryPoints: ['web/define.js'],
    write: false,
    plugins: [...plugins, withoutEngine, ...(options.plugins ?? [])],
  });
  const { code = '' } = await minify(outputFiles[0].text, { module: true, ecma: 2020, compress: { passes: 3 } });
  return gzipSync(code, { level: 9 }).length;
}

test('the panels add less than 13 kB to the widget', async (context) => {
  const [whole, bare] = await Promise.all([sizeOfWidget([]), sizeOfWidget([withoutPanels])]);
  context.diagnostic(`gzipped, without the engine: ${whole} bytes, of which the panels are ${whole - bare}`);
  assert.ok(bare > 10_000, 'what is left is a widget');
  assert.ok(whole - bare < mostForPanels, `the panels add ${whole - bare} bytes`);
});
