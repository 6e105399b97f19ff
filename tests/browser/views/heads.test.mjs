// Several heads: a picture of each, one of their average, and the one that the widget shows.

import assert from 'node:assert/strict';
import { openPage, pageTest, set, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const heads = (/** @type {Page} */ page) => only(page).getByRole('group', { name: 'Heads' });
const buttons = (/** @type {Page} */ page) => heads(page).getByRole('button');

/** The weights in the cells of the map. @param {Page} page */
const mapShown = (page) =>
  only(page)
    .locator('.map:not(.small-map *) [role=gridcell]')
    .evaluateAll((cells) => cells.map((cell) => cell.ariaLabel));

/** What the element says of its state. @param {Page} page */
const resultOf = (page) =>
  only(page).evaluate((/** @type {any} */ { result }) => ({
    shapes: result.shapes,
    weights: Array.from(result.weights.data),
    average: result.average === undefined ? null : Array.from(result.average.data),
    shown: Array.from((result.head ?? result).weights.data),
    divisor: result.divisor,
  }));

/** The darkness of a picture's cells, from 0 to 255. @param {import('playwright-core').Locator} canvas */
const darkness = (canvas) =>
  canvas.evaluate((element) => {
    const { width, height } = /** @type {HTMLCanvasElement} */ (element);
    const context = /** @type {CanvasRenderingContext2D} */ (
      /** @type {HTMLCanvasElement} */ (element).getContext('2d')
    );
    const pixels = context.getImageData(0, 0, width, height).data;
    return Array.from({ length: width * height }, (_, index) => 255 - pixels[4 * index]);
  });

/** The place of the largest. @param {number[]} numbers */
const peak = (numbers) => numbers.indexOf(Math.max(...numbers));

pageTest('one head has no choice of heads', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  assert.equal(await heads(page).count(), 0);
  const { shapes, average } = await resultOf(page);
  assert.deepEqual(shapes.weights, [6, 6]);
  assert.equal(average, null);
});

pageTest('the reader chooses how many heads there are, and which one the picture shows', async (page) => {
  await openPage(page, '<attention-widget d-k="4" d-v="3"></attention-widget>');
  const before = await mapShown(page);
  await only(page).getByRole('combobox', { name: 'Heads' }).selectOption('3');
  await settled(page);
  assert.deepEqual(await buttons(page).allTextContents(), ['head 1', 'head 2', 'head 3']);
  assert.match((await heads(page).textContent()) ?? '', /average, which is no head/);
  assert.deepEqual(await mapShown(page), before, 'the first head is what one head was');
  const { shapes, weights, average, divisor } = await resultOf(page);
  assert.deepEqual(
    [shapes.Wq, shapes.Wv, shapes.Q, shapes.weights, shapes.output],
    [
      [16, 12],
      [16, 9],
      [6, 12],
      [3, 6, 6],
      [6, 9],
    ],
  );
  assert.equal(divisor, 2, 'the root of a head’s own d_k');
  for (let cell = 0; cell < 36; cell++) {
    const mean = (weights[cell] + weights[36 + cell] + weights[72 + cell]) / 3;
    assert.ok(Math.abs(Number(average?.[cell]) - mean) < 1e-15);
  }
  await buttons(page).nth(2).focus();
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await buttons(page).nth(2).getAttribute('aria-pressed'), 'true');
  assert.equal(await buttons(page).nth(0).getAttribute('aria-pressed'), 'false');
  assert.notDeepEqual(await mapShown(page), before);
  assert.deepEqual((await resultOf(page)).shown, weights.slice(72));
});

/** @param {Page} page */
async function assertPictures(page) {
  await openPage(page, '<attention-widget heads="4" d-k="64" divisor="none" theme="light"></attention-widget>');
  const { weights, average } = await resultOf(page);
  const pictures = heads(page).locator('canvas');
  assert.equal(await pictures.count(), 5);
  const tables = [0, 1, 2, 3].map((head) => weights.slice(36 * head, 36 * (head + 1)));
  for (const [index, table] of [...tables, average ?? []].entries()) {
    const shades = await darkness(pictures.nth(index));
    assert.equal(shades[peak(table)], Math.max(...shades), 'the largest weight is the darkest cell');
    assert.equal(shades[peak(table.map((weight) => -weight))], Math.min(...shades));
    for (let cell = 1; cell < 36; cell++) {
      const more = table[cell] - table[cell - 1];
      assert.ok(Math.abs(more) < 0.02 || more > 0 === shades[cell] > shades[cell - 1], 'more weight is darker');
    }
  }
}

pageTest('each picture is of its own head’s weights, darker for more, and the last of their average', assertPictures);

pageTest('the pictures keep their scale where the reader forces other colours', assertPictures, {
  forcedColors: 'active',
});

pageTest('a layer without parameters has one head: the choice goes with them', async (page) => {
  await openPage(page, '<attention-widget heads="2" head="1" panels="break"></attention-widget>');
  await only(page).getByRole('button', { name: 'No parameters at all' }).click();
  await settled(page);
  assert.equal(await heads(page).count(), 0);
  assert.ok(await only(page).getByRole('combobox', { name: 'Heads' }).isDisabled());
  await set(only(page), { projections: 'separate', heads: 2 });
  assert.equal(await buttons(page).count(), 2);
});
