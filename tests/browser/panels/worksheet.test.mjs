// The worksheet: the highlighted query unrolled key by key.

import assert from 'node:assert/strict';
import { numberIn, openPage, pageTest, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Widget} Widget */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const button = (/** @type {Page} */ page, /** @type {string | RegExp} */ name) =>
  only(page).locator('.worksheet').getByRole('button', { name });
const line = (/** @type {Page} */ page, /** @type {number} */ key) =>
  only(page).locator('.worksheet tbody tr').nth(key);

/** @param {Page} page @param {string} [attributes] */
const open = (page, attributes = '') =>
  openPage(page, `<attention-widget panels="worksheet" ${attributes}></attention-widget>`);

/** What stands in the table: of each cell its word, its numbers, and whether more follow. @param {Page} page */
function readSheet(page) {
  return only(page).evaluate((element) => {
    const table = /** @type {Element} */ (element.shadowRoot?.querySelector('.worksheet table'));
    const row = (/** @type {Element} */ each) => ({
      name: each.querySelector('th')?.textContent,
      isLit: each.hasAttribute('data-lit'),
      ...Object.fromEntries(
        Array.from(each.querySelectorAll('td'), (cell) => [
          cell.dataset.step,
          {
            word: cell.querySelector('small')?.textContent ?? '',
            numbers: Array.from(cell.querySelectorAll('span'), ({ textContent }) => textContent ?? ''),
            hasMore: cell.lastElementChild?.textContent === ' …',
          },
        ]),
      ),
    });
    const [heads, query] = Array.from(table.querySelectorAll('thead tr'));
    return {
      heads: Array.from(heads.children, (each) => each.textContent ?? ''),
      query: /** @type {any} */ (row(query)),
      lines: /** @type {any[]} */ (Array.from(table.querySelectorAll('tbody tr'), row)),
      sum: /** @type {any} */ (row(/** @type {Element} */ (table.querySelector('tfoot tr')))),
    };
  });
}

/** The engine's numbers for the highlighted row, by the columns of the table. @param {Page} page */
function engineNumbers(page) {
  return only(page).evaluate((element) => {
    const { result, state } = /** @type {Widget} */ (element);
    const { tokens, Q, K, scores, scaled, weights, worksheet, output, metrics } = /** @type {any} */ (result);
    const row = (/** @type {any} */ { data, shape }, /** @type {number} */ i) =>
      Array.from(/** @type {number[]} */ (data)).slice(i * shape[1], (i + 1) * shape[1]);
    const at = (/** @type {any} */ table, /** @type {number} */ j) => [row(table, state.row)[j]];
    return {
      query: row(Q, state.row),
      output: row(output, state.row),
      rowSum: metrics.rowSum[state.row],
      totals: /** @type {number[]} */ (worksheet.totals),
      subtracted: /** @type {number[]} */ (worksheet.subtracted),
      lines: tokens.map((/** @type {string} */ _, /** @type {number} */ j) => ({
        key: row(K, j),
        products: row(worksheet.products, j),
        score: at(scores, j),
        scaled: at(scaled, j),
        shifted: [worksheet.shifted[j]],
        exponential: [worksheet.exponentials[j]],
        weight: at(weights, j),
        contribution: row(worksheet.contributions, j),
      })),
    };
  });
}

const total = (/** @type {number[]} */ numbers) => numbers.reduce((sum, number) => sum + number, 0);
const near = (/** @type {number} */ found, /** @type {number} */ expected, /** @type {string} */ what) =>
  assert.ok(Math.abs(found - expected) <= 1e-12 * Math.max(1, Math.abs(expected)), `${what}: ${found}, ${expected}`);

pageTest('every number is the engine’s, to the digits shown', async (page) => {
  await open(page);
  for (const settings of [{}, { divisor: 'none', dK: 64 }, { divisor: 'dk', dK: 3, dV: 5, row: 4 }]) {
    await set(only(page), settings);
    const { lines, query, sum } = await readSheet(page);
    const expected = await engineNumbers(page);
    const close = (/** @type {any} */ cell, /** @type {number[]} */ numbers, /** @type {string} */ what) => {
      assert.deepEqual(cell.hasMore, numbers.length > 2, what);
      assert.equal(cell.numbers.length, Math.min(2, numbers.length));
      cell.numbers.forEach((/** @type {string} */ text, /** @type {number} */ index) => {
        const error = Math.abs(numberIn(text.replace('e−', 'e-')) - numbers[index]);
        // Two decimals, or two digits of a number that two decimals would hide.
        const allowed = text.includes('e') ? 0.051 * Math.abs(numbers[index]) : 0.0050001;
        assert.ok(error <= allowed, `${what}: ${text} is ${numbers[index]}`);
      });
    };
    assert.equal(lines.length, expected.lines.length);
    lines.forEach((each, j) => {
      for (const [step, numbers] of Object.entries(expected.lines[j])) {
        close(each[step], /** @type {number[]} */ (numbers), `${step} of key ${j}`);
      }
    });
    close(query.key, expected.query, 'q');
    close(sum.contribution, expected.output, 'z');
    close(sum.weight, [expected.rowSum], 'row sum');
    close(sum.exponential, [expected.totals[0]], 'total');
  }
});

