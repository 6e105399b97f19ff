// Bringing matrices and taking them away: pasting, dropping, the dialog, examples, files. Covers exchange/*.js and
// panels/numbers.js.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { openPage, pageTest, settled, strictPolicy } from '../support.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} [attributes] */
async function openNumbers(page, attributes = '') {
  await openPage(page, `<attention-widget panels="numbers" ${attributes}></attention-widget>`, {
    headers: { 'content-security-policy': `${strictPolicy}; img-src data:` },
  });
  await page.locator('.exchange').waitFor();
}

/** @param {Page} page @param {string} expression  of `widget` @returns {Promise<any>} */
const ask = (page, expression) =>
  page.evaluate(`((widget) => (${expression}))(document.querySelector('attention-widget'))`);

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** @param {Page} page @param {{name: string, mimeType: string, buffer: Buffer}[]} files */
async function choose(page, files) {
  await page.locator('.exchange input[type=file]').setInputFiles(files);
}

/** @param {string} name @param {Buffer} buffer */
const file = (name, buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

/** Takes what the dialog shows. @param {Page} page */
async function taken(page) {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Take' }).click();
  await dialog.waitFor({ state: 'hidden' }); // files are read on the way
  await settled(page);
}

/** A file as PyTorch saves a layer: its linear layers are [out, in]. @param {Record<string, {shape: number[], data: number[]}>} tensors */
function safetensors(tensors) {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, data }]) => {
      const start = end;
      end += 4 * data.length;
      return [name, { dtype: 'F32', shape, data_offsets: [start, end] }];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const numbers = Object.values(tensors).map(({ data }) => Buffer.from(new Float32Array(data).buffer));
  return Buffer.concat([length, text, ...numbers]);
}

const sheet = 'word;a;b\nYour;1,5;2\njourney;-3;0,25\nstarts;0;1\nwith;2;2\none;-1;1\nstep;4;-0,5\n';

pageTest('a sheet of a spreadsheet is pasted, shown before anything changes, taken, and undone', async (page) => {
  await openNumbers(page);
  const before = await ask(page, 'JSON.stringify(widget.state)');
  await page.locator('.exchange textarea').fill(sheet);
  await button(page, 'Look at it').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.match(String(await dialog.textContent()), /6 × 2 → 6 × 2.*never leave/s);
  assert.equal(await ask(page, 'JSON.stringify(widget.state)'), before, 'nothing has changed');
  await taken(page);
  assert.deepEqual(await ask(page, 'Array.from(widget.result.X.data)'), [1.5, 2, -3, 0.25, 0, 1, 2, 2, -1, 1, 4, -0.5]);
  assert.equal(await ask(page, 'widget.result.Wq.shape[0]'), 2, 'the seeded matrices follow');
  await button(page, 'Back to the seed: X').focus();
  await page.keyboard.press('Control+z');
  await settled(page);
  assert.equal(await ask(page, 'JSON.stringify(widget.state)'), before, 'one undo gives it back');
});

pageTest('a layer as PyTorch saves it is transposed, and its sentence may be chosen among rows', async (page) => {
  await openNumbers(page, 'tokens="a b c"');
  const rows = Array.from({ length: 40 }, (_, index) => index);
  const tensors = {
    'h.embed.weight': { shape: [20, 2], data: rows },
    'h.q_proj.weight': { shape: [3, 2], data: [1, 2, 3, 4, 5, 6] },
    'h.k_proj.weight': { shape: [3, 2], data: [0, 1, 0, 1, 1, 0] },
    'h.v_proj.weight': { shape: [1, 2], data: [7, -7] },
  };
  await choose(page, [file('layer.safetensors', safetensors(tensors))]);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const line = dialog.locator('.found-line', { hasText: 'h.q_proj.weight' });
  assert.equal(await line.getByLabel('Stored as').inputValue(), 'out-in');
  await dialog.getByLabel('Rows: h.embed.weight').fill('19, 3-4');
  await dialog.getByLabel('Rows: h.embed.weight').press('Tab');
  await taken(page);
  assert.deepEqual(await ask(page, 'widget.state.X'), [
    [38, 39],
    [6, 7],
    [8, 9],
  ]);
  assert.deepEqual(await ask(page, 'widget.state.Wq'), [
    [1, 3, 5],
    [2, 4, 6],
  ]);
  assert.deepEqual(await ask(page, '[widget.state.dModel, widget.state.dK, widget.state.dV]'), [2, 3, 1]);
});

