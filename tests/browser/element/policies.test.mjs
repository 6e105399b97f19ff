// Content security policies. Covers all of the element, engine/lesson-module.js and the policy of page/index.html.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  openPage,
  pageTest,
  read,
  resultShown,
  serve,
  set,
  setAttributes,
  settled,
  strictPolicy,
  widgetScript,
} from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

pageTest('the widget works under the strictest policy that allows WebAssembly, without a violation', async (page) => {
  serve(
    '/policy.js',
    `window.violations = [];
     document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));`,
  );
  await openPage(page, '<attention-widget mask="causal"></attention-widget>', {
    head: `<script src="/policy.js"></script>${widgetScript}`,
    headers: { 'content-security-policy': `${strictPolicy}; img-src data:` },
  });
  await only(page).locator('.cell').nth(6).click();
  await only(page).locator('[part="toggle"]').click();
  await set(only(page), { tokens: Array.from({ length: 30 }, (_, index) => `t${index}`) });
  await setAttributes(only(page), { 'd-k': '0' });
  assert.match((await read(only(page))).problem ?? '', /^d-k is 0/);
  await setAttributes(only(page), { 'd-k': '5' });
  assert.equal((await resultShown(only(page))).shapes.Q[1], 5);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).violations), []);
});

pageTest(
  'where the policy forbids WebAssembly a sentence says so in place of the widget',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>', {
      headers: { 'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:" },
    });
    const { problem, areControlsShown } = await read(only(page));
    assert.match(problem ?? '', /^WebAssembly could not start .*must allow 'wasm-unsafe-eval'/);
    assert.equal(areControlsShown, false);
  },
  {},
  /Content Security Policy|wasm/i,
);

/** @param {Page} page */
const saveSVG = (page) => only(page).evaluate((element) => /** @type {any} */ (element).toSVG());

const spanishTitle = 'Pesos de atención';

/** @param {Page} page */
const titleOf = (page) => only(page).locator('[part="heatmap"] strong').textContent();

for (const script of ['attention-widget.js', 'attention-widget.classic.js', 'external.js']) {
  pageTest(`${script} under Trusted Types, with its own policy allowed: languages and pictures come`, async (page) => {
    const policy = `${strictPolicy}; img-src data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types attention-widget`;
    await openPage(page, '<attention-widget lang="es"></attention-widget>', {
      head: `<script ${script.includes('classic') ? '' : 'type="module" '}src="/${script}"></script>`,
      headers: { 'content-security-policy': policy },
    });
    await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
    await settled(page);
    assert.equal(await titleOf(page), spanishTitle);
    assert.match(await saveSVG(page), /^<svg /);
  });
}

pageTest(
  'where Trusted Types allow no policy of the widget, the console says what would help, and a tag of the page helps',
  async (page) => {
    /** @type {string[]} */
    const said = [];
    page.on('console', (message) => said.push(message.text()));
    const headers = {
      'content-security-policy': `${strictPolicy}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`,
    };
    await openPage(page, '<attention-widget lang="es"></attention-widget>', { headers });
    assert.equal(await titleOf(page), 'Attention weights');
    assert.ok(said.some((text) => /messages\/es\.js does not load.*<script>/.test(text)));
    const head = `<script src="/messages/es.js"></script>${widgetScript}`;
    await openPage(page, '<attention-widget lang="es"></attention-widget>', { head, headers });
    assert.equal(await titleOf(page), spanishTitle);
  },
  {},
  /TrustedTypes|Trusted|attention-widget|policy/,
);

/**
 * Opens a page that takes the widget from another origin, whose answers carry what a CDN's do.
 *
 * @param {Page} page
 * @param {(origin: string) => string} head
 * @param {Record<string, string>} sent
 * @param {Record<string, string>} headers  of the page
 * @param {Record<string, string>} [changed]  files that hold something else there
 */
async function openAcross(page, head, sent, headers, changed = {}) {
  await openPage(page, '', { head: '' });
  const other = new URL(page.url()).origin.replace('127.0.0.1', 'localhost');
  await page.route(`${other}/**`, async (route) => {
    const response = await route.fetch();
    const body = changed[new URL(route.request().url()).pathname.slice(1)];
    await route.fulfill({ response, body, headers: { ...response.headers(), ...sent } });
  });
  await openPage(page, '<attention-widget lang="es"></attention-widget>', { head: head(other), headers });
  await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
  await settled(page);
}