pageTest('all digits and all entries: every number reads back exactly, and the columns add up', async (page) => {
  await open(page, 'd-k="5" d-v="3"');
  await button(page, 'all digits').click();
  for (const name of [/^all 5: k j/, /^all 5: q × k j/, /^all 3: weight/]) {
    await button(page, name).click();
  }
  const { lines, query, sum } = await readSheet(page);
  const expected = await engineNumbers(page);
  const numbers = (/** @type {any} */ cell) =>
    cell.numbers.map((/** @type {string} */ text) => Number(text.replaceAll('−', '-')));
  lines.forEach((each, j) => {
    for (const [step, values] of Object.entries(expected.lines[j])) {
      assert.deepEqual(numbers(each[step]), values, `${step} of key ${j}`);
    }
    near(total(numbers(each.products)), expected.lines[j].score[0], 'the products add up to the score');
  });
  assert.deepEqual(numbers(query.key), expected.query);
  assert.deepEqual(numbers(sum.contribution), expected.output);
  expected.output.forEach((value, c) => {
    near(total(lines.map((each) => numbers(each.contribution)[c])), value, `the contributions add up to z, entry ${c}`);
  });
  near(total(lines.map((each) => numbers(each.exponential)[0])), numbers(sum.exponential)[0], 'exp');
  near(total(lines.map((each) => numbers(each.weight)[0])), numbers(sum.weight)[0], 'weights');

  await button(page, 'all digits').click();
  assert.equal(await button(page, 'all digits').getAttribute('aria-pressed'), 'false');
  assert.match((await readSheet(page)).lines[0].score.numbers[0], /^−?\d+\.\d\d$/);
});

pageTest('a line and its cell of the map light each other', async (page) => {
  await open(page);
  const cell = (/** @type {number} */ row, /** @type {number} */ column) =>
    only(page)
      .locator('.map .cell')
      .nth(row * 6 + column);
  const lit = async () => (await readSheet(page)).lines.flatMap(({ isLit }, index) => (isLit ? [index] : []));
  assert.deepEqual(await lit(), []);
  await cell(1, 4).hover();
  assert.deepEqual(await lit(), [4]);
  await cell(2, 4).hover();
  assert.deepEqual(await lit(), [], 'the worksheet is of another row');

  await line(page, 3).hover();
  assert.deepEqual(await lit(), [3]);
  assert.equal(await only(page).locator('.column-label[data-lit]').textContent(), 'with');
  assert.equal(await only(page).locator('.row-label[data-lit]').textContent(), 'journey');
  await button(page, 'all digits').hover();
  assert.deepEqual(await lit(), []);
  assert.equal(await only(page).locator('[data-lit]').count(), 0);
});

pageTest('the keyboard reaches each line and chooses its key', async (page) => {
  await open(page);
  await line(page, 4).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 1);
  assert.match((await only(page).locator('[part="arithmetic"] h3').textContent()) ?? '', /“journey” → “one”/);
  assert.ok(
    await line(page, 4)
      .getByRole('button')
      .evaluate((each) => each.matches(':focus')),
    'focus stays',
  );
});

pageTest('hidden, cleared, per-key and overflowing numbers are named as what they are', async (page) => {
  await open(page, 'mask="causal"');
  let { lines } = await readSheet(page);
  assert.deepEqual(lines[1].shifted.word, '');
  for (const each of lines.slice(2)) {
    assert.deepEqual(each.shifted, { word: 'hidden', numbers: ['−∞'], hasMore: false });
    assert.deepEqual([each.exponential.numbers, each.weight.numbers], [['0'], ['0']]);
    assert.deepEqual(each.contribution.numbers, ['0', '0']);
  }

  await set(only(page), { mask: 'late' });
  ({ lines } = await readSheet(page));
  for (const each of lines.slice(2)) {
    assert.deepEqual([each.weight.word, each.weight.numbers], ['cleared', ['0']]);
    assert.notDeepEqual(each.exponential.numbers, ['0']);
  }

  await set(only(page), { mask: 'none', dropout: 0.5 });
  ({ lines } = await readSheet(page));
  for (const each of [1, 2, 4, 5].map((place) => lines[place])) {
    assert.deepEqual([each.weight.word, each.weight.numbers], ['dropped after the softmax', ['0']]);
    assert.notDeepEqual(each.exponential.numbers, ['0']);
  }
  assert.equal(lines[3].weight.word, '÷ (1 − 0.50)');
  assert.notDeepEqual(lines[3].weight.numbers, ['0']);

  await set(only(page), { dropout: 0, softmaxAxis: 'queries' });
  let sheet = await readSheet(page);
  const { subtracted, totals } = await engineNumbers(page);
  assert.ok(new Set(subtracted).size > 1);
  sheet.lines.forEach((each, j) => {
    const written = (/** @type {string} */ text) => numberIn(text.slice(2));
    assert.ok(Math.abs(written(each.shifted.word) - subtracted[j]) <= 0.0051, `maximum of column ${j}`);
    assert.ok(Math.abs(written(each.weight.word) - totals[j]) <= 0.0051, `sum of column ${j}`);
  });
  assert.deepEqual(sheet.sum.exponential.numbers, [], 'there is no one sum');
  assert.ok(sheet.heads.some((head) => head.includes('column maximum')));

  await set(only(page), { softmaxAxis: 'keys', softmax: 'naive', divisor: 'none', dK: 64, row: 0 });
  sheet = await readSheet(page);
  const overflowing = (await engineNumbers(page)).lines.map(
    (/** @type {any} */ each) => each.exponential[0] === Infinity,
  );
  assert.ok(overflowing.includes(true));
  sheet.lines.forEach((each, j) => {
    assert.equal(each.exponential.numbers[0] === 'overflow', overflowing[j]);
    assert.deepEqual(each.shifted.numbers, each.scaled.numbers, 'nothing is subtracted');
  });
  assert.deepEqual(sheet.sum.exponential.numbers, ['overflow']);

  await set(only(page), { softmax: 'stable', blend: 'embeddings', dModel: 7, divisor: 'sqrt' });
  sheet = await readSheet(page);
  assert.ok(sheet.heads.at(-1)?.includes('weight × xj'));
  assert.ok(sheet.heads.at(-1)?.includes('all 7'));
});

