// Homework from the exercises to the page that reads it. Covers panels/checkpoints.js, teacher/check.js and check.html.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import { openPanels } from '../panels/support.mjs';
import { pageTest, serve, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

/** Does one exercise, and hands in. @param {Page} page @param {string} name @param {boolean} isOwn */
async function handIn(page, name, isOwn) {
  await openPanels(page);
  const exercise = page.locator('[data-exercise="peak"]');
  await exercise.getByText('about 1').click();
  await page.locator('button[part="toggle"]').click();
  await page.locator('[part="slider"]').press('End');
  await settled(page);
  const section = page.locator('.hand-in');
  await section.getByLabel('Your name').pressSequentially(name);
  if (isOwn) {
    await section.getByRole('button', { name: 'Numbers of my own' }).click();
    await settled(page);
  }
  await section.getByRole('button', { name: 'Make the code' }).click();
  return (await section.locator('pre').textContent()) ?? '';
}

/** @param {Page} page @param {string} [query] */
async function openCheck(page, query = '') {
  await page.goto(`${serve('/unused.html', '')}`.replace('unused.html', `check.html${query}`));
  await page.locator('#codes').waitFor();
  await page.locator('thead th').first().waitFor({ state: 'attached' });
}

pageTest('what two students hand in is read back at once, a changed code is refused by its line', async (page) => {
  const ana = await handIn(page, 'Ana Núñez', true);
  const { seed } = await stateOf(page.locator('attention-widget'));
  const ben = await handIn(page, 'Ben', false);
  await openCheck(page);
  const changed = ben.replace('attn1x5b', 'attn1x5c');
  await page.locator('#codes').fill([`1\t${ana}\t`, '', ben, changed, 'Carla', ana.slice(0, 60)].join('\n'));
  const rows = page.locator('tbody tr');
  assert.equal(await rows.count(), 2);
  const first = await rows.nth(0).locator('> *').allTextContents();
  assert.equal(first[1], 'Ana Núñez');
  assert.equal(first[4], '1 / 1');
  assert.equal(first[5].trim(), '✓ peak');
  assert.equal(first[6], `${seed} the name’s own`);
  assert.match((await rows.nth(1).locator('> *').allTextContents())[6], /not the name’s$/);
  assert.deepEqual(await page.locator('#refused li').allTextContents(), [
    'Line 4 has a code that was changed: it does not fit its checksum.',
    'Line 5 has no code. A code begins with attn1x.',
    'Line 6 has a code that is cut off. It must be copied whole.',
  ]);
  assert.equal(await page.locator('#sum').textContent(), '2 of 5 lines read.');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).press('Enter'),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 3);
  assert.match(lines[1], new RegExp(`^Ana Núñez,.*,1,1,${seed},yes,`));

  const [opened] = await Promise.all([page.waitForEvent('popup'), rows.nth(0).getByRole('link').click()]);
  await settled(opened);
  assert.deepEqual(
    await opened
      .locator('attention-widget')
      .evaluate((widget) => [/** @type {any} */ (widget).seed, /** @type {any} */ (widget).dK]),
    [seed, 64],
  );
});

pageTest('without a name there is no code, and a new answer withdraws the one that is shown', async (page) => {
  await openPanels(page);
  const section = page.locator('.hand-in');
  await section.getByRole('button', { name: 'Make the code' }).click();
  assert.equal(await section.getByRole('status').first().textContent(), 'Write your name first.');
  assert.equal(await section.locator('pre').isVisible(), false);
  await section.getByLabel('Your name').fill('Ana');
  await section.getByRole('button', { name: 'Make the code' }).click();
  assert.equal(await section.locator('pre').isVisible(), true);
  await page.locator('[data-exercise="peak"]').getByText('about 1').click();
  await page.locator('button[part="toggle"]').click();
  await page.locator('[part="slider"]').press('End');
  await settled(page);
  assert.equal(await section.locator('pre').isVisible(), false);
});

pageTest('where the seed is locked, nobody is offered another', async (page) => {
  await openPanels(page, 'locked="seed"');
  assert.equal(await page.getByRole('button', { name: 'Numbers of my own' }).isVisible(), false);
  assert.equal(await page.getByRole('button', { name: 'Make the code' }).isVisible(), true);
});

for (const language of ['en', 'es', 'zh-CN', 'zh-Hant']) {
  pageTest(`the page speaks ${language}, and has no barriers`, async (page) => {
    await openCheck(page, `?lang=${language}`);
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    await page.locator('#codes').fill('x');
    assert.match((await page.locator('#refused').textContent()) ?? '', /attn1x/);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run());
    assert.deepEqual(
      violations.map((/** @type {any} */ { id }) => id),
      [],
    );
    await page.setViewportSize({ width: 360, height: 700 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing overflows');
  });
}
