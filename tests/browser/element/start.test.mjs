// What comes instead of the widget's WebAssembly, what the reader is told of it, and how every widget recovers. Covers
// engine/loading.js, engine/module-bytes-fetched.js and the element's errors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import spanish from '../../../web/language/messages/es.js';
import { eventually, openPage, pageTest, read, serve, set, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const module = readFileSync(new URL('../../../dist/attention_lesson.wasm', import.meta.url));
const external = '<script type="module" src="/external.js"></script>';
const widgets = '<attention-widget></attention-widget><attention-widget d-k="4"></attention-widget>';
const all = (/** @type {Page} */ page) => page.locator('attention-widget');

/** @param {Page} page */
const openExternal = async (page, body = widgets, root = 'lang="en"') => {
  await openPage(page, body, { head: external, root });
  await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
  await settled(page);
};

/** @type {[string, import('playwright-core').Route['fulfill'] extends (options?: infer O) => any ? O : never, RegExp][]} */
const answers = [
  [
    'a page of HTML',
    { status: 200, contentType: 'text/html', body: '<!doctype html><title>Not here</title>' },
    /attention_lesson\.wasm came as a page of HTML \(status 200, text\/html, 38 bytes: "<!doctype html>.*which is no whole module/,
  ],
  [
    'an error with a page',
    { status: 404, contentType: 'text/html', body: '<h1>Gone' },
    /came as a page of HTML \(status 404, text\/html, 8 bytes: "<h1>Gone"\), which is no success/,
  ],
  [
    'an empty file',
    { status: 200, contentType: 'application/wasm', body: '' },
    /came as an empty file \(status 200, application\/wasm, 0 bytes: ""\)/,
  ],
  [
    'a cut file',
    { status: 200, contentType: 'application/wasm', body: module.subarray(0, 5000) },
    /came as a file \(status 200, application\/wasm, 5000 bytes: "·asm·.*which is no whole module/,
  ],
  [
    'a module of another make',
    { status: 200, contentType: 'application/wasm', body: Buffer.from('0061736d01000000', 'hex') },
    /^WebAssembly could not start \(.+\)$/,
  ],
];

for (const [name, answer, expected] of answers) {
  pageTest(
    `${name} in place of the module: the sentence says what came, and one retry brings every widget`,
    async (page) => {
      await page.addInitScript(() => {
        const told = /** @type {any[]} */ ([]);
        Object.assign(window, { told });
        document.addEventListener('attention-error', (event) => {
          told.push(/** @type {CustomEvent} */ (event).detail.message);
        });
      });
      await page.route('**/attention_lesson.wasm', (route) => route.fulfill(answer));
      await openExternal(page);
      for (const widget of [all(page).first(), all(page).last()]) {
        const { problem, areControlsShown } = await read(widget);
        assert.match(problem ?? '', expected);
        assert.doesNotMatch(problem ?? '', /SIMD|Content-Security-Policy/);
        assert.equal(areControlsShown, false);
      }
      const told = await page.evaluate(() => /** @type {any} */ (window).told);
      assert.equal(told.length, 2);
      assert.match(told[0], expected);

      await all(page).first().getByRole('button', { name: 'Try again' }).click();
      await settled(page);
      assert.match((await read(all(page).first())).problem ?? '', expected, 'still as before');

      await page.unroute('**/attention_lesson.wasm');
      await all(page).first().getByRole('button', { name: 'Try again' }).click();
      for (const widget of [all(page).first(), all(page).last()]) {
        await eventually(async () => (await read(widget)).isPictureShown, true);
        assert.equal((await read(widget)).problem, null);
      }
      const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.classList[0]);
      await eventually(focused, 'cell');
    },
    {},
    /404/,
  );
}

pageTest(
  'a network failure names the address, in the language of the place',
  async (page) => {
    await page.route('**/attention_lesson.wasm', (route) => route.abort());
    await openExternal(page, '<attention-widget></attention-widget>', 'lang="es"');
    const { problem } = await read(all(page));
    assert.match(
      problem ?? '',
      /El motor dice: WebAssembly could not start \(http:.*\/attention_lesson\.wasm did not come/,
    );
    await page.unroute('**/attention_lesson.wasm');
    await all(page).getByRole('button', { name: spanish.again }).click();
    await eventually(async () => (await read(all(page))).isPictureShown, true);
  },
  {},
  /ERR_FAILED|attention_lesson/,
);

pageTest('a setting that cannot be used has no such button: trying again would change nothing', async (page) => {
  await openPage(page, '<attention-widget d-k="0"></attention-widget>');
  assert.equal(await all(page).getByRole('button', { name: 'Try again' }).count(), 0);
});

/** A built-in class, and functions, that throw. @param {string} name */
const classThrows = (name) => `${name} = class { constructor() { throw new TypeError('patched'); } };`;
/** @param {string} name */
const throws = (name) => `${name} = () => { throw new TypeError('patched'); };`;

/** Built-in functions as pages replace them: the method, and what stands in its place. */
const patches = {
  ...Object.fromEntries(
    [
      ...['Promise', 'Map', 'Set', 'Response', 'MessageChannel', 'MutationObserver', 'AbortController', 'WeakRef'],
      ...['ResizeObserver', 'IntersectionObserver', 'CSSStyleSheet', 'ImageData', 'Intl.NumberFormat', 'Intl.Locale'],
    ].map((name) => [`${name} throws`, classThrows(name)]),
  ),
  ...Object.fromEntries(
    [
      ...['Array.prototype.map', 'Array.prototype.flatMap', 'Array.prototype.find', 'Set.prototype.add'],
      ...['JSON.stringify', 'Object.fromEntries', 'Number.isInteger', 'String.prototype.replace', 'Promise.resolve'],
      ...['structuredClone', 'queueMicrotask', 'matchMedia', 'requestAnimationFrame', 'getComputedStyle'],
      ...['document.createElement', 'Element.prototype.append', 'Element.prototype.setAttribute'],
      ...['DocumentFragment.prototype.replaceChildren', 'MutationObserver.prototype.observe'],
    ].map((name) => [`${name} throws`, throws(name)]),
  ),
  'localStorage throws':
    "Object.defineProperty(window, 'localStorage', { get() { throw new TypeError('patched'); } });",
  'Array.from is that of Prototype.js': `Array.from = (iterable) => {
    if (!iterable) return [];
    if ('toArray' in Object(iterable)) return iterable.toArray();
    let length = iterable.length || 0;
    const results = new Array(length);
    while (length--) results[length] = iterable[length];
    return results;
  };`,
  'queueMicrotask does nothing': 'queueMicrotask = () => {};',
  'WebAssembly.instantiate fails': "WebAssembly.instantiate = async () => { throw new TypeError('patched'); };",
};

/** What a widget shows, as a text: whoever runs it in a page must get past what is patched there. */
const lookAtWidget = `(root) => {
  const shown = (selector) => root?.querySelector(selector)?.checkVisibility() ?? false;
  const text = root?.textContent ?? '';
  return {
    isPicture: shown('.picture'),
    // Where there are no elements any more the sentence stands alone.
    isProblem: shown('[part="problem"]') || (root?.childElementCount === 0 && text.includes('patched')),
    waits: text.includes('Loading …') || shown('.progress'),
  };
}`;

for (const [name, patch] of Object.entries(patches)) {
  pageTest(
    `${name}: there is the picture, or the sentence and the event, and never a widget that waits`,
    async (page) => {
      // Patched once the widget's script has run, and before there is a widget.
      await openPage(page, '');
      const found = await page.evaluate(
        async ([patch, look]) => {
          const wait = setTimeout;
          let errors = 0;
          document.addEventListener('attention-error', () => errors++);
          const kept = { Promise, Map, Set };
          const template = document.createElement('template');
          template.innerHTML = `<attention-widget tokens="a${' a'.repeat(19)}"></attention-widget>`; // a painted map
          const widget = /** @type {Element} */ (template.content.firstElementChild);
          const lookAt = new Function(`return ${look}`)();
          new Function(patch)();
          document.body.appendChild(widget);
          await new kept.Promise((resolve) => wait(resolve, 600));
          Object.assign(globalThis, kept); // what drives the browser needs them
          return { errors, ...lookAt(widget.shadowRoot) };
        },
        [patch, lookAtWidget],
      );
      assert.equal(found.waits, false, JSON.stringify(found));
      assert.notEqual(found.isPicture, found.isProblem, JSON.stringify(found));
      assert.ok(found.isPicture || found.errors > 0, JSON.stringify(found));
    },
    {},
    /patched|TypeError|Error/,
  );
}

for (const [name, patch] of Object.entries(patches)) {
  pageTest(
    `${name} before the script comes: a picture, the sentence and the event, or an error in the console`,
    async (page) => {
      let uncaught = 0;
      page.on('pageerror', () => uncaught++);
      const address = serve(
        '/patched.html',
        `<!doctype html><html lang="en"><title>Test</title><link rel="icon" href="data:,">
         <script>errors = 0; document.addEventListener('attention-error', () => errors++);</script>
         <attention-widget tokens="a${' a'.repeat(19)}"></attention-widget><script>(() => { ${patch} })()</script>
         <script type="module" src="/attention-widget.js"></script>`,
      );
      const session = await page.context().newCDPSession(page);
      await page.goto(address, { waitUntil: 'commit' });
      // What drives the browser needs what is patched, so this asks past it.
      const look = async () => {
        const { result } = await session.send('Runtime.evaluate', { returnByValue: true, expression });
        return { errors: 0, isPicture: false, isProblem: false, waits: true, ...result.value, uncaught };
      };
      const expression = `({ errors, ...(${lookAtWidget})(document.querySelector('attention-widget')?.shadowRoot) })`;
      let found = await look();
      for (let turn = 0; turn < 200 && !found.isPicture && !found.isProblem && uncaught === 0; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        found = await look();
      }
      assert.equal(found.waits, false, JSON.stringify(found));
      assert.ok(found.isPicture || found.errors > 0 || uncaught > 0, JSON.stringify(found));
    },
    {},
    /patched|TypeError|Error/,
  );
}

pageTest('what stops a panel is said in the panel, and the picture stays', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await all(page).locator('[data-group="see"]').click();
  await all(page).locator('.shapes').waitFor();
  const error = await all(page).evaluate(async (element) => {
    const told = new Promise((resolve) => {
      element.addEventListener('attention-error', (event) =>
        resolve(/** @type {CustomEvent} */ (event).detail.message),
      );
    });
    window.addEventListener('error', (event) => event.preventDefault());
    Object.assign(window, { reportError: () => {} });
    const { createElement } = document;
    document.createElement = (/** @type {any[]} */ ...words) => {
      if (words[0] === 'table') {
        throw new TypeError('no tables here');
      }
      return createElement.apply(document, /** @type {any} */ (words));
    };
    /** @type {any} */ (element.shadowRoot?.querySelector('[data-panel="worksheet"]')).open = true;
    const message = await told;
    document.createElement = createElement;
    return message;
  });
  assert.match(String(error), /An unexpected error stopped the widget \(TypeError: no tables here\)/);
  const { isPictureShown } = await read(all(page));
  assert.equal(isPictureShown, true);
  await all(page).getByText('no tables here').first().waitFor();
  await set(all(page), { dK: 5 });
  assert.equal(await all(page).getByText('no tables here').count(), 0, 'the next state is shown');
});

pageTest('what a page adds to every object breaks neither the widget, nor pictures, nor links', async (page) => {
  await openPage(page, '<attention-widget heads="2"></attention-widget>');
  const made = () =>
    all(page).evaluate(async (element) => {
      const widget = /** @type {any} */ (element);
      widget.change({ dK: 9, tokens: ['a', 'b'] });
      await widget.updated;
      const { link } = widget;
      widget.link = link;
      await widget.updated;
      return [link, widget.link, await widget.toSVG(), widget.toCSV(), JSON.stringify(widget.state)];
    });
  const before = await made();
  await page.evaluate(() => {
    const added = { extend() {}, path: 'added', text: 'added', argument: 'added', each: 3, stroke: 'red', turn: 45 };
    Object.assign(Object.prototype, added);
  });
  const after = await made();
  await page.evaluate(() => {
    for (const name of ['extend', 'path', 'text', 'argument', 'each', 'stroke', 'turn']) {
      delete (/** @type {any} */ (Object.prototype)[name]);
    }
  });
  assert.deepEqual(after, before);
});

for (const root of ['', 'lang="en"', 'lang="de"', 'lang="es"']) {
  pageTest(`a page with ${root || 'no language'} gets its first picture without an exception`, async (page) => {
    // One that is caught costs as well: for its stack trace the engine reads the script's functions again, 15 ms.
    const debug = await page.context().newCDPSession(page);
    /** @type {(string | undefined)[]} */
    const exceptions = [];
    debug.on('Debugger.paused', ({ data, callFrames }) => {
      exceptions.push(data?.description ?? callFrames[0]?.functionName);
      void debug.send('Debugger.resume');
    });
    await debug.send('Debugger.enable');
    await debug.send('Debugger.setPauseOnExceptions', { state: 'all' });
    await openPage(page, '<attention-widget></attention-widget>', { root });
    assert.deepEqual(exceptions, []);
  });
}
