// The map of cells: what it shows of every kind of token and weight, and how a reader moves through it. Covers
// views/heatmap.js, heatmap-grid.js and reader-places.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, read, resultShown, set, setAttributes, settled, stateOf } from '../support.mjs';
import { cell } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Locator} Locator */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const formatWeight = (/** @type {number} */ weight) =>
  weight === 0 || weight === 1 ? String(weight) : weight.toFixed(2);

/** In arithmetic a tiny weight is written in full. */
const inFull = (/** @type {number} */ weight) =>
  weight > 0 && weight < 0.005 ? weight.toExponential(1).replace('-', '−') : formatWeight(weight);

/** A cell is called by what it shows, and a tiny weight in full as well. @param {number} weight */
const spoken = (weight) =>
  inFull(weight) === formatWeight(weight) ? formatWeight(weight) : `${formatWeight(weight)} (${inFull(weight)})`;

/** The markup of everything that a reader sees. @param {Locator} widget */
const markup = (widget) => widget.evaluate((element) => element.shadowRoot?.innerHTML);

/** The lightness of a colour that was mixed in OKLab. @param {string} colour */
function lightness(colour) {
  const [, number] = colour.match(/^oklab\(([\d.]+)/) ?? [];
  assert.ok(number !== undefined, `"${colour}" is a mix in OKLab`);
  return Number(number);
}

const numbered = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, index) => `tok${String(index).padStart(3, '0')}`);

pageTest('every cell shows its weight: as a number, as a colour, and in words', async (page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' }); // else colours move to those of another divisor
  await openPage(page, '<attention-widget></attention-widget>');
  for (const settings of [{}, { divisor: 'none', dK: 64 }, { divisor: 'dk', dK: 3 }, { seed: 77, dModel: 5 }]) {
    await set(only(page), settings);
    const { weights, tokens } = await resultShown(only(page));
    const { cells, columnLabels, rowLabels } = await read(only(page));
    assert.deepEqual(columnLabels, tokens);
    assert.deepEqual(rowLabels, tokens);
    assert.deepEqual(
      cells.map((row) => row.map(({ text }) => text)),
      weights.map((row) => row.map(formatWeight)),
    );
    assert.deepEqual(
      cells.map((row) => row.map(({ label }) => label)),
      weights.map((row, i) => row.map((weight, j) => `${tokens[i]} looks at ${tokens[j]}, ${spoken(weight)}`)),
    );
    const byWeight = cells
      .flat()
      .map(({ colour }, index) => ({ weight: weights.flat()[index], light: lightness(colour) }));
    byWeight.sort((a, b) => a.weight - b.weight);
    byWeight.slice(1).forEach(({ weight, light }, index) => {
      assert.ok(light <= byWeight[index].light, `${weight} is no lighter than ${byWeight[index].weight}`);
    });
    const expected = (/** @type {number} */ weight) => 0.975 + weight * (0.27 - 0.975);
    for (const { weight, light } of byWeight) {
      assert.ok(Math.abs(light - expected(weight)) < 0.01, `weight ${weight} has lightness ${light}`);
    }
  }
});

pageTest('cells are squares of one size, and the legend of their scale is in sight', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const { cells } = await read(only(page));
  for (const { width, height } of cells.flat()) {
    assert.ok(Math.abs(width - height) < 0.5 && Math.abs(width - cells[0][0].width) < 0.5, `${width} × ${height}`);
    assert.ok(width >= 40);
  }
  const legend = only(page).locator('.heatmap .legend');
  assert.match((await legend.textContent()) ?? '', /^weight 0\s*1\s*hidden$/);
  assert.ok(await legend.isVisible());
  assert.match(
    await legend.locator('.ramp').evaluate((ramp) => getComputedStyle(ramp).backgroundImage),
    /^linear-gradient\(to right.*, oklch\(0\.975 .*, oklch\(0\.27 /,
  );
});

pageTest('a click on a cell chooses its query and its key', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await cell(page, 3, 4).click();
  await page.mouse.move(5, 5);
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 3);
  const shown = await read(only(page));
  const { weights, tokens, metrics } = await resultShown(only(page));
  assert.deepEqual(shown.selectedRows, [3]);
  assert.equal(shown.list.title, '“with” looks at …');
  assert.equal(shown.arithmetic.title, '“with” → “one”');
  assert.equal(shown.figures.peak.name, 'peak weight, “with”');
  assert.equal(shown.figures.peak.value, metrics.peak[3].toFixed(2));
  assert.deepEqual(
    shown.cells.flatMap((row, i) => row.flatMap(({ isCurrent }, j) => (isCurrent ? [[i, j]] : []))),
    [[3, 4]],
  );
  shown.list.lines.forEach((line, index) => {
    assert.equal(line[0], tokens[index]);
    assert.equal(line[4], formatWeight(weights[3][index]));
  });
});

