// What a reader does first, done in Chromium, Firefox and WebKit, with real keys and a real pointer, on a page with the
// strictest policy. Covers the element, its views and its panels together.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { loadEngine } from '../../web/support.mjs';
import { engines } from '../engines/engines.mjs';
import { eventually, numberIn, read, resultShown, serve, stateOf, strictPolicy, widgetScript } from '../support.mjs';

/** @typedef {import('../engines/engines.mjs').Engine} Engine */
/** @typedef {import('../support.mjs').Locator} Locator */

// Loads before the widget, and keeps what goes wrong.
serve(
  '/journal.js',
  `window.journal = [];
   for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
     addEventListener(type, ({ message, reason, violatedDirective }) =>
       journal.push(type + ': ' + (message ?? reason ?? violatedDirective)), true);
   }
   for (const level of ['error', 'warn']) {
     console[level] = (...told) => journal.push(level + ': ' + told.join(' '));
   }`,
);

/** A function that runs in the page, with what it is given. @param {Function} body @param {unknown[]} given */
const call = (body, ...given) => `(${body})(${given.map((each) => JSON.stringify(each)).join()})`;

/** The page's widget, for the helpers that read one. @param {Engine} engine @returns {Locator} */
function widgetIn(engine) {
  const find = "document.querySelector('attention-widget')";
  const evaluate = (/** @type {Function} */ body, /** @type {unknown} */ given) =>
    engine.run(`(${body})(${find}, ${JSON.stringify(given)})`);
  return /** @type {any} */ ({ evaluate });
}

/** @param {Engine} engine */
const settled = (engine) =>
  engine.run(
    call(async () => {
      await customElements.whenDefined('attention-widget');
      await /** @type {any} */ (document.querySelector('attention-widget')).updated;
    }),
  );

