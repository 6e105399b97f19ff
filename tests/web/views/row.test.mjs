// The highlighted row as a list of keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import messages from '../../../web/language/messages/en.js';
import { createRow } from '../../../web/views/row.js';
import { engine, every, rowKeys, rowOf, textOf } from './support.mjs';

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

test('a padded key is marked, and named as padding', () => {
  const root = rowOf({ padding: 2, tokens: ['one', 'two', 'two'] }, 0, 0);
  const labels = every(root, 'tbody th bdi');
  assert.deepEqual(labels.map(textOf), ['one', 'two', 'two']);
  assert.deepEqual(
    labels.map((label) => label.hasAttribute('data-padding')),
    [false, true, true],
  );
  assert.deepEqual(
    every(root, 'tbody th').map((head) => head.getAttribute('aria-label')),
    [null, 'two (2) (padding)', 'two (3) (padding)'],
  );
  assert.deepEqual(
    every(root, 'tbody tr').map((line) => line.hasAttribute('data-hidden')),
    [false, true, true],
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
