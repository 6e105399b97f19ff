// The shape ledger as a reader uses it: pointer, keyboard and lists.

import assert from 'node:assert/strict';
import { openPage, pageTest, set, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const shapes = (/** @type {Page} */ page) => only(page).locator('.shapes');

/** @param {Page} page @param {string} [attributes] @param {string} [panels] */
const open = (page, attributes = '', panels = 'shapes') =>
  openPage(page, `<attention-widget panels="${panels}" d-model="7" d-k="5" d-v="3" ${attributes}></attention-widget>`);

/** The ledger as text, by name: formula, dimensions, lengths. @param {Page} page @returns {Promise<Record<string, string[]>>} */
const ledger = (page) =>
  shapes(page)
    .locator('tr')
    .evaluateAll((rows) =>
      Object.fromEntries(
        rows
          .map((row) => Array.from(row.children, (cell) => cell.textContent ?? ''))
          .map(([name, ...rest]) => [name, rest]),
      ),
    );

/** What says of a product where it stands under its name: S or Z. @param {Page} page @param {string} name */
const product = (page, name) => {
  const root = shapes(page).locator('p', { has: page.getByRole('combobox', { name, exact: true }) });
  return { select: root.getByRole('combobox'), verdict: root.locator('output') };
};

/** What carries the light: text of dimensions, and whether the map's labels and the slider's name do. @param {Page} page */
const lit = (page) =>
  only(page).evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const isLit = (/** @type {Element} */ each) =>
      getComputedStyle(each).outlineStyle === 'solid' && getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)';
    const all = (/** @type {string} */ selector) => Array.from(root.querySelectorAll(selector)).map(isLit);
    const every = (/** @type {string} */ selector) => {
      const found = all(selector);
      return found.length > 0 && found.every(Boolean) ? true : found.some(Boolean) ? 'some' : false;
    };
    return {
      T: every('.shapes [data-dimension="T"]'),
      d_model: every('.shapes [data-dimension="d_model"]'),
      d_k: every('.shapes [data-dimension="d_k"]'),
      d_v: every('.shapes [data-dimension="d_v"]'),
      axes: every('.column-label, .row-label'),
      slider: every('.slider .symbol, [part="slider"] + .width'),
    };
  });

const dark = { T: false, d_model: false, d_k: false, d_v: false, axes: false, slider: false };

pageTest('the ledger gives every matrix its formula and shape, by name and by number', async (page) => {
  await open(page);
  assert.deepEqual(await ledger(page), {
    X: ['embeddings', '(T, dmodel)', '(6, 7)'],
    Wq: ['learned', '(dmodel, dk)', '(7, 5)'],
    Wk: ['learned', '(dmodel, dk)', '(7, 5)'],
    Wv: ['learned', '(dmodel, dv)', '(7, 3)'],
    Q: ['X·Wq', '(T, dk)', '(6, 5)'],
    K: ['X·Wk', '(T, dk)', '(6, 5)'],
    V: ['X·Wv', '(T, dv)', '(6, 3)'],
    Kᵀ: ['K transposed', '(dk, T)', '(5, 6)'],
    S: ['Q·Kᵀ ÷ √dk', '(T, T)', '(6, 6)'],
    A: ['softmax(S)', '(T, T)', '(6, 6)'],
    Z: ['A·V', '(T, dv)', '(6, 3)'],
  });
});

