// What the package says about itself: files, exports, types, manifest, and imports where there is no page.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { settingNames, settings } from '../../web/engine/lesson-state.js';
import { folder, installed, manifest, project, resolve, run, tarball, write } from './support.mjs';

/** Every way in that a program may import. */
const scripts = Object.keys(manifest.exports).filter((name) => manifest.exports[name].types !== undefined);

/** @param {string} name  of an export, as package.json writes it */
const specifier = (name) => `attention-widget${name.slice(1)}`;

test('the package has every file that it names, and none of its workshop', () => {
  const targets = Object.values(manifest.exports).flatMap((target) => Object.values(Object(target)));
  const plain = Object.values(manifest.exports).filter((target) => typeof target === 'string' && !target.includes('*'));
  const named = [manifest.types, manifest.unpkg, manifest.jsdelivr, manifest.customElements, ...plain];
  for (const path of [...named, ...targets.filter((target) => target.startsWith('./'))]) {
    assert.ok(existsSync(join(installed, path)), `${path} is there`);
  }
  const files = run('tar', ['-tzf', tarball]).trim().split('\n').sort();
  assert.deepEqual(
    files.filter((file) => !/^package\/(dist\/|LICENSE$|package\.json$)|\.md$/.test(file)),
    ['package/tests/bench/peers.svg', 'package/web/page/screenshot.png'],
    'besides dist/ there is what is read, and its pictures',
  );
  assert.deepEqual(
    ['embed.html', 'embed.js', 'host.js'].filter((file) => !files.includes(`package/dist/embed/${file}`)),
    [],
  );
  assert.ok(!files.some((file) => /index\.html|page\.css/.test(file)));
  assert.equal(manifest.dependencies, undefined);
});

test('every file and picture that the packed pages link to is in the package', () => {
  const pages = run('tar', ['-tzf', tarball])
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.md'));
  assert.ok(pages.length >= 5);
  for (const page of pages.map((file) => join(installed, file.replace('package/', '')))) {
    for (const [, link] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      const isElsewhere = /^[a-z]+:/.test(link);
      assert.ok(isElsewhere || existsSync(join(dirname(page), link)), `${page} links to ${link}`);
    }
  }
});

test('resolvers that read no exports find the widget, and server components get it as a client file', () => {
  const [types, entry] = ['types', 'default'].map((name) => manifest.exports['.'][name]);
  assert.deepEqual([manifest.main, manifest.module, manifest.types], [entry, entry, types]);
  const client = readFileSync(join(installed, manifest.exports['.']['react-server']), 'utf8');
  assert.match(client, /^'use client';\n/);
  assert.ok(manifest.sideEffects.includes(manifest.exports['.']['react-server']));
});

test('the linters of packages and of types find nothing', () => {
  const bin = join(project, 'tests/hosts/node_modules/.bin');
  run(join(bin, 'publint'), ['run', tarball, '--strict']);
  // The module is no program; there are no types to import from it.
  run(join(bin, 'attw'), [tarball, '--profile', 'esm-only', '--exclude-entrypoints', 'attention_lesson.wasm']);
});

test('every way in can be imported where there is no page, and has no effect there', () => {
  assert.ok(scripts.length >= 6);
  const program = `
    const before = Object.keys(globalThis).sort().join();
    for (const name of ${JSON.stringify(scripts.map(specifier))}) {
      await import(name);
    }
    const { loadEngine } = await import('attention-widget/engine');
    const { AttentionWidget, loadLessonEngine } = await import('attention-widget');
    const [engine, lessons] = [await loadEngine(), await loadLessonEngine()];
    const peaks = [engine, lessons].map((each) => each.lesson({ dK: 64, divisor: 'none' }).metrics.peak[1]);
    console.log(JSON.stringify({
      peaks, isClass: typeof AttentionWidget, same: before === Object.keys(globalThis).sort().join(),
    }));`;
  write('import.mjs', program);
  const { peaks, isClass, same } = JSON.parse(run(process.execPath, ['import.mjs'], folder));
  assert.ok(peaks[0] >= 0.99 && peaks[0] === peaks[1]);
  assert.deepEqual({ isClass, same }, { isClass: 'function', same: true });
  run(process.execPath, [resolve('attention-widget/package.json').replace('package.json', manifest.unpkg)]);
});

