// Light, dark, forced colours and paper. Covers element/widget.css and views/shades.js.

import assert from 'node:assert/strict';
import {
  eventually,
  followsSystem,
  openLesson,
  openPage,
  pageTest,
  read,
  set,
  settled,
  widgetScript,
} from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget').first();

/** The colours of the widget: ground, text, the weakest and the strongest cell. @param {Page} page */
async function colours(page) {
  const [ground, ink] = await only(page).evaluate((element) => {
    const style = getComputedStyle(/** @type {Element} */ (element.shadowRoot?.querySelector('.widget')));
    return [style.backgroundColor, style.color];
  });
  const cells = (await read(only(page))).cells.flat();
  return { ground, ink, cells: cells.map(({ colour }) => colour), inks: cells.map((cell) => cell.ink) };
}

/** @param {string} colour  rgb() */
function brightness(colour) {
  const [red, green, blue] = (colour.match(/\d+/g) ?? []).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

const onSystem = { head: followsSystem + widgetScript };
const saturated = '<attention-widget divisor="none" d-k="64"></attention-widget>';

pageTest('light and dark follow the system where the page does, cells included', async (page) => {
  await openPage(page, saturated, onSystem);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await colours(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colours(page);
  assert.ok(brightness(light.ground) > 0.9 && brightness(light.ink) < 0.2);
  assert.ok(brightness(dark.ground) < 0.2 && brightness(dark.ink) > 0.8);
  light.cells.forEach((colour, index) => {
    assert.notEqual(colour, dark.cells[index]);
    assert.notEqual(light.inks[index], dark.inks[index], 'the number in the cell turns too');
  });
});

pageTest('a page that stays light keeps a light widget on a dark system', async (page) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openPage(page, saturated);
  assert.ok(brightness((await colours(page)).ground) > 0.9);
});

pageTest('a page that turns dark by its own switch takes the widget along, painted maps too', async (page) => {
  await openPage(page, saturated);
  await set(only(page), { tokens: Array.from({ length: 20 }, (_, index) => `t${index}`) });
  const first = () =>
    only(page).evaluate((element) => {
      const canvas = /** @type {HTMLCanvasElement} */ (element.shadowRoot?.querySelector('.plane canvas'));
      const copy = document.createElement('canvas');
      Object.assign(copy, { width: canvas.width, height: canvas.height });
      const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d', { willReadFrequently: true }));
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      return data.filter((_, index) => index % 4 === 0).reduce((sum, red) => sum + red, 0) / (data.length / 4);
    });
  assert.ok((await first()) > 150, 'mostly light');
  await page.evaluate(() => {
    document.documentElement.style.colorScheme = 'dark';
  });
  await eventually(async () => (await first()) < 100, true);
  assert.ok(
    brightness(
      await only(page).evaluate(
        (element) =>
          getComputedStyle(/** @type {Element} */ (element.shadowRoot?.querySelector('.widget'))).backgroundColor,
      ),
    ) < 0.2,
  );
});

pageTest('the theme attribute pins the theme against page and system', async (page) => {
  await openPage(page, saturated, onSystem);
  for (const [system, theme, isLight] of /** @type {['light' | 'dark', string, boolean][]} */ ([
    ['light', 'dark', false],
    ['dark', 'dark', false],
    ['dark', 'light', true],
    ['light', 'light', true],
    ['dark', 'auto', false],
    ['light', 'auto', true],
  ])) {
    await page.emulateMedia({ colorScheme: system });
    await set(only(page), { theme });
    const { ground, ink } = await colours(page);
    assert.equal(brightness(ground) > 0.5, isLight, `${theme} on a ${system} system`);
    assert.equal(brightness(ink) < 0.5, isLight);
  }
});

pageTest('an author gives the widget colours of the page, one for each theme, and leaves parts out', async (page) => {
  const style =
    'attention-widget { --attention-ground: light-dark(rgb(255 250 240), rgb(0 0 40)); --attention-ink: rgb(90 0 90); ' +
    '--attention-accent: rgb(0 90 0) } attention-widget::part(row) { display: none }';
  await openPage(page, `<style>${style}</style><attention-widget theme="dark"></attention-widget>`);
  const found = await page.locator('attention-widget').evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const style = (/** @type {string} */ part) => getComputedStyle(root.querySelector(`[part~="${part}"]`) ?? element);
    return [
      style('widget').backgroundColor,
      style('widget').color,
      style('toggle').backgroundColor,
      style('row').display,
    ];
  });
  assert.deepEqual(found, ['rgb(0, 0, 40)', 'rgb(90, 0, 90)', 'rgb(0, 90, 0)', 'none']);
});

