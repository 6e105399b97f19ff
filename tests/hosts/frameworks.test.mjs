// The package where pages are rendered on a server first: React, VitePress and Docusaurus.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { pageTest } from '../browser/support.mjs';
import { addPackage, expectWorkingWidget, folder, html, origins, run, write } from './support.mjs';

/** @typedef {import('playwright-core').Page} Page */

pageTest(
  'React: rendered on the server and hydrated, or drawn in the page with properties and events',
  async (page) => {
    addPackage('react');
    addPackage('react-dom');
    // Hydration gives a custom element neither properties nor listeners; attributes are there from the server.
    write(
      'react/lesson.jsx',
      `import { useEffect, useRef, useState } from 'react';
     import 'attention-widget';

     export function Lesson() {
       const widget = useRef(null);
       const [spread, setSpread] = useState(null);
       const [dK, setWidth] = useState(24);
       useEffect(() => {
         const listener = ({ detail }) => setSpread(detail.metrics.spread);
         widget.current.addEventListener('attention-change', listener);
         return () => widget.current?.removeEventListener('attention-change', listener);
       }, []);
       return (
         <main>
           <attention-widget ref={widget} d-k={dK} tokens="a b c" mask="causal" />
           <output>{spread === null ? 'none' : spread.toFixed(3)}</output>
           <button onClick={() => setWidth(48)}>wider</button>
         </main>
       );
     }`,
    );
    write(
      'react/server.jsx',
      `import { renderToString } from 'react-dom/server';
     import { Lesson } from './lesson.jsx';
     process.stdout.write(renderToString(<Lesson />));`,
    );
    write(
      'react/page.jsx',
      `import { createRoot, hydrateRoot } from 'react-dom/client';
     import { Lesson } from './lesson.jsx';
     hydrateRoot(document.querySelector('#root'), <Lesson />, { onRecoverableError: (error) => console.error(error) });
     createRoot(document.querySelector('#client')).render(
       <attention-widget tokens={['x', 'y']} dK={5}
         onattention-change={({ detail }) => { window.heard = detail.state.dK; }} />
     );`,
    );
    const options = /** @type {const} */ ({
      absWorkingDir: join(folder, 'react'),
      bundle: true,
      jsx: 'automatic',
      logLevel: 'error',
    });
    await Promise.all([
      esbuild.build({ ...options, entryPoints: ['server.jsx'], platform: 'node', outfile: 'server.cjs' }),
      esbuild.build({ ...options, entryPoints: ['page.jsx'], outfile: 'page.js' }),
    ]);
    const rendered = run(process.execPath, ['server.cjs'], join(folder, 'react'));
    assert.match(rendered, /<attention-widget d-k="24" tokens="a b c" mask="causal"><\/attention-widget>/);
    const body = `<div id="root">${rendered}</div><div id="client"></div>`;
    write('react/index.html', html('React', '<script src="page.js" defer></script>', body));

    await page.goto(`${origins[0]}/react/`);
    await page.waitForFunction(() => document.querySelector('output')?.textContent !== 'none');
    await expectWorkingWidget(page);
    /** @param {string} root */
    const state = (root) =>
      page.locator(`${root} attention-widget`).evaluate(async (element) => {
        await /** @type {any} */ (element).updated;
        const { dK, tokens, mask } = /** @type {any} */ (element).state;
        return { dK, tokens, mask };
      });
    assert.deepEqual(await state('#root'), { dK: 24, tokens: ['a', 'b', 'c'], mask: 'causal' });
    await page.getByRole('button', { name: 'wider' }).click();
    assert.deepEqual(await state('#root'), { dK: 48, tokens: ['a', 'b', 'c'], mask: 'causal' });
    assert.deepEqual(await state('#client'), { dK: 5, tokens: ['x', 'y'], mask: 'none' });
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).heard), 5);
  },
  {},
  /React DevTools/,
);

/** A tag whose every setting is a text, as in Markdown. */
const tag = `<attention-widget id="text" tokens="a b c" row="2" heads="2" seed="7" panels="proofs" locked="seed" dropout="0.1"></attention-widget>`;

/** That the tag was understood, however a framework wrote it into the page. @param {Page} page */
async function expectSettings(page) {
  const found = await page.locator('#text').evaluate(async (element) => {
    const widget = /** @type {any} */ (element);
    await widget.updated;
    const { tokens, row, heads, seed, panels, locked, dropout } = widget.state;
    return { error: widget.error, tokens, row, heads, seed, panels, locked, dropout };
  });
  const expected = { tokens: ['a', 'b', 'c'], row: 2, heads: 2, seed: 7, panels: ['proofs'], locked: ['seed'] };
  assert.deepEqual(found, { error: null, ...expected, dropout: 0.1 });
}

