// The panel that shares a state: tags, frames and links to copy, and files to save.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { eventually, openPage, pageTest, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();

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
  ['CSV', '\ufeffquery,key,visible,score,scaled,weight\r\n'],
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
