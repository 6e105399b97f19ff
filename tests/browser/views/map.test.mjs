// The map, the row beside it and the arithmetic: what they show, and how a reader moves through them.

import assert from 'node:assert/strict';
import { openPage, pageTest, read, resultShown, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Locator} Locator */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const cell = (/** @type {Page} */ page, /** @type {number} */ row, /** @type {number} */ column, n = 6) =>
  only(page)
    .locator('.cell')
    .nth(row * n + column);

const format = (/** @type {number} */ value) => {
  const size = Math.abs(value);
  const text = value === 0 ? '0' : size < 0.005 ? value.toExponential(1) : value.toFixed(2);
  return text.replaceAll('-', '−');
};
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

pageTest('every cell shows its weight: as a number, as a colour, and in words', async (page) => {
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
  const legend = only(page).locator('.legend');
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
  await openPage(page, '<attention-widget></attention-widget>');
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
    ['ArrowRight', 1, 5],
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
  assert.equal(shown.arithmetic.title, '“one” → “starts”');
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

pageTest('figures and row are those of the result, whatever the settings', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const settings of [
    { dK: 33, row: 4 },
    { divisor: 'none' },
    { projections: 'shared' },
    { mask: 'causal', row: 0 },
  ]) {
    await set(only(page), settings);
    const { metrics, scaled, visible } = await resultShown(only(page));
    const { row } = await stateOf(only(page));
    const { figures, list } = await read(only(page));
    assert.equal(figures.spread.value, metrics.spread.toFixed(2));
    assert.equal(figures.peak.value, metrics.peak[row].toFixed(2));
    assert.equal(figures.state.value, metrics.state[row]);
    assert.equal(figures.entropy.value, metrics.entropy[row].toFixed(2));
    assert.equal(figures.gradient.value, metrics.gradient[row]);
    assert.equal(figures.gradient.note, `Jacobian ${metrics.jacobian[row].toFixed(2)}`);
    assert.deepEqual(
      list.lines.map((line) => line[2]),
      scaled[row].map((score, key) => (visible[row][key] ? format(score) : '−∞')),
    );
  }
});

pageTest('bars are as long as what they stand for, negative scores to the left', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const bars = await only(page).evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const measure = (/** @type {string} */ side) =>
      Array.from(root.querySelectorAll(`${side} .bar`), (bar) => {
        const whole = bar.getBoundingClientRect();
        const filled = /** @type {Element} */ (bar.firstElementChild).getBoundingClientRect();
        return {
          share: filled.width / whole.width,
          start: (filled.left - whole.left) / whole.width,
          end: (filled.right - whole.left) / whole.width,
        };
      });
    return { weights: measure('.weight-bar'), scores: measure('.score-bar') };
  });
  const { weights, scaled } = await resultShown(only(page));
  weights[1].forEach((weight, index) => {
    assert.ok(Math.abs(bars.weights[index].share - weight) < 0.01);
    assert.ok(Math.abs(bars.weights[index].start) < 0.01);
  });
  const [longest] = scaled[1].map((_, index) => index).sort((a, b) => Math.abs(scaled[1][b]) - Math.abs(scaled[1][a]));
  const unit = bars.scores[longest].share / Math.abs(scaled[1][longest]);
  scaled[1].forEach((score, index) => {
    const { share, start, end } = bars.scores[index];
    assert.ok(share <= 0.5 && Math.abs(share - unit * Math.abs(score)) < 0.02, `a score of ${score} fills ${share}`);
    assert.ok(Math.abs((score < 0 ? end : start) - 0.5) < 0.02);
  });
  assert.ok(bars.scores[longest].share > 0.05, 'scores are seen');
});
