// The widget in another document: moved into a frame, into a window of its own, and back. Covers the element and
// views/style-sheet.js.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, read, serve, settled, stateOf, widgetScript } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const body =
  '<attention-widget id="small" panels="worksheet"></attention-widget><attention-widget id="large"></attention-widget>' +
  '<iframe style="width: 700px; height: 600px"></iframe>';

/** @param {import('playwright-core').Page | import('playwright-core').Frame} place */
const lookOf = (place) =>
  place.locator('#small').evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const looks = ['.cell', '[part="toggle"]', '.figure'].map((selector) => {
      const { display, backgroundColor, padding } = getComputedStyle(
        /** @type {Element} */ (root.querySelector(selector)),
      );
      return { display, backgroundColor, padding };
    });
    return { looks, sheets: root.adoptedStyleSheets.map(({ cssRules }) => cssRules.length) };
  });

/** @param {import('playwright-core').Page | import('playwright-core').Frame} place */
async function expectAlive(place) {
  const small = place.locator('#small');
  await small.locator('.cell').nth(8).click();
  const before = await small.locator('[part="toggle"]').getAttribute('aria-pressed');
  await small.locator('[part="toggle"]').click();
  await eventually(() => small.locator('[part="toggle"]').getAttribute('aria-pressed'), String(before !== 'true'));
  await small.locator('[part="toggle"]').click();
  await small.locator('.cell').nth(7).click();
  await eventually(() => small.locator('[part="toggle"]').getAttribute('aria-pressed'), before);
  assert.ok((await read(small)).isPictureShown);
  // Another language around it.
  await place.evaluate(() => document.documentElement.setAttribute('lang', 'es'));
  await small.getByText('Pesos de atención').first().waitFor();
  await place.evaluate(() => document.documentElement.setAttribute('lang', 'en'));
  await small.getByText('Attention weights').first().waitFor();
}

const words = (/** @type {number} */ count) => Array.from({ length: count }, (_, index) => `t${index}`).join(' ');

/** @param {Page} page */
async function open(page) {
  await openPage(page, body);
  await page.evaluate(async () => {
    const large = /** @type {any} */ (document.querySelector('#large'));
    large.tokens = Array.from({ length: 30 }, (_, index) => `t${index}`);
    await large.updated;
  });
  await settled(page);
}

/** The widgets in a window of their own, whose root is in English. @param {Page} page @returns {Promise<Page>} */
async function intoWindow(page) {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      const other = /** @type {Window} */ (window.open('', '', 'width=1000,height=900'));
      other.document.documentElement.lang = 'en';
      other.document.body.append(...document.querySelectorAll('attention-widget'));
    }),
  ]);
  popup.setDefaultTimeout(10_000);
  await page.evaluate(() => Object.assign(window, { isInBackground: true }));
  await popup.locator('attention-widget .picture').first().waitFor();
  return popup;
}

pageTest('moved into a frame and back, the widget keeps its look, its state and its life', async (page) => {
  await open(page);
  const before = await lookOf(page);
  const state = await stateOf(page.locator('#small'));
  await page.evaluate(() => {
    const inside = /** @type {Document} */ (
      /** @type {HTMLIFrameElement} */ (document.querySelector('iframe')).contentDocument
    );
    inside.documentElement.lang = 'en';
    inside.body.append(...document.querySelectorAll('attention-widget'));
  });
  const frame = page.frames()[1];
  await frame.locator('#small .cell').first().waitFor();
  assert.deepEqual(await stateOf(frame.locator('#small')), state);
  assert.deepEqual(await lookOf(frame), before);
  await expectAlive(frame);
  await frame.evaluate(() => parent.document.body.append(...document.querySelectorAll('attention-widget')));
  await settled(page);
  assert.deepEqual(await lookOf(page), before);
  await expectAlive(page);
});

pageTest('moved into a window of its own and back likewise', async (page) => {
  await open(page);
  const before = await lookOf(page);
  const popup = await intoWindow(page);
  await popup.locator('#small .cell').first().waitFor();
  assert.deepEqual(await lookOf(popup), before);
  await expectAlive(popup);
  await popup.evaluate(() =>
    /** @type {Window} */ (opener).document.body.append(...document.querySelectorAll('attention-widget')),
  );
  await settled(page);
  assert.deepEqual(await lookOf(page), before);
  await expectAlive(page);
});

pageTest('a frame that has widgets of its own shares no sheet with the page', async (page) => {
  await open(page);
  const counts = await page.evaluate(() => {
    const [small, large] = Array.from(document.querySelectorAll('attention-widget'), ({ shadowRoot }) => shadowRoot);
    return small?.adoptedStyleSheets[0] === large?.adoptedStyleSheets[0];
  });
  assert.equal(counts, true, 'one sheet for all widgets of a document');
});

/**
 * Before the widget's script: what a browser does to a page whose window is in the background. Its observers tell nothing,
 * and no frame is drawn.
 */
const background = '<script src="/background.js"></script>';

serve(
  '/background.js',
  `for (const name of ['ResizeObserver', 'IntersectionObserver']) {
    const Own = window[name];
    window[name] = class extends Own {
      constructor(tell) {
        super((...said) => window.isInBackground || tell(...said));
      }
    };
  }
  const draw = requestAnimationFrame;
  requestAnimationFrame = (act) => draw((time) => window.isInBackground || act(time));`,
);

