// Long sentences: a picture of up to 2048 tokens, computed in slices, zoomed and walked through. Covers
// views/heatmap-canvas.js, platform/work-through.js and the limits of panels/panels.js.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, read, set, settled, stateOf, strictPolicy } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const numbered = (/** @type {number} */ count) => Array.from({ length: count }, (_, index) => `w${index}`);
const current = (/** @type {Page} */ page) => only(page).locator('.map [role="gridcell"][tabindex="0"]');
const sentence = (/** @type {Page} */ page) => only(page).locator('[part="sentence"]');
const tool = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).getByRole('button', { name });

/** Types a text into the sentence in one go, as a paste does. @param {Page} page @param {string} text */
async function paste(page, text) {
  await sentence(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** What is in sight of the table. @param {Page} page */
const view = (page) =>
  only(page)
    .locator('.canvas-map')
    .evaluate((map) =>
      Object.fromEntries(
        ['top', 'left', 'span'].map((name) => [
          name,
          Number(/** @type {HTMLElement} */ (map).style.getPropertyValue(`--${name}`)),
        ]),
      ),
    );

/** The cell that has the focus: its place by ARIA, counted from 0, and how it is spoken. @param {Page} page */
async function focused(page) {
  const cell = only(page).locator('[role="gridcell"]:focus');
  assert.equal(await cell.count(), 1, 'one cell has the focus');
  return {
    row: Number(await cell.locator('..').getAttribute('aria-rowindex')) - 2,
    column: Number(await cell.getAttribute('aria-colindex')) - 2,
    label: await cell.getAttribute('aria-label'),
  };
}

pageTest('a pasted text of 2048 words becomes a picture, under a strict policy', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>', {
    headers: { 'content-security-policy': `${strictPolicy}; img-src data:` },
  });
  await paste(page, numbered(2048).join(' '));
  await settled(page);
  const found = await only(page).evaluate((element) => {
    const { result } = /** @type {any} */ (element);
    const canvas = /** @type {HTMLCanvasElement} */ (element.shadowRoot?.querySelector('.plane canvas'));
    const copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d', { willReadFrequently: true }));
    context.drawImage(canvas, 0, 0);
    const opaque = [0, 0.5, 0.999].map((down) =>
      context
        .getImageData(0, Math.floor(down * copy.height), copy.width, 1)
        .data.every((byte, index) => index % 4 < 3 || byte === 255),
    );
    return {
      shape: result.weights.shape,
      finite: ['scores', 'scaled', 'masked', 'weights', 'output'].every((name) =>
        result[name].data.every(Number.isFinite),
      ),
      sums: result.metrics.rowSum.every((/** @type {number} */ sum) => Math.abs(sum - 1) < 1e-9),
      opaque,
    };
  });
  assert.deepEqual(found, { shape: [2048, 2048], finite: true, sums: true, opaque: [true, true, true] });
  assert.equal(await sentence(page).inputValue(), numbered(2048).join(' '));
  assert.equal(await only(page).locator('.progress').isVisible(), false);

  await current(page).focus();
  await page.keyboard.press('Control+End');
  await settled(page);
  const { row, column, label } = await focused(page);
  assert.deepEqual([row, column], [2047, 2047]);
  const weight = await only(page).evaluate((element) => /** @type {any} */ (element).result.weights.data.at(-1));
  assert.ok(weight < 0.005);
  const said = `0.00 (${weight.toExponential(1).replace('-', '−')})`;
  assert.equal(label?.replace(/[\u2068\u2069]/g, ''), `w2047 looks at w2047, ${said}`);
  assert.equal((await stateOf(only(page))).row, 2047);
  assert.equal((await read(only(page))).list.title, '“w2047” looks at …');
});

pageTest('a word too many is one sentence, loses nothing, and is mended by taking it away', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const text = numbered(2049).join(' ');
  await paste(page, text);
  await settled(page);
  assert.equal(
    (await read(only(page))).problem,
    '2049 tokens are too many here: the work grows with their square, and 2048 are the most.',
  );
  assert.equal(await sentence(page).inputValue(), text);
  await paste(page, 'four words are enough');
  await settled(page);
  const shown = await read(only(page));
  assert.equal(shown.problem, null);
  assert.deepEqual(shown.rowLabels, ['four', 'words', 'are', 'enough']);
});

