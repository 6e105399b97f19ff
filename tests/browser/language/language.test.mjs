// The widget in other languages: which one it takes, what changes with it, and what must not.

import assert from 'node:assert/strict';
import spanish from '../../../web/language/messages/es.js';
import chinese from '../../../web/language/messages/zh-CN.js';
import traditional from '../../../web/language/messages/zh-Hant.js';
import { english } from '../../english-texts.mjs';
import {
  eventually,
  openPage,
  pageTest,
  read,
  resultShown,
  serve,
  set,
  settled,
  stateOf,
  widgetScript,
} from '../support.mjs';
import { askedFor, only, titleOf, widget } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Locator} Locator */

const allPanels = Object.keys(english.panels).join(' ');

/**
 * Every text that a reader sees or hears, but for tokens, programs and what the reader typed.
 *
 * @param {Locator} widget
 * @returns {Promise<string[]>}
 */
const everyText = (widget) =>
  widget.evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.closest('bdi, code, pre') === null) {
        texts.push(node.textContent ?? '');
      }
    }
    for (const each of root.querySelectorAll('[aria-label], [aria-valuetext], [title]')) {
      texts.push(...['aria-label', 'aria-valuetext', 'title'].map((name) => each.getAttribute(name) ?? ''));
    }
    return texts.filter((text) => text.trim() !== '');
  });

pageTest('a page in Chinese: labels, figures and what is spoken are Chinese', async (page) => {
  const files = askedFor(page);
  await openPage(page, `${widget}${widget}`, { root: 'lang="zh-CN"' });
  const first = only(page).first();
  assert.equal(await titleOf(first), '注意力权重');
  const { metrics } = await resultShown(first);
  const { figures, list, toggle, cells } = await read(first);
  assert.deepEqual(figures.spread, { name: '分数离散度', value: metrics.spread.toFixed(2), note: '理论值 1' });
  assert.equal(figures.peak.name, '“journey”的峰值权重');
  assert.equal(figures.state.value, '分散');
  assert.equal(figures.gradient.value, '畅通');
  assert.equal(list.title, '“journey”关注……');
  assert.equal(toggle.text, '÷ √dk开');
  assert.equal(cells[1][2].label, `journey 关注 starts，${cells[1][2].text}`);
  for (const [role, name] of /** @type {[any, string | RegExp][]} */ ([
    ['group', '控制项'],
    ['slider', /^d k，查询和键的维数/],
    ['button', '因果掩码'],
    ['textbox', '句子'],
    ['grid', '注意力权重，6 个查询 × 6 个键'],
  ])) {
    assert.equal(await first.getByRole(role, { name, exact: true }).count(), 1, String(name));
  }
  await first.locator('[part="slider"]').press('End');
  await settled(page);
  await eventually(
    async () => /^d k 为 64：分数离散度 \d\.\d\d，/.test((await first.locator('.announcer').textContent()) ?? ''),
    true,
  );
  assert.deepEqual(files, ['messages/zh-CN.js'], 'one file for both, asked for once');
  assert.equal(await first.locator('.widget').getAttribute('lang'), 'zh-CN');
});

