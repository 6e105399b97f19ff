// The arithmetic of one cell on a page.

import assert from 'node:assert/strict';
import { openPage, pageTest, read, resultShown, set, settled } from '../support.mjs';
import { cell, format } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const formatWeight = (/** @type {number} */ weight) =>
  weight === 0 || weight === 1 ? String(weight) : weight.toFixed(2);

/** In arithmetic a tiny weight is written in full. */
const inFull = (/** @type {number} */ weight) =>
  weight > 0 && weight < 0.005 ? weight.toExponential(1).replace('-', '−') : formatWeight(weight);

pageTest('the arithmetic is the result, to the digits shown', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const [settings, row, column] of /** @type {[object, number, number][]} */ ([
    [{}, 1, 2],
    [{ divisor: 'none', dK: 40 }, 4, 5],
    [{ divisor: 'dk', mask: 'causal' }, 3, 1],
    [{ divisor: 'sqrt', mask: 'none', softmaxAxis: 'queries' }, 0, 3],
    [{ softmaxAxis: 'keys', softmax: 'naive', dK: 2 }, 5, 0],
  ])) {
    await set(only(page), settings);
    await cell(page, row, column).click();
    await page.mouse.move(5, 5);
    await settled(page);
    const { arithmetic } = await read(only(page));
    const result = await resultShown(only(page));
    assert.deepEqual(
      arithmetic.steps.map((step) => step[2]),
      [
        format(result.scores[row][column]),
        format(result.scaled[row][column]),
        format(result.shifted[column]),
        format(result.exponentials[column]),
        inFull(result.weights[row][column]),
      ],
    );
    assert.ok(arithmetic.steps[4][1].endsWith(` ÷ ${format(result.totals[column])}`));
  }
});

pageTest('no line of the arithmetic ends within a number, however narrow the page', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const width of [320, 585, 600, 650, 780, 1000]) {
    await page.setViewportSize({ width, height: 900 });
    const broken = await only(page).evaluate((element) => {
      const cells = /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.arithmetic .working');
      const texts = Array.from(cells, ({ childNodes }) =>
        [...childNodes].filter((node) => node instanceof Text),
      ).flat();
      return texts.flatMap((text) =>
        Array.from(text.data.matchAll(/−?[\d.]+/g), (number) => {
          const range = document.createRange();
          range.setStart(text, number.index);
          range.setEnd(text, number.index + number[0].length);
          return { number: number[0], lines: new Set(Array.from(range.getClientRects(), ({ top }) => top)).size };
        }).filter(({ lines }) => lines !== 1),
      );
    });
    assert.deepEqual(broken, [], `at ${width} pixels`);
  }
});

pageTest('arithmetic of a cell under the pointer says whose it is, where the list keeps another row', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const title = only(page).locator('.arithmetic h3');
  await cell(page, 3, 4).hover();
  assert.equal(await title.textContent(), '“with” → “one”, under the pointer');
  await cell(page, 1, 4).hover();
  assert.equal(await title.textContent(), '“journey” → “one”');
});

pageTest('a row that sees one key is not called saturated: there is nothing to learn', async (page) => {
  await openPage(page, '<attention-widget preset="four-token" row="0"></attention-widget>');
  const figure = (/** @type {string} */ name) => only(page).locator(`[data-figure="${name}"]`);
  for (const settings of [{}, { preset: 'sentence', tokens: ['alone'], mask: 'none' }]) {
    await set(only(page), settings);
    assert.equal((await resultShown(only(page))).metrics.state[0], 'saturated (one-hot)');
    assert.equal(await figure('state').locator('.figure-value').textContent(), 'one key');
    assert.equal(await figure('gradient').locator('.figure-value').textContent(), 'no choice');
    assert.equal(await figure('gradient').locator('.figure-note').textContent(), 'nothing to learn');
  }
  assert.equal(await figure('spread').locator('.figure-note').textContent(), 'no law here', 'one score has no spread');
  await set(only(page), { tokens: ['not', 'alone'], mask: 'late' });
  assert.equal(await figure('state').locator('.figure-value').textContent(), 'not a distribution');
  assert.equal(
    await figure('entropy').locator('.figure-note').textContent(),
    'not a distribution',
    'which has no maximum',
  );
});