pageTest('long work shows how far it is and can be given up for the last picture', async (page) => {
  await openPage(page, '<attention-widget d-k="512" d-v="512"></attention-widget>');
  const before = (await read(only(page))).rowLabels;
  await paste(page, numbered(1500).join(' '));
  const bar = only(page).locator('progress');
  await bar.waitFor();
  await eventually(() => bar.evaluate((element) => /** @type {HTMLProgressElement} */ (element).value > 0), true);
  await tool(page, 'Cancel').click();
  await settled(page);
  assert.equal(await bar.isVisible(), false);
  assert.deepEqual((await read(only(page))).rowLabels, before);
  assert.equal((await stateOf(only(page))).tokens.length, 6);
  assert.equal(await sentence(page).inputValue(), before.join(' '));
  await set(only(page), { dK: 2, dV: 2, tokens: numbered(40) });
  assert.equal(await only(page).locator('.heatmap [role="grid"]').getAttribute('aria-rowcount'), '41');
});

/** What of the widget has the focus: a part by its name, or a role. @param {Page} page */
const focus = (page) =>
  only(page).evaluate((element) => {
    const inside = element.shadowRoot?.activeElement;
    return inside?.getAttribute('part') ?? inside?.getAttribute('role') ?? inside?.textContent ?? null;
  });

pageTest('who gives long work up by the keyboard goes on where the work began', async (page) => {
  await openPage(page, '<attention-widget d-k="512" d-v="512"></attention-widget>');
  const cancel = tool(page, 'Cancel');
  await paste(page, numbered(1500).join(' '));
  await cancel.waitFor();
  for (let turn = 0; turn < 9 && (await focus(page)) !== 'Cancel'; turn++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await cancel.waitFor({ state: 'hidden' });
  await eventually(() => focus(page), 'sentence');
  await page.keyboard.press('End');
  await page.keyboard.type('s');
  await settled(page);
  assert.equal((await stateOf(only(page))).tokens.at(-1), 'steps');

  await sentence(page).blur();
  await only(page).evaluate((element, tokens) => Object.assign(element, { tokens }), numbered(1500));
  await cancel.waitFor();
  await cancel.focus();
  await page.keyboard.press('Space');
  await cancel.waitFor({ state: 'hidden' });
  await eventually(() => focus(page), 'gridcell');
  await page.keyboard.press('ArrowDown');
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 2);
});

pageTest('work that ends while its button has the focus gives it back too', async (page) => {
  await openPage(page, '<attention-widget d-k="512" d-v="512"></attention-widget>');
  await paste(page, numbered(800).join(' '));
  await tool(page, 'Cancel').waitFor();
  await tool(page, 'Cancel').focus();
  await settled(page);
  assert.equal(await focus(page), 'sentence');
  assert.equal((await stateOf(only(page))).tokens.length, 800);
});

pageTest('the way back from a sentence that cannot be shown leads to the field that it came from', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await only(page).locator('[part="seed"]').fill('x');
  const back = tool(page, 'Back to the last picture');
  await back.waitFor();
  await back.focus();
  await page.keyboard.press('Enter');
  await settled(page);
  await eventually(() => focus(page), 'seed');
});

pageTest('a later change takes the place of work that is not done', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const widths = await only(page).evaluate(async (element, tokens) => {
    const widget = /** @type {any} */ (element);
    /** @type {number[]} */
    const told = [];
    widget.addEventListener('attention-change', (/** @type {any} */ { detail }) => told.push(detail.state.dK));
    widget.tokens = tokens;
    widget.dK = 3;
    await new Promise((resolve) => setTimeout(resolve, 60));
    widget.dK = 5;
    await widget.updated;
    return [told.at(-1), widget.result.Q.shape[1]];
  }, numbered(1200));
  assert.deepEqual(widths, [5, 5]);
});

/**
 * How light the screen is at most near each of some places on a part, from 0 to 255.
 *
 * @param {Page} page
 * @param {string} part  a selector
 * @param {[number, number][]} places  shares of its height and width
 */