pageTest('a pinned theme holds while the widget says what is wrong', async (page) => {
  await openPage(page, '<attention-widget theme="dark" d-k="0"></attention-widget>');
  const ground = await only(page).evaluate(
    (element) =>
      getComputedStyle(/** @type {Element} */ (element.shadowRoot?.querySelector('.widget'))).backgroundColor,
  );
  assert.ok(brightness(ground) < 0.2);
});

pageTest('with forced colours hidden cells keep their pattern and a pressed button its look', async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openPage(page, '<attention-widget></attention-widget>');
  const buttons = () =>
    only(page).evaluate((element) =>
      ['toggle', 'mask'].map((part) => {
        const button = /** @type {Element} */ (element.shadowRoot?.querySelector(`[part="${part}"]`));
        const { backgroundColor, color } = getComputedStyle(button);
        return `${backgroundColor} ${color}`;
      }),
    );
  const [pressed, released] = await buttons();
  assert.notEqual(pressed, released);
  await only(page).locator('[part="mask"]').click();
  await page.mouse.move(5, 5);
  await settled(page);
  assert.deepEqual(await buttons(), [pressed, pressed]);
  const { cells } = await read(only(page));
  assert.match(cells[0][1].image, /^repeating-linear-gradient/);
  assert.notEqual(cells[0][0].colour, cells[5][0].colour, 'the scale stays a scale');
  const bars = await only(page).evaluate((element) =>
    Array.from(/** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.weight-bar .bar > *'), (bar) => {
      const ground = getComputedStyle(/** @type {Element} */ (element.shadowRoot?.querySelector('.widget')));
      return getComputedStyle(bar).backgroundColor !== ground.backgroundColor;
    }),
  );
  assert.ok(bars.length === 6 && bars.every(Boolean), 'bars can be seen');
});

pageTest(
  'on paper the picture is whole with its settings, nothing is there to press, and the screen comes back as it was',
  async (page) => {
    await page.setViewportSize({ width: 700, height: 900 });
    await openLesson(page);
    await page.emulateMedia({ media: 'print' });
    const printed = await read(only(page));
    assert.equal(printed.isPictureShown, true);
    assert.equal(printed.cells.flat().length, 36);
    assert.ok(printed.cells.flat().every(({ width, text }) => width > 20 && text !== ''));
    for (const part of ['sentence', 'seed']) {
      const field = only(page).locator(`[part="${part}"]`);
      assert.equal(await field.isVisible(), true, part);
      assert.equal(await field.evaluate((shown) => getComputedStyle(shown).borderTopColor), 'rgba(0, 0, 0, 0)', part);
    }
    for (const part of ['slider', 'mask']) {
      assert.equal(await only(page).locator(`[part="${part}"]`).isVisible(), false, part);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 700);
    const adjust = await only(page)
      .locator('.cell')
      .first()
      .evaluate((cell) => getComputedStyle(cell).getPropertyValue('print-color-adjust'));
    assert.equal(adjust, 'exact', 'colours are printed');
    assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
    await page.emulateMedia({ media: 'screen' });
    assert.equal(await only(page).locator('[part="slider"]').isVisible(), true);
  },
);

pageTest('a page that is printed while the widget is hidden shows it whole afterwards', async (page) => {
  await openPage(page, '<div id="tab" hidden><attention-widget></attention-widget></div>');
  const shown = async () => (await read(only(page))).cells.flat().map(({ text, width }) => `${text} ${width}`);
  await page.emulateMedia({ media: 'print' });
  assert.ok((await page.pdf({ format: 'A4' })).length > 500);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => document.querySelector('#tab')?.removeAttribute('hidden'));
  const after = await shown();
  await openPage(page, '<attention-widget></attention-widget>');
  assert.deepEqual(after, await shown());
  assert.equal(after.length, 36);
});
