// Runs the programs that the widget offers to copy, and compares what they print with the engine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import { snippet } from '../../../web/panels/snippets.js';
import { english as messages } from '../../english-texts.mjs';
import { assertRowsClose, loadEngine, rowsOf } from '../support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} Settings */

const engine = await loadEngine();

/** Tokens that would end a comment, a text or a line, or turn the text around, where they were copied as they are. */
const odd = [
  '"',
  "'",
  '\\',
  'a\\\nb',
  '*/',
  '/*',
  '// #',
  '???/',
  '🙂',
  '\u202eabc',
  '\u2028',
  '\0',
  '',
  '"""',
  '\ud83d',
];

/** @type {Record<string, Settings>} every mode at least once, in shapes of which no two sides are alike */
const states = {
  default: {},
  'the four tokens by hand': { preset: 'four-token' },
  'a causal mask, with d_v of its own': { mask: 'causal', dModel: 7, dK: 5, dV: 3, tokens: ['a', 'b', 'c', 'd'] },
  'a late mask and no division': { mask: 'late', divisor: 'none', dModel: 4, dK: 3, dV: 2 },
  'one matrix, divided by d_k': { projections: 'shared', divisor: 'dk', dModel: 5, dK: 8 },
  'biases of every role': {
    ...{ bq: [[0.5, -2, 1.25]], bk: [[-1, 0.25, 3]], bv: [[7, -0.125]], dModel: 4, dK: 3, mask: 'causal' },
  },
  'a bias of several heads': {
    heads: 2,
    edits: [{ matrix: 'bv', row: 0, column: 1, value: -3, head: 1 }],
    dK: 3,
    dV: 2,
  },
  'one bias beside one matrix': { projections: 'shared', bq: [[1, -0.5]], bv: [[9, 9, 9]], dModel: 3 },
  'no matrix at all': { projections: 'identity', dModel: 9, dK: 9, dV: 9, mask: 'causal' },
  'a softmax down the columns': { softmaxAxis: 'queries', dModel: 3, dK: 4, dV: 5 },
  'a softmax down masked columns': { softmaxAxis: 'queries', mask: 'causal', dK: 6, dV: 2 },
  'no maximum subtracted, within range': { softmax: 'naive', dK: 4, dV: 3 },
  'no maximum subtracted, out of range': { softmax: 'naive', divisor: 'none', dK: 64, mask: 'causal' },
  'out of range, down the columns, late': {
    softmax: 'naive',
    divisor: 'none',
    dK: 64,
    softmaxAxis: 'queries',
    mask: 'late',
  },
  'embeddings blended': { blend: 'embeddings', dModel: 10, dK: 4, dV: 3, mask: 'late' },
  'dropout after a causal mask': { dropout: 0.4, mask: 'causal', dModel: 5, dK: 4, dV: 3 },
  'dropout down the columns': { dropout: 0.5, softmaxAxis: 'queries', dModel: 5, dK: 4, dV: 3 },
  'three heads side by side, causal': { heads: 3, head: 1, mask: 'causal', dModel: 5, dK: 3, dV: 2 },
  'two heads of embeddings, dropped, down the columns': {
    heads: 2,
    blend: 'embeddings',
    dropout: 0.4,
    softmaxAxis: 'queries',
    dModel: 4,
    dK: 3,
    dV: 2,
  },
  'heads of one shared matrix': { heads: 2, projections: 'shared', dModel: 5, dK: 3, tokens: ['a', 'b', 'c'] },
  'a sliding window': { mask: 'window', window: 2, dModel: 5, dK: 4, dV: 3 },
  'two heads of a window, down the columns': {
    ...{ heads: 2, mask: 'window', softmaxAxis: 'queries', dModel: 5, dK: 4, dV: 3 },
  },
  'padding, causal': { padding: 2, mask: 'causal', dModel: 5, dK: 4, dV: 3 },
  'padding without a divisor, and a late mask': { padding: 1, mask: 'late', divisor: 'none', dModel: 5, dK: 4, dV: 3 },
  'padding down the columns, naive, dropped': {
    ...{ padding: 2, softmaxAxis: 'queries', softmax: 'naive', dropout: 0.3, dModel: 5, dK: 4, dV: 3 },
  },
  'a window that holds padding alone, two heads': {
    ...{ padding: 3, mask: 'window', window: 2, heads: 2, dModel: 5, dK: 4, dV: 3 },
  },
  'a second sentence': { context: ['one', 'two', 'three', 'four'], dModel: 5, dK: 4, dV: 3, tokens: ['a', 'b'] },
  'fewer keys than queries, causal, blended embeddings, two heads': {
    ...{ context: ['one', 'two'], mask: 'causal', blend: 'embeddings', heads: 2, dModel: 5, dK: 4, dV: 3 },
  },
  'more keys than queries, causal, down the columns, dropped': {
    ...{ tokens: ['a', 'b'], context: ['one', 'two', 'three'], mask: 'causal', softmaxAxis: 'queries', dropout: 0.3 },
  },
  'a window past the keys, one matrix': {
    context: ['one', 'two', 'three'],
    mask: 'window',
    window: 2,
    projections: 'shared',
  },
  'no matrix, late, a padded second sentence': {
    ...{ context: ['one', 'two', 'three'], projections: 'identity', mask: 'late', padding: 1, dModel: 5, dK: 5 },
  },
  'odd tokens': { tokens: odd, dModel: 3, dK: 2, dV: 1 },
  'one token of one dimension': { tokens: ['alone'], dModel: 1, dK: 1, dV: 1, mask: 'causal' },
};

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'snippets-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** @param {import('../../../web/panels/snippets.js').Language} language @param {Settings} settings */
function write(language, settings) {
  const state = completeState(settings);
  const result = engine.lesson(state);
  return { program: snippet(language, state, result, messages), result };
}

