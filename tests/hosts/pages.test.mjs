// The package without a build: plain pages, pages from disk, notebooks, and a thousand comings and goings.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pageTest, strictPolicy } from '../browser/support.mjs';
import { expectWorkingWidget, folder, headers, html, manifest, origins, write } from './support.mjs';

const widget = '<attention-widget d-k="24"></attention-widget>';
const dist = 'node_modules/attention-widget/dist';

/** Pages by name: what its head holds. */
const heads = {
  module: `<script type="module" src="${dist}/attention-widget.js"></script>`,
  fetched: `<script type="module" src="${dist}/external.js"></script>`,
  classic: `<script src="${dist}/attention-widget.classic.js"></script>`,
  network: `<script type="module" src="${manifest.unpkg.replace('./dist', dist)}"></script>`,
  element: `<script type="importmap">{"imports": {"attention-widget/element": "./${dist}/element.js"}}</script>
    <script type="module">
      import { AttentionWidget } from 'attention-widget/element';
      window.wasDefined = customElements.get('attention-widget') !== undefined;
      customElements.define('attention-widget', AttentionWidget);
    </script>`,
};

for (const [name, head] of Object.entries(heads)) {
  write(`${name}.html`, html(name, head, widget));
}

pageTest('a plain page: the module with everything inside', async (page) => {
  await page.goto(`${origins[0]}/module.html`);
  await expectWorkingWidget(page);
});

pageTest('a plain page: the module that fetches its WebAssembly from beside it, and nothing twice', async (page) => {
  const policy = `${strictPolicy}; img-src data:; connect-src 'self'`;
  headers.set('/fetched.html', { 'content-security-policy': policy });
  await page.goto(`${origins[0]}/fetched.html`);
  await expectWorkingWidget(page);
  await page.evaluate(async () => {
    const second = /** @type {any} */ (document.body.appendChild(document.createElement('attention-widget')));
    await second.updated;
  });
  const fetched = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => /** @type {string} */ (name.split('/').at(-1))),
  );
  assert.deepEqual(fetched.filter((name) => name !== '').sort(), ['attention_lesson.wasm', 'external.js']);
});

