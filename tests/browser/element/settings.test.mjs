// Attributes, properties, fields and events: how a page and a reader change a widget, and what it says to bad values.

import assert from 'node:assert/strict';
import { openPage, pageTest, read, resultOf, resultShown, set, setAttributes, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const field = (/** @type {Page} */ page, /** @type {string} */ part) => only(page).locator(`[part="${part}"]`);

/**
 * Keeps what the document hears, for `heard` to take.
 *
 * @param {Page} page
 */
async function listen(page) {
  await page.evaluate(() => {
    /** @type {object[]} */
    const events = [];
    Object.assign(window, { events });
    for (const type of ['attention-change', 'attention-error']) {
      document.addEventListener(type, (event) => {
        const { bubbles, composed, detail, target } = /** @type {CustomEvent} */ (event);
        events.push({ type, bubbles, composed, detail, target: /** @type {Element} */ (target).tagName });
      });
    }
  });
}

/** @param {Page} page @returns {Promise<any[]>} */
const heard = (page) => page.evaluate(() => /** @type {any} */ (window).events.splice(0));

pageTest('a sentence is edited with real keys; an empty one says so and the next letter mends it', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await listen(page);
  await field(page, 'sentence').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' ahead');
  await settled(page);
  const longer = await read(only(page));
  assert.deepEqual(longer.rowLabels, ['Your', 'journey', 'starts', 'with', 'one', 'step', 'ahead']);
  assert.equal(longer.cells.length, 7);
  assert.equal(await field(page, 'sentence').inputValue(), 'Your journey starts with one step ahead');
  await heard(page);

  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await settled(page);
  const empty = await read(only(page));
  assert.equal(empty.problem, 'tokens is empty, but must hold at least one token.');
  assert.equal(empty.isPictureShown, false);
  assert.equal(empty.areControlsShown, true);
  assert.equal(await resultOf(only(page)), null);
  const [error, ...others] = await heard(page);
  assert.deepEqual(others, []);
  assert.equal(error.type, 'attention-error');
  assert.deepEqual([error.bubbles, error.composed, error.target], [true, true, 'ATTENTION-WIDGET']);
  assert.equal(error.detail.argument, 'tokens');
  assert.equal(error.detail.message, empty.problem);
  assert.deepEqual(error.detail.state.tokens, []);

  await page.keyboard.type('a');
  await settled(page);
  const mended = await read(only(page));
  assert.equal(mended.problem, null);
  assert.deepEqual(
    mended.cells.map((row) => row.map(({ text }) => text)),
    [['1']],
  );
  assert.deepEqual(
    (await heard(page)).map(({ type }) => type),
    ['attention-change'],
  );
  await page.keyboard.type(' b');
  await settled(page);
  assert.deepEqual((await read(only(page))).rowLabels, ['a', 'b']);
  assert.equal(await field(page, 'sentence').inputValue(), 'a b', 'what is being typed is left alone');
});

pageTest('a sentence that becomes shorter than the highlighted row keeps a picture', async (page) => {
  await openPage(page, '<attention-widget row="5"></attention-widget>');
  await field(page, 'sentence').fill('only three words');
  await settled(page);
  assert.equal((await stateOf(only(page))).row, 2);
  assert.equal((await read(only(page))).problem, null);
});

pageTest(
  'a seed is a whole number; a text is refused by name, and the button leads back to the default',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const button = only(page).getByRole('button', { name: 'default' });
    const before = await resultShown(only(page));
    assert.equal(await field(page, 'seed').inputValue(), '2958');
    assert.equal(await button.isDisabled(), true);
    await field(page, 'seed').fill('7');
    await settled(page);
    const other = await resultShown(only(page));
    assert.notDeepEqual(other.weights, before.weights);
    assert.equal((await stateOf(only(page))).seed, 7);
    for (const [text, found] of [
      ['seven', '"seven"'],
      ['-1', '"-1"'],
      ['', '""'],
      ['2.5', '"2.5"'],
      ['4294967296', '4294967296'],
    ]) {
      await field(page, 'seed').fill(text);
      await settled(page);
      const { problem, isPictureShown } = await read(only(page));
      assert.equal(problem, `seed is ${found}, but must be a whole number from 0 to 4294967295.`);
      assert.equal(isPictureShown, false);
    }
    await field(page, 'seed').fill('4294967295');
    await settled(page);
    assert.equal((await read(only(page))).problem, null);
    await button.click();
    await settled(page);
    assert.equal(await field(page, 'seed').inputValue(), '2958');
    assert.deepEqual(await resultShown(only(page)), before);
  },
);

