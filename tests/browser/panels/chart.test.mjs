// A chart read by keyboard, as the panel of the law draws it. Covers panels/chart.js and axis.js.

import assert from 'node:assert/strict';
import { openPage, pageTest } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-panel=${name}]`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

pageTest('a chart is read by keyboard: its cursor is a slider that speaks the values', async (page) => {
  await open(page, 'law');
  await panel(page, 'law').locator('progress').waitFor({ state: 'hidden' });
  const chart = panel(page, 'law').getByRole('slider').first();
  await chart.focus();
  await page.keyboard.press('End');
  assert.equal(await chart.getAttribute('aria-valuenow'), '64');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /^d k 64 · theory √d k 8\.00 · .*not divided \d/);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await chart.getAttribute('aria-valuenow'), '63');
  await page.keyboard.press('Home');
  assert.equal(await chart.getAttribute('aria-valuenow'), '1');
  await page.keyboard.press('PageUp');
  assert.equal(await chart.getAttribute('aria-valuenow'), '11');
});
