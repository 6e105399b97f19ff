// The widget in a frame: what the address may set, its height, the page's theme, and strangers who send messages.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually, pageTest, strictPolicy } from '../browser/support.mjs';
import { expectWorkingWidget, folder, headers, html, origins, write } from './support.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

const embed = 'node_modules/attention-widget/dist/embed';
const hostScript = `<script src="${embed}/host.js" defer></script>`;

/** @param {string} query @param {string} [attributes] */
const frameTag = (query, attributes = 'sandbox="allow-scripts"') =>
  `<iframe data-attention-widget ${attributes} title="Self-attention" src="${embed}/embed.html?${query}"></iframe>`;

/**
 * Opens a page around a frame, and waits for the widget in it.
 *
 * @param {Page} page
 * @param {string} body
 * @param {string} [head]
 */
async function openHost(page, body, head = hostScript) {
  write('host.html', html('host', head, body));
  await page.goto(`${origins[0]}/host.html`);
  return embeddedIn(page);
}

/** @param {Page} page @returns {Promise<Frame>} */
async function embeddedIn(page) {
  const frame = page.frames().find((each) => each.url().includes('embed.html'));
  assert.ok(frame !== undefined);
  await frame.waitForFunction(() => document.querySelector('attention-widget')?.shadowRoot != null);
  await frame.evaluate(() => /** @type {any} */ (document.querySelector('attention-widget')).updated);
  return frame;
}

/** @param {Frame} frame */
const contentHeight = (frame) =>
  frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));

/** @param {Page} page */
const frameHeight = (page) =>
  page
    .locator('iframe')
    .first()
    .evaluate((frame) => frame.clientHeight);

pageTest('the address sets what are attributes of the element, and nothing else', async (page) => {
  const query =
    'preset=four-token&d-k=3&divisor=none&tokens=a+%3Cimg+src%3Dx+onerror%3Dx%3E+c&onclick=x&style=color:red&id=x&utm=y&lang=es';
  const frame = await openHost(page, frameTag(query));
  const found = await frame.evaluate(() => {
    const widget = /** @type {any} */ (document.querySelector('attention-widget'));
    const { preset, dK, divisor, tokens } = widget.state;
    const attributes = widget.getAttributeNames().sort().join();
    return { preset, dK, divisor, tokens, attributes, lang: document.documentElement.lang };
  });
  assert.deepEqual(found, {
    preset: 'four-token',
    dK: 3,
    divisor: 'none',
    tokens: ['a', '<img', 'src=x', 'onerror=x>', 'c'],
    attributes: 'd-k,divisor,preset,tokens',
    lang: 'es',
  });
  const title = frame.locator('[part="heatmap"] strong');
  assert.equal(await title.textContent(), 'Pesos de atención', 'sandboxed, it finds the file of the language');
});

pageTest(
  'a frame whose script the server refuses says so, and one whose script runs does not',
  async (page) => {
    const isTold = (/** @type {Frame} */ frame) => frame.locator('#missing').count();
    const frame = await openHost(page, frameTag(''));
    assert.equal(await isTold(frame), 0);
    await page.route('**/embed.js', (route) => route.fulfill({ status: 403 }));
    await page.reload();
    const refused = page.frameLocator('iframe').locator('#missing');
    await refused.waitFor();
    assert.match((await refused.textContent()) ?? '', /embed\.js, did not load/);
  },
  {},
  /403|^failed: .*embed\.js/,
);

pageTest(
  'under a frame that the server refuses stands a sentence with a link, until the frame reports after all',
  async (page) => {
    await page.clock.install();
    await page.route('**/embed.html*', (route) => route.fulfill({ status: 403, body: 'refused' }));
    write('host.html', html('host', hostScript, `${frameTag('d-k=9')}<p>the page goes on</p>`));
    await page.goto(`${origins[0]}/host.html`);
    const sentence = page.locator('iframe + p', { hasText: 'does not start' });
    await page.clock.runFor(9_000);
    assert.equal(await sentence.count(), 0, 'a slow frame has its time');
    await page.clock.runFor(2_000);
    await sentence.waitFor();
    const link = sentence.getByRole('link');
    assert.match((await link.getAttribute('href')) ?? '', /\/embed\.html\?d-k=9$/);
    assert.equal(await link.getAttribute('target'), '_blank');
    await page.unroute('**/embed.html*');
    await page.locator('iframe').evaluate((frame) => frame.setAttribute('src', frame.getAttribute('src') ?? ''));
    await sentence.waitFor({ state: 'detached' });
  },
  {},
  /403/,
);