pageTest('the shapes follow the slider, the sentence and the settings', async (page) => {
  await open(page);
  await only(page).locator('[part="slider"]').focus();
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.deepEqual((await ledger(page)).Kᵀ.slice(1), ['(dk, T)', '(6, 6)']);
  assert.match((await shapes(page).getByRole('button').nth(2).textContent()) ?? '', /^dk = 6\b/);
  await set(only(page), { tokens: ['a', 'b'], divisor: 'dk', blend: 'embeddings' });
  const blended = await ledger(page);
  assert.deepEqual(blended.S, ['Q·Kᵀ ÷ dk', '(T, T)', '(2, 2)']);
  assert.deepEqual(blended.Z, ['A·X', '(T, dmodel)', '(2, 7)']);
  assert.deepEqual(await product(page, 'Z').select.locator('option').allTextContents(), ['A·X', 'A·Xᵀ']);
  await set(only(page), { projections: 'shared', dV: 6, divisor: 'none', blend: 'values' });
  const shared = await ledger(page);
  assert.deepEqual([shared.Wq[0], shared.Wk[0], shared.Wv[0], shared.S[0]], ['learned', 'Wq', 'Wq', 'Q·Kᵀ']);
  await set(only(page), { projections: 'identity', dK: 7, dV: 7 });
  const identity = await ledger(page);
  assert.deepEqual(
    [identity.Wq[0], identity.Q, identity.V],
    ['identity', ['X', '(T, dk)', '(2, 7)'], ['X', '(T, dv)', '(2, 7)']],
  );
  await set(only(page), { projections: 'separate', tokens: ['a'], row: 0, dModel: 1, dK: 1, dV: 1 });
  assert.ok(Object.values(await ledger(page)).every(([, , lengths]) => lengths === '(1, 1)'));
  assert.match((await shapes(page).textContent()) ?? '', /1 × 1 numbers: 4 bytes each/);
});

pageTest(
  'a dimension under the pointer lights up wherever it occurs, and goes out when the pointer leaves',
  async (page) => {
    await open(page);
    assert.deepEqual(await lit(page), dark);
    for (const [name, also] of /** @type {[string, object][]} */ ([
      ['T', { axes: true }],
      ['d_model', {}],
      ['d_k', { slider: true }],
      ['d_v', {}],
    ])) {
      await shapes(page).locator(`td [data-dimension="${name}"]`).last().hover();
      assert.deepEqual(await lit(page), { ...dark, [name]: true, ...also }, name);
    }
    await only(page).locator('[part="slider"]').hover();
    assert.deepEqual(await lit(page), dark);
  },
);

pageTest('a dimension that has the focus lights up too, and outlasts the pointer', async (page) => {
  await open(page);
  const legend = shapes(page).getByRole('button');
  await legend.first().focus();
  assert.deepEqual(await lit(page), { ...dark, T: true, axes: true });
  await page.keyboard.press('Tab');
  assert.deepEqual(await lit(page), { ...dark, d_model: true });
  await shapes(page).locator('td [data-dimension="d_v"]').first().hover();
  assert.deepEqual(await lit(page), { ...dark, d_v: true });
  await shapes(page).locator('h4').first().hover();
  assert.deepEqual(await lit(page), { ...dark, d_model: true });
  for (let tab = 0; tab < 3; tab++) {
    await page.keyboard.press('Tab');
  }
  assert.deepEqual(await lit(page), dark, 'the focus is on the batch');
});

pageTest(
  'a touched dimension stays lit',
  async (page) => {
    await open(page);
    await shapes(page).getByRole('button').first().tap();
    assert.deepEqual(await lit(page), { ...dark, T: true, axes: true });
  },
  { hasTouch: true },
);

pageTest('the axes of a map painted at one pixel a cell light up as well', async (page) => {
  await open(page, `tokens="${Array.from({ length: 20 }, (_, index) => `w${index}`).join(' ')}"`);
  await shapes(page).getByRole('button').first().focus();
  assert.equal((await lit(page)).axes, true);
});

