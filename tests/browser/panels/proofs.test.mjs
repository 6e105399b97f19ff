// The proofs and the numbers behind them.

import assert from 'node:assert/strict';
import { pageTest, resultShown, set } from '../support.mjs';
import { lawsThat, openPanels } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const law = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-law="${name}"]`);

pageTest('on the right state no law fails', async (page) => {
  await openPanels(page);
  assert.deepEqual(await lawsThat(page, 'fails'), []);
  assert.deepEqual(await lawsThat(page, 'notClaimed'), ['futureIsHidden', 'pastIsUntouched']);
});

pageTest('a proof opens to the numbers that it compares', async (page) => {
  await openPanels(page, 'mask="late"');
  await law(page, 'rowsSumToOne').locator('summary').click();
  await law(page, 'rowsSumToOne').locator('tbody tr').first().waitFor();
  const rows = await law(page, 'rowsSumToOne')
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const { metrics, tokens } = await resultShown(widget(page));
  assert.deepEqual(
    rows.map(([token, found, expected]) => [token, found, expected]),
    tokens.map((token, row) => [token, metrics.rowSum[row].toFixed(2), '1.00']),
  );
  await set(widget(page), { mask: 'causal' });
  assert.equal(await law(page, 'rowsSumToOne').locator('td').first().textContent(), '1.00');
});
