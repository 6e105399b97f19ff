// Build and verify, as a reader does it: a right program, and each way to be wrong with its sentence. Covers lessons/workbench/.

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { eventually, pageTest } from '../support.mjs';
import { folder, lessonPolicy, openLessonAt, servedAt } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

// The strictest place: the policy holds for the worker's file too.
const strict = servedAt('/elsewhere/workbench', { 'content-security-policy': lessonPolicy });

/** @param {Page} page @param {string} [address] */
async function openEditor(page, address = strict('scaled-dot-product')) {
  await openLessonAt(page, `${address}#build`);
  await page.locator('.cm-content').waitFor();
}

/** @param {Page} page */
const solutionOf = async (page) => (await page.locator('#solution').textContent()) ?? '';

/** Replaces the editor's text as a reader does. @param {Page} page @param {string} program */
async function write(page, program) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(program);
}

/**
 * Writes a program and runs it.
 *
 * @param {Page} page
 * @param {string} program
 */
async function run(page, program) {
  await write(page, program);
  await page.getByRole('button', { name: 'Run on ten rows' }).click();
  await eventually(() => page.locator('.workbench button').first().isEnabled(), true);
  return page.evaluate(() => {
    const text = (/** @type {Element | null} */ each) => each?.textContent ?? '';
    return {
      status: text(document.querySelector('.workbench [role="status"]')),
      failures: Array.from(document.querySelectorAll('.verdicts [data-outcome="fails"]'), (each) => [
        text(each.querySelector('b')),
        text(each.querySelector('p')),
      ]),
      rows: document.querySelectorAll('.verdicts li').length,
      conclusion: text(document.querySelector('.workbench > div:last-child')),
    };
  });
}

pageTest('the solution of the page holds on all ten rows, and the future reaches nothing', async (page) => {
  await openEditor(page);
  const { status, failures, rows, conclusion } = await run(page, await solutionOf(page));
  assert.deepEqual([status, failures, rows], ['All 10 rows hold.', [], 10]);
  assert.match(conclusion, /the same to the last bit/);
  assert.match(conclusion, /1\.26869 with the scale.*1\.16441/);
});

pageTest('what the editor holds at first runs, and is told what is wrong with it', async (page) => {
  await openEditor(page);
  await page.getByRole('button', { name: 'Run on ten rows' }).click();
  await eventually(() => page.locator('.verdicts li').count(), 10);
  assert.match(
    (await page.locator('.verdicts li').nth(3).textContent()) ?? '',
    /Future exactly 0: key 1 .* is 0\.25\./,
  );
});

/** @type {[title: string, change: (solution: string) => string, failing: number, row: string, sentence: RegExp][]} */
const wrongPrograms = [
  [
    'without the divisor the core’s weights are others',
    (text) => text.replace(' / scale', ''),
    8,
    'Causal, two visible keys',
    /^The core’s weights: your weights\[0\] is 0\.268941, and the core has 0\.330238\.$/,
  ],
  [
    'without the row’s maximum scores of 800 overflow',
    (text) => text.replace('score - largest', 'score'),
    2,
    'Causal, scores of 800',
    /^No overflow: weights\[0\] is NaN\. The largest score is 800\.\d+, and exp\(800\.\d+\) is Infinity\./,
  ],
  [
    'without the row’s maximum scores of −800 sum to 0',
    (text) => text.replace('score - largest', 'score'),
    2,
    'Scores of −800',
    /^No overflow: weights\[0\] is NaN\. The scores are near −8\d\d\.\d+, .* divide by 0/,
  ],
  [
    'a future that is only small is not 0',
    (text) => text.replace('-Infinity', '-5'),
    3,
    'Causal, one visible key',
    /^Future exactly 0: key 1 comes after the query, and its weight is 0\.00\d+\./,
  ],
  [
    'weights that are not divided by their sum',
    (text) => text.replace('each / total', 'each'),
    8,
    'Causal, two visible keys',
    /^Sums to one: your weights sum to 1\.49307\.$/,
  ],
  [
    'too few weights',
    (text) => text.replace('return { weights,', 'return { weights: weights.slice(0, 3),'),
    9,
    'Six words, every key visible',
    /^Right shape: weights has 3 entries, and must be a list of 6 numbers\.$/,
  ],
  [
    'an output as wide as a query',
    (text) => text.replace('V[0].map', 'Q[0].map').replace('V[j][c]', '(V[j][c] ?? 0)'),
    1,
    'Queries of width 5, values of width 3',
    /^Right shape: output has 5 entries, and must be a list of 3 numbers\.$/,
  ],
  [
    'an output that is not the blend',
    (text) => text.replace('weight * V[j][c]', 'weight * K[j][c % K[j].length]'),
    10,
    'Causal, one visible key',
    /^The core’s output: your output\[0\] is 1, and the core has 0\.$/,
  ],
  [
    'NaN',
    () => 'const attention_row = (i, Q, K, V) => ({ weights: K.map(() => NaN), output: V[0] });',
    10,
    'Six words, every key visible',
    /^No overflow: weights\[0\] is NaN\.$/,
  ],
  [
    'nothing at all',
    () => 'function attention_row() {}',
    10,
    'A text of one token',
    /^Right shape: weights is missing, and must be a list of 1 number\.$/,
  ],
  [
    'texts in place of numbers',
    () => 'function attention_row(i, Q, K, V) { return { weights: K.map(String), output: V[0] }; }',
    10,
    'A text of one token',
    /^Right shape: weights has an entry of the type string/,
  ],
  [
    'a thrown error',
    () => 'function attention_row(i, Q) { return Q[i].weights.map(String); }',
    10,
    'A text of one token',
    /^It threw TypeError: /,
  ],
];