pageTest('highlighting a query moves nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const places = () =>
    only(page).evaluate((element) =>
      Array.from(
        /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.cell, .figure, h3, .legend'),
        (each) => {
          const { x, y, width } = each.getBoundingClientRect();
          return [x, y, width].map(Math.round).join();
        },
      ).join(' '),
    );
  const before = await places();
  for (let row = 0; row < 6; row++) {
    await set(only(page), { row });
    assert.equal(await places(), before, `row ${row}`);
  }
});

pageTest('a click on a row label chooses the query, on a line of the list the key', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await only(page).locator('.row-label').nth(5).click();
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 5);
  await only(page).locator('[part="row"] tbody tr').nth(2).click();
  await settled(page);
  const shown = await read(only(page));
  assert.equal(shown.arithmetic.title, '“step” → “starts”');
  assert.equal((await stateOf(only(page))).row, 5);
});

pageTest('arrow keys walk the map, with one cell in the tab order at a time', async (page) => {
  await openPage(page, '<attention-widget seed="2958"></attention-widget>');
  const at = async () => {
    const { cells } = await read(only(page));
    const reachable = cells.flatMap((row, i) => row.flatMap(({ tab }, j) => (tab === 0 ? [[i, j]] : [])));
    assert.equal(reachable.length, 1, 'exactly one cell can be tabbed to');
    const focus = await only(page).evaluate((element) => {
      const focused = /** @type {HTMLElement | null} */ (element.shadowRoot?.activeElement);
      return [Number(focused?.dataset.row), Number(focused?.dataset.column)];
    });
    assert.deepEqual(focus, reachable[0], 'and it has the focus');
    assert.equal((await stateOf(only(page))).row, focus[0]);
    return focus;
  };
  await only(page).locator('.cell[tabindex="0"]').focus();
  assert.deepEqual(await at(), [1, 1], 'the key that the default row looks at most');
  for (const [key, row, column] of /** @type {[string, number, number][]} */ ([
    ['ArrowRight', 1, 2],
    ['ArrowDown', 2, 2],
    ['ArrowLeft', 2, 1],
    ['ArrowUp', 1, 1],
    ['End', 1, 5],
    ['PageDown', 5, 5],
    ['ArrowDown', 5, 5],
    ['Home', 5, 0],
    ['PageUp', 0, 0],
    ['Control+End', 5, 5],
    ['Control+Home', 0, 0],
    ['ArrowUp', 0, 0],
  ])) {
    await page.keyboard.press(key);
    await settled(page);
    assert.deepEqual(await at(), [row, column], key);
  }
});

pageTest('the pointer over a cell shows its arithmetic, dims the rest, and leaves no trace', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const before = await markup(only(page));
  await cell(page, 4, 2).hover();
  const shown = await read(only(page));
  assert.equal(shown.arithmetic.title, '“one” → “starts”, under the pointer');
  assert.equal(shown.arithmetic.steps[4][2], shown.cells[4][2].text);
  shown.cells.forEach((row, i) => {
    row.forEach(({ isLit, opacity }, j) => {
      assert.equal(isLit, i === 4 || j === 2);
      assert.equal(opacity === 1, isLit, `cell ${i}, ${j}`);
    });
  });
  assert.deepEqual(shown.selectedRows, [1], 'the highlighted query stays');
  assert.equal((await stateOf(only(page))).row, 1);
  assert.equal(shown.list.title, '“journey” looks at …');
  await page.mouse.move(5, 5);
  assert.equal(await markup(only(page)), before);
});

pageTest('moving across the map fires no event', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => {
    Object.assign(window, { changes: 0 });
    document.addEventListener('attention-change', () => /** @type {any} */ (window).changes++);
  });
  for (const [row, column] of [
    [0, 0],
    [3, 3],
    [5, 1],
  ]) {
    await cell(page, row, column).hover();
  }
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).changes), 0);
  await cell(page, 5, 1).click();
  await settled(page);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).changes), 1);
});