pageTest('after a bad seed the way back fills the field with the last good one', async (page) => {
  await openPage(page, '<attention-widget seed="7"></attention-widget>');
  const before = await read(only(page));
  await field(page, 'seed').fill('seven');
  await field(page, 'sentence').focus();
  await settled(page);
  await only(page).getByRole('button', { name: 'Back to the last picture' }).click();
  await settled(page);
  assert.equal(await field(page, 'seed').inputValue(), '7');
  assert.deepEqual(await read(only(page)), before);
});

const bad = /** @type {[string, string, string][]} */ ([
  ['d-k', '0', 'd-k is 0, but must be a whole number from 1 to 512.'],
  ['d-k', '2.5', 'd-k is 2.5, but must be a whole number from 1 to 512.'],
  ['d-k', '-1', 'd-k is -1, but must be a whole number from 1 to 512.'],
  ['d-k', '1e9', 'd-k is 1000000000, but must be a whole number from 1 to 512.'],
  ['d-k', 'wide', 'd-k is "wide", but must be a whole number from 1 to 512.'],
  ['d-k', '', 'd-k is "", but must be a whole number from 1 to 512.'],
  ['d-model', '513', 'd-model is 513, but must be a whole number from 1 to 512.'],
  ['d-v', 'x', 'd-v is "x", but must be a whole number from 1 to 512.'],
  ['mask', 'x', 'mask is "x", but must be none, causal or late.'],
  ['divisor', 'SQRT', 'divisor is "SQRT", but must be sqrt, none or dk.'],
  ['projections', 'two', 'projections is "two", but must be separate, shared or identity.'],
  ['softmax-axis', 'rows', 'softmax-axis is "rows", but must be keys or queries.'],
  ['softmax', '', 'softmax is "", but must be stable or naive.'],
  ['preset', 'five', 'preset is "five", but must be sentence or four-token.'],
  ['theme', 'blue', 'theme is "blue", but must be auto, light or dark.'],
  ['row', '99', 'row is 99, but must be a whole number from 0 to 5.'],
  ['row', '-1', 'row is -1, but must be a whole number from 0 to 2047.'],
  ['seed', '-1', 'seed is -1, but must be a whole number from 0 to 4294967295.'],
  ['tokens', '', 'tokens is empty, but must hold at least one token.'],
  ['tokens', '[object Object]', 'tokens is "[object Object]", but must be words or an array of strings.'],
  ['tokens', '[1, 2]', 'tokens is "[1, 2]", but must be words or an array of strings.'],
]);

pageTest(
  'a bad attribute is named in one sentence in place of the picture, and mending it brings the picture back',
  async (page) => {
    await openPage(page, '<attention-widget d-k="8"></attention-widget>');
    await listen(page);
    const before = await read(only(page));
    for (const [name, text, sentence] of bad) {
      await setAttributes(only(page), { [name]: text });
      const broken = await read(only(page));
      assert.equal(broken.problem, sentence);
      assert.equal(broken.isPictureShown, false, sentence);
      assert.equal(await resultOf(only(page)), null, sentence);
      assert.equal(broken.width, '8', 'the controls keep the last state that was computed');
      assert.equal(broken.toggle.isPressed, 'true');
      assert.equal(await field(page, 'sentence').inputValue(), 'Your journey starts with one step');
      const events = await heard(page);
      assert.deepEqual(
        events.map(({ type, detail }) => [type, detail.argument, detail.message]),
        [['attention-error', name, sentence]],
      );
      const error = await only(page).evaluate((element) => String(/** @type {any} */ (element).error));
      assert.match(error, /^EngineError: /);
      await setAttributes(only(page), { [name]: name === 'd-k' ? '8' : null });
      assert.deepEqual(await read(only(page)), before, `mended: ${sentence}`);
      assert.equal(await only(page).evaluate((element) => /** @type {any} */ (element).error), null);
      await heard(page);
    }
  },
);

