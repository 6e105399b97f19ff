// Matrices of one's own and edited entries: what they are written as, what they decide, what is refused, and that the
// core computes from them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attributeText,
  completeState,
  findProblem,
  parseAttribute,
  parseProperty,
  stateAttributes,
} from '../../../web/engine/lesson-state.js';
import { formatChanges, formatLink, parseChanges, parseLink } from '../../../web/engine/link.js';
import { decidedWidths, editFits, keptRows } from '../../../web/engine/own-matrices.js';
import { loadEngine } from '../support.mjs';

/** @typedef {import('../../../web/engine/lesson-state.js').LessonState} LessonState */

const engine = await loadEngine();

/** Numbers whose digits, signs and exponents texts like to lose. */
const hardNumbers = [0.1, -0, 1 / 3, 5e-324, -1.7976931348623157e308, 1e21, 2 ** 53 - 1, -1e-7];

/** @param {unknown} chosen */
const complete = (chosen) => completeState(/** @type {Partial<LessonState>} */ (chosen));

/** @param {unknown} chosen */
const sentenceOf = (chosen) => {
  const problem = findProblem(complete(chosen));
  return problem === null ? null : `${problem.argument} ${problem.found}, but ${problem.expected}`;
};

/** @param {import('../../../web/engine/lesson-engine.js').Tensor<Float64Array>} tensor */
const rowsOf = ({ data, shape: [rows, columns] }) =>
  Array.from({ length: rows }, (_, row) => Array.from(data.subarray(row * columns, (row + 1) * columns)));

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

test('a matrix is rows, {data, shape}, or their text, and is kept to the last bit', () => {
  const rows = [hardNumbers, hardNumbers.toReversed()];
  const flat = { data: new Float64Array(rows.flat()), shape: [2, 8] };
  for (const given of [rows, flat, attributeText('Wq', rows), JSON.stringify(rows).replaceAll(/(?<=,)0(?=,)/g, '-0')]) {
    const parsed = /** @type {any} */ (parseProperty('Wq', given));
    assert.deepEqual(parsed, rows);
    assert.ok(Object.is(parsed[0][1], -0));
  }
  assert.deepEqual(parseAttribute('X', ' 1, 2 ;\n3 -4e-2\n.5 6.'), [
    [1, 2],
    [3, -0.04],
    [0.5, 6],
  ]);
  assert.equal(parseAttribute('X', ' '), undefined);
  assert.equal(
    attributeText('X', [
      [1, -0.5],
      [2, 1e21],
    ]),
    '1 -0.5; 2 1e+21',
  );
});

test('data whose shape is of no whole numbers is no matrix', () => {
  const X = { data: [1, 2, 3], shape: [1.5, 2] };
  assert.equal(sentenceOf({ X }), 'X is an object, but must be rows of numbers');
});

test('edits are matrix, row, column, value and a head other than the first, in a text as in objects', () => {
  const edits = [
    { matrix: 'Wq', row: 0, column: 1, value: -0 },
    { matrix: 'X', row: 2, column: 0, value: 1 / 3 },
    { matrix: 'Wv', row: 1, column: 3, value: 1e-7, head: 2 },
  ];
  const text = 'Wq 0 1 -0 X 2 0 0.3333333333333333 Wv 1 3 1e-7 2';
  assert.equal(attributeText('edits', edits), text);
  for (const given of [text, edits, 'Wq 0 1 -0; X 2 0 0.3333333333333333,\nWv, 1, 3, 1e-7, 2']) {
    assert.deepEqual(parseProperty('edits', given), edits);
  }
  assert.deepEqual(parseAttribute('edits', JSON.stringify(edits.slice(1))), edits.slice(1));
  assert.deepEqual(parseAttribute('edits', ' '), []);
});

test('what was given can be changed by its owner without changing the state', () => {
  const X = [[1, 2]];
  const edits = [{ matrix: 'X', row: 0, column: 0, value: 3 }];
  const kept = [parseProperty('X', X), parseProperty('edits', edits)];
  X[0][1] = 9;
  edits[0].value = 9;
  assert.deepEqual(kept, [[[1, 2]], [{ matrix: 'X', row: 0, column: 0, value: 3 }]]);
  assert.equal(keptRows(kept[0]), kept[0], 'no second copy');
});

