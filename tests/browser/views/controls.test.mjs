// The fields, buttons and the slider: what a reader changes with them, and what each is called.

import assert from 'node:assert/strict';
import { heard, listen } from '../element/events.mjs';
import { openPage, pageTest, read, resultShown, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const field = (/** @type {Page} */ page, /** @type {string} */ part) => only(page).locator(`[part="${part}"]`);

pageTest('a sentence is edited with real keys; an empty one says so and the next letter mends it', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await listen(page);
  await field(page, 'sentence').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' ahead');
  await settled(page);
  const longer = await read(only(page));
  assert.deepEqual(longer.rowLabels, ['Your', 'journey', 'starts', 'with', 'one', 'step', 'ahead']);
  assert.equal(longer.cells.length, 7);
  assert.equal(await field(page, 'sentence').inputValue(), 'Your journey starts with one step ahead');
  await heard(page);

  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await settled(page);
  const empty = await read(only(page));
  assert.equal(empty.problem, null);
  assert.deepEqual(empty.rowLabels, longer.rowLabels, 'the picture stays while the field is empty');
  const note = field(page, 'controls').getByRole('status');
  assert.match((await note.textContent()) ?? '', /^Type a word/);
  assert.equal(await note.isVisible(), true);
  assert.deepEqual(await heard(page), [], 'and no page is told of an error');

  await page.keyboard.type('a');
  await settled(page);
  const mended = await read(only(page));
  assert.equal(await note.isVisible(), false);
  assert.equal(mended.problem, null);
  assert.deepEqual(
    mended.cells.map((row) => row.map(({ text }) => text)),
    [['1']],
  );
  assert.deepEqual(
    (await heard(page)).map(({ type }) => type),
    ['attention-change'],
  );
  await page.keyboard.type(' b');
  await settled(page);
  assert.deepEqual((await read(only(page))).rowLabels, ['a', 'b']);
  assert.equal(await field(page, 'sentence').inputValue(), 'a b', 'what is being typed is left alone');
});

pageTest('a sentence that becomes shorter than the highlighted row keeps a picture', async (page) => {
  await openPage(page, '<attention-widget row="5"></attention-widget>');
  await field(page, 'sentence').fill('only three words');
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 2);
  assert.equal((await read(only(page))).problem, null);
});

pageTest('a slider for the window shows with it, one for padding once there is some', async (page) => {
  await openPage(page, '<attention-widget mask="window" locked="seed"></attention-widget>');
  assert.equal(await field(page, 'mask').textContent(), 'sliding window');
  assert.equal(await field(page, 'padding').isVisible(), false);
  await field(page, 'window').focus();
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.equal((await stateOf(only(page))).window, 2);
  assert.equal((await read(only(page))).cells[4].filter(({ kind }) => kind !== 'hidden').length, 2);
  await field(page, 'mask').click();
  await settled(page);
  assert.equal((await stateOf(only(page))).mask, 'none');
  assert.equal(await field(page, 'window').isVisible(), false);
  await field(page, 'mask').click();
  await settled(page);
  assert.equal((await stateOf(only(page))).mask, 'window', 'the mask that was there comes back');

  await only(page).evaluate((element) => element.setAttribute('padding', '5'));
  await settled(page);
  assert.equal(await field(page, 'padding').inputValue(), '5');
  await field(page, 'sentence').fill('only three words');
  await settled(page);
  assert.equal((await stateOf(only(page))).padding, 2, 'it follows the sentence');
  assert.equal((await read(only(page))).problem, null);
  await field(page, 'padding').focus();
  await page.keyboard.press('Home');
  await settled(page);
  assert.equal((await stateOf(only(page))).padding, 0);
  assert.equal(await field(page, 'padding').isVisible(), true);
  await only(page).evaluate((element) => element.setAttribute('locked', 'window padding'));
  await settled(page);
  assert.equal(await field(page, 'window').isDisabled(), true);
  assert.equal(await field(page, 'padding').isDisabled(), true);
});

