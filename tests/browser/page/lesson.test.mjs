// The lesson's exercise on the lesson page, as a reader does it: with the mouse, with the keyboard alone, on a phone.
// Covers page/index.html and page.css.

import assert from 'node:assert/strict';
import { numberIn, openLesson, pageTest, read, resultShown, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const sentence = (/** @type {Page} */ page) => page.locator('#sentence');
const toggle = (/** @type {Page} */ page) => sentence(page).locator('[part="toggle"]');
const slider = (/** @type {Page} */ page) => sentence(page).locator('[part="slider"]');

/**
 * Writes down what can be read after every change, until `records` asks for it.
 *
 * @param {Page} page
 */
async function record(page) {
  await sentence(page).evaluate((element) => {
    /** @type {object[]} */
    const records = [];
    Object.assign(window, { records });
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const text = (/** @type {string} */ selector) => root.querySelector(selector)?.textContent ?? '';
    const box = (/** @type {string} */ selector) => {
      const { x, y, width, height } = /** @type {Element} */ (root.querySelector(selector)).getBoundingClientRect();
      return [x, y + scrollY, width, height].join(' ');
    };
    element.addEventListener('attention-change', (event) => {
      const { state, metrics } = /** @type {CustomEvent} */ (event).detail;
      records.push({
        dK: state.dK,
        width: text('output'),
        spread: text('[data-figure="spread"] .figure-value'),
        peak: text('[data-figure="peak"] .figure-value'),
        state: text('[data-figure="state"] .figure-value'),
        gradient: text('[data-figure="gradient"] .figure-value'),
        largestPeak: Math.max(...metrics.peak),
        strip: box('[part="figures"]'),
        map: box('.map'),
        cell: box('.cell'),
      });
    });
  });
}

/**
 * @param {Page} page
 * @returns {Promise<{dK: number, width: string, spread: string, peak: string, state: string, gradient: string,
 *   largestPeak: number, strip: string, map: string, cell: string}[]>}
 */
function records(page) {
  return page.evaluate(() => /** @type {any} */ (window).records.splice(0));
}

/**
 * Presses the slider's thumb, pulls it to the left end and then, step by step, to the right end.
 *
 * @param {Page} page
 * @param {number} [steps]
 */
async function drag(page, steps = 80) {
  const box = await slider(page).boundingBox();
  assert.ok(box !== null);
  const y = box.y + box.height / 2;
  const share = await slider(page).evaluate((input) => {
    const { value, min, max } = /** @type {HTMLInputElement} */ (input);
    return (Number(value) - Number(min)) / (Number(max) - Number(min));
  });
  await page.mouse.move(box.x + 8 + share * (box.width - 16), y);
  await page.mouse.down();
  await page.mouse.move(box.x - 5, y, { steps: 5 });
  await records(page);
  await page.mouse.move(box.x + box.width + 5, y, { steps });
  await page.mouse.up();
  await settled(page);
}

/** @param {Awaited<ReturnType<typeof records>>} taken */
function assertUnscaledRun(taken) {
  const last = taken[taken.length - 1];
  assert.equal(last.width, '64');
  assert.equal(last.peak, '1.00');
  assert.equal(last.state, 'saturated (one-hot)');
  assert.equal(last.gradient, 'dead');
  assert.ok(numberIn(last.spread) > 6 && numberIn(last.spread) < 10, `spread ${last.spread}`);
  assert.ok(numberIn(last.spread) > 3 * numberIn(taken[0].spread), 'the spread grows');
}

/** @param {Awaited<ReturnType<typeof records>>} taken */
function assertScaledRun(taken) {
  assert.equal(taken[taken.length - 1].width, '64');
  for (const each of taken) {
    const spread = numberIn(each.spread);
    assert.ok(spread >= 0.75 && spread <= 1.33, `spread ${each.spread} at d_k = ${each.dK}`);
    assert.ok(each.largestPeak <= 0.8, `peak ${each.largestPeak} at d_k = ${each.dK}`);
    assert.ok(numberIn(each.peak) <= 0.8);
    assert.notEqual(each.state, 'saturated (one-hot)');
  }
}

pageTest('dragging d_k to 64 without the divisor saturates the row, and with it does not', async (page) => {
  await openLesson(page);
  await record(page);
  assert.deepEqual((await read(sentence(page))).toggle, { text: '÷ √dkon', isPressed: 'true' });
  await toggle(page).click();
  await settled(page);
  assert.deepEqual((await read(sentence(page))).toggle, { text: '÷ √dkoff', isPressed: 'false' });

  await drag(page);
  const unscaled = await records(page);
  assertUnscaledRun(unscaled);
  assert.ok(new Set(unscaled.map((each) => each.dK)).size > 50, 'the picture follows the thumb');
  assert.ok(unscaled.every((each) => each.width === String(each.dK)));

  await toggle(page).click();
  await settled(page);
  await records(page);
  await drag(page);
  const scaled = await records(page);
  assertScaledRun(scaled);
  assert.ok(new Set(scaled.map((each) => each.dK)).size > 50);
  assert.equal(scaled[scaled.length - 1].gradient, 'alive');
});

pageTest('nothing moves while the slider is dragged', async (page) => {
  await openLesson(page);
  await record(page);
  await toggle(page).click();
  await drag(page, 30);
  const taken = await records(page);
  for (const part of /** @type {const} */ (['strip', 'map', 'cell'])) {
    assert.equal(new Set(taken.map((each) => each[part])).size, 1, `the ${part} stays where it is`);
  }
});

/** What has the focus, shadow root or not. @param {Page} page */
function focused(page) {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) {
      element = element.shadowRoot.activeElement;
    }
    return {
      part: element?.getAttribute('part') ?? '',
      role: element?.getAttribute('role') ?? '',
      label: element?.getAttribute('aria-label') ?? '',
      outline: element === null ? 0 : Number.parseFloat(getComputedStyle(element).outlineWidth),
    };
  });
}