pageTest('a layer with biases is taken whole, and a shared matrix gives way to three', async (page) => {
  await openNumbers(page, 'preset="sentence" tokens="a b c" d-model="2" projections="shared"');
  const layer = safetensors({
    'attn.q_proj.weight': { shape: [3, 2], data: [1, 2, 3, 4, 5, 6] },
    'attn.q_proj.bias': { shape: [3], data: [0.5, -1, 2] },
    'attn.k_proj.weight': { shape: [3, 2], data: [1, 0, 0, 1, -1, 1] },
    'attn.v_proj.weight': { shape: [1, 2], data: [2, 7] },
    'attn.v_proj.bias': { shape: [1], data: [-4] },
  });
  await choose(page, [file('layer.safetensors', layer)]);
  await page.getByRole('dialog').waitFor();
  await taken(page);
  const { projections, bq, bk, bv } = await ask(page, 'widget.state');
  assert.deepEqual([projections, bq, bk, bv], ['separate', [[0.5, -1, 2]], null, [[-4]]]);
  const { Q, X } = await ask(page, '({Q: [...widget.result.Q.data], X: [...widget.result.X.data]})');
  assert.equal(Q[0], X[0] * 1 + X[1] * 2 + 0.5);
});

pageTest('queries, keys and values of a file are taken at once, where nobody knows the weights', async (page) => {
  await openNumbers(page);
  const tensors = safetensors({
    Q: { shape: [3, 2], data: [1, 2, 3, 4, 5, 6] },
    K: { shape: [3, 2], data: [1, 0, 0, 1, -1, 1] },
    V: { shape: [3, 1], data: [2, 7, -0.5] },
  });
  await choose(page, [file('heads.safetensors', tensors)]);
  await page.getByRole('dialog').waitFor();
  await taken(page);
  assert.deepEqual(await ask(page, '[[...widget.result.Q.data], [...widget.result.V.data]]'), [
    [1, 2, 3, 4, 5, 6],
    [2, 7, -0.5],
  ]);
  assert.deepEqual(await ask(page, 'widget.state.tokens'), ['x1', 'x2', 'x3']);
});

pageTest('a saved lesson opens as it was, but for what its page decides, and undo takes it back', async (page) => {
  await openNumbers(page, 'locked="seed" d-k="5"');
  const lesson = {
    version: 1,
    tokens: ['a', 'b'],
    mask: 'causal',
    dK: 3,
    bq: [1, 2, 3],
    panels: ['law'],
    theme: 'dark',
  };
  await choose(page, [file('homework.json', Buffer.from(JSON.stringify(lesson)))]);
  await page.getByText('homework.json is open as a lesson.').waitFor();
  await settled(page);
  const { tokens, mask, dK, bq, panels, theme, locked } = await ask(page, 'widget.state');
  assert.deepEqual([tokens, mask, dK, bq], [['a', 'b'], 'causal', 3, [[1, 2, 3]]]);
  assert.deepEqual([panels, theme, locked], [['numbers'], 'auto', ['seed']]);
  await choose(page, [file('broken.json', Buffer.from('{"version": 1, "dK": -3}'))]);
  await page.locator('.exchange > [role=alert]').filter({ hasText: '3' }).waitFor();
  assert.match(String(await page.locator('.exchange > [role=alert]').textContent()), /^d-k is -3, but must be /);
  assert.equal(await ask(page, 'widget.state.dK'), 3);
  await page.locator('.exchange select').first().focus();
  await page.keyboard.press('Control+z');
  await settled(page);
  assert.equal(await ask(page, 'widget.state.dK'), 5);
});

pageTest('what else a matrix changes is said before it is taken', async (page) => {
  await openNumbers(page, 'preset="four-token" heads="1"');
  await choose(page, [file('x.csv', Buffer.from('1,2,3\n4,5,6\n'))]);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByLabel('Use as').selectOption('X');
  await page.waitForFunction(() =>
    document
      .querySelector('attention-widget')
      ?.shadowRoot?.querySelector('dialog')
      ?.textContent?.includes('This also sets'),
  );
  assert.match(String(await dialog.textContent()), /This also sets tokens="x1 x2", preset="sentence"/);
  await taken(page);
  assert.deepEqual(await ask(page, 'widget.result.tokens'), ['x1', 'x2']);
});