/** @param {string} name @param {string} text */
function save(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** @param {string} command @param {string[]} options */
function run(command, options) {
  const { status, stdout, stderr, error } = spawnSync(command, options, { encoding: 'utf8' });
  assert.equal(error, undefined);
  return { status, stdout, stderr };
}

/** @param {string} program */
const runNumPy = (program) => run('/usr/bin/python3', [save('program.py', program)]);

/** @param {string} program */
function runCpp(program) {
  const binary = join(folder, 'program');
  const options = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-o', binary, save('program.cpp', program)];
  assert.deepEqual(run('g++', options), { status: 0, stdout: '', stderr: '' }, 'it compiles without a warning');
  return run(binary, []);
}

/** @param {string} output  rows of numbers, between whatever a language puts between them */
function numbersIn(output) {
  return output
    .trimEnd()
    .split('\n')
    .map((line) =>
      (line.match(/-?(nan|inf|[\d.]+(e[-+]?\d+)?)/g) ?? []).map((text) => Number(text.replace(/-?nan/, 'NaN'))),
    );
}

/** @param {{status: number | null, stdout: string, stderr: string}} ran @param {import('../../../web/engine/lesson-engine.js').LessonResult} result */
function assertAgrees({ status, stdout, stderr }, { weights }) {
  assert.equal(status, 0, stderr);
  // What is not a number agrees with what is not a number.
  const comparable = (/** @type {number[][]} */ rows) =>
    rows.map((row) => row.map((value) => (Number.isNaN(value) ? -1 : value)));
  // The heads are printed one below the other.
  const n = weights.shape[weights.shape.length - 1];
  const table = { data: weights.data, shape: [weights.data.length / n, n] };
  assertRowsClose(comparable(numbersIn(stdout)), comparable(rowsOf(table)), 1e-12, 'printed weights');
}

for (const [name, settings] of Object.entries(states)) {
  test(`the NumPy program runs and prints the engine's weights: ${name}`, () => {
    const { program, result } = write('numpy', settings);
    assertAgrees(runNumPy(program), result);
  });

  test(`the C++ program compiles without a warning, runs and prints the engine's weights: ${name}`, () => {
    const { program, result } = write('cpp', settings);
    assertAgrees(runCpp(program), result);
  });
}

test('every PyTorch program is Python', () => {
  const files = Object.values(states).map((settings, index) =>
    save(`torch${index}.py`, write('torch', settings).program),
  );
  assert.deepEqual(run('/usr/bin/python3', ['-m', 'py_compile', ...files]), { status: 0, stdout: '', stderr: '' });
});

test('a program carries its numbers to the last bit', () => {
  const { program, result } = write('numpy', { dK: 3 });
  for (const [name, { data, shape }] of Object.entries({
    X: result.X,
    W_q: result.Wq,
    W_k: result.Wk,
    W_v: result.Wv,
  })) {
    const [, text] = new RegExp(`^${name} = np\\.array\\(\\[\\n([^]*?)^\\]\\)$`, 'm').exec(program) ?? [];
    assert.ok(text, name);
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('    ['))
      .map((line) => JSON.parse(line.slice(0, -1)));
    assert.equal(rows.length, shape[0]);
    assert.deepEqual(rows.flat(), Array.from(data), name);
  }
});

