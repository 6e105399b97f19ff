// Mistakes on purpose, the proofs that they turn red, and the exercises around them, with real clicks.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const mistake = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-mistake="${name}"]`);
const law = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-law="${name}"]`);

/**
 * The laws with an outcome, as the panel of proofs shows them.
 *
 * @param {Page} page
 * @param {string} outcome
 */
function lawsThat(page, outcome) {
  return page
    .locator(`.proof[data-outcome="${outcome}"]`)
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-law')));
}

/** @param {Page} page @param {string} [attributes] */
async function openPanels(page, attributes = '') {
  await openPage(page, `<attention-widget panels="break proofs checkpoints" ${attributes}></attention-widget>`);
  await page.locator('.proof').last().waitFor();
}

pageTest('panels are closed until they are opened, and a closed one draws nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const names = await page.locator('.panel').evaluateAll((all) => all.map((each) => each.getAttribute('data-panel')));
  const first = ['break', 'proofs', 'shapes', 'worksheet', 'jacobian', 'compare'];
  assert.deepEqual(names, [...first, 'gradients', 'train', 'law', 'checkpoints', 'code', 'share']);
  assert.equal(await page.locator('.proof').count(), 0);
  await page.locator('[data-panel="proofs"] > summary').click();
  await page.locator('.proof').last().waitFor();
  assert.equal(await page.locator('.proof').count(), 12);
});

pageTest('an open panel that is out of sight follows the picture, and updated waits for it', async (page) => {
  await openPage(page, '<attention-widget panels="shapes worksheet jacobian gradients law"></attention-widget>');
  await page.setViewportSize({ width: 1000, height: 300 });
  const read = (/** @type {boolean} */ isPatient) =>
    widget(page).evaluate(async (element, waits) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      const width = () => root.querySelector('.shapes button[data-dimension="d_k"] b')?.textContent;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const before = width();
      Object.assign(element, { dK: waits ? 8 : 5 });
      await (waits ? /** @type {any} */ (element).updated : Promise.resolve().then(() => {}));
      return [before, root.querySelector('output')?.textContent, width()];
    }, isPatient);
  assert.deepEqual(await read(false), ['16', '5', '16']);
  assert.deepEqual(await read(true), ['5', '8', '8']);
});

pageTest('the attribute panels chooses panels and their order, and opens them', async (page) => {
  await openPage(page, '<attention-widget panels="proofs break"></attention-widget>');
  await page.locator('.proof').last().waitFor();
  const names = await page
    .locator('.panel[open]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-panel')));
  assert.deepEqual(names, ['proofs', 'break']);
});

pageTest('an unknown panel is refused by name', async (page) => {
  await openPage(page, '<attention-widget panels="proofs charts"></attention-widget>');
  assert.match(
    (await page.locator('.problem').textContent()) ?? '',
    /^panels .*must list names out of break, proofs, shapes/,
  );
});

pageTest('on the right state no law fails', async (page) => {
  await openPanels(page);
  assert.deepEqual(await lawsThat(page, 'fails'), []);
  assert.deepEqual(await lawsThat(page, 'notClaimed'), ['futureIsHidden', 'pastIsUntouched']);
});

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
  assert.ok(said.startsWith(`Row “journey” sums to ${metrics.rowSum[1].toFixed(2)}: 3 of 6 weights`), said);
  assert.match(said, /× 2\.00\. No bug/);
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
  await page.locator('input[type="range"]').press('End');
  await settled(page);
  const { shapes } = await resultShown(widget(page));
  assert.deepEqual(shapes.X, [6, 64]);
  assert.deepEqual(shapes.Q, [6, 64]);
});

pageTest('a proof opens to the numbers that it compares', async (page) => {
  await openPanels(page, 'mask="late"');
  await law(page, 'rowsSumToOne').locator('summary').click();
  await law(page, 'rowsSumToOne').locator('tbody tr').first().waitFor();
  const rows = await law(page, 'rowsSumToOne')
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const { metrics, tokens } = await resultShown(widget(page));
  assert.deepEqual(
    rows.map(([token, found, expected]) => [token, found, expected]),
    tokens.map((token, row) => [token, metrics.rowSum[row].toFixed(2), '1.00']),
  );
  await set(widget(page), { mask: 'causal' });
  assert.equal(await law(page, 'rowsSumToOne').locator('td').first().textContent(), '1.00');
});

pageTest('a broken check leads to the proofs', async (page) => {
  await openPage(page, '<attention-widget divisor="none"></attention-widget>');
  await page.locator('[data-panel="break"] > summary').click();
  await mistake(page, 'noDivisor').locator('.deeds button').first().click();
  await page.locator('[data-panel="proofs"][open] .proof').last().waitFor();
});

pageTest('an exercise waits for the deed, checks the guess against the state, and tells the page', async (page) => {
  await openPanels(page);
  await page.evaluate(() => {
    Object.assign(window, { checkpoints: [] });
    document.addEventListener('attention-checkpoint', (event) =>
      /** @type {any} */ (window).checkpoints.push(/** @type {CustomEvent} */ (event).detail),
    );
  });
  const exercise = page.locator('[data-exercise="peak"]');
  await exercise.getByText('about 0.3').click();
  assert.equal(await exercise.getAttribute('data-outcome'), 'waiting');
  await page.locator('button[part="toggle"]').click();
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'waiting');
  await page.locator('input[type="range"]').press('End');
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'fails');
  const { metrics } = await resultShown(widget(page));
  assert.equal(await exercise.locator('.outcome').textContent(), 'Not so: about 1. The peak weight is 1.00.');
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).checkpoints), [
    { name: 'peak', guess: 'low', answer: 'one', correct: false, found: metrics.peak[1] },
  ]);
});

pageTest(
  'changing the last word under the mask leaves the earlier outputs, and the exercise counts them',
  async (page) => {
    await openPanels(page, 'mask="causal"');
    const exercise = page.locator('[data-exercise="lastToken"]');
    await exercise.getByText('the last alone').click();
    await page.locator('[part="sentence"]').fill('Your journey starts with one leap');
    await settled(page);
    assert.equal(await exercise.getAttribute('data-outcome'), 'holds');
    assert.equal(await exercise.locator('.outcome').textContent(), 'Right. 0 earlier outputs changed.');
  },
);

pageTest('the exercise on divisors wants both to be seen', async (page) => {
  await openPanels(page, 'd-k="64"');
  const exercise = page.locator('[data-exercise="divisor"]');
  await exercise.locator('input[value="dk"]').check();
  await mistake(page, 'noDivisor').locator('button.toggle').click();
  await mistake(page, 'noDivisor').getByText('Mend it').click();
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'waiting');
  await mistake(page, 'divisorTooLarge').locator('button.toggle').click();
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'fails');
});

pageTest('a question shows the state and the panel that answer it', async (page) => {
  await openPanels(page);
  await page.locator('.checkpoints li', { hasText: 'Would dividing by' }).getByText('Show me').click();
  await settled(page);
  assert.equal((await stateOf(widget(page))).divisor, 'dk');
});

pageTest('every panel says what odd states are, and none throws', async (page) => {
  await openPage(
    page,
    '<attention-widget panels="break proofs shapes worksheet jacobian compare checkpoints code"></attention-widget>',
  );
  for (const state of [
    { tokens: ['alone'] },
    { tokens: ['a', 'b'], dK: 1 },
    { mask: 'causal', row: 0 },
    { softmax: 'naive', divisor: 'none', dK: 64 },
    { preset: 'four-token' },
    { tokens: Array.from({ length: 40 }, (_, i) => `t${i}`) },
    { blend: 'embeddings', dV: 3 },
    { dropout: 0.9 },
  ]) {
    await set(widget(page), { state });
    assert.equal(await page.locator('.problem').isVisible(), false, JSON.stringify(state));
  }
});
