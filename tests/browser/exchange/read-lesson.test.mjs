// A lesson from an address: `src`. Covers exchange/read-lesson.js and the element's part in it.

import assert from 'node:assert/strict';
import { formatLesson } from '../../../web/engine/lesson-document.js';
import { openPage, pageTest, serve, settled } from '../support.mjs';

/** @typedef {import('playwright-core').Page} Page */

const lesson = {
  tokens: ['le', 'chat', 'dort'],
  X: [
    [0.1, -0],
    [1 / 3, 5e-324],
    [2, -1],
  ],
  Wq: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  divisor: 'none',
};

/** @param {Page} page @param {string} expression  of `widget` @returns {Promise<any>} */
const ask = (page, expression) =>
  page.evaluate(`((widget) => (${expression}))(document.querySelector('attention-widget'))`);

const text = formatLesson(/** @type {any} */ (lesson));

pageTest('a lesson from an address is the state, attributes and the reader go before it', async (page) => {
  serve('/lesson.json', text, { 'content-type': 'application/json' });
  await openPage(page, '<attention-widget src="lesson.json" mask="causal"></attention-widget>', {
    headers: {
      'content-security-policy':
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:",
    },
  });
  const state = await ask(page, 'widget.state');
  assert.deepEqual(state.X, lesson.X, 'to the sign of a zero');
  assert.deepEqual([state.tokens, state.mask, state.divisor, state.dK], [lesson.tokens, 'causal', 'none', 3]);
  await page.locator('[part~="toggle"]').click();
  await settled(page);
  assert.equal(await ask(page, 'widget.state.divisor'), 'sqrt');
  serve('/other.json', '{"version": 1, "dK": 5, "divisor": "dk"}');
  await page.evaluate(() =>
    Object.assign(/** @type {any} */ (document.querySelector('attention-widget')), { src: 'other.json' }),
  );
  await settled(page);
  assert.deepEqual(await ask(page, '[widget.state.dK, widget.state.X, widget.state.divisor, widget.state.mask]'), [
    5,
    null,
    'sqrt',
    'causal',
  ]);
  await page.evaluate(() => document.querySelector('attention-widget')?.removeAttribute('src'));
  await settled(page);
  assert.equal(await ask(page, 'widget.state.dK'), 16);
});

pageTest(
  'an address that gives no lesson is named with what came, and can be tried again',
  async (page) => {
    serve('/broken.json', '{"dK": 5,', { 'content-type': 'application/json' });
    serve('/strange.json', '{"version": 1, "depth": 3}');
    serve('/newer.json', '{"version": 2}');
    for (const [address, sentence] of /** @type {[string, RegExp][]} */ ([
      ['missing.json', /The lesson from http.*\/missing\.json does not load: 404/],
      ['http://[', /The lesson from http:\/\/\[ does not load: .*URL/],
      ['broken.json', /\/broken\.json cannot be read \(it came as application\/json\): state is no JSON/],
      ['strange.json', /\/strange\.json cannot be read .*has a key "depth", but nothing there has that name/],
      ['newer.json', /\/newer\.json cannot be read .*is of version 2, but only version 1 can be read/],
    ])) {
      await openPage(page, `<attention-widget src="${address}"></attention-widget>`);
      assert.match(await ask(page, 'widget.error.message'), sentence);
      assert.match(String(await page.locator('[part="problem"]').textContent()), sentence);
    }
    serve('/newer.json', '{"dK": 7}');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('attention-widget')).result?.Q.shape[1] === 7,
    );
  },
  {},
  /404|missing\.json/,
);
