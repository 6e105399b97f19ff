// Editing an entry by keyboard, mouse and finger, and the ways back. Covers numbers/editor.js, element/number-editing.js and
// element/reader-history.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, settled, strictPolicy } from '../support.mjs';

/** @typedef {import('playwright-core').Page} Page */

const fourTokens = '<attention-widget preset="four-token"></attention-widget>';

/** @param {Page} page @param {(widget: import('../support.mjs').Widget) => any} look */
const ask = (page, look) => page.evaluate(`(${look})(document.querySelector('attention-widget'))`);

/** @param {Page} page @returns {Promise<number[]>} */
const weights = (page) => ask(page, (widget) => Array.from(/** @type {any} */ (widget.result).weights.data));

/** @param {Page} page @param {string} matrix */
const plane = (page, matrix) => page.locator(`.matrix[data-matrix="${matrix}"] .entries`);

/** The middle of an entry on the screen. @param {Page} page @param {string} matrix @param {number} row @param {number} column */
async function entryAt(page, matrix, row, column) {
  const box = await plane(page, matrix).boundingBox();
  const [rows, columns] = await shapeOf(page, matrix);
  assert.ok(box);
  return { x: box.x + (box.width * (column + 0.5)) / columns, y: box.y + (box.height * (row + 0.5)) / rows };
}

/** @param {Page} page @param {string} matrix @returns {Promise<[number, number]>} */
const shapeOf = (page, matrix) =>
  page.evaluate((name) => /** @type {any} */ (document.querySelector('attention-widget')).result[name].shape, matrix);

/** Waits for the script beside the widget, and for the picture. @param {Page} page */
async function fieldOpens(page) {
  await page.locator('.edit-field').waitFor();
  await settled(page);
}

pageTest(
  'by keyboard: Enter opens an entry, arrows count it, the picture follows, Escape takes it back',
  async (page) => {
    await openPage(page, fourTokens, { headers: { 'content-security-policy': `${strictPolicy}; img-src data:` } });
    const before = await weights(page);
    await plane(page, 'X').locator('.entry').focus();
    for (let press = 0; press < 2; press++) {
      await page.keyboard.press('ArrowRight'); // from X's first entry through its second to W_q
    }
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await fieldOpens(page);
    const field = page.getByRole('textbox', { name: /row 1, column 2/ });
    assert.equal(await field.inputValue(), '1');
    assert.ok(await field.evaluate((input) => input === /** @type {ShadowRoot} */ (input.getRootNode()).activeElement));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await settled(page);
    assert.equal(await field.inputValue(), '2.2');
    const edits = await ask(page, (widget) => widget.state.edits);
    assert.deepEqual(edits, [{ matrix: 'Wq', row: 0, column: 1, value: 2.2 }]);
    assert.notDeepEqual(await weights(page), before);
    await page.keyboard.press('Escape');
    await settled(page);
    assert.deepEqual(await weights(page), before);
    assert.deepEqual(await ask(page, (widget) => widget.state.edits), []);
    assert.ok(await page.locator('.edit-field').isHidden());
    assert.equal(
      await page.evaluate(() => {
        const root = /** @type {any} */ (document.querySelector('attention-widget')).shadowRoot;
        return root.activeElement.closest('.matrix').dataset.matrix;
      }),
      'Wq',
      'the focus is where it was',
    );
  },
);