pageTest('a field for the second sentence shows where there is one, and leads back to one sentence', async (page) => {
  await openPage(
    page,
    '<attention-widget></attention-widget><attention-widget context="le chat dort"></attention-widget>',
  );
  const [without, across] = [only(page).nth(0), only(page).nth(1)];
  assert.equal(await without.locator('[part="context"]').isVisible(), false);
  const context = across.locator('[part="context"]');
  assert.equal(await context.inputValue(), 'le chat dort');
  const { rowLabels, columnLabels, cells } = await read(across);
  assert.equal(rowLabels.length, 6);
  assert.deepEqual(columnLabels, ['le', 'chat', 'dort']);
  assert.equal(cells[0].length, 3);
  await context.fill('le chat');
  await settled(page);
  assert.deepEqual((await stateOf(across)).context, ['le', 'chat']);
  assert.deepEqual((await read(across)).columnLabels, ['le', 'chat']);
  await context.fill('');
  await settled(page);
  assert.deepEqual((await read(across)).columnLabels, (await read(without)).columnLabels);
  assert.equal(await context.isVisible(), true);
  await across.evaluate((element) => element.setAttribute('locked', 'context'));
  await settled(page);
  assert.equal(await context.isDisabled(), true);
});

pageTest(
  'a seed is a whole number; a text is refused by name, and the button leads back to the default',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const button = only(page).getByRole('button', { name: 'default' });
    const before = await resultShown(only(page));
    assert.equal(await field(page, 'seed').inputValue(), '50721255');
    assert.equal(await button.isDisabled(), true);
    await field(page, 'seed').fill('7');
    await settled(page);
    const other = await resultShown(only(page));
    assert.notDeepEqual(other.weights, before.weights);
    assert.equal((await stateOf(only(page))).seed, 7);
    for (const [text, found] of [
      ['seven', '"seven"'],
      ['-1', '-1'],
      ['', '""'],
      ['2.5', '2.5'],
      ['4294967296', '4294967296'],
      ['99999999999999999999', '"99999999999999999999"'],
    ]) {
      await field(page, 'seed').fill(text);
      await settled(page);
      const { problem, isPictureShown } = await read(only(page));
      assert.equal(problem, `seed is ${found}, but must be a whole number from 0 to 4294967295.`);
      assert.equal(isPictureShown, false);
    }
    await field(page, 'seed').fill('4294967295');
    await settled(page);
    assert.equal((await read(only(page))).problem, null);
    await button.click();
    await settled(page);
    assert.equal(await field(page, 'seed').inputValue(), '50721255');
    assert.deepEqual(await resultShown(only(page)), before);
  },
);

pageTest('a width beyond the slider stretches it, and the reader can drag back', async (page) => {
  await openPage(page, '<attention-widget d-k="100"></attention-widget>');
  assert.equal((await read(only(page))).width, '100');
  assert.equal(await field(page, 'slider').inputValue(), '100');
  await field(page, 'slider').focus();
  await page.keyboard.press('Home');
  await settled(page);
  assert.equal((await read(only(page))).width, '2');
  assert.equal(await field(page, 'slider').getAttribute('max'), '64');
});

pageTest('every control has a name that a screen reader can say', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const [role, name] of /** @type {[any, RegExp][]} */ ([
    ['group', /^Controls$/],
    ['button', /^÷ √dk\s*on$/],
    ['slider', /^d k, the number of dimensions/],
    ['button', /^causal mask$/],
    ['textbox', /^Sentence$/],
    ['textbox', /^Seed$/],
    ['button', /^default$/],
    ['grid', /^Attention weights, 6 queries by 6 keys$/],
    ['gridcell', /^journey looks at starts, 0\.16$/],
  ])) {
    assert.equal(await only(page).getByRole(role, { name }).count(), 1, `${role} ${name}`);
  }
});