/** @type {[string, Settings, RegExp, any][]} */
const tampered = [
  ['a padded key was seen', { padding: 2 }, /padding = 2/, 'padding = 1'],
  ['the window was one key wider', { mask: 'window', window: 2 }, /window = 2/, 'window = 3'],
  ['the engine had other weights', {}, /(expected_A[^\d]*?[[{]+)0\.\d+/, '$10.5'],
  ['the engine had another output', {}, /(expected_Z[^\d]*?)(\d)/, '$19$2'],
  [
    'the softmax ran elsewhere',
    { tokens: ['a', 'b', 'c'] },
    /\(1, keepdims|\/= row\.sum/,
    (/** @type {string} */ found) => found.replace('(1', '(0').replace('row.', 'A[0].'),
  ],
  [
    'the future was seen',
    { mask: 'causal' },
    /np\.where\(\(j > i\)|if \(\(j > i\)/,
    (/** @type {string} */ found) => found.replace('j > i', 'j > i + 1'),
  ],
];

for (const [name, settings, place, replacement] of tampered) {
  test(`the assertions of a program fail where ${name}`, () => {
    for (const language of /** @type {const} */ (['numpy', 'cpp'])) {
      const { program } = write(language, settings);
      const broken = program.replace(place, replacement);
      assert.notEqual(broken, program, language);
      const { status, stderr } = language === 'cpp' ? runCpp(broken) : runNumPy(broken);
      assert.notEqual(status, 0, language);
      assert.match(stderr, /[Aa]ssert/, language);
    }
  });
}

/** What is asserted beside the engine's numbers. @param {string} program */
const laws = (program) => ({
  sums: /check\(A\.sum|row\.sum\(\) - 1/.test(program),
  future: /hidden = \(j > i\)|assert\(!\(\(j > i\)/.test(program),
  fused: /scaled_dot_product_attention/.test(program),
});

for (const language of /** @type {const} */ (['numpy', 'torch', 'cpp'])) {
  test(`a program asserts the laws that its state keeps and no other, and says what breaks: ${language}`, () => {
    const isTorch = language === 'torch';
    /** @type {[Settings, {sums: boolean, future: boolean, fused: boolean}, RegExp | null][]} */
    const expected = [
      [{}, { sums: true, future: false, fused: isTorch }, null],
      [{ mask: 'causal' }, { sums: true, future: true, fused: isTorch }, null],
      [{ mask: 'window' }, { sums: true, future: true, fused: isTorch }, null],
      [{ context: ['a', 'b'] }, { sums: true, future: false, fused: isTorch }, null],
      [{ padding: 2 }, { sums: true, future: false, fused: isTorch }, null],
      [{ padding: 3, mask: 'window' }, { sums: false, future: true, fused: false }, null],
      [
        { mask: 'late' },
        { sums: false, future: true, fused: false },
        /Mask after the softmax\. Law: The last token changes no earlier output/,
      ],
      [
        { softmaxAxis: 'queries' },
        { sums: true, future: false, fused: false },
        /Softmax down the columns\. Law: Every row sums to 1/,
      ],
      [{ softmax: 'naive' }, { sums: true, future: false, fused: false }, /Softmax without the row maximum/],
      [
        { softmax: 'naive', divisor: 'none', dK: 64 },
        { sums: false, future: false, fused: false },
        /Every weight is a number/,
      ],
      [{ divisor: 'none' }, { sums: true, future: false, fused: false }, /No divisor/],
      [{ divisor: 'dk' }, { sums: true, future: false, fused: false }, /÷ d_k instead of ÷ √d_k/],
      [
        { blend: 'embeddings' },
        { sums: true, future: false, fused: false },
        /Blend X instead of V\. Law: The output is A·V/,
      ],
      [
        { dropout: 0.3 },
        { sums: false, future: false, fused: false },
        /Dropout after the softmax\. Law: Every row sums to 1/,
      ],
      [{ projections: 'shared' }, { sums: true, future: false, fused: isTorch }, /One matrix for Q, K and V/],
      [{ projections: 'identity' }, { sums: true, future: false, fused: isTorch }, /Law: There is something to learn/],
    ];
    for (const [settings, kept, mistake] of expected) {
      const { program } = write(language, settings);
      assert.deepEqual(laws(program), kept, JSON.stringify(settings));
      const [first] = program.split('\n');
      if (mistake === null) {
        assert.match(first, /import|#undef/);
      } else {
        assert.match(program.split(/import|#undef/)[0], mistake);
      }
    }
  });
}

test('a token is readable in the program, unless it would break it', () => {
  for (const language of /** @type {const} */ (['numpy', 'torch', 'cpp'])) {
    const { program } = write(language, { tokens: odd, dModel: 2, dK: 2 });
    const comments = Array.from(program.matchAll(/^ {4}(?:\/\/|#) (.*)$/gm), ([, label]) => label);
    assert.equal(comments.length, odd.length);
    assert.equal(comments[8], '"🙂"');
    assert.equal(comments[3], '"a\\\\\\nb"');
    assert.equal(comments[9], '"\\u{202e}abc"');
    assert.doesNotMatch(program, /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Cs}]/u);
    assert.ok(
      comments.every((label) => label.startsWith('"') && label.endsWith('"')),
      'no line is carried on',
    );
  }
});