pageTest('in another window a painted map follows the size and the pixels of that window', async (page) => {
  await openPage(page, `<attention-widget panels="" tokens="${words(400)}"></attention-widget>`, {
    head: background + widgetScript,
  });
  const popup = await intoWindow(page);
  const widget = popup.locator('attention-widget');
  const side = () =>
    widget
      .locator('.plane canvas')
      .first()
      .evaluate((canvas) => /** @type {any} */ (canvas).width);
  await widget.evaluate((element) => element.setAttribute('style', 'width: 300px'));
  await eventually(side, 134);
  // Twice the zoom: half as many pixels of CSS, and each of them twice as large.
  const emulation = await popup.context().newCDPSession(popup);
  await emulation.send('Emulation.setDeviceMetricsOverride', {
    ...{ width: 500, height: 450, deviceScaleFactor: 2, mobile: false },
  });
  await eventually(side, 200);
});

pageTest('a panel that is open and out of sight in another window waits for its turn there too', async (page) => {
  await openPage(page, '<attention-widget panels="proofs worksheet"></attention-widget>', {
    head: background + widgetScript,
  });
  const popup = await intoWindow(page);
  const widget = popup.locator('attention-widget');
  const order = () =>
    widget.evaluate(async (element) => {
      const panels = /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('[data-panel]');
      /** @type {string[]} */
      const changed = [];
      const observer = new MutationObserver((records) => {
        for (const panel of panels) {
          const { panel: name = '' } = /** @type {HTMLElement} */ (panel).dataset;
          if (!changed.includes(name) && records.some(({ target }) => panel.contains(target))) {
            changed.push(name);
          }
        }
      });
      for (const panel of panels) {
        observer.observe(panel, { subtree: true, childList: true, characterData: true, attributes: true });
      }
      const own = /** @type {any} */ (element);
      own.seed = own.seed === 7 ? 8 : 7;
      await own.updated;
      observer.disconnect();
      return changed;
    });
  await popup.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await widget.evaluate((element) => element.setAttribute('style', 'margin-block-end: 3000px'));
  // The first panel goes out of sight above, the second stays.
  await widget.locator('[data-panel="worksheet"] > summary').evaluate((summary) => summary.scrollIntoView());
  await eventually(async () => (await order()).join(), 'worksheet,proofs');
});

pageTest('a race goes on in another window while the one that it came from is in the background', async (page) => {
  await openPage(page, '<attention-widget panels="train"></attention-widget>', { head: background + widgetScript });
  const popup = await intoWindow(page);
  const panel = popup.locator('[data-panel="train"]');
  await panel.getByRole('button', { name: 'Play', exact: true }).click();
  await panel.getByText(/^Step [3-9]\d of/).waitFor();
});

pageTest('prose drives a widget in the document where it is, and so does that of the page it left', async (page) => {
  const link = (/** @type {number} */ width) =>
    `<a href="#" data-attention-for="w1" data-d-k="${width}">to ${width}</a>`;
  await openPage(page, `${link(5)}<p>${link(6)}</p><attention-widget id="w1"></attention-widget><iframe></iframe>`);
  await page.evaluate((own) => {
    const inside = /** @type {any} */ (document.querySelector('iframe')).contentDocument;
    inside.body.innerHTML = own;
    inside.body.append(document.querySelector('p'), document.querySelector('attention-widget'));
  }, link(7));
  const frame = page.frames()[1];
  const widget = frame.locator('#w1');
  await widget.locator('.cell').first().waitFor();
  for (const [place, width] of /** @type {const} */ ([
    [frame, 7],
    [frame, 6],
    [page, 5],
  ])) {
    await place.getByText(`to ${width}`).click();
    await eventually(async () => (await stateOf(widget)).dK, width);
  }
});

pageTest('a linked widget writes into the address of the document where it is', async (page) => {
  serve('/empty.html', '<!doctype html><title>empty</title>');
  await openPage(page, '<attention-widget id="w1" linked></attention-widget><iframe src="/empty.html"></iframe>');
  const hashes = () => page.evaluate(() => [location.hash, /** @type {Window} */ (window.frames[0]).location.hash]);
  await page.locator('#w1').evaluate((element) => Object.assign(element, { dK: 5 }).id);
  await eventually(hashes, ['#~att~w1~d-k~5~end', '']);
  await page.evaluate(() => window.frames[0].document.body.append(/** @type {Node} */ (document.querySelector('#w1'))));
  await eventually(hashes, ['#~att~w1~d-k~5~end', '#~att~w1~d-k~5~end']);
  const frame = page.frames()[1];
  await frame.locator('#w1').evaluate((element) => Object.assign(element, { dK: 6 }).id);
  await eventually(hashes, ['#~att~w1~d-k~5~end', '#~att~w1~d-k~6~end']);
  await page.evaluate(() => history.back());
  await eventually(async () => (await stateOf(frame.locator('#w1'))).dK, 5);
  await frame.locator('#w1').evaluate((element) => Object.assign(element, { dK: 7 }).id);
  await eventually(hashes, ['#~att~w1~d-k~5~end', '#~att~w1~d-k~7~end']);
  // Back home its state goes along.
  await frame.evaluate(() => parent.document.body.append(/** @type {Node} */ (document.querySelector('#w1'))));
  await eventually(hashes, ['#~att~w1~d-k~7~end', '#~att~w1~d-k~7~end']);
});

pageTest('what cannot be copied is selected in the window where the reader sees it', async (page) => {
  await openPage(page, '<attention-widget panels="share"></attention-widget>');
  const popup = await intoWindow(page);
  for (const place of [page, popup]) {
    await place.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  }
  await popup.locator('[data-panel="share"]').getByRole('button', { name: /^Copy/ }).first().click();
  await popup.getByText('selected: copy it with the keyboard').waitFor();
  assert.match(await popup.evaluate(() => String(getSelection())), /<attention-widget/);
});
