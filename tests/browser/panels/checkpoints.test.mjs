// The exercises and questions. Covers panels/checkpoints.js and exercises.js.

import assert from 'node:assert/strict';
import { pageTest, resultShown, settled, stateOf } from '../support.mjs';
import { openPanels } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const mistake = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-mistake="${name}"]`);

pageTest('an exercise waits for the deed, checks the guess against the state, and tells the page', async (page) => {
  await openPanels(page);
  await page.evaluate(() => {
    Object.assign(window, { checkpoints: [] });
    document.addEventListener('attention-checkpoint', (event) =>
      /** @type {any} */ (window).checkpoints.push(/** @type {CustomEvent} */ (event).detail),
    );
  });
  const exercise = page.locator('[data-exercise="peak"]');
  await exercise.getByText('about 0.3').click();
  assert.equal(await exercise.getAttribute('data-outcome'), 'waiting');
  await page.locator('button[part="toggle"]').click();
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'waiting');
  await page.locator('input[type="range"]').press('End');
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'fails');
  const { metrics } = await resultShown(widget(page));
  assert.equal(await exercise.locator('.outcome').textContent(), 'Not so: about 1. The peak weight is 1.00.');
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).checkpoints), [
    { name: 'peak', guess: 'low', answer: 'one', correct: false, found: metrics.peak[1] },
  ]);
});

pageTest(
  'changing the last word under the mask leaves the earlier outputs, and the exercise counts them',
  async (page) => {
    await openPanels(page, 'mask="causal"');
    const exercise = page.locator('[data-exercise="lastToken"]');
    await exercise.getByText('the last alone').click();
    await page.locator('[part="sentence"]').fill('Your journey starts with one leap');
    await settled(page);
    assert.equal(await exercise.getAttribute('data-outcome'), 'holds');
    assert.equal(await exercise.locator('.outcome').textContent(), 'Right. 0 earlier outputs changed.');
  },
);

pageTest('the exercise on divisors wants both to be seen', async (page) => {
  await openPanels(page, 'd-k="64"');
  const exercise = page.locator('[data-exercise="divisor"]');
  await exercise.locator('input[value="dk"]').check();
  await mistake(page, 'noDivisor').locator('button.toggle').click();
  await mistake(page, 'noDivisor').getByText('Mend it').click();
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'waiting');
  await mistake(page, 'divisorTooLarge').locator('button.toggle').click();
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'fails');
});

pageTest('a question shows the state and the panel that answer it', async (page) => {
  await openPanels(page);
  await page.locator('.checkpoints li', { hasText: 'Would dividing by' }).getByText('Show me').click();
  await settled(page);
  assert.equal((await stateOf(widget(page))).divisor, 'dk');
});