for (const [name, messages] of Object.entries({ 'zh-CN': chinese, 'zh-Hant': traditional, es: spanish })) {
  pageTest(`${name}: with everything open no English is left, and every number is the language's`, async (page) => {
    await openPage(
      page,
      `<attention-widget panels="${allPanels}" tokens="Ala ma psa kota dom" d-k="8" heads="2"></attention-widget>`,
      {
        root: `lang="${name}"`,
      },
    );
    await only(page).locator('[data-mistake="lateMask"] .toggle').click();
    await only(page).locator('[data-exercise="peak"] input').first().check();
    await only(page).evaluate((element) => {
      for (const details of /** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('details')) {
        details.open = true;
      }
    });
    await only(page).locator('[data-panel="law"] dd').first().waitFor();
    await eventually(async () => (await only(page).locator('.proof td').count()) > 50, true);
    await only(page).locator('[data-panel="code"] code').filter({ hasText: 'expected_Z' }).waitFor();
    const texts = await everyText(only(page));
    assert.ok(texts.length > 500, `${texts.length} texts`);
    const whole = texts.join('\n');
    assert.deepEqual(whole.match(/\b(the|of|and|with|rows?|weights?|keys?|query|scores?|step|loss|now)\b/gi), null);
    for (const text of [messages.break.mend, messages.proofs.outcomes.fails.text, messages.law.here]) {
      assert.ok(whole.includes(text), text);
    }
    assert.match(whole, name === 'es' ? /−0,\d\d/ : /−0\.\d\d/);
    assert.deepEqual(whole.match(name === 'es' ? /.*\d\.\d(?!\d\d\b).*/g : /.*\d,\d(?!\d\d\b).*/g), null);
    const program = await only(page).locator('[data-panel="code"] code').textContent();
    assert.match(program ?? '', /-?\d\.\d{4}/, 'a program keeps its decimal points');
    assert.ok(program?.includes(messages.break.mistakes.lateMask.title));
  });
}

pageTest('the nearest lang decides, of the element, of what it stands in, of the page', async (page) => {
  const files = askedFor(page);
  const places = [
    ['<attention-widget lang="zh"></attention-widget>', chinese],
    ['<attention-widget lang="zh-Hans"></attention-widget>', chinese],
    ['<attention-widget lang="ZH-cn"></attention-widget>', chinese],
    ['<attention-widget lang="zh-Hant"></attention-widget>', traditional],
    ['<attention-widget lang="zh-TW"></attention-widget>', traditional],
    ['<attention-widget lang="zh_HK"></attention-widget>', traditional],
    ['<attention-widget lang="zh-MO"></attention-widget>', traditional],
    ['<attention-widget lang="es-MX"></attention-widget>', spanish],
    ['<attention-widget lang="fr"></attention-widget>', english],
    ['<attention-widget lang=""></attention-widget>', english],
    ['<attention-widget lang="est"></attention-widget>', english],
    ['<attention-widget lang="en-GB"></attention-widget>', english],
    [`<div lang="zh-CN"><p lang="fr"></p><div>${widget}</div></div>`, chinese],
    ['<div lang="zh-CN"><attention-widget lang="en"></attention-widget></div>', english],
    [widget, spanish],
  ];
  await openPage(page, places.map(([body]) => body).join(''), { root: 'lang="es"' });
  for (const [index, [body, { heatmap }]] of /** @type {[string, typeof english][]} */ (places).entries()) {
    assert.equal(await titleOf(only(page).nth(index)), heatmap, body);
  }
  assert.deepEqual(
    files.sort(),
    ['messages/es.js', 'messages/zh-CN.js', 'messages/zh-Hant.js'],
    'nothing is asked for that there is not',
  );
});

pageTest('of two regions of a language each has its own texts, wherever its tag stands', async (page) => {
  const files = askedFor(page);
  const names = ['zh-TW', 'pt-BR', 'pt-PT', 'sr', 'sr-Latn'];
  const catalogues = names.map((name) => `'${name}': { locale: '${name}', direction: 'ltr', heatmap: '${name}' }`);
  serve('/regions.js', `globalThis[Symbol.for('attention-widget.messages')] = { ${catalogues} };`);
  const places = [
    ['<attention-widget lang="zh-TW"></attention-widget>', 'zh-TW'],
    ['<attention-widget lang="zh-Hant-HK"></attention-widget>', traditional.heatmap],
    ['<attention-widget lang="zh-SG"></attention-widget>', chinese.heatmap],
    ['<attention-widget lang="pt-PT"></attention-widget>', 'pt-PT'],
    ['<attention-widget lang="PT_br"></attention-widget>', 'pt-BR'],
    ['<attention-widget lang="sr-ME"></attention-widget>', 'sr-Latn'],
    ['<attention-widget lang="en-US"></attention-widget>', english.heatmap],
    [`<div lang="zh-TW"><p lang="fr"></p><div>${widget}</div></div>`, 'zh-TW'],
    [widget, 'pt-PT'],
    [`<div lang="zh-TW"><div><template shadowrootmode="open"><p>${widget}</p></template></div></div>`, 'zh-TW'],
  ];
  await openPage(page, places.map(([body]) => body).join(''), {
    head: `<script src="/regions.js"></script>${widgetScript}`,
    root: 'lang="pt-PT"',
  });
  for (const [index, [, heatmap]] of places.entries()) {
    await eventually(() => titleOf(only(page).nth(index)), heatmap);
  }
  assert.deepEqual(files.sort(), ['messages/zh-CN.js', 'messages/zh-Hant.js']);
});

pageTest('where no attribute names a language the header of the page does', async (page) => {
  serve('/regions.js', "globalThis[Symbol.for('attention-widget.messages')] = { 'pt-BR': { heatmap: 'pt-BR' } };");
  const head = `<script src="/regions.js"></script>${widgetScript}`;
  for (const [tag, heatmap] of [
    ['pt-BR', 'pt-BR'],
    ['zh', chinese.heatmap],
    ['zh-TW', traditional.heatmap],
    ['zh-HK', traditional.heatmap],
    ['zh-Hant-MO', traditional.heatmap],
    ['es-MX', spanish.heatmap],
    ['fr', english.heatmap],
  ]) {
    await openPage(page, widget, { head, root: '', headers: { 'content-language': tag } });
    await eventually(() => titleOf(only(page)), heatmap);
  }
});

pageTest('two languages on one page: each widget has its own words and numbers, and the same values', async (page) => {
  await openPage(page, `${widget}<attention-widget lang="es"></attention-widget>`);
  const [one, two] = [await read(only(page).nth(0)), await read(only(page).nth(1))];
  const texts = (/** @type {typeof one} */ { cells }) => cells.flat().map(({ text }) => text);
  assert.match(texts(one)[0], /^\d\.\d\d$/);
  assert.deepEqual(
    texts(two),
    texts(one).map((text) => text.replace('.', ',')),
  );
  assert.equal(two.figures.entropy.note, one.figures.entropy.note.replace('max', 'máx.').replace('.79', ',79'));
  assert.deepEqual(
    two.arithmetic.steps.map(([, , result]) => result.replace(',', '.')),
    one.arithmetic.steps.map(([, , result]) => result),
  );
  assert.match(two.arithmetic.steps[0][1], /^\(−\d,\d\d\)·/, 'a minus is a minus');
});

pageTest('a language that changes takes everything with it but what the reader has done', async (page) => {
  await openPage(page, widget);
  const own = only(page);
  await set(own, { divisor: 'none', dK: 40, mask: 'causal' });
  await own.locator('[data-group="break"]').click();
  await own.locator('[data-panel="break"] > summary').click();
  await own.locator('[data-panel="proofs"] > summary').click();
  await own.locator('[data-law="rowsSumToOne"] > summary').click();
  await own.locator('[data-law="rowsSumToOne"] td').first().waitFor();
  await own.locator('[data-panel="compare"] > summary').click();
  await own.locator('.compare').waitFor();
  await own
    .locator('.cell')
    .nth(4 * 6 + 2)
    .click();
  await settled(page);
  const before = await read(own);
  const state = await stateOf(own);
  const seen = () =>
    own.evaluate((element) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      const { row, column } = /** @type {HTMLElement} */ (root.activeElement)?.dataset ?? {};
      return {
        open: Array.from(root.querySelectorAll('details[open]'), (each) => /** @type {HTMLElement} */ (each).dataset),
        focus: [row, column],
        rows: root.querySelectorAll('[data-law="rowsSumToOne"] td').length,
      };
    });
  const kept = await seen();
  assert.deepEqual(kept.open, [{ panel: 'proofs' }, { law: 'rowsSumToOne', outcome: 'holds' }, { panel: 'compare' }]);
  assert.deepEqual([kept.focus, kept.rows], [['4', '2'], 18]);

  for (const change of [
    () => own.evaluate((element) => Object.assign(element, { lang: 'es' })),
    () => page.evaluate(() => document.documentElement.setAttribute('lang', 'zh')),
    () => own.evaluate((element) => element.removeAttribute('lang')),
    () => page.evaluate(() => document.documentElement.setAttribute('lang', 'de')),
  ]) {
    await change();
    await settled(page);
    assert.deepEqual(await seen(), kept);
    assert.deepEqual(await stateOf(own), state);
    const after = await read(own);
    assert.deepEqual(after.selectedRows, before.selectedRows);
    assert.deepEqual(
      after.cells.flat().map(({ text, isCurrent }) => [text.replace(',', '.'), isCurrent]),
      before.cells.flat().map(({ text, isCurrent }) => [text, isCurrent]),
    );
  }
  assert.equal(await titleOf(own), english.heatmap);
});