pageTest('VitePress: built on the server, alive in the page, and after a turn to another page', async (page) => {
  addPackage('vitepress');
  addPackage('vue');
  write('package.json', '{"type": "module"}');
  write(
    'docs/.vitepress/config.js',
    `export default {
       title: 'Lessons',
       head: [['link', { rel: 'icon', href: 'data:,' }]],
       base: '/docs/.vitepress/dist/',
       vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'attention-widget' } } },
     };`,
  );
  write(
    'docs/.vitepress/theme/index.js',
    "import theme from 'vitepress/theme-without-fonts';\nimport 'attention-widget';\n\nexport default theme;\n",
  );
  write('docs/index.md', '# One\n\n<attention-widget d-k="24"></attention-widget>\n\n[the next lesson](./two)\n');
  write(
    'docs/two.md',
    `# Two

<attention-widget :tokens="['a', 'b']" mask="causal"></attention-widget>

${tag}
`,
  );
  const program = fileURLToPath(new URL('node_modules/vitepress/bin/vitepress.js', import.meta.url));
  run(process.execPath, [program, 'build', 'docs'], folder);
  const built = readFileSync(join(folder, 'docs/.vitepress/dist/index.html'), 'utf8');
  assert.match(built, /<attention-widget d-k="24"><\/attention-widget>/);

  await page.goto(`${origins[0]}/docs/.vitepress/dist/`);
  await expectWorkingWidget(page);
  // Until Vue has hydrated the page, its links are a browser's own, which load the next page afresh.
  await page.waitForFunction(() => '__vue_app__' in /** @type {Element} */ (document.querySelector('#app')));
  await page.evaluate(() => Object.assign(window, { isFirstDocument: true }));
  await page.getByRole('link', { name: 'the next lesson' }).click();
  await page.waitForURL('**/two.html');
  await page.waitForFunction(async () => {
    const element = /** @type {any} */ (document.querySelector('attention-widget[mask="causal"]'));
    await element?.updated;
    return element?.result != null;
  });
  assert.ok(await page.evaluate(() => 'isFirstDocument' in window), 'the turn keeps the document');
  assert.deepEqual(
    await page
      .locator('attention-widget')
      .first()
      .evaluate((element) => /** @type {any} */ (element).state.tokens),
    ['a', 'b'],
  );
  await expectSettings(page);
  await expectWorkingWidget(page);
});

// Built ahead of the tests: it takes longer than one may.
for (const name of ['@docusaurus/core', '@docusaurus/plugin-content-pages', '@mdx-js/react', 'react', 'react-dom']) {
  addPackage(name);
}
write('docusaurus/package.json', '{}');
write(
  'docusaurus/docusaurus.config.mjs',
  `export default {
       title: 'Lessons',
       url: 'https://example.com',
       baseUrl: '/docusaurus/build/',
       trailingSlash: true,
       plugins: ['@docusaurus/plugin-content-pages'],
       clientModules: ['./client.js'],
       headTags: [{ tagName: 'link', attributes: { rel: 'icon', href: 'data:,' } }],
     };`,
);
write('docusaurus/client.js', "import 'attention-widget';\n");
const lesson = (/** @type {string} */ title, /** @type {string} */ body) => `import Link from '@docusaurus/Link';
import Layout from '@theme/Layout';

export default function Lesson() {
  return <Layout title="${title}">${body}</Layout>;
}
`;
const first = '<attention-widget d-k="24"></attention-widget><Link to="/two">the next lesson</Link>';
write('docusaurus/src/pages/index.jsx', lesson('One', first));
write('docusaurus/src/pages/two.jsx', lesson('Two', tag));
const program = fileURLToPath(new URL('node_modules/@docusaurus/core/bin/docusaurus.mjs', import.meta.url));
run(process.execPath, [program, 'build'], join(folder, 'docusaurus'));

pageTest('Docusaurus: built on the server, alive in the page, and after a turn to another page', async (page) => {
  const built = readFileSync(join(folder, 'docusaurus/build/index.html'), 'utf8');
  assert.match(built, /<attention-widget d-k="?24"?><\/attention-widget>/);

  await page.goto(`${origins[0]}/docusaurus/build/`);
  await expectWorkingWidget(page);
  await page.locator('html[data-has-hydrated="true"]').waitFor();
  await page.evaluate(() => Object.assign(window, { isFirstDocument: true }));
  await page.getByRole('link', { name: 'the next lesson' }).click();
  await page.locator('#text').waitFor();
  assert.ok(await page.evaluate(() => 'isFirstDocument' in window), 'the turn keeps the document');
  await expectSettings(page);
  await page.reload();
  await expectSettings(page);
  await expectWorkingWidget(page);
});
