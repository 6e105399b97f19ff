// Mistakes on purpose, with real clicks, and the proofs that they turn red. Covers panels/break-it.js and mistakes.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, set, settled, stateOf } from '../support.mjs';
import { lawsThat, openPanels } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const mistake = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-mistake="${name}"]`);

/** Each mistake with the laws that it must turn red, at least. */
const broken = {
  noDivisor: ['spreadIsKept', 'entropyIsKept', 'gradientIsAlive'],
  divisorTooLarge: ['spreadIsKept'],
  oneMatrix: ['rolesDiffer'],
  noParameters: ['rolesDiffer', 'somethingCanLearn'],
  wrongAxis: ['rowsSumToOne'],
  lateMask: ['rowsSumToOne', 'pastIsUntouched'],
  dropout: ['rowsSumToOne'],
  rawEmbeddings: ['valuesAreBlended'],
};

for (const [name, laws] of Object.entries(broken)) {
  pageTest(`the mistake ${name} turns its law red, and mending turns every law back`, async (page) => {
    await openPanels(page);
    await mistake(page, name).locator('button.toggle').click();
    await settled(page);
    const failing = await lawsThat(page, 'fails');
    for (const each of laws) {
      assert.ok(failing.includes(each), `${each} fails, of ${failing}`);
    }
    assert.match((await mistake(page, name).locator('.deeds button').first().textContent()) ?? '', /^✗ fails: /);
    assert.match((await mistake(page, name).locator('.consequence').textContent()) ?? '', /\d/);
    await mistake(page, name).getByText('Mend it').click();
    await settled(page);
    assert.deepEqual(await lawsThat(page, 'fails'), []);
    assert.equal(await mistake(page, name).locator('.said').isVisible(), false);
  });
}

pageTest('without the row maximum large scores overflow: marked in words, never coloured', async (page) => {
  await openPanels(page);
  await mistake(page, 'noMaximum').locator('button.toggle').click();
  await settled(page);
  assert.match(
    (await mistake(page, 'noMaximum').locator('.consequence').textContent()) ?? '',
    /^Nothing overflows yet/,
  );
  assert.deepEqual(await lawsThat(page, 'fails'), []);

  await mistake(page, 'noMaximum').getByText('Larger scores').click();
  await settled(page);
  assert.ok((await lawsThat(page, 'fails')).includes('weightsAreFinite'));
  const said = (await mistake(page, 'noMaximum').locator('.consequence').textContent()) ?? '';
  const { scaled, tokens } = await resultShown(widget(page));
  const largest = Math.max(...scaled.flat());
  const row = tokens[scaled.findIndex((scores) => scores.includes(largest))];
  assert.ok(largest > 11.09);
  assert.ok(said.includes(`Overflow in row “${row}”: at a score of ${largest.toFixed(2)}`), said);
  const invalid = page.locator('.cell[data-kind="invalid"]');
  assert.ok((await invalid.count()) > 0);
  assert.equal(await invalid.first().textContent(), 'overflow');
  assert.equal(await invalid.first().evaluate((cell) => /shade/.test(cell.className)), false);
});

pageTest('dropout tells how many weights of the row are gone, and that its sum is no bug', async (page) => {
  await openPanels(page);
  await mistake(page, 'dropout').locator('button.toggle').click();
  await settled(page);
  const { metrics } = await resultShown(widget(page));
  const said = (await mistake(page, 'dropout').locator('.consequence').textContent()) ?? '';
  assert.ok(said.startsWith(`Row “journey” sums to ${metrics.rowSum[1].toFixed(2)}: 4 of 6 weights`), said);
  assert.match(said, /÷ \(1 − 0\.50\)\. No bug/);
  await set(widget(page), { dropout: 0.2 });
  assert.equal(await mistake(page, 'dropout').locator('button.toggle').getAttribute('aria-pressed'), 'true');
});

pageTest('two mistakes at once are both named, and each is mended alone', async (page) => {
  await openPanels(page);
  await mistake(page, 'oneMatrix').locator('button.toggle').click();
  await mistake(page, 'wrongAxis').locator('button.toggle').click();
  await settled(page);
  await mistake(page, 'wrongAxis').getByText('Mend it').click();
  await settled(page);
  const state = await stateOf(widget(page));
  assert.equal(state.projections, 'shared');
  assert.equal(state.softmaxAxis, 'keys');
});

pageTest('without parameters the slider widens the embeddings too', async (page) => {
  await openPanels(page);
  await mistake(page, 'noParameters').locator('button.toggle').click();
  await page.locator('[part="slider"]').press('End');
  await settled(page);
  const { shapes } = await resultShown(widget(page));
  assert.deepEqual(shapes.X, [6, 64]);
  assert.deepEqual(shapes.Q, [6, 64]);
});

pageTest('a broken check leads to the proofs', async (page) => {
  await openPage(page, '<attention-widget divisor="none"></attention-widget>');
  await page.locator('[data-group="break"]').click();
  await mistake(page, 'noDivisor').locator('.deeds button').first().click();
  await page.locator('[data-panel="proofs"][open] .proof').last().waitFor();
});

pageTest('mending gives back what stood before the mistake', async (page) => {
  await openPanels(page);
  for (const before of ['none', 'causal']) {
    await set(widget(page), { mask: before });
    await mistake(page, 'lateMask').locator('button.toggle').click();
    await settled(page);
    assert.equal((await stateOf(widget(page))).mask, 'late');
    await mistake(page, 'lateMask').getByText('Mend it').click();
    await settled(page);
    assert.equal((await stateOf(widget(page))).mask, before);
  }
  await set(widget(page), { mask: 'none', dModel: 9, dK: 8, dV: 5, heads: 2, head: 1 });
  const before = await stateOf(widget(page));
  await mistake(page, 'noParameters').locator('button.toggle').click();
  await settled(page);
  await mistake(page, 'noParameters').getByText('Mend it').click();
  await settled(page);
  assert.deepEqual(await stateOf(widget(page)), before);
  await set(widget(page), { divisor: 'none' });
  await mistake(page, 'divisorTooLarge').locator('button.toggle').click();
  await mistake(page, 'divisorTooLarge').getByText('Mend it').click();
  await settled(page);
  assert.equal((await stateOf(widget(page))).divisor, 'sqrt', 'not another mistake');
});

pageTest(
  'consequences say what differs and no more, one row is not many, and overflowed rows pass none',
  async (page) => {
    await openPanels(page, 'blend="embeddings"');
    const said = (/** @type {string} */ name) => mistake(page, name).locator('.consequence').textContent();
    assert.match((await said('rawEmbeddings')) ?? '', /^The output is off A·V by \d+\.\d\d; Wv learns nothing\.$/);
    await set(widget(page), { dV: 5 });
    assert.match((await said('rawEmbeddings')) ?? '', /16 wide where dv is 5/);
    await set(widget(page), { blend: 'values', dV: null, dK: 12, divisor: 'none' });
    assert.match((await said('noDivisor')) ?? '', /1 of 6 rows passes no gradient\. The default seed shows this/);
    await set(widget(page), { dK: 64, softmax: 'naive' });
    const { metrics } = await resultShown(widget(page));
    const none = metrics.gradient.filter((gradient) => gradient === 'dead' || gradient === 'undefined').length;
    assert.ok((await said('noDivisor'))?.includes(`${none} of 6 rows pass no gradient`));
  },
);