pageTest('what is settled after a change of language speaks it, whoever changed what', async (page) => {
  await openPage(page, `<div id="around">${widget}</div>`);
  const titles = await page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attention-widget'));
    const around = /** @type {HTMLElement} */ (document.querySelector('#around'));
    const found = [];
    for (const change of [
      () => (element.lang = 'es'),
      () => (around.lang = 'zh'),
      () => (element.lang = ''),
      () => element.removeAttribute('lang'),
      () => (document.documentElement.lang = 'es'),
      () => around.removeAttribute('lang'),
      () => document.body.append(element),
    ]) {
      change();
      await element.updated;
      found.push(element.shadowRoot.querySelector('[part="heatmap"] strong').textContent);
    }
    return found;
  });
  const { heatmap } = spanish;
  assert.deepEqual(titles, [heatmap, heatmap, english.heatmap, chinese.heatmap, chinese.heatmap, heatmap, heatmap]);
});

pageTest("a lang that changes around another component's shadow root reaches the widget inside", async (page) => {
  await openPage(page, '<my-lesson></my-lesson>');
  await page.evaluate(async () => {
    const root = /** @type {Element} */ (document.querySelector('my-lesson')).attachShadow({ mode: 'open' });
    root.innerHTML = '<section id="inside"><attention-widget></attention-widget></section>';
    await /** @type {any} */ (root.querySelector('attention-widget')).updated;
  });
  const title = () => titleOf(only(page));
  assert.equal(await title(), english.heatmap);
  await page.evaluate(() => document.body.setAttribute('lang', 'es'));
  await eventually(title, spanish.heatmap);
  await page.locator('#inside').evaluate((section) => section.setAttribute('lang', 'zh'));
  await eventually(title, chinese.heatmap);
});