pageTest('the exercise can be done with the keyboard alone, and the focus can be seen', async (page) => {
  await openLesson(page);
  await record(page);
  for (let stop = 0; stop < 4; stop++) {
    await page.keyboard.press('Tab'); // sentence, seed, heads, toggle
  }
  const first = await focused(page);
  assert.equal(first.part, 'toggle');
  assert.ok(first.outline >= 2, 'the focus is outlined');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  const second = await focused(page);
  assert.equal(second.part, 'slider');
  assert.match(second.label, /^d k, /);
  assert.ok(second.outline >= 2);
  await page.keyboard.press('Home');
  await settled(page);
  assert.equal((await read(sentence(page))).width, '2');
  await records(page);
  for (let dK = 3; dK <= 64; dK++) {
    await page.keyboard.press('ArrowRight');
  }
  await settled(page);
  const unscaled = await records(page);
  assert.deepEqual(
    unscaled.map((each) => each.dK),
    Array.from({ length: 62 }, (_, index) => index + 3),
  );
  assertUnscaledRun(unscaled);

  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await records(page);
  for (let dK = 63; dK >= 2; dK--) {
    await page.keyboard.press('ArrowLeft');
  }
  await page.keyboard.press('End');
  await settled(page);
  const scaled = await records(page);
  assert.equal(scaled.length, 63);
  assertScaledRun(scaled);
});

