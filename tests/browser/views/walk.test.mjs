// The walk from x to z, by its buttons, by the keyboard, and by what a page sets. Covers views/layer/walk.js and player.js.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, resultOf, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const sentence = (/** @type {Page} */ page) => only(page).locator('.walk-sentence');
const said = async (/** @type {Page} */ page) =>
  ((await sentence(page).textContent()) ?? '').replace(/[\u2068\u2069]/g, '');
const stepOf = async (/** @type {Page} */ page) => (await stateOf(only(page))).step;

/** What steps back. @param {Page} page */
const dimmed = (page) =>
  only(page)
    .locator('.matrix[data-dim]')
    .evaluateAll((all) => all.map((each) => /** @type {HTMLElement} */ (each).dataset.matrix));

/** How many lines the arithmetic has, and its title. @param {Page} page */
const arithmetic = async (page) => [
  (await only(page).locator('.arithmetic h3').textContent())?.replace(/[\u2068\u2069]/g, ''),
  await only(page).locator('.arithmetic tr').count(),
];

pageTest(
  'eight steps lead from x to z, each with what it uses, its arithmetic and a sentence of this row’s numbers',
  async (page) => {
    await openPage(page, '<attention-widget mask="causal" row="2"></attention-widget>');
    const { scores, weights } = (await resultOf(only(page))) ?? assert.fail();
    const key = weights[2].indexOf(Math.max(...weights[2]));
    const word = ['Your', 'journey', 'starts'][key];
    const write = (/** @type {number} */ value) => value.toFixed(2).replace('-', '−');
    const all = ['X', 'context', 'Wq', 'Wk', 'Wv', 'Q', 'K', 'V', 'S', 'Z'];
    const score = scores[2][key];
    /** @type {[RegExp, string[], (string | number)[]][]} */
    const steps = [
      [/^“starts” enters as x, of width 16; it starts with/, ['X'], ['X “starts”, column 1', 1]],
      [
        /^“starts” asks: x times Wq is its query q, of width 16; it starts with/,
        ['X', 'Wq', 'Q'],
        ['Q “starts”, column 1', 1],
      ],
      [
        new RegExp(`^Every key offers a k and carries a v: those of “${word}” start with`),
        ['X', 'Wk', 'Wv', 'K', 'V'],
        [`K “${word}”, column 1`, 1],
      ],
      [
        new RegExp(`^“starts” asks, “${word}” offers: q·k = ${write(score)}, one number`),
        ['Q', 'K', 'S'],
        [`“starts” → “${word}”`, 1],
      ],
      [
        new RegExp(`^${write(score)} ÷ √dk = ${write(score)} ÷ 4\\.00 = ${write(score / 4)}\\.$`),
        ['S'],
        [`“starts” → “${word}”`, 2],
      ],
      [/^“starts” sees 3 of 6 keys; a hidden score is −∞/, ['S'], [`“starts” → “${word}”`, 2]],
      [
        new RegExp(`“starts” gives “${word}” the weight ${write(weights[2][key])}; its row sums to 1\\.00\\.`),
        ['S'],
        [`“starts” → “${word}”`, 5],
      ],
      [
        new RegExp(
          `^“starts” leaves as z, a blend with ${write(weights[2][key])} of “${word}”, of width 16; it starts with`,
        ),
        ['V', 'Z'],
        ['Z “starts”, column 1', 1],
      ],
    ];
    for (const [index, [pattern, used, box]] of steps.entries()) {
      await only(page).locator('[part="next"]').click();
      await settled(page);
      assert.equal(await stepOf(page), index + 1);
      assert.match(await said(page), pattern);
      assert.deepEqual(
        await dimmed(page),
        all.filter((name) => !used.includes(name)),
        `step ${index + 1}`,
      );
      assert.deepEqual(await arithmetic(page), box, `step ${index + 1}`);
      assert.equal(await only(page).locator('.step[aria-current="step"]').count(), 1);
    }
    await only(page).locator('[part="next"]').click();
    await settled(page);
    assert.equal(await stepOf(page), 8, 'the last step stays, and so does the focus');
    assert.equal(await only(page).locator('[part="next"]:focus').count(), 1);
    await only(page).locator('[part="back"]').click();
    await settled(page);
    assert.equal(await stepOf(page), 7);
    await only(page).locator('.step').nth(6).click();
    await settled(page);
    assert.equal(await stepOf(page), 0, 'a step that is pressed again shows everything');
    assert.equal(await sentence(page).isVisible(), false);
    assert.deepEqual(await dimmed(page), []);
  },
);