pageTest(
  'each dimension keeps one colour, lit or not, apart from the others and readable on the ground',
  async (page) => {
    await open(page);
    for (const theme of ['light', 'dark']) {
      await set(only(page), { theme });
      /** @type {string[]} */
      const colours = [];
      for (const name of ['T', 'd_model', 'd_k', 'd_v']) {
        const colour = async () =>
          new Set(
            await shapes(page)
              .locator(`[data-dimension="${name}"]`)
              .evaluateAll((all) => all.map((each) => getComputedStyle(each).color)),
          );
        const before = await colour();
        assert.equal(before.size, 1, name);
        await shapes(page).getByRole('button').nth(colours.length).focus();
        assert.deepEqual(await colour(), before);
        colours.push(...before);
      }
      assert.equal(new Set(colours).size, 4);
      const luminance = (/** @type {string} */ colour) => {
        const [red, green, blue] = (colour.match(/\d+/g) ?? []).map((text) => {
          const value = Number(text) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = luminance(
        await only(page)
          .locator('.widget')
          .evaluate((element) => getComputedStyle(element).backgroundColor),
      );
      for (const colour of colours) {
        const [less, more] = [luminance(colour), ground].sort((a, b) => a - b);
        assert.ok((more + 0.05) / (less + 0.05) >= 4.5, `${colour} in the ${theme} theme`);
      }
    }
  },
);

pageTest('a batch adds a leading B to what depends on the tokens, and to no weights', async (page) => {
  await open(page);
  assert.ok(await shapes(page).getByText('B sentences at once').isHidden());
  await shapes(page).getByRole('checkbox', { name: 'with a batch' }).check();
  assert.ok(await shapes(page).getByText('B sentences at once').isVisible());
  for (const [name, [, dimensions, lengths]] of Object.entries(await ledger(page))) {
    const isWeight = name.startsWith('W');
    assert.equal(dimensions.startsWith('(B, '), !isWeight, name);
    assert.equal(lengths.startsWith('(B, '), !isWeight, name);
  }
  assert.deepEqual((await ledger(page)).Kᵀ.slice(1), ['(B, dk, T)', '(B, 5, 6)']);
  await shapes(page).getByRole('checkbox').uncheck();
  assert.doesNotMatch(JSON.stringify(await ledger(page)), /B/);
});

pageTest('a transpose that is wrong or missing names the dimensions that clash', async (page) => {
  await open(page);
  const [S, Z] = [product(page, 'S'), product(page, 'Z')];
  assert.equal(await S.verdict.textContent(), '(T, dk) · (dk, T) → (T, T)One score for each query and key.');
  assert.equal(await Z.verdict.textContent(), '(T, T) · (T, dv) → (T, dv)One blend for each query.');
  /** @type {[typeof S, string, string, string[]][]} */
  const wrong = [
    [S, 'Q·K', '(T, dk) · (T, dk)dk = 5 meets T = 6: no product.', ['dk', 'T']],
    [S, 'Qᵀ·Kᵀ', '(dk, T) · (dk, T)T = 6 meets dk = 5: no product.', ['T', 'dk']],
    [Z, 'A·Vᵀ', '(T, T) · (dv, T)T = 6 meets dv = 3: no product.', ['T', 'dv']],
  ];
  for (const [{ select, verdict }, form, said, marked] of wrong) {
    await select.selectOption(form);
    assert.equal(await verdict.textContent(), said);
    assert.equal(await verdict.getAttribute('data-clash'), '');
    assert.equal(await verdict.getAttribute('aria-live'), 'polite');
    assert.deepEqual(await verdict.locator('.inner').allTextContents(), marked);
    const borders = await verdict
      .locator('.inner')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).borderBottomStyle));
    assert.deepEqual(borders, ['double', 'double']);
  }
});

pageTest('a product that fits and is not attention says what it would be', async (page) => {
  await open(page);
  const [S, Z] = [product(page, 'S'), product(page, 'Z')];
  await S.select.selectOption('Qᵀ·K');
  assert.match(
    (await S.verdict.textContent()) ?? '',
    /^\(dk, T\) · \(T, dk\) → \(dk, dk\)It fits, but compares features with features/,
  );
  await S.select.selectOption('Q·K');
  await Z.select.selectOption('A·Vᵀ');
  await set(only(page), { dK: 6, dV: 6 });
  assert.equal(
    await S.verdict.textContent(),
    '(T, dk) · (T, dk) → (T, dk)It fits only because dk = T = 6, and it is not attention.',
  );
  assert.equal(
    await Z.verdict.textContent(),
    '(T, T) · (dv, T) → (T, T)It fits only because T = dv = 6, and it is not attention.',
  );
  assert.equal(await S.verdict.getAttribute('data-clash'), null);
  assert.equal(await S.verdict.getAttribute('aria-live'), 'off', 'no reading out while the slider moves');
});

