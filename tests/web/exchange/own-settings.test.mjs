// What a state becomes with matrices of one's own. Covers exchange/own-settings.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import { alsoSet, parseRows, rowsOfMatrix, rowsText, settingsFor } from '../../../web/exchange/own-settings.js';

/** @param {number} height @param {number} width */
const rows = (height, width) => Array.from({ length: height }, () => Array(width).fill(1));

test('as many words as X has rows: those of the rows, or numbered ones', () => {
  const state = completeState({ row: 5 });
  assert.deepEqual(settingsFor(state, { X: rows(6, 3) }).tokens, undefined, 'the sentence stays where it fits');
  const named = settingsFor(state, { X: rows(2, 3) }, ['le', 'chat']);
  assert.deepEqual([named.tokens, named.row], [['le', 'chat'], 1]);
  assert.deepEqual(settingsFor(state, { X: rows(3, 3) }, ['le']).tokens, ['x1', 'x2', 'x3']);
});

test('matrices of a layer need a layer that has some, heads that share their columns, and a preset of their widths', () => {
  const identity = completeState({ projections: 'identity' });
  assert.equal(settingsFor(identity, { Wq: rows(16, 4) }).projections, 'separate');
  assert.equal(settingsFor(identity, { X: rows(6, 4) }).projections, undefined);
  const heads = completeState({ heads: 3, head: 2 });
  assert.deepEqual(settingsFor(heads, { Wk: rows(16, 9) }).heads, undefined);
  assert.deepEqual(
    [settingsFor(heads, { Wk: rows(16, 8) }).heads, settingsFor(heads, { Wk: rows(16, 8) }).head],
    [1, 0],
  );
  const four = completeState({ preset: 'four-token' });
  assert.equal(settingsFor(four, { Wq: rows(2, 2) }).preset, undefined);
  const wide = settingsFor(four, { Wq: rows(2, 3) });
  assert.deepEqual([wide.preset, wide.tokens, wide.mask], ['sentence', four.tokens, 'causal']);
});

test('edits of a matrix that is replaced are gone, the others stay', () => {
  const edits = /** @type {const} */ ([
    { matrix: 'Wq', row: 0, column: 0, value: 1 },
    { matrix: 'X', row: 1, column: 0, value: 2 },
  ]);
  assert.deepEqual(settingsFor(completeState({ edits }), { Wq: rows(16, 16) }).edits, [edits[1]]);
});

test('what is set besides is said by name', () => {
  const state = completeState({ preset: 'four-token' });
  assert.equal(alsoSet(state, settingsFor(state, { X: rows(2, 2) })), 'tokens="x1 x2", preset="sentence"');
  assert.equal(alsoSet(completeState(), settingsFor(completeState(), { X: rows(6, 2) })), '');
});

test('rows are named as numbers and ranges, and nothing else names rows', () => {
  assert.deepEqual(parseRows('0-2', 3), [0, 1, 2]);
  assert.deepEqual(parseRows(' 7, 3–4;0 ', 8), [7, 3, 4, 0]);
  for (const wrong of ['', '3', '-1', '2-1', 'one', '1.5', '0-99999999999', '1e3']) {
    assert.equal(parseRows(wrong, 3), null, wrong);
  }
  assert.equal(rowsText([0, 1, 2, 3]), '0-3');
  assert.equal(rowsText([5, 3]), '5, 3');
  assert.deepEqual(rowsOfMatrix({ data: [1, 2, 3, 4, 5, 6], shape: [3, 2] }), [
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  assert.deepEqual(rowsOfMatrix({ data: [1, 2], shape: [2] }), [[1, 2]]);
});
