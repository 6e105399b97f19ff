// Links and buttons of the prose that set a widget.

import assert from 'node:assert/strict';
import {
  eventually,
  openPage,
  pageTest,
  read,
  resultShown,
  set,
  setAttributes,
  settled,
  stateOf,
  widgetScript,
} from '../support.mjs';

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

pageTest('a link with fewer tokens or heads works wherever the reader has moved on to', async (page) => {
  await openPage(
    page,
    '<a href="#" data-attention-for="w1" data-tokens="a b">two</a> <a href="#" data-attention-for="w1" data-heads="2">heads</a>' +
      '<a href="#" data-attention-for="w1" data-tokens="a b c" data-row="7">eight</a>' +
      '<attention-widget id="w1" heads="5"></attention-widget>',
  );
  await set(widget(page), { row: 5, head: 4 });
  await page.getByRole('link', { name: 'two' }).click();
  await settled(page);
  await page.getByRole('link', { name: 'heads' }).click();
  await settled(page);
  const { row, head, tokens, heads } = await stateOf(widget(page));
  assert.deepEqual([row, head, tokens, heads], [1, 1, ['a', 'b'], 2]);
  assert.equal((await resultShown(widget(page))).tokens.length, 2);
  await page.getByRole('link', { name: 'eight' }).click();
  await page.getByText('row is 7, but must be a whole number from 0 to 2.').waitFor();
});

/** Ways in which somebody gives a widget fewer tokens and heads. */
const ways = /** @type {Record<string, (element: any) => void>} */ ({
  attributes: (element) => {
    element.setAttribute('tokens', 'a b');
    element.setAttribute('heads', '2');
  },
  'removed attributes': (element) => {
    element.removeAttribute('tokens');
    element.removeAttribute('heads');
  },
  properties: (element) => {
    element.tokens = ['a', 'b'];
    element.heads = 2;
  },
  'change()': (element) => element.change({ tokens: ['a', 'b'], heads: 2 }),
});

pageTest(
  'a row and a head follow what they depend on, whatever changes it, and are refused where they are given',
  async (page) => {
    for (const [name, change] of Object.entries(ways)) {
      await openPage(page, '<attention-widget tokens="a b c d e f g h i" heads="8"></attention-widget>');
      await set(widget(page), { row: 8, head: 7 });
      await page.evaluate(
        async ([source]) => {
          const element = /** @type {any} */ (document.querySelector('attention-widget'));
          new Function('element', `(${source})(element)`)(element);
          await element.updated;
        },
        [String(change)],
      );
      const { row, head, tokens, heads } = await stateOf(widget(page));
      assert.deepEqual([row, head], [tokens.length - 1, heads - 1], name);
      assert.equal((await read(widget(page))).problem, null, name);
    }
    for (const [given, sentence] of /** @type {const} */ ([
      [{ row: '2', tokens: 'a b' }, 'row is 2, but must be a whole number from 0 to 1.'],
      [{ tokens: 'a b', row: '2' }, 'row is 2, but must be a whole number from 0 to 1.'],
      [{ head: '2', heads: '2' }, 'head is 2, but must be a whole number from 0 to 1.'],
    ])) {
      await openPage(page, '<attention-widget></attention-widget>');
      await setAttributes(widget(page), given);
      assert.equal((await read(widget(page))).problem, sentence);
      await setAttributes(widget(page), { 'd-k': '9' });
      assert.equal((await read(widget(page))).problem, sentence, 'another change makes it no better');
      await setAttributes(widget(page), { tokens: 'a b c', heads: '3' });
      assert.equal((await read(widget(page))).problem, null);
    }
    await openPage(page, '<attention-widget tokens="a b" row="2" heads="2"></attention-widget>');
    assert.equal((await read(widget(page))).problem, 'row is 2, but must be a whole number from 0 to 1.');
  },
);
