// The law over many seeds.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, set, settled } from '../support.mjs';
import { engineSays } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-panel=${name}]`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

pageTest('the law is drawn from many seeds, with the picture among them and the numbers in a table', async (page) => {
  await open(page, 'law', 'd-k="8"');
  const chart = panel(page, 'law').locator('.chart').first();
  await chart.locator('.curve').nth(4).waitFor({ state: 'attached' });
  await panel(page, 'law').locator('progress').waitFor({ state: 'hidden' });
  assert.equal(await panel(page, 'law').locator('.chart').count(), 4);
  const { unscaled, scaled, variances } = await engineSays(page, 'statistics', { seeds: 200 });
  await chart.locator('summary').click();
  await chart.locator('td').last().waitFor();
  const cells = await chart.locator('tr').nth(64).locator('td').allTextContents();
  const expected = [8, unscaled.spread[63], unscaled.low[63], unscaled.high[63], 1, scaled.spread[63], scaled.low[63]];
  for (const number of expected) {
    assert.ok(cells.includes(number.toFixed(2)), `${number} is in the table`);
  }
  assert.equal(await chart.locator('circle').count(), 1);
  const derivation = await panel(page, 'law').locator('.norms dd').allTextContents();
  assert.deepEqual(
    derivation,
    ['query', 'key', 'product', 'score'].map((name) => variances[name][7].toFixed(2)),
  );
});

pageTest('a lone token has no spread: it is drawn nowhere among the powers, and is back with company', async (page) => {
  await open(page, 'law', 'tokens="alone"');
  const chart = panel(page, 'law').locator('.chart').first();
  const picture = () => Promise.all(['circle', '.curve'].map((each) => chart.locator(`svg ${each}`).count()));
  await eventually(async () => (await picture())[1] > 0, true);
  assert.equal((await picture())[0], 0);
  await set(only(page), { tokens: ['not', 'alone'] });
  await eventually(async () => (await picture())[0], 1);
});

pageTest('a long sample shows its progress and can be cancelled; what was sampled stays', async (page) => {
  await open(page, 'law');
  await panel(page, 'law').locator('progress').waitFor({ state: 'hidden' });
  await panel(page, 'law').getByRole('combobox').selectOption('10000');
  await panel(page, 'law').getByRole('button', { name: 'Cancel' }).click();
  const said = panel(page, 'law').getByRole('status');
  await said.getByText(/^Cancelled after [\d,]+ seeds/).waitFor();
  const seeds = Number((await said.textContent())?.match(/[\d,]+/)?.[0].replace(',', ''));
  assert.ok(seeds > 0 && seeds < 10_000);
  assert.ok((await panel(page, 'law').locator('.band').count()) > 0);
});

pageTest('the panels follow the picture’s state', async (page) => {
  await open(page, 'gradients law');
  await panel(page, 'law').locator('progress').waitFor({ state: 'hidden' });
  const circle = panel(page, 'law').locator('circle');
  const before = await circle.getAttribute('cx');
  await set(only(page), { dK: 40 });
  await settled(page);
  assert.notEqual(await circle.getAttribute('cx'), before);
  assert.match((await panel(page, 'law').locator('.norms').textContent()) ?? '', /the sum of 40 products/);
});

pageTest('a sentence too long to sample says so, with no charts of another one, and they come back', async (page) => {
  await open(page, 'law');
  const panelOfLaw = panel(page, 'law');
  await panelOfLaw.locator('.curve').nth(4).waitFor({ state: 'attached' });
  await set(only(page), { tokens: Array.from({ length: 200 }, (_, index) => `w${index}`) });
  await panelOfLaw.getByText(/^200 tokens are too many here/).waitFor();
  assert.ok(await panelOfLaw.locator('.charts').isHidden());
  await set(only(page), { tokens: ['short', 'again'] });
  await panelOfLaw.locator('.charts').waitFor();
  assert.equal(await panelOfLaw.getByRole('status').textContent(), '');
});

pageTest('four tokens have fixed numbers: there is no law over seeds to draw', async (page) => {
  await openPage(page, '<attention-widget panels="law" preset="four-token"></attention-widget>');
  const panel = page.locator('attention-widget .law');
  await panel.getByText('The four tokens have fixed numbers').waitFor();
  assert.equal(await panel.locator('.chart').first().isVisible(), false);
  assert.equal(await panel.locator('select').isVisible(), false);
  await set(page.locator('attention-widget'), { preset: 'sentence', tokens: ['a', 'b'], row: 0 });
  await panel.locator('.chart').first().waitFor();
});
