// The widget on a slide of reveal.js, whose own keys, scale, hash and swipes it must get along with, and on one of Marp.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Marp } from '@marp-team/marp-core';
import { pageTest } from '../browser/support.mjs';
import { addPackage, expectWorkingWidget, html, origins, project, write } from './support.mjs';

/** @typedef {import('playwright-core').Page} Page */

addPackage('reveal.js');
const reveal = 'node_modules/reveal.js/dist';

write(
  'deck.html',
  html(
    'deck',
    `<link rel="stylesheet" href="${reveal}/reset.css"><link rel="stylesheet" href="${reveal}/reveal.css">
     <link rel="stylesheet" href="${reveal}/theme/white.css">
     <style>.reveal attention-widget { font-size: 14px }</style>
     <script src="node_modules/attention-widget/dist/attention-widget.classic.js"></script>`,
    `<div class="reveal"><div class="slides">
       <section><h2>One</h2></section>
       <section><attention-widget panels=""></attention-widget></section>
       <section><h2>Three</h2></section>
       ${'<section>more</section>'.repeat(5)}
       <section><attention-widget panels="" tokens="a b c"></attention-widget></section>
     </div></div>
     <script src="${reveal}/reveal.js"></script>
     <script>Reveal.initialize({ hash: true, width: 1000, height: 900, transition: 'none' });</script>`,
  ),
);

/** Opens the deck at its second slide. @param {Page} page */
async function openDeck(page) {
  await page.goto(`${origins[0]}/deck.html`);
  await page.waitForFunction(() => /** @type {any} */ (window).Reveal.isReady());
  await page.evaluate(() => /** @type {any} */ (window).Reveal.slide(1));
  await widget(page).evaluate((element) => /** @type {any} */ (element).updated);
}

/** @param {Page} page */
const widget = (page) => page.locator('attention-widget').first();

/** @param {Page} page @param {string} name */
const part = (page, name) => widget(page).locator(`[part="${name}"]`);

/** What the deck and the widget make of the keys. @param {Page} page @param {string[]} keys */
async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
  return page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attention-widget'));
    await element.updated;
    const { Reveal } = /** @type {any} */ (window);
    const { dK, divisor, row, tokens } = element.state;
    const isCalm = !Reveal.isOverview() && !Reveal.isPaused() && !document.querySelector('.r-overlay');
    return { slide: Reveal.getIndices().h, isCalm, dK, divisor, row, words: tokens.join(' ') };
  });
}

pageTest('a deck: keys that the widget uses do not turn the slide, the others do', async (page) => {
  await openDeck(page);
  const start = await press(page);
  assert.deepEqual(start, {
    ...{ slide: 1, isCalm: true, dK: 16, divisor: 'sqrt', row: 1 },
    words: 'Your journey starts with one step',
  });
  await part(page, 'slider').focus();
  const wider = await press(page, ...Array(5).fill('ArrowRight'));
  assert.deepEqual(wider, { ...start, dK: 21 });
  assert.deepEqual(await press(page, 'ArrowUp', 'PageUp', 'Home', 'End'), { ...start, dK: 64 });
  await widget(page).locator('.cell[tabindex="0"]').focus();
  const moved = await press(page, 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'PageDown', 'ArrowUp');
  assert.deepEqual(moved, { ...start, dK: 64, row: 4 });
  await part(page, 'sentence').focus();
  const typed = await press(page, 'End', ...' no fbsv.?', 'ArrowLeft', 'Enter');
  assert.deepEqual(typed, { ...moved, words: `${start.words} no fbsv.?` });
  await part(page, 'heads-choice').focus();
  assert.deepEqual(await press(page, 'n', 'o', 's'), typed, 'letters choose in a list');
  await part(page, 'toggle').focus();
  const toggled = await press(page, 'Space');
  assert.deepEqual(toggled, { ...typed, divisor: 'none' });
  assert.equal((await press(page, 'ArrowRight')).slide, 2, 'a button leaves the arrows to the deck');
  assert.equal((await press(page, 'ArrowLeft')).slide, 1);
  await widget(page).locator('.cell[tabindex="0"]').focus();
  assert.equal((await press(page, 'Escape')).isCalm, false, 'Escape shows all slides');
  assert.equal((await press(page, 'Escape')).isCalm, true);
});