pageTest('what cannot be computed is framed in the language, and the sentence of the engine kept', async (page) => {
  await openPage(page, '<attention-widget lang="es" d-k="0"></attention-widget>');
  const { problem } = await read(only(page));
  assert.equal(problem, 'No se puede calcular. El motor dice: d-k is 0, but must be a whole number from 1 to 512.');
  await only(page).evaluate((element) => element.setAttribute('lang', 'zh'));
  await settled(page);
  assert.match((await read(only(page))).problem ?? '', /^无法计算。.*d-k is 0/);
  await set(only(page), { dK: 5 });
  assert.equal(await titleOf(only(page)), chinese.heatmap);
});

pageTest('a rate may be typed as the language writes numbers', async (page) => {
  await openPage(page, '<attention-widget lang="es" panels="train"></attention-widget>');
  const panel = only(page).locator('[data-panel="train"]');
  const rate = panel.getByRole('textbox', { name: spanish.train.rate });
  await rate.waitFor();
  assert.equal(await rate.inputValue(), '1,5');
  const losses = panel.getByText(/^pérdida/).first();
  const after = async (/** @type {string} */ text) => {
    await rate.fill(text);
    await panel.getByRole('button', { name: spanish.train.step, exact: true }).click();
    await panel.getByText(spanish.train.steps(1, 200)).waitFor();
    return losses.textContent();
  };
  assert.equal(await after('0,25'), await after('0.25'));
  assert.notEqual(await after('0,25'), await after('2,5'));
});