pageTest('no sentence stands under a frame that works, nor under one that is out of sight', async (page) => {
  await page.clock.install();
  const hidden = frameTag('', 'sandbox="allow-scripts" style="display: none"');
  await openHost(page, `${frameTag('')}${hidden}${frameTag('', 'sandbox="allow-scripts" loading="lazy"')}`);
  await page.clock.runFor(30_000);
  assert.equal(await page.getByText('does not start').count(), 0);
});

pageTest('a value that cannot be used is told in the frame', async (page) => {
  const frame = await openHost(page, frameTag('d-k=0'));
  const text = await frame.locator('[part="problem"]').textContent();
  assert.match(text ?? '', /^d-k is 0, but must be a whole number/);
});

for (const [name, attributes] of [
  ['sandboxed without an origin', 'sandbox="allow-scripts"'],
  ['of the same origin', ''],
  ['sandboxed with its origin', 'sandbox="allow-scripts allow-same-origin"'],
]) {
  pageTest(
    `a frame ${name} works, and is as high as its widget`,
    async (page) => {
      const frame = await openHost(page, frameTag('panels=shapes', attributes));
      await eventually(async () => (await frameHeight(page)) - (await contentHeight(frame)), 0);
      const before = await frameHeight(page);
      assert.ok(before > 400, `${before} pixels`);
      await expectWorkingWidget(frame);
      await frame.evaluate(async () => {
        const widget = /** @type {any} */ (document.querySelector('attention-widget'));
        widget.panels = ['shapes', 'worksheet', 'proofs'];
        await widget.updated;
      });
      await eventually(async () => (await frameHeight(page)) > before, true);
      await eventually(async () => (await frameHeight(page)) - (await contentHeight(frame)), 0);
      await page.setViewportSize({ width: 400, height: 900 });
      await eventually(async () => (await frameHeight(page)) - (await contentHeight(frame)), 0);
    },
    {},
    /allow-scripts and allow-same-origin/,
  );
}

pageTest('a frame far below the fold has its height before it is scrolled to', async (page) => {
  const frame = await openHost(page, `<div style="height: 9000px"></div>${frameTag('')}`);
  await eventually(async () => (await frameHeight(page)) - (await contentHeight(frame)), 0);
});

pageTest("a border and the page's box-sizing do not cost the widget any height", async (page) => {
  const style = '<style>* { box-sizing: border-box } iframe { border: 7px solid; width: 80% }</style>';
  const frame = await openHost(page, frameTag(''), `${style}${hostScript}`);
  await eventually(async () => (await frameHeight(page)) - (await contentHeight(frame)), 0);
});

// Without a sandbox: in one, Chromium reads no script from disk.
pageTest('a page from disk can hold a frame from disk', async (page) => {
  write('host.html', html('host', hostScript, frameTag('', '')));
  await page.goto(pathToFileURL(join(folder, 'host.html')).href);
  const frame = await embeddedIn(page);
  await expectWorkingWidget(frame);
  await eventually(async () => (await frameHeight(page)) - (await contentHeight(frame)), 0);
});

pageTest('the frame works under the strictest policy, sandboxed', async (page) => {
  headers.set(`/${embed}/embed.html`, { 'content-security-policy': `${strictPolicy}; img-src data:` });
  const frame = await openHost(page, frameTag('d-k=24'));
  await expectWorkingWidget(frame);
  headers.delete(`/${embed}/embed.html`);
});

pageTest('learning platforms hear of the height too, in their own words', async (page) => {
  const listener = `<script>window.heard = [];
    window.addEventListener('message', ({ data }) => typeof data === 'string' && heard.push(JSON.parse(data)));</script>`;
  const frame = await openHost(page, frameTag(''), listener);
  const expected = { subject: 'lti.frameResize', height: await contentHeight(frame) };
  await eventually(() => page.evaluate(() => /** @type {any} */ (window).heard.at(-1)), expected);
});

