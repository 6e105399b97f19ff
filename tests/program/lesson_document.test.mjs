// A lesson's state as JSON, `--state`: the program computes from it what the page computes, to the last bit, and says
// what is wrong with any other file. Covers core/program/lesson_document.cpp and chosen_state.cpp.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadEngine } from 'attention-widget/engine';
import { formatLesson, parseLesson } from '../../web/engine/lesson-document.js';
import { completeState } from '../../web/engine/lesson-state.js';

const program = fileURLToPath(new URL('../../build/sanitize/attention', import.meta.url));
const folder = mkdtempSync(`${tmpdir()}/attention-lesson-`);
const file = `${folder}/lesson.json`;
const engine = await loadEngine();

after(() => rmSync(folder, { recursive: true }));

/** @param {...string} options */
const attention = (...options) => spawnSync(program, options, { encoding: 'utf8', maxBuffer: 2 ** 26 });

/** Runs the program on a document. @param {string | Uint8Array} text @param {...string} options */
function lessonOf(text, ...options) {
  writeFileSync(file, text);
  return attention('lesson', '--state', file, ...options);
}

/** @param {string | Uint8Array} text @param {...string} options */
function reportOf(text, ...options) {
  const { status, stdout, stderr } = lessonOf(text, '--json', ...options);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/**
 * The program's nested arrays in one line of numbers; infinities, which JSON lacks, come as texts.
 *
 * @param {any} nested
 * @returns {number[]}
 */
const flat = (nested) =>
  nested
    .flat(Number.POSITIVE_INFINITY)
    .map((/** @type {any} */ each) => (typeof each === 'string' ? Number(each.replace('inf', 'Inf')) : each));

/** @param {ArrayLike<number>} actual @param {any} nested @param {string} name */
function assertSameBits(actual, nested, name) {
  const expected = flat(nested);
  assert.equal(actual.length, expected.length, name);
  const differs = expected.findIndex((each, index) => !Object.is(each, actual[index]));
  assert.equal(differs, -1, `${name}[${differs}]: ${actual[differs]}, natively ${expected[differs]}`);
}

const stages = /** @type {const} */ ([
  ...['X', 'Wq', 'Wk', 'Wv', 'Q', 'K', 'V', 'scores', 'scaled', 'masked', 'weights', 'output'],
]);

/** Numbers whose digits, signs and exponents a format likes to lose. */
const hardNumbers = [0.1, -0, 1 / 3, 5e-324, -2.2250738585072014e-308, 2 ** 53 - 1, 1e15, -1e-7];

const threeWords = {
  tokens: ['a', 'b', 'c'],
  X: [
    [0.5, -2],
    [1.25, 3],
    [-0.75, 0.125],
  ],
  Wq: [
    [1, -0.5, 0, 2],
    [0.25, 1, -1, 0.5],
  ],
  Wk: [
    [-1, 0.75, 2, 0],
    [0.5, 0, 1, -0.25],
  ],
  Wv: [[2], [-3]],
};

/** @type {Record<string, Record<string, unknown>>} */
const documents = {
  'no setting': {},
  'every kind of setting': {
    ...{ preset: 'sentence', tokens: ['Grüße', 'an', 'two words', '👋'], context: ['some', 'other'], dModel: 9, dK: 7 },
    ...{ dV: 5, divisor: 'dk', mask: 'window', window: 2, padding: 1, projections: 'separate', heads: 2, head: 1 },
    ...{ softmaxAxis: 'keys', softmax: 'stable', dropout: 0.3, blend: 'values', row: 3, seed: 4294967295 },
    ...{ X: null, edits: [{ matrix: 'Wv', row: 8, column: 4, value: 0.1, head: 1 }] },
  },
  'what the page alone looks at': {
    ...{ version: 1, step: 3, beside: 'divisor', panels: ['proofs', 'train'], theme: 'dark', locked: ['d-k'] },
    dK: 64,
  },
  'the four-token lesson, whose d_v follows': { preset: 'four-token', dV: null },
  'no second sentence': { context: null },
  'words as a text': { tokens: ' a\u00a0b \u3000c\td\n' },
  'given matrices against other widths': { ...threeWords, dModel: 9, dK: 8, dV: 7 },
  'given matrices as data and shape': {
    ...threeWords,
    Wq: { data: threeWords.Wq.flat(), shape: [2, 4] },
    X: { data: threeWords.X.flat(), shape: [3, 2] },
  },
  'embeddings without words': { X: [[1, 0.5, -1], ...threeWords.X.map((row) => [...row, 3])] },
  'embeddings of one word': { X: [[1, 2]] },
  'embeddings of as many words as the default': { X: Array.from({ length: 6 }, (_, row) => [row, 1 - row, 0.5]) },
  'one matrix of several heads': { Wk: threeWords.Wk, heads: 2, head: 1 },
  'a shared matrix beside one that has no part': { ...threeWords, projections: 'shared' },
  'embeddings alone': { ...threeWords, projections: 'identity', divisor: 'none' },
  'biases, as a row and by itself': {
    ...{ ...threeWords, bq: [0.5, -2, 1.25, -0], bv: [[7]], mask: 'causal' },
  },
  'biases of several heads, and edits of one that is not given': {
    ...{ heads: 2, head: 1, bq: [1, 2, 3, 4, 5, 6], dV: 2 },
    edits: [{ matrix: 'bv', row: 0, column: 1, value: -0.75, head: 1 }],
  },
  'Q, K and V at once': {
    ...{ Q: [hardNumbers.slice(4), [1, -2, 0.5, 4]], K: { data: [1, 2, 3, 4, 0.1, -0.2, 7, 1e-3], shape: [2, 4] } },
    ...{ V: [[0.5], [-3]], mask: 'causal', projections: 'shared' },
  },
  'one bias in every role': { projections: 'shared', bq: [[1, -0.5]], bk: [9, 9, 9], dModel: 3 },
  'numbers that lose bits': {
    X: [hardNumbers, hardNumbers.toReversed()],
    Wq: hardNumbers.map((each) => [each, 1 - each / 1e15]),
    edits: [
      { matrix: 'Wk', row: 1, column: 1, value: -0 },
      { matrix: 'X', row: 1, column: 0, value: 1e-300 },
    ],
  },
  'an edit that a later one overwrites': {
    mask: 'causal',
    edits: [1, 2].map((value) => ({ matrix: 'Wq', row: 0, column: 1, value })),
  },
};

for (const [title, document] of Object.entries(documents)) {
  test(`the program and WebAssembly compute the same bits from a document: ${title}`, () => {
    const text = formatLesson(/** @type {any} */ (document));
    const native = reportOf(text);
    const result = engine.lesson(completeState(parseLesson(text)));
    assert.deepEqual([native.tokens, native.keyTokens], [result.tokens, result.keyTokens]);
    for (const name of stages) {
      assertSameBits(result[name].data, native[name], name);
    }
    for (const name of /** @type {const} */ (['bq', 'bk', 'bv'])) {
      assert.equal(result[name] === undefined, native[name] === undefined, name);
      assertSameBits(result[name]?.data ?? [], native[name] ?? [], name);
    }
    for (const name of result.head ? stages : []) {
      assertSameBits(/** @type {any} */ (result.head)[name].data, native.head[name], `head.${name}`);
    }
    for (const name of /** @type {const} */ (['peak', 'entropy', 'jacobian', 'rowSum'])) {
      assertSameBits(result.metrics[name], native.metrics[name], name);
    }
    assertSameBits([result.metrics.spread], [native.metrics.spread], 'spread');
  });
}

test('a whole state, as the page writes it, is the state that its options are', () => {
  const state = completeState({ dK: 64, divisor: 'none', mask: 'causal' });
  const options = ['--d-k', '64', '--divisor', 'none', '--mask', 'causal'];
  assert.deepEqual(reportOf(formatLesson(state)), JSON.parse(attention('lesson', '--json', ...options).stdout));
});

test('training starts from the matrices of a document', () => {
  const text = formatLesson({ ...threeWords, bk: [[1, 2, -3, 0.5]], bv: [[4]], mask: 'causal' });
  writeFileSync(file, text);
  const { status, stdout, stderr } = attention('train', '--state', file, '--json', '--steps', '3', '--matrices', 'all');
  assert.equal(status, 0, stderr);
  const result = engine.train(completeState(parseLesson(text)), { steps: 3, matrices: 'all' });
  for (const name of /** @type {const} */ (['Wq', 'Wk', 'Wv', 'bk', 'bv'])) {
    assertSameBits(/** @type {any} */ (result.trained[name]).data, JSON.parse(stdout).trained[name], name);
  }
  assert.equal(result.trained.bq ?? JSON.parse(stdout).trained.bq, undefined);
});

test('options beside a document override it, and --help says so', () => {
  const text = formatLesson({ dK: 64, divisor: 'none', tokens: ['to', 'be'], row: 0, dV: 3 });
  const overridden = reportOf(text, '--divisor', 'dk', '--tokens', 'or not to', '--row', '2');
  const options = ['--d-k', '64', '--d-v', '3', '--divisor', 'dk', '--tokens', 'or not to', '--row', '2'];
  assert.deepEqual(overridden, JSON.parse(attention('lesson', '--json', ...options).stdout));
  for (const command of ['lesson', 'train']) {
    assert.match(
      attention(command, '--help').stdout,
      /--state FILE +a file of .* as JSON; options beside it override it/,
    );
  }
  assert.doesNotMatch(attention('law', '--help').stdout, /--state/);
});

test('claims are checked on a document', () => {
  const text = formatLesson({ dK: 64, divisor: 'none' });
  assert.equal(lessonOf(text, '--expect', 'peak[1] >= 0.99').status, 0);
  assert.equal(lessonOf(text, '--expect', 'peak[1] < 0.99').status, 1);
});

test('every other file is refused in one sentence that names the file, the place, what was found and what was expected', () => {
  const noFile = "must be a file that holds a lesson's state as JSON";
  const asked = 'the state asks for';
  /** @type {[text: string | Uint8Array, sentence: string | RegExp][]} */
  const refused = [
    ['', ` is empty, but ${noFile}`],
    [' \n\t', ` is empty, but ${noFile}`],
    ['{', ` is no JSON (line 1, column 2: unexpected end of input; expected string literal), but ${noFile}`],
    ['{"dK": 4,\n "row": }', ` is no JSON (line 2, column 9: unexpected '}'; expected `],
    ['{"dK": 4} x', ' is no JSON (line 1, column 11: '],
    ['{"dK": 04}', ' is no JSON (line 1, column 9: '],
    ["{'dK': 4}", ' is no JSON (line 1, column 2: '],
    ['{"X": [[1, NaN]]}', ' is no JSON (line 1, column '],
    ['{"X": [[Infinity]]}', ' is no JSON (line 1, column '],
    ['{"tokens": ["a\n"]}', ' is no JSON (line 2, column '],
    [Buffer.from('{"tokens": ["\xff"]}', 'latin1'), ' is no JSON (line 1, column '],
    ['{"tokens": ["\\ud800"]}', ' is no JSON (line 1, column '],
    [`{"tokens": ["${'a'.repeat(1e6)}`, ' is no JSON (line 1, column '],
    ['{"Q": [[1]]}', ': K is empty, but Q, K and V are given together'],
    ['{"Q": [[1, 2]], "K": [[1]], "V": [[1]]}', ': K has 1 columns, but must have as many as Q, 2'],
    ['{"Q": [[1]], "K": [[1]], "V": [[1]], "Wq": [[1]]}', ': Wq is given, but Q, K and V stand in its place'],
    ['[]', ' is an array, but must be an object of settings'],
    ['null', ' is null, but must be an object of settings'],
    ['"dK"', ' is "dK", but must be an object of settings'],
    ['{"version": 2, "colour": 1}', ': version is 2, but this program reads version 1'],
    ['{"version": "1"}', ': version is "1", but this program reads version 1'],
    ['{"version": null}', ': version is null, but this program reads version 1'],
    ['{"dQ": 4}', ' has a key "dQ", but no setting has that name'],
    ['{"d_k": 4}', ' has a key "d_k", but no setting has that name'],
    ['{"__proto__": {}}', ' has a key "__proto__", but no setting has that name'],
    ['{"": 4}', ' has a key "", but no setting has that name'],
    ['{"dK": 4, "dK": 4}', ': dK stands there twice, but a key may stand in an object once'],
    ['{"version": 1, "version": 2}', ': version stands there twice, but a key may stand in an object once'],
    ['{"edits": [{"row": 1, "row": 1}]}', ': edits[0].row stands there twice, but a key may stand in an object once'],
    ['{"dK": "64"}', ': dK is "64", but must be a whole number from 1 to 512'],
    ['{"dK": 4.5}', ': dK is 4.5, but must be a whole number from 1 to 512'],
    ['{"dK": 0}', ': dK is 0, but must be a whole number from 1 to 512'],
    ['{"dK": 513}', ': dK is 513, but must be a whole number from 1 to 512'],
    ['{"dK": null}', ': dK is null, but must be a whole number from 1 to 512'],
    ['{"dK": true}', ': dK is true, but must be a whole number from 1 to 512'],
    ['{"dV": [4]}', ': dV is an array, but must be a whole number from 1 to 512'],
    ['{"seed": 4294967296}', ': seed is 4294967296, but must be a whole number from 0 to 4294967295'],
    ['{"seed": 1e999}', ': seed is beyond float64, but must be a finite number'],
    ['{"row": -1}', ': row is -1, but must be a whole number from 0 to 2047'],
    ['{"row": 6}', ': row is 6, but must be a whole number from 0 to 5'],
    ['{"dropout": 1}', ': dropout is too large, but must be at least 0 and less than 1'],
    ['{"dropout": "0.5"}', ': dropout is "0.5", but must be a number'],
    ['{"mask": "rows"}', ': mask is "rows", but must be none, causal, window or late'],
    ['{"mask": 1}', ': mask is 1, but must be none, causal, window or late'],
    ['{"preset": null}', ': preset is null, but must be sentence or four-token'],
    ['{"tokens": []}', ': tokens is empty, but must hold at least one token'],
    ['{"tokens": " "}', ': tokens is empty, but must hold at least one token'],
    ['{"tokens": ["a", 1]}', ': tokens[1] is 1, but must be a string'],
    ['{"tokens": {"a": 1}}', ': tokens is an object, but must be words or an array of strings'],
    ['{"X": []}', ': X is empty, but must be rows of numbers'],
    ['{"X": [[]]}', ': X[0] is empty, but must be a row of numbers'],
    ['{"X": "1 2"}', ': X is "1 2", but must be rows of numbers, data and shape, or null'],
    ['{"X": [1, 2]}', ': X[0] is 1, but must be a row of numbers'],
    ['{"X": [[1, 2], [3]]}', ': X[1] has 1 number, but must have as many as row 0, 2'],
    ['{"X": [[1, 2], null]}', ': X[1] is null, but must be a row of numbers'],
    ['{"X": [[1, 2], [3, null]]}', ': X[1][1] is null, but must be a number'],
    ['{"X": [[1, 2], [3, "NaN"]]}', ': X[1][1] is "NaN", but must be a number'],
    ['{"X": [[1, 2], [3, [4]]]}', ': X[1][1] is an array, but must be a number'],
    ['{"X": [[1, 2], [1e999, 4]]}', ': X[1][0] is beyond float64, but must be a finite number'],
    ['{"X": [[1, 2], [-1e309, 4]]}', ': X[1][0] is beyond float64, but must be a finite number'],
    ['{"X": {"data": [1, 2]}}', ': X has no shape, but must have data and shape'],
    ['{"X": {"data": [1], "shape": [1, 1], "dtype": "f8"}}', ': X has a key "dtype", but nothing there has that name'],
    ['{"X": {"data": [1, 2, 3], "shape": [2, 2]}}', ': X.data holds 3 numbers, but the shape asks for 2 × 2'],
    ['{"X": {"data": [], "shape": [0, 0]}}', ': X.shape[0] is 0, but must be a whole number from 1 to 4294967295'],
    ['{"X": {"data": [1, 2, 3], "shape": [1.5, 2]}}', ': X.shape[0] is 1.5, but must be a whole number from 1 to '],
    ['{"X": {"data": [1], "shape": [1]}}', ': X.shape is an array, but must be two lengths'],
    ['{"X": {"data": "12", "shape": [1, 2]}}', ': X.data is "12", but must be an array of numbers'],
    ['{"X": [[1, 2]], "Wq": [[1], [2], [3]]}', `: Wq has shape (3, 1), but ${asked} (d_model, heads * d_k) = (2, 1)`],
    ['{"X": [[1, 2]], "tokens": "a b"}', `: X has shape (1, 2), but ${asked} (T, d_model) = (2, 2)`],
    ['{"edits": null}', ': edits is null, but must be an array of edits'],
    ['{"edits": [1]}', ': edits[0] is 1, but must be matrix, row, column and value'],
    [
      '{"edits": [{"matrix": "Wq", "row": 0, "column": 1}]}',
      ': edits[0] has no value, but must have matrix, row, column and value',
    ],
    [
      '{"edits": [{"matrix": "Wz", "row": 0, "column": 1, "value": 2}]}',
      /: edits\[0\]\.matrix is "Wz", but must be X, Wq, /,
    ],
    [
      '{"edits": [{"matrix": "Wq", "row": -1, "column": 1, "value": 2}]}',
      ': edits[0].row is -1, but must be a whole number ',
    ],
    [
      '{"edits": [{"matrix": "Wq", "row": 0, "column": 1, "value": null}]}',
      ': edits[0].value is null, but must be a number',
    ],
    [
      '{"edits": [{"matrix": "Wq", "row": 0, "column": 1, "value": 2, "heads": 0}]}',
      ': edits[0] has a key "heads", but nothing',
    ],
    [
      '{"edits": [{"matrix": "Wq", "row": 0, "column": 16, "value": 2}]}',
      ': edits change W_q at (0, 16), but W_q has shape (16, 16)',
    ],
    ['['.repeat(1e6), '[0][0][0][0][0][0][0][0] is nested 8 deep, but no setting nests so deep'],
    [
      `{"X": ${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
      ': X[0][0][0][0][0][0][0] is nested 8 deep, but no setting nests so deep',
    ],
    [
      `{"X": ${'{"X":'.repeat(1e5)}1${'}'.repeat(1e5)}}`,
      ': X.X.X.X.X.X.X.X is nested 8 deep, but no setting nests so deep',
    ],
  ];
  for (const [text, sentence] of refused) {
    const { status, stdout, stderr } = lessonOf(text);
    const quote = String(text).slice(0, 80);
    assert.deepEqual([status, stdout], [2, ''], `${quote} ${stderr}`);
    assert.match(stderr, /^attention: [^\n]+, but [^\n]+\n$/, quote);
    assert.ok(stderr.startsWith(`attention: ${file}`), stderr);
    assert.ok(stderr.length < 400, quote);
    const rest = stderr.slice(`attention: ${file}`.length);
    assert.ok(typeof sentence === 'string' ? rest.startsWith(sentence) : sentence.test(rest), `${quote}: ${stderr}`);
  }
});

test('a directory and a file that is not there are refused by name', () => {
  for (const [path, found] of [
    [folder, 'is a directory'],
    [`${folder}/nothing.json`, 'cannot be read (No such file or directory)'],
    ['', 'cannot be read (No such file or directory)'],
  ]) {
    const { status, stdout, stderr } = attention('lesson', '--state', path);
    assert.deepEqual([status, stdout], [2, '']);
    assert.equal(stderr, `attention: ${path} ${found}, but must be a file that holds a lesson's state as JSON\n`);
  }
});

test('an option that contradicts a document is named as an option', () => {
  const { status, stderr } = lessonOf(formatLesson(threeWords), '--row', '3');
  assert.equal(status, 2);
  assert.equal(stderr, 'attention: row is 3, but must be a whole number from 0 to 2\n');
});