test('the fetched module is the one that is inlined', async () => {
  const { loadLessonEngine } = await import(pathToFileURL(resolve('attention-widget')).href);
  const size = readFileSync(resolve('attention-widget/attention_lesson.wasm')).length;
  assert.ok(size > 20_000 && (await loadLessonEngine()).lesson({}).metrics.peak.length === 6);
  const [inlined, external] = ['attention-widget', 'attention-widget/external'].map(
    (name) => readFileSync(resolve(name)).length,
  );
  assert.ok(external < inlined - 0.5 * size, `the script without the module takes ${external} of ${inlined} bytes`);
});

test('no script takes more than its share, and none builds code from text', (context) => {
  /** Bytes: the widget's share, with what a frame adds to it, and with what a notebook's cell has nothing beside it for. */
  const most = {
    'attention-widget.classic': 80_000,
    element: 80_000,
    external: 58_000,
    'embed/embed': 81_000,
    anywidget: 152_000, // with the panels and what draws, reads and writes files, which lie beside the others
    'embed/host': 2000,
  };
  for (const [name, share] of Object.entries(most)) {
    const script = readFileSync(join(installed, `dist/${name}.js`));
    const { length } = gzipSync(script, { level: 9 });
    context.diagnostic(`gzipped: ${name} ${length} bytes`);
    assert.ok(length < share, `${name} takes ${length} bytes`);
    assert.doesNotMatch(script.toString(), /\bnew Function\b|[^.\w]Function\(|[^.\w]eval\(/);
  }
});

test('strict TypeScript understands every way in, without skipping the libraries', () => {
  write(
    'lesson.ts',
    `import { AttentionWidget, EngineError, loadLessonEngine } from 'attention-widget';
     import { AttentionWidget as External } from 'attention-widget/external';
     import type { LessonResult, LessonState as State, Metrics } from 'attention-widget';
     import { AttentionWidget as Element, type LessonState } from 'attention-widget/element';
     import { loadEngine, type AttentionOptions, type AttentionResult, type Tensor } from 'attention-widget/engine';
     import notebook, { type Model } from 'attention-widget/anywidget';
     import 'attention-widget/embed/host.js';

     const widget = document.createElement('attention-widget');
     widget.dK = 64;
     widget.tokens = ['a', 'b'];
     widget.divisor = 'none';
     // @ts-expect-error  no such divisor
     widget.divisor = 'half';
     // @ts-expect-error  a number
     widget.row = 'first';
     widget.tokens = 'a b c';
     widget.dK = '64';
     widget.seed = null;
     widget.panels = 'proofs shapes code';
     widget.panels = ['proofs'];
     // @ts-expect-error  no such panel
     widget.panels = ['profs'];
     // @ts-expect-error  nor in a text
     widget.panels = 'proofs profs';
     widget.locked = 'seed d-k';
     // @ts-expect-error  no such setting
     widget.locked = ['sed'];
     widget.linked = 'true';
     const isLinked: boolean = widget.linked;
     widget.change({ dK: 64, divisor: 'none', row: '2', tokens: null });
     // @ts-expect-error  no such setting
     widget.change({ dk: 64 });
     // @ts-expect-error  no such mask
     widget.change({ mask: 'some' });
     const given: [State, LessonResult | null] = [widget.state, widget.result];
     const metrics: Metrics | undefined = widget.result?.metrics;
     widget.state = { dK: 5, mask: 'causal' };
     const state: LessonState = widget.state;
     const peak: number | undefined = widget.result?.metrics.peak[state.row];
     const problem: string | undefined = widget.error?.message;
     widget.addEventListener('attention-change', ({ detail }) => detail.metrics.spread.toFixed(2));
     document.addEventListener('attention-checkpoint', ({ detail }) => detail.correct === true);
     document.body.addEventListener('attention-error', ({ detail }) => detail.message.length);
     const own: AttentionWidget = document.querySelector('attention-widget')!;
     customElements.define('my-widget', class extends Element {});
     const classes: (typeof HTMLElement)[] = [AttentionWidget, External, Element];

     const engine = await loadEngine();
     const query: Tensor = { data: new Float32Array(2), shape: [1, 2] };
     const options: AttentionOptions = { query, key: query, value: query, isCausal: true };
     const result: AttentionResult = engine.attention(options);
     const { output, weights } = result;
     const shape: number[] = output.shape;
     // @ts-expect-error  no such option
     engine.attention({ query, key: query, value: query, causal: true });
     const spread: number = (await loadLessonEngine()).lesson({ dK: 8 }).metrics.spread;
     const thrown: Error = new EngineError('no');
     declare const model: Model;
     const remove: () => void = notebook.render({ model, el: document.body });
     export { isLinked, given, metrics, peak, problem, own, classes, weights, shape, spread, thrown, remove };`,
  );
  for (const [module, moduleResolution] of [
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      noEmit: true,
      noUnusedLocals: true,
      skipLibCheck: false,
    };
    write('package.json', '{"type": "module"}');
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['lesson.ts'] }));
    run(join(project, 'node_modules/.bin/tsc'), ['-p', folder]);
  }
});