pageTest('Tab leads through the controls to one cell of the map, and out of the widget', async (page) => {
  await openLesson(page);
  const stops = [];
  for (let stop = 0; stop < 24; stop++) {
    await page.keyboard.press('Tab');
    const { part, role, outline } = await focused(page);
    stops.push(part || role || 'panel');
    assert.ok(outline >= 1, `${part || role} shows its focus`);
  }
  // The seed is the default, so its button is disabled; the second widget has neither slider nor fields.
  assert.deepEqual(stops, [
    ...['sentence', 'seed', 'heads-choice', 'toggle', 'slider', 'sweep', 'mask'],
    ...['gridcell', 'gridcell', 'gridcell', 'step', 'back', 'next', 'walk-play', 'all-terms'],
    ...Array(5).fill('group'),
    ...['toggle', 'mask', 'gridcell', 'gridcell'],
  ]);
});

pageTest('the picture changes in the frame of the key press', async (page) => {
  await openLesson(page);
  await slider(page).focus();
  await sentence(page).evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const input = /** @type {HTMLInputElement} */ (root.querySelector('[part="slider"]'));
    const frame = new Promise((resolve) => {
      input.addEventListener('input', () =>
        requestAnimationFrame(() => {
          const { result, state } = /** @type {any} */ (element);
          resolve({
            value: input.value,
            dK: state.dK,
            columns: result.shapes.Q[1],
            width: root.querySelector('output')?.textContent,
            spread: root.querySelector('[data-figure="spread"] .figure-value')?.textContent,
            expected: result.metrics.spread.toFixed(2),
            cells: Array.from(root.querySelectorAll('.heatmap .cell'), (cell) => cell.textContent).join(),
            weights: Array.from(result.weights.data, (/** @type {number} */ weight) => weight.toFixed(2)).join(),
          });
        }),
      );
    });
    Object.assign(window, { frame });
  });
  await page.keyboard.press('ArrowRight');
  const frame = await page.evaluate(() => /** @type {any} */ (window).frame);
  assert.equal(frame.value, '41');
  assert.deepEqual([frame.dK, frame.columns, frame.width], [41, 41, '41']);
  assert.equal(frame.spread, frame.expected);
  assert.equal(frame.cells, frame.weights);
});

pageTest('the second picture is the one that a student can check by hand', async (page) => {
  await openLesson(page);
  const fourTokens = page.locator('#four-token');
  const shown = await read(fourTokens);
  assert.deepEqual(shown.rowLabels, ['one', 'two', 'three', 'four']);
  assert.deepEqual(
    shown.cells.map((row) => row.map((cell) => cell.text)),
    [
      ['1', '', '', ''],
      ['0.33', '0.67', '', ''],
      ['0.07', '0.31', '0.62', ''],
      ['0.22', '0.22', '0.45', '0.11'],
    ],
  );
  assert.deepEqual(
    Object.values(shown.figures).map((figure) => figure.value),
    ['0.85', '0.67', 'diffuse', '0.63', 'alive'],
  );
  assert.equal(await fourTokens.locator('[part="slider"]').isVisible(), false, 'its widths are fixed');
  assert.equal(await fourTokens.locator('[part="sentence"]').isVisible(), false);
  await fourTokens.locator('.cell').nth(4).click();
  await settled(page);
  assert.deepEqual((await read(fourTokens)).arithmetic.steps, [
    ['q·k', '0·1.00 + 1.00·0', '0'],
    ['÷ √dk', '0 ÷ (√2 = 1.41)', '0'],
    ['− row maximum', '0 − 0.71', '−0.71'],
    ['exp', 'e−0.71', '0.49'],
    ['÷ row sum', '0.49 ÷ 1.49', '0.33'],
  ]);
});

pageTest('the reader who listens is told where the figures came to rest, once', async (page) => {
  await openLesson(page);
  const said = sentence(page).locator('[aria-live]');
  assert.equal(await said.textContent(), '', 'nothing is said before something changed');
  await toggle(page).click();
  await slider(page).focus();
  await page.keyboard.press('End');
  await said.getByText('d k 64: score spread 8.59').waitFor({ state: 'attached' });
  assert.match((await said.textContent()) ?? '', /peak weight 1\.00, softmax saturated \(one-hot\), gradient dead$/);
});

