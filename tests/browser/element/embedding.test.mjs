// The widget as a guest: strict policies, several copies, every order of loading, hostile pages, keys and ids.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
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

pageTest('loading the script twice, and a second copy of it, leaves the first in charge', async (page) => {
  serve('/copy.js', readFileSync(new URL('../../../dist/attention-widget.js', import.meta.url), 'utf8'));
  await openPage(page, '<attention-widget d-k="7"></attention-widget>', {
    head: `${widgetScript}${widgetScript}<script type="module" src="/copy.js"></script>`,
  });
  assert.equal((await read(only(page))).width, '7');
  await page.evaluate(() => {
    const first = customElements.get('attention-widget');
    Object.assign(window, { first });
  });
  await page.addScriptTag({ url: '/attention-widget.js?again', type: 'module' });
  assert.ok(await page.evaluate(() => customElements.get('attention-widget') === /** @type {any} */ (window).first));
  await page.evaluate(() => document.body.append(document.createElement('attention-widget')));
  await settled(page);
  assert.equal((await read(only(page).nth(1))).width, '16');
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

/** @param {Page} page  opened without the widget's script */
async function loadScript(page) {
  await page.addScriptTag({ url: '/attention-widget.js', type: 'module' });
  await settled(page);
}

pageTest('properties and attributes from before the script count, and later ones do too', async (page) => {
  await openPage(page, '', { head: '' });
  await page.evaluate(() => {
    const element = /** @type {any} */ (document.createElement('attention-widget'));
    element.tokens = ['a', 'b'];
    element.dK = 5;
    element.setAttribute('mask', 'causal');
    element.setAttribute('d-k', '9');
    document.body.append(element);
  });
  await loadScript(page);
  const early = await stateOf(only(page));
  assert.deepEqual(early.tokens, ['a', 'b']);
  assert.equal(early.mask, 'causal');
  assert.equal(early.dK, 5, 'what a script put on the element itself outdoes the markup');
  assert.deepEqual((await read(only(page))).rowLabels, ['a', 'b']);
  await set(only(page), { tokens: ['x', 'y', 'z'], dK: 6 });
  assert.deepEqual((await read(only(page))).rowLabels, ['x', 'y', 'z']);
  assert.equal((await stateOf(only(page))).dK, 6);
});

pageTest('a whole state from before the script counts as well', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>', { head: '' });
  await page.evaluate(() => {
    /** @type {any} */ (document.querySelector('attention-widget')).state = { dK: 5, mask: 'causal' };
  });
  await loadScript(page);
  const { dK, mask } = await stateOf(only(page));
  assert.deepEqual({ dK, mask }, { dK: 5, mask: 'causal' });
});

pageTest('an object that a framework turned into text is reported, not guessed at', async (page) => {
  await openPage(page, '<attention-widget tokens="[object Object]"></attention-widget>');
  assert.match((await read(only(page))).problem ?? '', /^tokens is "\[object Object\]", but must be words/);
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
  const canvas = await only(page).first().locator('canvas').boundingBox();
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
    return Promise.all(['.cell', 'canvas'].map((part) => only(page).locator(part).first().boundingBox()));
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

pageTest(
  'of three widgets and two copies of the script one starts in a hidden tab, and each keeps its own',
  async (page) => {
    await openPage(
      page,
      `<div id="tab" style="display: none"><attention-widget tokens="a b" d-k="4"></attention-widget></div>
     <attention-widget tokens="c d e f g" mask="causal"></attention-widget>
     <attention-widget tokens="x y z" divisor="none"></attention-widget>`,
      { head: `<script src="/attention-widget.classic.js"></script>${widgetScript}` },
    );
    const all = [0, 1, 2].map((index) => only(page).nth(index));
    assert.deepEqual(await Promise.all(all.map(async (each) => (await read(each)).rowLabels.length)), [2, 5, 3]);
    const others = async () => [await read(all[1]), await read(all[2])];
    const before = await others();
    await page.evaluate(() => document.querySelector('#tab')?.removeAttribute('style'));
    const [[cell]] = (await read(all[0])).cells;
    assert.ok(cell.width > 20 && Math.abs(cell.width - cell.height) < 0.5);
    await all[0].locator('.cell[tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await all[0].locator('.cell').nth(3).hover();
    await settled(page);
    assert.deepEqual([(await stateOf(all[0])).row, (await read(all[0])).cells.flat()[3].isLit], [0, true]);
    assert.deepEqual(await others(), before);
    await all[1].evaluate((element) => element.remove());
    assert.deepEqual((await read(only(page).nth(0))).rowLabels, ['a', 'b']);
    assert.deepEqual(await read(only(page).nth(1)), before[1]);
  },
);

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

/** Where the parts of the widget are. @param {Page} page */
function geometryOf(page) {
  return only(page).evaluate((element) =>
    Array.from(
      /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
        '.cell, button, .bar, .figure, td, th, h3, canvas',
      ),
      (each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height].map((length) => length.toFixed(1)).join();
      },
    ),
  );
}

pageTest("a page's resets and a widget's rules stay on their own sides", async (page) => {
  const body =
    '<main><attention-widget mask="causal"></attention-widget><button>mine</button><table><tr><td>1</td></tr></table></main>';
  await openPage(page, body);
  const before = await geometryOf(page);
  serve(
    '/hostile.css',
    `* { box-sizing: content-box; margin: 7px !important; padding: 9px; border: 3px dotted red; line-height: 3;
         letter-spacing: 0.5em; text-transform: uppercase }
     html, body, main, attention-widget { all: revert; letter-spacing: normal; text-transform: none }
     button { all: unset } table { width: 100%; display: block } canvas { max-width: 50% } div { display: flex; float: left }
     td, th { background: red; font-size: 40px } h3, p, dl, dd, figure { margin: 4em } input { width: 10px; height: 90px }
     .cell { width: 3px; display: none } .widget, .picture { display: none } .bar { height: 70px }`,
  );
  await openPage(page, body, { head: `<link rel="stylesheet" href="/hostile.css">${widgetScript}` });
  // The page may place the host; what is inside it is the widget's.
  await page.addStyleTag({
    content: 'html, main, attention-widget { margin: 0 !important } body { margin: 8px !important }',
  });
  assert.deepEqual(await geometryOf(page), before);

  const hostStyles = () =>
    page.evaluate(() =>
      ['main', 'main > button', 'td'].map((selector) => {
        const { font, color, padding, display, backgroundColor } = getComputedStyle(
          /** @type {Element} */ (document.querySelector(selector)),
        );
        return { font, color, padding, display, backgroundColor };
      }),
    );
  await openPage(page, body, { head: '' });
  const alone = await hostStyles();
  await openPage(page, body);
  assert.deepEqual(await hostStyles(), alone);
});

for (const width of [400, 1000]) {
  pageTest(
    `a page that unsets everything and hides what the widget is made of, ${width} pixels wide, changes nothing in it`,
    async (page) => {
      const body = '<main style="display: block"><attention-widget heads="2"></attention-widget></main>';
      await openPage(page, body);
      const before = await geometryOf(page);
      assert.ok(before.length > 60);
      serve(
        '/unset.css',
        `body { direction: ltr; text-align: right }
         main * { all: unset }
         button, input, select, table, tr, td, th, div, dl, figure, details, canvas, svg { display: none !important }`,
      );
      await openPage(page, body, { head: `<link rel="stylesheet" href="/unset.css">${widgetScript}` });
      assert.deepEqual(await geometryOf(page), before);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    },
    { viewport: { width, height: 900 } },
  );
}

pageTest('a page with a huge root font still gets a widget that fits', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>', {
    head: `<style>:root { font-size: 30px }</style>${widgetScript}`,
  });
  const { cells } = await read(only(page));
  assert.ok(cells[0][0].width > 20 && Math.abs(cells[0][0].width - cells[0][0].height) < 0.5);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1000);
});