pageTest('of many keys the 24 with most weight show, and the panel says so', async (page) => {
  await open(page);
  await set(only(page), { tokens: Array.from({ length: 60 }, (_, index) => `t${index}`) });
  const { lines } = await readSheet(page);
  const weights = (await engineNumbers(page)).lines.map(
    (/** @type {any} */ { weight }, /** @type {number} */ index) => ({
      weight: weight[0],
      name: `t${index}`,
    }),
  );
  weights.sort((/** @type {any} */ a, /** @type {any} */ b) => b.weight - a.weight);
  assert.deepEqual(
    lines.map(({ name }) => name).sort(),
    weights
      .slice(0, 24)
      .map((/** @type {any} */ { name }) => name)
      .sort(),
  );
  assert.match((await only(page).locator('.worksheet .more').textContent()) ?? '', /^The 24 of 60 keys/);
});

pageTest(
  'on a narrow page each key is a block with its steps below each other, and nothing scrolls sideways',
  async (page) => {
    await open(page);
    const region = only(page).getByRole('region', { name: 'Worksheet' });
    assert.ok(await region.evaluate((each) => each.scrollWidth <= each.clientWidth + 1), 'the table fits');
    const steps = await region.locator('tbody tr').first().locator('td:visible').all();
    const boxes = await Promise.all(steps.map((step) => step.boundingBox()));
    assert.ok(boxes.length > 4);
    boxes.reduce((before, box) => {
      assert.ok(Number(box?.y) > Number(before?.y), 'each step stands below the one before');
      return box;
    });
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'the page does not scroll',
    );
  },
  { viewport: { width: 360, height: 800 } },
);

pageTest('the four tokens’ matrices are in sight, to redo q, k and v by hand', async (page) => {
  await openPage(page, '<attention-widget panels="worksheet" preset="four-token"></attention-widget>');
  const matrices = page.locator('attention-widget .by-hand');
  assert.deepEqual(await matrices.locator('caption').allTextContents(), ['X =', 'Wq =', 'Wk =', 'Wv =']);
  const shown = await matrices.evaluateAll((tables) =>
    tables.map((table) => [...table.querySelectorAll('td')].map((cell) => Number(cell.textContent?.replace('−', '-')))),
  );
  const computed = await page
    .locator('attention-widget')
    .evaluate((/** @type {any} */ { result }) => ['X', 'Wq', 'Wk', 'Wv'].map((name) => [...result[name].data]));
  assert.deepEqual(shown, computed);
  await set(page.locator('attention-widget'), { projections: 'shared' });
  assert.deepEqual(await matrices.locator('caption').allTextContents(), ['X =', 'Wq =']);
  await set(page.locator('attention-widget'), { preset: 'sentence' });
  assert.equal(await matrices.count(), 0);
});

pageTest(
  'at 360 px every step of a key is in sight without scrolling sideways',
  async (page) => {
    await openPage(page, '<attention-widget panels="worksheet"></attention-widget>');
    const scroller = page.locator('attention-widget .worksheet .scroller');
    const { width, inside } = await scroller.evaluate((element) => ({
      width: element.clientWidth,
      inside: element.scrollWidth,
    }));
    assert.ok(inside <= width, `${inside} of ${width}`);
    for (const step of ['score', 'scaled', 'weight', 'contribution']) {
      const cell = scroller.locator(`tbody tr td[data-step=${step}]`).first();
      const box = await cell.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, step);
      const title = await cell.evaluate((element) => getComputedStyle(element, '::before').content);
      assert.ok(title.length > 3, title);
    }
  },
  { viewport: { width: 360, height: 740 } },
);