pageTest(
  'a file that cannot be read is refused by name, place, found and expected, and the picture stays',
  async (page) => {
    await openNumbers(page);
    const before = await ask(page, 'Array.from(widget.result.weights.data)');
    const good = safetensors({ 'q_proj.weight': { shape: [3, 2], data: [1, 2, 3, 4, 5, 6] } });
    const cut = good.subarray(0, good.length - 3);
    const hostile = safetensors({ __proto__: { shape: [1], data: [1] }, x: { shape: [2 ** 31, 2 ** 31], data: [1] } });
    for (const [name, bytes, sentence] of /** @type {[string, Buffer, RegExp][]} */ ([
      ['cut.safetensors', cut, /cut\.safetensors.*, but /],
      ['hostile.safetensors', hostile, /hostile\.safetensors.*, but /],
      ['empty.npy', Buffer.alloc(0), /empty\.npy.*, but /],
      ['pickle.npy', Buffer.from([0x80, 4, 1, 2]), /pickle\.npy.*, but /],
      ['ragged.csv', Buffer.from('1,2\n3\n'), /ragged\.csv.*, but /],
      ['nan.json', Buffer.from('[[1, NaN]]'), /nan\.json.*, but /],
    ])) {
      await choose(page, [file(name, bytes)]);
      const problem = page.locator('.exchange > .broken');
      await page.waitForFunction((known) => {
        const root = document.querySelector('attention-widget')?.shadowRoot;
        return (
          root?.querySelector('.exchange > .broken')?.textContent?.includes(known) ||
          root?.querySelector('dialog[open]')
        );
      }, name);
      if (await page.getByRole('dialog').isVisible()) {
        assert.match(String(await page.getByRole('dialog').textContent()), /, but /, name);
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      } else {
        assert.match(String(await problem.textContent()), sentence);
      }
      assert.deepEqual(await ask(page, 'Array.from(widget.result.weights.data)'), before, name);
    }
  },
);

pageTest(
  'the textbook example shows the textbook’s table, and trained vectors become a lesson of width 100',
  async (page) => {
    await openNumbers(page);
    await page.getByRole('button', { name: /textbook/ }).click();
    await settled(page);
    const second = await ask(
      page,
      'Array.from(widget.result.weights.data.slice(6, 12), (weight) => weight.toFixed(4))',
    );
    assert.deepEqual(second, ['0.1385', '0.2379', '0.2333', '0.1240', '0.1082', '0.1581']);
    await page.getByRole('button', { name: /Trained word vectors/ }).click();
    await settled(page);
    assert.deepEqual(await ask(page, '[widget.state.dModel, widget.state.dK, widget.state.divisor]'), [
      100,
      100,
      'sqrt',
    ]);
    await page.getByRole('button', { name: /seeded matrices/ }).click();
    await settled(page);
    assert.deepEqual(await ask(page, 'widget.result.Wq.shape'), [100, 16]);
  },
);

pageTest('matrices that are saved come back bit for bit', async (page) => {
  await openNumbers(page, 'd-k="3" heads="2" edits="Wq 0 1 0.1 1"');
  const { Wq, X } = await ask(page, '({Wq: Array.from(widget.result.Wq.data), X: Array.from(widget.result.X.data)})');
  const download = async (/** @type {string} */ which, /** @type {string} */ extension) => {
    await page.getByLabel('Save', { exact: true }).selectOption(which);
    const coming = page.waitForEvent('download');
    await button(page, `.${extension}`).click();
    const saved = await coming;
    return file(saved.suggestedFilename(), await readFile(await saved.path()));
  };
  for (const [which, extension] of [
    ['Wq', 'npy'],
    ['Wq', 'csv'],
    ['Wq', 'json'],
    ['', 'npz'],
    ['', 'safetensors'],
  ]) {
    const saved = await download(which, extension);
    await page.evaluate(() =>
      Object.assign(/** @type {any} */ (document.querySelector('attention-widget')), { X: null, Wq: null, edits: [] }),
    );
    await settled(page);
    await choose(page, [saved]);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    if (which === 'Wq') {
      await dialog.getByLabel('Use as').selectOption('Wq');
    }
    await taken(page);
    assert.deepEqual(await ask(page, 'Array.from(widget.result.Wq.data)'), Wq, extension);
    assert.deepEqual(await ask(page, 'Array.from(widget.result.X.data)'), X, extension);
  }
});

pageTest('a file is dropped onto the panel', async (page) => {
  await openNumbers(page);
  await page.evaluate(() => {
    const panel = document.querySelector('attention-widget')?.shadowRoot?.querySelector('.exchange');
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]'], 'x.json'));
    for (const type of ['dragover', 'drop']) {
      panel?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  });
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await taken(page);
  assert.deepEqual(await ask(page, 'widget.state.X[5]'), [11, 12]);
});
