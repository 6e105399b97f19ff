// A page's style sheets and the widget's own. Covers element/styles.js and widget.css.

import assert from 'node:assert/strict';
import { openPage, pageTest, read, serve, widgetScript } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

/** Where the parts of the widget are. @param {Page} page */
function geometryOf(page) {
  return only(page).evaluate((element) =>
    Array.from(
      /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
        '.cell, button, .bar, .figure, td, th, h3, canvas',
      ),
      (each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height].map((length) => length.toFixed(1)).join();
      },
    ),
  );
}

pageTest("a page's resets and a widget's rules stay on their own sides", async (page) => {
  const body =
    '<main><attention-widget mask="causal"></attention-widget><button>mine</button><table><tr><td>1</td></tr></table></main>';
  await openPage(page, body);
  const before = await geometryOf(page);
  serve(
    '/hostile.css',
    `* { box-sizing: content-box; margin: 7px !important; padding: 9px; border: 3px dotted red; line-height: 3;
         letter-spacing: 0.5em; text-transform: uppercase }
     html, body, main, attention-widget { all: revert; letter-spacing: normal; text-transform: none }
     button { all: unset } table { width: 100%; display: block } canvas { max-width: 50% } div { display: flex; float: left }
     td, th { background: red; font-size: 40px } h3, p, dl, dd, figure { margin: 4em } input { width: 10px; height: 90px }
     .cell { width: 3px; display: none } .widget, .picture { display: none } .bar { height: 70px }`,
  );
  await openPage(page, body, { head: `<link rel="stylesheet" href="/hostile.css">${widgetScript}` });
  // The page may place the host; what is inside it is the widget's.
  await page.addStyleTag({
    content: 'html, main, attention-widget { margin: 0 !important } body { margin: 8px !important }',
  });
  assert.deepEqual(await geometryOf(page), before);

  const hostStyles = () =>
    page.evaluate(() =>
      ['main', 'main > button', 'td'].map((selector) => {
        const { font, color, padding, display, backgroundColor } = getComputedStyle(
          /** @type {Element} */ (document.querySelector(selector)),
        );
        return { font, color, padding, display, backgroundColor };
      }),
    );
  await openPage(page, body, { head: '' });
  const alone = await hostStyles();
  await openPage(page, body);
  assert.deepEqual(await hostStyles(), alone);
});

for (const width of [400, 1000]) {
  pageTest(
    `a page that unsets everything and hides what the widget is made of, ${width} pixels wide, changes nothing in it`,
    async (page) => {
      const body = '<main style="display: block"><attention-widget heads="2"></attention-widget></main>';
      await openPage(page, body);
      const before = await geometryOf(page);
      assert.ok(before.length > 60);
      serve(
        '/unset.css',
        `body { direction: ltr; text-align: right }
         main * { all: unset }
         button, input, select, table, tr, td, th, div, dl, figure, details, canvas, svg { display: none !important }`,
      );
      await openPage(page, body, { head: `<link rel="stylesheet" href="/unset.css">${widgetScript}` });
      assert.deepEqual(await geometryOf(page), before);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    },
    { viewport: { width, height: 900 } },
  );
}

pageTest('a page with a huge root font still gets a widget that fits', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>', {
    head: `<style>:root { font-size: 30px }</style>${widgetScript}`,
  });
  const { cells } = await read(only(page));
  assert.ok(cells[0][0].width > 20 && Math.abs(cells[0][0].width - cells[0][0].height) < 0.5);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1000);
});
