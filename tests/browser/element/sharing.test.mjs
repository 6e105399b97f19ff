// A state that is taken along, kept in the address, held fast, or set by the prose around it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
  eventually,
  openPage,
  pageTest,
  resultShown,
  set,
  settled,
  stateOf,
  strictPolicy,
  widgetScript,
} from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();
const dK = async (/** @type {Page} */ page) => (await stateOf(widget(page))).dK;
const hash = (/** @type {Page} */ page) => page.evaluate(() => location.hash);

/** Turns the slider by a key. @param {Page} page @param {string} key */
async function pressOnSlider(page, key) {
  await widget(page).getByRole('slider').focus();
  await page.keyboard.press(key);
  await settled(page);
}

pageTest('the panel gives a tag, a frame and a link, each of which shows the state again', async (page) => {
  const attributes = `divisor="none" mask="causal" tokens='["a \\&quot;b","<c>","d"]' row="2" d-k="5" panels="share"`;
  await openPage(page, `<attention-widget ${attributes}></attention-widget>`);
  const state = await stateOf(widget(page));
  const [tag, frame, link] = await page.locator('.share pre').allTextContents();

  await openPage(page, tag, { head: '' });
  assert.deepEqual(await stateOf(widget(page)), state);

  await page.goto(link);
  await settled(page);
  assert.deepEqual(await stateOf(widget(page)), state);

  await openPage(page, frame, { head: '' });
  const inFrame = page.frameLocator('iframe').locator('attention-widget');
  await inFrame.locator('.map').waitFor();
  assert.deepEqual(await stateOf(inFrame), state);
  await eventually(async () => (await page.locator('iframe').boundingBox())?.height !== 960, true);
});

pageTest('where there is no clipboard the text of a button is selected', async (page) => {
  await openPage(page, '<attention-widget panels="share" d-k="7"></attention-widget>');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Copy: A link to this state' }).click();
  await page.getByText('Selected: copy it with the keyboard').waitFor();
  assert.match(await page.evaluate(() => String(getSelection())), /embed\/embed\.html\?v=1&d-k=7&panels=share$/);
});

for (const [name, start] of /** @type {const} */ ([
  ['SVG', '<svg '],
  ['PNG', '\ufffdPNG'],
  ['CSV', 'query,key,visible,score,scaled,weight\r\n'],
  ['JSON', '{\n "state": {'],
])) {
  pageTest(`the picture is saved as ${name}`, async (page) => {
    await openPage(page, '<attention-widget panels="share" d-k="3"></attention-widget>');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `attention.${name.toLowerCase()}`);
    const bytes = await readFile(await download.path());
    assert.ok(bytes.toString().startsWith(start), bytes.toString().slice(0, 40));
    assert.ok(bytes.length > 400);
  });
}

pageTest('toSVG and toCSV hold the weights on the screen, in the language of the widget', async (page) => {
  await openPage(page, '<attention-widget d-k="3" mask="causal"></attention-widget>');
  const { weights } = await resultShown(widget(page));
  const [svg, csv] = await widget(page).evaluate(async (element) => {
    const shown = /** @type {any} */ (element);
    return [await shown.toSVG(), shown.toCSV()];
  });
  assert.ok(svg.includes(`>${weights[1][0].toFixed(2)}<`));
  assert.ok(csv.includes(`journey,Your,1,`) && csv.includes(`,${weights[1][0]}\r\n`));
});

pageTest('without a picture toSVG says why there is none', async (page) => {
  await openPage(page, '<attention-widget d-k="0"></attention-widget>');
  const message = await widget(page).evaluate(async (element) => {
    try {
      return await /** @type {any} */ (element).toSVG();
    } catch (error) {
      return String(error);
    }
  });
  assert.equal(message, 'EngineError: dK is 0, but must be a whole number from 1 to 512');
});

pageTest('a page that does not ask for it keeps its address', async (page) => {
  await openPage(page, '<attention-widget id="w1"></attention-widget>');
  await pressOnSlider(page, 'End');
  await page.waitForTimeout(900);
  assert.equal(await hash(page), '');
});

pageTest('a linked widget keeps its state in the address, and Back takes a change back', async (page) => {
  const body = '<attention-widget id="w1" linked d-k="8"></attention-widget><attention-widget></attention-widget>';
  await openPage(page, body);
  await page.evaluate(() => history.replaceState(null, '', '#section-2'));
  await pressOnSlider(page, 'End');
  await eventually(() => hash(page), '#section-2;w1:v=1&d-k=64');
  await widget(page).getByRole('button', { name: '÷ √dk' }).click();
  await eventually(() => hash(page), '#section-2;w1:v=1&d-k=64&divisor=none');
  await page.goBack();
  await eventually(async () => (await stateOf(widget(page))).divisor, 'sqrt');
  assert.equal(await dK(page), 64);
  await page.goBack();
  await eventually(() => dK(page), 8);
  assert.equal(await hash(page), '#section-2');
  await page.goForward();
  await eventually(() => dK(page), 64);
});

pageTest(
  'a widget that is linked opens in the state of its address, and passes over what it cannot read',
  async (page) => {
    const body = '<attention-widget id="w1" linked seed="3"></attention-widget>';
    await openPage(page, body);
    await page.goto(`${page.url()}#w2:v=1&d-k=3;w1:v=1&d-k=40&divisor=none&colour=red&row=-1`);
    await page.reload();
    await settled(page);
    const { dK: width, divisor, seed, row } = await stateOf(widget(page));
    assert.deepEqual([width, divisor, seed, row], [40, 'none', 3, 1]);
  },
);

