// The panel that shares a state: tags, frames and links to copy, and files to save.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { eventually, openPage, pageTest, serve, settled, stateOf } from '../support.mjs';

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

pageTest('the link opens its state after programs that encode it, and says where it was cut', async (page) => {
  await openPage(page, `<attention-widget tokens='["a b","c+d","~"]' row="2" panels="share"></attention-widget>`);
  const link = (await page.locator('.share pre').allTextContents())[2];
  assert.match(link, /embed\.html\?[\w.=&-]+&end$/);
  for (const changed of [
    link,
    link.replaceAll('&', '&amp;'),
    link.replace('=', '%3D').replaceAll('&', '%26'),
    `${link}=`,
  ]) {
    await page.goto(changed);
    await settled(page);
    const { tokens, row } = await stateOf(widget(page));
    assert.deepEqual([tokens, row], [['a b', 'c+d', '~'], 2], changed);
    assert.equal(await page.locator('.unreadable').count(), 0);
  }
  await page.goto(link.replace(/\?.*/, '?v=1&tokens=the%2Bcat%2Bsat'));
  await settled(page);
  assert.deepEqual((await stateOf(widget(page))).tokens, ['the', 'cat', 'sat']);
});

pageTest(
  'a link that was cut off opens what it can, and says so',
  async (page) => {
    await openPage(page, '<attention-widget tokens="a b c" row="2" panels="share"></attention-widget>');
    const link = (await page.locator('.share pre').allTextContents())[2];
    for (const cut of [link.slice(0, -3), link.replace(/\?.*/, '?v=1&tokens=%5B%22a+b%22%2C%22')]) {
      await page.goto(cut);
      await page.getByText('The address holds a state that cannot be read').waitFor();
      await settled(page);
      assert.equal(await page.locator('.picture').isVisible(), true, cut);
    }
  },
  {},
  /^warning: attention-widget: the address holds a state that cannot be read/,
);

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
    await page
      .getByText(/picture\.js, which draws pictures as files, does not load from http:.*\/picture\.js\./)
      .waitFor();
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

/** The files of dist/ as a host has them that knows no address of theirs. */
const built = await readFile(new URL('../../../dist/attention-widget.js', import.meta.url), 'utf8');
const classic = await readFile(new URL('../../../dist/attention-widget.classic.js', import.meta.url), 'utf8');
const dataScript = `data:text/javascript;base64,${Buffer.from(classic).toString('base64')}`;

for (const [name, head] of [
  ['a bundle', '<script type="module" src="/app-1a2b.js"></script>'],
  ['a page of one file', `<script src="${dataScript}"></script>`],
  ['a script in the page', '<script src="/inline.js"></script>'],
  ['a blob', '<script src="/blob.js"></script>'],
]) {
  pageTest(
    `the widget out of ${name}: no text to paste holds an address that cannot exist, and what to put there is said`,
    async (page) => {
      serve('/app-1a2b.js', built);
      serve(
        '/inline.js',
        `document.addEventListener('DOMContentLoaded', () => {
           const script = document.createElement('script');
           script.textContent = ${JSON.stringify(classic).replaceAll('</', '<\\/')};
           document.head.append(script);
         });`,
      );
      serve(
        '/blob.js',
        `import(URL.createObjectURL(new Blob([${JSON.stringify(built)}], { type: 'text/javascript' })));`,
      );
      const panels = '<script src="/try-and-take.js"></script>';
      await openPage(page, '<attention-widget panels="share" lang="en"></attention-widget>', { head: panels + head });
      await page.locator('.share pre').first().waitFor();
      const texts = (await page.locator('.share pre').allTextContents()).slice(0, 3);
      for (const text of texts) {
        assert.match(text, /https:\/\/…\//);
        assert.doesNotMatch(text, /data:|blob:|app-1a2b|undefined|127\.0\.0\.1/);
      }
      await page.getByText('does not know where its files lie').waitFor();
      if (name !== 'a bundle') {
        await page.getByRole('button', { name: 'SVG', exact: true }).click();
        await page.getByText('this widget has no address of its own').waitFor();
      }
    },
  );
}

pageTest('a linked widget gives the address of its own page, which opens in the state', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked panels="share"></attention-widget>');
  await widget(page).evaluate((element) => /** @type {any} */ (element).change({ dK: 7 }));
  await settled(page);
  const link = (await page.locator('.share pre').nth(2).textContent()) ?? '';
  assert.match(link, /\/test\.html#~att~w1~d-k~7~end$/);
  await page.goto('about:blank');
  await page.goto(link);
  await settled(page);
  assert.equal((await stateOf(widget(page))).dK, 7);
});

pageTest("the frame's own text lets the buttons in the frame save and copy", async (page) => {
  await page.context().grantPermissions(['clipboard-write']); // as a browser with a window does after a click
  await openPage(page, '<attention-widget panels="share" d-k="3"></attention-widget>');
  const frame = (await page.locator('.share pre').nth(1).textContent()) ?? '';
  await openPage(page, frame, { head: '' });
  const inside = page.frameLocator('iframe');
  for (const name of ['CSV', 'JSON', 'SVG', 'PNG']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      inside.getByRole('button', { name, exact: true }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `attention.${name.toLowerCase()}`);
  }
  await inside.getByRole('button', { name: 'Copy: A link to this state' }).click();
  await inside.getByText('Copied', { exact: true }).waitFor();
});

pageTest(
  'in a frame whose page forbids downloads the reader gets the text to copy',
  async (page) => {
    await openPage(
      page,
      '<iframe sandbox="allow-scripts" width="900" height="800" src="/embed/embed.html?panels=share&amp;d-k=3"></iframe>',
      { head: '' },
    );
    const inside = page.frameLocator('iframe');
    await inside.getByRole('button', { name: 'CSV', exact: true }).click();
    await inside.getByText('allow-scripts allow-downloads').first().waitFor();
    await inside.getByText('query,key,visible,score,scaled,weight').waitFor();
  },
  {},
  /Download is disallowed/,
);

pageTest('a lesson of one’s own numbers is saved as JSON, and a link that would be too long says so', async (page) => {
  await openPage(page, '<attention-widget panels="share" edits="Wq 0 1 0.1"></attention-widget>');
  const link = page.getByRole('region', { name: 'A link to this state' });
  assert.match(String(await link.textContent()), /edits=Wq_0_1_0\.2e\.1&/);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Lesson as JSON' }).click();
  const saved = JSON.parse(await readFile(await (await coming).path(), 'utf8'));
  assert.equal(saved.version, 1);
  assert.deepEqual(saved.edits, [{ matrix: 'Wq', row: 0, column: 1, value: 0.1 }]);
  await page.locator('attention-widget').evaluate((element) => {
    const widget = /** @type {any} */ (element);
    widget.X = Array.from({ length: 6 }, (_, row) =>
      Array.from({ length: 64 }, (_, column) => Math.sin(64 * row + column)),
    );
  });
  await settled(page);
  assert.ok(await link.isHidden());
  assert.match(
    String(await page.locator('.share').textContent()),
    /would take \d{4,5} characters, and 8000 are the most.*Lesson as JSON/s,
  );
  await page.locator('attention-widget').evaluate((element) => Object.assign(element, { X: null }));
  await settled(page);
  assert.ok(await link.isVisible());
});