pageTest('the way back restores the last picture for every setting at once', async (page) => {
  await openPage(page, '<attention-widget d-k="8" mask="causal"></attention-widget>');
  const before = await read(only(page));
  await setAttributes(only(page), { 'd-k': '0', row: '99', tokens: 'two words' });
  const problem = only(page).getByRole('alert');
  assert.match((await problem.textContent()) ?? '', /^d-k is 0, but /);
  await only(page).getByRole('button', { name: 'Back to the last picture' }).click();
  await page.mouse.move(5, 5);
  await settled(page);
  assert.deepEqual(await read(only(page)), before);
});

pageTest('a widget that starts with a bad value says so, offers no way back, and can be mended', async (page) => {
  await openPage(page, '<attention-widget d-k="0"></attention-widget>');
  const broken = await read(only(page));
  assert.equal(broken.problem, 'd-k is 0, but must be a whole number from 1 to 512.');
  assert.equal(broken.areControlsShown, false);
  assert.equal(await only(page).getByRole('button').count(), 0);
  await setAttributes(only(page), { 'd-k': '4' });
  const mended = await read(only(page));
  assert.equal(mended.problem, null);
  assert.equal(mended.width, '4');
});

pageTest('a bad value does not make the page jump', async (page) => {
  await openPage(page, '<attention-widget></attention-widget><p id="after">after</p>');
  const top = () => page.locator('#after').evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await setAttributes(only(page), { 'd-k': '0' });
  assert.ok(Math.abs((await top()) - before) <= 40);
});

pageTest('every property is its attribute, and reads back what holds', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const settings = {
    preset: 'sentence',
    tokens: ['a', 'b', 'c'],
    dModel: 5,
    dK: 4,
    dV: 3,
    divisor: 'none',
    mask: 'causal',
    projections: 'separate',
    softmaxAxis: 'keys',
    softmax: 'naive',
    dropout: 0.25,
    blend: 'embeddings',
    heads: 3,
    head: 2,
    row: 2,
    seed: 9,
    panels: ['proofs', 'break'],
    theme: 'dark',
    locked: ['d-k', 'seed'],
  };
  await set(only(page), settings);
  assert.deepEqual(await stateOf(only(page)), settings);
  const byProperty = await resultShown(only(page));
  for (const [name, value] of Object.entries(settings)) {
    assert.deepEqual(await only(page).evaluate((element, key) => /** @type {any} */ (element)[key], name), value);
  }
  await openPage(
    page,
    `<attention-widget preset="sentence" tokens="a b c" d-model="5" d-k="4" d-v="3" divisor="none" mask="causal"
      projections="separate" softmax-axis="keys" softmax="naive" dropout="0.25" blend="embeddings" heads="3" head="2" row="2" seed="9" panels="proofs break" theme="dark"
      locked="d-k seed"></attention-widget>`,
  );
  assert.deepEqual(await stateOf(only(page)), settings);
  assert.deepEqual(await resultShown(only(page)), byProperty);
  await set(only(page), { dV: undefined, tokens: undefined });
  assert.equal((await stateOf(only(page))).dV, null, 'undefined is the default again');
  assert.equal((await stateOf(only(page))).tokens.length, 6);
});

pageTest('the state can be taken from one widget and given to another', async (page) => {
  await openPage(
    page,
    '<attention-widget d-k="9" mask="causal" row="3"></attention-widget><attention-widget seed="4"></attention-widget>',
  );
  const [one, other] = [only(page).nth(0), only(page).nth(1)];
  const state = await stateOf(one);
  assert.deepEqual(JSON.parse(JSON.stringify(state)), state, 'it is plain JSON');
  await set(other, { state });
  assert.deepEqual(await stateOf(other), state);
  assert.deepEqual(await resultOf(other), await resultOf(one));
  await set(other, { state: { dK: 3 } });
  assert.equal((await stateOf(other)).mask, 'none', 'what a state leaves out is default');
});

