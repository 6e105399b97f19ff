// The element: attributes, properties, events and locks, and its life on a page among other widgets.

import assert from 'node:assert/strict';
import {
  openPage,
  pageTest,
  read,
  resultOf,
  resultShown,
  serve,
  set,
  setAttributes,
  settled,
  stateOf,
  widgetScript,
} from '../support.mjs';
import { heard, listen } from './events.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();
const dK = async (/** @type {Page} */ page) => (await stateOf(widget(page))).dK;
const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const field = (/** @type {Page} */ page, /** @type {string} */ part) => only(page).locator(`[part="${part}"]`);

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

pageTest(
  'of several settings that the reader changes at once all change, or none where one is locked',
  async (page) => {
    await openPage(page, '<attention-widget panels="compare" d-k="9"></attention-widget>');
    const press = async (/** @type {string} */ name) => {
      await widget(page).getByRole('button', { name, exact: true }).click();
      await settled(page);
    };
    await press('Pin as A');
    await set(widget(page), { dK: 40, mask: 'causal' });
    await press('Swap');
    const { dK: width, mask } = await stateOf(widget(page));
    assert.deepEqual([width, mask], [9, 'none']);
    await set(widget(page), { locked: ['d-k'] });
    const before = await stateOf(widget(page));
    await press('Swap');
    assert.deepEqual(await stateOf(widget(page)), before, 'neither the width, which is locked, nor the mask');
  },
);

pageTest('every property is its attribute, and reads back what holds', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns) =>
    Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => row - column / 4));
  const text = (/** @type {number[][]} */ rows) => rows.map((row) => row.join(' ')).join('; ');
  const matrices = {
    X: matrix(3, 5),
    Wq: matrix(5, 12),
    Wk: matrix(5, 12).toReversed(),
    Wv: matrix(5, 9),
    bq: matrix(1, 12),
    bk: [matrix(1, 12)[0].toReversed()],
    bv: matrix(1, 9),
  };
  const settings = {
    preset: 'sentence',
    tokens: ['a', 'b', 'c'],
    context: ['d', 'e'],
    dModel: 5,
    dK: 4,
    dV: 3,
    divisor: 'none',
    mask: 'window',
    window: 2,
    padding: 1,
    projections: 'separate',
    softmaxAxis: 'keys',
    softmax: 'naive',
    dropout: 0.25,
    blend: 'embeddings',
    heads: 3,
    head: 2,
    row: 2,
    seed: 9,
    ...matrices,
    edits: [{ matrix: 'Wk', row: 4, column: 3, value: 0.5, head: 1 }],
    step: 5,
    beside: 'divisor',
    panels: ['proofs', 'break'],
    theme: 'dark',
    locked: ['d-k', 'seed', 'step'],
  };
  await set(only(page), settings);
  assert.deepEqual(await stateOf(only(page)), settings);
  const byProperty = await resultShown(only(page));
  for (const [name, value] of Object.entries(settings)) {
    assert.deepEqual(await only(page).evaluate((element, key) => /** @type {any} */ (element)[key], name), value);
  }
  await openPage(
    page,
    `<attention-widget preset="sentence" tokens="a b c" context="d e" d-model="5" d-k="4" d-v="3" divisor="none" mask="window" window="2" padding="1"
      projections="separate" softmax-axis="keys" softmax="naive" dropout="0.25" blend="embeddings" heads="3" head="2" row="2" seed="9" edits="Wk 4 3 0.5 1"
      x="${text(matrices.X)}" wq="${text(matrices.Wq)}" wk="${text(matrices.Wk)}" wv="${text(matrices.Wv)}"
      bq="${text(matrices.bq)}" bk="${text(matrices.bk)}" bv="${text(matrices.bv)}" step="5" beside="divisor" panels="proofs break" theme="dark"
      locked="d-k seed step"></attention-widget>`,
  );
  assert.deepEqual(await stateOf(only(page)), settings);
  assert.deepEqual(await resultShown(only(page)), byProperty);
  await set(only(page), { dV: undefined, tokens: undefined, X: undefined, Wv: undefined, bv: undefined });
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
  await setAttributes(only(page), { seed: '50721255', mask: 'none' });
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

