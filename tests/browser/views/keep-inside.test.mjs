// Keys and touches: which of them the widget keeps from the page. Covers views/keep-inside.js and heatmap.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

pageTest("keys that the widget uses do not reach the page's shortcuts, the others do", async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => {
    /** @type {string[]} */
    const keys = [];
    Object.assign(window, { keys });
    document.addEventListener('keydown', (event) => keys.push(event.key));
  });
  const heard = async (/** @type {string[]} */ keys) => {
    for (const key of keys) {
      await page.keyboard.press(key);
    }
    await settled(page);
    return page.evaluate(() => /** @type {any} */ (window).keys.splice(0));
  };
  const part = (/** @type {string} */ name) => only(page).locator(`[part="${name}"]`);

  await part('slider').focus();
  assert.deepEqual(
    await heard(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']),
    [],
  );
  assert.deepEqual(await heard(['Escape', 'f']), ['Escape', 'f']);
  await only(page).locator('.cell[tabindex="0"]').focus();
  assert.deepEqual(await heard(['ArrowRight', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']), []);
  assert.deepEqual(await heard(['Escape', 'f', 'Tab']), ['Escape', 'f', 'Tab']);
  await part('sentence').focus();
  assert.deepEqual(await heard(['a', 'Space', 'ArrowLeft', 'Enter', 'Home', 'n', '?']), []);
  assert.deepEqual(await heard(['Escape', 'Tab']), ['Escape', 'Tab']);
  await part('heads-choice').focus();
  assert.deepEqual(await heard(['n', 'ArrowDown', 'Home']), []);
  assert.deepEqual(await heard(['Escape', 'Tab']), ['Escape', 'Tab']);
  await part('toggle').focus();
  assert.deepEqual(await heard(['Space', 'Enter']), []);
  assert.deepEqual(await heard(['ArrowRight', 'Escape', 'Tab']), ['ArrowRight', 'Escape', 'Tab']);
});

pageTest('the grid lets the keys of browser and system through', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => {
    /** @type {boolean[]} */
    const kept = [];
    Object.assign(window, { kept });
    document.addEventListener('keydown', (event) => kept.push(event.defaultPrevented));
  });
  await only(page).locator('.cell[tabindex="0"]').focus();
  const before = await stateOf(only(page));
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Meta+ArrowDown');
  await settled(page);
  assert.deepEqual(await stateOf(only(page)), before);
  const kept = await page.evaluate(() => /** @type {any} */ (window).kept);
  assert.ok(kept.length >= 2 && !kept.includes(true));
});

pageTest(
  'a finger that starts on the map scrolls the page',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const actions = async () =>
      only(page).evaluate((element) =>
        Array.from(
          /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
            '.map, .cell, .plane, canvas, [part="slider"]',
          ),
          (each) => getComputedStyle(each).touchAction,
        ),
      );
    assert.deepEqual([...new Set(await actions())].sort(), ['auto', 'pan-y']);
    await set(only(page), { tokens: Array.from({ length: 20 }, (_, index) => `t${index}`) });
    assert.deepEqual([...new Set(await actions())].sort(), ['auto', 'pan-y']);
  },
  { hasTouch: true },
);
