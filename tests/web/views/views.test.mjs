// The views as builders of elements, in a document that lays nothing out. What they look like is tests/browser's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { completeState } from '../../../web/engine/lesson-state.js';
import messages from '../../../web/language/messages/en.js';
import { createArithmetic } from '../../../web/views/arithmetic.js';
import { formatTick } from '../../../web/views/axis.js';
import { h, mathNodes, setAttribute, setMath, setText } from '../../../web/views/dom.js';
import { createFigures } from '../../../web/views/figures.js';
import { format, formatFigure, formatWeight, formatWeightInFull, visibleToken } from '../../../web/views/format.js';
import { cellAfterKey, createHeatmap } from '../../../web/views/heatmap.js';
import { createRow } from '../../../web/views/row.js';
import { shadeOf } from '../../../web/views/shades.js';
import { loadEngine } from '../support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} Settings */

const engine = await loadEngine();
globalThis.document = parseHTML('<!doctype html><html><body></body></html>').document;

const hostile = [
  '<s>',
  'a<b',
  '&amp;',
  '" onmouseover="x=1',
  '</style>',
  '</script>',
  '<img src=x onerror=window.__pwn=1>',
  "'><b>",
];

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
const every = (root, selector) => Array.from(root.querySelectorAll(selector));
/** What a reader sees of a text: joiners and no-break spaces only steer its line breaks. @param {Element} element */
const textOf = (element) => (element.textContent ?? '').replaceAll(/\u2060|\u200b/g, '').replaceAll(/[\u00a0\n]/g, ' ');
const noActions = { select: () => {}, point: () => {}, repaint: () => {} };

/** @param {Settings} settings @param {{row: number, column: number}} [cell] */
function heatmapOf(settings, cell = { row: 0, column: 0 }) {
  const heatmap = createHeatmap(messages, noActions);
  heatmap.update(engine.lesson(settings), cell, null);
  return heatmap.root;
}

/** The lines of the arithmetic of a cell: name, working, result. @param {Settings} settings @param {number} row @param {number} column */
function stepsOf(settings, row, column) {
  const view = createArithmetic(messages);
  view.update(engine.lesson({ ...settings, row }), completeState({ ...settings, row }), { row, column });
  return every(view.root, 'tr').map((line) => Array.from(line.children, textOf));
}

/** @param {Settings} settings @param {number} row @param {number} column */
function rowOf(settings, row, column) {
  const view = createRow(messages, () => {});
  view.update(engine.lesson({ ...settings, row }), { row, column });
  return view.root;
}

const rowKeys = (/** @type {Element} */ root) => every(root, 'tbody th').map(textOf);

test('a child that is a text is text, and an attribute that is false is left out', () => {
  const element = h(
    'p',
    { class: 'x', hidden: true, title: false, 'data-n': 0 },
    '<b>',
    h('i', {}, '&'),
    null,
    undefined,
  );
  assert.equal(element.innerHTML, '&lt;b&gt;<i>&amp;</i>');
  assert.deepEqual(
    ['class', 'hidden', 'title', 'data-n'].map((name) => element.getAttribute(name)),
    ['x', '', null, '0'],
  );
});

test('an attribute that is a function listens', () => {
  let clicks = 0;
  const button = h('button', { click: () => clicks++ });
  button.click();
  assert.equal(clicks, 1);
  assert.equal(button.hasAttribute('click'), false);
});

test('symbols are set as symbols, and markup in a formula stays text', () => {
  const root = h('p', {}, ...mathNodes('÷ √d_k of <b>d_k</b>'));
  assert.equal(textOf(root), '÷ √dk of <b>dk</b>');
  assert.equal(every(root, 'sub').length, 2);
  assert.equal(every(root, 'b').length, 0);
  const power = h('p', {}, ...mathNodes('e^{−0.30}'));
  assert.equal(textOf(power.querySelector('sup') ?? power), '−0.30');
  assert.equal(every(h('p', {}, ...mathNodes('one^{two} d_K ad_k')), 'sub, sup').length, 0, 'words are left alone');
});

