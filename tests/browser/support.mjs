// Opens pages in a real browser: a small server, one browser for each file of tests, and no message that goes unseen.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchChromium } from './engines/chromium.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('../../web/element/attention-widget.js').AttentionWidget & Record<string, any>} Widget */
/** @typedef {import('../../web/engine/lesson-state.js').LessonState} LessonState */

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

const contentTypes = /** @type {Record<string, string>} */ ({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
});

/** What a page that includes the widget must allow it, and no more. */
export const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

export const widgetScript = '<script type="module" src="/attention-widget.js"></script>';

/** A page that is light or dark as the reader's system is. */
export const followsSystem = '<meta name="color-scheme" content="light dark">';

/** @type {Map<string, {body: string, headers: Record<string, string>}>} pages and files of tests, by path */
const served = new Map();

const server = createServer(async ({ url = '/' }, response) => {
  const path = url.split('?')[0];
  const type = contentTypes[path.split('.').at(-1) ?? ''] ?? contentTypes.html;
  const own = served.get(path);
  if (own !== undefined) {
    response.writeHead(200, { 'content-type': type, ...own.headers }).end(own.body);
    return;
  }
  try {
    const body = await readFile(dist + path.slice(1));
    response.writeHead(200, { 'content-type': type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});

/** @type {import('playwright-core').Browser | undefined} started by the first test that wants a page of it */
let browser;
let origin = '';

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  origin = `http://127.0.0.1:${address.port}`;
});

after(async () => {
  await browser?.close();
  server.close();
});

/**
 * Serves a text under a path of its own.
 *
 * @param {string} path
 * @param {string} body
 * @param {Record<string, string>} [headers]
 * @returns {string} its address, once tests run
 */
export function serve(path, body, headers = {}) {
  served.set(path, { body, headers });
  return origin + path;
}

/**
 * A test with a page of its own, in a profile of its own. It fails if the page logs anything, throws, violates its
 * policy or asks for a file that is not there.
 *
 * @param {string} title
 * @param {(page: Page) => Promise<void>} body
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @param {RegExp} [expected]  messages that belong to the test
 */
export function pageTest(title, body, options = {}, expected = /^$/) {
  test(title, { timeout: 60_000 }, async () => {
    browser ??= await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      /** @type {string[]} */
      const messages = [];
      page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => messages.push(`uncaught: ${error}`));
      page.on('requestfailed', (request) => messages.push(`failed: ${request.url()}`));
      await body(page);
      const unexpected = messages.filter((message) => !expected.test(message));
      assert.deepEqual(unexpected, [], 'the page logs nothing');
    } finally {
      await context.close();
    }
  });
}

/**
 * Opens the lesson page, and waits for both of its pictures.
 *
 * @param {Page} page
 */
export async function openLesson(page) {
  await page.goto(`${origin}/index.html`);
  await settled(page);
}

/**
 * Opens a page around some markup.
 *
 * @param {Page} page
 * @param {string} body
 * @param {{head?: string, headers?: Record<string, string>, root?: string}} [options]  `head` replaces the widget's
 *   script, `root` the attributes of the page
 */
export async function openPage(page, body, options = {}) {
  const { head = widgetScript, headers = {}, root = 'lang="en"' } = options;
  serve(
    '/test.html',
    `<!doctype html><html ${root}><head><meta charset="utf-8"><title>Test</title>` +
      `<link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`,
    headers,
  );
  await page.goto(`${origin}/test.html`);
  await settled(page);
}

/**
 * Waits until every widget of the page shows its state.
 *
 * @param {Page} page
 */
export async function settled(page) {
  await page.evaluate(async () => {
    for (const element of document.querySelectorAll('attention-widget')) {
      await /** @type {any} */ (element).updated;
    }
  });
}

/**
 * Changes properties of a widget, and waits for the picture.
 *
 * @param {Locator} widget
 * @param {Record<string, any>} settings
 */
export async function set(widget, settings) {
  await widget.evaluate(async (element, values) => {
    Object.assign(element, values);
    await /** @type {any} */ (element).updated;
  }, settings);
}

/**
 * Sets attributes of a widget, null to remove one, and waits for the picture.
 *
 * @param {Locator} widget
 * @param {Record<string, string | null>} attributes
 */
export async function setAttributes(widget, attributes) {
  await widget.evaluate(async (element, values) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === null) {
        element.removeAttribute(name);
      } else {
        element.setAttribute(name, value);
      }
    }
    await /** @type {any} */ (element).updated;
  }, attributes);
}

/** @param {Locator} widget @returns {Promise<LessonState>} */
export function stateOf(widget) {
  return widget.evaluate((element) => /** @type {any} */ (element).state);
}