pageTest('what the causal mask hides has a pattern and no number, and no weight', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const mask = only(page).locator('[part="mask"]');
  assert.equal(await mask.getAttribute('aria-pressed'), 'false');
  await mask.click();
  await settled(page);
  assert.equal(await mask.getAttribute('aria-pressed'), 'true');
  const shown = await read(only(page));
  const { weights, tokens } = await resultShown(only(page));
  const scale = new Set(shown.cells.flat().flatMap(({ kind, colour }) => (kind === null ? [colour] : [])));
  shown.cells.forEach((row, i) => {
    row.forEach((each, j) => {
      assert.equal(each.kind, j > i ? 'hidden' : null);
      if (j > i) {
        assert.equal(each.text, '');
        assert.equal(weights[i][j], 0);
        assert.equal(each.label, `${tokens[j]} is hidden from ${tokens[i]}`);
        assert.match(each.image, /^repeating-linear-gradient/);
        assert.equal(scale.has(each.colour), false, 'the ground under the pattern is no colour of the scale');
      } else {
        assert.equal(each.image, 'none');
      }
    });
  });
  assert.deepEqual(
    shown.list.lines.slice(2).map((line) => [line[2], line[4]]),
    Array(4).fill(['−∞', 'hidden']),
  );
  assert.equal(shown.figures.entropy.note, 'max ln 2 = 0.69');
  await mask.click();
  await settled(page);
  assert.ok((await read(only(page))).cells.flat().every(({ kind }) => kind === null));
});

pageTest('weights of exactly 0, tiny ones and hidden ones can be told apart', async (page) => {
  await openPage(page, '<attention-widget d-k="512" divisor="none" mask="causal" row="5"></attention-widget>');
  const { cells } = await read(only(page));
  assert.equal(cells[0][0].text, '1', 'the first query sees itself alone');
  assert.equal(cells[0][1].text, '');
  assert.ok(cells[5].some(({ text, kind }) => text === '0.00' && kind === null));
});

pageTest('a mask that comes too late is shown as the mistake that it is', async (page) => {
  await openPage(page, '<attention-widget mask="late"></attention-widget>');
  const shown = await read(only(page));
  assert.equal(shown.figures.state.value, 'not a distribution');
  const { metrics } = await resultShown(only(page));
  assert.equal(shown.figures.state.note, `row sums to ${metrics.rowSum[1].toFixed(2)}`);
  assert.equal(await only(page).locator('[part="mask"]').textContent(), 'late mask');
  assert.equal(shown.cells[1][4].kind, 'hidden');
});

pageTest('the divisor of the mistake is named on the toggle, which leads back to the right one', async (page) => {
  await openPage(page, '<attention-widget divisor="dk"></attention-widget>');
  assert.equal((await read(only(page))).toggle.text, '÷ dkmistake');
  await only(page).locator('[part="toggle"]').click();
  await settled(page);
  assert.equal((await stateOf(only(page))).divisor, 'sqrt');
});

pageTest('one token is a picture of one cell', async (page) => {
  await openPage(page, '<attention-widget tokens="alone"></attention-widget>');
  const shown = await read(only(page));
  assert.equal(shown.problem, null);
  assert.deepEqual(
    shown.cells.map((row) => row.map(({ text }) => text)),
    [['1']],
  );
  assert.equal(shown.figures.gradient.value, 'no choice');
  assert.equal(shown.figures.entropy.value, '0.00');
  await only(page).locator('.cell').focus();
  await page.keyboard.press('ArrowDown');
  await settled(page);
  assert.equal((await read(only(page))).arithmetic.title, '“alone” → “alone”');
});