pageTest(
  'a plain page whose WebAssembly is missing says which file, in place of the widget',
  async (page) => {
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${origins[0]}/fetched.html`);
    const problem = page.locator('attention-widget [part="problem"]');
    await problem.waitFor();
    assert.match((await problem.textContent()) ?? '', /attention_lesson\.wasm came as an empty file \(status 404/);
  },
  {},
  /404|^failed: .*\.wasm$/,
);

pageTest('a page that registers the class itself', async (page) => {
  await page.goto(`${origins[0]}/element.html`);
  await expectWorkingWidget(page);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).wasDefined), false);
});

pageTest('a classic script, from a server', async (page) => {
  for (const name of ['classic.html', 'network.html']) {
    await page.goto(`${origins[0]}/${name}`);
    await expectWorkingWidget(page);
  }
});

pageTest('a classic script, from disk', async (page) => {
  await page.goto(pathToFileURL(join(folder, 'classic.html')).href);
  await expectWorkingWidget(page);
});

pageTest('a classic script leaves no global name behind', async (page) => {
  write('names.html', html('names', `<script>window.names = Object.keys(window);</script>${heads.classic}`, widget));
  await page.goto(`${origins[0]}/names.html`);
  const added = () => {
    const { names } = /** @type {any} */ (window);
    return Object.keys(window).filter((name) => name !== 'names' && !names.includes(name));
  };
  assert.deepEqual(await page.evaluate(added), []);
});

/**
 * A model as a notebook has it, and a widget drawn from it. Its module comes out of a text, as notebooks load it.
 *
 * @param {import('playwright-core').Page} page
 * @param {Record<string, any>} traits
 * @param {boolean} [throws]  whether the host keeps no changes
 */
async function openNotebook(page, traits, throws = false) {
  write('notebook.html', html('notebook', '', '<div id="cell"></div>'));
  await page.goto(`${origins[0]}/notebook.html`);
  await page.evaluate(
    async ({ url, traits, throws }) => {
      const text = await (await fetch(url)).text();
      const { default: module } = await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
      /** @type {Map<string, Set<() => void>>} */
      const listeners = new Map();
      /** @type {Record<string, any>[]} */
      const saved = [];
      /** @type {Record<string, any>} */
      let pending = {};
      const model = {
        get: (/** @type {string} */ name) => traits[name],
        set(/** @type {string} */ name, /** @type {any} */ value) {
          traits[name] = value;
          pending[name] = value;
          for (const listener of listeners.get(`change:${name}`) ?? []) {
            listener();
          }
        },
        save_changes() {
          if (throws) {
            throw new Error('not implemented');
          }
          saved.push(pending);
          pending = {};
        },
        on: (/** @type {string} */ event, /** @type {() => void} */ listener) =>
          listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
        off: (/** @type {string} */ event, /** @type {() => void} */ listener) =>
          listeners.get(event)?.delete(listener),
      };
      const el = /** @type {Element} */ (document.querySelector('#cell'));
      const remove = await module.render({ model, el });
      const count = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0);
      Object.assign(window, { model, saved, remove, count });
      await /** @type {any} */ (el.firstElementChild).updated;
    },
    { url: `/${dist}/anywidget.js`, traits, throws },
  );
}

/** @param {import('playwright-core').Page} page @param {string[]} names */
function stateIn(page, names) {
  return page.evaluate(async (names) => {
    const element = /** @type {any} */ (document.querySelector('attention-widget'));
    await element.updated;
    return Object.fromEntries(names.map((name) => [name, element.state[name]]));
  }, names);
}

pageTest(
  "a notebook: the model's traits are the widget's settings, both ways, and it gets the figures",
  async (page) => {
    await openNotebook(page, {
      d_k: 24,
      divisor: 'sqrt',
      tokens: 'a b c',
      seed: null,
      panels: [],
      metrics: {},
      other: 1,
    });
    const names = ['dK', 'divisor', 'tokens', 'seed', 'panels'];
    assert.deepEqual(await stateIn(page, names), {
      dK: 24,
      divisor: 'sqrt',
      tokens: ['a', 'b', 'c'],
      seed: 50721255,
      panels: [],
    });
    await expectWorkingWidget(page);
    const saved = await page.evaluate(() => /** @type {any} */ (window).saved);
    assert.equal(saved.length, 2, 'once for the first picture, once for the click');
    assert.deepEqual(Object.keys(saved[0]), ['metrics']);
    assert.deepEqual([Object.keys(saved[1]).sort(), saved[1].divisor], [['divisor', 'metrics'], 'none']);
    assert.ok(saved[1].metrics.peak[1] > saved[0].metrics.peak[1]);

    await page.evaluate(() => /** @type {any} */ (window).model.set('d_k', 64));
    assert.deepEqual(await stateIn(page, ['dK', 'divisor']), { dK: 64, divisor: 'none' });
    await page.locator('[part="sentence"]').fill('x y z w');
    await page.locator('[part="sentence"]').press('Enter');
    await stateIn(page, []);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).model.get('tokens')), 'x y z w');
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).model.get('d_k')), 64);

    await page.evaluate(() => /** @type {any} */ (window).remove());
    assert.equal(await page.locator('attention-widget').count(), 0);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).count()), 0, 'no listener is left');
  },
);

pageTest(
  'a page without a kernel: names as attributes write them, and a host that keeps no changes',
  async (page) => {
    await openNotebook(page, { 'd-k': 5, softmaxAxis: 'keys', divisor: 'sqrt' }, true);
    assert.deepEqual(await stateIn(page, ['dK', 'softmaxAxis']), { dK: 5, softmaxAxis: 'keys' });
    await expectWorkingWidget(page);
  },
  {},
  /^debug: attention-widget: the host keeps no changes/,
);

pageTest('a thousand widgets come and go, and the page grows by none of them', async (page) => {
  write(
    'memory.js',
    `window.memories = [];
     const instantiate = WebAssembly.instantiate;
     WebAssembly.instantiate = async (...given) => {
       const answer = await instantiate.apply(WebAssembly, given);
       const { exports } = answer.instance ?? answer;
       memories.push(...Object.values(exports).filter((each) => each instanceof WebAssembly.Memory));
       return answer;
     };`,
  );
  write('memory.html', html('memory', `<script src="memory.js"></script>${heads.module}`, widget));
  await page.goto(`${origins[0]}/memory.html`);
  await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
  const session = await page.context().newCDPSession(page);

  /** @param {number} count */
  const cycle = async (count) => {
    await page.evaluate(async (count) => {
      for (let turn = 0; turn < count; turn++) {
        const element = /** @type {any} */ (document.createElement('attention-widget'));
        element.dK = 2 + (turn % 60);
        document.body.append(element);
        if (turn % 4 !== 0) {
          await element.updated; // every fourth leaves before its picture is there
        }
        element.remove();
      }
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }, count);
    // What one collection finalises, a later one frees; a busy machine finalises late.
    for (let turn = 0; turn < 5; turn++) {
      await session.send('HeapProfiler.collectGarbage');
      await page.waitForTimeout(100);
    }
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    const module = await page.evaluate(() =>
      /** @type {any} */ (window).memories.map((/** @type {WebAssembly.Memory} */ { buffer }) => buffer.byteLength),
    );
    return { usedSize, nodes, jsEventListeners, module };
  };
  const before = await cycle(100);
  const after = await cycle(1000);
  assert.equal(before.module.length, 1, 'one instance serves them all');
  assert.deepEqual(after.module, before.module, "the module's memory");
  const grown = after.usedSize - before.usedSize;
  assert.ok(grown < 1e6, `the heap grew by ${grown} bytes`);
  assert.ok(after.nodes - before.nodes < 500, `${after.nodes - before.nodes} more nodes`);
  assert.ok(after.jsEventListeners - before.jsEventListeners < 100, 'listeners');
});