pageTest("only a marked frame's own page, from where it was pointed at, can set its height", async (page) => {
  const size = "{ type: 'attention-widget.size', height: 77 }";
  write('stranger.html', html('stranger', `<script>parent.postMessage(${size}, '*');</script>`, ''));
  write('liar.html', html('liar', '<script src="liar.js"></script>', ''));
  write(
    'liar.js',
    `for (const height of [-5, 'x', null, 1e300, NaN]) {
    parent.postMessage({ type: 'attention-widget.size', height }, '*');
  }`,
  );
  const body = `
    <iframe id="unmarked" src="stranger.html"></iframe>
    <iframe id="moved" data-attention-widget src="moves.html"></iframe>
    <iframe id="liar" data-attention-widget src="liar.html"></iframe>
    <iframe id="honest" data-attention-widget src="stranger.html"></iframe>
    ${frameTag('', 'id="real" sandbox="allow-scripts"')}`;
  write('moves.html', html('moves', `<script>location = '${origins[1]}/stranger.html';</script>`, ''));
  const frame = await openHost(page, body);
  await page.evaluate(() => window.postMessage({ type: 'attention-widget.size', height: 55 }, '*'));
  const real = page.locator('#real');
  await eventually(
    async () => (await real.evaluate(({ clientHeight }) => clientHeight)) - (await contentHeight(frame)),
    0,
  );
  await eventually(async () => page.frames().some((each) => each.url() === `${origins[1]}/stranger.html`), true);
  await eventually(() => page.locator('#honest').evaluate(({ clientHeight }) => clientHeight), 77);
  for (const id of ['unmarked', 'moved', 'liar']) {
    assert.equal(await page.locator(`#${id}`).evaluate(({ clientHeight }) => clientHeight), 150, id);
  }
});

pageTest(
  "the frame follows the page's theme, as it changes, unless the address pins one",
  async (page) => {
    const style = `<style>:root { color-scheme: light } :root.dark { color-scheme: dark }</style>${hostScript}`;
    const scheme = (/** @type {Frame} */ frame) =>
      frame.evaluate(() => {
        const root = /** @type {any} */ (document.querySelector('attention-widget')).shadowRoot;
        const [red] = getComputedStyle(root.querySelector('.widget')).backgroundColor.match(/\d+/g) ?? [];
        return Number(red) > 128 ? 'light' : 'dark';
      });
    const setDark = (/** @type {boolean} */ isDark) =>
      page.evaluate((isDark) => document.documentElement.classList.toggle('dark', isDark), isDark);
    const frame = await openHost(page, frameTag(''), style);
    await eventually(() => scheme(frame), 'light');
    await setDark(true);
    await eventually(() => scheme(frame), 'dark');
    await setDark(false);
    await eventually(() => scheme(frame), 'light');

    const pinned = await openHost(page, frameTag('theme=light'), style);
    await setDark(true);
    await eventually(() => scheme(pinned), 'light');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    assert.equal(await scheme(pinned), 'light');

    // Another frame of the page is not the page.
    write(
      'painter.html',
      html(
        'painter',
        `<script>
    for (const each of Array.from(parent)) each.postMessage({ type: 'attention-widget.theme', theme: 'dark' }, '*');
  </script>`,
        '',
      ),
    );
    const beset = await openHost(page, `${frameTag('')}<iframe id="painter"></iframe>`, style);
    await eventually(() => scheme(beset), 'light');
    await page.locator('#painter').evaluate((painter) => painter.setAttribute('src', 'painter.html'));
    await eventually(async () => page.frames().some((each) => each.url().endsWith('painter.html')), true);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    assert.equal(await scheme(beset), 'light');
  },
  { colorScheme: 'dark' },
);

pageTest('a frame whose src is no address leaves the others as they should be', async (page) => {
  const bad = '<iframe data-attention-widget title="bad" src="http://[" style="height: 50px"></iframe>';
  const frame = await openHost(page, `${bad}${frameTag('', 'id="real" sandbox="allow-scripts"')}`);
  const real = page.locator('#real');
  const expected = await contentHeight(frame);
  await eventually(() => real.evaluate((each) => each.clientHeight), expected);
});
