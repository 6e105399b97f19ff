// A widget that fills the screen. Covers teacher/present.js.

import assert from 'node:assert/strict';
import {
  eventually,
  openPage,
  pageTest,
  serve,
  setAttributes,
  settled,
  stateOf,
  strictPolicy,
  widgetScript,
} from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const head = `${widgetScript}<script src="/present.js" defer></script>`;
const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();
const isPresented = (/** @type {Page} */ page) => page.evaluate(() => document.fullscreenElement?.localName ?? null);

pageTest(
  'a button fills the screen with its widget, keys walk, enlarge and blacken, and all is as before when it ends',
  async (page) => {
    await openPage(
      page,
      '<attention-widget></attention-widget><attention-widget id="b" preset="four-token"></attention-widget>',
      {
        head,
        headers: { 'content-security-policy': `${strictPolicy}; img-src data:` },
      },
    );
    const buttons = page.getByRole('button', { name: 'Present' });
    assert.equal(await buttons.count(), 2);
    const size = () => widget(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    const before = await size();
    await buttons.first().press('Enter');
    await eventually(() => isPresented(page), 'attention-widget');
    await eventually(size, 22);
    await page.keyboard.press('+');
    assert.equal(await size(), 28);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    assert.equal(await size(), 16);
    for (const [key, step] of /** @type {[string, number][]} */ ([
      ['PageUp', 0],
      ['PageDown', 1],
      ['PageDown', 2],
      ['PageUp', 1],
    ])) {
      await page.keyboard.press(key);
      await settled(page);
      assert.equal((await stateOf(widget(page))).step, step, key);
    }
    assert.equal((await stateOf(page.locator('#b'))).step, 0, 'the other widget stays');
    const visibility = () => widget(page).evaluate((element) => getComputedStyle(element).visibility);
    await page.keyboard.press('b');
    assert.equal(await visibility(), 'hidden');
    await page.keyboard.press('.');
    assert.equal(await visibility(), 'visible');
    await page.keyboard.press('b');
    await page.evaluate(() => document.exitFullscreen());
    await eventually(() => isPresented(page), null);
    await eventually(size, before);
    assert.equal(await visibility(), 'visible');
    assert.equal(await buttons.first().evaluate((button) => button === document.activeElement), true);
    await page.keyboard.press('PageDown');
    assert.equal((await stateOf(widget(page))).step, 1, 'its keys are the page’s again');
  },
);

pageTest('F in a widget fills the screen with it, and is a letter in a field and outside', async (page) => {
  await openPage(page, '<button>outside</button><attention-widget></attention-widget>', { head });
  await page.getByRole('button', { name: 'outside' }).press('f');
  await page.locator('[part="sentence"]').press('f');
  await page.locator('[part="slider"]').press('Control+f');
  assert.equal(await isPresented(page), null);
  await page.locator('[part="slider"]').press('f');
  await eventually(() => isPresented(page), 'attention-widget');
});

pageTest('what is typed into a field is text, and a locked step stays', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>', { head });
  await page.getByRole('button', { name: 'Present' }).click();
  await eventually(() => isPresented(page), 'attention-widget');
  await page.locator('[part="sentence"]').fill('a');
  await page.locator('[part="sentence"]').pressSequentially(' b.');
  assert.equal(await page.locator('[part="sentence"]').inputValue(), 'a b.');
  await setAttributes(widget(page), { locked: 'step' });
  await page.locator('[part="slider"]').focus();
  await page.keyboard.press('PageDown');
  await settled(page);
  assert.equal((await stateOf(widget(page))).step, 0);
});

for (const allowed of [true, false]) {
  pageTest(
    `in a frame ${allowed ? 'that may fill the screen there is a button' : 'that may not there is none'}`,
    async (page) => {
      serve(
        '/framed.html',
        `<!doctype html><html lang="es"><link rel="icon" href="data:,">${head}<attention-widget></attention-widget></html>`,
      );
      await openPage(
        page,
        `<iframe src="/framed.html" ${allowed ? 'allow="fullscreen"' : 'allow="fullscreen \'none\'"'} width="900" height="700"></iframe>`,
        {
          head: '',
        },
      );
      const frame = page.frameLocator('iframe');
      await frame.locator('[part="slider"]').waitFor();
      assert.equal(await frame.getByRole('button', { name: 'Presentar' }).count(), allowed ? 1 : 0);
    },
  );
}
