// Registration: every order of loading, several copies of the script.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openPage, pageTest, read, serve, set, settled, stateOf, widgetScript } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

/** @param {Page} page  opened without the widget's script */
async function loadScript(page) {
  await page.addScriptTag({ url: '/attention-widget.js', type: 'module' });
  await settled(page);
}

pageTest('loading the script twice, and a second copy of it, leaves the first in charge', async (page) => {
  serve('/copy.js', readFileSync(new URL('../../../dist/attention-widget.js', import.meta.url), 'utf8'));
  await openPage(page, '<attention-widget d-k="7"></attention-widget>', {
    head: `${widgetScript}${widgetScript}<script type="module" src="/copy.js"></script>`,
  });
  assert.equal((await read(only(page))).width, '7');
  await page.evaluate(() => {
    const first = customElements.get('attention-widget');
    Object.assign(window, { first });
  });
  await page.addScriptTag({ url: '/attention-widget.js?again', type: 'module' });
  assert.ok(await page.evaluate(() => customElements.get('attention-widget') === /** @type {any} */ (window).first));
  await page.evaluate(() => document.body.append(document.createElement('attention-widget')));
  await settled(page);
  assert.equal((await read(only(page).nth(1))).width, '16');
});

pageTest('properties and attributes from before the script count, and later ones do too', async (page) => {
  await openPage(page, '', { head: '' });
  await page.evaluate(() => {
    const element = /** @type {any} */ (document.createElement('attention-widget'));
    element.tokens = ['a', 'b'];
    element.dK = 5;
    element.setAttribute('mask', 'causal');
    element.setAttribute('d-k', '9');
    document.body.append(element);
  });
  await loadScript(page);
  const early = await stateOf(only(page));
  assert.deepEqual(early.tokens, ['a', 'b']);
  assert.equal(early.mask, 'causal');
  assert.equal(early.dK, 5, 'what a script put on the element itself outdoes the markup');
  assert.deepEqual((await read(only(page))).rowLabels, ['a', 'b']);
  await set(only(page), { tokens: ['x', 'y', 'z'], dK: 6 });
  assert.deepEqual((await read(only(page))).rowLabels, ['x', 'y', 'z']);
  assert.equal((await stateOf(only(page))).dK, 6);
});

pageTest('a whole state from before the script counts as well', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>', { head: '' });
  await page.evaluate(() => {
    /** @type {any} */ (document.querySelector('attention-widget')).state = { dK: 5, mask: 'causal' };
  });
  await loadScript(page);
  const { dK, mask } = await stateOf(only(page));
  assert.deepEqual({ dK, mask }, { dK: 5, mask: 'causal' });
});

pageTest(
  'of three widgets and two copies of the script one starts in a hidden tab, and each keeps its own',
  async (page) => {
    await openPage(
      page,
      `<div id="tab" style="display: none"><attention-widget tokens="a b" d-k="4"></attention-widget></div>
     <attention-widget tokens="c d e f g" mask="causal"></attention-widget>
     <attention-widget tokens="x y z" divisor="none"></attention-widget>`,
      { head: `<script src="/attention-widget.classic.js"></script>${widgetScript}` },
    );
    const all = [0, 1, 2].map((index) => only(page).nth(index));
    assert.deepEqual(await Promise.all(all.map(async (each) => (await read(each)).rowLabels.length)), [2, 5, 3]);
    const others = async () => [await read(all[1]), await read(all[2])];
    const before = await others();
    await page.evaluate(() => document.querySelector('#tab')?.removeAttribute('style'));
    const [[cell]] = (await read(all[0])).cells;
    assert.ok(cell.width > 20 && Math.abs(cell.width - cell.height) < 0.5);
    await all[0].locator('.cell[tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await all[0].locator('.cell').nth(3).hover();
    await settled(page);
    assert.deepEqual([(await stateOf(all[0])).row, (await read(all[0])).cells.flat()[3].isLit], [0, true]);
    assert.deepEqual(await others(), before);
    await all[1].evaluate((element) => element.remove());
    assert.deepEqual((await read(only(page).nth(0))).rowLabels, ['a', 'b']);
    assert.deepEqual(await read(only(page).nth(1)), before[1]);
  },
);
