// The map of more tokens than have a cell each on the page: painted, and walked by keys and pointer.

import assert from 'node:assert/strict';
import {
  eventually,
  followsSystem,
  openPage,
  pageTest,
  read,
  resultShown,
  set,
  settled,
  stateOf,
  widgetScript,
} from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Locator} Locator */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const numbered = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, index) => `tok${String(index).padStart(3, '0')}`);

/**
 * The painted map: for each cell how opaque it is and how light.
 *
 * @param {Locator} widget
 */
function pixels(widget) {
  return widget.evaluate((element) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element.shadowRoot?.querySelector('.plane canvas'));
    const copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d', { willReadFrequently: true }));
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    return Array.from({ length: data.length / 4 }, (_, index) => ({
      light: 0.2126 * data[4 * index] + 0.7152 * data[4 * index + 1] + 0.0722 * data[4 * index + 2],
      opacity: data[4 * index + 3],
    }));
  });
}

/** @param {{light: number}[]} painted @param {number[]} weights @param {1 | -1} direction */
function assertOrdered(painted, weights, direction) {
  const order = Array.from(painted.keys()).sort((a, b) => weights[a] - weights[b]);
  order.slice(1).forEach((index, at) => {
    const step = direction * (painted[index].light - painted[order[at]].light);
    assert.ok(step >= -0.5, `weight ${weights[index]} is painted weaker than ${weights[order[at]]}`);
  });
  const [least, most] = [order[0], order[order.length - 1]];
  assert.ok(direction * (painted[most].light - painted[least].light) > 60, 'the scale is used');
}

pageTest('a map of 64 tokens is painted: its pixels follow the weights, hidden ones are left out', async (page) => {
  await openPage(page, '<attention-widget divisor="none"></attention-widget>', {
    head: followsSystem + widgetScript,
  });
  await set(only(page), { tokens: numbered(64), mask: 'none' });
  const { weights } = await resultShown(only(page));
  const painted = await pixels(only(page));
  assert.equal(painted.length, 64 * 64);
  assert.ok(painted.every(({ opacity }) => opacity === 255));
  assertOrdered(painted, weights.flat(), -1);
  await page.emulateMedia({ colorScheme: 'dark' });
  const lightest = (/** @type {{light: number}[]} */ each) => Math.max(...each.map(({ light }) => light));
  await eventually(async () => lightest(await pixels(only(page))) < 230, true);
  assertOrdered(await pixels(only(page)), weights.flat(), 1);

  await set(only(page), { mask: 'causal' });
  const { visible } = await resultShown(only(page));
  assert.deepEqual(
    (await pixels(only(page))).map(({ opacity }) => (opacity === 255 ? 1 : opacity)),
    visible.flat(),
  );
  assert.match(
    await only(page)
      .locator('.plane canvas')
      .evaluate((plane) => getComputedStyle(plane).backgroundImage),
    /^repeating-linear-gradient/,
    'the pattern shows through',
  );
});

pageTest('the keyboard walks a painted map, and each value can be read and heard', async (page) => {
  await openPage(page, '<attention-widget mask="causal"></attention-widget>');
  const tokens = numbered(64);
  await set(only(page), { tokens, row: 10 });
  const current = only(page).locator('.map [role="gridcell"][tabindex="0"]');
  assert.equal(await current.count(), 1);
  await current.focus();
  for (const [key, row, column] of /** @type {[string, number, number][]} */ ([
    ['Home', 10, 0],
    ['ArrowRight', 10, 1],
    ['ArrowDown', 11, 1],
    ['PageDown', 27, 1],
    ['End', 27, 63],
    ['PageUp', 11, 63],
    ['Control+End', 63, 63],
    ['PageDown', 63, 63],
    ['Control+Home', 0, 0],
    ['ArrowUp', 0, 0],
  ])) {
    await page.keyboard.press(key);
    await settled(page);
    const { weights } = await resultShown(only(page));
    assert.equal((await stateOf(only(page))).row, row, key);
    assert.equal(await current.getAttribute('aria-colindex'), String(column + 2), key);
    assert.equal(await current.locator('..').getAttribute('aria-rowindex'), String(row + 2), key);
    const weight = weights[row][column];
    assert.equal(
      (await current.getAttribute('aria-label'))?.replace(/[\u2068\u2069]| \(.*\)$/g, ''),
      column > row
        ? `${tokens[column]} is hidden from ${tokens[row]}`
        : `${tokens[row]} looks at ${tokens[column]}, ${weight === 1 ? '1' : weight.toFixed(2)}`,
    );
    assert.equal((await read(only(page))).arithmetic.title, `“${tokens[row]}” → “${tokens[column]}”`);
    assert.equal(await current.evaluate((cell) => cell.matches(':focus')), true, 'the focus stays');
  }
  const grid = only(page).locator('.heatmap [role="grid"]');
  assert.equal(await grid.getAttribute('aria-rowcount'), '65');
  assert.equal(await grid.getAttribute('aria-label'), 'Attention weights, 64 queries by 64 keys');
});