pageTest('the first number of x, q, k, v and z is the engine’s', async (page) => {
  await openPage(page, '<attention-widget row="4" step="1"></attention-widget>');
  const first = (/** @type {string} */ name, /** @type {number} */ row) =>
    only(page).evaluate(
      (element, [stage, index]) => {
        const { data, shape } = /** @type {any} */ (element).result[stage];
        return data[Number(index) * shape[1]].toFixed(2).replace('-', '−');
      },
      /** @type {[string, number]} */ ([name, row]),
    );
  const { weights } = (await resultOf(only(page))) ?? assert.fail();
  const key = weights[4].indexOf(Math.max(...weights[4]));
  assert.ok((await said(page)).endsWith(`it starts with ${await first('X', 4)}.`));
  await set(only(page), { step: 2 });
  assert.ok((await said(page)).endsWith(`it starts with ${await first('Q', 4)}.`));
  await set(only(page), { step: 3 });
  assert.ok((await said(page)).endsWith(`start with ${await first('K', key)} and ${await first('V', key)}.`));
  await set(only(page), { step: 8 });
  assert.ok((await said(page)).endsWith(`it starts with ${await first('output', 4)}.`));
});

pageTest('arrow keys walk where the strip has the focus, which is one stop of the Tab key', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  assert.equal(await only(page).locator('.step[tabindex="0"]').count(), 1);
  await only(page).locator('.step[tabindex="0"]').focus();
  for (const step of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    await settled(page);
    assert.equal(await stepOf(page), step);
    const focused = only(page).locator('.step:focus');
    assert.match((await focused.textContent()) ?? '', new RegExp(`^${step} `));
  }
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.equal(await stepOf(page), 2);
});

pageTest('a step is a setting: attribute, property, link, prose, lock and event', async (page) => {
  await openPage(
    page,
    '<attention-widget id="w" step="4"></attention-widget><a href="#" data-attention-for="w" data-step="7">softmax</a>',
  );
  assert.match(await said(page), /asks, .* offers: q·k = /);
  assert.equal(await only(page).evaluate((element) => /** @type {any} */ (element).link), 'v=1&step=4');
  const event = only(page).evaluate(
    (element) =>
      new Promise((resolve) =>
        element.addEventListener('attention-change', (change) =>
          resolve(/** @type {CustomEvent} */ (change).detail.state.step),
        ),
      ),
  );
  await page.locator('a').click();
  assert.equal(await event, 7);
  await set(only(page), { locked: ['step'] });
  assert.equal(await only(page).locator('.step:disabled').count(), 8);
  assert.equal(await only(page).locator('[part="next"]').isDisabled(), true);
  await set(only(page), { step: 9 });
  assert.match(
    (await page.locator('.problem').textContent()) ?? '',
    /^step is 9, but must be a whole number from 0 to 8/,
  );
  await set(only(page), { step: 8 });
  assert.match(await said(page), /leaves as z/);
});

for (const [settings, step, text] of /** @type {[Record<string, any>, number, RegExp][]} */ ([
  [
    { divisor: 'none' },
    5,
    /The gate is open: .* stays .* No divisor\. ✗ fails: The scores reach the softmax with a spread near 1\.$/,
  ],
  [{ divisor: 'dk' }, 5, /÷ dk = .* ÷ 16\.00 = .*\. ÷ dk instead of ÷ √dk\. ✗ fails/],
  [{ projections: 'shared' }, 2, /x times W is .*One matrix for Q, K and V\. ✗ fails: Q and K differ/],
  [{ projections: 'identity' }, 2, /with x itself.*No parameters at all\. ✗ fails: There is something to learn/],
  [{ softmaxAxis: 'queries' }, 7, /÷ sum of a column: .*Softmax down the columns\. ✗ fails: Every row sums to 1/],
  [
    { mask: 'late' },
    6,
    /The softmax sees 6 keys of “journey”; only after it all but 2 are cleared\. Mask after the softmax\. ✗ fails/,
  ],
  [{ softmax: 'naive' }, 7, /Softmax without the row maximum\. ✓ holds: Every weight is a number/],
  [
    { softmax: 'naive', divisor: 'none', dK: 64 },
    7,
    /Softmax without the row maximum\. ✗ fails: Every weight is a number/,
  ],
  [{ dropout: 0.5 }, 7, /its row sums to .*Dropout after the softmax\. ✗ fails: Every row sums to 1/],
  [{ blend: 'embeddings' }, 8, /Blend X instead of V\. ✗ fails: The output is A·V/],
])) {
  pageTest(`the walk says at step ${step} what is wrong with ${JSON.stringify(settings)}`, async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    await set(only(page), { ...settings, step });
    assert.match(await said(page), text);
    assert.doesNotMatch(await said(page), /undefined|\[object/);
    await set(only(page), { step: 1 });
    assert.equal(await sentence(page).getAttribute('data-wrong'), null, 'and not before');
  });
}