const shared = { 'access-control-allow-origin': '*' };
const isolated = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };

for (const [name, head] of /** @type {const} */ ([
  ['a module', (/** @type {string} */ other) => `<script type="module" src="${other}/attention-widget.js"></script>`],
  [
    'a classic script',
    (/** @type {string} */ other) => `<script crossorigin src="${other}/attention-widget.classic.js"></script>`,
  ],
])) {
  pageTest(`under require-corp, from another origin as ${name}: languages and pictures come`, async (page) => {
    await openAcross(page, head, shared, isolated);
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    assert.equal(await titleOf(page), spanishTitle);
    assert.match(await saveSVG(page), /^<svg /);
  });
}

pageTest('a classic script of an origin that shares nothing finds its languages, as its own tag does', async (page) => {
  await openAcross(page, (other) => `<script src="${other}/attention-widget.classic.js"></script>`, {}, {});
  assert.equal(await titleOf(page), spanishTitle);
});

/** @param {string} name */
const hashOf = (name) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(new URL(`../../../dist/${name}`, import.meta.url)))
    .digest('base64')}`;

pageTest('a widget held to its hash holds languages and pictures to theirs', async (page) => {
  const head = `<script type="module" src="/attention-widget.js" integrity="${hashOf('attention-widget.js')}"></script>`;
  await openPage(page, '<attention-widget lang="es"></attention-widget>', { head });
  assert.equal(await titleOf(page), spanishTitle);
  assert.match(await saveSVG(page), /^<svg /);
  const tags = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll('script:not([type])'),
      (tag) => /** @type {HTMLScriptElement} */ (tag).integrity,
    ),
  );
  assert.equal(tags.length, 2);
  assert.ok(tags.every((integrity) => /^sha256-[\w+/]{43}=$/.test(integrity)));
});

pageTest(
  'a language that is not the one the widget was built with does not run in a widget that is held to its hash',
  async (page) => {
    await page.route('**/messages/es.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'bad = 1' }),
    );
    const held = `integrity="${hashOf('attention-widget.classic.js')}"`;
    await openPage(page, '<attention-widget lang="es"></attention-widget>', {
      head: `<script src="/attention-widget.classic.js" ${held}></script>`,
    });
    assert.equal(await titleOf(page), 'Attention weights');
    assert.equal(await page.evaluate(() => 'bad' in window), false);
  },
  {},
  /integrity|es\.js/,
);

pageTest(
  'from another origin, such a language is asked for once',
  async (page) => {
    let asked = 0;
    page.on('request', (request) => {
      asked += Number(request.url().endsWith('/messages/es.js'));
    });
    const held = `integrity="${hashOf('attention-widget.classic.js')}"`;
    const head = (/** @type {string} */ other) =>
      `<script crossorigin src="${other}/attention-widget.classic.js" ${held}></script>`;
    await openAcross(page, head, shared, {}, { 'messages/es.js': 'bad = 1' });
    assert.equal(await titleOf(page), 'Attention weights');
    assert.equal(asked, 1);
  },
  {},
  /integrity|es\.js/,
);

for (const address of ['/npm/attention-widget@0.2.0', '/attention-widget']) {
  pageTest(`from a package’s own address, ${address}, the languages come out of the package`, async (page) => {
    const file = (/** @type {string} */ name) =>
      readFileSync(new URL(`../../../dist/${name}`, import.meta.url), 'utf8');
    const headers = { 'content-type': 'text/javascript; charset=utf-8' };
    serve(address, file('attention-widget.classic.js'), headers);
    serve(`${address}/dist/messages/es.js`, file('messages/es.js'), headers);
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await openPage(page, '<attention-widget lang="es"></attention-widget>', {
      head: `<script src="${address}"></script>`,
    });
    assert.equal(await titleOf(page), spanishTitle);
    assert.deepEqual(asked, ['/test.html', address, `${address}/dist/messages/es.js`]);
  });
}

test('the lesson page asks for that policy itself', () => {
  const page = readFileSync(new URL('../../../web/page/index.html', import.meta.url), 'utf8');
  assert.ok(page.includes(`content="${strictPolicy}; img-src data:"`));
});
