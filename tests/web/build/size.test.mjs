import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { minified, options } from '../../../web/build/build.mjs';

/** Bytes that a page may cost its readers. Raise it only for something that is worth as much. */
const most = 80_000;

/** Bytes of the engine for programs: it is built for speed, and 7 kB of it are embind's. */
const mostForPrograms = 100_000;

/** @param {string} entry  a package export */
const travels = (entry) => gzipSync(readFileSync(fileURLToPath(import.meta.resolve(entry))), { level: 9 }).length;

test('the widget, engine and style sheet and all, travels in less than 80 kB', (context) => {
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
 * What panels may add to a page: their code, styles and messages, gzipped. Raise it only for something that is worth as
 * much. What the core has for them comes on top: about 1.5 kB for laws and comparisons, 4 kB for gradients, training and
 * statistics.
 */
const budgets = [
  {
    title: 'the panels that explain add less than 12 kB',
    most: 12_000,
    modules: ['break-it', 'proofs', 'shapes', 'worksheet', 'jacobian', 'compare', 'checkpoints', 'code'],
    messages: ['break', 'proofs', 'shapes', 'worksheet', 'jacobianPanel', 'compare', 'checkpoints', 'code'],
  },
  {
    title: 'the panels that train and measure add less than 6 kB',
    most: 6_000,
    modules: ['gradients', 'train', 'law'],
    messages: ['chart', 'gradientsPanel', 'train', 'law'],
  },
];

/** The widget without some of its panels: nothing in their place, no styles and no messages. */
const without = (/** @type {typeof budgets[number]} */ { modules, messages }) => {
  const names = modules.join('|');
  /** @type {esbuild.Plugin} */
  const plugin = {
    name: 'without-panels',
    setup(build) {
      const nothing = `const nothing = () => ({ root: document.createElement('div'), update() {} });`;
      build.onLoad({ filter: new RegExp(`panels[\\\\/](${names})\\.(js|css)$`) }, ({ path }) => {
        if (path.endsWith('.css')) {
          return { contents: '', loader: 'text' };
        }
        const [name] = readFileSync(path, 'utf8').match(/(?<=export function )create\w+/) ?? [];
        return { contents: `${nothing} export { nothing as ${name} };` };
      });
      build.onLoad({ filter: /messages[\\/]en\.js$/ }, ({ path }) => {
        const whole = readFileSync(path, 'utf8');
        const some = new RegExp(`\\n {2}(${messages.join('|')}): \\{.*?\\n {2}\\},(?=\\n)`, 'gs');
        const contents = whole.replaceAll(some, '');
        assert.equal(whole.match(some)?.length, messages.length, 'their messages are found');
        return { contents };
      });
    },
  };
  return plugin;
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

for (const budget of budgets) {
  test(budget.title, async (context) => {
    const [whole, bare] = await Promise.all([sizeOfWidget([]), sizeOfWidget([without(budget)])]);
    context.diagnostic(`gzipped, without the engine: ${whole} bytes, of which these panels are ${whole - bare}`);
    assert.ok(whole - bare > budget.most / 2, 'they are left out');
    assert.ok(whole - bare < budget.most, `these panels add ${whole - bare} bytes`);
  });
}
