// The training race and its sweep, with real keys and clicks.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, set } from '../support.mjs';
import { digits, engineSays } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-panel=${name}]`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

const press = (/** @type {Page} */ page, /** @type {string} */ name) =>
  panel(page, 'train').getByRole('button', { name, exact: true }).click();

const counter = (/** @type {Page} */ page) => panel(page, 'train').locator('.step-counter').textContent();

/** The tables of weights in the race, as a reader who points at a cell reads them. @param {Page} page */
const raceWeights = (page) =>
  panel(page, 'train')
    .locator('.small-map')
    .evaluateAll((maps) =>
      maps.map((map) =>
        Array.from(map.querySelectorAll('[role=gridcell]'), (cell) => {
          cell.dispatchEvent(new Event('pointerover', { bubbles: true }));
          return map.parentElement?.querySelector('.reading')?.textContent ?? '';
        }),
      ),
    );

pageTest('a step is a step of both runs, and reset goes back bit for bit', async (page) => {
  await open(page, 'train');
  assert.equal(await counter(page), 'Step 0 of 200');
  const start = await raceWeights(page);
  assert.equal(start.length, 2);
  await press(page, 'Step');
  await press(page, 'Step');
  assert.equal(await counter(page), 'Step 2 of 200');
  const after = await raceWeights(page);
  for (const [index, divisor] of ['sqrt', 'none'].entries()) {
    const { weights, points } = await engineSays(page, 'train', { dK: 64, divisor }, { steps: 2 });
    const expected = Object.values(weights.data).map((weight) => String(weight));
    assert.deepEqual(
      after[index].map((label) => label.match(/[^ ()]+(?=\)?$)/)?.[0].replaceAll('−', '-')),
      expected.map((text) => text.replace('e+', 'e')),
    );
    const [last] = points.slice(-1);
    const norms = await digits(panel(page, 'train').locator('.tiles > :not(figure)').nth(index).locator('dd'));
    assert.deepEqual(norms, [last.WqNorm, last.WkNorm, last.WvNorm, last.meanJacobian]);
  }
  await press(page, 'Reset');
  assert.equal(await counter(page), 'Step 0 of 200');
  assert.deepEqual(await raceWeights(page), start);
});

pageTest('play trains by itself, pause holds it, and the panel draws both losses', async (page) => {
  await open(page, 'train');
  await press(page, 'Play');
  await panel(page, 'train')
    .getByText(/^Step (\d{2,}|[3-9]) of 200$/)
    .waitFor();
  await press(page, 'Pause');
  const held = await counter(page);
  await page.waitForTimeout(150);
  assert.equal(await counter(page), held);
  const [scaled, unscaled] = await panel(page, 'train')
    .locator('.chart > svg .curve')
    .evaluateAll((curves) => curves.slice(0, 2).map((curve) => curve.getAttribute('d') ?? ''));
  const steps = Number(held?.match(/\d+/)?.[0]);
  for (const path of [scaled, unscaled]) {
    assert.equal(path.match(/[ML]/g)?.length, steps + 1, 'a point for each step and one for the start');
  }
});

pageTest('where the race has another width than the picture one sentence says why', async (page) => {
  await open(page, 'train');
  const note = panel(page, 'train').getByText(/has its own d/);
  assert.equal(await note.isVisible(), true);
  await set(only(page), { dK: 64 });
  assert.equal(await note.isVisible(), false);
  await set(only(page), { dK: 16, projections: 'identity' });
  assert.equal(await note.isVisible(), false, 'its width is the picture’s');
});

pageTest(
  'a reader who wants less motion gets the end of the race at once, and what it shows in words',
  async (page) => {
    await open(page, 'train');
    await press(page, 'Play');
    assert.equal(await counter(page), 'Step 200 of 200');
    const verdict = panel(page, 'train').getByRole('status');
    const said = (await verdict.textContent()) ?? '';
    assert.match(said, /^÷ √dk: learnt: attention found the token before\..* not divided: overshot and died\./);
    const { points } = await engineSays(page, 'train', { dK: 64, divisor: 'none' });
    const norms = points.map((/** @type {any} */ { trainedNorm }) => trainedNorm);
    assert.ok(
      said.includes(
        `The gradient was ${norms[0].toFixed(2)} at the start and at most ${Math.max(...norms).toFixed(2)};`,
      ),
      said,
    );
    await press(page, 'Play');
    assert.equal(await counter(page), 'Step 200 of 200', 'a race that is over starts again');
  },
  { reducedMotion: 'reduce' },
);

pageTest(
  'where the unscaled run learns too, the widget says so and why',
  async (page) => {
    await open(page, 'train');
    await panel(page, 'train').locator('input[type=range]').focus();
    await page.keyboard.press('Home');
    assert.equal(await panel(page, 'train').locator('input[type=range]').inputValue(), '2');
    await panel(page, 'train').locator('input[type=range]').fill('4');
    await press(page, 'Play');
    const { points } = await engineSays(page, 'train', { dK: 4, divisor: 'none' });
    const learned = points[200].loss < 0.4 * points[0].loss;
    const text = (await panel(page, 'train').getByRole('status').textContent()) ?? '';
    assert.equal(/not divided: learnt/.test(text), learned);
  },
  { reducedMotion: 'reduce' },
);

pageTest('the third run joins on request', async (page) => {
  await open(page, 'train');
  await panel(page, 'train').getByRole('checkbox').check();
  assert.equal((await raceWeights(page)).length, 3);
  assert.equal(await panel(page, 'train').locator('.chart').first().locator('.curves li').count(), 3);
  await panel(page, 'train').getByRole('checkbox').uncheck();
  assert.equal((await raceWeights(page)).length, 2);
});

pageTest('a learning rate that is none gets one sentence, and the race comes back when it is mended', async (page) => {
  await open(page, 'train');
  const rate = panel(page, 'train').getByLabel('learning rate', { exact: true });
  const alert = panel(page, 'train').getByRole('alert');
  for (const [text, sentence] of [
    ['0', 'The learning rate must be more than 0, and finite.'],
    ['-2', 'The learning rate must be more than 0, and finite.'],
    ['0x10', 'The learning rate is "0x10", but must be a positive number, such as 0.5.'],
    ['1,500', 'The learning rate is "1,500", but must be a positive number, such as 0.5.'],
    ['NaN', 'The learning rate is "NaN", but must be a positive number, such as 0.5.'],
    ['', 'The learning rate is "", but must be a positive number, such as 0.5.'],
    ['quick', 'The learning rate is "quick", but must be a positive number, such as 0.5.'],
  ]) {
    await rate.fill(text);
    assert.equal(await alert.textContent(), sentence);
    assert.ok(await panel(page, 'train').getByRole('button', { name: 'Play' }).isDisabled());
  }
  await rate.fill('3');
  assert.equal(await alert.textContent(), '');
  await press(page, 'Step');
  assert.equal(await counter(page), 'Step 1 of 200');
});

pageTest(
  'a run whose loss is no longer finite stops and says after which step',
  async (page) => {
    await open(page, 'train');
    await panel(page, 'train').getByLabel('learning rate', { exact: true }).fill('1e9');
    await panel(page, 'train').getByRole('combobox').selectOption('all');
    await press(page, 'Play');
    const { stoppedAt } = await engineSays(
      page,
      'train',
      { dK: 64, divisor: 'sqrt' },
      { learningRate: 1e9, matrices: 'all' },
    );
    assert.ok(stoppedAt !== null);
    const text = (await panel(page, 'train').getByRole('status').textContent()) ?? '';
    assert.match(text, new RegExp(`after ${stoppedAt} steps the loss is no longer a finite number`));
    assert.doesNotMatch((await panel(page, 'train').innerHTML()) ?? '', /d="[^"]*(NaN|Infinity)/);
  },
  { reducedMotion: 'reduce' },
);

pageTest('another sentence is another race', async (page) => {
  await open(page, 'train');
  await press(page, 'Step');
  await set(only(page), { row: 3 });
  await set(only(page), { dK: 20, divisor: 'none' });
  assert.equal(await counter(page), 'Step 1 of 200', 'the picture’s row, width and divisor have no part in it');
  await set(only(page), { row: 1, tokens: ['one', 'other', 'sentence'] });
  assert.equal(await counter(page), 'Step 0 of 200');
  assert.equal((await raceWeights(page))[0].length, 9);
});

pageTest('the sweep plots where each run ends, and can be cancelled', async (page) => {
  await open(page, 'train');
  await press(page, 'Sweep');
  await press(page, 'Cancel');
  await press(page, 'Sweep');
  const chart = panel(page, 'train').locator('.chart').nth(1);
  await chart.waitFor();
  await panel(page, 'train').getByRole('button', { name: 'Sweep', exact: true }).waitFor();
  assert.equal(await chart.locator('.curves li').count(), 6);
  await chart.locator('summary').click();
  await chart.locator('td').last().waitFor();
  const row = await chart.locator('tr', { hasText: /^0\.3/ }).first().locator('td').allTextContents();
  const { points } = await engineSays(page, 'train', { dK: 64, divisor: 'none' }, { learningRate: 0.3 });
  assert.equal(row.length, 6);
  assert.equal(row[5], points[200].loss.toFixed(2));
});

pageTest('a sentence too long for the race stops it, says so, and a short one finds it as it was', async (page) => {
  await open(page, 'train');
  const words = (await only(page).evaluate((element) => /** @type {any} */ (element).state.tokens)).slice();
  const taken = await panel(page, 'train').locator('.step-counter').elementHandle();
  await press(page, 'Play');
  await panel(page, 'train')
    .getByText(/^Step ([2-9]|\d{2,}) of 200$/)
    .waitFor();
  await only(page).locator('[part="sentence"]').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(Array.from({ length: 513 }, (_, index) => `w${index}`).join(' '));
  await panel(page, 'train')
    .getByText(/^513 tokens are too many here/)
    .waitFor();
  assert.equal(await panel(page, 'train').getByRole('button').count(), 0);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const held = await taken?.textContent();
  await page.waitForTimeout(150);
  assert.equal(await taken?.textContent(), held);

  await set(only(page), { tokens: words });
  assert.equal(await counter(page), held);
  await press(page, 'Play');
  await eventually(async () => (await counter(page)) !== held, true);
});

pageTest('a sentence too long for the sweep stops it, and so does closing its panel', async (page) => {
  await open(page, 'train');
  const tokens = (/** @type {number} */ length) => ({ tokens: Array.from({ length }, (_, index) => `w${index}`) });
  await set(only(page), tokens(40));
  const button = await panel(page, 'train').getByRole('button', { name: 'Sweep' }).elementHandle();
  const chart = await panel(page, 'train').locator('.chart').last().elementHandle();
  await press(page, 'Sweep');
  assert.equal(await button?.textContent(), 'Cancel');
  await set(only(page), tokens(513));
  await eventually(async () => button?.textContent(), 'Sweep');
  await set(only(page), tokens(40));
  assert.equal(await chart?.isVisible(), false, 'what was not swept is not drawn');

  await press(page, 'Sweep');
  assert.equal(await button?.textContent(), 'Cancel');
  await panel(page, 'train').locator('> summary').click();
  await eventually(async () => button?.textContent(), 'Sweep');
});

pageTest('without parameters there is nothing to train, and the sentence says that', async (page) => {
  await open(page, 'train', 'projections="identity"');
  const alert = panel(page, 'train').getByRole('alert');
  assert.equal(await alert.textContent(), 'Without parameters there is nothing to train.');
  await set(only(page), { projections: 'shared', dV: 16 });
  assert.equal(await alert.textContent(), '', 'one matrix gets one width');
});

pageTest('the ends of the sweep stand on an axis of powers of ten', async (page) => {
  await open(page, 'train');
  await set(only(page), { tokens: ['a', 'b', 'c'], row: 0 });
  await press(page, 'Sweep');
  const chart = panel(page, 'train').locator('.chart').nth(1);
  await chart.waitFor();
  const ticks = await chart.locator('svg[role=slider] text[text-anchor=end]').allTextContents();
  assert.ok(ticks.length > 1);
  for (const tick of ticks) {
    const power = Math.log10(Number(tick.replace('−', '-')));
    assert.ok(Math.abs(power - Math.round(power)) < 1e-9, tick);
  }
});