async function lightAt(page, part, places) {
  const box = await only(page).locator(part).boundingBox();
  assert.ok(box !== null);
  const { x, y, width, height } = box;
  const corner = { x: Math.floor(x), y: Math.floor(y) };
  const clip = { ...corner, width: Math.ceil(width) + 1, height: Math.ceil(height) + 1 };
  const shown = await page.screenshot({ clip, style: '.band { visibility: hidden }' });
  const pixels = places.map(([down, across]) => [x - corner.x + across * width, y - corner.y + down * height]);
  return page.evaluate(
    async ([source, wanted]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
      context.drawImage(image, 0, 0);
      return wanted.map((place) => {
        const [left, top] = place.map((each) => Math.max(0, Math.floor(each) - 2)); // what is painted snaps to pixels
        const { data } = context.getImageData(left, top, 5, 5);
        return Math.min(...data.filter((_, index) => index % 4 === 1));
      });
    },
    /** @type {const} */ ([shown.toString('base64'), pixels]),
  );
}

pageTest('where several cells share a pixel the darkest shows: no row that looks at one key is blank', async (page) => {
  const tokens = numbered(1200);
  await openPage(page, '<attention-widget theme="light" divisor="none" d-k="512" d-v="2"></attention-widget>');
  await set(only(page), { tokens });
  await settled(page);
  const weights = await only(page).evaluate((element) => {
    const { data } = /** @type {any} */ (element).result.weights;
    return Array.from({ length: 1200 }, (_, row) => {
      const line = data.subarray(1200 * row, 1200 * (row + 1));
      const peak = Math.max(...line);
      return [peak, line.indexOf(peak)];
    });
  });
  /** @param {number} top @param {number} left @param {number} span */
  const assertShown = async (top, left, span) => {
    const places = weights.flatMap(([peak, column], row) => {
      /** @type {[number, number]} */
      const place = [(row + 0.5 - top) / span, (column + 0.5 - left) / span];
      return peak > 0.99 && place.every((share) => share > 0 && share < 1) ? [place] : [];
    });
    assert.ok(places.length > span / 20, `${places.length} rows look at one key`);
    const light = await lightAt(page, '.plane', places);
    assert.deepEqual(
      light.filter((each) => each > 100),
      [],
    );
  };
  const plane = await only(page).locator('.plane').boundingBox();
  assert.ok(plane !== null && plane.width < 500, 'a pixel is for several cells');
  await assertShown(0, 0, 1200);
  await tool(page, 'Zoom in').click();
  await settled(page);
  const { top, left, span } = await view(page);
  assert.equal(span, 600);
  await assertShown(top, left, span);
  await page.setViewportSize({ width: 320, height: 900 });
  await eventually(async () => {
    const box = await only(page).locator('.plane').boundingBox();
    return box !== null && box.width < 250;
  }, true);
  await settled(page);
  await assertShown(top, left, span);
});

pageTest('buttons zoom to cells with their numbers, and move about', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await set(only(page), { tokens: numbered(100), row: 50 });
  assert.deepEqual(await view(page), { top: 0, left: 0, span: 100 });
  assert.equal(await tool(page, 'Move up').isVisible(), false, 'where all is in sight there is nowhere to go');
  for (const span of [50, 25, 13, 8, 8]) {
    await tool(page, 'Zoom in').click();
    assert.equal((await view(page)).span, span);
  }
  const { top, left } = await view(page);
  assert.ok(top <= 50 && top > 42, 'the highlighted row is in sight');
  const cells = only(page).locator('.cell');
  assert.equal(await cells.count(), 64);
  const weights = await only(page).evaluate((element) => Array.from(/** @type {any} */ (element).result.weights.data));
  assert.deepEqual(
    await cells.allTextContents(),
    Array.from({ length: 64 }, (_, index) => weights[(top + (index >> 3)) * 100 + left + (index & 7)].toFixed(2)),
  );
  assert.deepEqual(await only(page).locator('.map .row-label').allTextContents(), numbered(100).slice(top, top + 8));
  await tool(page, 'Move down').click();
  await tool(page, 'Move right').click();
  await tool(page, 'Move right').click();
  await tool(page, 'Move left').click();
  await tool(page, 'Move up').click();
  await tool(page, 'Move up').click();
  assert.deepEqual(await view(page), { top: top - 4, left: Math.min(92, left + 8) - 4, span: 8 });
  for (const button of await only(page).locator('.zoom button').all()) {
    const box = await button.boundingBox();
    assert.ok(box !== null && box.width >= 24 && box.height >= 24, 'targets are large enough');
  }
  await tool(page, 'Zoom out').click();
  assert.equal((await view(page)).span, 16);
  assert.equal((await stateOf(only(page))).row, 50, 'looking elsewhere chooses nothing');
});

