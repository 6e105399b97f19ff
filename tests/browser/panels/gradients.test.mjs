// The gradients of the task, scaled beside unscaled.

import assert from 'node:assert/strict';
import { openPage, pageTest, set } from '../support.mjs';
import { digits, engineSays } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-panel=${name}]`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

pageTest('the gradient view shows the norms that the core computes, scaled beside unscaled', async (page) => {
  await open(page, 'gradients', 'd-k="64"');
  const shown = await digits(panel(page, 'gradients').locator('.norms dd'));
  const expected = [];
  for (const divisor of ['sqrt', 'none']) {
    const { WqNorm, WkNorm, WvNorm } = await engineSays(page, 'taskGradients', { dK: 64, divisor });
    expected.push(WqNorm, WkNorm, WvNorm);
  }
  assert.deepEqual(shown, expected);
  const text = await panel(page, 'gradients').textContent();
  assert.match(text ?? '', /below 0\.05/, 'the text says what dead means');
  const dead = await panel(page, 'gradients')
    .getByText(/of 6 rows are dead/)
    .allTextContents();
  assert.equal(dead[0], '0 of 6 rows are dead');
  assert.match(dead[1], /^[56] of 6/);
});

pageTest('where the state divides by d_k its own gradients stand beside the pair', async (page) => {
  await open(page, 'gradients', 'divisor="dk"');
  const titles = panel(page, 'gradients').locator('h4');
  const all = ['÷ √dk', 'not divided', '÷ dk (now)'];
  assert.deepEqual(await titles.allTextContents(), all);
  const { WqNorm, WkNorm, WvNorm } = await engineSays(page, 'taskGradients', { divisor: 'dk' });
  const norms = await digits(panel(page, 'gradients').locator('.norms dd'));
  assert.deepEqual(norms.slice(6), [WqNorm, WkNorm, WvNorm]);
  await set(only(page), { divisor: 'none' });
  assert.deepEqual(await titles.allTextContents(), ['÷ √dk', 'not divided (now)']);
});

pageTest('a token alone has no task: the panels say so, and recover', async (page) => {
  await open(page, 'gradients train', 'tokens="alone"');
  for (const name of ['gradients', 'train']) {
    const alert = panel(page, name).getByRole('alert');
    assert.match((await alert.textContent()) ?? '', /^The task takes two tokens that are no padding\.$/);
  }
  await set(only(page), { tokens: ['not', 'alone'], context: ['ni', 'seul'] });
  for (const name of ['gradients', 'train']) {
    const alert = panel(page, name).getByRole('alert');
    assert.match((await alert.textContent()) ?? '', /^The task is about one sentence: /);
  }
  assert.equal(await panel(page, 'train').getByText('Rows of padding have no target').isVisible(), false);
  await set(only(page), { tokens: ['not', 'all', 'alone'], context: [], padding: 1 });
  assert.equal(await panel(page, 'train').getByText('Rows of padding have no target').isVisible(), true);
  for (const name of ['gradients', 'train']) {
    assert.equal(await panel(page, name).getByRole('alert').textContent(), '');
    assert.ok(await panel(page, name).locator('.small-map').first().isVisible());
  }
});
