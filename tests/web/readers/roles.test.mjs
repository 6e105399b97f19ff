// Covers readers/roles.js and role-names.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInText, findTensors } from '../../../web/readers/formats.js';
import { readName } from '../../../web/readers/role-names.js';
import { matrixOf, roles, suggestRoles } from '../../../web/readers/roles.js';
import { heldTensor } from '../../../web/readers/tensors.js';
import { assertRejects, floats, safetensorsFile, sourceOf } from './support.mjs';

/** @typedef {import('../../../web/readers/roles.js').Widths} Widths */

/** @type {Widths} */
const anything = { tokens: null, dModel: null, queries: null, values: null };

/** A tensor whose entries count from 0. @param {string} name @param {...number} shape */
const counting = (name, ...shape) => {
  const count = shape.reduce((product, length) => product * length, 1);
  return heldTensor('file', name, { data: Float64Array.from({ length: count }, (_, at) => at), shape });
};

/** @param {import('../../../web/readers/roles.js').Suggestion} suggestion */
const listed = ({ assignments }) =>
  assignments.map(({ role, tensor, by, orientation, fits, third }) => ({
    role,
    tensor,
    by,
    orientation,
    fits: fits.length,
    third,
  }));

/** @param {import('../../../web/readers/tensors.js').FoundTensor[]} tensors @param {import('../../../web/readers/roles.js').Assignment} assignment */
async function rowsOf(tensors, assignment) {
  const { data, shape } = await matrixOf(tensors[assignment.tensor], assignment);
  assert.deepEqual(shape, assignment.shape);
  const width = shape[shape.length - 1];
  return Array.from({ length: data.length / width }, (_, row) => [...data.subarray(row * width, (row + 1) * width)]);
}

test('names of real checkpoints say what a tensor is', () => {
  const expected = {
    'wte.weight': 'X',
    'transformer.wte.weight': 'X',
    'embeddings.word_embeddings.weight': 'X',
    'bert.embeddings.word_embeddings.weight': 'X',
    'model.embed_tokens.weight': 'X',
    'tok_embeddings.weight': 'X',
    'token_embedding_table.weight': 'X',
    X: 'X',
    embeddings: 'X',
    inputs: 'X',
    'h.0.attn.c_attn.weight': 'all weight in-out',
    'h.0.attn.c_attn.bias': 'all bias in-out',
    'self_attn.in_proj_weight': 'all weight out-in',
    in_proj_bias: 'all bias out-in',
    'blocks.3.attn.qkv.weight': 'all weight out-in',
    'Wqkv.weight': 'all weight out-in',
    'attn.to_qkv.weight': 'all weight out-in',
    'layers.1.attention.query_key_value.weight': 'interleaved weight out-in',
    'model.layers.0.self_attn.q_proj.weight': 'q weight out-in',
    'model.layers.0.self_attn.k_proj.bias': 'k bias out-in',
    'attention.self.value.weight': 'v weight out-in',
    'attention.self.query.bias': 'q bias out-in',
    'encoder/layer_0/attention/self/key/kernel': 'k weight in-out',
    'attention.q_lin.weight': 'q weight out-in',
    'attn.to_v.weight': 'v weight out-in',
    'layers.0.attention.wk.weight': 'k weight out-in',
    'linear_q.weight': 'q weight out-in',
    'q.weight': 'q weight out-in',
    Wq: 'q weight in-out',
    W_k: 'k weight in-out',
    wv: 'v weight in-out',
    W_query: 'q weight in-out',
    W_Q: 'q weight in-out',
    bq: 'q bias in-out',
    b_v: 'v bias in-out',
    'W_key.weight': 'k weight out-in',
    q_proj: 'q weight out-in',
    q_bias: 'q bias out-in',
    Q: 'q projected in-out',
    keys: 'k projected in-out',
    value: 'v projected in-out',
  };
  for (const [name, meaning] of Object.entries(expected)) {
    const reading = readName(name);
    const found =
      reading === null ? null : reading.kind === 'X' ? 'X' : `${reading.part} ${reading.kind} ${reading.orientation}`;
    assert.equal(found, meaning, name);
  }
  for (const name of [
    'wpe.weight',
    'embeddings.position_embeddings.weight',
    'embeddings.LayerNorm.weight',
    'h.0.attn.c_proj.weight',
    'self_attn.o_proj.weight',
    'self_attn.out_proj.weight',
    'h.0.ln_1.weight',
    'lm_head.weight',
    'attn.q_norm.weight',
    'k_cache',
    'rest',
    '',
    'attn.bias',
    'keyboard',
    'vw',
    'query_count',
  ]) {
    assert.equal(readName(name), null, name);
  }
});