pageTest('a click and the pointer find their cell on a painted map', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const tokens = numbered(40);
  await set(only(page), { tokens });
  const plane = only(page).locator('.plane');
  const box = await plane.boundingBox();
  assert.ok(box !== null);
  const place = (/** @type {number} */ row, /** @type {number} */ column) => ({
    x: ((column + 0.5) * box.width) / 40,
    y: ((row + 0.5) * box.height) / 40,
  });
  await plane.hover({ position: place(30, 7) });
  assert.equal((await read(only(page))).arithmetic.title, '“tok030” → “tok007”, under the pointer');
  assert.equal((await stateOf(only(page))).row, 1, 'pointing chooses nothing');
  await plane.click({ position: place(39, 0) });
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 39);
  await page.mouse.move(5, 5);
  assert.equal((await read(only(page))).arithmetic.title, '“tok039” → “tok000”');
});

pageTest('500 tokens are a picture with thinned labels, and 2049 a sentence', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const tokens = numbered(500);
  await set(only(page), { tokens, row: 499 });
  const shown = await read(only(page));
  assert.equal(shown.problem, null);
  const labels = await only(page).locator('.far .column-label:visible').count();
  assert.ok(labels > 12 && labels <= 25, `${labels} labels`);
  assert.equal(shown.list.title, '“tok499” looks at …');
  assert.equal(shown.list.lines.length, 12);
  const painted = await pixels(only(page));
  assert.equal(painted.length, 250 * 250, 'on this screen two cells a side share a pixel');
  assert.ok(painted.every(({ opacity }) => opacity === 255));
  const boxes = await only(page).evaluate((element) =>
    Array.from(
      /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
        '.column-labels .column-label:not(.now, [hidden])',
      ),
      (label) => label.getBoundingClientRect().left,
    ),
  );
  boxes.slice(1).forEach((left, index) => {
    assert.ok(left - boxes[index] >= 10, 'labels keep apart');
  });
  await set(only(page), { tokens: numbered(2049) });
  assert.equal(
    (await read(only(page))).problem,
    '2049 tokens are too many here: the work grows with their square, and 2048 are the most.',
  );
  await set(only(page), { tokens: ['few', 'again'], row: 0 });
  assert.deepEqual((await read(only(page))).rowLabels, ['few', 'again']);
});

pageTest('a painted map follows the pixels of its screen, again and again', async (page) => {
  await openPage(
    page,
    `<attention-widget panels="" tokens="${numbered(400).join(' ')}" style="width: 300px"></attention-widget>`,
  );
  const side = async () => Math.sqrt((await pixels(only(page))).length);
  const screen = await page.context().newCDPSession(page);
  // A zoom: fewer pixels of CSS in the window, and each of them larger. The map keeps its size in them.
  for (const [zoom, pixelsASide] of [
    [1, 134],
    [2, 200],
    [4, 400],
    [1, 134],
    [2, 200],
  ]) {
    await screen.send('Emulation.setDeviceMetricsOverride', {
      ...{ width: 2000 / zoom, height: 1800 / zoom, deviceScaleFactor: zoom, mobile: false },
    });
    await eventually(side, pixelsASide);
  }
});

pageTest('the map changes its form at 17 tokens and back without leaving anything behind', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const forms = [];
  for (const count of [16, 17, 16]) {
    await set(only(page), { tokens: numbered(count) });
    forms.push([await only(page).locator('.cell').count(), await only(page).locator('.plane canvas').count()]);
    assert.equal(await only(page).locator('.heatmap [role="grid"]').count(), 1);
  }
  assert.deepEqual(forms, [
    [256, 0],
    [256, 1],
    [256, 0],
  ]);
});

pageTest(
  'a painted map across two sentences has a pixel for each query and key, and both ends are reached',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>', { head: followsSystem + widgetScript });
    await set(only(page), { tokens: numbered(12), context: numbered(40), padding: 3, seed: 2958 });
    const { weights } = await resultShown(only(page));
    const painted = await pixels(only(page));
    assert.equal(painted.length, 12 * 40);
    const hidden = (/** @type {number} */ cell) => cell % 40 >= 37;
    painted.forEach(({ opacity }, cell) => {
      assert.equal(opacity === 0, hidden(cell), `cell ${cell}`);
    });
    const seen = painted.map((_, cell) => cell).filter((cell) => !hidden(cell));
    assertOrdered(
      seen.map((cell) => painted[cell]),
      seen.map((cell) => weights[Math.floor(cell / 40)][cell % 40]),
      -1,
    );
    await only(page).locator('.cell[tabindex="0"]').focus();
    await page.keyboard.press('Control+End');
    await settled(page);
    assert.equal((await stateOf(only(page))).row, 11);
    const label = await only(page).locator('.cell[tabindex="0"]').getAttribute('aria-label');
    assert.equal(label?.replace(/[\u2068\u2069]/g, ''), 'tok039 is hidden from tok011');
    const grid = only(page).locator('.heatmap [role="grid"]').first();
    assert.equal(await grid.getAttribute('aria-rowcount'), '13');
    assert.equal(await grid.getAttribute('aria-colcount'), '41');
    await set(only(page), { tokens: numbered(40), context: numbered(3) });
    assert.equal((await pixels(only(page))).length, 120);
    await page.keyboard.press('Control+Home');
    await settled(page);
    assert.equal((await read(only(page))).problem, null);
  },
);
