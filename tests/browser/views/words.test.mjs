// Tokens in texts: repeated words, directions, tokens that are long or cannot be seen; and what screen readers are told.

import assert from 'node:assert/strict';
import { openPage, pageTest, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const text = (/** @type {Page} */ page, /** @type {string} */ selector) => only(page).locator(selector).textContent();

/** The accessibility tree of the page: roles, names and values. @param {Page} page */
async function tree(page) {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, value }) => ({ role: role?.value, name: String(name?.value ?? ''), value: value?.value }));
}

pageTest('the same words of a sentence are told apart wherever they are named', async (page) => {
  await openPage(page, `<attention-widget tokens="the cat saw the dog" row="3" panels="proofs"></attention-widget>`);
  assert.equal(await text(page, '[part="row"] h3'), '“the (4)” looks at …');
  assert.match((await text(page, '[part="arithmetic"] h3')) ?? '', /^“the \(4\)” → “/);
  assert.equal(await text(page, '[data-figure="peak"] .figure-name'), 'peak weight, “the (4)”');
  const labels = only(page).locator('[part="heatmap"] .row-label');
  assert.deepEqual(await labels.allTextContents(), ['the', 'cat', 'saw', 'the', 'dog'], 'as they are written');
  const names = (await tree(page)).map(({ role, name }) => `${role} ${name}`);
  for (const name of ['rowheader the (1)', 'rowheader the (4)', 'columnheader the (4)', 'rowheader cat']) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(names.some((name) => name.startsWith('gridcell \u2068the (1)\u2069 looks at \u2068the (4)\u2069, 0.')));
  await only(page).locator('[data-law="rowsSumToOne"] > summary').click();
  assert.deepEqual(await only(page).locator('[data-law="rowsSumToOne"] tbody th').allTextContents(), [
    'the (1)',
    'cat',
    'saw',
    'the (4)',
    'dog',
  ]);
});

pageTest('a token keeps its direction to itself, and none turns the numbers after it', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await only(page).evaluate(async (/** @type {any} */ element) => {
    element.change({ tokens: ['\u0645\u0631\u062d\u0628\u0627', '-5', '\u202eabc'], row: 0 });
    await element.updated;
  });
  await only(page).locator('[data-row="0"][data-column="1"]').click();
  await settled(page);
  const title = only(page).locator('[part="arithmetic"] h3');
  assert.deepEqual(await title.locator('bdi').allTextContents(), ['\u0645\u0631\u062d\u0628\u0627', '-5']);
  const [query, key] = await Promise.all([0, 1].map((place) => title.locator('bdi').nth(place).boundingBox()));
  assert.ok(Number(query?.x) < Number(key?.x), 'the query stands before the key');
  assert.equal(await only(page).locator('.row-label').nth(2).textContent(), 'U+202Eabc');
});

pageTest('a word of 100 000 letters does not make the page taller, with every panel open', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const heightWith = (/** @type {string} */ word) =>
    only(page).evaluate(async (/** @type {any} */ element, word) => {
      element.change({ tokens: [word, 'cat', word], row: 0 });
      await element.updated;
      for (const details of element.shadowRoot.querySelectorAll(
        '.panel:not([data-panel="share"], [data-panel="code"])',
      )) {
        details.open = true;
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await element.updated;
      return document.documentElement.scrollHeight;
    }, word);
  const usual = await heightWith('long');
  const high = await heightWith('m'.repeat(100_000));
  assert.ok(high < 1.2 * usual, `${high} against ${usual} px`);
});

pageTest('a label has something to point at, whatever the token', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await only(page).evaluate(async (/** @type {any} */ element) => {
    element.change({ tokens: ['\ufe0f', '\u3164', '\u0301', '\u2800', ' '], row: 0 });
    await element.updated;
  });
  const widths = await only(page)
    .locator('.row-label bdi')
    .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().width));
  assert.equal(widths.length, 5);
  assert.ok(
    widths.every((width) => width > 4),
    String(widths),
  );
});

