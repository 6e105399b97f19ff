// Small maps of signed numbers, as the Jacobian shows them: readable, walked by keys, and coloured by sign.

import assert from 'node:assert/strict';
import { numberIn, openPage, pageTest, set } from '../support.mjs';
import { readMaps } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`.${name}`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

pageTest('up to 8 tokens every entry is readable in its cell, with its sign', async (page) => {
  await open(page, 'jacobian');
  for (const tokens of [['a', 'b'], [...'abcdefgh']]) {
    await set(only(page), { tokens, row: 1 });
    for (const { texts, numbers, rowLabels, columnLabels } of await readMaps(page, 'jacobian')) {
      assert.deepEqual([rowLabels, columnLabels], [tokens, tokens]);
      texts.flat().forEach((text, index) => {
        const number = numbers.flat()[index];
        assert.ok(Math.abs(numberIn(text) - number) <= 0.0050001, `${text} is ${number}`);
        assert.equal(text[0], number === 0 ? '0' : number > 0 ? '+' : '−');
      });
    }
  }
});

pageTest('keys and the pointer read a cell out in full precision', async (page) => {
  await open(page, 'jacobian');
  const map = panel(page, 'jacobian').locator('.small-map').first();
  const reading = panel(page, 'jacobian').locator('.reading').first();
  const cells = map.getByRole('gridcell');
  await cells.nth(8).hover();
  assert.match((await reading.textContent()) ?? '', /^journey, starts: −0\.\d\d \(−0\.\d{6,}\)$/);
  await cells.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.ok(await cells.nth(7).evaluate((cell) => cell.matches(':focus')));
  assert.match((await reading.textContent()) ?? '', /^journey, journey: \+0\.\d\d \(0\.\d{6,}\)$/);
  assert.equal(await map.locator('[tabindex="0"]').count(), 1);
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  pageTest(
    `equal sizes of both signs are equally dark, and their numbers readable, in a ${colorScheme} theme`,
    async (page) => {
      await open(page, 'jacobian', `theme="${colorScheme}" d-k="2" tokens="a b"`);
      const found = await panel(page, 'jacobian')
        .locator('.small-map')
        .first()
        .evaluate((map) => {
          const context = /** @type {CanvasRenderingContext2D} */ (
            document.createElement('canvas').getContext('2d', { willReadFrequently: true })
          );
          const luminance = (/** @type {string} */ colour) => {
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            const [red, green, blue] = Array.from(context.getImageData(0, 0, 1, 1).data, (channel) => {
              const share = channel / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const cell = /** @type {HTMLElement} */ (map.querySelector('[role=gridcell]'));
          return ['minus', 'plus'].flatMap((sign) =>
            [0, 50, 100].map((share) => {
              cell.className = `cell ${sign}-${share}`;
              const { backgroundColor, color } = getComputedStyle(cell);
              const [low, high] = [luminance(backgroundColor), luminance(color)].sort((x, y) => x - y);
              const lightness = Number(backgroundColor.match(/^oklab\(([\d.]+)/)?.[1]);
              return { sign, share, backgroundColor, lightness, contrast: (high + 0.05) / (low + 0.05) };
            }),
          );
        });
      for (const each of found) {
        assert.ok(each.contrast >= 4.5, JSON.stringify(each));
      }
      const [minus, plus] = [found.slice(0, 3), found.slice(3)];
      minus.forEach(({ lightness, backgroundColor }, index) => {
        assert.ok(
          Math.abs(lightness - plus[index].lightness) < 0.002,
          `${backgroundColor} ${plus[index].backgroundColor}`,
        );
      });
      assert.ok(Math.abs(minus[0].lightness - minus[2].lightness) > 0.25, 'the scale can be seen');
      assert.notEqual(minus[2].backgroundColor, plus[2].backgroundColor);
    },
  );
}
