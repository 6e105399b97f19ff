// Where a language comes from: its file, missing, slow or of another version, a script or an import, from disk, as a text.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import english from '../../../web/language/messages/en.js';
import spanish from '../../../web/language/messages/es.js';
import chinese from '../../../web/language/messages/zh-CN.js';
import {
  eventually,
  openPage,
  pageTest,
  read,
  serve,
  set,
  settled,
  stateOf,
  strictPolicy,
  widgetScript,
} from '../support.mjs';
import { askedFor, only, titleOf, widget } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));

pageTest(
  'a language whose file is missing leaves the widget English, and says so once',
  async (page) => {
    /** @type {string[]} */
    const warnings = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.route('**/messages/*', (route) => route.fulfill({ status: 404 }));
    await openPage(page, `${widget}${widget}`, { root: 'lang="es"' });
    assert.equal(await titleOf(only(page).first()), english.heatmap);
    await set(only(page).first(), { dK: 30 });
    assert.equal((await read(only(page).first())).width, '30');
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0],
      /messages\/es\.js does not load, the texts stay English: http.*es\.js does not load\. To hand it over/,
    );
  },
  {},
  /404|messages\/es\.js/,
);

pageTest(
  'a file of something else leaves the widget English, and one of another version what it lacks',
  async (page) => {
    const registry = "(globalThis[Symbol.for('attention-widget.messages')] ??= {})";
    await page.route('**/messages/es.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
    await page.route('**/messages/zh-CN.js', (route) =>
      route.fulfill({
        body: `${registry}['zh-CN'] = { locale: 'zh-CN', heatmap: 'X', state: { diffuse: 'Y' }, old: 'Z' };`,
        contentType: 'text/javascript',
      }),
    );
    await openPage(
      page,
      `<attention-widget lang="es"></attention-widget><attention-widget lang="zh"></attention-widget>`,
    );
    assert.equal(await titleOf(only(page).nth(0)), english.heatmap);
    assert.equal(await titleOf(only(page).nth(1)), 'X');
    const { figures } = await read(only(page).nth(1));
    assert.deepEqual([figures.state.value, figures.gradient.value], ['Y', 'alive']);
  },
  {},
  /messages\/es\.js/,
);

pageTest('a slow language: English until it is there, and what is settled is the language', async (page) => {
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route('**/messages/es.js', async (route) => {
    await held;
    await route.continue();
  });
  serve(
    '/slow.html',
    `<!doctype html><html lang="es"><link rel="icon" href="data:,">${widgetScript}<body>${widget}</body></html>`,
  );
  // A page counts as loaded when its scripts are there, those of languages too.
  await page.goto(new URL('/slow.html', await originOf(page)).href, { waitUntil: 'commit' });
  await only(page).locator('.cell').first().waitFor();
  assert.equal(await titleOf(only(page)), english.heatmap);
  await only(page).locator('[part="toggle"]').click();
  await eventually(async () => (await stateOf(only(page))).divisor, 'none');
  await eventually(async () => (await read(only(page))).toggle.isPressed, 'false');
  release();
  await settled(page);
  assert.equal(await titleOf(only(page)), spanish.heatmap);
  assert.equal((await stateOf(only(page))).divisor, 'none');
});

pageTest('a language that comes while the picture is computed is the language of the picture', async (page) => {
  const tokens = JSON.stringify(Array.from({ length: 2048 }, (_, index) => `t${index}`));
  await page.route('**/messages/es.js', async (route) => {
    await only(page).locator('.widget > .progress:not([hidden])').waitFor({ state: 'attached' }); // the work has begun
    await route.continue();
  });
  await openPage(page, `<attention-widget tokens='${tokens}'></attention-widget>`, { root: 'lang="es"' });
  assert.equal(await titleOf(only(page)), spanish.heatmap);
});

/** Where the tests' pages are served. @param {Page} page */
async function originOf(page) {
  await openPage(page, '', { head: '' });
  return page.url();
}

pageTest(
  'a script or an import hands a language over, before the widget or after, and its file is fetched once',
  async (page) => {
    const files = askedFor(page);
    const language = '<script src="/messages/es.js"></script>';
    serve('/both.js', "import '/attention-widget.js'; import '/messages/es.js';");
    for (const head of [
      `${language}<script src="/attention-widget.classic.js"></script>`,
      `<script src="/attention-widget.classic.js"></script>${language}`,
      '<script type="module" src="/both.js"></script>',
    ]) {
      files.length = 0;
      await openPage(page, widget, { head, root: 'lang="es"' });
      assert.equal(await titleOf(only(page)), spanish.heatmap);
      assert.deepEqual(files, ['messages/es.js'], head);
    }
  },
);

pageTest('a language that an author adds is a language like the others', async (page) => {
  serve(
    '/fr.js',
    `(globalThis[Symbol.for('attention-widget.messages')] ??= {}).fr = { locale: 'fr', heatmap: 'Poids d’attention' };`,
  );
  await openPage(page, widget, { head: `<script src="/fr.js"></script>${widgetScript}`, root: 'lang="fr-CA"' });
  assert.equal(await titleOf(only(page)), 'Poids d’attention');
  assert.match((await read(only(page))).figures.spread.value, /^1,\d\d$/);
});

pageTest('every form of the widget finds its languages under the strictest policy', async (page) => {
  for (const head of [
    widgetScript,
    '<script src="/attention-widget.classic.js"></script>',
    '<script type="module" src="/external.js"></script>',
  ]) {
    await openPage(page, widget, {
      head,
      root: 'lang="zh"',
      headers: { 'content-security-policy': `${strictPolicy}; img-src data:; connect-src 'self'` },
    });
    await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
    await settled(page);
    assert.equal(await titleOf(only(page)), chinese.heatmap, head);
  }
  await page.goto(new URL('/embed/embed.html?lang=es-MX&d-k=3', page.url()).href);
  await settled(page);
  assert.equal(await titleOf(only(page)), spanish.heatmap, 'in a frame');
});

pageTest(
  'from disk too, and in a page of another encoding: the classic script finds the file beside it',
  async (page) => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-languages-'));
    try {
      const script = pathToFileURL(join(dist, 'attention-widget.classic.js')).href;
      const path = join(folder, 'page.html');
      writeFileSync(
        path,
        `<!doctype html><html lang="zh"><meta charset="windows-1252"><script src="${script}"></script><body>${widget}</body></html>`,
      );
      await page.goto(pathToFileURL(path).href);
      await settled(page);
      assert.equal(await titleOf(only(page)), chinese.heatmap);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

pageTest('a notebook: the language and the widget as one text', async (page) => {
  serve('/notebook.html', '<!doctype html><html lang="en"><link rel="icon" href="data:,"><body></body></html>');
  await page.goto(new URL('/notebook.html', await originOf(page)).href);
  const text = ['anywidget.js', 'messages/es.js'].map((name) => readFileSync(dist + name, 'utf8')).join('\n');
  await page.evaluate(async (text) => {
    const { default: module } = await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    const model = { get: (/** @type {string} */ name) => ({ lang: 'es' })[name], on() {}, off() {}, set() {} };
    module.render({ model, el: document.body });
    await /** @type {any} */ (document.querySelector('attention-widget')).updated;
  }, text);
  assert.equal(await titleOf(only(page)), spanish.heatmap);
});