pageTest('by mouse: a drag changes an entry and chooses no row, a double click opens it', async (page) => {
  await openPage(page, '<attention-widget d-k="4"></attention-widget>');
  const row = await ask(page, (widget) => widget.state.row);
  const { x, y } = await entryAt(page, 'X', 4, 2);
  const value = await ask(page, (widget) => /** @type {any} */ (widget.result).X.data[4 * 16 + 2]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up(); // brings the script, and chooses the row
  await page.waitForFunction(() => Symbol.for('attention-widget.numbers') in globalThis);
  await settled(page);
  assert.equal(await ask(page, (widget) => widget.state.row), 4);
  await page.evaluate((was) => {
    /** @type {any} */ (document.querySelector('attention-widget')).row = was;
  }, row);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 20, { steps: 5 });
  await settled(page);
  const during = await ask(page, (widget) => widget.state.edits);
  assert.equal(during.length, 1);
  assert.ok(Math.abs(during[0].value - (value + 0.5)) < 1e-9, `${during[0].value} is five steps above ${value}`);
  await page.mouse.up();
  await settled(page);
  assert.equal(await ask(page, (widget) => widget.state.row), row, 'a drag chooses nothing');
  await page.mouse.dblclick(x, y);
  await fieldOpens(page);
  assert.equal(Number(await page.locator('.edit-field input').inputValue()), during[0].value);
  await page.locator('.edit-field input').fill('-2.5');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await ask(page, (widget) => /** @type {any} */ (widget.result).X.data[4 * 16 + 2]), -2.5);
  await page.mouse.down();
  await page.mouse.move(x, y - 40, { steps: 3 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await settled(page);
  assert.equal(
    await ask(page, (widget) => /** @type {any} */ (widget.result).X.data[4 * 16 + 2]),
    -2.5,
    'Escape takes a drag back',
  );
});

pageTest(
  'by finger: a double tap opens an entry, and the buttons beside it count',
  async (page) => {
    await openPage(page, fourTokens);
    const { x, y } = await entryAt(page, 'Wk', 1, 0);
    await page.touchscreen.tap(x, y);
    await page.touchscreen.tap(x, y);
    await fieldOpens(page);
    assert.equal(await page.locator('.edit-field input').inputValue(), '1');
    await page.getByRole('button', { name: 'less', exact: true }).tap();
    await settled(page);
    assert.equal(await ask(page, (widget) => /** @type {any} */ (widget.result).Wk.data[2]), 0.9);
  },
  { hasTouch: true, isMobile: true },
);

pageTest('what is no number is said, changes nothing, and can be mended', async (page) => {
  await openPage(page, fourTokens);
  const { x, y } = await entryAt(page, 'Wv', 0, 0);
  await page.mouse.dblclick(x, y);
  await fieldOpens(page);
  const input = page.locator('.edit-field input');
  const alert = page.locator('.edit-field [role="alert"]');
  for (const wrong of ['', 'three', '1e999', 'NaN', '0x10', '1,5']) {
    await input.fill(wrong);
    await settled(page);
    assert.match(String(await alert.textContent()), /is no number/, wrong);
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    assert.ok(
      await ask(page, (widget) => widget.error === null && /** @type {any} */ (widget.result).Wv.data[0] === 0),
    );
  }
  await input.fill('-.5');
  await settled(page);
  assert.ok(await alert.isHidden());
  assert.equal(await ask(page, (widget) => /** @type {any} */ (widget.result).Wv.data[0]), -0.5);
});

pageTest('undo and redo go through everything the reader changed, by keys and by buttons', async (page) => {
  await openPage(page, '<attention-widget d-k="4"></attention-widget>');
  const start = await ask(page, (widget) => JSON.stringify(widget.state));
  await page.locator('[part~="toggle"]').click();
  const { x, y } = await entryAt(page, 'Wq', 1, 3);
  await page.mouse.dblclick(x, y);
  await fieldOpens(page);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await settled(page);
  const end = await ask(page, (widget) => JSON.stringify(widget.state));
  await page.keyboard.press('Control+z');
  await settled(page);
  assert.deepEqual(await ask(page, (widget) => [widget.state.edits.length, widget.state.divisor]), [0, 'none']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  assert.equal(await ask(page, (widget) => JSON.stringify(widget.state)), start);
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+y');
  await settled(page);
  assert.equal(await ask(page, (widget) => JSON.stringify(widget.state)), end);
  assert.ok(await page.getByRole('button', { name: 'Redo' }).isDisabled());
});

pageTest(
  'Escape takes back what was done since an entry was opened, and an entry is one step to undo',
  async (page) => {
    await openPage(page, fourTokens);
    const { x, y } = await entryAt(page, 'Wq', 0, 1);
    const value = () => ask(page, (widget) => /** @type {any} */ (widget.result).Wq.data[1]);
    const open = async () => {
      await page.mouse.dblclick(x, y);
      await fieldOpens(page);
    };
    await open();
    await page.keyboard.press('Escape');
    await settled(page);
    assert.ok(await page.locator('.changes').isHidden(), 'nothing was done, and nothing can be undone');
    await open();
    for (const pause of [0, 1200, 0]) {
      await page.keyboard.press('ArrowUp');
      await page.waitForTimeout(pause); // however slowly it is counted
    }
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await value(), 1.3);
    await open();
    await page.locator('.edit-field input').fill('7');
    await settled(page);
    assert.equal(await value(), 7);
    await page.keyboard.press('Escape');
    await settled(page);
    assert.equal(await value(), 1.3, 'what was done before it was opened stays');
    await page.getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    assert.equal(await value(), 1);
  },
);

pageTest('with edits locked, an entry that its author edited stays as it is', async (page) => {
  await openPage(page, '<attention-widget preset="four-token" locked="edits" edits="Wq 0 1 5"></attention-widget>');
  const { x, y } = await entryAt(page, 'Wq', 0, 1);
  await page.mouse.dblclick(x, y);
  await page.waitForFunction(() => Symbol.for('attention-widget.numbers') in globalThis);
  await settled(page);
  assert.ok(await page.locator('.edit-field').isHidden());
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 40, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  assert.equal(await ask(page, (widget) => /** @type {any} */ (widget.result).Wq.data[1]), 5);
});

pageTest('an entry, a matrix or everything goes back to what it was, and edited entries are marked', async (page) => {
  await openPage(page, '<attention-widget d-k="3" edits="Wq 0 1 5 Wq 2 0 -1 X 1 1 2"></attention-widget>');
  assert.equal(await page.locator('.edited').count(), 3);
  const { x, y } = await entryAt(page, 'X', 1, 1);
  await page.mouse.dblclick(x, y);
  await fieldOpens(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Back: X, row 2, column 2 → −?\d/ }).click();
  await settled(page);
  assert.equal(await page.locator('.edited').count(), 2);
  await plane(page, 'Wq').click({ position: { x: 1, y: 1 } });
  assert.match(String(await plane(page, 'Wq').locator('.entry').getAttribute('aria-label')), /column 1: −?\d[\d.]*$/);
  await page.keyboard.press('ArrowRight');
  assert.match(
    String(await plane(page, 'Wq').locator('.entry').getAttribute('aria-label')),
    /column 2: 5\.00, edited$/,
  );
  await page.getByRole('button', { name: 'Back: all changes (2)' }).click();
  await settled(page);
  assert.equal(await page.locator('.edited').count(), 0);
});