pageTest('a deck: the hash is the slide’s, and moving the slider leaves no history', async (page) => {
  await openDeck(page);
  await page.waitForFunction(() => location.hash === '#/1');
  const before = await page.evaluate(() => history.length);
  await part(page, 'slider').focus();
  await press(page, ...Array(40).fill('ArrowRight'));
  assert.deepEqual(await page.evaluate(() => [location.hash, history.length]), ['#/1', before]);
});

for (const [name, viewport] of /** @type {const} */ ([
  ['small', { width: 560, height: 470 }],
  ['large', { width: 1900, height: 1500 }],
])) {
  pageTest(
    `a deck: on a ${name} screen the pointer finds what the scaled slide shows`,
    async (page) => {
      await openDeck(page);
      const scale = await page.evaluate(() => /** @type {any} */ (window).Reveal.getScale());
      assert.ok(name === 'small' ? scale < 0.6 : scale > 1.4, `scale ${scale}`);
      const cell = await widget(page)
        .locator('.cell')
        .nth(4 * 6 + 2)
        .boundingBox();
      assert.ok(cell !== null && Math.abs(cell.width - cell.height) < 1);
      await page.mouse.click(cell.x + cell.width / 2, cell.y + cell.height / 2);
      assert.equal((await press(page)).row, 4);
      const slider = await part(page, 'slider').boundingBox();
      assert.ok(slider !== null);
      await page.mouse.move(slider.x + slider.width / 2, slider.y + slider.height / 2);
      await page.mouse.down();
      await page.mouse.move(slider.x + slider.width + 5, slider.y + slider.height / 2, { steps: 4 });
      await page.mouse.up();
      const { dK, slide } = await press(page);
      assert.deepEqual({ dK, slide }, { dK: 64, slide: 1 });

      await widget(page).evaluate(async (element) => {
        const given = /** @type {any} */ (element);
        given.tokens = Array.from({ length: 20 }, (_, index) => `t${index}`);
        await given.updated;
      });
      const canvas = await widget(page).locator('.plane canvas').boundingBox();
      assert.ok(canvas !== null);
      await page.mouse.click(canvas.x + (7.5 / 20) * canvas.width, canvas.y + (13.5 / 20) * canvas.height);
      assert.equal((await press(page)).row, 13);
      const label = await widget(page).locator('.map [role="gridcell"][tabindex="0"]').first().ariaSnapshot();
      assert.match(label.replace(/[\u2068\u2069]/g, ''), /t13 looks at t7,/);
    },
    { viewport },
  );
}

pageTest('a deck: a widget on a slide that is not shown yet is whole when it is', async (page) => {
  await openDeck(page);
  const last = page.locator('attention-widget').nth(1);
  assert.equal(await last.isVisible(), false);
  await page.evaluate(() => /** @type {any} */ (window).Reveal.slide(8));
  await last.waitFor();
  const cell = await last.locator('.cell').first().boundingBox();
  assert.ok(cell !== null && cell.width > 20 && Math.abs(cell.width - cell.height) < 1);
  await page.evaluate(() => /** @type {any} */ (window).Reveal.slide(1));
  await expectWorkingWidget(page);
});

/**
 * A finger that moves in eight steps.
 *
 * @param {Page} page
 * @param {{x: number, y: number}} from
 * @param {number} distance  to the right
 */
async function swipe(page, { x, y }, distance) {
  const session = await page.context().newCDPSession(page);
  const touch = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {number[]} */ ...xs) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x) => ({ x, y })) });
  await touch('touchStart', x);
  for (let step = 1; step <= 8; step++) {
    await touch('touchMove', x + (step / 8) * distance);
  }
  await touch('touchEnd');
  await session.detach();
}

pageTest(
  'a deck: a finger that drags the slider turns no slide, and one that swipes beside it does',
  async (page) => {
    await openDeck(page);
    const slider = await part(page, 'slider').boundingBox();
    assert.ok(slider !== null);
    await swipe(page, { x: slider.x + slider.width * 0.6, y: slider.y + slider.height / 2 }, -slider.width * 0.4);
    const dragged = await press(page);
    assert.ok(dragged.dK < 16 || dragged.dK > 30, `dragged to ${dragged.dK}`);
    assert.equal(dragged.slide, 1);
    await swipe(page, { x: 500, y: 880 }, -300);
    assert.equal((await press(page)).slide, 2);
  },
  { hasTouch: true },
);

