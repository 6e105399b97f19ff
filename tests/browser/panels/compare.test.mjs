// A pinned state beside the present one.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, set, settled, stateOf } from '../support.mjs';
import { readMaps } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`.${name}`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

const press = async (/** @type {Page} */ page, /** @type {string} */ name) => {
  await panel(page, 'compare').getByRole('button', { name, exact: true }).click();
  await settled(page);
};
const said = (/** @type {Page} */ page) => panel(page, 'compare').getByRole('status').textContent();

pageTest('pin, then change: A stays, B is now, and B − A is their difference', async (page) => {
  await open(page, 'compare');
  assert.equal(await panel(page, 'compare').locator('.small-map').first().isVisible(), false);
  const before = (await resultShown(only(page))).weights;
  await press(page, 'Pin as A');
  assert.equal(await said(page), 'A and B are the same state.');
  await set(only(page), { dK: 64, divisor: 'none' });
  const after = (await resultShown(only(page))).weights;
  const [a, b, difference] = await readMaps(page, 'compare');
  assert.deepEqual(a.numbers, before);
  assert.deepEqual(b.numbers, after);
  const expected = after.map((row, i) => row.map((weight, j) => weight - before[i][j]));
  assert.deepEqual(difference.numbers, expected);
  assert.equal(await said(page), 'From A to B: dk 16 → 64, ÷ √dk → not divided.');
  const largest = panel(page, 'compare').locator('details.number');
  assert.equal(Number(await largest.locator('small').textContent()), Math.max(...expected.flat().map(Math.abs)));

  await press(page, 'Swap');
  const { dK, divisor } = await stateOf(only(page));
  assert.deepEqual([dK, divisor], [16, 'sqrt']);
  const swapped = (await readMaps(page, 'compare'))[2].numbers;
  assert.deepEqual(
    swapped,
    expected.map((row) => row.map((value) => -value)),
  );

  await press(page, 'Unpin');
  assert.match((await said(page)) ?? '', /^Pin this state/);
  assert.equal(await panel(page, 'compare').locator('.small-map').first().isVisible(), false);
});

pageTest('the scaled / unscaled pair is one click, whatever the divisor was', async (page) => {
  for (const divisor of ['sqrt', 'none', 'dk']) {
    await open(page, 'compare', `divisor="${divisor}" d-k="9"`);
    await press(page, 'Scaled / unscaled');
    assert.equal((await stateOf(only(page))).divisor, 'none');
    assert.equal(await said(page), 'From A to B: ÷ √dk → not divided.');
    const [a, b] = await readMaps(page, 'compare');
    assert.deepEqual(b.numbers, (await resultShown(only(page))).weights);
    await set(only(page), { divisor: 'sqrt' });
    assert.deepEqual(a.numbers, (await resultShown(only(page))).weights);
  }
});

pageTest('states of different lengths are not compared, and are again when they match', async (page) => {
  await open(page, 'compare');
  await press(page, 'Pin as A');
  await set(only(page), { tokens: ['only', 'three', 'words'] });
  assert.equal(await said(page), 'A has 6 tokens and B has 3: they cannot be compared.');
  assert.equal(await panel(page, 'compare').locator('.small-map').first().isVisible(), false);
  await set(only(page), { tokens: ['Your', 'trip', 'starts', 'with', 'one', 'step'] });
  const maps = await readMaps(page, 'compare');
  assert.equal(maps[0].rowLabels[1], 'journey');
  assert.equal(maps[1].rowLabels[1], 'trip');
  assert.match((await said(page)) ?? '', /Sentence “Your journey .*” → “Your trip/);
  assert.ok(await panel(page, 'compare').locator('.small-map').first().isVisible());
});

pageTest('hidden cells are hatched, and what is not a number is marked, not coloured', async (page) => {
  await open(page, 'compare', 'mask="causal" softmax="naive" d-k="64"');
  await press(page, 'Scaled / unscaled');
  const { weights } = await resultShown(only(page));
  assert.ok(weights.flat().some(Number.isNaN), 'a softmax overflowed');
  const [, b, difference] = await readMaps(page, 'compare');
  weights.forEach((row, i) => {
    row.forEach((weight, j) => {
      const kind = j > i ? 'hidden' : Number.isNaN(weight) ? 'invalid' : undefined;
      assert.equal(b.kinds[i][j], kind);
      assert.equal(difference.kinds[i][j], kind);
      if (kind === 'invalid') {
        assert.equal(difference.texts[i][j], 'NaN');
        assert.equal(difference.backgrounds[i][j], 'rgb(255, 255, 255)');
      }
    });
  });
  assert.equal(await panel(page, 'compare').locator('details.number summary').textContent(), 'NaN');
});

pageTest('what changed is said in the reader’s words', async (page) => {
  await open(page, 'compare');
  await press(page, 'Pin as A');
  await set(only(page), {
    mask: 'late',
    projections: 'shared',
    softmaxAxis: 'queries',
    softmax: 'naive',
    blend: 'embeddings',
    heads: 2,
    head: 1,
    dropout: 0.5,
    window: 2,
    padding: 1,
  });
  const list = (await said(page)) ?? '';
  for (const words of [
    'no mask → Mask after the softmax',
    'three matrices → One matrix for Q, K and V',
    'softmax along the rows → Softmax down the columns',
    'row maximum subtracted → Softmax without the row maximum',
    'V blended → Blend X instead of V',
    'Heads 1 → 2',
    'head 1 → head 2',
    'dropout 0 → 0.5',
  ]) {
    assert.ok(list.includes(words), `${words} in ${list}`);
  }
  assert.doesNotMatch(list, /separate|shared|queries|stable|naive|embeddings|softmax-axis/);
});

pageTest('two states across two sentences are compared, and of other keys they are not', async (page) => {
  await openPage(page, '<attention-widget panels="compare" context="le chat dort"></attention-widget>');
  await press(page, 'Scaled / unscaled');
  await settled(page);
  const maps = panel(page, 'compare').locator('.small-map');
  assert.equal(await maps.nth(2).locator('.cell').count(), 18);
  assert.deepEqual(await maps.nth(0).locator('.column-label').allTextContents(), ['le', 'chat', 'dort']);
  await set(only(page), { context: ['le', 'chat'] });
  assert.match((await said(page)) ?? '', /A has 3 tokens and B has 2/);
  assert.equal(await maps.first().isVisible(), false);
});
