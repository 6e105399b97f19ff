// The layer as one picture: its matrices, wires and gates, what is lit, and the arithmetic of every entry, with a real
// mouse and real keys. Covers views/layer/.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, resultOf, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Widget} Widget */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const matrix = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-matrix="${name}"]`);
const gate = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-gate="${name}"]`);

/** The names of the matrices that show. @param {Page} page */
const shown = (page) =>
  only(page)
    .locator('.matrix')
    .evaluateAll((all) =>
      all
        .filter((each) => each.getBoundingClientRect().width > 0)
        .map((each) => [
          /** @type {HTMLElement} */ (each).dataset.matrix,
          each.querySelector('.name')?.textContent?.replace(/\s+/g, ' '),
        ]),
    );

/** The arithmetic box. @param {Page} page */
const arithmetic = (page) =>
  only(page)
    .locator('.arithmetic')
    .evaluate((root) => ({
      title: root.querySelector('h3')?.textContent,
      lines: Array.from(root.querySelectorAll('tr'), (line) =>
        Array.from(line.children, (cell) =>
          cell.textContent?.replace(/[\u2060\u200b\u00a0]/g, ' ').replace(/\s+/g, ' '),
        ),
      ),
    }));

/** A stage of the widget's result, as rows. @param {Page} page @param {string} stage @returns {Promise<number[][]>} */
const stage = (page, stage) =>
  only(page).evaluate((element, name) => {
    const { data, shape } = /** @type {any} */ (element).result[name];
    return Array.from({ length: shape[0] }, (_, i) => Array.from(data.slice(i * shape[1], (i + 1) * shape[1])));
  }, stage);

/** A point over an entry. @param {Page} page @param {string} name @param {number} row @param {number} column @param {[number, number]} shape */
async function overEntry(page, name, row, column, [rows, columns]) {
  const box = await matrix(page, name).locator('.entries').boundingBox();
  assert.ok(box);
  return { x: box.x + ((column + 0.5) / columns) * box.width, y: box.y + ((row + 0.5) / rows) * box.height };
}

/** A number as the widget writes it. @param {number} value */
const written = (value) =>
  (value === 0
    ? '0'
    : Math.abs(value) < 0.005
      ? value.toExponential(1).replaceAll('e+', 'e')
      : value.toFixed(2)
  ).replaceAll('-', '−');

/** What is lit in a matrix, in shares of its height and width. @param {Page} page @param {string} name */
const lights = (page, name) =>
  matrix(page, name)
    .locator('.light:not([hidden])')
    .evaluateAll((all) =>
      all.map((each) => {
        const { top, left, width, height } = /** @type {HTMLElement} */ (each).style;
        return [/** @type {HTMLElement} */ (each).dataset.kind, top, height, left, width].join(' ');
      }),
    );

pageTest('every matrix of the layer is there with its name and its shape, in symbols and numbers', async (page) => {
  await openPage(page, '<attention-widget d-k="5" d-v="3" d-model="7"></attention-widget>');
  assert.deepEqual(await shown(page), [
    ['X', 'X 6×7 T×dmodel'],
    ['Wq', 'Wq 7×5 dmodel×dk'],
    ['Wk', 'Wk 7×5 dmodel×dk'],
    ['Wv', 'Wv 7×3 dmodel×dv'],
    ['Q', 'Q 6×5 T×dk'],
    ['K', 'K 6×5 T×dk'],
    ['V', 'V 6×3 T×dv'],
    ['S', 'S 6×6 T×T'],
    ['Z', 'Z 6×3 T×dv'],
  ]);
});

pageTest(
  'pointing at any entry tells what it is made of, in the engine’s numbers, and lights both operands',
  async (page) => {
    await page.setViewportSize({ width: 1000, height: 1500 });
    await openPage(page, '<attention-widget d-k="4" d-model="3"></attention-widget>');
    const [X, Wk, K, A, V, Z] = await Promise.all(
      ['X', 'Wk', 'K', 'weights', 'V', 'output'].map((name) => stage(page, name)),
    );
    const k = await overEntry(page, 'K', 4, 2, [6, 4]);
    await page.mouse.move(k.x, k.y);
    const factor = (/** @type {number} */ value) => (value < 0 ? `(${written(value)})` : written(value));
    const terms = (/** @type {number[]} */ left, /** @type {number[]} */ right) =>
      left.map((value, index) => `${factor(value)} · ${factor(right[index])}`);
    const ofK = terms(
      X[4],
      Wk.map((row) => row[2]),
    );
    assert.deepEqual(await arithmetic(page), {
      title: 'K “one”, column 3',
      lines: [['X · Wk', ofK.join(' + '), written(K[4][2])]],
    });
    const near = (/** @type {number} */ share) => `${Number((100 * share).toPrecision(6))}%`;
    assert.deepEqual(await lights(page, 'X'), [`operand ${near(4 / 6)} ${near(1 / 6)} 0% 100%`]);
    assert.deepEqual(await lights(page, 'Wk'), [`operand 0% 100% ${near(2 / 4)} ${near(1 / 4)}`]);
    assert.deepEqual(await lights(page, 'Wq'), []);

    const z = await overEntry(page, 'Z', 0, 3, [6, 4]);
    await page.mouse.move(z.x, z.y);
    assert.deepEqual(
      await only(page)
        .locator('.hero .cell[data-lit]')
        .evaluateAll((cells) => cells.map((cell) => /** @type {HTMLElement} */ (cell).dataset.row)),
      Array(6).fill('0'),
      'a whole row of weights',
    );
    const ofZ = terms(
      A[0],
      V.map((row) => row[3]),
    );
    assert.deepEqual((await arithmetic(page)).lines, [
      ['A · V', `${ofZ.slice(0, 3).join(' + ')} + … 3 more`, written(Z[0][3])],
    ]);
    await page.mouse.move(1, 1);
    await only(page).getByRole('button', { name: 'all terms' }).click();
    const again = await overEntry(page, 'Z', 0, 3, [6, 4]);
    await page.mouse.move(again.x, again.y);
    assert.deepEqual((await arithmetic(page)).lines, [['A · V', ofZ.join(' + '), written(Z[0][3])]]);

    const s = await overEntry(page, 'S', 2, 5, [6, 6]);
    await page.mouse.move(s.x, s.y);
    assert.match(String((await arithmetic(page)).title), /^“starts” → “step”/);
    assert.deepEqual(await lights(page, 'Q'), [`query ${near(2 / 6)} ${near(1 / 6)} 0% 100%`]);
    assert.deepEqual(await lights(page, 'K'), [`key ${near(5 / 6)} ${near(1 / 6)} 0% 100%`]);
  },
);

pageTest('a query lights its row of X, Q, S and Z, a key its row of X, K and V', async (page) => {
  await openPage(page, '<attention-widget row="2"></attention-widget>');
  await only(page).locator('.cell[data-row="2"][data-column="4"]').click();
  await page.mouse.move(1, 1);
  const row = (/** @type {string} */ kind, /** @type {number} */ index) =>
    `${kind} ${Number(((100 * index) / 6).toPrecision(6))}% 16.6667% 0% 100%`;
  assert.deepEqual(await lights(page, 'X'), [row('key', 4), row('query', 2)]);
  for (const name of ['Q', 'S', 'Z']) {
    assert.deepEqual(await lights(page, name), [row('query', 2)], name);
  }
  for (const name of ['K', 'V']) {
    assert.deepEqual(await lights(page, name), [row('key', 4)], name);
  }
  assert.deepEqual(await lights(page, 'Wv'), []);
});

pageTest('a click on a row of X, Q or Z chooses the query, on K or V the key, on S both', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const click = async (/** @type {string} */ name, /** @type {number} */ row, /** @type {number} */ column) => {
    const shape = /** @type {[number, number]} */ (name === 'S' ? [6, 6] : [6, 16]);
    const { x, y } = await overEntry(page, name, row, column, shape);
    await page.mouse.click(x, y);
    await settled(page);
  };
  const selected = () =>
    only(page)
      .locator('.cell[data-current]')
      .evaluate((cell) => [Number(cell.dataset.row), Number(cell.dataset.column)]);
  await click('Q', 3, 9);
  assert.equal((await selected())[0], 3);
  await click('V', 5, 0);
  assert.deepEqual(await selected(), [3, 5]);
  await click('S', 1, 2);
  assert.deepEqual(await selected(), [1, 2]);
  await click('Z', 0, 0);
  assert.equal((await stateOf(only(page))).row, 0);
  await set(only(page), { locked: ['row'] });
  await click('X', 4, 4);
  assert.equal((await stateOf(only(page))).row, 0, 'what is locked stays');
});

pageTest(
  'a finger on an entry tells what it is made of, until another is touched',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const tap = async (/** @type {string} */ name, /** @type {number} */ row, /** @type {number} */ column) => {
      await matrix(page, name).scrollIntoViewIfNeeded();
      const { x, y } = await overEntry(page, name, row, column, [6, 16]);
      await page.touchscreen.tap(x, y);
      await settled(page);
      return (await arithmetic(page)).title;
    };
    assert.equal(await tap('Q', 4, 7), 'Q “one”, column 8');
    assert.equal((await stateOf(only(page))).row, 4);
    assert.equal(await tap('V', 0, 15), 'V “Your”, column 16');
    assert.equal((await stateOf(only(page))).row, 4);
  },
  { hasTouch: true, viewport: { width: 1000, height: 1200 } },
);

pageTest('arrow keys walk inside a matrix, and from one to the next in the order of the data', async (page) => {
  await openPage(page, '<attention-widget d-k="2" d-model="2" tokens="a b c"></attention-widget>');
  const focus = () =>
    only(page).evaluate((element) => {
      const focused = /** @type {HTMLElement} */ (element.shadowRoot?.activeElement);
      const place = focused.closest('[data-matrix]');
      return `${place?.getAttribute('data-matrix') ?? 'A'} ${focused.getAttribute('aria-label')?.replace(/[\u2068\u2069]/g, '')}`;
    });
  await only(page).locator('.layer .entry[tabindex="0"]').focus();
  const X = await stage(page, 'X');
  assert.equal(await focus(), `X “a”, column 1: ${written(X[0][0])}`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  assert.equal(await focus(), `X “b”, column 2: ${written(X[1][1])}`);
  assert.equal((await arithmetic(page)).title, 'X “b”, column 2');
  /** @type {string[]} */
  const seen = [];
  for (let stop = 0; stop < 40 && seen.at(-1) !== 'Z'; stop++) {
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const [name] = (await focus()).split(' ');
    if (seen.at(-1) !== name) {
      seen.push(name);
    }
  }
  assert.deepEqual(seen, ['Wq', 'Wk', 'Wv', 'Q', 'K', 'V', 'S', 'A', 'Z']);
  await page.keyboard.press('ArrowLeft');
  assert.match(await focus(), /^A b looks at c, /);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  assert.match(await focus(), /^S “b”, “c”: /);
  assert.equal(await only(page).locator('.entry[tabindex="0"]').count(), 1, 'one stop of the Tab key');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await only(page).locator('.cell[data-current]').getAttribute('data-column'), '0');
});

pageTest('a matrix is a labelled grid that knows its size and where the keyboard is', async (page) => {
  await openPage(page, '<attention-widget d-k="5" d-model="7"></attention-widget>');
  const grid = only(page).getByRole('grid', { name: 'W q, makes queries, 7 × 5' });
  assert.equal(await grid.getAttribute('aria-rowcount'), '7');
  assert.equal(await grid.getAttribute('aria-colcount'), '5');
  await grid.locator('.entry').focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowRight');
  assert.equal(await grid.locator('[role="row"]').getAttribute('aria-rowindex'), '7');
  assert.equal(await grid.locator('.entry').getAttribute('aria-colindex'), '2');
  const Wq = await stage(page, 'Wq');
  assert.equal(await grid.locator('.entry').getAttribute('aria-label'), `row 7, column 2: ${written(Wq[6][1])}`);
});

for (const [settings, found] of /** @type {[Record<string, any>, Record<string, any>][]} */ ([
  [{}, { matrices: 9, gates: ['÷ √16 = 4.00', 'softmax → along the keys'], wrong: [], note: '' }],
  [
    { projections: 'shared' },
    {
      matrices: 7,
      gates: ['÷ √16 = 4.00', 'softmax → along the keys'],
      wrong: [],
      note: 'One matrix makes queries, keys and values.',
    },
  ],
  [
    { projections: 'identity' },
    {
      matrices: 6,
      gates: ['÷ √16 = 4.00', 'softmax → along the keys'],
      wrong: [],
      note: 'No matrix makes q, k and v.',
    },
  ],
  [
    { blend: 'embeddings' },
    {
      matrices: 9,
      gates: ['÷ √16 = 4.00', 'softmax → along the keys'],
      wrong: [],
      note: 'V has no part in Z.',
    },
  ],
  [
    { divisor: 'none', mask: 'causal' },
    { matrices: 9, gates: ['not divided', 'causal mask', 'softmax → along the keys'], wrong: ['divide'], note: '' },
  ],
  [
    { divisor: 'dk', mask: 'late' },
    { matrices: 9, gates: ['÷ dk = 16', 'softmax → along the keys', 'late mask'], wrong: ['divide', 'late'], note: '' },
  ],
  [
    { softmaxAxis: 'queries', dropout: 0.5, padding: 2 },
    {
      matrices: 9,
      gates: ['÷ √16 = 4.00', 'padding 2', 'softmax ↓ down the columns', 'dropout p = 0.50'],
      wrong: ['softmax', 'dropout'],
      note: '',
    },
  ],
  [
    { softmax: 'naive', mask: 'window', window: 2 },
    {
      matrices: 9,
      gates: ['÷ √16 = 4.00', 'sliding window 2', 'softmax → along the keys (maximum not subtracted)'],
      wrong: ['softmax'],
      note: '',
    },
  ],
  [
    { heads: 4, head: 2 },
    {
      matrices: 9,
      gates: ['÷ √16 = 4.00', 'softmax → along the keys'],
      wrong: [],
      note: 'Head 3: columns 33 to 48 of 64 in Wq, Wk, Q and K.',
    },
  ],
  [
    { context: ['le', 'chat'] },
    { matrices: 10, gates: ['÷ √16 = 4.00', 'softmax → along the keys'], wrong: [], note: '' },
  ],
])) {
  pageTest(`the wiring of ${JSON.stringify(settings)}`, async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    await set(only(page), settings);
    const { problem } = await only(page).evaluate((element) => ({
      problem: /** @type {Widget} */ (element).error?.message,
    }));
    assert.equal(problem, undefined);
    const gates = only(page).locator('.gate:visible');
    assert.equal((await shown(page)).length, found.matrices);
    assert.deepEqual(await gates.allTextContents(), found.gates);
    assert.deepEqual(
      await only(page)
        .locator('.gate[data-wrong]:visible')
        .evaluateAll((all) => all.map((each) => /** @type {HTMLElement} */ (each).dataset.gate)),
      found.wrong,
    );
    assert.equal(await only(page).locator('.layer-note').textContent(), found.note);
  });
}

pageTest(
  'padding is hidden before a late mask too: it stands before the softmax, and its scores are clear',
  async (page) => {
    await openPage(page, '<attention-widget mask="late" padding="2"></attention-widget>');
    assert.deepEqual(await only(page).locator('.gate:visible').allTextContents(), [
      '÷ √16 = 4.00',
      'padding 2',
      'softmax → along the keys',
      'late mask',
    ]);
    assert.equal((await pixel(page, 'S', 0, 5))[3], 0);
    assert.equal((await pixel(page, 'S', 0, 3))[3], 255);
  },
);

pageTest('the keyboard reaches a matrix after the one that it was in is gone', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const { x, y } = await overEntry(page, 'Wv', 3, 3, [16, 16]);
  await page.mouse.click(x, y);
  assert.equal(await matrix(page, 'Wv').locator('.entry').getAttribute('tabindex'), '0');
  await set(only(page), { projections: 'identity' });
  assert.equal(await matrix(page, 'X').locator('.entry').getAttribute('tabindex'), '0');
});

pageTest('where X is blended, Z is made of X, and its lane starts there', async (page) => {
  await openPage(page, '<attention-widget blend="embeddings"></attention-widget>');
  const lane = only(page).locator('.lane');
  const start = async () => (await lane.boundingBox())?.x ?? Number.NaN;
  const x = await matrix(page, 'X').boundingBox();
  assert.ok(x && (await start()) < x.x + x.width);
  const { x: left, y } = await overEntry(page, 'Z', 1, 5, [6, 16]);
  await page.mouse.move(left, y);
  assert.equal((await arithmetic(page)).lines[0][0], 'A · X');
  assert.match((await lights(page, 'X')).join(), /operand 0% 100%/);
  await set(only(page), { blend: 'values' });
  const v = await matrix(page, 'V').boundingBox();
  assert.ok(v && (await start()) >= v.x);
});

pageTest('without matrices an entry of Q is x itself, and with one matrix it is that one’s', async (page) => {
  await openPage(page, '<attention-widget projections="identity"></attention-widget>');
  const at = async (/** @type {string} */ name) => {
    const { x, y } = await overEntry(page, name, 2, 3, [6, 16]);
    await page.mouse.move(x, y);
    return (await arithmetic(page)).lines[0];
  };
  const X = await stage(page, 'X');
  assert.deepEqual(await at('K'), ['K', 'no matrix', written(X[2][3])]);
  await set(only(page), { projections: 'shared' });
  assert.equal((await at('V'))[0], 'X · W');
  assert.equal((await lights(page, 'Wq')).length, 1);
});

/** The colour of an entry's pixel. @param {Page} page @param {string} name @param {number} row @param {number} column */
const pixel = (page, name, row, column) =>
  matrix(page, name).evaluate(
    (root, [y, x]) => {
      const copy = document.createElement('canvas');
      const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d', { willReadFrequently: true }));
      context.drawImage(/** @type {HTMLCanvasElement} */ (root.querySelector('canvas')), -x, -y);
      return Array.from(context.getImageData(0, 0, 1, 1).data);
    },
    [row, column],
  );

pageTest('colours follow the sign and the size, a hidden score is clear, and none is drawn of NaN', async (page) => {
  await openPage(page, '<attention-widget mask="causal"></attention-widget>');
  const W = (await stage(page, 'Wv')).flatMap((row, i) => row.map((value, j) => ({ value, i, j })));
  W.sort((a, b) => a.value - b.value);
  const [least, middle, most] = [W[0], W.find(({ value }) => Math.abs(value) < 0.01) ?? W[128], W[255]];
  const [minus, zero, plus] = await Promise.all([least, middle, most].map(({ i, j }) => pixel(page, 'Wv', i, j)));
  assert.ok(minus[0] > minus[2] + 40, `orange below zero: ${minus}`);
  assert.ok(plus[2] > plus[0] + 40, `blue above zero: ${plus}`);
  assert.ok(Math.min(...zero) > 225, `pale at zero: ${zero}`);
  assert.equal((await pixel(page, 'S', 1, 4))[3], 0);
  assert.equal((await pixel(page, 'S', 4, 1))[3], 255);
  await set(only(page), { softmax: 'naive', divisor: 'none', dK: 64, mask: 'none' });
  const Z = await stage(page, 'output');
  const row = Z.findIndex((each) => each.some(Number.isNaN));
  assert.ok(row >= 0, 'some output is no number');
  const invalid = await pixel(page, 'Z', row, 0);
  assert.ok(invalid[3] === 255 && invalid[0] > invalid[2], `the colour of no number: ${invalid}`);
});

pageTest('scores have one scale with and without the divisor: a division makes them pale', async (page) => {
  await openPage(page, '<attention-widget d-k="64"></attention-widget>');
  const reach = () => matrix(page, 'S').locator('.reach').textContent();
  const divided = await reach();
  await set(only(page), { divisor: 'none' });
  assert.equal(await reach(), divided);
  const scores = (await resultOf(only(page)))?.scores.flat() ?? [];
  assert.equal(divided, `±${written(Math.max(...scores.map(Math.abs)))}`);
});

for (const width of [1280, 900, 768, 560, 420, 360, 320]) {
  for (const attributes of ['', 'd-k="512" d-model="512"', 'heads="8" head="7"', 'beside="divisor" d-k="64"']) {
    pageTest(
      `at ${width} px no matrix is cut off and nothing scrolls sideways: ${attributes || 'defaults'}`,
      async (page) => {
        await openPage(page, `<attention-widget ${attributes}></attention-widget>`, {
          head: '<style>body { margin: 0 }</style><script type="module" src="/attention-widget.js"></script>',
        });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        const boxes = await only(page)
          .locator('.layer :is(.entries, .gate, .map)')
          .evaluateAll((all) =>
            all
              .map((each) => each.getBoundingClientRect())
              .filter(({ width }) => width > 0)
              .map(({ left, right, width, height }) => [left, right, width, height]),
          );
        assert.ok(boxes.length >= 10);
        for (const [left, right, wide, high] of boxes) {
          assert.ok(left >= 0 && right <= width + 1, `${left}…${right}`);
          assert.ok(wide > 12 && high > 12, `${wide}×${high}`);
        }
      },
      { viewport: { width, height: 900 } },
    );
  }
}

for (const [width, height, most] of [
  [1280, 720, 560],
  [360, 740, 740],
]) {
  pageTest(
    `slider, toggle and the whole map stand within ${most} px at ${width} × ${height}`,
    async (page) => {
      for (const attributes of ['', 'beside="divisor" d-k="40"']) {
        await openPage(page, `<attention-widget ${attributes}></attention-widget>`);
        const edges = await only(page).evaluate((element) => {
          const root = /** @type {ShadowRoot} */ (element.shadowRoot);
          const box = (/** @type {string} */ selector) =>
            /** @type {Element} */ (root.querySelector(selector)).getBoundingClientRect();
          return [Math.min(box('[part="toggle"]').top, box('[part="slider"]').top), box('.heatmap .map').bottom];
        });
        assert.ok(edges[1] - edges[0] <= most, `${attributes}: ${edges[1] - edges[0]} px`);
      }
    },
    { viewport: { width, height } },
  );
}

for (const count of [1, 16, 17, 64, 512, 2048]) {
  pageTest(`${count} tokens are the same picture, and what is left out of it is said`, async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    await set(only(page), { tokens: Array.from({ length: count }, (_, index) => `w${index}`), row: 0 });
    assert.equal((await shown(page)).length, 9);
    const said = await matrix(page, 'S').locator('.reach').textContent();
    assert.equal(/sampled/.test(said ?? ''), count > 256, said ?? '');
    await matrix(page, 'Q').locator('.entries').click();
    await page.keyboard.press('Control+End');
    const Q = await stage(page, 'Q');
    const { title, lines } = await arithmetic(page);
    assert.equal(title, `Q “w${count - 1}”, column 16`);
    assert.equal(lines[0][2], written(Q[count - 1][15]));
  });
}

pageTest('a theme that changes paints every matrix again', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const light = await pixel(page, 'Wq', 0, 0);
  await set(only(page), { theme: 'dark' });
  await eventually(async () => String(await pixel(page, 'Wq', 0, 0)) !== String(light), true);
});

pageTest('a gate says what divides, in every language', async (page) => {
  await openPage(page, '<attention-widget lang="es" divisor="none"></attention-widget>');
  await eventually(() => gate(page, 'divide').textContent(), 'sin dividir');
});

pageTest('beside another map the numbers have room in their cells, at any width', async (page) => {
  for (const width of [1280, 1100, 1000, 930, 800, 730, 640, 560, 400, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, '<attention-widget beside="divisor" d-k="40"></attention-widget>');
    const widths = await only(page)
      .locator('.hero .cell')
      .evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
    assert.equal(widths.length, 72);
    assert.ok(Math.min(...widths) >= 22, `${Math.min(...widths)} px in ${width} px`);
  }
});