/**
 * The result behind the picture, as plain arrays.
 *
 * @param {Locator} widget
 */
export function resultOf(widget) {
  return widget.evaluate((element) => {
    const { result } = /** @type {Widget} */ (element);
    if (result === null) {
      return null;
    }
    const { tokens, weights, scores, scaled, visible, metrics, worksheet, shapes } = result;
    const rows = (/** @type {{data: ArrayLike<number>, shape: number[]}} */ { data, shape }) =>
      Array.from({ length: shape[0] }, (_, i) => Array.from(data).slice(i * shape[1], (i + 1) * shape[1]));
    return {
      tokens,
      shapes,
      metrics,
      weights: rows(weights),
      scores: rows(scores),
      scaled: rows(scaled),
      visible: rows(visible),
      exponentials: worksheet.exponentials,
      shifted: worksheet.shifted,
      totals: worksheet.totals,
    };
  });
}

/** @param {Locator} widget */
export async function resultShown(widget) {
  const result = await resultOf(widget);
  assert.ok(result !== null, 'there is a picture');
  return result;
}

/**
 * What can be read on a widget: figures, map, row list, arithmetic, problem.
 *
 * @param {Locator} widget
 */
export function read(widget) {
  return widget.evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const all = (/** @type {string} */ selector) =>
      /** @type {HTMLElement[]} */ (Array.from(root.querySelectorAll(selector)));
    // Joiners, no-break spaces and breaks steer the lines; a reader does not see them.
    const text = (/** @type {Element | null} */ each) =>
      (each?.textContent ?? '').replaceAll(/\u2060|\u200b/g, '').replaceAll(/[\u00a0\n]/g, ' ');
    const isShown = (/** @type {string} */ selector) => {
      const each = root.querySelector(selector);
      return each !== null && each.getClientRects().length > 0;
    };
    const columns = all('.column-label').length;
    const cells = all('.heatmap .cell').map((cell) => ({
      text: text(cell),
      label: cell.getAttribute('aria-label') ?? '',
      kind: cell.getAttribute('data-kind'),
      tab: cell.tabIndex,
      isCurrent: cell.hasAttribute('data-current'),
      isLit: cell.hasAttribute('data-lit'),
      opacity: Number(getComputedStyle(cell).opacity),
      colour: getComputedStyle(cell).backgroundColor,
      image: getComputedStyle(cell).backgroundImage,
      ink: getComputedStyle(cell).color,
      width: cell.getBoundingClientRect().width,
      height: cell.getBoundingClientRect().height,
    }));
    return {
      figures: Object.fromEntries(
        all('[data-figure]').map((figure) => [
          figure.dataset.figure,
          {
            name: text(figure.querySelector('.figure-name')),
            value: text(figure.querySelector('.figure-value')),
            note: text(figure.querySelector('.figure-note')),
          },
        ]),
      ),
      width: text(root.querySelector('output')),
      toggle: {
        text: text(root.querySelector('[part="toggle"]')),
        isPressed: root.querySelector('[part="toggle"]')?.getAttribute('aria-pressed'),
      },
      columnLabels: all('.column-label').map(text),
      rowLabels: all('.row-label').map(text),
      cells: Array.from({ length: columns }, (_, row) => cells.slice(row * columns, (row + 1) * columns)),
      selectedRows: all('.map-row').flatMap((row, index) => (row.ariaSelected === 'true' ? [index - 1] : [])),
      list: {
        title: text(root.querySelector('[part="row"] h3')),
        lines: all('[part="row"] tbody tr').map((line) => Array.from(line.children, text)),
      },
      arithmetic: {
        title: text(root.querySelector('[part="arithmetic"] h3')),
        steps: all('[part="arithmetic"] tr').map((line) => Array.from(line.children, text)),
      },
      problem: isShown('[part="problem"]') ? text(root.querySelector('[part="problem"] p')) : null,
      isPictureShown: isShown('.picture'),
      areControlsShown: isShown('[part="controls"]'),
    };
  });
}

/** A figure's text as a number. @param {string} text */
export function numberIn(text) {
  const number = Number(text.replace('−', '-'));
  assert.ok(text !== '' && !Number.isNaN(number), `"${text}" is a number`);
  return number;
}

/**
 * Asks again until the answer is the expected one; fails when it is not within ten seconds, long enough for a busy machine.
 *
 * @param {() => Promise<unknown>} ask
 * @param {unknown} expected
 */
export async function eventually(ask, expected) {
  let answer = await ask();
  for (let turn = 0; turn < 500 && JSON.stringify(answer) !== JSON.stringify(expected); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    answer = await ask();
  }
  assert.deepEqual(answer, expected);
}
