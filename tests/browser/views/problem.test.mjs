// The sentence in place of a picture: what it says to bad values, and the ways back from it.

import assert from 'node:assert/strict';
import { heard, listen } from '../element/events.mjs';
import { openPage, pageTest, read, resultOf, setAttributes, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const field = (/** @type {Page} */ page, /** @type {string} */ part) => only(page).locator(`[part="${part}"]`);
const bad = /** @type {[string, string, string][]} */ ([
  ['d-k', '0', 'd-k is 0, but must be a whole number from 1 to 512.'],
  ['d-k', '2.5', 'd-k is 2.5, but must be a whole number from 1 to 512.'],
  ['d-k', '-1', 'd-k is -1, but must be a whole number from 1 to 512.'],
  ['d-k', '1e9', 'd-k is "1e9", but must be a whole number from 1 to 512.'],
  ['d-k', 'wide', 'd-k is "wide", but must be a whole number from 1 to 512.'],
  ['d-k', '', 'd-k is "", but must be a whole number from 1 to 512.'],
  ['d-model', '513', 'd-model is 513, but must be a whole number from 1 to 512.'],
  ['d-v', 'x', 'd-v is "x", but must be a whole number from 1 to 512.'],
  ['mask', 'x', 'mask is "x", but must be none, causal, window or late.'],
  ['divisor', 'SQRT', 'divisor is "SQRT", but must be sqrt, none or dk.'],
  ['projections', 'two', 'projections is "two", but must be separate, shared or identity.'],
  ['softmax-axis', 'rows', 'softmax-axis is "rows", but must be keys or queries.'],
  ['softmax', '', 'softmax is "", but must be stable or naive.'],
  ['preset', 'five', 'preset is "five", but must be sentence or four-token.'],
  ['theme', 'blue', 'theme is "blue", but must be auto, light or dark.'],
  ['row', '99', 'row is 99, but must be a whole number from 0 to 5.'],
  ['row', '-1', 'row is -1, but must be a whole number from 0 to 2047.'],
  ['seed', '-1', 'seed is -1, but must be a whole number from 0 to 4294967295.'],
  ['tokens', '', 'The sentence is empty, but must hold at least one token.'],
  ['tokens', '[object Object]', 'tokens is "[object Object]", but must be words or an array of strings.'],
  ['tokens', '[1, 2]', 'tokens is "[1, 2]", but must be words or an array of strings.'],
]);

pageTest('after a bad seed the way back fills the field with the last good one', async (page) => {
  await openPage(page, '<attention-widget seed="7"></attention-widget>');
  const before = await read(only(page));
  await field(page, 'seed').fill('seven');
  await field(page, 'sentence').focus();
  await settled(page);
  await only(page).getByRole('button', { name: 'Back to the last picture' }).click();
  await settled(page);
  assert.equal(await field(page, 'seed').inputValue(), '7');
  assert.deepEqual(await read(only(page)), before);
});

pageTest(
  'a bad attribute is named in one sentence in place of the picture, and mending it brings the picture back',
  async (page) => {
    await openPage(page, '<attention-widget d-k="8"></attention-widget>');
    await listen(page);
    const before = await read(only(page));
    for (const [name, text, sentence] of bad) {
      await setAttributes(only(page), { [name]: text });
      const broken = await read(only(page));
      assert.equal(broken.problem, sentence);
      assert.equal(broken.isPictureShown, false, sentence);
      assert.equal(await resultOf(only(page)), null, sentence);
      assert.equal(broken.width, '8', 'the controls keep the last state that was computed');
      assert.equal(broken.toggle.isPressed, 'true');
      assert.equal(await field(page, 'sentence').inputValue(), 'Your journey starts with one step');
      const events = await heard(page);
      assert.deepEqual(
        // Of marks that keep a word's direction to itself nothing is seen.
        events.map(({ type, detail }) => [type, detail.argument, detail.message.replace(/[\u2068\u2069]/g, '')]),
        [['attention-error', name, sentence]],
      );
      const error = await only(page).evaluate((element) => String(/** @type {any} */ (element).error));
      assert.match(error, /^EngineError: /);
      await setAttributes(only(page), { [name]: name === 'd-k' ? '8' : null });
      assert.deepEqual(await read(only(page)), before, `mended: ${sentence}`);
      assert.equal(await only(page).evaluate((element) => /** @type {any} */ (element).error), null);
      await heard(page);
    }
  },
);

pageTest('the way back restores the last picture for every setting at once', async (page) => {
  await openPage(page, '<attention-widget d-k="8" mask="causal"></attention-widget>');
  const before = await read(only(page));
  await setAttributes(only(page), { 'd-k': '0', row: '99', tokens: 'two words' });
  const problem = only(page).getByRole('alert');
  assert.match((await problem.textContent()) ?? '', /^d-k is 0, but /);
  await only(page).getByRole('button', { name: 'Back to the last picture' }).click();
  await page.mouse.move(5, 5);
  await settled(page);
  assert.deepEqual(await read(only(page)), before);
});

pageTest('a widget that starts with a bad value says so, offers no way back, and can be mended', async (page) => {
  await openPage(page, '<attention-widget d-k="0"></attention-widget>');
  const broken = await read(only(page));
  assert.equal(broken.problem, 'd-k is 0, but must be a whole number from 1 to 512.');
  assert.equal(broken.areControlsShown, false);
  assert.equal(await only(page).getByRole('button').count(), 0);
  await setAttributes(only(page), { 'd-k': '4' });
  const mended = await read(only(page));
  assert.equal(mended.problem, null);
  assert.equal(mended.width, '4');
});

pageTest('a bad value does not make the page jump', async (page) => {
  await openPage(page, '<attention-widget></attention-widget><p id="after">after</p>');
  const top = () => page.locator('#after').evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await setAttributes(only(page), { 'd-k': '0' });
  assert.ok(Math.abs((await top()) - before) <= 40);
});

pageTest('an object that a framework turned into text is reported, not guessed at', async (page) => {
  await openPage(page, '<attention-widget tokens="[object Object]"></attention-widget>');
  assert.match((await read(only(page))).problem ?? '', /^tokens is "\[object Object\]", but must be words/);
});
