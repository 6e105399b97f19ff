// The numbers for other programs: CSV and JSON.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import { toCSV, toJSON } from '../../../web/export/tables.js';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();

test('a table has a line for each query and key, with every digit', () => {
  const state = completeState({ tokens: ['a,"b"', 'c', '=1+1'], mask: 'causal', dK: 3 });
  const result = engine.lesson(state);
  const lines = toCSV(result).split('\r\n');
  assert.equal(lines.length, 11);
  assert.equal(lines[0], 'query,key,visible,score,scaled,weight');
  const { scores, scaled, weights } = result;
  assert.equal(lines[4], `c,"a,""b""",1,${scores.data[3]},${scaled.data[3]},${weights.data[3]}`);
  assert.equal(lines[3].split(',').at(-1), '0');
  assert.match(lines[9], /^"'=1\+1","'=1\+1",1,/);
});

test('with a second sentence each query has a line for each of its words', () => {
  const result = engine.lesson({ tokens: ['a', 'b'], context: ['c', 'd', 'd'] });
  const lines = toCSV(result).trim().split('\r\n');
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',').slice(0, 2).join(' ')),
    ['a c', 'a d (2)', 'a d (3)', 'b c', 'b d (2)', 'b d (3)'],
  );
  assert.equal(Number(lines[6].split(',').at(-1)), result.weights.data[5]);
});

test('a token that a spreadsheet would run as a formula is quoted, whatever it begins with', () => {
  const tokens = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', "'a", 'a=1', '1-1'];
  const table = toCSV(engine.lesson({ tokens, row: 0 }));
  const [, ...lines] = table.split('\r\n').slice(0, -1);
  const names = lines.slice(0, tokens.length).map((line) => line.slice('"\'=1+1",'.length, line.lastIndexOf(',1,')));
  assert.deepEqual(names, [`"'=1+1"`, `"'+1"`, `"'-1"`, `"'@SUM(1)"`, `"'\t=1"`, `"'\r=1"`, `"'a"`, 'a=1', '1-1']);
});

test('full-width and indented formulas and other separators are guarded, and the same words told apart', () => {
  const tokens = ['＝1+1', '\n=1', ' =1', 'a;b', 'the', 'the', '\u202eabc'];
  const table = toCSV(engine.lesson({ tokens, row: 0 }));
  const keys = [`"'＝1+1"`, `"'\n=1"`, `"' =1"`, '"a;b"', 'the (5)', 'the (6)', '\u202eabc'];
  const [, ...lines] = table.split('\r\n').slice(0, -1);
  assert.deepEqual(
    lines.slice(0, tokens.length).map((line) => line.slice(keys[0].length + 1, line.lastIndexOf(',1,'))),
    keys,
  );
});

test('JSON holds the state and all that was computed', () => {
  const state = completeState({ dK: 3 });
  const result = engine.lesson(state);
  const read = JSON.parse(toJSON(state, result));
  assert.deepEqual(read.state, state);
  assert.deepEqual(read.result.weights, { data: [...result.weights.data], shape: [6, 6] });
  assert.equal(read.result.metrics.spread, result.metrics.spread);
});

test('what JSON has no word for comes back as the number that it was', () => {
  const state = completeState({ dK: 64, divisor: 'none', softmax: 'naive', mask: 'causal' });
  const result = engine.lesson(state);
  const read = JSON.parse(toJSON(state, result)).result;
  assert.ok(result.weights.data.some(Number.isNaN) && result.masked.data.includes(-Infinity));
  for (const stage of /** @type {const} */ (['weights', 'masked', 'output', 'Q'])) {
    const numbers = read[stage].data.map(Number);
    assert.ok(
      numbers.length === result[stage].data.length &&
        numbers.every((/** @type {number} */ number, /** @type {number} */ index) =>
          Object.is(number, result[stage].data[index]),
        ),
      stage,
    );
  }
  assert.deepEqual(read.metrics.peak.map(Number), result.metrics.peak);
  assert.ok(Object.is(Number(JSON.parse(toJSON(state, { ...result, divisor: -0 })).result.divisor), -0));
});