test('given matrices decide the widths, whatever else is said of them', () => {
  const state = complete({ ...threeWords, dModel: 9, dK: 8, dV: 7 });
  assert.deepEqual([state.dModel, state.dK, state.dV], [2, 4, 1]);
  assert.deepEqual(
    Array.from(decidedWidths(state), ([name, { matrix }]) => [name, matrix]),
    [
      ['dModel', 'X'],
      ['dK', 'Wq'],
      ['dV', 'Wv'],
    ],
  );
  const heads = complete({ Wk: threeWords.Wk, heads: 2, dK: 16 });
  assert.deepEqual([heads.dModel, heads.dK, heads.dV], [2, 2, null]);
  const identity = complete({ ...threeWords, projections: 'identity' });
  assert.deepEqual([identity.dModel, identity.dK, identity.dV], [2, 2, 2]);
  const shared = complete({ ...threeWords, projections: 'shared' });
  assert.deepEqual([shared.dK, shared.dV], [4, null], 'W_v has no part');
  assert.deepEqual(complete({ X: [[1], [2]] }).tokens, ['x1', 'x2'], 'words where there are none');
});

test('the core computes from given matrices and from edited entries alike', () => {
  const given = engine.lesson(complete(threeWords));
  assert.deepEqual(rowsOf(given.X), threeWords.X);
  assert.deepEqual(rowsOf(given.Wq), threeWords.Wq);
  assert.equal(given.metrics.expectedSpread, null);
  // Q of "b" is (1.25, 3) W_q, K of "c" is (-0.75, 0.125) W_k.
  const q = [1.25 + 0.75, -0.625 + 3, -3, 2.5 + 1.5];
  const k = [0.75 + 0.0625, -0.5625, -1.5 + 0.125, -0.03125];
  assert.ok(Math.abs(given.scores.data[1 * 3 + 2] - q.reduce((sum, each, c) => sum + each * k[c], 0)) < 1e-15);
  const Wq = threeWords.Wq.map((row) => [...row]);
  Wq[1][2] = 5;
  const edits = [{ matrix: 'Wq', row: 1, column: 2, value: 5 }];
  assert.deepEqual(engine.lesson(complete({ ...threeWords, edits })), engine.lesson(complete({ ...threeWords, Wq })));
  assert.notDeepEqual(engine.lesson(complete({ ...threeWords, Wq })).weights, given.weights);
});

test('an edit of one head leaves the others alone', () => {
  const state = { heads: 3, dK: 4, edits: [{ matrix: 'Wk', row: 2, column: 1, value: 7, head: 1 }] };
  const before = rowsOf(engine.lesson(complete({ ...state, edits: [] })).Wk);
  before[2][4 + 1] = 7;
  assert.deepEqual(rowsOf(engine.lesson(complete(state)).Wk), before);
});

test('a lesson in slices has the same own numbers as a lesson in one call', () => {
  const X = Array.from({ length: 150 }, (_, row) => [Math.sin(row), Math.cos(3 * row)]);
  const state = complete({
    X,
    Wq: threeWords.Wq,
    edits: [
      { matrix: 'X', row: 3, column: 1, value: 2 },
      { matrix: 'X', row: 140, column: 0, value: -3 },
      { matrix: 'Wv', row: 1, column: 2, value: 4 },
    ],
    mask: 'causal',
  });
  let last;
  for (const step of engine.lessonInSlices(state, 1000)) {
    last = step;
  }
  assert.deepEqual(last, engine.lesson(state));
  assert.equal(/** @type {any} */ (last).X.data[140 * 2], -3);
});

test('proofs, gradients, training and comparison start from own numbers', () => {
  const state = complete({ ...threeWords, mask: 'causal' });
  const proofs = Object.fromEntries(engine.proofs(state).map(({ law, outcome }) => [law, outcome]));
  assert.equal(proofs.pastIsUntouched, 'holds');
  assert.equal(proofs.spreadIsKept, 'notClaimed');
  assert.deepEqual(rowsOf(engine.train(state, { steps: 0 }).trained.Wk), threeWords.Wk);
  const edits = [{ matrix: 'Wv', row: 0, column: 0, value: -2 }];
  assert.equal(
    engine.compare(state, { ...state, edits: /** @type {any} */ (edits) }).largest,
    0,
    'W_v moves no weight',
  );
  assert.notEqual(
    engine.taskGradients(state).loss,
    engine.taskGradients({ ...state, edits: /** @type {any} */ (edits) }).loss,
  );
});