pageTest('a drag of the slider is one step of the history', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked></attention-widget>');
  const before = await page.evaluate(() => history.length);
  await widget(page).getByRole('slider').focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
  }
  await eventually(() => hash(page), '#w1:v=1&d-k=20');
  assert.equal(await page.evaluate(() => history.length), before + 1);
});

pageTest('links and buttons of the prose set a widget, by clicks and by keys', async (page) => {
  const body =
    '<p><a href="#" data-attention-for="w1" data-d-k="64" data-divisor="none">drag it up</a> or ' +
    '<button data-attention-for="w1" data-mask="causal" data-row="3">hide the future</button>, but ' +
    '<a href="#elsewhere" data-attention-for="w9" data-d-k="3">not here</a></p>' +
    '<attention-widget></attention-widget><attention-widget id="w1"></attention-widget>';
  await openPage(page, body);
  const driven = page.locator('#w1');
  await page.getByRole('link', { name: 'drag it up' }).click();
  await settled(page);
  const { dK: width, divisor } = await stateOf(driven);
  assert.deepEqual([width, divisor], [64, 'none']);
  await page.getByRole('button', { name: 'hide the future' }).focus();
  await page.keyboard.press('Enter');
  await settled(page);
  const { mask, row, dK: same } = await stateOf(driven);
  assert.deepEqual([mask, row, same], ['causal', 3, 64]);
  assert.equal((await stateOf(page.locator('attention-widget').first())).dK, 16);
  assert.equal(await hash(page), '');
  await page.getByRole('link', { name: 'not here' }).click();
  assert.equal(await hash(page), '#elsewhere');
});

pageTest('prose that asks for nonsense gets the sentence, and the widget mends', async (page) => {
  const body =
    '<a href="#" data-attention-for="w1" data-d-k="lots">many</a> <a href="#" data-attention-for="w1" data-d-k="9">nine</a>' +
    '<attention-widget id="w1"></attention-widget>';
  await openPage(page, body);
  await page.getByText('many').click();
  await page.getByText('d-k is "lots", but must be a whole number from 1 to 512.').waitFor();
  await page.getByText('nine').click();
  await settled(page);
  assert.equal((await resultShown(widget(page))).shapes.Q[1], 9);
});

pageTest('what is locked the reader cannot change, and the author can', async (page) => {
  await openPage(page, '<attention-widget locked="d-k divisor seed row" panels="break"></attention-widget>');
  await page.locator('[data-mistake]').last().waitFor();
  assert.ok(await widget(page).getByRole('slider').isDisabled());
  assert.ok(await widget(page).getByRole('button', { name: '÷ √dk', exact: false }).first().isDisabled());
  assert.ok(await page.locator('[data-mistake="noDivisor"] button').first().isDisabled());
  assert.ok(await page.locator('[data-mistake="wrongAxis"] button').first().isEnabled());
  const before = await stateOf(widget(page));
  await widget(page).locator('[data-row="3"][data-column="2"]').first().click();
  await settled(page);
  assert.deepEqual(await stateOf(widget(page)), before);
  await widget(page).getByRole('button', { name: 'causal mask' }).click();
  await settled(page);
  assert.equal((await stateOf(widget(page))).mask, 'causal');
  await set(widget(page), { dK: 32 });
  assert.equal(await dK(page), 32);
});

pageTest('a second copy of the script leaves the prose as it is', async (page) => {
  const body = '<a href="#" data-attention-for="w1" data-d-k="9">nine</a><attention-widget id="w1"></attention-widget>';
  await openPage(page, body, { head: `${widgetScript}<script src="/attention-widget.classic.js"></script>` });
  let changes = 0;
  await page.exposeFunction('count', () => changes++);
  await widget(page).evaluate((element) =>
    element.addEventListener('attention-change', () => /** @type {any} */ (window).count()),
  );
  await page.getByText('nine').click();
  await settled(page);
  await eventually(async () => changes, 1);
});

pageTest(
  'where the script of pictures does not come, the panel says so, and the tables are saved all the same',
  async (page) => {
    await openPage(page, '<attention-widget panels="share"></attention-widget>');
    await page.route('**/picture.js', (route) => route.abort());
    await page.getByRole('button', { name: 'SVG', exact: true }).click();
    await page.getByText('picture.js, which draws pictures as files, does not load from beside the widget').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'attention.csv');
    await page.unroute('**/picture.js');
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG', exact: true }).click()]);
    assert.equal(await page.locator('.share [role="alert"]').textContent(), '');
  },
  {},
  /picture\.js|ERR_FAILED/,
);

pageTest('under the strictest policy pictures are saved by every form of the widget', async (page) => {
  for (const head of [widgetScript, '<script src="/attention-widget.classic.js"></script>']) {
    const headers = { 'content-security-policy': `${strictPolicy}; img-src data:` }; // the test page's own icon
    await openPage(page, '<attention-widget></attention-widget>', { head, headers });
    const svg = await widget(page).evaluate((element) => /** @type {any} */ (element).toSVG());
    assert.match(svg, /^<svg /);
  }
});
