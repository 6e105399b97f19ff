// What stands beside the slider and the map: this seed at every width, the other divisor, and whatever is broken. Covers
// views/width-curves.js, beside.js and chips.js.

import assert from 'node:assert/strict';
import { engineSays } from '../panels/support.mjs';
import { openPage, pageTest, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const plot = (/** @type {Page} */ page) => only(page).locator('.plot');
const readings = (/** @type {Page} */ page) => only(page).locator('.curve-legend b').allTextContents();

/** The heights of a curve's points, as shares of its own scale. @param {Page} page @param {number} index */
const curve = (page, index) =>
  plot(page)
    .locator('path')
    .nth(index)
    .evaluate((path) =>
      Array.from((path.getAttribute('d') ?? '').matchAll(/[ML](\S+) ([^ML]+)/g), ([, x, y]) => [Number(x), Number(y)]),
    );

pageTest('the curves are the engine’s figures at every width, and today’s is marked', async (page) => {
  await openPage(page, '<attention-widget d-k="20" row="3"></attention-widget>');
  const widths = await engineSays(page, 'widths', { row: 3 });
  const top = Math.max(...widths.none.spread, ...widths.sqrt.spread);
  for (const [index, [values, scale, base]] of [
    [widths.none.peak, 1, 20],
    [widths.sqrt.peak, 1, 20],
    [widths.none.spread, top, 44],
    [widths.sqrt.spread, top, 44],
  ].entries()) {
    const points = await curve(page, index);
    assert.equal(points.length, 63);
    for (const [x, y] of points) {
      assert.ok(Math.abs(y - (base - (20 * values[x]) / scale)) < 0.01, `curve ${index} at ${x + 2}`);
    }
  }
  const at = (/** @type {number} */ dK) => [
    `${widths.none.peak[dK - 2].toFixed(2)} · ${widths.none.spread[dK - 2].toFixed(2)}`,
    `${widths.sqrt.peak[dK - 2].toFixed(2)} · ${widths.sqrt.spread[dK - 2].toFixed(2)}`,
  ];
  assert.deepEqual(await readings(page), at(20));
  const box = (await plot(page).boundingBox()) ?? assert.fail();
  await page.mouse.move(box.x + (box.width * (50 - 2)) / 62, box.y + 9);
  assert.deepEqual(await readings(page), at(50), 'pointing at a width tells its figures');
  assert.equal((await stateOf(only(page))).dK, 20);
  await page.mouse.click(box.x + (box.width * (50 - 2)) / 62, box.y + 9);
  await settled(page);
  assert.equal((await stateOf(only(page))).dK, 50, 'clicking sets it');
  await page.mouse.move(1, 1);
  assert.deepEqual(await readings(page), at(50));
  assert.match(
    (await plot(page).getAttribute('aria-label')) ?? '',
    /^Peak weight of .*with.* and score spread at every d k$/,
  );
});

pageTest(
  'the curves follow seed, row and sentence; a locked width stays; long sentences and fixed numbers have none',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const before = await curve(page, 0);
    await set(only(page), { row: 4 });
    const other = await curve(page, 0);
    assert.notDeepEqual(other, before);
    await set(only(page), { seed: 5 });
    assert.notDeepEqual(await curve(page, 0), other);
    await set(only(page), { locked: ['d-k'] });
    const box = (await plot(page).boundingBox()) ?? assert.fail();
    await page.mouse.click(box.x + 5, box.y + 5);
    await settled(page);
    assert.equal((await stateOf(only(page))).dK, 16);
    await set(only(page), { tokens: Array.from({ length: 49 }, (_, index) => `w${index}`), locked: null });
    assert.equal(await plot(page).isVisible(), false);
    await set(only(page), { tokens: ['a', 'b'], row: 0 });
    assert.equal(await plot(page).isVisible(), true);
    await set(only(page), { preset: 'four-token', tokens: null });
    assert.equal(await plot(page).isVisible(), false);
  },
);

