// The package in the bundlers that sites are built with: the widget with its module inside, and the one that fetches it.

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';
import { pageTest } from '../browser/support.mjs';
import { expectWorkingWidget, folder, html, origins, resolve, write } from './support.mjs';

const widget = '<attention-widget d-k="24"></attention-widget>';

write('inlined.js', "import { AttentionWidget } from 'attention-widget';\nwindow.widgetClass = AttentionWidget;\n");
write('external.js', "import 'attention-widget/external';\n");
write('spanish.js', "import 'attention-widget';\nimport 'attention-widget/messages/es.js';\n");
write('unused.js', "import { AttentionWidget } from 'attention-widget/element';\nwindow.ready = true;\n");

/** Rollup itself finds no packages. @type {import('rollup').Plugin} */
const findPackages = { name: 'find-packages', resolveId: (id) => (/^[./]/.test(id) ? null : resolve(id)) };

/** @param {string} entry @param {string} out @param {object} [more]  options */
async function runWebpack(entry, out, more) {
  const stats = await new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        context: folder,
        entry: { [entry]: `./${entry}.js` },
        output: { path: out },
        performance: { hints: false },
        ...more,
      },
      (error, stats) => (error ? reject(error) : resolve(stats)),
    );
  });
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }), { errors: [], warnings: [] });
}

/** Bundles an entry of the folder into out/<bundler>/<entry>.js. */
const bundlers = /** @type {Record<string, (entry: string, out: string) => Promise<unknown>>} */ ({
  async esbuild(entry, out) {
    const entryPoints = [`${entry}.js`];
    const options = /** @type {const} */ ({ bundle: true, format: 'esm', minify: true, logLevel: 'error' });
    await esbuild.build({ ...options, absWorkingDir: folder, entryPoints, outdir: out });
  },

  async rollup(entry, out) {
    const bundle = await rollup({ input: join(folder, `${entry}.js`), plugins: [findPackages] });
    await bundle.write({ file: join(out, `${entry}.js`), format: 'es' });
  },

  webpack: (entry, out) => runWebpack(entry, out),

  async vite(entry, out) {
    await vite.build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir: out,
        emptyOutDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: join(folder, `${entry}.js`),
          output: { entryFileNames: `${entry}.js` },
          preserveEntrySignatures: false,
        },
      },
      base: './',
    });
  },
});

/**
 * They know the way in which the script names its module and its languages, and take them along; for the others the
 * author copies the module and imports the languages.
 */
const takeFilesAlong = ['vite', 'webpack'];

for (const [name, bundle] of Object.entries(bundlers)) {
  const out = join(folder, 'out', name);

  pageTest(`${name}: the widget, its module inside, is one script`, async (page) => {
    await bundle('inlined', out);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
    const languages = files.filter((path) => readFileSync(join(out, path), 'utf8').includes('"Controles"'));
    assert.equal(languages.length, takeFilesAlong.includes(name) ? 1 : 0);
    assert.equal(files.length, takeFilesAlong.includes(name) ? 11 : 1, 'the script, or what may lie beside it too');
    write(`out/${name}/inlined.html`, html(name, '<script src="inlined.js" type="module"></script>', widget));
    await page.goto(`${origins[0]}/out/${name}/inlined.html`);
    await expectWorkingWidget(page);
    const same = () => customElements.get('attention-widget') === /** @type {any} */ (window).widgetClass;
    assert.ok(await page.evaluate(same));
  });

  pageTest(
    `${name}: a language that is imported is in the bundle, and one that is taken along is found`,
    async (page) => {
      await bundle('spanish', out);
      for (const script of takeFilesAlong.includes(name) ? ['spanish', 'inlined'] : ['spanish']) {
        const body = `<div lang="es">${widget}</div>`;
        write(`out/${name}/${script}-es.html`, html(name, `<script src="${script}.js" type="module"></script>`, body));
        await page.goto(`${origins[0]}/out/${name}/${script}-es.html`);
        await expectWorkingWidget(page);
        assert.equal(await page.locator('[part="heatmap"] strong').textContent(), 'Pesos de atención');
        const scripts = await page.evaluate(
          () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length,
        );
        assert.equal(scripts, script === 'spanish' ? 1 : 2, 'the bundle, and a language that is not in it');
      }
    },
  );

  pageTest(`${name}: the widget that fetches its module finds it`, async (page) => {
    await bundle('external', out);
    const modules = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.wasm'));
    assert.equal(modules.length, takeFilesAlong.includes(name) ? 1 : 0);
    if (modules.length === 0) {
      copyFileSync(resolve('attention-widget/attention_lesson.wasm'), join(out, 'attention_lesson.wasm'));
    }
    write(`out/${name}/external.html`, html(name, '<script src="external.js" type="module"></script>', widget));
    await page.goto(`${origins[0]}/out/${name}/external.html`);
    await expectWorkingWidget(page);
  });

  // Rollup itself reads no package.json, so it cannot know that importing the class does nothing.
  test(`${name}: a class that nobody uses costs nothing`, { skip: name === 'rollup' }, async () => {
    await bundle('unused', out);
    const { length } = readFileSync(join(out, 'unused.js'));
    assert.ok(length < 500, `${length} bytes`);
  });
}

pageTest('webpack as Next sets it up, where addresses of files are paths: a language is found', async (page) => {
  const out = join(folder, 'out/relative');
  await runWebpack('inlined', out, {
    output: { path: out, publicPath: '/out/relative/' },
    module: { parser: { javascript: { url: 'relative' } } },
  });
  const body = `<div lang="es">${widget}</div>`;
  write('out/relative/page.html', html('relative', '<script src="inlined.js" type="module"></script>', body));
  await page.goto(`${origins[0]}/out/relative/page.html`);
  await expectWorkingWidget(page);
  assert.equal(await page.locator('[part="heatmap"] strong').textContent(), 'Pesos de atención');
});

pageTest(
  "Vite's development server serves both",
  async (page) => {
    const script = (/** @type {string} */ name) => `<script src="/${name}.js" type="module"></script>`;
    write('inlined.html', html('Vite', script('inlined'), widget));
    write('external.html', html('Vite', script('external'), widget));
    const server = await vite.createServer({
      root: folder,
      configFile: false,
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0, watch: null },
      // A package that names files beside itself must stay where it is.
      optimizeDeps: { exclude: ['attention-widget/external'], include: ['attention-widget'] },
    });
    try {
      await server.listen();
      const [origin] = server.resolvedUrls?.local ?? [];
      for (const name of ['inlined', 'external']) {
        await page.goto(`${origin}${name}.html`);
        await expectWorkingWidget(page);
      }
    } finally {
      await server.close();
    }
  },
  {},
  /\[vite\]/,
);