pageTest('a locked matrix cannot be edited, the others can', async (page) => {
  await openPage(page, '<attention-widget preset="four-token" locked="wq"></attention-widget>');
  const open = async (/** @type {string} */ matrix) => {
    const { x, y } = await entryAt(page, matrix, 0, 0);
    await page.mouse.dblclick(x, y);
    await page.waitForFunction(() => Symbol.for('attention-widget.numbers') in globalThis);
    await settled(page);
    return page.locator('.edit-field').isVisible();
  };
  assert.equal(await open('Wq'), false);
  assert.equal(await open('Wk'), true);
});

pageTest(
  'a given matrix decides d_k, and the slider says why it rests; as many words are needed as X has rows',
  async (page) => {
    await openPage(page, '<attention-widget x="1 2; 3 4; 5 6" wq="1 0 2; 0 1 1" tokens="a b c"></attention-widget>');
    assert.ok(await page.locator('[part~="slider"]').isDisabled());
    assert.match(String(await page.locator('.widths').textContent()), /is the width of Wq, which is given/);
    await page.locator('[part~="sentence"]').fill('a b c d');
    assert.match(String(await page.locator('.inputs').textContent()), /X has 3 rows: as many words are needed/);
    assert.deepEqual(await ask(page, (widget) => /** @type {any} */ (widget.result).tokens), ['a', 'b', 'c']);
    await page.locator('[part~="sentence"]').fill('d e f');
    await settled(page);
    assert.deepEqual(await ask(page, (widget) => /** @type {any} */ (widget.result).tokens), ['d', 'e', 'f']);
  },
);