pageTest('the cost of T × T is given at this T and at 128 k tokens', async (page) => {
  await open(page);
  assert.match(
    (await shapes(page).textContent()) ?? '',
    /6 × 6 numbers: 144 bytes each in float32\. At 131,072 tokens \(128 k\) each takes 64 GiB/,
  );
  await set(only(page), { tokens: Array.from({ length: 512 }, (_, index) => `w${index}`) });
  assert.match((await shapes(page).textContent()) ?? '', /512 × 512 numbers: 1 MiB each/);
});

pageTest(
  'the ledger fits a narrow page, with the widest matrices and a batch',
  async (page) => {
    await open(page);
    await set(only(page), { dModel: 512, dK: 512, dV: 512 });
    await shapes(page).getByRole('checkbox').check();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  },
  { viewport: { width: 360, height: 800 } },
);

pageTest('with several heads the ledger says that it is one head’s, and how the outputs are joined', async (page) => {
  await openPage(page, '<attention-widget panels="shapes" d-k="8" d-v="5"></attention-widget>');
  const shapes = page.locator('attention-widget .shapes');
  assert.equal(await shapes.getByText('of one head').isVisible(), false);
  await set(page.locator('attention-widget'), { heads: 3 });
  assert.match((await shapes.getByText('of one head of 3').textContent()) ?? '', /h = 3/);
  assert.match((await shapes.locator('tr').last().textContent()) ?? '', /\(T, h·dv\)\(6, 15\)$/);
  await set(page.locator('attention-widget'), { blend: 'embeddings' });
  assert.match((await shapes.locator('tr').last().textContent()) ?? '', /\(T, h·dmodel\)\(6, 48\)$/);
});

pageTest(
  'with a second sentence the ledger knows queries from keys, and says what a window and padding cost',
  async (page) => {
    await open(page, 'tokens="one two" context="a b c d"');
    const { X, Xc, K, S, Z } = await ledger(page);
    assert.deepEqual(X, ['embeddings', '(Tq, dmodel)', '(2, 7)']);
    assert.deepEqual(Xc, ['embeddings', '(Tk, dmodel)', '(4, 7)']);
    assert.deepEqual(K, ['Xc·Wk', '(Tk, dk)', '(4, 5)']);
    assert.deepEqual(S, ['Q·Kᵀ ÷ √dk', '(Tq, Tk)', '(2, 4)']);
    assert.deepEqual(Z, ['A·V', '(Tq, dv)', '(2, 3)']);
    const legend = await shapes(page).locator('button[data-dimension]:visible').allTextContents();
    assert.deepEqual(
      legend.map((text) => text.trim()),
      ['Tq = 2 queries', 'Tk = 4 keys', 'dmodel = 7 embedding', 'dk = 5 query, key', 'dv = 3 value'],
    );
    await product(page, 'S').select.selectOption('Qᵀ·K');
    assert.match((await product(page, 'S').verdict.textContent()) ?? '', /Tq = 2 meets Tk = 4: no product/);
    assert.match((await shapes(page).textContent()) ?? '', /S and A hold 2 × 4 numbers: 32 bytes each/);
    await set(only(page), { mask: 'window', window: 2, padding: 1 });
    const text = (await shapes(page).textContent()) ?? '';
    assert.match(text, /A window of 2 needs 2 of the 4 scores of a row/);
    assert.match(text, /Padding \(1 of 4\) counts in every shape, and in no sum/);
  },
);