for (const [title, change, failing, row, sentence] of wrongPrograms) {
  pageTest(`wrong: ${title}`, async (page) => {
    await openEditor(page);
    const solution = await solutionOf(page);
    const program = change(solution);
    assert.notEqual(program, solution);
    const { status, failures, rows } = await run(page, program);
    assert.equal(failures.length, failing, JSON.stringify(failures));
    assert.equal(rows, 10);
    assert.equal(status, `${10 - failing} of 10 rows hold.`);
    const [, said = ''] = failures.find(([name]) => name === row) ?? [];
    assert.match(said, sentence);
  });
}

pageTest('a program that looks at the last token is caught when only that one changes', async (page) => {
  await openEditor(page);
  // Right on each of the ten rows: only another token four has so small a value.
  const program = (await solutionOf(page)).replace(
    'return { weights, output };',
    'return { weights, output: K.length === 4 && V[3][0] < -5 ? output.map((each) => each + 1) : output };',
  );
  const { failures, conclusion } = await run(page, program);
  assert.deepEqual(failures, []);
  assert.doesNotMatch(conclusion, /the same to the last bit/);
  assert.match(conclusion, /the output of token 1 moved from 0 to 1\. It looks into the future\./);
});

pageTest('a loop that never ends is stopped, in its row or before any, and the page lives on', async (page) => {
  await openEditor(page);
  const inRow = await run(page, 'function attention_row(i, Q, K) { for (;;) {} }');
  assert.deepEqual(
    inRow.failures.map(([name]) => name),
    ['Six words, every key visible'],
  );
  assert.match(inRow.failures[0][1], /^It did not end within 2 seconds, and was stopped\./);
  const before = await run(page, 'while (true) {}\nfunction attention_row() {}');
  assert.match(before.status, /^The program did not end within 2 seconds, before any row was run/);
  assert.equal((await run(page, await solutionOf(page))).status, 'All 10 rows hold.');
});

pageTest('what cannot be read, throws at once or defines no function gets its sentence', async (page) => {
  await openEditor(page);
  assert.match(
    (await run(page, 'function attention_row( {')).status,
    /^The program cannot be read: SyntaxError: .*\(\d+:\d+\)$/,
  );
  assert.match(
    (await run(page, 'x.y;')).status,
    /^The program threw before any row was run: ReferenceError: x is not defined$/,
  );
  assert.equal(
    (await run(page, 'const one = 1;')).status,
    'The program defines no function of the name attention_row.',
  );
});

pageTest('a program sees neither the page nor the names that reach the network', async (page) => {
  await openEditor(page);
  const seen = await run(
    page,
    `const names = [typeof document, typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof importScripts, typeof postMessage];
     throw new Error(names.join(' '));`,
  );
  assert.match(seen.status, /Error: (undefined ?){6}$/);
});

pageTest('the program is there again after a reload, and Start again brings the first one back', async (page) => {
  await openEditor(page);
  await write(page, 'const mine = 1;');
  await page.reload();
  await page.locator('[data-workbench]').scrollIntoViewIfNeeded();
  await eventually(async () => (await page.locator('.cm-content').textContent())?.startsWith('const mine'), true);
  await page.getByRole('button', { name: 'Start again' }).click();
  await eventually(
    async () => /Row i of attention/.test((await page.locator('.cm-content').textContent()) ?? ''),
    true,
  );
});

pageTest('Control and Enter run it', async (page) => {
  await openEditor(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Enter');
  await eventually(() => page.locator('.verdicts li').count(), 10);
});

pageTest(
  'from a file, where no worker starts, a sentence says so',
  async (page) => {
    await openEditor(page, pathToFileURL(`${folder}scaled-dot-product.html`).href);
    const { status } = await run(page, await solutionOf(page));
    assert.match(status, /^The program cannot run here: the browser starts no worker .* open it from a server/);
  },
  {},
  /Worker|origin/,
);