pageTest('where a softmax overflows a curve is broken, and nothing is drawn of NaN', async (page) => {
  await openPage(page, '<attention-widget softmax="naive" divisor="none"></attention-widget>');
  const paths = await plot(page)
    .locator('path')
    .evaluateAll((all) => all.map((path) => path.getAttribute('d')));
  assert.ok(paths.every((path) => !/NaN|Infinity/.test(path ?? '')));
  assert.ok((await curve(page, 0)).length < 63);
});

pageTest(
  'the map beside is the same state with the other divisor, its figures too, and one slider moves both',
  async (page) => {
    await openPage(page, '<attention-widget beside="divisor" d-k="40" mask="causal"></attention-widget>');
    const check = async () => {
      const state = await stateOf(only(page));
      const divisor = state.divisor === 'sqrt' ? 'none' : 'sqrt';
      const { weights, metrics, visible } = await engineSays(page, 'lesson', { ...state, divisor });
      const cells = await only(page).locator('.beside .cell').allTextContents();
      const numbers = Object.values(weights.data);
      assert.deepEqual(
        cells,
        numbers.map((/** @type {number} */ weight, index) =>
          visible.data[index] === 0 ? '' : weight === 0 || weight === 1 ? String(weight) : weight.toFixed(2),
        ),
      );
      const figures = (await only(page).locator('.beside-figures').textContent()) ?? '';
      assert.ok(figures.includes(`score spread ${metrics.spread.toFixed(2)} `), figures);
      assert.ok(figures.includes(`peak ${metrics.peak[state.row].toFixed(2)} `), figures);
      assert.ok(figures.includes(metrics.gradient[state.row]), figures);
    };
    await check();
    assert.equal(await only(page).locator('.beside h3').textContent(), 'the same, not divided');
    await only(page).locator('[part="slider"]').press('End');
    await settled(page);
    await check();
    await only(page).locator('[part="toggle"]').click();
    await settled(page);
    await check();
    assert.equal(await only(page).locator('.beside h3').textContent(), 'the same, divided by √dk');
    await set(only(page), { tokens: Array.from({ length: 65 }, (_, index) => `w${index}`) });
    assert.match((await only(page).locator('.beside').textContent()) ?? '', /65 tokens are too many here/);
    await set(only(page), { tokens: null, beside: 'none' });
    assert.equal(await only(page).locator('.beside').isVisible(), false);
  },
);

pageTest('whatever is broken shows by name beside the controls, and × mends it', async (page) => {
  await openPage(
    page,
    '<attention-widget divisor="dk" projections="shared" softmax-axis="queries" dropout="0.3" blend="embeddings"></attention-widget>',
  );
  const chips = only(page).locator('.chip > span');
  assert.deepEqual(await chips.allTextContents(), [
    '÷ dk instead of ÷ √dk',
    'One matrix for Q, K and V',
    'Softmax down the columns',
    'Dropout after the softmax',
    'Blend X instead of V',
  ]);
  await only(page).getByRole('button', { name: 'Mend: Softmax down the columns' }).click();
  await only(page).getByRole('button', { name: 'Mend: Dropout after the softmax' }).click();
  await settled(page);
  const { softmaxAxis, dropout, projections } = await stateOf(only(page));
  assert.deepEqual([softmaxAxis, dropout, projections], ['keys', 0, 'shared']);
  await set(only(page), { locked: ['projections'] });
  assert.equal(await only(page).getByRole('button', { name: 'Mend: One matrix for Q, K and V' }).isDisabled(), true);
  await set(only(page), { state: { projections: 'identity', dModel: 16, mask: 'late', softmax: 'naive' } });
  assert.deepEqual(await chips.allTextContents(), [
    'No parameters at all',
    'Mask after the softmax',
    'Softmax without the row maximum',
  ]);
  await set(only(page), { state: { divisor: 'none' } });
  assert.deepEqual(await chips.allTextContents(), [], 'the toggle says that itself');
});