pageTest('Play walks on by itself, and stops at any input', async (page) => {
  await page.clock.install();
  await openPage(page, '<attention-widget></attention-widget>');
  await page.clock.pauseAt(Date.now() + 60_000);
  const play = only(page).locator('[part="walk-play"]');
  await play.click();
  await settled(page);
  assert.equal(await stepOf(page), 1);
  assert.equal(await play.getAttribute('aria-label'), 'Pause');
  await page.clock.runFor(3500);
  await settled(page);
  assert.equal(await stepOf(page), 2);
  await page.mouse.click(5, 5);
  await page.clock.runFor(20_000);
  assert.equal(await stepOf(page), 2);
  assert.equal(await play.getAttribute('aria-label'), 'Play the walk');
  await play.click();
  await page.clock.runFor(60_000);
  await settled(page);
  assert.equal(await stepOf(page), 8, 'and ends with the last step');
  assert.equal(await play.getAttribute('aria-label'), 'Play the walk');
  await play.click();
  await settled(page);
  assert.equal(await stepOf(page), 1, 'and starts again from there');
  await page.clock.runFor(3500);
  await settled(page);
  assert.equal(await stepOf(page), 2);
});

pageTest('the sweep plays every width in about six seconds, and stops at any input', async (page) => {
  await page.clock.install();
  await openPage(page, '<attention-widget d-k="64"></attention-widget>');
  await page.clock.pauseAt(Date.now() + 60_000);
  const sweep = only(page).locator('[part="sweep"]');
  await sweep.click();
  await settled(page);
  assert.equal((await stateOf(only(page))).dK, 2, 'from the start where it stands at the end');
  await page.clock.runFor(3000);
  const middle = (await stateOf(only(page))).dK;
  assert.ok(middle > 28 && middle < 37, String(middle));
  await page.keyboard.press('Shift');
  await page.clock.runFor(3000);
  assert.equal((await stateOf(only(page))).dK, middle);
  await sweep.click();
  await page.clock.runFor(7000);
  await eventually(async () => (await stateOf(only(page))).dK, 64);
  await set(only(page), { locked: ['d-k'] });
  assert.equal(await sweep.isDisabled(), true);
});

pageTest(
  'where the reader wants no movement the sweep takes a few steps, and a toggle moves nothing',
  async (page) => {
    await page.clock.install();
    await openPage(page, '<attention-widget d-k="2"></attention-widget>');
    await page.clock.pauseAt(Date.now() + 60_000);
    await only(page).locator('[part="sweep"]').click();
    const seen = [];
    for (let second = 0; second < 5; second++) {
      await settled(page);
      seen.push((await stateOf(only(page))).dK);
      await page.clock.runFor(1000);
    }
    assert.deepEqual(seen, [4, 8, 16, 32, 64]);
    const durations = await only(page).evaluate(async (element) => {
      Object.assign(element, { divisor: 'none' });
      await /** @type {any} */ (element).updated;
      return getComputedStyle(/** @type {Element} */ (element.shadowRoot?.querySelector('.cell'))).transitionDuration;
    });
    assert.equal(durations, '0s');
  },
  { reducedMotion: 'reduce' },
);

pageTest(
  'another divisor lets colours and bars move for a quarter of a second, and no other change does',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const duration = () =>
      only(page)
        .locator('.cell')
        .first()
        .evaluate((cell) => getComputedStyle(cell).transitionDuration);
    await set(only(page), { dK: 20 });
    assert.equal(await duration(), '0s');
    await only(page).locator('[part="toggle"]').click();
    const [during, numbers] = await only(page).evaluate(async (element) => {
      await /** @type {any} */ (element).updated;
      const { weights } = /** @type {any} */ (element).result;
      const cells = Array.from(
        /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.heatmap .cell'),
        (each) => each,
      );
      const right = cells.every(
        ({ textContent }, index) => Number(textContent) === Number(weights.data[index].toFixed(2)),
      );
      return [getComputedStyle(cells[0]).transitionDuration, right];
    });
    assert.match(during, /^0\.2s/);
    assert.equal(numbers, true, 'numbers are the new ones at once');
    await eventually(duration, '0s');
  },
);

pageTest('a step is announced once, by its sentence, and other changes by their figures', async (page) => {
  await openPage(page, '<attention-widget panels=""></attention-widget>');
  const announced = only(page).locator('.announcer');
  await only(page).locator('[part="next"]').click();
  await settled(page);
  await eventually(() => announced.textContent(), await sentence(page).textContent());
  assert.equal(await sentence(page).getAttribute('role'), null, 'one voice');
  await set(only(page), { dK: 20 });
  await eventually(async () => /^d.?k 20: score spread/.test((await announced.textContent()) ?? ''), true);
});