test('what is no matrix is refused by its name, the place, what was found and what is expected', () => {
  const said = {
    'Wq is "one", but must be rows of numbers': { Wq: 'one' },
    'Wq is 3, but must be rows of numbers': { Wq: 3 },
    'X is empty, but must be rows of numbers': { X: [] },
    'X holds an array, but must be rows of numbers': { X: [[]] },
    'X holds 1, but must be rows of numbers': { X: [1, 2] },
    'Wk has 1 numbers in row 1, but must have as many as in row 0, 2': { Wk: [[1, 2], [3]] },
    'Wk holds null in row 1, but must be rows of numbers': { Wk: [[1, 2], null] },
    'Wv holds NaN at (1, 0), but must hold finite numbers': {
      Wv: [
        [1, 2],
        [Number.NaN, 3],
      ],
    },
    'Wv holds Infinity at (0, 1), but must hold finite numbers': { Wv: [[1, Infinity]] },
    'Wv holds "2" at (0, 1), but must hold finite numbers': { Wv: [[1, '2']] },
    'Wv is an object, but must be rows of numbers': { Wv: { data: [1, 2, 3], shape: [2, 2] } },
    'edits is "Wq 0 1", but must be matrix, row, column and value of each, such as Wq 0 1 3.5': { edits: 'Wq 0 1' },
    'edits name "Wz", but must be of X, Wq, Wk, Wv, bq, bk, bv': {
      edits: [{ matrix: 'Wz', row: 0, column: 0, value: 1 }],
    },
    'edits place X at -1, but must count from 0': { edits: [{ matrix: 'X', row: -1, column: 0, value: 1 }] },
    'edits place X at undefined, but must count from 0': { edits: [{ matrix: 'X', row: 0, value: 1 }] },
    'edits change X at (0, 1) to NaN, but must be finite numbers': {
      edits: [{ matrix: 'X', row: 0, column: 1, value: Number.NaN }],
    },
  };
  for (const [sentence, chosen] of Object.entries(said)) {
    assert.equal(sentenceOf(chosen), sentence);
  }
  assert.equal(sentenceOf(threeWords), null);
});

test('shapes that contradict each other are refused by the matrix that does not fit', () => {
  const refusals = /** @type {[unknown, RegExp][]} */ ([
    [
      {
        ...threeWords,
        Wk: [
          [1, 2],
          [3, 4],
        ],
      },
      /^Wk has shape \(2, 2\), but the state asks for .* = \(2, 4\)$/,
    ],
    [{ ...threeWords, tokens: ['a', 'b'] }, /^X has shape \(3, 2\), but the state asks for \(T, d_model\) = \(2, 2\)$/],
    [{ Wq: [[1, 2, 3]], heads: 2 }, /^Wq has shape \(1, 3\), but the state asks for .* = \(1, 32\)$/],
    [
      {
        preset: 'four-token',
        Wq: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      /^dK is 3, but the preset four-token has 2$/,
    ],
    [
      { edits: [{ matrix: 'X', row: 6, column: 0, value: 1 }] },
      /^edits change X at \(6, 0\), but X has shape \(6, 16\)$/,
    ],
  ]);
  for (const [chosen, sentence] of refusals) {
    assert.throws(() => engine.lesson(complete(chosen)), { name: 'EngineError', message: sentence });
  }
});

test('an edit fits where its matrix has the entry, in as many heads as there are', () => {
  const state = complete({ heads: 2, dK: 4, dV: 3, dModel: 5 });
  const fits = (/** @type {unknown} */ edit) => editFits(/** @type {any} */ (edit), state);
  assert.ok(fits({ matrix: 'X', row: 5, column: 4, value: 0 }));
  assert.ok(!fits({ matrix: 'X', row: 6, column: 4, value: 0 }));
  assert.ok(!fits({ matrix: 'X', row: 0, column: 0, value: 0, head: 1 }));
  assert.ok(fits({ matrix: 'Wk', row: 4, column: 3, value: 0, head: 1 }));
  assert.ok(!fits({ matrix: 'Wk', row: 4, column: 4, value: 0 }));
  assert.ok(!fits({ matrix: 'Wv', row: 4, column: 3, value: 0 }));
  assert.ok(!fits({ matrix: 'Wv', row: 4, column: 2, value: 0, head: 2 }));
});

test('links and blocks carry own matrices and edits to the last bit, and no width that they decide', () => {
  const X = [hardNumbers.slice(0, 3), hardNumbers.slice(3, 6)];
  const state = complete({
    X,
    tokens: ['a', 'b'],
    edits: hardNumbers.map((value, row) => ({ matrix: 'Wq', row: row % 3, column: row, value })),
  });
  assert.deepEqual(
    stateAttributes(state).map(([name]) => name),
    ['tokens', 'x', 'edits'],
  );
  for (const read of [parseLink(formatLink(state)), parseChanges(formatChanges(state, {}))]) {
    const again = completeState(/** @type {Partial<LessonState>} */ (read));
    assert.deepEqual(again, state);
    assert.ok(Object.is(again.X?.[0][1], -0));
  }
  assert.ok(formatLink(complete({ edits: state.edits.slice(0, 1) })).length < 60);
});