test('what did not change is not written', () => {
  const element = h('p', {}, 'text');
  const node = element.firstChild;
  setText(element, 'text');
  assert.equal(element.firstChild, node);
  setText(element, 'other');
  assert.equal(textOf(element), 'other');
  setMath(element, 'd_k');
  const symbol = element.firstElementChild;
  setMath(element, 'd_k');
  assert.equal(element.firstElementChild, symbol);
  setAttribute(element, 'data-x', true);
  assert.equal(element.getAttribute('data-x'), '');
  setAttribute(element, 'data-x', null);
  assert.equal(element.hasAttribute('data-x'), false);
});

test('a number has two decimals, or a power of ten where these would hide it', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0'],
    [-0, '0'],
    [1, '1.00'],
    [-0.25, '−0.25'],
    [0.005, '0.01'],
    [0.0049, '4.9e−3'],
    [-1e-9, '−1.0e−9'],
    [99999, '99999.00'],
    [1e5, '1.0e5'],
    [-123456, '−1.2e5'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [NaN, 'NaN'],
  ])) {
    assert.equal(format(value, messages), text);
  }
});

test('a figure keeps two decimals, so that it keeps its width', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0.00'],
    [1e-9, '0.00'],
    [22.627, '22.63'],
    [-0.5, '−0.50'],
    [1e6, '1.0e6'],
    [NaN, 'NaN'],
    [Infinity, '∞'],
  ])) {
    assert.equal(formatFigure(value, messages), text);
  }
});

test('a weight of exactly 0 or 1 looks exact, and others do not', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0'],
    [1, '1'],
    [1e-6, '0.00'],
    [0.999999, '1.00'],
    [0.416, '0.42'],
    [NaN, 'NaN'],
  ])) {
    assert.equal(formatWeight(value, messages), text);
  }
});