pageTest('the address and the history are left alone', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => history.replaceState(null, '', '#/3'));
  const before = await page.evaluate(() => [location.href, history.length]);
  for (let dK = 2; dK < 30; dK++) {
    await set(only(page), { dK });
  }
  assert.deepEqual(await page.evaluate(() => [location.href, history.length]), before);
});

pageTest("keys that the widget uses do not reach the page's shortcuts, the others do", async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => {
    /** @type {string[]} */
    const keys = [];
    Object.assign(window, { keys });
    document.addEventListener('keydown', (event) => keys.push(event.key));
  });
  const heard = async (/** @type {string[]} */ keys) => {
    for (const key of keys) {
      await page.keyboard.press(key);
    }
    await settled(page);
    return page.evaluate(() => /** @type {any} */ (window).keys.splice(0));
  };
  const part = (/** @type {string} */ name) => only(page).locator(`[part="${name}"]`);

  await part('slider').focus();
  assert.deepEqual(
    await heard(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']),
    [],
  );
  assert.deepEqual(await heard(['Escape', 'f']), ['Escape', 'f']);
  await only(page).locator('.cell[tabindex="0"]').focus();
  assert.deepEqual(await heard(['ArrowRight', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']), []);
  assert.deepEqual(await heard(['Escape', 'f', 'Tab']), ['Escape', 'f', 'Tab']);
  await part('sentence').focus();
  assert.deepEqual(await heard(['a', 'Space', 'ArrowLeft', 'Enter', 'Home', 'n', '?']), []);
  assert.deepEqual(await heard(['Escape', 'Tab']), ['Escape', 'Tab']);
  await part('heads-choice').focus();
  assert.deepEqual(await heard(['n', 'ArrowDown', 'Home']), []);
  assert.deepEqual(await heard(['Escape', 'Tab']), ['Escape', 'Tab']);
  await part('toggle').focus();
  assert.deepEqual(await heard(['Space', 'Enter']), []);
  assert.deepEqual(await heard(['ArrowRight', 'Escape', 'Tab']), ['ArrowRight', 'Escape', 'Tab']);
});

pageTest('the grid lets the keys of browser and system through', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => {
    /** @type {boolean[]} */
    const kept = [];
    Object.assign(window, { kept });
    document.addEventListener('keydown', (event) => kept.push(event.defaultPrevented));
  });
  await only(page).locator('.cell[tabindex="0"]').focus();
  const before = await stateOf(only(page));
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Meta+ArrowDown');
  await settled(page);
  assert.deepEqual(await stateOf(only(page)), before);
  const kept = await page.evaluate(() => /** @type {any} */ (window).kept);
  assert.ok(kept.length >= 2 && !kept.includes(true));
});

