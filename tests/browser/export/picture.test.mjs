// Pictures and tables from the element itself. Covers export/load-sibling.js, picture.js and tables.js on a page.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, strictPolicy, widgetScript } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();

pageTest('toSVG and toCSV hold the weights on the screen, in the language of the widget', async (page) => {
  await openPage(page, '<attention-widget d-k="3" mask="causal"></attention-widget>');
  const { weights } = await resultShown(widget(page));
  const [svg, csv] = await widget(page).evaluate(async (element) => {
    const shown = /** @type {any} */ (element);
    return [await shown.toSVG(), shown.toCSV()];
  });
  assert.ok(svg.includes(`>${weights[1][0].toFixed(2)}<`));
  assert.ok(csv.includes(`journey,Your,1,`) && csv.includes(`,${weights[1][0]}\r\n`));
});

pageTest('without a picture toSVG says why there is none', async (page) => {
  await openPage(page, '<attention-widget d-k="0"></attention-widget>');
  const message = await widget(page).evaluate(async (element) => {
    try {
      return await /** @type {any} */ (element).toSVG();
    } catch (error) {
      return String(error);
    }
  });
  assert.equal(message, 'EngineError: dK is 0, but must be a whole number from 1 to 512');
});

pageTest('under the strictest policy pictures are saved by every form of the widget', async (page) => {
  for (const head of [widgetScript, '<script src="/attention-widget.classic.js"></script>']) {
    const headers = { 'content-security-policy': `${strictPolicy}; img-src data:` }; // the test page's own icon
    await openPage(page, '<attention-widget></attention-widget>', { head, headers });
    const svg = await widget(page).evaluate((element) => /** @type {any} */ (element).toSVG());
    assert.match(svg, /^<svg /);
  }
});