pageTest('360 pixels are enough for longer words', async (page) => {
  await page.setViewportSize({ width: 360, height: 900 });
  for (const lang of ['es', 'zh-CN', 'zh-Hant']) {
    await openPage(page, `<attention-widget panels="${allPanels}"></attention-widget>`, { root: `lang="${lang}"` });
    await only(page).locator('[data-panel="law"] dd').first().waitFor();
    const found = await only(page).evaluate((element) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      const { right } = element.getBoundingClientRect();
      const shown = Array.from(root.querySelectorAll('*')).filter(
        (each) =>
          each.checkVisibility() &&
          each.closest('.scroller, .scrolling, .pixels, pre, .announcer, details.number') === null,
      );
      return {
        beyond: shown
          .filter((each) => each.getBoundingClientRect().right > right + 1)
          .map(({ outerHTML }) => outerHTML),
        cut: shown
          .filter((each) => each.matches('.figure-name, .figure-note, button, dt, summary'))
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
          .map(({ textContent }) => textContent),
        page: document.documentElement.scrollWidth,
      };
    });
    assert.deepEqual(found, { beyond: [], cut: [], page: 360 }, lang);
  }
});

for (const [title, script] of [
  ['in English, on a page from right to left', ''],
  [
    'in a language from right to left',
    "globalThis[Symbol.for('attention-widget.messages')] = { he: { locale: 'he', direction: 'rtl', heatmap: 'משקלות' } };",
  ],
]) {
  pageTest(`${title}: axes, slider and numbers still run from left to right`, async (page) => {
    serve('/rtl.js', script);
    await openPage(page, `<attention-widget panels="${allPanels}" tokens="מה זה one"></attention-widget>`, {
      head: `<script src="/rtl.js"></script>${widgetScript}`,
      root: 'lang="he" dir="rtl"',
    });
    const own = only(page);
    assert.equal(await own.locator('.widget').getAttribute('dir'), script === '' ? 'ltr' : 'rtl');
    const places = await own.evaluate((element) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      const left = (/** @type {string} */ selector) =>
        Array.from(root.querySelectorAll(`[part="heatmap"] ${selector}`), (each) => each.getBoundingClientRect().left);
      const bars = Array.from(root.querySelectorAll('.row tbody tr'), (line) => {
        const [score, weight] = Array.from(line.querySelectorAll('.bar'), (bar) => bar.getBoundingClientRect());
        return score.width > 0 && weight.width > 0;
      });
      const box = element.getBoundingClientRect();
      return {
        columns: left('.column-label'),
        firstRow: left('.cell').slice(0, 3),
        rowLabel: left('.row-label')[0],
        bars,
        minus: getComputedStyle(/** @type {Element} */ (root.querySelector('.row .number'))).direction,
        beyond: Array.from(root.querySelectorAll('*'))
          .filter(
            (each) =>
              each.checkVisibility() && each.closest('.scroller, .scrolling, .pixels, pre, .announcer') === null,
          )
          .map((each) => each.getBoundingClientRect())
          .filter(({ left, right }) => left < box.left - 1 || right > box.right + 1).length,
      };
    });
    const ascending = (/** @type {number[]} */ numbers) => numbers.every((each, i) => i === 0 || each > numbers[i - 1]);
    assert.ok(ascending(places.columns) && ascending(places.firstRow) && places.columns.length === 3);
    assert.ok(places.rowLabel < places.firstRow[0]);
    assert.deepEqual(places.bars, [true, true, true]);
    assert.equal(places.minus, 'ltr');
    assert.equal(places.beyond, 0);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1000);

    const slider = own.locator('[part="slider"]');
    await slider.press('ArrowRight');
    assert.equal((await stateOf(own)).dK, 17, 'to the right is more');
    const box = await slider.boundingBox();
    assert.ok(box !== null);
    await page.mouse.click(box.x + 0.9 * box.width, box.y + box.height / 2);
    await settled(page);
    assert.ok((await stateOf(own)).dK > 50);
    await own.locator('.heatmap .cell[tabindex="0"]').focus();
    const { column } = await own
      .locator('.heatmap .cell[tabindex="0"]')
      .evaluate((cell) => ({ column: Number(/** @type {HTMLElement} */ (cell).dataset.column) }));
    await page.keyboard.press(column === 2 ? 'ArrowLeft' : 'ArrowRight');
    await settled(page);
    const moved = await own.locator('.heatmap .cell[tabindex="0"]').getAttribute('data-column');
    assert.equal(Number(moved), column === 2 ? 1 : column + 1);
  });
}