test('a matrix fits as [in, out], as [out, in] or both ways, and d_model decides where it can', async () => {
  // x = (1, 2) times [[1, 2], [3, 4]] is (7, 10); times its transpose (5, 11).
  const square = findInText('{"X": [[1, 2]], "Wq": [[1, 2], [3, 4]]}', 'the text').tensors;
  const [, weights] = suggestRoles(square, anything).assignments;
  assert.deepEqual(weights.fits, ['in-out', 'out-in']);
  const product = (/** @type {number[][]} */ W) => [1, 2].map((_, column) => 1 * W[0][column] + 2 * W[1][column]);
  assert.deepEqual(product(await rowsOf(square, weights)), [7, 10]);
  assert.deepEqual(product(await rowsOf(square, { ...weights, orientation: 'out-in' })), [5, 11]);

  // The name says [in, out]; the shape leaves one way.
  const tall = [counting('X', 4, 2), counting('Wq', 3, 2)];
  const [, fitting] = suggestRoles(tall, anything).assignments;
  assert.deepEqual([fitting.orientation, fitting.fits, fitting.shape], ['out-in', ['out-in'], [2, 3]]);
  assert.deepEqual(await rowsOf(tall, fitting), [
    [0, 2, 4],
    [1, 3, 5],
  ]);

  const linear = suggestRoles([counting('q_proj.weight', 3, 3)], anything).assignments[0];
  assert.deepEqual([linear.orientation, linear.fits.length], ['out-in', 2]);
  const wrong = suggestRoles([counting('q_proj.weight', 3, 4)], { ...anything, dModel: 7 }).assignments[0];
  assert.deepEqual([wrong.orientation, wrong.fits, wrong.shape], ['out-in', [], [4, 3]]);
});

test("GPT-2's fused layer is parted by columns, its bias and its table of embeddings by rows", async () => {
  const header = {
    'h.0.attn.c_attn.bias': { dtype: 'F32', shape: [6], data_offsets: [0, 24] },
    'h.0.attn.c_attn.weight': { dtype: 'F32', shape: [2, 6], data_offsets: [24, 72] },
    'wte.weight': { dtype: 'F32', shape: [5, 2], data_offsets: [72, 112] },
    'h.0.attn.bias': { dtype: 'F32', shape: [1, 1, 2, 2], data_offsets: [112, 128] },
  };
  const { tensors } = await findTensors(
    sourceOf('model.safetensors', safetensorsFile(header, floats(...Array.from({ length: 32 }, (_, at) => at)))),
  );
  const suggestion = suggestRoles(tensors, { ...anything, tokens: 3 });
  assert.deepEqual(
    suggestion.assignments.map(({ role }) => role),
    ['X', 'Wq', 'Wk', 'Wv', 'bq', 'bk', 'bv'],
  );
  const [X, ...rest] = suggestion.assignments;
  assert.deepEqual(X.rows, [0, 1, 2]);
  assert.deepEqual(await rowsOf(tensors, { ...X, rows: [4, 0, 4], shape: [3, 2] }), [
    [26, 27],
    [18, 19],
    [26, 27],
  ]);
  assert.deepEqual(await Promise.all(rest.map((assignment) => rowsOf(tensors, assignment))), [
    [
      [6, 7],
      [12, 13],
    ],
    [
      [8, 9],
      [14, 15],
    ],
    [
      [10, 11],
      [16, 17],
    ],
    [[0, 1]],
    [[2, 3]],
    [[4, 5]],
  ]);
  assert.deepEqual(
    rest.slice(0, 3).map(({ orientation, fits, third }) => [orientation, fits, third]),
    [0, 1, 2].map((third) => ['in-out', ['in-out'], third]),
  );
  assert.deepEqual(suggestion.unused, [{ tensor: 3, reason: 'none' }]);
});

test("PyTorch's fused layer is parted by rows, which are read alone", async () => {
  const file = safetensorsFile(
    {
      in_proj_weight: { dtype: 'F32', shape: [9, 2], data_offsets: [0, 72] },
      in_proj_bias: { dtype: 'F32', shape: [9], data_offsets: [72, 108] },
    },
    floats(...Array.from({ length: 27 }, (_, at) => at)),
  );
  const source = sourceOf('layer.safetensors', file);
  const { tensors } = await findTensors(source);
  const { assignments } = suggestRoles(tensors, anything);
  assert.deepEqual(
    assignments.map(({ role }) => role),
    ['Wq', 'Wk', 'Wv', 'bq', 'bk', 'bv'],
  );
  const before = source.bytesRead;
  assert.deepEqual(await rowsOf(tensors, assignments[1]), [
    [6, 8, 10],
    [7, 9, 11],
  ]);
  assert.equal(source.bytesRead - before, 24);
  assert.deepEqual(await rowsOf(tensors, assignments[5]), [[24, 25, 26]]);
});

