// The bench's own arithmetic: how times become ratios, the model that a peer runs, and what is told of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionModel } from './onnx-model.mjs';
import { plot, spreadLabels } from './plot.mjs';
import { byTurns, compareTurns, largestDifference, median, timeOf } from './ratios.mjs';
import { markdownTable, timeText, withMeasurements, wrapped } from './report.mjs';

test('the median is the middle number, or half way between two', () => {
  assert.equal(median([10, 9, 100]), 10);
  assert.equal(median([1, 2, 4, 100]), 3);
});

test('a ratio is the median over pairs, not the ratio of the medians', () => {
  // The second turn met a busy machine, which slowed both.
  assert.deepEqual(compareTurns([1, 10, 2], [3, 40, 4]), { ours: 2, peer: 4, ratio: 3 });
});

test('measurements take turns', async () => {
  const order = /** @type {string[]} */ ([]);
  const measurement = (/** @type {string} */ name) => async () => order.push(name);
  assert.deepEqual(await byTurns([measurement('a'), measurement('b')], 2), [
    [1, 3],
    [2, 4],
  ]);
  assert.deepEqual(order, ['a', 'b', 'a', 'b']);
});

test('a call that gives a promise is timed to its end', async () => {
  const call = () => new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok((await timeOf({ call, repeats: 2 })) >= 15);
});

test('an answer with NaN or a missing entry differs', () => {
  assert.equal(largestDifference(Float32Array.of(1, 2), Float32Array.of(1.5, 1)), 1);
  assert.ok(Number.isNaN(largestDifference(Float32Array.of(1, 2, 3), Float32Array.of(1, Number.NaN, 3))));
  assert.ok(Number.isNaN(largestDifference(Float32Array.of(1, 2), Float32Array.of(1))));
});

/**
 * The fields of a protocol buffer's message, as [number, value]: a number, or bytes.
 *
 * @param {Uint8Array} bytes
 */
function fieldsOf(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at++];
      value += (byte % 128) * place;
      if (byte < 128) {
        return value;
      }
    }
  };
  /** @type {[number, any][]} */
  const fields = [];
  while (at < bytes.length) {
    const key = varint();
    const value = varint();
    assert.ok(key % 8 === 0 || key % 8 === 2, 'a field is a number or has a length');
    fields.push([key >> 3, key % 8 === 0 ? value : bytes.subarray(at, at + value)]);
    at += key % 8 === 0 ? 0 : value;
  }
  assert.equal(at, bytes.length, 'the last field ends where the message does');
  return fields;
}

/** @param {Uint8Array} bytes @param {number[]} path  of field numbers; the first of each */
function fieldAt(bytes, ...path) {
  return path.reduce(
    (value, number) => fieldsOf(value).find(([each]) => each === number)?.[1],
    /** @type {any} */ (bytes),
  );
}

test('the model is one causal Attention of operator set 23 on tensors of the asked shape', () => {
  const model = attentionModel({ length: 300, width: 64, isCausal: true });
  const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
  assert.deepEqual([...model.subarray(0, 2)], [0x08, 11]);
  assert.deepEqual([...model.subarray(-6)], [0x42, 4, 0x0a, 0, 0x10, 23]);
  const graph = fieldAt(model, 7);
  const node = fieldAt(graph, 1);
  assert.equal(text(fieldAt(node, 4)), 'Attention');
  assert.deepEqual(
    fieldsOf(node).flatMap(([number, value]) => (number <= 2 ? [text(value)] : [])),
    ['query', 'key', 'value', 'output'],
  );
  assert.equal(text(fieldAt(node, 5, 1)), 'is_causal');
  assert.deepEqual([fieldAt(node, 5, 3), fieldAt(node, 5, 20)], [1, 2]);
  assert.deepEqual(
    fieldsOf(graph).map(([number]) => number),
    [1, 2, 11, 11, 11, 12],
  );
  const sizes = fieldsOf(fieldAt(graph, 12, 2, 1, 2)).map(([, size]) => fieldAt(size, 1));
  assert.deepEqual(sizes, [1, 1, 300, 64]);
  assert.equal(fieldAt(graph, 12, 2, 1, 1), 1, 'float32');
});

const cell = (/** @type {number} */ ratio) => ({ ours: 2, peer: 2 * ratio, ratio });
const series = [
  { name: 'A', isCausal: false, goals: [], cells: [cell(12.34), { ours: 3, failure: 'too long' }] },
  { name: 'A', isCausal: true, goals: [], cells: [cell(0.51), cell(2)] },
];

test('the table tells ratios and failures', () => {
  assert.equal(
    markdownTable([6, 64], series, [series[1]]),
    [
      '| T | ours, page | A | A, causal | ours, native | A, causal |',
      '| --: | --: | --: | --: | --: | --: |',
      '| 6 | 2.0 ms | 12 | 0.5 | 2.0 ms | 0.5 |',
      '| 64 | 3.0 ms | fails | 2.0 | 2.0 ms | 2.0 |',
    ].join('\n'),
  );
  assert.deepEqual([0.00123, 0.1234, 1.26, 234.5].map(timeText), ['1.2 µs', '123 µs', '1.3 ms', '235 ms']);
});

test('the measurements take the place of the ones before them', () => {
  const page = 'a\n<!-- measured -->\nold\n$1\n<!-- /measured -->\nb\n';
  assert.equal(withMeasurements(page, "$& new $'"), "a\n<!-- measured -->\n$& new $'\n<!-- /measured -->\nb\n");
  assert.throws(() => withMeasurements('no marks', 'new'), /no place/);
});

test('long text is told in lines', () => {
  const words = 'eleven keys '.repeat(30).trim();
  const lines = wrapped(words).split('\n');
  assert.ok(lines.length > 2 && lines.every((line) => line.length <= 120));
  assert.equal(lines.join(' '), words);
});

test('the plot draws what was measured, and no failure', () => {
  const picture = plot([6, 64], series);
  assert.equal(picture.match(/<circle/g)?.length, 3);
  assert.doesNotMatch(picture, /NaN|undefined/);
  assert.ok(picture.length < 15_000);
});

test('labels that name the same height make room for each other', () => {
  const heights = spreadLabels([100, 101, 340, 345]);
  assert.deepEqual(heights, [84, 101, 328, 345]);
});
