// Content security policies. Covers all of the element, engine/lesson-module.js and the policy of page/index.html.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  openPage,
  pageTest,
  read,
  resultShown,
  serve,
  set,
  setAttributes,
  strictPolicy,
  widgetScript,
} from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

pageTest('the widget works under the strictest policy that allows WebAssembly, without a violation', async (page) => {
  serve(
    '/policy.js',
    `window.violations = [];
     document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));`,
  );
  await openPage(page, '<attention-widget mask="causal"></attention-widget>', {
    head: `<script src="/policy.js"></script>${widgetScript}`,
    headers: { 'content-security-policy': `${strictPolicy}; img-src data:` },
  });
  await only(page).locator('.cell').nth(6).click();
  await only(page).locator('[part="toggle"]').click();
  await set(only(page), { tokens: Array.from({ length: 30 }, (_, index) => `t${index}`) });
  await setAttributes(only(page), { 'd-k': '0' });
  assert.match((await read(only(page))).problem ?? '', /^d-k is 0/);
  await setAttributes(only(page), { 'd-k': '5' });
  assert.equal((await resultShown(only(page))).shapes.Q[1], 5);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).violations), []);
});

pageTest(
  'where the policy forbids WebAssembly a sentence says so in place of the widget',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>', {
      headers: { 'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:" },
    });
    const { problem, areControlsShown } = await read(only(page));
    assert.match(problem ?? '', /^WebAssembly could not start .*must allow 'wasm-unsafe-eval'/);
    assert.equal(areControlsShown, false);
  },
  {},
  /Content Security Policy|wasm/i,
);

test('the lesson page asks for that policy itself', () => {
  const page = readFileSync(new URL('../../../web/page/index.html', import.meta.url), 'utf8');
  assert.ok(page.includes(`content="${strictPolicy}; img-src data:"`));
});