test('a fused matrix whose shape leaves one way is taken that way, and one in no thirds is not taken', async () => {
  const turned = [counting('qkv.weight', 2, 6)];
  const [, Wk] = suggestRoles(turned, anything).assignments;
  assert.deepEqual([Wk.orientation, Wk.fits, Wk.shape], ['in-out', ['in-out'], [2, 2]]);
  assert.deepEqual(await rowsOf(turned, Wk), [
    [2, 3],
    [8, 9],
  ]);
  const square = suggestRoles([counting('qkv.weight', 6, 6)], { ...anything, dModel: 6 }).assignments[0];
  assert.deepEqual([square.orientation, square.fits, square.shape], ['out-in', ['in-out', 'out-in'], [6, 2]]);
  assert.deepEqual(suggestRoles([counting('qkv.weight', 4, 5)], anything).unused, [{ tensor: 0, reason: 'thirds' }]);
  assert.deepEqual(suggestRoles([counting('c_attn.bias', 5)], anything).unused, [{ tensor: 0, reason: 'thirds' }]);
  assert.deepEqual(suggestRoles([counting('query_key_value.weight', 6, 2)], anything).unused, [
    { tensor: 0, reason: 'interleaved' },
  ]);
});

test('of several layers one is taken, and another can be asked for', () => {
  const tensors = ['h.10.', 'h.2.', 'h.2.', 'wte'].map((prefix, at) =>
    counting(prefix === 'wte' ? prefix : `${prefix}attn.${at === 1 ? 'k' : 'q'}_proj.weight`, 3, 2),
  );
  const first = suggestRoles(tensors, anything);
  assert.deepEqual([first.layers, first.layer], [['h.2.attn.', 'h.10.attn.'], 'h.2.attn.']);
  assert.deepEqual(
    listed(first).map(({ role, tensor }) => [role, tensor]),
    [
      ['X', 3],
      ['Wq', 2],
      ['Wk', 1],
    ],
  );
  assert.deepEqual(first.unused, [{ tensor: 0, reason: 'layer' }]);
  const other = suggestRoles(tensors, anything, { layer: 'h.10.attn.' });
  assert.deepEqual(
    listed(other).map(({ role, tensor }) => [role, tensor]),
    [
      ['X', 3],
      ['Wq', 0],
    ],
  );
  assert.equal(suggestRoles(tensors, anything, { layer: 'gone' }).layer, 'h.2.attn.');
});

test('where names say nothing shapes do, and each tensor gets a role of its own', () => {
  const widths = { tokens: 6, dModel: 4, queries: 3, values: 2 };
  const tensors = [
    counting('a', 4, 2),
    counting('b', 6, 4),
    counting('c', 4, 3),
    counting('d', 3, 4),
    counting('e', 3),
    counting('f', 5, 7),
    counting('g', 2),
  ];
  assert.deepEqual(listed(suggestRoles(tensors, widths)), [
    { role: 'X', tensor: 1, by: 'shape', orientation: 'in-out', fits: 0, third: null },
    { role: 'Wq', tensor: 2, by: 'shape', orientation: 'in-out', fits: 1, third: null },
    { role: 'Wk', tensor: 3, by: 'shape', orientation: 'out-in', fits: 1, third: null },
    { role: 'Wv', tensor: 0, by: 'shape', orientation: 'in-out', fits: 1, third: null },
    { role: 'bq', tensor: 4, by: 'shape', orientation: 'in-out', fits: 0, third: null },
    { role: 'bv', tensor: 6, by: 'shape', orientation: 'in-out', fits: 0, third: null },
  ]);
  assert.deepEqual(suggestRoles(tensors, widths).unused, [{ tensor: 5, reason: 'none' }]);
  assert.deepEqual(suggestRoles([counting('c', 4, 3)], widths).assignments[0].could, ['Wq', 'Wk']);
  const projected = suggestRoles([counting('Q', 6, 3), counting('K', 6, 3), counting('V', 6, 2)], widths);
  assert.deepEqual(
    listed(projected).map(({ role, by }) => [role, by]),
    [
      ['Q', 'name'],
      ['K', 'name'],
      ['V', 'name'],
    ],
  );
});