pageTest(
  'a screen reader hears the slider once, symbols as words, panels as headings, and numbers as shown',
  async (page) => {
    await openPage(
      page,
      '<attention-widget panels="break shapes worksheet jacobian checkpoints law gradients train compare"></attention-widget>',
    );
    // Panels come one after the other; the last is Compare.
    await only(page).locator('.compare').waitFor();
    await settled(page);
    const nodes = await tree(page);
    const named = (/** @type {string} */ role) => nodes.filter((node) => node.role === role).map(({ name }) => name);
    assert.equal(nodes.filter(({ role, name }) => role === 'status' && name === '16').length, 0, 'no second voice');
    assert.ok(named('slider').includes('d k, the number of dimensions of a query and a key'));
    for (const panel of ['Break it', 'Softmax Jacobian', 'Checkpoints', 'Gradients', 'Train', 'Compare']) {
      assert.ok(named('heading').includes(panel), panel);
    }
    for (const { role, name } of nodes) {
      assert.doesNotMatch(
        role === 'StaticText' || role === 'InlineTextBox' ? '' : name,
        /\b[a-zA-Z]_[a-z]/,
        `${role} ${name}`,
      );
      assert.doesNotMatch(role === 'gridcell' ? name : '', /\d\.\d{5}/, name);
    }
    const buttons = named('button').filter((name) => name.startsWith('Show me'));
    assert.equal(new Set(buttons).size, 7, 'each says what it shows');
    const disclosures = named('DisclosureTriangle');
    const tables = disclosures.filter((name) => name.startsWith('The same numbers as a table: '));
    assert.equal(tables.length, new Set(tables).size);
    assert.ok(
      disclosures.includes('norm 0.33') || disclosures.some((name) => /^norm \d/.test(name)),
      String(disclosures),
    );
  },
  { viewport: { width: 1000, height: 12_000 } },
);

pageTest('the consequence of a mistake is announced, and that it is mended, and the end of an error', async (page) => {
  await openPage(page, '<attention-widget panels="break"></attention-widget>');
  const status = only(page).locator('.break-it > .announcer');
  const toggle = only(page).getByRole('button', { name: 'No divisor', exact: true });
  await toggle.click();
  await settled(page);
  assert.match(
    (await status.textContent()) ?? '',
    /^No divisor: The spread is 4\.\d\d and grows about as √d k;.*[^.]\. fails: /,
  );
  await toggle.click();
  await settled(page);
  assert.match((await status.textContent()) ?? '', /^No divisor: off\. holds: /);
  await only(page).getByLabel('Sentence').fill('');
  await settled(page);
  await only(page).getByLabel('Sentence').fill('a cat');
  await settled(page);
  await page.waitForTimeout(900);
  assert.match((await only(page).locator('.widget > .announcer').textContent()) ?? '', /^d k 16: score spread/);
});

pageTest(
  'where a finger points, no field is so small that a phone zooms into it',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const sizes = await only(page)
      .locator('[type="text"], select')
      .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
    assert.ok(sizes.length > 2 && sizes.every((size) => size >= 16), String(sizes));
  },
  { hasTouch: true, isMobile: true },
);

pageTest('code, tokens and symbols are not for translation', async (page) => {
  await openPage(page, '<attention-widget panels="code share"></attention-widget>');
  for (const selector of [
    '.row-label bdi',
    '[part="row"] h3 bdi',
    '.symbol',
    '.code code',
    '.share code',
    '.working',
  ]) {
    const marks = await only(page)
      .locator(selector)
      .evaluateAll((elements) => elements.map((element) => /** @type {HTMLElement} */ (element).translate));
    assert.ok(marks.length > 0 && marks.every((mark) => !mark), selector);
  }
});

pageTest(
  'the numbers of a narrow page stay whole',
  async (page) => {
    await openPage(page, '<attention-widget panels="law gradients"></attention-widget>');
    const numbers = only(page).locator('.norms dd');
    await numbers.first().waitFor();
    await page.waitForTimeout(1500);
    for (const height of await numbers.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))) {
      assert.ok(height > 0 && height < 40, `${height} px`);
    }
  },
  { viewport: { width: 320, height: 800 } },
);

pageTest('in Mexico numbers have a point, in Spain a comma, and what is typed is read so', async (page) => {
  await openPage(
    page,
    '<attention-widget lang="es-MX" panels="proofs shapes"></attention-widget><attention-widget lang="es" panels="proofs shapes"></attention-widget>',
  );
  const said = (/** @type {number} */ place, /** @type {string} */ selector) =>
    only(page).nth(place).locator(selector).textContent();
  assert.match((await said(0, '[data-figure="spread"] .figure-value')) ?? '', /^\d\.\d\d$/);
  assert.match((await said(1, '[data-figure="spread"] .figure-value')) ?? '', /^\d,\d\d$/);
  assert.match((await said(0, '[data-law="gradientIsAlive"] > p')) ?? '', /0\.05/);
  assert.match((await said(1, '[data-law="gradientIsAlive"] > p')) ?? '', /0,05/);
  assert.match((await said(0, '.shapes')) ?? '', /131,072.* 64\.?0? GiB/s);
  assert.match((await said(1, '.shapes')) ?? '', /131\.072/);
});
