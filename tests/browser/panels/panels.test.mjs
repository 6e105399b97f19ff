// Which panels there are, when one is open, and when it computes.

import assert from 'node:assert/strict';
import { openPage, pageTest, set } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget');
const only = (/** @type {Page} */ page) => page.locator('attention-widget');

const group = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(`[data-group="${name}"]`);
const shown = (/** @type {Page} */ page) =>
  page.locator('.panel').evaluateAll((all) => all.map((each) => each.getAttribute('data-panel')));

pageTest('panels stand in groups, of which one at a time is open, with its first panel', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  assert.deepEqual(await page.locator('[data-group] b').allTextContents(), ['See', 'Break', 'Learn', 'Try', 'Take']);
  assert.equal(
    await group(page, 'learn').locator('small').textContent(),
    'Softmax Jacobian, Gradients, Train, The law of √dk',
  );
  assert.deepEqual(await shown(page), []);
  await group(page, 'break').click();
  assert.deepEqual(await shown(page), ['break', 'proofs', 'compare']);
  assert.equal(await page.locator('.panel[open]').getAttribute('data-panel'), 'break');
  assert.equal(await page.locator('[data-panel="proofs"] small').textContent(), 'Which laws hold now?');
  assert.equal(await page.locator('.proof').count(), 0, 'a closed panel draws nothing');
  await page.locator('[data-panel="proofs"] > summary').click();
  await page.locator('.proof').last().waitFor();
  assert.equal(await page.locator('.proof').count(), 15);
  await group(page, 'see').press('Enter');
  assert.deepEqual(await shown(page), ['shapes', 'worksheet']);
  assert.equal(await group(page, 'break').getAttribute('aria-expanded'), 'false');
  await group(page, 'break').press('Space');
  assert.equal(await page.locator('.panel[open]').count(), 2, 'what the reader opened is still open');
  await group(page, 'break').click();
  assert.deepEqual(await shown(page), []);
});

pageTest('what follows the first picture moves nothing of it, and no panels leave no room', async (page) => {
  await page.addInitScript(() => {
    const seen = /** @type {any} */ ([]);
    const places = () => {
      const root = /** @type {ShadowRoot} */ (document.querySelector('attention-widget')?.shadowRoot);
      const all = root.querySelectorAll('.controls, .figures, .layer, .matrix, .hero .cell');
      return [...all].map((each) => Object.values(each.getBoundingClientRect().toJSON()).map(Math.round).join());
    };
    Object.assign(window, { seen, places });
    document.addEventListener('attention-change', () => {
      const root = document.querySelector('attention-widget')?.shadowRoot;
      seen.push(places(), root?.querySelectorAll('.panels').length);
    });
  });
  await openPage(page, '<attention-widget></attention-widget>');
  const { seen, after } = await page.evaluate(() => {
    const { seen, places } = /** @type {any} */ (window);
    return { seen, after: places() };
  });
  assert.ok(after.length > 40);
  assert.deepEqual(after, seen[0]);
  assert.equal(seen[1], 0, 'panels come later');
  await page.locator('.panels').waitFor();
  await set(only(page), { panels: [] });
  assert.equal((await page.locator('.panels').boundingBox())?.height ?? 0, 0);
});

pageTest('an open group and its panels stay open where the language changes', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await group(page, 'learn').click();
  await page.locator('[data-panel="train"] > summary').click();
  await page.evaluate(async () => {
    document.documentElement.lang = 'es';
    await /** @type {any} */ (document.querySelector('attention-widget')).updated;
  });
  await page.locator('[data-panel="train"][open] .train').waitFor();
  assert.equal(await page.locator('[data-group="learn"] b').textContent(), 'Aprender');
  assert.equal(await group(page, 'learn').getAttribute('aria-expanded'), 'true');
});

pageTest('a panel that lies beside the widget comes when it is opened, once', async (page) => {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openPage(page, '<attention-widget></attention-widget>');
  assert.ok(!asked.includes('/panels.js') && !asked.includes('/try-and-take.js'));
  await group(page, 'try').click();
  await page.locator('.checkpoints').waitFor();
  await group(page, 'see').click();
  await page.locator('.shapes').waitFor();
  await group(page, 'take').click();
  await page.locator('.code').waitFor();
  for (const script of ['/panels.js', '/try-and-take.js']) {
    assert.equal(asked.filter((path) => path === script).length, 1, script);
  }
});

pageTest('updated waits for a panel that lies beside the widget', async (page) => {
  await openPage(page, '<attention-widget panels="shapes"></attention-widget>');
  assert.equal(await page.locator('.shapes').count(), 1);
});

pageTest(
  'where the file beside the widget does not come, its panels say so, the others work, and they are there once it comes',
  async (page) => {
    let asked = 0;
    await page.route('**/panels.js', (route) => {
      asked++;
      return route.abort();
    });
    await openPage(page, '<attention-widget panels="shapes law break"></attention-widget>');
    await page
      .getByText(/^panels\.js, which brings panels that are seldom opened, does not load from http/)
      .first()
      .waitFor();
    assert.ok((await page.locator('.break-it .toggle').count()) >= 8);
    await set(only(page), { dK: 20 });
    assert.equal(asked, 1, 'it is not asked for at every change');
    await page.unroute('**/panels.js');
    for (let press = 0; press < 2; press++) {
      await page.locator('[data-panel="shapes"] > summary').click();
    }
    await page.locator('.shapes').waitFor();
  },
  {},
  /panels\.js|ERR_FAILED/,
);

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

pageTest('all panels by name are opened, also where they are chosen later, and groups come back', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const names = ['shapes', 'worksheet', 'break', 'proofs', 'compare', 'jacobian', 'gradients', 'train', 'law'];
  const all = [...names, 'checkpoints', 'code', 'share'];
  await set(only(page), { panels: all });
  assert.deepEqual(await shown(page), all);
  assert.equal(await page.locator('.panel[open]').count(), 12);
  assert.equal(await page.locator('[data-group]').count(), 0);
  await set(only(page), { panels: [] });
  assert.equal(await page.locator('.panel').count(), 0);
  await set(only(page), { panels: null });
  assert.equal(await page.locator('[data-group]').count(), 5);
});

pageTest('an unknown panel is refused by name', async (page) => {
  await openPage(page, '<attention-widget panels="proofs charts"></attention-widget>');
  assert.match(
    (await page.locator('.problem').textContent()) ?? '',
    /^panels .*must list names out of shapes, worksheet, break/,
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