test('a token is shown as it is, and one that cannot be seen by a placeholder', () => {
  for (const [token, text] of [
    ['journey', 'journey'],
    ['<s>', '<s>'],
    ['\u0120Hello', '\u0120Hello'],
    ['##ing', '##ing'],
    ['\ufffd', '\ufffd'],
    ['e\u0301', 'e\u0301'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['New York', 'New York'],
    ['', '∅'],
    [' ', '␣'],
    ['  ', '␣␣'],
    ['\u200b', 'U+200B'],
    ['\t', 'U+0009'],
    ['\n ', 'U+000A␣'],
    ['\u00a0', 'U+00A0'],
    ['\u0000', 'U+0000'],
    ['\ufeff', 'U+FEFF'],
    ['\u{e0020}', 'U+E0020'],
  ]) {
    assert.equal(visibleToken(token), text, JSON.stringify(token));
  }
});

test('tokens that look like markup are text in labels, tooltips, accessible names and headings', () => {
  const tokens = hostile;
  const settings = { tokens };
  const result = engine.lesson(settings);
  const heatmap = heatmapOf(settings);
  const plain = heatmapOf({ tokens: tokens.map((_, index) => `t${index}`) });
  assert.deepEqual(every(heatmap, '.column-label').map(textOf), tokens);
  assert.deepEqual(every(heatmap, '.row-label').map(textOf), tokens);
  assert.deepEqual(
    every(heatmap, '.column-label bdi').map((label) => label.title),
    tokens,
  );
  assert.equal(every(heatmap, '.cell').length, tokens.length ** 2);
  assert.equal(every(heatmap, '*').length, every(plain, '*').length, 'no element comes from a token');
  for (const [index, cell] of every(heatmap, '.cell').entries()) {
    const query = tokens[Math.floor(index / tokens.length)];
    const label = `${query} looks at ${tokens[index % tokens.length]}, ${formatWeight(result.weights.data[index], messages)}`;
    assert.equal(cell.getAttribute('aria-label'), label);
  }
  tokens.forEach((token, row) => {
    const list = rowOf(settings, row, 0);
    assert.deepEqual(rowKeys(list), tokens);
    assert.equal(textOf(list.querySelector('h3') ?? list), `“${token}” looks at …`);
    assert.equal(every(list, '*').length, every(rowOf({ tokens: Array(8).fill('t') }, row, 0), '*').length);
    const arithmetic = createArithmetic(messages);
    arithmetic.update(result, completeState(settings), { row, column: 0 });
    assert.equal(textOf(arithmetic.root.querySelector('h3') ?? list), `“${token}” → “${tokens[0]}”`);
    const figures = createFigures(messages);
    figures.update(engine.lesson({ ...settings, row }), completeState({ ...settings, row }));
    assert.ok(textOf(figures.root).includes(`peak weight, “${token}”`));
    assert.equal(every(figures.root, 'img, s, b, script, style').length, 0);
  });
});

test('subword marks, byte fragments and invisible tokens each get a row and a column that can be seen', () => {
  const tokens = [
    '\u0120Hello',
    '\u010a',
    '##ing',
    '\u2581the',
    '\u00e6\u013f',
    '<0xE6>',
    '',
    ' ',
    '\u200b',
    'e\u0301',
    '👩‍👩‍👧',
    '\ufffd',
  ];
  const heatmap = heatmapOf({ tokens });
  for (const side of ['.column-label', '.row-label']) {
    const labels = every(heatmap, side).map(textOf);
    assert.equal(labels.length, 12);
    assert.deepEqual(labels, [...tokens.slice(0, 6), '∅', '␣', 'U+200B', ...tokens.slice(9)]);
  }
});

test('the map shows each weight as its colour and its number', () => {
  const result = engine.lesson({ dK: 64, divisor: 'none' });
  const cells = every(heatmapOf({ dK: 64, divisor: 'none' }), '.cell');
  cells.forEach((cell, index) => {
    const weight = result.weights.data[index];
    assert.equal(textOf(cell), formatWeight(weight, messages));
    assert.ok(cell.classList.contains(shadeOf(weight)), `${weight} is ${cell.className}`);
    assert.equal(cell.hasAttribute('data-kind'), false);
  });
});

test('hidden, exactly zero, tiny and not a number are four different cells', () => {
  const result = engine.lesson({ tokens: ['a', 'b', 'c'], mask: 'causal' });
  result.weights.data.set([1, 0, 0, 0.999999, 1e-6, 0, NaN, 0, 0.5]);
  const heatmap = createHeatmap(messages, noActions);
  heatmap.update(result, { row: 0, column: 0 }, null);
  const cells = every(heatmap.root, '.cell');
  assert.deepEqual(cells.map(textOf), ['1', '', '', '1.00', '0.00', '', 'overflow', '0', '0.50']);
  assert.deepEqual(
    cells.map((cell) => cell.getAttribute('data-kind')),
    [null, 'hidden', 'hidden', null, null, 'hidden', 'invalid', null, null],
  );
  assert.equal(/shade/.test(cells[1].className), false, 'hidden is no colour of the scale');
  assert.equal(/shade/.test(cells[6].className), false, 'and neither is a number that is none');
  assert.equal(cells[1].getAttribute('aria-label'), 'b is hidden from a');
  assert.equal(cells[4].getAttribute('aria-label'), 'b looks at b, 0.00 (1.0e−6)');
  assert.equal(cells[6].getAttribute('aria-label'), 'c looks at a, overflow');
});

test('the map names its size, its axes and its scale, and one cell alone is in the tab order', () => {
  const heatmap = heatmapOf({}, { row: 2, column: 3 });
  const grid = heatmap.querySelector('[role="grid"]');
  assert.equal(grid?.getAttribute('aria-label'), 'Attention weights, 6 queries by 6 keys');
  assert.ok(textOf(heatmap).includes('rows = queries (who is looking), columns = keys'));
  assert.match(textOf(heatmap.querySelector('.legend') ?? heatmap), /weight 0.*1.*hidden/);
  const reachable = every(heatmap, '.cell[tabindex="0"]');
  assert.equal(reachable.length, 1);
  assert.equal(reachable[0], every(heatmap, '.cell')[2 * 6 + 3]);
  assert.equal(every(heatmap, '[role="row"]').length, 7);
  assert.equal(every(heatmap, '[role="columnheader"]').length, 6);
});

test('a key of the keyboard leads to the next cell and stops at the edge', () => {
  const n = 4;
  const go = (/** @type {string} */ key, /** @type {number} */ row, /** @type {number} */ column, ctrlKey = false) => {
    const event = /** @type {KeyboardEvent} */ ({ key, ctrlKey, metaKey: false, altKey: false });
    const next = cellAfterKey(event, { row, column }, n);
    return next === null ? null : [next.row, next.column];
  };
  assert.deepEqual(go('ArrowUp', 2, 1), [1, 1]);
  assert.deepEqual(go('ArrowUp', 0, 1), [0, 1]);
  assert.deepEqual(go('ArrowDown', 2, 1), [3, 1]);
  assert.deepEqual(go('ArrowDown', 3, 1), [3, 1]);
  assert.deepEqual(go('ArrowLeft', 2, 1), [2, 0]);
  assert.deepEqual(go('ArrowLeft', 2, 0), [2, 0]);
  assert.deepEqual(go('ArrowRight', 2, 1), [2, 2]);
  assert.deepEqual(go('ArrowRight', 2, 3), [2, 3]);
  assert.deepEqual(go('Home', 2, 1), [2, 0]);
  assert.deepEqual(go('Home', 2, 1, true), [0, 0]);
  assert.deepEqual(go('End', 2, 1), [2, 3]);
  assert.deepEqual(go('End', 2, 1, true), [3, 3]);
  assert.deepEqual(go('PageUp', 2, 1), [0, 1]);
  assert.deepEqual(go('PageDown', 2, 1), [3, 1]);
  for (const key of ['Tab', 'Escape', 'Enter', ' ', 'a', '5', 'F5']) {
    assert.equal(go(key, 2, 1), null, key);
  }
});

test('a key that a browser or a system has use for is left alone', () => {
  for (const modifier of ['metaKey', 'altKey']) {
    const event = { key: 'ArrowLeft', ctrlKey: false, metaKey: false, altKey: false, [modifier]: true };
    assert.equal(cellAfterKey(/** @type {any} */ (event), { row: 1, column: 1 }, 4), null);
  }
});

test('the arithmetic runs from q·k to the weight', () => {
  assert.deepEqual(stepsOf({ preset: 'four-token' }, 1, 1), [
    ['q·k', '0·1.00 + 1.00·1.00', '1.00'],
    ['÷ √dk', '1.00 ÷ (√2 = 1.41)', '0.71'],
    ['− row maximum', '0.71 − 0.71', '0'],
    ['exp', 'e0', '1.00'],
    ['÷ row sum', '1.00 ÷ 1.49', '0.67'],
  ]);
});

test('the arithmetic says that a weight is dropped, or by what a kept one is divided too', () => {
  const steps = (/** @type {number} */ column) => stepsOf({ dropout: 0.5 }, 1, column);
  assert.deepEqual(steps(0).at(-1), ['dropped after the softmax', '', '0']);
  const [name, working, weight] = steps(3).at(-1) ?? [];
  assert.equal(name, '÷ row sum ÷ (1 − p)');
  assert.match(working, /^\d\.\d\d ÷ \d\.\d\d ÷ \(1 − 0\.50\)$/);
  assert.equal(weight, '0.28');
  assert.deepEqual(
    stepsOf({ dropout: 0.5, mask: 'causal' }, 1, 2).at(-1)?.slice(1),
    ['0 ÷ 1.49 ÷ (1 − 0.50)', '0'],
    'hidden, not dropped',
  );
});

test('a weight above 1, which dropout makes, has a full bar and the darkest shade', () => {
  const alone = { tokens: ['alone'], dropout: 0.5, seed: 1 };
  const seed = [1, 2, 3, 4, 5, 6, 7, 8].find((each) => engine.lesson({ ...alone, seed: each }).weights.data[0] > 0);
  const state = { ...alone, seed };
  assert.equal(engine.lesson(state).weights.data[0], 2);
  assert.match(heatmapOf(state).querySelector('.cell')?.className ?? '', /shade-100/);
  assert.match(rowOf(state, 0, 0).innerHTML, /scaleX\(1\)/);
});

test('three terms of q·k are written out, and the rest is counted', () => {
  const working = (/** @type {number} */ dK) => stepsOf({ dK }, 1, 2)[0][1];
  const terms = (/** @type {number} */ dK) => working(dK).split(' + ');
  assert.equal(terms(1).length, 1);
  assert.equal(terms(2).length, 2);
  assert.equal(terms(3).length, 3);
  assert.equal(terms(3)[2].startsWith('…'), false);
  assert.equal(terms(4).length, 4);
  assert.equal(terms(4)[3], '… 1 more');
  assert.equal(terms(64)[3], '… 61 more');
  assert.match(terms(64)[0], /^\(?−?\d\.\d\d\)?·\(?−?\d\.\d\d\)?$/);
  assert.match(working(16), /\(−\d\.\d\d\)/, 'a negative factor stands in parentheses');
});

test('the divisor is named as it is set', () => {
  assert.deepEqual(stepsOf({ divisor: 'none' }, 1, 2)[1].slice(0, 2), ['not divided', '']);
  assert.match(stepsOf({ divisor: 'sqrt' }, 1, 2)[1].join(), /^÷ √dk,.+ ÷ \(√16 = 4\.00\),/);
  assert.match(stepsOf({ divisor: 'dk' }, 1, 2)[1].join(), /^÷ dk,.+ ÷ \(16\.00\),/);
});

test('a hidden cell says that it is hidden before the softmax, and has an exponential of 0', () => {
  const steps = stepsOf({ mask: 'causal' }, 1, 4);
  assert.deepEqual(steps[2], ['mask', 'the future is hidden before the softmax', '−∞']);
  assert.deepEqual(steps[3], ['exp', 'e−∞', '0']);
  assert.equal(steps[4][0], '÷ row sum');
  assert.match(steps[4][1], /^0 ÷ \d\.\d\d$/);
  assert.equal(steps[4][2], '0');
});

test('a cell that is cleared too late has an exponential, and loses it after the softmax', () => {
  const steps = stepsOf({ mask: 'late' }, 1, 4);
  assert.equal(steps[2][0], '− row maximum');
  assert.notEqual(steps[3][2], '0');
  assert.deepEqual(steps[4], ['cleared after the softmax', '', '0']);
});

test('the naive softmax subtracts nothing, and the wrong axis names columns', () => {
  const naive = stepsOf({ softmax: 'naive' }, 1, 4);
  assert.deepEqual(naive[2].slice(0, 2), ['maximum not subtracted', '']);
  assert.equal(naive[2][2], naive[1][2]);
  const columns = stepsOf({ softmaxAxis: 'queries' }, 1, 4);
  assert.equal(columns[2][0], '− column maximum');
  assert.equal(columns[4][0], '÷ column sum');
});

test('the numbers of the arithmetic are those of the result, step by step', () => {
  for (const settings of /** @type {Settings[]} */ ([
    {},
    { divisor: 'none', dK: 64 },
    { divisor: 'dk' },
    { softmaxAxis: 'queries' },
    { mask: 'causal' },
  ])) {
    for (const [row, column] of [
      [1, 0],
      [4, 2],
      [5, 5],
    ]) {
      const result = engine.lesson({ ...settings, row });
      const at = row * 6 + column;
      const results = stepsOf(settings, row, column).map(([, , number]) => number);
      assert.deepEqual(results, [
        format(result.scores.data[at], messages),
        format(result.scaled.data[at], messages),
        format(result.worksheet.shifted[column], messages),
        format(result.worksheet.exponentials[column], messages),
        formatWeightInFull(result.weights.data[at], messages),
      ]);
    }
  }
});

test('the figures say what the result says, and name what they compare it with', () => {
  const shown = (/** @type {Settings} */ settings) => {
    const figures = createFigures(messages);
    const state = completeState(settings);
    figures.update(engine.lesson(settings), state);
    return Object.fromEntries(
      every(figures.root, '[data-figure]').map((figure) => [
        figure.getAttribute('data-figure'),
        ['.figure-name', '.figure-value', '.figure-note'].map((part) => textOf(figure.querySelector(part) ?? figure)),
      ]),
    );
  };
  const { metrics } = engine.lesson({ dK: 64, divisor: 'none' });
  const unscaled = shown({ dK: 64, divisor: 'none' });
  assert.deepEqual(unscaled.spread, ['score spread', formatFigure(metrics.spread, messages), 'theory √64 = 8.00']);
  assert.deepEqual(unscaled.peak, ['peak weight, “journey”', '1.00', 'on “step”']);
  assert.deepEqual(unscaled.state, ['softmax', 'saturated (one-hot)', 'row sums to 1.00']);
  assert.deepEqual(unscaled.entropy, ['entropy', formatFigure(metrics.entropy[1], messages), 'max ln 6 = 1.79']);
  assert.deepEqual(unscaled.gradient, ['gradient', 'dead', `Jacobian ${formatFigure(metrics.jacobian[1], messages)}`]);
  assert.equal(shown({}).spread[2], 'theory 1');
  assert.equal(shown({ divisor: 'dk' }).spread[2], 'theory 1/√16 = 0.25');
  assert.equal(shown({ projections: 'shared' }).spread[2], 'no law here');
  assert.equal(shown({ mask: 'late' }).state[1], 'not a distribution');
  assert.match(shown({ mask: 'causal' }).entropy[2], /^max ln 2 = 0\.69$/);
  assert.deepEqual(shown({ tokens: ['alone'] }).gradient[1], 'no choice');
});

test('a row of up to twelve keys is shown whole and in order', () => {
  const tokens = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const root = rowOf({ tokens }, 3, 5);
  assert.deepEqual(rowKeys(root), tokens);
  assert.equal(/** @type {HTMLElement} */ (root.querySelector('.more')).hidden, true);
});

test('of more keys the twelve with the most weight are shown, and the selected one is kept', () => {
  const tokens = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const weights = engine.lesson({ tokens }).weights.data.subarray(3 * 40, 4 * 40);
  const byWeight = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const most = rowOf({ tokens }, 3, byWeight[0]);
  assert.deepEqual(
    rowKeys(most),
    byWeight.slice(0, 12).map((key) => `t${key}`),
  );
  assert.equal(textOf(most.querySelector('.more') ?? most), '… and 28 more keys');
  const last = byWeight[39];
  const keys = rowKeys(rowOf({ tokens }, 3, last));
  assert.equal(keys.length, 12);
  assert.equal(keys[11], `t${last}`);
  assert.deepEqual(
    keys.slice(0, 11),
    byWeight.slice(0, 11).map((key) => `t${key}`),
  );
});

test('a row marks its hidden keys and the selected one', () => {
  const root = rowOf({ mask: 'causal' }, 2, 1);
  const lines = every(root, 'tbody tr');
  assert.deepEqual(
    lines.map((line) => line.hasAttribute('data-hidden')),
    [false, false, false, true, true, true],
  );
  assert.deepEqual(
    lines.map((line) => line.hasAttribute('data-current')),
    [false, true, false, false, false, false],
  );
  assert.deepEqual(
    lines.slice(3).map((line) => textOf(/** @type {Element} */ (line.lastElementChild))),
    Array(3).fill('hidden'),
  );
  assert.ok(textOf(lines[3]).includes('−∞'));
});

test('choosing a line of the row chooses its key', () => {
  /** @type {number[]} */
  const chosen = [];
  const view = createRow(messages, (column) => chosen.push(column));
  view.update(engine.lesson({}), { row: 1, column: 0 });
  every(view.root, 'tbody tr')[4].click();
  assert.deepEqual(chosen, [4]);
});

test('English numbers do not wait for Intl, which takes as long to start as the rest of a first picture', () => {
  const own = Number.prototype.toLocaleString;
  Number.prototype.toLocaleString = () => assert.fail('Intl is asked');
  try {
    assert.equal(format(-0.5, messages), '−0.50');
  } finally {
    Number.prototype.toLocaleString = own;
  }
});

test("a number has its language's decimal separator, its own digits and a true minus sign", () => {
  for (const [locale, texts] of /** @type {[string, string[]][]} */ ([
    ['en', ['−12345.50', '4.9e−3', '0.42', '−0.50', '0.25', '1.2e5']],
    ['es', ['−12345,50', '4,9e−3', '0,42', '−0,50', '0,25', '1,2e5']],
    ['zh-CN', ['−12345.50', '4.9e−3', '0.42', '−0.50', '0.25', '1.2e5']],
    ['ar-EG', ['−12345.50', '4.9e−3', '0.42', '−0.50', '0.25', '1.2e5']],
  ])) {
    const language = { locale };
    assert.deepEqual(
      [
        format(-12345.5, language),
        format(0.0049, language),
        formatWeightInFull(0.416, language),
        formatFigure(-0.5, language),
        formatTick(0.25, language),
        format(123456, language),
      ],
      texts,
      locale,
    );
  }
});
