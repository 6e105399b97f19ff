// Covers web/engine/lesson-document.js. That the program reads the same is in tests/program/lesson_document.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLesson, parseLesson } from '../../../web/engine/lesson-document.js';
import { completeState, findProblem, settingNames } from '../../../web/engine/lesson-state.js';

/** Numbers whose digits, signs and exponents texts like to lose. */
const hardNumbers = [0.1, -0, 1 / 3, 5e-324, -1.7976931348623157e308, 1e21, 2 ** 53 - 1, -1e-7];

const whole = completeState({
  tokens: ['Grüße', 'two words', '"quoted": \\', '\u2028', '👋', ''],
  X: Array.from({ length: 6 }, (_, row) => hardNumbers.map((each) => each / (row + 1))),
  Wv: hardNumbers.map((each) => [each, -each]),
  edits: [
    { matrix: 'Wq', row: 0, column: 1, value: -0 },
    { matrix: 'X', row: 5, column: 7, value: 5e-324, head: 0 },
  ],
  panels: ['proofs', 'train'],
  locked: [],
  dropout: 0.1,
});

/** @param {string} text */
const sentenceOf = (text) => {
  try {
    parseLesson(text);
    return null;
  } catch (error) {
    assert.equal(/** @type {Error} */ (error).name, 'EngineError');
    return /** @type {Error} */ (error).message;
  }
};

test('a whole state comes back from its document with every bit', () => {
  const text = formatLesson(whole);
  // deepEqual tells -0 from 0.
  assert.deepEqual(parseLesson(text), whole);
  assert.deepEqual(completeState(parseLesson(text)), whole);
  assert.equal(formatLesson(parseLesson(text)), text);
  assert.deepEqual(Object.keys(JSON.parse(text)), ['version', ...settingNames]);
});

test('a document is JSON with its version first and a setting a line, and leaves out what is not said', () => {
  const text = formatLesson({ dK: 4, dV: null, mask: undefined, Wq: [[1, -0]], tokens: ['a', 'b"'] });
  const lines = [
    '{',
    '  "version": 1,',
    '  "dK": 4,',
    '  "dV": null,',
    '  "Wq": [[1,-0]],',
    '  "tokens": ["a","b\\""]',
    '}',
    '',
  ];
  assert.equal(text, lines.join('\n'));
  assert.equal(formatLesson({}), '{\n  "version": 1\n}\n');
});

test('a document may leave out its version, begin with a byte-order mark, and hold words as a text and a matrix flat', () => {
  const said = parseLesson(
    '\ufeff{"tokens": " a\\u00a0b\\n c ", "context": "", "Wq": {"data": [1, -0, 3, 4, 5, 6], "shape": [3, 2]}}',
  );
  assert.deepEqual(said, {
    tokens: ['a', 'b', 'c'],
    context: [],
    Wq: [
      [1, -0],
      [3, 4],
      [5, 6],
    ],
  });
  assert.deepEqual(parseLesson('{"version": 1.0, "theme": "dark", "X": null}'), { theme: 'dark', X: null });
});

test('a bias may be one row by itself', () => {
  const said = parseLesson('{"bq": [1, -0, 3], "bk": [[4]], "bv": {"data": [5, 6], "shape": [1, 2]}}');
  assert.deepEqual(said, { bq: [[1, -0, 3]], bk: [[4]], bv: [[5, 6]] });
  assert.deepEqual(
    parseLesson('{"bq": [], "Wq": [1]}'),
    { bq: [], Wq: [1] },
    'what else there is the state’s check reports',
  );
});

test('what is no document of this version is refused in one sentence', () => {
  const nothing = 'but nothing there has that name';
  for (const [text, sentence] of /** @type {[string, string][]} */ ([
    ['', 'state is no JSON ('],
    ['{"dK": 4,}', 'state is no JSON ('],
    ['{"X": [[NaN]]}', 'state is no JSON ('],
    [`{"X": ${'['.repeat(1e6)}`, 'state is no JSON ('],
    ['[{"dK": 4}]', 'state is an array, but must be an object'],
    ['null', 'state is null, but must be an object'],
    ['7', 'state is 7, but must be an object'],
    ['{"version": 2, "colour": 1}', 'state is of version 2, but only version 1 can be read'],
    ['{"version": "1"}', 'state is of version "1", but only version 1 can be read'],
    ['{"version": null}', 'state is of version null, but only version 1 can be read'],
    ['{"dQ": 4}', `state has a key "dQ", ${nothing}`],
    ['{"__proto__": {"dK": 4}}', `state has a key "__proto__", ${nothing}`],
    ['{"toString": 1}', `state has a key "toString", ${nothing}`],
    ['{"X": {"data": [1], "shape": [1, 1], "dtype": "f8"}}', `X has a key "dtype", ${nothing}`],
    [
      '{"edits": [{"matrix": "X", "row": 0, "column": 0, "value": 1}, {"heads": 1}]}',
      `edits has a key "heads", ${nothing}`,
    ],
    ['{"dK": 4, "mask": "late", "dK": 4}', 'state has a key "dK" twice, but a key may stand in an object once'],
    ['{"d\\u004b": 4, "dK": 4}', 'state has a key "dK" twice, but a key may stand in an object once'],
    [
      '{"edits": [{"row": 0, "column": 1, "row": 2}]}',
      'state has a key "row" twice, but a key may stand in an object once',
    ],
    ['{"__proto__": 1, "__proto__": 2}', 'state has a key "__proto__" twice, but a key may stand in an object once'],
  ])) {
    assert.equal(sentenceOf(text)?.slice(0, sentence.length), sentence, text.slice(0, 60));
  }
});

test('a text that looks like a key, and one key in many objects, is no key that stands twice', () => {
  const edit = '{"matrix": "X", "row": 0, "column": 0, "value": 1}';
  const text = `{"tokens": ["dK\\": ", "\\"dK\\":", "row", ":", "dK"], "dK" :4, "edits": [${edit}, ${edit}]}`;
  assert.equal(sentenceOf(text), null);
});

test('what a setting cannot be comes through, for the state’s own check to report', () => {
  const problemOf = (/** @type {string} */ text) => findProblem(completeState(parseLesson(text)));
  assert.deepEqual(problemOf('{"dK": "64"}'), {
    argument: 'dK',
    found: 'is "64"',
    expected: 'must be a whole number from 1 to 512',
  });
  assert.equal(problemOf('{"X": [[1, 2], [1e999, 2]]}')?.found, 'holds Infinity at (1, 0)');
  assert.equal(problemOf('{"X": {"data": [1, 2, 3], "shape": [2, 2]}}')?.found, 'is an object');
  assert.equal(problemOf('{"tokens": [1]}')?.found, 'holds 1');
});