test('a tensor brought to a matrix gets that role, whatever its name', () => {
  const tensors = [counting('readme', 5, 5), counting('k_proj.weight', 2, 3), counting('rest', 3)];
  const widths = { ...anything, dModel: 3, queries: 2 };
  const into = suggestRoles(tensors, widths, { target: 'Wq' });
  assert.deepEqual(listed(into)[0], {
    role: 'Wq',
    tensor: 1,
    by: 'target',
    orientation: 'out-in',
    fits: 1,
    third: null,
  });
  assert.equal(listed(into).filter(({ tensor }) => tensor === 1).length, 1);
  assert.deepEqual(
    listed(suggestRoles([tensors[0]], widths, { target: 'Wq' }))[0].fits,
    0,
    'it fits no way, and the reader sees it',
  );
  assert.deepEqual(suggestRoles([tensors[0]], { ...widths, tokens: 9 }, { target: 'bq' }).assignments, []);
});

test('rows of a table are found by the names that it has', async () => {
  const { tensors } = findInText(',a,b\nthe,1,2\ncat,3,4\nsat,5,6\n', 'the text');
  const widths = { ...anything, tokens: 2, words: ['sat', 'the'] };
  const [X] = suggestRoles(tensors, widths, { target: 'X' }).assignments;
  assert.deepEqual(X.rows, [2, 0]);
  assert.deepEqual(await rowsOf(tensors, X), [
    [5, 6],
    [1, 2],
  ]);
  const [first] = suggestRoles(tensors, { ...widths, words: ['sat', 'dog'] }, { target: 'X' }).assignments;
  assert.deepEqual(first.rows, [0, 1]);
  assert.equal(
    suggestRoles(tensors, { ...widths, tokens: 3, words: undefined }, { target: 'X' }).assignments[0].rows,
    null,
  );
});

test('a batch of one is its item, and a batch of several has no role', async () => {
  const tensors = [counting('X', 1, 4, 2), counting('Wq', 1, 1, 2, 3), counting('Wk', 2, 2, 3)];
  const { assignments, unused } = suggestRoles(tensors, { ...anything, tokens: 2 });
  assert.deepEqual(
    assignments.map(({ shape }) => shape),
    [
      [2, 2],
      [2, 3],
    ],
  );
  assert.deepEqual(await rowsOf(tensors, { ...assignments[0], rows: [3, 1] }), [
    [6, 7],
    [2, 3],
  ]);
  assert.deepEqual(unused, [{ tensor: 2, reason: 'axes' }]);
});

test('what cannot be read has no role, and its reason', () => {
  const unreadable = { ...counting('Wq', 2, 2), problem: { argument: 'a', found: 'b', expected: 'c' } };
  assert.deepEqual(suggestRoles([unreadable, counting('Wk', 0, 2)], anything), {
    assignments: [],
    layers: [],
    layer: null,
    unused: [
      { tensor: 0, reason: 'unreadable' },
      { tensor: 1, reason: 'axes' },
    ],
  });
  assert.deepEqual(suggestRoles([], anything).assignments, []);
});

test('an assignment that its tensor cannot play is refused', async () => {
  const plain = {
    tensor: 0,
    by: /** @type {const} */ ('name'),
    orientation: /** @type {const} */ ('in-out'),
    fits: [],
    third: null,
    rows: null,
    shape: [],
    could: [],
  };
  await assertRejects(
    matrixOf(counting('a', 3), { ...plain, role: 'Wq' }),
    'a for Wq has shape (3), but must be a matrix',
  );
  await assertRejects(
    matrixOf(counting('a', 2, 2), { ...plain, role: 'bq' }),
    'a for bq has shape (2, 2), but must be a vector',
  );
  await assertRejects(
    matrixOf(counting('a', 2, 2, 2), { ...plain, role: 'X' }),
    'a for X has shape (2, 2, 2), but must be a matrix or a vector',
  );
  await assertRejects(
    matrixOf(counting('a', 2, 4), { ...plain, role: 'Wq', third: 1 }),
    'a for Wq has shape (2, 4), but must have a width that three share',
  );
  await assertRejects(
    matrixOf(counting('a', 2, 4), { ...plain, role: 'X', rows: [2] }),
    'file, a has no row 2, but its shape is (2, 4)',
  );
  assert.equal(roles.length, 10);
});