for (const [title, body] of /** @type {const} */ ([
  ['a handler', '(widget) => { widget.dK = (widget.dK % 60) + 2; }'],
  ['a handler of errors', '(widget) => { widget.seed = widget.seed === -1 ? -2 : -1; }'],
])) {
  pageTest(
    `${title} that changes the state each time leaves the page its turns, and is named as a loop`,
    async (page) => {
      await openPage(page, '<attention-widget></attention-widget>');
      const message = page.waitForEvent('console');
      const turns = await page.evaluate(async (source) => {
        const widget = /** @type {any} */ (document.querySelector('attention-widget'));
        const handle = new Function(`return ${source}`)();
        let rounds = 0;
        const listen = () => {
          rounds++;
          if (rounds < 300) {
            handle(widget);
          }
        };
        widget.addEventListener('attention-change', listen);
        widget.addEventListener('attention-error', listen);
        handle(widget);
        let turns = 0;
        const timer = setInterval(() => turns++);
        while (rounds < 300) {
          await new Promise((resolve) => setTimeout(resolve));
        }
        clearInterval(timer);
        return turns;
      }, body);
      assert.ok(turns > 3, `${turns} turns`);
      assert.match(
        (await message).text(),
        /^attention-widget: a handler has changed the state 100 times in turn: it loops/,
      );
    },
    {},
    /^warning: attention-widget: a handler has changed/,
  );
}

pageTest('a handler that waits for the picture and changes it again leaves the page its turns', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const rounds = await page.evaluate(async () => {
    const widget = /** @type {any} */ (document.querySelector('attention-widget'));
    let rounds = 0;
    let isOver = false;
    widget.addEventListener('attention-change', async () => {
      rounds++;
      await widget.updated;
      if (!isOver && rounds < 5000) {
        widget.dK = (widget.dK % 60) + 2;
      }
    });
    widget.dK = 9;
    await new Promise((resolve) => setTimeout(resolve, 100));
    isOver = true;
    return rounds;
  });
  assert.ok(rounds > 1 && rounds < 5000, `${rounds} rounds`);
});

pageTest('a value of any type that no setting has is refused in words, and can be mended', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const [value, found] of [
    ['640n', '640'],
    ['Symbol("x")', 'a symbol'],
    ['Object.create(null)', 'an object'],
    ['() => 1', 'a function'],
  ]) {
    const message = await page.evaluate(async (source) => {
      const widget = /** @type {any} */ (document.querySelector('attention-widget'));
      widget.dK = new Function(`return ${source}`)();
      await widget.updated;
      return [widget.error?.message, widget.link];
    }, value);
    assert.deepEqual(message, [`dK is ${found}, but must be a whole number from 1 to 512`, 'v=1']);
    await set(only(page), { dK: 9 });
    assert.equal((await resultShown(only(page))).shapes.Q[1], 9);
  }
});

pageTest('two widgets with different states do not disturb each other', async (page) => {
  await openPage(
    page,
    `<attention-widget d-k="4" tokens="a b"></attention-widget>
     <attention-widget preset="four-token"></attention-widget>
     <attention-widget mask="causal" row="2" tokens="x y z"></attention-widget>`,
  );
  const [one, two, three] = [0, 1, 2].map((index) => only(page).nth(index));
  const before = [await read(two), await read(three)];
  assert.deepEqual([before[0].rowLabels.length, before[1].rowLabels.length], [4, 3]);
  await one.locator('[part="toggle"]').click();
  await one.locator('[part="slider"]').focus();
  await page.keyboard.press('End');
  await one.locator('.cell').nth(3).hover();
  await settled(page);
  assert.deepEqual([await read(two), await read(three)], before);
  assert.equal((await stateOf(one)).dK, 64);
  await page.mouse.move(5, 890);
  await two.evaluate((element) => element.remove());
  assert.equal((await read(one)).width, '64');
  assert.deepEqual(await read(only(page).nth(1)), before[1]);
});

