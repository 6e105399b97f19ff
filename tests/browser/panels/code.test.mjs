// The programs to copy. Covers panels/code.js and copy.js; the programs themselves are run by tests/web.

import assert from 'node:assert/strict';
import { eventually, openLesson, openPage, pageTest, set } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const code = (/** @type {Page} */ page) => only(page).locator('.code');

/** @param {Page} page @param {string} [attributes] @param {string} [panels] */
const open = (page, attributes = '', panels = 'shapes') =>
  openPage(page, `<attention-widget panels="${panels}" d-model="7" d-k="5" d-v="3" ${attributes}></attention-widget>`);

/** Waits until the program is one like this: the script that writes it comes when it is first needed. @param {Page} page @param {RegExp} pattern */
const written = (page, pattern) =>
  eventually(async () => pattern.test((await code(page).locator('pre').textContent()) ?? ''), true);

pageTest('the program follows the state and the chosen language, which outlasts both', async (page) => {
  await open(page, '', 'code');
  const program = code(page).getByRole('region', { name: 'Program' });
  await written(page, /^import numpy as np\n/);
  await code(page).getByRole('radio', { name: 'C++' }).check();
  await written(page, /^#undef NDEBUG\n/);
  await set(only(page), { mask: 'late', tokens: ['<b>', 'x'] });
  await written(page, /^\/\/ Mask after the softmax.*\n {4}\/\/ "<b>"\n/s);
  await only(page).locator('[data-panel="code"] summary').click();
  await only(page).locator('[data-panel="code"] summary').click();
  await code(page).getByRole('radio', { name: 'C++', checked: true }).waitFor();
  await code(page).getByRole('radio', { name: 'C++' }).focus();
  await page.keyboard.press('ArrowLeft');
  await written(page, /import torch\n/);
  await program.focus();
  assert.ok(await program.evaluate((element) => element.matches(':focus')), 'the keyboard can scroll it');
});

pageTest(
  'the copy button copies the whole program and says so',
  async (page) => {
    await open(page, '', 'code');
    await written(page, /^import numpy/);
    await code(page).getByRole('button', { name: 'Copy' }).click();
    await code(page).getByRole('status').getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await code(page).locator('pre').textContent());
    await set(only(page), { dK: 4 });
    assert.equal(await code(page).getByRole('status').textContent(), '', 'what was copied is no longer what shows');
  },
  { permissions: ['clipboard-read', 'clipboard-write'] },
);

pageTest('where there is no clipboard the program is selected instead', async (page) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await open(page, '', 'code');
  await written(page, /^import numpy/);
  await code(page).getByRole('button', { name: 'Copy' }).click();
  await code(page).getByText('Selected: copy it with the keyboard').waitFor();
  const selected = await page.evaluate(() => String(getSelection()));
  assert.equal(selected.trimEnd(), (await code(page).locator('pre').textContent())?.trimEnd());
});

pageTest(
  'a program too long to read is not shown, and can be copied all the same',
  async (page) => {
    await open(page, '', 'code');
    for (const settings of [
      { tokens: Array.from({ length: 25 }, () => 'w') },
      { tokens: ['a', 'b'], row: 0, dModel: 64, dK: 64, dV: 64 },
    ]) {
      await set(only(page), { dModel: 3, tokens: ['a', 'b'], row: 0 });
      assert.ok(await code(page).locator('pre').isVisible());
      await set(only(page), settings);
      assert.ok(await code(page).locator('pre').isHidden());
      assert.ok(await code(page).getByText('Too long to show here.').isVisible());
      await code(page).getByRole('button', { name: 'Copy' }).click();
      await code(page).getByText('Copied', { exact: true }).waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /check\(Z, expected_Z\)/);
    }
  },
  { permissions: ['clipboard-read', 'clipboard-write'] },
);

pageTest('a closed panel writes no program', async (page) => {
  await openLesson(page);
  assert.equal(await code(page).count(), 0);
  await open(page, '', 'code');
  await written(page, /^import numpy/);
  await only(page).locator('[data-panel="code"] summary').click();
  const before = await code(page).locator('pre').textContent();
  await set(only(page), { dK: 9 });
  assert.equal(await code(page).locator('pre').textContent(), before);
  await only(page).locator('[data-panel="code"] summary').click();
  const isNew = async () => (await code(page).locator('pre').textContent()) !== before;
  await eventually(isNew, true);
});

pageTest('the lesson’s own case, d_k = 64, is shown, and several heads are all there', async (page) => {
  await openPage(page, '<attention-widget panels="code" d-k="64"></attention-widget>');
  assert.ok(await code(page).locator('pre').isVisible());
  await set(only(page), { dK: 4, heads: 3, head: 1, dModel: 5 });
  await written(page, /for h in range/);
  const program = (await code(page).locator('pre').textContent()) ?? '';
  assert.match(program, /for h in range\(3\):\n {4}Q, K, V = X @ W_q\[h\]/);
  assert.equal(
    program.match(/np\.array\(/g)?.length,
    1 + 3 * 5 + 1,
    'X, of each head W, A and Z, and the outputs joined',
  );
});

pageTest(
  'where the script that writes programs does not come, the panel says so, and tries again',
  async (page) => {
    await page.route('**/snippets.js', (route) => route.abort());
    await open(page, '', 'code');
    await code(page)
      .getByText(/snippets\.js, which writes a state as a program, does not load from http:.*\/snippets\.js\./)
      .waitFor();
    assert.ok(await code(page).locator('pre').isHidden(), 'no empty program');
    await code(page).getByRole('button', { name: 'Copy' }).click();
    assert.equal(await code(page).getByRole('status').textContent(), '', 'nothing was copied');
    await page.unroute('**/snippets.js');
    await set(only(page), { dK: 9 });
    await written(page, /^import numpy/);
    assert.ok(await code(page).locator('pre').isVisible());
    assert.equal(await code(page).getByRole('alert').textContent(), '');
  },
  {},
  /snippets\.js|ERR_FAILED/,
);
