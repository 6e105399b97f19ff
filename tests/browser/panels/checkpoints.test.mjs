// The exercises and questions. Covers panels/checkpoints.js and exercises.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, settled, stateOf } from '../support.mjs';
import { openPanels } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const mistake = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-mistake="${name}"]`);

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
  await page.locator('[part="slider"]').press('End');
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

/** The exercises and the questions that show. @param {Page} page */
const offered = (page) =>
  page.locator('.checkpoints').evaluate((root) => ({
    exercises: [...root.querySelectorAll('fieldset:not([hidden])')].map((each) => each.getAttribute('data-exercise')),
    questions: root.querySelectorAll('li:not([hidden])').length,
  }));

const byHand = ['oneNumber', 'equalRows', 'breakCausality'];

pageTest('each preset has exercises that can be done in it', async (page) => {
  await openPanels(page);
  assert.deepEqual((await offered(page)).exercises, ['peak', 'divisor', 'lateMask', 'lastToken', 'axis', 'oneMatrix']);
  await openPanels(page, 'preset="four-token"');
  assert.deepEqual((await offered(page)).exercises, ['oneKey', 'sharper', 'lateMask', 'axis', ...byHand, 'oneMatrix']);
  const oneKey = page.locator('[data-exercise="oneKey"]');
  await oneKey.getByText('exactly 1').click();
  await page.locator('.heatmap [role=rowheader]').first().click();
  await settled(page);
  if ((await oneKey.getAttribute('data-outcome')) === 'waiting') {
    await page.locator('attention-widget').evaluate((element) => Object.assign(element, { row: 0 }));
    await settled(page);
  }
  assert.equal(await oneKey.getAttribute('data-outcome'), 'holds');
  const sharper = page.locator('[data-exercise="sharper"]');
  await page.locator('attention-widget').evaluate((element) => Object.assign(element, { row: 2 }));
  await settled(page);
  await sharper.getByText('it falls').click();
  await page.locator('button[part="toggle"]').click();
  await settled(page);
  assert.equal(await sharper.getAttribute('data-outcome'), 'holds');
});

pageTest('what is locked, or has no panel, is not asked for', async (page) => {
  await openPanels(page, 'locked="mask d-k"');
  assert.deepEqual((await offered(page)).exercises, ['axis', 'oneMatrix']);
  const { questions } = await offered(page);
  assert.ok(questions > 0 && questions < 7);
  await openPage(page, '<attention-widget panels="checkpoints"></attention-widget>');
  assert.deepEqual((await offered(page)).exercises, ['peak', 'lastToken']);
  assert.equal((await offered(page)).questions, 0, 'each question leads to a panel');
});

pageTest('the same guess can be committed again', async (page) => {
  await openPanels(page);
  const exercise = page.locator('[data-exercise="lastToken"]');
  await exercise.getByText('the last alone').click();
  await page.locator('button[part="mask"]').click();
  await settled(page);
  await exercise.getByText('the last alone').click();
  await page.locator('[part="sentence"]').fill('Your journey starts with one leap');
  await settled(page);
  assert.equal(await exercise.getAttribute('data-outcome'), 'holds');
});

pageTest('every Show me, in any order, leads to a state that can be computed, from the lesson’s own', async (page) => {
  for (const attributes of ['d-k="24" mask="causal" heads="2"', 'preset="four-token"']) {
    await openPage(
      page,
      `<attention-widget panels="checkpoints break worksheet jacobian shapes" ${attributes}></attention-widget>`,
    );
    const opened = await stateOf(widget(page));
    const buttons = page.locator('.checkpoints li').getByText('Show me');
    await buttons.first().waitFor();
    for (const [first, second] of [
      [0, 2],
      [0, 1],
      [4, 3],
      [6, 1],
      [0, 6],
      [5, 0],
    ]) {
      await buttons.nth(first).click();
      await buttons.nth(second).click();
      await settled(page);
      assert.equal(await widget(page).evaluate((/** @type {any} */ element) => element.error), null);
    }
    await buttons.nth(0).click();
    await buttons.nth(1).click();
    await settled(page);
    assert.deepEqual(await stateOf(widget(page)), opened, 'this question needs nothing but the lesson');
  }
  const buttons = page.locator('.checkpoints li').getByText('Show me');
  await buttons.nth(3).click();
  await settled(page);
  assert.equal((await stateOf(widget(page))).divisor, 'none', 'the four tokens too show what the question asks');
});

/** @param {Page} page @param {string} edits @param {Record<string, unknown>} [others] */
async function edit(page, edits, others = {}) {
  await page.evaluate(
    (changes) => Object.assign(/** @type {any} */ (document.querySelector('attention-widget')), changes),
    { ...others, edits },
  );
  await settled(page);
}

pageTest('three exercises are done by hand with the four tokens, and the core judges them', async (page) => {
  await openPage(page, '<attention-widget preset="four-token" panels="checkpoints"></attention-widget>');
  const said = async (/** @type {string} */ name) => {
    const exercise = page.locator(`[data-exercise="${name}"]`);
    return [await exercise.getAttribute('data-outcome'), await exercise.locator('.outcome').textContent()];
  };
  await page.locator('[data-exercise="oneNumber"] input[value="q"]').check();
  await edit(page, 'Wq 0 0 40');
  assert.equal((await said('oneNumber'))[0], 'waiting', 'no entry of W_q does it');
  await edit(page, 'X 0 0 40 Wq 0 0 2');
  assert.equal((await said('oneNumber'))[0], 'waiting', 'two entries are not one');
  await edit(page, 'X 0 0 40');
  assert.deepEqual(await said('oneNumber'), ['fails', 'Not so: in X. “one” has 1.00 of the weight.']);
  await edit(page, '');
  await page.locator('[data-exercise="equalRows"] input[value="equal"]').check();
  await edit(page, 'X 2 1 0');
  assert.equal((await said('equalRows'))[0], 'waiting', 'the mask parts the rows');
  await edit(page, 'X 2 1 0', { mask: 'none' });
  assert.deepEqual(await said('equalRows'), ['holds', 'Right. Their entries differ by at most 0.']);
  await edit(page, '', { mask: 'causal' });
  await page.locator('[data-exercise="breakCausality"] input[value="some"]').check();
  await edit(page, 'X 3 0 7 X 1 0 7');
  assert.equal((await said('breakCausality'))[0], 'waiting', 'that was another token too');
  await edit(page, 'X 3 0 -70');
  assert.deepEqual(await said('breakCausality'), ['fails', 'Not so: none. 0 changed.']);
});