/** @param {Engine} engine @param {string} [attributes] */
async function open(engine, attributes = '') {
  await engine.visit(
    serve(
      '/journey.html',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Journey</title><link rel="icon" href="data:,">
       <script src="/journal.js"></script>${widgetScript}</head>
       <body><attention-widget ${attributes}></attention-widget></body></html>`,
      { 'content-security-policy': `${strictPolicy}; img-src data:` },
    ),
  );
  await settled(engine);
}

/** Where an element of the widget is, once it is in sight and stays. @param {Engine} engine @param {string} selector */
function boxOf(engine, selector, index = 0) {
  return engine.run(
    call(
      async (/** @type {string} */ selector, /** @type {number} */ index) => {
        const root = /** @type {ShadowRoot} */ (document.querySelector('attention-widget')?.shadowRoot);
        const element = root.querySelectorAll(selector)[index];
        for (let before = Number.NaN; ; ) {
          element.scrollIntoView({ block: 'center', behavior: 'instant' });
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          const { x, y, width, height } = element.getBoundingClientRect();
          if (y === before) {
            return { x, y, width, height };
          }
          before = y;
        }
      },
      selector,
      index,
    ),
  );
}

/** @param {Engine} engine @param {string} selector */
async function click(engine, selector, index = 0) {
  const { x, y, width, height } = await boxOf(engine, selector, index);
  await engine.drag([[x + width / 2, y + height / 2]]);
  await settled(engine);
}

/** @param {Engine} engine @param {string[]} keys */
async function press(engine, ...keys) {
  for (const key of keys) {
    await engine.press(key);
  }
  await settled(engine);
}

/** What has the focus in the widget, and how wide its outline is. @param {Engine} engine */
function focused(engine) {
  return engine.run(
    call(() => {
      const element = document.activeElement?.shadowRoot?.activeElement;
      return element == null
        ? null
        : {
            name: element.getAttribute('part') ?? element.getAttribute('role') ?? element.textContent,
            outline: Number.parseFloat(getComputedStyle(element).outlineWidth),
          };
    }),
  );
}

/** @param {Engine} engine @param {string} name */
async function assertFocusOn(engine, name) {
  const { name: found, outline } = (await focused(engine)) ?? {};
  assert.equal(found, name);
  assert.ok(outline >= 2, `the focus on ${name} can be seen`);
}

/** @param {Engine} engine @param {string} name  of a panel */
function isOpen(engine, name) {
  return engine.run(
    call((/** @type {string} */ name) => {
      const root = /** @type {ShadowRoot} */ (document.querySelector('attention-widget')?.shadowRoot);
      return /** @type {HTMLDetailsElement} */ (root.querySelector(`[data-panel="${name}"]`)).open;
    }, name),
  );
}

/** What a panel shows, once it does. @param {Engine} engine @param {string} name */
async function textOfPanel(engine, name) {
  const text = () =>
    engine.run(
      call((/** @type {string} */ name) => {
        const root = /** @type {ShadowRoot} */ (document.querySelector('attention-widget')?.shadowRoot);
        const panel = /** @type {HTMLDetailsElement} */ (root.querySelector(`[data-panel="${name}"]`));
        return panel.open ? panel.children[1].textContent : '';
      }, name),
    );
  await eventually(async () => [name, (await text()) !== ''], [name, true]);
  return await text();
}

/** @param {Engine} engine */
async function assertUnscaledFigures(engine) {
  const { figures, width, toggle } = await read(widgetIn(engine));
  assert.equal(width, '64');
  assert.equal(toggle.isPressed, 'false');
  assert.ok(numberIn(figures.spread.value) > 6, `spread ${figures.spread.value}`);
  assert.equal(figures.peak.value, '1.00');
  assert.equal(figures.state.value, 'saturated (one-hot)');
  assert.equal(figures.gradient.value, 'dead');
}

/** @param {Engine} engine */
async function assertScaledFigures(engine) {
  const { figures, toggle } = await read(widgetIn(engine));
  assert.equal(toggle.isPressed, 'true');
  const spread = numberIn(figures.spread.value);
  assert.ok(spread >= 0.75 && spread <= 1.33, `spread ${spread}`);
  assert.ok(numberIn(figures.peak.value) <= 0.8, `peak ${figures.peak.value}`);
  assert.equal(figures.gradient.value, 'alive');
}

/** The picture is of this query and this key, and each step of the arithmetic is the result's. @param {Engine} engine */
async function assertCell(engine, /** @type {number} */ row, /** @type {number} */ column) {
  const widget = widgetIn(engine);
  const shown = await read(widget);
  const { tokens, scores, scaled, weights } = await resultShown(widget);
  assert.deepEqual(shown.selectedRows, [row]);
  const current = shown.cells.flatMap((cells, i) => cells.flatMap(({ isCurrent }, j) => (isCurrent ? [[i, j]] : [])));
  assert.deepEqual(current, [[row, column]]);
  assert.equal(shown.list.title, `“${tokens[row]}” looks at …`);
  assert.equal(shown.arithmetic.title, `“${tokens[row]}” → “${tokens[column]}”`);
  const steps = shown.arithmetic.steps.map((step) => step.at(-1) ?? '');
  const near = (/** @type {string} */ text, /** @type {number} */ value) =>
    assert.ok(Math.abs(numberIn(text) - value) <= 0.005 + 1e-9, `${text} is ${value}`);
  near(steps[0], scores[row][column]);
  near(steps[1], scaled[row][column]);
  near(steps[steps.length - 1], weights[row][column]);
  near(shown.cells[row][column].text, weights[row][column]);
}

/** What comes after the query is hidden, and what is left sums to 1. @param {Engine} engine */
async function assertCausal(engine) {
  const { cells } = await read(widgetIn(engine));
  const { metrics } = await resultShown(widgetIn(engine));
  for (const [row, line] of cells.entries()) {
    for (const [column, { kind, text, image }] of line.entries()) {
      assert.equal(kind, column > row ? 'hidden' : null, `cell ${row}, ${column}`);
      assert.equal(text === '', column > row);
      assert.equal(/repeating-linear-gradient/.test(image), column > row, 'a pattern, not a colour');
    }
    assert.ok(Math.abs(metrics.rowSum[row] - 1) < 1e-12);
  }
}

for (const [name, start] of Object.entries(engines)) {
  describe(name, () => {
    /** @type {Engine} */
    let engine;
    before(async () => {
      engine = await start();
    });
    after(() => engine?.stop());

    /** A journey that leaves nothing in the page's journal. @param {string} title @param {() => Promise<void>} body */
    const journey = (title, body) =>
      test(`${name}: ${title}`, { timeout: 60_000 }, async () => {
        await body();
        assert.deepEqual(await engine.run('journal'), []);
      });

    journey('the pointer toggles, drags, chooses, masks and opens', async () => {
      await open(engine);
      await assertScaledFigures(engine);
      await click(engine, '[part="toggle"]');
      const { x, y, width, height } = await boxOf(engine, '[part="slider"]');
      const at = (/** @type {number} */ share) =>
        /** @type {[number, number]} */ ([x + 8 + share * (width - 16), y + height / 2]);
      const thumb = (16 - 2) / (64 - 2);
      await engine.drag([thumb, 0.1, 0.4, 0.8, 1.1].map(at));
      await settled(engine);
      await assertUnscaledFigures(engine);
      await click(engine, '[part="toggle"]');
      await assertScaledFigures(engine);

      await click(engine, '.cell', 3 * 6 + 4);
      await assertCell(engine, 3, 4);
      await click(engine, '.row-label', 5);
      await assertCell(engine, 5, 4);
      await click(engine, '[part="row"] tbody tr', 2);
      await assertCell(engine, 5, 2);
      await click(engine, '[part="mask"]');
      await assertCausal(engine);
      await click(engine, '[data-group="see"]');
      assert.match(await textOfPanel(engine, 'shapes'), /\(6, 64\)/);
    });

    journey('the keyboard does it all, and the focus can be seen', async () => {
      await open(engine);
      await press(engine, 'Tab');
      await assertFocusOn(engine, 'sentence');
      await press(engine, 'Tab', 'Tab', 'Tab');
      await assertFocusOn(engine, 'toggle');
      await press(engine, 'Space', 'Tab');
      await assertFocusOn(engine, 'slider');
      await press(engine, 'Home', 'ArrowRight', 'ArrowUp', 'ArrowLeft');
      assert.equal((await stateOf(widgetIn(engine))).dK, 3);
      await press(engine, 'End');
      await assertUnscaledFigures(engine);
      await press(engine, 'Shift+Tab', 'Enter');
      await assertScaledFigures(engine);
      await press(engine, 'Tab', 'Tab', 'Tab');
      await assertFocusOn(engine, 'mask');
      await press(engine, 'Space');
      await assertCausal(engine);
      await press(engine, 'Space', ...Array(6).fill('Shift+Tab'));
      await assertFocusOn(engine, 'sentence');
      await press(engine, 'End', 'Space', 'n', 'o', 'w', ...Array(7).fill('Tab'));
      assert.deepEqual((await read(widgetIn(engine))).rowLabels.slice(-2), ['step', 'now']);
      await assertFocusOn(engine, 'gridcell');
      await press(engine, 'Tab');
      await assertFocusOn(engine, 'gridcell');
      await press(engine, 'Home', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
      await assertCell(engine, 3, 1);
      await press(engine, 'Tab');
      await assertFocusOn(engine, 'step');
      await press(engine, 'ArrowRight', 'ArrowRight');
      assert.equal((await stateOf(widgetIn(engine))).step, 2);
      await press(engine, ...Array(5).fill('Tab'));
      await assertFocusOn(engine, 'group');
      await press(engine, 'Enter');
      assert.match(await textOfPanel(engine, 'shapes'), /\(7, 64\)/);
    });

    journey('every number of the picture has the bits that it has in Node', async () => {
      const state = { tokens: ['a', 'b', 'c', 'd', 'e'], dK: 24, dV: 7, divisor: 'none', mask: 'causal' };
      await open(engine, 'tokens="a b c d e" d-k="24" d-v="7" divisor="none" mask="causal"');
      const expected = (await loadEngine()).lesson(/** @type {any} */ (state));
      for (const stage of /** @type {const} */ (['X', 'Q', 'scores', 'weights', 'output'])) {
        const bits = await engine.run(
          `Array.from(new BigUint64Array(document.querySelector('attention-widget').result.${stage}.data.slice().buffer), String)`,
        );
        const { data } = expected[stage];
        assert.ok(data.length >= 25, stage);
        assert.deepEqual(bits, Array.from(new BigUint64Array(data.slice().buffer), String), stage);
      }
    });

    journey('more attention is darker: in cells, in a painted map and in a dark theme lighter', async () => {
      // The colours as they are painted, whatever the engine calls them.
      const brightness = (/** @type {string} */ selector) =>
        engine.run(
          call((/** @type {string} */ selector) => {
            const root = /** @type {ShadowRoot} */ (document.querySelector('attention-widget')?.shadowRoot);
            const canvas = document.createElement('canvas');
            const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
            return Array.from(root.querySelectorAll(selector), (cell) => {
              context.fillStyle = getComputedStyle(cell).backgroundColor;
              context.fillRect(0, 0, 1, 1);
              const [red, green, blue, opacity] = context.getImageData(0, 0, 1, 1).data;
              return opacity === 255 ? red + green + blue : null;
            });
          }, selector),
        );
      const ordered = async (/** @type {number} */ sign) => {
        const weights = (await resultShown(widgetIn(engine))).weights.flat();
        const found = await brightness('.cell');
        assert.ok(!found.includes(null), 'every cell has a colour');
        const byWeight = weights.map((weight, index) => ({ weight, shade: found[index] }));
        byWeight.sort((one, other) => one.weight - other.weight);
        byWeight.slice(1).forEach(({ shade }, index) => {
          assert.ok(sign * (shade - byWeight[index].shade) >= 0, `${shade} after ${byWeight[index].shade}`);
        });
        assert.ok(Math.abs(byWeight[35].shade - byWeight[0].shade) > 300, 'from end to end');
      };
      await open(engine, 'd-k="64" divisor="none" theme="light"');
      await ordered(-1);
      await open(engine, 'd-k="64" divisor="none" theme="dark"');
      await ordered(1);

      await open(
        engine,
        `d-k="64" divisor="none" theme="light" tokens="${Array.from({ length: 20 }, (_, index) => `t${index}`).join(' ')}"`,
      );
      const painted = await engine.run(
        call(() => {
          const { shadowRoot, result } = /** @type {any} */ (document.querySelector('attention-widget'));
          const canvas = shadowRoot.querySelector('.plane canvas');
          const copy = document.createElement('canvas');
          Object.assign(copy, { width: canvas.width, height: canvas.height });
          const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d'));
          context.drawImage(canvas, 0, 0);
          const size = canvas.width / 20;
          const shade = (/** @type {number} */ cell) => {
            const place = [((cell % 20) + 0.5) * size, (Math.floor(cell / 20) + 0.5) * size].map(Math.floor);
            const [red, green, blue] = context.getImageData(place[0], place[1], 1, 1).data;
            return red + green + blue;
          };
          const weights = Array.from(/** @type {number[]} */ (result.weights.data));
          return [Math.max, Math.min].map((extreme) => shade(weights.indexOf(extreme(...weights))));
        }),
      );
      assert.ok(painted[0] < 250 && painted[1] > 650, `${painted}`);
    });

    journey('every panel opens and says something', async () => {
      await open(engine);
      const groups = await engine.run(
        call(() =>
          Array.from(
            /** @type {any} */ (document.querySelector('attention-widget')).shadowRoot.querySelectorAll('[data-group]'),
            ({ dataset }) => dataset.group,
          ),
        ),
      );
      const names = [];
      for (const group of groups) {
        await click(engine, `[data-group="${group}"]`);
        const shown = await engine.run(
          call(() =>
            Array.from(
              /** @type {any} */ (document.querySelector('attention-widget')).shadowRoot.querySelectorAll(
                '[data-panel]',
              ),
              ({ dataset }) => dataset.panel,
            ),
          ),
        );
        names.push(...shown);
        await openAll(shown);
      }
      assert.equal(names.length, 13);
    });

    /** @param {string[]} panels */
    const openAll = async (panels) => {
      for (const panel of panels) {
        // A panel above that still fills up may take the summary from under the pointer: a reader then clicks again.
        await eventually(async () => {
          if (!(await isOpen(engine, panel))) {
            await click(engine, `[data-panel="${panel}"] summary`);
          }
          return isOpen(engine, panel);
        }, true);
        assert.ok((await textOfPanel(engine, panel)).length > 50, panel);
      }
    };

    journey('what cannot be computed is said, and mended', async () => {
      await open(engine, 'd-k="0"');
      const { problem } = await read(widgetIn(engine));
      assert.match(problem ?? '', /^d-k is 0, but must be/);
      await engine.run("document.querySelector('attention-widget').setAttribute('d-k', '5')");
      await settled(engine);
      const { problem: left, width } = await read(widgetIn(engine));
      assert.deepEqual([left, width], [null, '5']);
    });
  });
}