/** Places of texts and bars on the page, by line of a table. @param {Page} page */
function textBoxes(page) {
  return sentence(page).evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    return Array.from(root.querySelectorAll('tr'), (line) =>
      Array.from(line.children).flatMap((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const isCut = getComputedStyle(cell).overflow === 'hidden';
        const { left, right, width } = (cell.querySelector('.bar') ?? (isCut ? cell : range)).getBoundingClientRect();
        return width === 0 ? [] : [{ text: cell.textContent || 'a bar', left, right }];
      }),
    );
  });
}

for (const width of [320, 360, 600, 760, 1280]) {
  pageTest(`at ${width} px nothing sticks out of the page and no text lies on another`, async (page) => {
    await page.setViewportSize({ width, height: 800 });
    await openLesson(page);
    await toggle(page).click();
    await slider(page).focus();
    for (const key of ['End', 'Home']) {
      await page.keyboard.press(key);
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      for (const line of await textBoxes(page)) {
        line.forEach(({ text, left, right }, index) => {
          assert.ok(left >= 0 && right <= width, `"${text}" ends at ${right}`);
          const next = line[index + 1];
          assert.ok(next === undefined || right <= next.left + 0.5, `"${text}" runs into "${next?.text}"`);
        });
      }
    }
    const outside = await sentence(page).evaluate((element) => {
      const own = element.getBoundingClientRect();
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      return Array.from(root.querySelectorAll('button, input, .cell, table, dl, .figure-value, figure')).flatMap(
        (each) => {
          const { left, right, width: size } = each.getBoundingClientRect();
          return size > 0 && (left < own.left || right > own.right) ? [each.className || each.tagName] : [];
        },
      );
    });
    assert.deepEqual(outside, []);
  });
}

pageTest(
  'on a phone everything can be reached with a finger, and a tap chooses a cell',
  async (page) => {
    await openLesson(page);
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll('attention-widget')).flatMap((element) =>
        Array.from(
          /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
            'button, input, .cell, [part="row"] tbody tr',
          ),
        ).flatMap((each) => {
          const { width, height } = each.getBoundingClientRect();
          return width > 0 && (width < 24 || height < 24)
            ? [`${each.className || each.tagName} ${width}×${height}`]
            : [];
        }),
      ),
    );
    assert.deepEqual(small, []);
    await sentence(page)
      .locator('.cell')
      .nth(4 * 6 + 2)
      .tap();
    await settled(page);
    assert.equal((await stateOf(sentence(page))).row, 4);
    const shown = await read(sentence(page));
    assert.equal(shown.arithmetic.title, '“one” → “starts”');
    assert.ok(
      shown.cells.flat().every((cell) => cell.opacity === 1),
      'a finger leaves nothing dimmed',
    );
    await toggle(page).tap();
    await settled(page);
    assert.equal((await stateOf(sentence(page))).divisor, 'none');
    assert.equal((await resultShown(sentence(page))).tokens.length, 6);
  },
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
);

pageTest(
  'on the first screen stand the sentence, the toggle, the slider with its curves, the figures, every matrix and both maps',
  async (page) => {
    await openLesson(page);
    const bottoms = await sentence(page).evaluate((element) =>
      Array.from(
        /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
          '[part="sentence"], [part="toggle"], [part="slider"], .plot, .figures, .matrix:not([hidden]), .hero .map',
        ),
        (each) => each.getBoundingClientRect().bottom,
      ),
    );
    assert.equal(bottoms.length, 16);
    assert.ok(Math.max(...bottoms) <= 800, String(Math.max(...bottoms)));
    const { dK, beside } = await stateOf(sentence(page));
    assert.deepEqual([dK, beside], [40, 'divisor']);
    assert.match((await sentence(page).locator('.beside-figures').textContent()) ?? '', /saturated \(one-hot\).*dead/);
  },
  { viewport: { width: 1280, height: 800 } },
);
