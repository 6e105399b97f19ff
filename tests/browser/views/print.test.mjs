// The widget on paper.

import assert from 'node:assert/strict';
import { openPage, pageTest } from '../support.mjs';

/** The inner width of a sheet of A4 with the margins of a browser, in CSS pixels. */
const sheet = { width: 718, height: 1000 };

pageTest(
  'a sheet of A4 holds the whole worksheet and the settings, and nothing to press',
  async (page) => {
    await openPage(page, '<attention-widget panels="worksheet compare"></attention-widget>');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const widget = page.locator('attention-widget');
    const found = await widget.evaluate(({ shadowRoot }) => {
      const all = (/** @type {string} */ selector) => [
        .../** @type {ShadowRoot} */ (shadowRoot).querySelectorAll(/** @type {'p'} */ (selector)),
      ];
      const shows = (/** @type {string} */ selector) => all(selector).filter((each) => each.checkVisibility()).length;
      return {
        end: Math.max(...all('.worksheet td, .worksheet th').map((cell) => cell.getBoundingClientRect().right)),
        fields: shows('[part="sentence"]') + shows('[part="seed"]'),
        pressable: shows('.strip button:not(.toggle), [type="range"], .compare button'),
        toggle: getComputedStyle(all('[part="toggle"]')[0]).printColorAdjust,
        bar: getComputedStyle(all('.weight-bar .bar > span')[0]).printColorAdjust,
        ink: getComputedStyle(all('.widget')[0]).color,
        breaks: all('h3, h4, .panel > summary').map((each) => getComputedStyle(each).breakAfter),
      };
    });
    assert.ok(found.end <= sheet.width, `the last column ends at ${found.end} px`);
    assert.equal(found.fields, 2);
    assert.equal(found.pressable, 0);
    assert.equal(found.toggle, 'exact');
    assert.equal(found.bar, 'exact');
    assert.equal(found.ink, 'rgb(27, 32, 48)', 'dark on white paper, whatever the screen is');
    assert.ok(found.breaks.length > 4 && found.breaks.every((value) => value === 'avoid'));
  },
  { viewport: sheet },
);