pageTest('the window of cells follows the keyboard beyond its edge, in sight or not', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await set(only(page), { tokens: numbered(100), row: 50 });
  await current(page).focus();
  for (const zoom of ['', '+++++']) {
    for (const key of zoom) {
      await page.keyboard.press(key);
    }
    const page_ = zoom === '' ? 16 : 8;
    for (const [key, row, column] of /** @type {[string, number, number][]} */ ([
      ['Control+Home', 0, 0],
      ['PageDown', page_, 0],
      ['PageDown', 2 * page_, 0],
      ['ArrowDown', 2 * page_ + 1, 0],
      ['End', 2 * page_ + 1, 99],
      ['PageUp', page_ + 1, 99],
      ['Control+End', 99, 99],
      ['ArrowDown', 99, 99],
      ['ArrowUp', 98, 99],
      ['Home', 98, 0],
    ])) {
      await page.keyboard.press(key);
      await settled(page);
      const place = await focused(page);
      assert.deepEqual([place.row, place.column], [row, column], `${key} after "${zoom}"`);
      assert.match(place.label?.replace(/[\u2068\u2069]/g, '') ?? '', new RegExp(`^w${row} looks at w${column}, `));
      assert.equal((await stateOf(only(page))).row, row);
      const { top, left, span } = await view(page);
      assert.ok(row >= top && row < top + span && column >= left && column < left + span, 'and it is in sight');
    }
  }
  await page.keyboard.press('Tab');
  assert.equal(await only(page).locator('[role="gridcell"]:focus').count(), 0, 'Tab leads out');
});

pageTest('a wheel scrolls the page, with the control key it zooms where the pointer is, a drag moves', async (page) => {
  await openPage(page, '<attention-widget></attention-widget><p style="height: 200em"></p>');
  await set(only(page), { tokens: numbered(100), row: 50 });
  const plane = only(page).locator('.plane');
  const box = await plane.boundingBox();
  assert.ok(box !== null);
  await plane.hover({ position: { x: box.width - 2, y: box.height - 2 } });
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -150);
  await page.keyboard.up('Control');
  await eventually(async () => (await view(page)).span < 60, true);
  const { top, left, span } = await view(page);
  assert.ok(top + span >= 99 && left + span >= 99, 'the corner under the pointer stays');
  assert.equal(await page.evaluate(() => scrollY), 0);

  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 80, box.y + 90, { steps: 4 });
  await page.mouse.up();
  const moved = await view(page);
  assert.ok(moved.top < top && moved.left < left && moved.span === span, 'what was grasped follows the hand');
  assert.equal((await stateOf(only(page))).row, 50, 'a drag is no click');

  await page.mouse.wheel(0, 120);
  await eventually(() => page.evaluate(() => scrollY > 0), true);
  assert.deepEqual(await view(page), moved);
});

/**
 * Fingers that move in eight steps, each from one place to another.
 *
 * @param {Page} page
 * @param {...[from: {x: number, y: number}, to: {x: number, y: number}]} ways
 */
async function swipe(page, ...ways) {
  const session = await page.context().newCDPSession(page);
  const touch = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {number[]} */ ...shares) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: shares.flatMap((share) =>
        ways.map(([from, to], id) => ({
          id,
          x: from.x + share * (to.x - from.x),
          y: from.y + share * (to.y - from.y),
        })),
      ),
    });
  await touch('touchStart', 0);
  for (let step = 1; step <= 8; step++) {
    await touch('touchMove', step / 8);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await touch('touchEnd');
  await session.detach();
}

