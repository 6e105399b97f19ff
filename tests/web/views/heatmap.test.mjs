// The map in a document that lays nothing out, and tokens that look like markup in every view. What it looks like is
// tests/browser's. Covers views/heatmap.js, heatmap-grid.js and cells.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import messages from '../../../web/language/messages/en.js';
import { createArithmetic } from '../../../web/views/arithmetic.js';
import { cellAfterKey } from '../../../web/views/cells.js';
import { createFigures } from '../../../web/views/figures.js';
import { formatWeight } from '../../../web/views/format.js';
import { createHeatmap } from '../../../web/views/heatmap.js';
import { shadeOf } from '../../../web/views/shades.js';
import { engine, every, rowKeys, rowOf, textOf } from './support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} Settings */

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

const noActions = { select: () => {}, point: () => {}, repaint: () => {}, leave: () => {} };

/** @param {Settings} settings @param {{row: number, column: number}} [cell] */
function heatmapOf(settings, cell = { row: 0, column: 0 }) {
  const heatmap = createHeatmap(messages, noActions);
  heatmap.update(engine.lesson(settings), cell, null);
  return heatmap.root;
}

test('tokens that look like markup are text in labels, tooltips, accessible names and headings', () => {
  const tokens = hostile;
  const settings = { tokens, seed: 2958 }; // no weight of which a label says the power too
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
    const key = tokens[index % tokens.length];
    const label = `\u2068${query}\u2069 looks at \u2068${key}\u2069, ${formatWeight(result.weights.data[index], messages)}`;
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

test('a map across two sentences has a row for each query and a column for each key', () => {
  const settings = { tokens: ['one', 'two'], context: ['a', 'b', 'c', 'd'], dK: 3, padding: 1 };
  const result = engine.lesson(settings);
  const heatmap = heatmapOf(settings);
  assert.deepEqual(every(heatmap, '.row-label').map(textOf), ['one', 'two']);
  assert.deepEqual(every(heatmap, '.column-label').map(textOf), ['a', 'b', 'c', 'd']);
  assert.deepEqual(every(heatmap, '[data-padding]').map(textOf), ['d'], 'keys are padded, queries are not');
  const cells = every(heatmap, '.cell');
  assert.equal(cells.length, 8);
  assert.equal(textOf(cells[6]), formatWeight(result.weights.data[6], messages));
  assert.match(cells[6].getAttribute('aria-label') ?? '', /^two looks at c, /);
  assert.equal(
    heatmap.querySelector('[role="grid"]')?.getAttribute('aria-label'),
    'Attention weights, 2 queries by 4 keys',
  );
  assert.deepEqual(rowKeys(rowOf(settings, 1, 0)), ['a', 'b', 'c', 'd']);
  const end = /** @type {KeyboardEvent} */ ({ key: 'End', ctrlKey: true, metaKey: false, altKey: false });
  assert.deepEqual(cellAfterKey(end, { row: 0, column: 0 }, 2, 2, 4), { row: 1, column: 3 });
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

test('a weight above 1, which dropout makes, has a full bar and the darkest shade', () => {
  const alone = { tokens: ['alone'], dropout: 0.5, seed: 1 };
  const seed = [1, 2, 3, 4, 5, 6, 7, 8].find((each) => engine.lesson({ ...alone, seed: each }).weights.data[0] > 0);
  const state = { ...alone, seed };
  assert.equal(engine.lesson(state).weights.data[0], 2);
  assert.match(heatmapOf(state).querySelector('.cell')?.className ?? '', /shade-100/);
  assert.match(rowOf(state, 0, 0).innerHTML, /scaleX\(1\)/);
});