pageTest(
  'a finger that starts on the map scrolls the page',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    const actions = async () =>
      only(page).evaluate((element) =>
        Array.from(
          /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll(
            '.map, .cell, .plane, canvas, [part="slider"]',
          ),
          (each) => getComputedStyle(each).touchAction,
        ),
      );
    assert.deepEqual([...new Set(await actions())].sort(), ['auto', 'pan-y']);
    await set(only(page), { tokens: Array.from({ length: 20 }, (_, index) => `t${index}`) });
    assert.deepEqual([...new Set(await actions())].sort(), ['auto', 'pan-y']);
  },
  { hasTouch: true },
);

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

pageTest('every control has a name that a screen reader can say', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const [role, name] of /** @type {[any, RegExp][]} */ ([
    ['group', /^Controls$/],
    ['button', /^÷ √dk\s*on$/],
    ['slider', /^dk, the number of dimensions/],
    ['button', /^causal mask$/],
    ['textbox', /^Sentence$/],
    ['textbox', /^Seed$/],
    ['button', /^default$/],
    ['grid', /^Attention weights, 6 queries by 6 keys$/],
    ['gridcell', /^journey looks at starts, 0\.22$/],
  ])) {
    assert.equal(await only(page).getByRole(role, { name }).count(), 1, `${role} ${name}`);
  }
});
