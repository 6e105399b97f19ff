// The proofs and the numbers behind them.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, set } from '../support.mjs';
import { lawsThat, openPanels } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const law = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-law="${name}"]`);

pageTest('on the right state no law fails', async (page) => {
  await openPanels(page);
  assert.deepEqual(await lawsThat(page, 'fails'), []);
  assert.deepEqual(await lawsThat(page, 'notClaimed'), [
    'futureIsHidden',
    'pastIsUntouched',
    'windowIsKept',
    'paddingIsHidden',
    'paddingDoesNotCount',
  ]);
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
    tokens.map((token, row) => [token, metrics.rowSum[row] === 1 ? '1' : metrics.rowSum[row].toFixed(2), '1']),
  );
  await set(widget(page), { mask: 'causal' });
  assert.equal(await law(page, 'rowsSumToOne').locator('td').first().textContent(), '1');
});

pageTest(
  'a law that wants a number to be large enough, or within bounds, shows the numbers compared, and no residual',
  async (page) => {
    await openPanels(page);
    const summary = (/** @type {string} */ name) => law(page, name).locator('summary small').textContent();
    const { scores, metrics } = await resultShown(widget(page));
    const asymmetry = Math.max(...scores.flatMap((row, i) => row.map((score, j) => Math.abs(score - scores[j][i]))));
    assert.equal(await summary('rolesDiffer'), `found ${asymmetry.toFixed(2)}, at least 1.0e−9 wanted`);
    assert.equal(await summary('somethingCanLearn'), 'found 768, at least 1 wanted');
    const least = Math.min(...metrics.jacobian);
    assert.equal(await summary('gradientIsAlive'), `found ${least.toFixed(2)}, at least 0.05 wanted`);
    assert.equal(await summary('spreadIsKept'), `found ${metrics.spread.toFixed(2)}, 0.50 to 2 wanted`);
    await set(widget(page), { projections: 'shared' });
    assert.equal(await summary('rolesDiffer'), 'found 0, at least 1.0e−9 wanted');
    await law(page, 'rolesDiffer').locator('summary').click();
    await law(page, 'rolesDiffer').locator('tbody tr').waitFor();
    assert.deepEqual(await law(page, 'rolesDiffer').locator('thead th').allTextContents(), [
      'row',
      'found',
      'at least',
      'missing',
    ]);
    assert.match((await summary('rowsSumToOne')) ?? '', /^off by/);
  },
);

pageTest('with a second sentence the law of order is about its keys', async (page) => {
  await openPage(page, '<attention-widget panels="proofs" context="le chat"></attention-widget>');
  const law = widget(page).locator('[data-law="orderDoesNotCount"]');
  assert.equal(await law.getAttribute('data-outcome'), 'holds');
  assert.match((await law.locator('summary').textContent()) ?? '', /Reversing the keys changes no output/);
  await set(widget(page), { context: [] });
  assert.match((await law.locator('summary').textContent()) ?? '', /Reversing the tokens reverses the outputs/);
});
