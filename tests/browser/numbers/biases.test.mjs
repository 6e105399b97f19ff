// Biases in the page: under the matrix that each goes with, edited like any entry, and said wherever Q, K and V are. Covers
// views/layer/layer.js, cell-arithmetic.js and walk.js, and the rows of panels/numbers.js, shapes.js, worksheet.js and train.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, set, settled } from '../support.mjs';

/** @typedef {import('playwright-core').Page} Page */

const biased =
  '<attention-widget preset="four-token" bq="0.5 -2" bv="0 7" panels="shapes worksheet train numbers"></attention-widget>';

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

/** @param {Page} page @param {string} selector */
const said = async (page, selector) => String(await page.locator(selector).first().textContent());

/** @param {Page} page @param {string} name */
const matrix = (page, name) => page.locator(`.matrix[data-matrix="${name}"]`);

pageTest('a bias stands under its matrix, and no bias where there is none', async (page) => {
  await openPage(page, biased);
  for (const [name, isThere] of /** @type {const} */ ([
    ['bq', true],
    ['bk', false],
    ['bv', true],
  ])) {
    assert.equal(await matrix(page, name).isVisible(), isThere, name);
  }
  const [above, below] = await Promise.all(
    ['Wq', 'bq'].map((name) => matrix(page, name).locator('> .entries').boundingBox()),
  );
  assert.ok(above && below && below.y >= above.y + above.height && Math.abs(below.x - above.x) < 1);
  assert.equal(await matrix(page, 'bq').locator('.name').textContent(), 'bq 1×2 1×dk');
  await set(only(page), { bq: null, bv: null });
  assert.equal(await matrix(page, 'bq').isVisible(), false);
  await set(only(page), { bq: [1, 2], projections: 'identity' });
  assert.equal(await matrix(page, 'bq').isVisible(), false, 'without projections it has no part');
});

pageTest(
  'by keyboard: from the matrix into its bias, an entry is edited, and the arithmetic names it',
  async (page) => {
    await openPage(page, biased);
    const before = await page.evaluate(() =>
      Array.from(/** @type {any} */ (document.querySelector('attention-widget')).result.Q.data),
    );
    await matrix(page, 'X').locator('.entry').focus();
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('ArrowRight'); // through X's two columns and W_q's
    }
    assert.match(
      String(
        await page.evaluate(
          () => /** @type {any} */ (document.querySelector('attention-widget')).shadowRoot.activeElement.ariaLabel,
        ),
      ),
      /column 1: 0\.5/,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: /b.?q.*row 1, column 1/ }).waitFor();
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Enter');
    await settled(page);
    const { state, result } = await page.evaluate(() => {
      const { state, result } = /** @type {any} */ (document.querySelector('attention-widget'));
      return { state, result: Array.from(result.Q.data) };
    });
    assert.deepEqual(state.edits, [{ matrix: 'bq', row: 0, column: 0, value: 1.5 }]);
    assert.deepEqual(
      result,
      before.map((entry, index) => (index % 2 === 0 ? Number(entry) + 1 : entry)),
    );
    await matrix(page, 'Q')
      .locator('> .entries')
      .click({ position: { x: 2, y: 2 } });
    await settled(page);
    assert.match(await said(page, '.arithmetic'), /X · W.?q \+ b.?q/);
  },
);

pageTest('the walk, the shapes, the worksheet and training say that there are biases', async (page) => {
  await openPage(page, biased);
  const shapes = await said(page, '.shapes table');
  assert.match(shapes, /b.?q\s*learned\s*\(1, d.?k\)\s*\(1, 2\)/);
  assert.match(shapes, /X·W.?q \+ b.?q/);
  assert.doesNotMatch(shapes, /b.?k/);
  assert.match(await said(page, '.worksheet'), /bq/);
  assert.ok(await page.getByText('The biases move with their matrices.').isVisible());
  await set(only(page), { step: 2 });
  assert.match(await said(page, '.walk-sentence'), /x times W.?q \+ b.?q is its query/);
  await set(only(page), { bq: null, bv: null });
  assert.doesNotMatch(await said(page, '.walk-sentence'), /b.?q/);
  assert.equal(await page.getByText('The biases move with their matrices.').isVisible(), false);
});

pageTest('the panel adds a bias of zeros, which decides no width, and takes it away', async (page) => {
  await openPage(page, '<attention-widget d-k="5" panels="numbers"></attention-widget>');
  await page.getByRole('button', { name: 'Add, of zeros: b_k' }).click();
  await settled(page);
  assert.ok(await matrix(page, 'bk').isVisible());
  await set(only(page), { dK: 9 });
  assert.equal(await matrix(page, 'bk').locator('.shape').first().textContent(), '1×9');
  await page.getByRole('button', { name: 'Remove: b_k' }).click();
  await settled(page);
  assert.equal(await matrix(page, 'bk').isVisible(), false);
});