pageTest('text that looks like markup is text: no element comes from a token and nothing runs', async (page) => {
  const tokens = [
    '<s>',
    'a<b',
    '&amp;',
    '" onmouseover="x=1',
    '</style>',
    '</script>',
    '<img src=x onerror=window.__pwn=1>',
  ];
  await openPage(page, '<attention-widget></attention-widget>');
  const elements = (/** @type {Locator} */ widget) =>
    widget.evaluate((element) =>
      Array.from(/** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('*'), ({ tagName }) => tagName).join(),
    );
  await set(only(page), { tokens: numbered(7) });
  const plain = await elements(only(page));
  await setAttributes(only(page), { tokens: JSON.stringify(tokens) });
  const shown = await read(only(page));
  assert.deepEqual(shown.columnLabels, tokens);
  assert.deepEqual(shown.rowLabels, tokens);
  assert.deepEqual(
    shown.list.lines.map((line) => line[0]),
    tokens,
  );
  assert.equal(await elements(only(page)), plain);
  await only(page)
    .locator('.cell')
    .nth(6 * 7 + 4)
    .click();
  await settled(page);
  assert.equal((await read(only(page))).arithmetic.title, `“${tokens[6]}” → “</style>”`);
  await set(only(page), { seed: tokens[6] });
  assert.equal(
    (await read(only(page))).problem,
    `seed is "${tokens[6]}", but must be a whole number from 0 to 4294967295.`,
  );
  assert.equal(await only(page).locator('img').count(), 0);
  await only(page).locator('[part="sentence"]').fill('<img src=x onerror=window.__pwn=1>');
  await set(only(page), { seed: 1 });
  assert.deepEqual((await read(only(page))).rowLabels, ['<img', 'src=x', 'onerror=window.__pwn=1>']);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).__pwn), undefined);
});

pageTest('subword marks, invisible tokens and emoji each have a label that can be seen', async (page) => {
  const tokens = ['\u0120Hello', '##ing', '\u2581the', '<0xE6>', '', ' ', '\u200b', 'e\u0301', '👩‍👩‍👧', '\ufffd'];
  await openPage(page, '<attention-widget></attention-widget>');
  await set(only(page), { tokens });
  const { rowLabels, columnLabels } = await read(only(page));
  const expected = [...tokens.slice(0, 4), '∅', '␣', 'U+200B', ...tokens.slice(7)];
  assert.deepEqual(rowLabels, expected);
  assert.deepEqual(columnLabels, expected);
  const unseen = await only(page).evaluate((element) =>
    Array.from(/** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.row-label bdi')).flatMap((label) => {
      const { width, height } = label.getBoundingClientRect();
      return width >= 4 && height >= 4 ? [] : [label.textContent];
    }),
  );
  assert.deepEqual(unseen, []);
});

pageTest(
  'a token of 400 characters is shortened, in tooltips and names too, and leaves the cells as they are',
  async (page) => {
    await openPage(page, '<attention-widget tokens="one two three four"></attention-widget>');
    const before = await read(only(page));
    const long = 'x'.repeat(400);
    const shortened = `${'x'.repeat(39)}…`;
    await set(only(page), { tokens: ['one', long, 'three', 'four'], row: 1 });
    const after = await read(only(page));
    assert.deepEqual(
      after.cells.flat().map(({ width, height }) => [width, height]),
      before.cells.flat().map(({ width, height }) => [width, height]),
    );
    assert.equal(await only(page).locator('.row-label bdi').nth(1).getAttribute('title'), shortened);
    assert.ok(after.cells[1][0].label.replace(/[\u2068\u2069]/g, '').startsWith(`${shortened} looks at one, `));
    const fits = await only(page).evaluate((element) => {
      const own = element.getBoundingClientRect();
      return Array.from(
        /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
          'h3, .row-label, .column-label, .figure, td, th',
        ),
      ).every((each) => each.getBoundingClientRect().right <= own.right + 0.5);
    });
    assert.ok(fits);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1000);
  },
);

pageTest('in a right-to-left page time still runs from left to right', async (page) => {
  await openPage(
    page,
    '<div dir="rtl" lang="ar"><attention-widget tokens="مرحبا بالعالم كله" mask="causal"></attention-widget></div>',
  );
  const shown = await read(only(page));
  assert.deepEqual(shown.rowLabels, ['مرحبا', 'بالعالم', 'كله']);
  const lefts = await only(page).evaluate((element) =>
    ['.column-label', '.cell', '.row-label'].map((selector) =>
      Array.from(
        /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(selector),
        (each) => each.getBoundingClientRect().left,
      ).slice(0, 3),
    ),
  );
  for (const side of lefts.slice(0, 2)) {
    assert.deepEqual(
      side,
      side.slice().sort((a, b) => a - b),
    );
  }
  assert.ok(lefts[2][0] < lefts[1][0], 'queries are named to the left of their cells');
  assert.equal(shown.cells[0][1].kind, 'hidden');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1000);
});