pageTest('a widget whose engine is long in coming says that it loads', async (page) => {
  /** @type {() => void} */
  let letCome = () => {};
  const mayCome = new Promise((resolve) => {
    letCome = () => resolve(undefined);
  });
  await page.route('**/attention_lesson.wasm', async (route) => {
    await mayCome;
    await route.continue();
  });
  await page.goto(
    serve(
      '/slow.html',
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><script type="module" src="/external.js"></script>' +
        '<attention-widget></attention-widget></html>',
    ),
  );
  await only(page).getByText('Loading …', { exact: true }).waitFor();
  assert.equal(await only(page).locator('.cell').first().isVisible(), false);
  letCome();
  await settled(page);
  assert.equal(await only(page).getByText('Loading').count(), 0);
  assert.equal((await read(only(page))).width, '16');
});

pageTest('a widget that is removed, put back and moved keeps its state, its picture and its root', async (page) => {
  await openPage(page, '<div id="one"><attention-widget></attention-widget></div><div id="two"></div>');
  await set(only(page), { dK: 23, mask: 'causal' });
  await only(page).locator('.cell').nth(8).click();
  await page.mouse.move(5, 890);
  await settled(page);
  const before = await read(only(page));
  const same = await page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attention-widget'));
    const root = element.shadowRoot;
    const view = root.firstElementChild;
    element.remove();
    await new Promise((resolve) => setTimeout(resolve));
    document.querySelector('#one')?.append(element);
    await element.updated;
    document.querySelector('#two')?.append(element);
    await element.updated;
    return root === element.shadowRoot && view === root.firstElementChild && root.childElementCount === 1;
  });
  assert.ok(same);
  assert.deepEqual(await read(only(page)), before);
  await only(page).locator('[part="toggle"]').click();
  await settled(page);
  assert.equal((await stateOf(only(page))).divisor, 'none', 'controls still work, once each');
});

pageTest('a change while the widget is away shows when it is back', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attention-widget'));
    element.remove();
    element.dK = 31;
    await new Promise((resolve) => setTimeout(resolve));
    document.body.append(element);
    await element.updated;
  });
  assert.equal((await read(only(page))).width, '31');
});

pageTest('removing the widget while the slider moves breaks nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attention-widget'));
    for (let dK = 2; dK < 40; dK++) {
      element.dK = dK;
      if (dK % 5 === 0) {
        element.remove();
      }
      await Promise.resolve();
      if (dK % 5 === 1) {
        document.body.append(element);
      }
    }
    document.body.append(element);
    await element.updated;
  });
  assert.equal((await read(only(page))).width, '39');
});

pageTest('a widget built in a hidden place is whole when the place is shown', async (page) => {
  await openPage(
    page,
    `<div id="tab" hidden><attention-widget></attention-widget></div>
     <details><summary>more</summary><attention-widget></attention-widget></details>`,
  );
  await set(only(page).first(), { tokens: Array.from({ length: 20 }, (_, index) => `t${index}`) });
  await page.evaluate(() => {
    document.querySelector('#tab')?.removeAttribute('hidden');
    document.querySelector('details')?.setAttribute('open', '');
  });
  const canvas = await only(page).first().locator('.plane canvas').boundingBox();
  assert.ok(canvas !== null && canvas.width > 200 && Math.abs(canvas.width - canvas.height) < 1);
  const { cells } = await read(only(page).nth(1));
  assert.ok(cells[0][0].width > 20 && Math.abs(cells[0][0].width - cells[0][0].height) < 0.5);
});