pageTest('a state that was handed out can be changed without changing the widget', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const before = await stateOf(only(page));
  await only(page).evaluate((element) => {
    const { state } = /** @type {any} */ (element);
    state.tokens.push('further');
    state.dK = 3;
  });
  assert.deepEqual(await stateOf(only(page)), before);
});

pageTest('many changes in one go are one update and one event', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await listen(page);
  await only(page).evaluate(async (element) => {
    const widget = /** @type {any} */ (element);
    for (let dK = 2; dK <= 40; dK++) {
      widget.dK = dK;
      widget.setAttribute('seed', String(dK));
    }
    widget.divisor = 'none';
    await widget.updated;
  });
  const events = await heard(page);
  assert.equal(events.length, 1);
  const [{ type, bubbles, composed, detail }] = events;
  assert.deepEqual([type, bubbles, composed], ['attention-change', true, true]);
  assert.deepEqual(Object.keys(detail).sort(), ['metrics', 'state']);
  assert.deepEqual(detail.state, await stateOf(only(page)));
  assert.deepEqual(detail.metrics, (await resultShown(only(page))).metrics);
});

pageTest('a change that changes nothing fires nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await listen(page);
  await set(only(page), { dK: 16 });
  await setAttributes(only(page), { seed: '2958', mask: 'none' });
  assert.deepEqual(await heard(page), []);
});

pageTest('changing the detail of an event changes neither the widget nor the next event', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const [state, metrics] = await only(page).evaluate(async (element) => {
    const widget = /** @type {any} */ (element);
    widget.addEventListener('attention-change', (/** @type {CustomEvent} */ event) => {
      event.detail.state.tokens.length = 0;
      event.detail.metrics.peak.fill(7);
    });
    widget.dK = 3;
    await widget.updated;
    return [widget.state, widget.result.metrics];
  });
  assert.equal(state.tokens.length, 6);
  assert.ok(metrics.peak.every((/** @type {number} */ peak) => peak <= 1));
});

pageTest('updated settles when the picture matches, and is one promise until then', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const seen = await only(page).evaluate(async (element) => {
    const widget = /** @type {any} */ (element);
    const shown = () => widget.shadowRoot.querySelector('output').textContent;
    widget.dK = 20;
    const first = widget.updated;
    widget.dK = 21;
    const isSame = first === widget.updated;
    const before = shown();
    await first;
    return { isSame, before, after: shown() };
  });
  assert.deepEqual(seen, { isSame: true, before: '16', after: '21' });
});

pageTest('a later choice wins, whether it comes as an attribute, a property or from the reader', async (page) => {
  await openPage(page, '<attention-widget d-k="8"></attention-widget>');
  await set(only(page), { dK: 9 });
  assert.equal((await stateOf(only(page))).dK, 9);
  await setAttributes(only(page), { 'd-k': '10' });
  assert.equal((await stateOf(only(page))).dK, 10);
  await field(page, 'slider').focus();
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.equal((await stateOf(only(page))).dK, 11);
  assert.equal(await only(page).getAttribute('d-k'), '10', "the page's attribute is the page's");
  await setAttributes(only(page), { 'd-k': null });
  assert.equal((await stateOf(only(page))).dK, 16);
});

pageTest('a width beyond the slider stretches it, and the reader can drag back', async (page) => {
  await openPage(page, '<attention-widget d-k="100"></attention-widget>');
  assert.equal((await read(only(page))).width, '100');
  assert.equal(await field(page, 'slider').inputValue(), '100');
  await field(page, 'slider').focus();
  await page.keyboard.press('Home');
  await settled(page);
  assert.equal((await read(only(page))).width, '2');
  assert.equal(await field(page, 'slider').getAttribute('max'), '64');
});

pageTest('a listener that changes the state again is waited for', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const { row, width } = await only(page).evaluate(async (element) => {
    const widget = /** @type {any} */ (element);
    widget.addEventListener('attention-change', () => {
      widget.row = 4;
      widget.dK = 7;
    });
    widget.dK = 30;
    await widget.updated;
    return {
      row: widget.shadowRoot.querySelector('[aria-selected="true"] .row-label').textContent,
      width: widget.result.shapes.Q[1],
    };
  });
  assert.deepEqual({ row, width }, { row: 'one', width: 7 });
});
