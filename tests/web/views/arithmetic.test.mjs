// The arithmetic of one cell, line by line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import messages from '../../../web/language/messages/en.js';
import { createArithmetic } from '../../../web/views/arithmetic.js';
import { format, formatWeightInFull } from '../../../web/views/format.js';
import { engine, every, textOf } from './support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} Settings */

/** The lines of the arithmetic of a cell: name, working, result. @param {Settings} settings @param {number} row @param {number} column */
function stepsOf(settings, row, column) {
  const view = createArithmetic(messages);
  view.update(engine.lesson({ ...settings, row }), completeState({ ...settings, row }), { row, column });
  return every(view.root, 'tr').map((line) => Array.from(line.children, textOf));
}

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
  assert.deepEqual(steps(1).at(-1), ['dropped after the softmax', '', '0']);
  const [name, working, weight] = steps(3).at(-1) ?? [];
  assert.equal(name, '÷ row sum ÷ (1 − p)');
  assert.match(working, /^\d\.\d\d ÷ \d\.\d\d ÷ \(1 − 0\.50\)$/);
  assert.equal(weight, '0.09');
  assert.deepEqual(
    stepsOf({ dropout: 0.5, mask: 'causal' }, 1, 2).at(-1)?.slice(1),
    ['0 ÷ 1.41 ÷ (1 − 0.50)', '0'],
    'hidden, not dropped',
  );
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

test('a hidden cell says what hides it: the future, or the window', () => {
  const working = (/** @type {number} */ column) => stepsOf({ mask: 'window', window: 2 }, 3, column)[2][1];
  assert.equal(working(1), 'what lies before the window is hidden before the softmax');
  assert.equal(working(4), 'the future is hidden before the softmax');
});

test('a padded cell says so, and a query that sees nothing that it does', () => {
  const steps = stepsOf({ padding: 2, mask: 'causal' }, 1, 4);
  assert.equal(steps[2][1], 'padding is hidden before the softmax');
  assert.match(steps[4][1], /^0 ÷ \d\.\d\d$/);
  const blind = stepsOf({ padding: 3, mask: 'window', window: 2 }, 5, 4);
  assert.deepEqual(blind.at(-1), ['÷ row sum', 'no visible key', '0']);
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
