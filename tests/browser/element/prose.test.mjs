// Links and buttons of the prose that set a widget.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, resultShown, settled, stateOf, widgetScript } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();
const hash = (/** @type {Page} */ page) => page.evaluate(() => location.hash);

pageTest('links and buttons of the prose set a widget, by clicks and by keys', async (page) => {
  const body =
    '<p><a href="#" data-attention-for="w1" data-d-k="64" data-divisor="none">drag it up</a> or ' +
    '<button data-attention-for="w1" data-mask="causal" data-row="3">hide the future</button>, but ' +
    '<a href="#elsewhere" data-attention-for="w9" data-d-k="3">not here</a></p>' +
    '<attention-widget></attention-widget><attention-widget id="w1"></attention-widget>';
  await openPage(page, body);
  const driven = page.locator('#w1');
  await page.getByRole('link', { name: 'drag it up' }).click();
  await settled(page);
  const { dK: width, divisor } = await stateOf(driven);
  assert.deepEqual([width, divisor], [64, 'none']);
  await page.getByRole('button', { name: 'hide the future' }).focus();
  await page.keyboard.press('Enter');
  await settled(page);
  const { mask, row, dK: same } = await stateOf(driven);
  assert.deepEqual([mask, row, same], ['causal', 3, 64]);
  assert.equal((await stateOf(page.locator('attention-widget').first())).dK, 16);
  assert.equal(await hash(page), '');
  await page.getByRole('link', { name: 'not here' }).click();
  assert.equal(await hash(page), '#elsewhere');
});

pageTest('prose that asks for nonsense gets the sentence, and the widget mends', async (page) => {
  const body =
    '<a href="#" data-attention-for="w1" data-d-k="lots">many</a> <a href="#" data-attention-for="w1" data-d-k="9">nine</a>' +
    '<attention-widget id="w1"></attention-widget>';
  await openPage(page, body);
  await page.getByText('many').click();
  await page.getByText('d-k is "lots", but must be a whole number from 1 to 512.').waitFor();
  await page.getByText('nine').click();
  await settled(page);
  assert.equal((await resultShown(widget(page))).shapes.Q[1], 9);
});

pageTest('a second copy of the script leaves the prose as it is', async (page) => {
  const body = '<a href="#" data-attention-for="w1" data-d-k="9">nine</a><attention-widget id="w1"></attention-widget>';
  await openPage(page, body, { head: `${widgetScript}<script src="/attention-widget.classic.js"></script>` });
  let changes = 0;
  await page.exposeFunction('count', () => changes++);
  await widget(page).evaluate((element) =>
    element.addEventListener('attention-change', () => /** @type {any} */ (window).count()),
  );
  await page.getByText('nine').click();
  await settled(page);
  await eventually(async () => changes, 1);
});