pageTest('a widget that grows from no width at all is whole once there is room, painted or not', async (page) => {
  const many = Array.from({ length: 20 }, (_, index) => `t${index}`).join(' ');
  await openPage(
    page,
    `<div style="width: 0; overflow: hidden"><attention-widget panels="train"></attention-widget></div>
     <div style="width: 0; overflow: hidden"><attention-widget tokens="${many}"></attention-widget></div>`,
  );
  /** The sizes of a cell and of a painted map. @param {number} width */
  const sizesAt = async (width) => {
    await page.evaluate((width) => {
      for (const { style } of document.querySelectorAll('div')) {
        style.width = `${width}px`;
      }
    }, width);
    await set(only(page).first(), { dK: 2 + (width % 60) });
    return Promise.all(['.cell', '.plane canvas'].map((part) => only(page).locator(part).first().boundingBox()));
  };
  for (const width of [7, 90]) {
    await sizesAt(width);
  }
  for (const [width, ...least] of [
    [300, 20, 150],
    [600, 25, 150],
  ]) {
    for (const [index, box] of (await sizesAt(width)).entries()) {
      assert.ok(box !== null && box.width > least[index], `${box?.width} at ${width}`);
      assert.ok(Math.abs(box.width - box.height) < 1);
    }
  }
});

pageTest('a widget that is gone before the engine is there leaves nothing behind', async (page) => {
  await openPage(page, '', { head: '' });
  const left = await page.evaluate(async () => {
    const { loadLessonEngine } = await import(/** @type {any} */ ('/attention-widget.js'));
    const element = /** @type {any} */ (document.createElement('attention-widget'));
    let events = 0;
    element.addEventListener('attention-change', () => events++);
    document.body.append(element);
    element.remove();
    await loadLessonEngine();
    await new Promise((resolve) => setTimeout(resolve));
    const whileAway = { events, result: element.result };
    document.body.append(element);
    await element.updated;
    return { whileAway, events, hasResult: element.result !== null };
  });
  assert.deepEqual(left, { whileAway: { events: 0, result: null }, events: 1, hasResult: true });
});

pageTest('fifty widgets, come and gone, share one engine', async (page) => {
  serve(
    '/count.js',
    `window.instances = 0;
     for (const name of ['instantiate', 'instantiateStreaming', 'compile']) {
       const original = WebAssembly[name];
       WebAssembly[name] = (...given) => {
         window.instances += given[0].byteLength > 1000 ? 1 : 0; // a few bytes only try what the browser can do
         return original.apply(WebAssembly, given);
       };
     }`,
  );
  await openPage(page, '<attention-widget></attention-widget><attention-widget></attention-widget>', {
    head: `<script src="/count.js"></script>${widgetScript}`,
  });
  const counted = await page.evaluate(async () => {
    for (let cycle = 0; cycle < 50; cycle++) {
      const element = /** @type {any} */ (document.createElement('attention-widget'));
      element.dK = 2 + cycle;
      document.body.append(element);
      await element.updated;
      element.remove();
    }
    return {
      instances: /** @type {any} */ (window).instances,
      elements: document.querySelectorAll('attention-widget').length,
      loaded: performance.getEntriesByType('resource').filter(({ name }) => name.includes('attention-widget.js'))
        .length,
    };
  });
  assert.deepEqual(counted, { instances: 1, elements: 2, loaded: 1 });
  assert.ok((await resultOf(only(page).first())) !== null);
});

pageTest('no id is repeated: two widgets and the page share none', async (page) => {
  await openPage(page, '<attention-widget id="one"></attention-widget><attention-widget></attention-widget>');
  const ids = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll('attention-widget'),
      ({ shadowRoot }) =>
        Array.from(/** @type {ShadowRoot} */ (shadowRoot).querySelectorAll('[id], [name], [for], [aria-labelledby]'))
          .length,
    ),
  );
  assert.deepEqual(ids, [0, 0]);
});
