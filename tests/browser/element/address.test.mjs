// A state in the page's own address: kept where the page asks for it, and nowhere else.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();
const dK = async (/** @type {Page} */ page) => (await stateOf(widget(page))).dK;
const hash = (/** @type {Page} */ page) => page.evaluate(() => location.hash);

/** Turns the slider by a key. @param {Page} page @param {string} key */
async function pressOnSlider(page, key) {
  await widget(page).getByRole('slider').focus();
  await page.keyboard.press(key);
  await settled(page);
}

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

pageTest('a page that does not ask for it keeps its address', async (page) => {
  await openPage(page, '<attention-widget id="w1"></attention-widget>');
  await pressOnSlider(page, 'End');
  await page.waitForTimeout(900);
  assert.equal(await hash(page), '');
});

pageTest('a linked widget keeps its state in the address, and Back takes a change back', async (page) => {
  const body = '<attention-widget id="w1" linked d-k="8"></attention-widget><attention-widget></attention-widget>';
  await openPage(page, body);
  await page.evaluate(() => history.replaceState(null, '', '#section-2'));
  await pressOnSlider(page, 'End');
  await eventually(() => hash(page), '#section-2;w1:v=1&d-k=64');
  await widget(page).getByRole('button', { name: '÷ √dk' }).click();
  await eventually(() => hash(page), '#section-2;w1:v=1&d-k=64&divisor=none');
  await page.goBack();
  await eventually(async () => (await stateOf(widget(page))).divisor, 'sqrt');
  assert.equal(await dK(page), 64);
  await page.goBack();
  await eventually(() => dK(page), 8);
  assert.equal(await hash(page), '#section-2');
  await page.goForward();
  await eventually(() => dK(page), 64);
});

pageTest(
  'a widget that is linked opens in the state of its address, and passes over what it cannot read',
  async (page) => {
    const body = '<attention-widget id="w1" linked seed="3"></attention-widget>';
    await openPage(page, body);
    await page.goto(`${page.url()}#w2:v=1&d-k=3;w1:v=1&d-k=40&divisor=none&colour=red&row=-1`);
    await page.reload();
    await settled(page);
    const { dK: width, divisor, seed, row } = await stateOf(widget(page));
    assert.deepEqual([width, divisor, seed, row], [40, 'none', 3, 1]);
  },
);

pageTest('a drag of the slider is one step of the history', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked></attention-widget>');
  const before = await page.evaluate(() => history.length);
  await widget(page).getByRole('slider').focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
  }
  await eventually(() => hash(page), '#w1:v=1&d-k=20');
  assert.equal(await page.evaluate(() => history.length), before + 1);
});

pageTest('the address and the history are left alone', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => history.replaceState(null, '', '#/3'));
  const before = await page.evaluate(() => [location.href, history.length]);
  for (let dK = 2; dK < 30; dK++) {
    await set(only(page), { dK });
  }
  assert.deepEqual(await page.evaluate(() => [location.href, history.length]), before);
});
