// The widget in another document: moved into a frame, into a window of its own, and back. Covers the element and
// views/style-sheet.js.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, read, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const body =
  '<attention-widget id="small" panels="worksheet"></attention-widget><attention-widget id="large"></attention-widget>' +
  '<iframe style="width: 700px; height: 600px"></iframe>';

/** @param {import('playwright-core').Page | import('playwright-core').Frame} place */
const lookOf = (place) =>
  place.locator('#small').evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const looks = ['.cell', '[part="toggle"]', '.figure'].map((selector) => {
      const { display, backgroundColor, padding } = getComputedStyle(
        /** @type {Element} */ (root.querySelector(selector)),
      );
      return { display, backgroundColor, padding };
    });
    return { looks, sheets: root.adoptedStyleSheets.map(({ cssRules }) => cssRules.length) };
  });

/** @param {import('playwright-core').Page | import('playwright-core').Frame} place */
async function expectAlive(place) {
  const small = place.locator('#small');
  await small.locator('.cell').nth(8).click();
  const before = await small.locator('[part="toggle"]').getAttribute('aria-pressed');
  await small.locator('[part="toggle"]').click();
  await eventually(() => small.locator('[part="toggle"]').getAttribute('aria-pressed'), String(before !== 'true'));
  await small.locator('[part="toggle"]').click();
  await small.locator('.cell').nth(7).click();
  await eventually(() => small.locator('[part="toggle"]').getAttribute('aria-pressed'), before);
  assert.ok((await read(small)).isPictureShown);
  // Another language around it.
  await place.evaluate(() => document.documentElement.setAttribute('lang', 'es'));
  await small.getByText('Pesos de atención').first().waitFor();
  await place.evaluate(() => document.documentElement.setAttribute('lang', 'en'));
  await small.getByText('Attention weights').first().waitFor();
}

/** @param {Page} page */
async function open(page) {
  await openPage(page, body);
  await page.evaluate(async () => {
    const large = /** @type {any} */ (document.querySelector('#large'));
    large.tokens = Array.from({ length: 30 }, (_, index) => `t${index}`);
    await large.updated;
  });
  await settled(page);
}

pageTest('moved into a frame and back, the widget keeps its look, its state and its life', async (page) => {
  await open(page);
  const before = await lookOf(page);
  const state = await stateOf(page.locator('#small'));
  await page.evaluate(() => {
    const inside = /** @type {Document} */ (
      /** @type {HTMLIFrameElement} */ (document.querySelector('iframe')).contentDocument
    );
    inside.documentElement.lang = 'en';
    inside.body.append(...document.querySelectorAll('attention-widget'));
  });
  const frame = page.frames()[1];
  await frame.locator('#small .cell').first().waitFor();
  assert.deepEqual(await stateOf(frame.locator('#small')), state);
  assert.deepEqual(await lookOf(frame), before);
  await expectAlive(frame);
  await frame.evaluate(() => parent.document.body.append(...document.querySelectorAll('attention-widget')));
  await settled(page);
  assert.deepEqual(await lookOf(page), before);
  await expectAlive(page);
});

pageTest('moved into a window of its own and back likewise', async (page) => {
  await open(page);
  const before = await lookOf(page);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      const other = /** @type {Window} */ (window.open('', '', 'width=1000,height=900'));
      other.document.documentElement.lang = 'en';
      other.document.body.append(...document.querySelectorAll('attention-widget'));
    }),
  ]);
  await popup.locator('#small .cell').first().waitFor();
  assert.deepEqual(await lookOf(popup), before);
  await expectAlive(popup);
  await popup.evaluate(() =>
    /** @type {Window} */ (opener).document.body.append(...document.querySelectorAll('attention-widget')),
  );
  await settled(page);
  assert.deepEqual(await lookOf(page), before);
  await expectAlive(page);
});

pageTest('a frame that has widgets of its own shares no sheet with the page', async (page) => {
  await open(page);
  const counts = await page.evaluate(() => {
    const [small, large] = Array.from(document.querySelectorAll('attention-widget'), ({ shadowRoot }) => shadowRoot);
    return small?.adoptedStyleSheets[0] === large?.adoptedStyleSheets[0];
  });
  assert.equal(counts, true, 'one sheet for all widgets of a document');
});