pageTest(
  'one finger scrolls the page over a whole map and moves one that is zoomed in, two zoom it where they are',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget><p style="height: 200em"></p>');
    await set(only(page), { tokens: numbered(100), row: 50 });
    const place = async (/** @type {number} */ down, /** @type {number} */ across) => {
      const box = await only(page).locator('.plane').boundingBox();
      assert.ok(box !== null);
      return { x: box.x + across * box.width, y: box.y + down * box.height };
    };
    const scrolled = () => page.evaluate(() => scrollY);
    const start = await view(page);
    await swipe(page, [await place(0.7, 0.7), await place(0.5, 0.5)], [await place(0.8, 0.8), await place(1, 1)]);
    const near = await view(page);
    assert.equal(near.span, 20, 'the fingers came five times as far apart');
    for (const from of [near.top, near.left]) {
      assert.ok(Math.abs(from + 0.75 * near.span - 75) < 2, `what is between the fingers stays: from ${from}`);
    }
    assert.deepEqual(await page.evaluate(() => [visualViewport?.scale, scrollY]), [1, 0]);
    assert.equal((await stateOf(only(page))).row, 50, 'a pinch is no click');

    await swipe(page, [await place(0.3, 0.5), await place(0.8, 0.6)]);
    const moved = await view(page);
    assert.ok(Math.abs(near.top - moved.top - near.span / 2) < 2, `from ${near.top} to ${moved.top}`);
    assert.ok(moved.left < near.left && moved.span === near.span);
    await swipe(page, [await place(0.4, 0.2), await place(0.2, 0.2)], [await place(0.4, 0.8), await place(0.2, 0.8)]);
    assert.deepEqual(await view(page), { ...moved, top: moved.top + near.span / 5 }, 'two fingers move it too');
    assert.deepEqual([await scrolled(), (await stateOf(only(page))).row], [0, 50]);

    await swipe(page, [await place(0.1, 0.5), await place(0.45, 0.5)], [await place(0.9, 0.5), await place(0.55, 0.5)]);
    assert.deepEqual(await view(page), start);
    const { x, y } = await place(0.305, 0.205);
    await page.touchscreen.tap(x, y);
    await settled(page);
    const { row, column } = await focused(page);
    assert.deepEqual([row, column, (await stateOf(only(page))).row], [30, 20, 30]);

    await swipe(page, [await place(0.9, 0.5), await place(0.4, 0.5)]);
    await eventually(async () => (await scrolled()) > 100, true);
    assert.deepEqual(await view(page), start);
  },
  { hasTouch: true },
);

pageTest('panels whose work grows with the square of the tokens say so, those of one row do not', async (page) => {
  await openPage(page, '<attention-widget panels="proofs shapes worksheet"></attention-widget>');
  const proofs = only(page).locator('[data-panel="proofs"]');
  await set(only(page), { tokens: numbered(513) });
  assert.match((await proofs.locator('> p').textContent()) ?? '', /^513 tokens are too many here/);
  assert.equal(await proofs.locator('> div, > table').first().isVisible(), false);
  for (const name of ['shapes', 'worksheet']) {
    assert.equal(await only(page).locator(`[data-panel="${name}"] > p`).isVisible(), false);
  }
  await set(only(page), { tokens: ['few', 'again'], row: 0 });
  assert.equal(await proofs.locator('> p').first().isVisible(), false);
  assert.match((await proofs.textContent()) ?? '', /sum/);
});

pageTest('what is too large for a picture as a file is still there to link and as numbers', async (page) => {
  await openPage(page, '<attention-widget panels="share"></attention-widget>');
  const share = only(page).locator('[data-panel="share"]');
  await set(only(page), { tokens: numbered(513) });
  await share.getByText('SVG, PNG: 513 tokens are too many here').waitFor();
  for (const [name, isEnabled] of /** @type {const} */ ([
    ['SVG', false],
    ['PNG', false],
    ['CSV', true],
    ['JSON', true],
  ])) {
    assert.equal(await share.getByRole('button', { name, exact: true }).isEnabled(), isEnabled, name);
  }
  assert.match((await share.locator('code').first().textContent()) ?? '', /t512|w512/);
  await set(only(page), { tokens: ['few', 'again'], row: 0 });
  assert.ok(await share.getByRole('button', { name: 'SVG' }).isEnabled());
  assert.equal(await share.getByText('too many').isVisible(), false);
});
