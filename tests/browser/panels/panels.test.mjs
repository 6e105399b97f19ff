// Which panels there are, when one is open, and when it computes.

import assert from 'node:assert/strict';
import { openPage, pageTest, set } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const only = (/** @type {Page} */ page) => page.locator('attention-widget');

pageTest('panels are closed until they are opened, and a closed one draws nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const names = await page.locator('.panel').evaluateAll((all) => all.map((each) => each.getAttribute('data-panel')));
  const first = ['break', 'proofs', 'shapes', 'worksheet', 'jacobian', 'compare'];
  assert.deepEqual(names, [...first, 'gradients', 'train', 'law', 'checkpoints', 'code', 'share']);
  assert.equal(await page.locator('.proof').count(), 0);
  await page.locator('[data-panel="proofs"] > summary').click();
  await page.locator('.proof').last().waitFor();
  assert.equal(await page.locator('.proof').count(), 15);
});

pageTest('panels come after the first picture and move nothing, and none leave no room', async (page) => {
  await page.addInitScript(() => {
    const seen = /** @type {any} */ ([]);
    Object.assign(window, { seen });
    document.addEventListener('attention-change', ({ target }) => {
      const root = /** @type {Element} */ (target).shadowRoot?.querySelector('.panels');
      seen.push(root?.childElementCount, root?.getBoundingClientRect().height);
    });
  });
  await openPage(page, '<attention-widget></attention-widget>');
  const [count, before] = await page.evaluate(() => /** @type {any} */ (window).seen);
  const height = async () => (await page.locator('.panels').boundingBox())?.height ?? 0;
  assert.equal(count, 0);
  assert.equal(await page.locator('.panel').count(), 12);
  assert.ok(Math.abs((await height()) - before) < 2, `${before} before, ${await height()} after`);
  await set(only(page), { panels: [] });
  assert.equal(await height(), 0);
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

pageTest('all panels by name are opened, also where they are chosen later', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const names = await page.locator('.panel').evaluateAll((all) => all.map((each) => each.getAttribute('data-panel')));
  assert.equal(names.length, 12);
  await set(only(page), { panels: names });
  assert.equal(await page.locator('.panel[open]').count(), 12);
  await set(only(page), { panels: [] });
  assert.equal(await page.locator('.panel').count(), 0);
  await set(only(page), { panels: null });
  assert.equal(await page.locator('.panel').count(), 12);
});

pageTest('an unknown panel is refused by name', async (page) => {
  await openPage(page, '<attention-widget panels="proofs charts"></attention-widget>');
  assert.match(
    (await page.locator('.problem').textContent()) ?? '',
    /^panels .*must list names out of break, proofs, shapes/,
  );
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
    { padding: 3, mask: 'window', window: 2, row: 5 },
    { context: ['le', 'chat', 'noir'], heads: 2, head: 1 },
    { tokens: ['a'], context: Array.from({ length: 40 }, (_, i) => `t${i}`), mask: 'causal' },
  ]) {
    await set(widget(page), { state });
    assert.equal(await page.locator('.problem').isVisible(), false, JSON.stringify(state));
  }
});

pageTest('a closed panel computes nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await set(only(page), { dK: 20 });
  assert.equal(await only(page).locator('.small-map, .worksheet').count(), 0);
});