pageTest(
  'a deck: a finger scrolls the worksheet and a long sentence, and moves a large map, and turns no slide',
  async (page) => {
    await openDeck(page);
    const set = (/** @type {object} */ settings) =>
      widget(page).evaluate(async (element, values) => {
        await Object.assign(/** @type {any} */ (element), values).updated;
      }, settings);
    const tokens = Array.from({ length: 60 }, (_, index) => `word${index}`);
    await set({ tokens, row: 30 });
    const sentence = await part(page, 'sentence').boundingBox();
    assert.ok(sentence !== null);
    await swipe(page, { x: sentence.x + sentence.width * 0.8, y: sentence.y + sentence.height / 2 }, -150);

    const left = () =>
      widget(page)
        .locator('.canvas-map')
        .evaluate((map) => Number(/** @type {HTMLElement} */ (map).style.getPropertyValue('--left')));
    const map = await widget(page).locator('.plane').boundingBox();
    assert.ok(map !== null);
    const onMap = { x: map.x + map.width * 0.7, y: map.y + map.height / 2 };
    await swipe(page, onMap, -200);
    assert.deepEqual([await left(), (await press(page)).slide], [0, 1], 'a whole map has nowhere to go');
    await widget(page).getByRole('button', { name: 'Zoom in' }).click();
    const before = await left();
    const right = before < 15; // where there is room
    await swipe(page, { ...onMap, x: map.x + map.width * (right ? 0.8 : 0.2) }, (right ? -0.5 : 0.5) * map.width);
    const moved = (await left()) - before;
    assert.ok(Math.abs(moved - (right ? 15 : -15)) < 2, `by ${moved} from ${before}`);

    await set({ panels: ['worksheet'] });
    await page.addStyleTag({
      content: ['controls', 'heatmap', 'row', 'arithmetic', 'figures']
        .map((name) => `attention-widget::part(${name}) { display: none }`)
        .join(' '),
    });
    const worksheet = widget(page).getByRole('region', { name: 'Worksheet' });
    await widget(page).getByRole('button', { name: 'all digits' }).first().click();
    const table = await worksheet.boundingBox();
    assert.ok(table !== null);
    await swipe(page, { x: table.x + table.width * 0.7, y: table.y + 60 }, -200);
    await worksheet.evaluate(async (element) => {
      while (element.scrollLeft < 100) {
        await new Promise(requestAnimationFrame);
      }
    });
    assert.equal((await press(page)).slide, 1);
  },
  { hasTouch: true },
);

for (const viewport of [
  { width: 1280, height: 720 },
  { width: 640, height: 360 },
]) {
  pageTest(
    `Marp: with the lines of HOSTS.md a slide shows the whole widget under its title, ${viewport.width} pixels wide`,
    async (page) => {
      const [, line] =
        /^\| Marp \|.*`(<style scoped>.*<\/style>)`/m.exec(readFileSync(`${project}/web/HOSTS.md`, 'utf8')) ?? [];
      const slides = ['# One', `## Scores\n\n${line}\n\n<attention-widget panels=""></attention-widget>`, '# Three'];
      const script = '<script src="node_modules/attention-widget/dist/attention-widget.classic.js"></script>';
      const deck = new Marp({ html: true, script: false }).render(
        [`${script}\n\n${slides[0]}`, ...slides.slice(1)].join('\n\n---\n\n'),
      );
      write('marp.html', html('Marp', `<style>body { margin: 0 } ${deck.css}</style>`, deck.html));
      await page.goto(`${origins[0]}/marp.html`);
      await expectWorkingWidget(page);
      const { inside, cut } = await widget(page).evaluate((element) => {
        const slide = /** @type {Element} */ (element.closest('section'));
        const [outer, inner] = [slide, element].map((each) => each.getBoundingClientRect());
        const isInside = inner.top > outer.top && inner.bottom < outer.bottom && inner.right < outer.right;
        return { inside: isInside, cut: slide.scrollHeight - slide.clientHeight };
      });
      assert.deepEqual({ inside, cut }, { inside: true, cut: 0 });
      await widget(page)
        .locator('.cell')
        .nth(4 * 6 + 2)
        .click();
      await part(page, 'slider').focus();
      await page.keyboard.press('End');
      const { row, dK } = await widget(page).evaluate((element) => /** @type {any} */ (element).state);
      assert.deepEqual({ row, dK }, { row: 4, dK: 64 });
    },
    { viewport },
  );
}
