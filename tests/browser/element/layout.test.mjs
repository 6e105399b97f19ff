// The widget in layouts that ask their content for its width: widget.css and the wrapper that attention-widget.js builds.

import assert from 'node:assert/strict';
import { openPage, pageTest, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const tag = '<attention-widget></attention-widget>';
const prose = `<p style="margin: 0">${'Attention blends the values of the tokens that a query looks at. '.repeat(12)}</p>`;

/** Each layout asks the widget how wide it would like to be. */
const layouts = /** @type {Record<string, string>} */ ({
  'a centred flex box': `<div style="display: flex; justify-content: center">${tag}</div>`,
  'a flex column that centres': `<div style="display: flex; flex-direction: column; align-items: center">${tag}</div>`,
  'a flex row beside prose': `<div style="display: flex; gap: 1em">${prose}${tag}</div>`,
  'a table cell': `<table><tr><td>${tag}</td></tr></table>`,
  'a table cell beside another': `<table><tr><td>Text</td><td>${tag}</td></tr></table>`,
  'a grid that centres': `<div style="display: grid; justify-items: center">${tag}</div>`,
  'a float': `<div style="float: left">${tag}</div>`,
  'a float of its own': '<attention-widget style="float: left"></attention-widget>',
  'fit-content': `<div style="inline-size: fit-content">${tag}</div>`,
  'inline-block': '<attention-widget style="display: inline-block"></attention-widget>',
  'inline-flex': '<attention-widget style="display: inline-flex"></attention-widget>',
  'position: absolute': `<div style="position: absolute">${tag}</div>`,
  'a figure that shrinks to its content': `<figure style="display: table; margin: 0">${tag}</figure>`,
});

/** What is drawn, in pixels. @param {Page} page */
const sizes = (page) =>
  page.evaluate(() => {
    const widget = /** @type {HTMLElement} */ (document.querySelector('attention-widget'));
    const root = /** @type {ShadowRoot} */ (widget.shadowRoot);
    const boxOf = (/** @type {string} */ selector) =>
      /** @type {Element} */ (root.querySelector(selector)).getBoundingClientRect();
    return {
      width: widget.getBoundingClientRect().width,
      height: widget.getBoundingClientRect().height,
      cell: boxOf('.cell').width,
      map: boxOf('.map').width,
      page: document.documentElement.scrollWidth,
      window: window.innerWidth,
    };
  });

for (const [name, body] of Object.entries(layouts)) {
  pageTest(`${name}: the widget takes the width that there is`, async (page) => {
    await openPage(page, body);
    await settled(page);
    const isAlone = !name.includes('beside');
    for (const [window, least] of [
      [1280, 300],
      [800, 300],
      [360, 280],
    ]) {
      await page.setViewportSize({ width: window, height: 800 });
      const { width, height, cell, map, page: whole } = await sizes(page);
      const said = `in a window of ${window} px the widget is ${width} px wide and ${height} px high`;
      assert.ok(width >= least && width <= window && height < 4000, said);
      assert.ok(cell >= 24 && map >= 200, `${said}, a cell ${cell} px wide, the map ${map} px`);
      if (isAlone || window > 360) {
        assert.ok(whole <= window, `${said}, the page ${whole} px`);
      }
      if (window > 360) {
        assert.ok(isAlone ? width > 0.7 * window : width < window - 20, `${said}: all the room, or its share of it`);
      }
    }
  });
}

pageTest(
  'a widget in a closed tab or accordion has its full size once it is shown, and after it was hidden',
  async (page) => {
    await openPage(
      page,
      `<div id="tab" style="display: none">${tag}</div><details><summary>More</summary>${tag}</details>`,
    );
    await settled(page);
    const tab = page.locator('#tab');
    for (const display of ['flex', 'none', 'block']) {
      await tab.evaluate((element, value) => {
        /** @type {HTMLElement} */ (element).style.display = value;
      }, display);
      if (display !== 'none') {
        const { width, cell } = await sizes(page);
        assert.ok(width > 700 && cell >= 24, `shown as ${display} it is ${width} px wide, a cell ${cell} px`);
      }
    }
    await page.getByText('More', { exact: true }).click();
    const box = await page.locator('details attention-widget').boundingBox();
    assert.ok(box !== null && box.width > 700, 'in the accordion');
  },
);

pageTest('a window that becomes narrow and wide again leaves the widget as it was', async (page) => {
  await openPage(page, `<div style="display: flex; justify-content: center">${tag}</div>`);
  await settled(page);
  const before = await sizes(page);
  await page.setViewportSize({ width: 340, height: 800 });
  const narrow = await sizes(page);
  assert.ok(
    narrow.width >= 280 && narrow.page <= 340,
    `narrow it is ${narrow.width} px wide, the page ${narrow.page} px`,
  );
  await page.setViewportSize({ width: before.window, height: 900 });
  assert.deepEqual(await sizes(page), before);
});