test('the custom-elements manifest lists every attribute, event and part', () => {
  const { schemaVersion, modules } = JSON.parse(readFileSync(join(installed, manifest.customElements), 'utf8'));
  assert.equal(schemaVersion, '1.0.0');
  for (const { path } of modules) {
    assert.ok(existsSync(join(installed, path)), path);
  }
  const [element] = modules[0].declarations;
  assert.equal(element.tagName, 'attention-widget');
  const names = (/** @type {{name: string}[]} */ entries) => entries.map(({ name }) => name);
  assert.deepEqual(names(element.attributes), [
    ...settingNames.map((name) => settings[name].attribute),
    'linked',
    'src',
    'lang',
  ]);
  for (const { name, type, description } of element.attributes.slice(-3)) {
    assert.ok(type.text.length > 0 && description.length > 0, `${name} has a type and a meaning`);
  }
  for (const { name, fieldName, type, default: value } of element.attributes.slice(0, -3)) {
    assert.ok(type.text.length > 0, `${name} has a type`);
    const setting = /** @type {import('../../web/engine/lesson-state.js').Setting} */ (
      settings[/** @type {'dK'} */ (fieldName)]
    );
    assert.ok(setting.kind !== 'choice' || setting.choices.every((choice) => type.text.includes(`'${choice}'`)));
    assert.ok(setting.kind !== 'choice' || setting.choices.includes(value));
  }
  assert.deepEqual(names(element.members).slice(settingNames.length), [
    'state',
    'result',
    'error',
    'link',
    'linked',
    'src',
    'updated',
    'change',
    'toSVG',
    'toCSV',
  ]);
  const source = ['element/attention-widget.js', 'panels/checkpoints.js']
    .map((name) => readFileSync(join(project, 'web', name), 'utf8'))
    .join();
  const dispatched = Array.from(source.matchAll(/dispatch\('(attention-[\w-]+)'/g), ([, name]) => name);
  assert.deepEqual(names(element.events).sort(), [...new Set(dispatched)].sort());
  const parts = ['controls', 'figures', 'heatmap', 'panels', 'problem', 'slider', 'toggle', 'widget'];
  assert.deepEqual(
    parts.filter((part) => !names(element.cssParts).includes(part)),
    [],
  );
  assert.ok([...element.members, ...element.events].every(({ description = '' }) => !/[*\n]/.test(description)));
});

test('no lock file names a registry', () => {
  for (const path of ['package-lock.json', 'tests/hosts/package-lock.json']) {
    assert.doesNotMatch(readFileSync(join(project, path), 'utf8'), /"resolved"|\bregistry\./);
  }
});
