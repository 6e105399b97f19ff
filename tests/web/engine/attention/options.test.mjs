// What the options of engine.attention mean, and what they must not be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertRefused,
  assertRowClose,
  assertRowsClose,
  booleanTensor,
  loadEngine,
  rowsOf,
  tensor,
} from '../../support.mjs';

const engine = await loadEngine();

/** Three queries and three keys of width 2, one after the other. */
const query = tensor([
  [0.1, 0.2],
  [0.3, 0.4],
  [0.5, 0.6],
]);
const key = tensor([
  [0.7, 0.8],
  [0.9, 1.0],
  [1.1, 1.2],
]);
const value = tensor([
  [1, 2],
  [3, 4],
  [5, 6],
]);

/** Two queries, four keys, four values of width 3: no length is another's. */
const wide = {
  query: tensor([
    [0.5, -1],
    [2, 0.25],
  ]),
  key: tensor([
    [1, 0],
    [0, 1],
    [-1, 2],
    [0.5, 0.5],
  ]),
  value: tensor([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [2, 2, 2],
  ]),
};

const all = /** @type {const} */ (['scores', 'capped', 'masked', 'weights']);

/** @param {any} options */
const weightsOf = (options) => rowsOf(engine.attention({ ...wide, ...options }).weights);

/** Which keys get any weight at all. @param {any} options */
const seenBy = (options) => weightsOf(options).map((row) => row.map((weight) => Number(weight > 0)));

test('causal order with keyLengths begins at the first key, and a queryOffset of length − T_q is the ONNX shift', () => {
  const padded = { query, key, value, isCausal: true, keyLengths: [2] };
  const seen = (/** @type {any} */ options) =>
    rowsOf(engine.attention({ ...padded, ...options }).weights).map((row) => row.map((weight) => Number(weight > 0)));
  const fromTheFirst = [
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 0],
  ];
  assert.deepEqual(seen({}), fromTheFirst);
  assert.deepEqual(seen({ queryOffset: 0 }), fromTheFirst);
  assert.deepEqual(seen({ queryOffset: padded.keyLengths.map((length) => length - 3) }), [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
  ]);
});

test('no scale is 1/√d_k; 0 and 1 are scales like any other', () => {
  const causal = { query, key, value, isCausal: true };
  assertRowsClose(
    rowsOf(engine.attention(causal).output),
    [
      [1, 2],
      [2.0494570913, 3.0494570913],
      [3.206585766, 4.206585766],
    ],
    1e-9,
  );
  assertRowsClose(
    rowsOf(engine.attention({ ...causal, scale: 0 }).output),
    [
      [1, 2],
      [2, 3],
      [3, 4],
    ],
    1e-15,
  );
  assertRowsClose(
    rowsOf(engine.attention({ ...causal, scale: 1 }).output),
    [
      [1, 2],
      [2.0698858903, 3.0698858903],
      [3.2909916573, 4.2909916573],
    ],
    1e-9,
  );
  assert.deepEqual(engine.attention({ ...causal, scale: undefined }), engine.attention(causal));
  assert.deepEqual(engine.attention({ ...causal, scale: 1 / Math.sqrt(2) }), engine.attention(causal));
});

test('scores are scaled, capped and masked in this order, and each stage can be had', () => {
  const mask = tensor([
    [0, 1, -Infinity, 0],
    [0.5, 0, 0, -1e9],
  ]);
  const result = engine.attention({ ...wide, scale: 2, softcap: 3, mask, returns: [...all] });
  const scores = [
    [1, -2, -5, -0.5],
    [4, 0.5, -3, 2.25],
  ];
  const capped = scores.map((row) => row.map((score) => 3 * Math.tanh(score / 3)));
  assertRowsClose(rowsOf(result.scores), scores, 1e-15, 'scores');
  assertRowsClose(rowsOf(result.capped), capped, 1e-15, 'capped');
  assertRowsClose(
    rowsOf(result.masked),
    [
      [capped[0][0], capped[0][1] + 1, -Infinity, capped[0][3]],
      [capped[1][0] + 0.5, capped[1][1], capped[1][2], -Infinity],
    ],
    1e-15,
    'masked',
  );
  rowsOf(result.weights).forEach((row) => {
    assertRowClose([row.reduce((sum, weight) => sum + weight, 0)], [1], 1e-15, 'sum');
  });
  assert.equal(result.weights?.data[2], 0);
  assert.equal(result.weights?.data[7], 0);
});

test('without a softcap the capped scores are the scores', () => {
  const { scores, capped } = engine.attention({ ...wide, returns: ['scores', 'capped'] });
  assert.deepEqual(scores, capped);
});

test('the stages that come back are those that were asked for, with the weights where nothing was said', () => {
  assert.deepEqual(Object.keys(engine.attention(wide)), ['output', 'weights']);
  assert.deepEqual(Object.keys(engine.attention({ ...wide, returns: [] })), ['output']);
  for (const stage of all) {
    assert.deepEqual(Object.keys(engine.attention({ ...wide, returns: [stage] })), ['output', stage]);
  }
  const result = engine.attention({ ...wide, returns: ['weights', 'scores'] });
  assert.deepEqual(result.weights, engine.attention(wide).weights, 'in any order');
  for (const stage of [result.weights, result.scores]) {
    assert.deepEqual(stage?.shape, [2, 4]);
  }
  assert.deepEqual(result.output.shape, [2, 3]);
});

test('a boolean mask says who may look; 1 is visible', () => {
  const scores = {
    query: tensor([
      [1, 0],
      [0, 1],
    ]),
    value: tensor([[1], [2]]),
    scale: 1,
  };
  const key = tensor([
    [1, 1],
    [5, 2],
  ]);
  const visible = booleanTensor([
    [1, 0],
    [1, 1],
  ]);
  assertRowsClose(
    rowsOf(engine.attention({ ...scores, key, mask: visible }).weights),
    [
      [1, 0],
      [0.2689414213699951, 0.7310585786300049],
    ],
    1e-12,
  );
});

test('a query that sees no key has weights and output of exactly 0', () => {
  const result = engine.attention({
    query: tensor([
      [1, 0],
      [0, 1],
      [1, 1],
    ]),
    key: tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]),
    value: tensor([
      [1, 0],
      [0, 1],
      [2, 2],
    ]),
    mask: booleanTensor([
      [1, 0, 0],
      [0, 0, 0],
      [1, 1, 0],
    ]),
  });
  const expected = [
    [1, 0],
    [0, 0],
    [0.0558072192, 0.9441927808],
  ];
  assertRowsClose(
    rowsOf(result.weights),
    expected.map((row) => [...row, 0]),
    1e-9,
  );
  assertRowsClose(rowsOf(result.output), expected, 1e-9);
  assert.deepEqual(rowsOf(result.output)[1], [0, 0]);
});

test('a mask spreads over the queries or the keys that it does not have', () => {
  const full = [
    [1, 0, 1, 1],
    [1, 0, 1, 1],
  ];
  for (const mask of [
    booleanTensor([[1, 0, 1, 1]]),
    { data: Uint8Array.of(1, 0, 1, 1), shape: [4] },
    booleanTensor(full),
  ]) {
    assert.deepEqual(seenBy({ mask }), full);
  }
  assert.deepEqual(seenBy({ mask: booleanTensor([[1], [0]]) }), [
    [1, 1, 1, 1],
    [0, 0, 0, 0],
  ]);
  assert.deepEqual(seenBy({ mask: booleanTensor([[1]]) }), [
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ]);
  const added = [0, 1, 2, -1];
  assert.deepEqual(weightsOf({ mask: tensor([added]) }), weightsOf({ mask: tensor([added, added]) }));
  assert.deepEqual(weightsOf({ mask: tensor([[3]]) }).length, 2);
});

test('a large negative number in an additive mask hides, whole rows too', () => {
  for (const hidden of [-Infinity, -1e9, -Number.MAX_VALUE]) {
    const mask = tensor([
      [hidden, hidden, hidden, hidden],
      [0, hidden, 0, 0],
    ]);
    assert.deepEqual(seenBy({ mask }), [
      [0, 0, 0, 0],
      [1, 0, 1, 1],
    ]);
  }
});

test('a causal query sees the keys up to its own place, which the offset moves', () => {
  assert.deepEqual(seenBy({ isCausal: true }), [
    [1, 0, 0, 0],
    [1, 1, 0, 0],
  ]);
  assert.deepEqual(seenBy({ isCausal: true, queryOffset: 2 }), [
    [1, 1, 1, 0],
    [1, 1, 1, 1],
  ]);
  assert.deepEqual(seenBy({ isCausal: true, queryOffset: -1 }), [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
  ]);
  assert.deepEqual(seenBy({ queryOffset: -1 })[0], [1, 1, 1, 1], 'alone it hides nothing');
});

test('windows count keys to each side of the query, −1 counts none', () => {
  assert.deepEqual(seenBy({ leftWindow: 0, rightWindow: 0 }), [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
  ]);
  assert.deepEqual(seenBy({ leftWindow: 1, queryOffset: 2 }), [
    [0, 1, 1, 1],
    [0, 0, 1, 1],
  ]);
  assert.deepEqual(seenBy({ rightWindow: 1 }), [
    [1, 1, 0, 0],
    [1, 1, 1, 0],
  ]);
  assert.deepEqual(seenBy({ leftWindow: -1, rightWindow: -1 })[0], [1, 1, 1, 1]);
});

test('keys beyond the valid ones are hidden', () => {
  assert.deepEqual(seenBy({ keyLengths: [3] })[0], [1, 1, 1, 0]);
  assert.deepEqual(seenBy({ keyLengths: [0] })[1], [0, 0, 0, 0]);
  assert.deepEqual(weightsOf({ keyLengths: [4] }), weightsOf({}));
});

test('every way of hiding counts: what one hides another does not show', () => {
  const options = { isCausal: true, queryOffset: 2, keyLengths: [3], mask: booleanTensor([[0, 1, 1, 1]]) };
  assert.deepEqual(seenBy(options), [
    [0, 1, 1, 0],
    [0, 1, 1, 0],
  ]);
});

for (const Type of [Float64Array, Float32Array]) {
  test(`a NaN or an infinity in a hidden key or value never reaches the output (${Type.name})`, () => {
    const clean = {
      query: tensor([[1, 2]], Type),
      key: tensor(
        [
          [1, 0],
          [0, 0],
        ],
        Type,
      ),
      value: tensor([[3], [0]], Type),
      mask: booleanTensor([[1, 0]]),
    };
    for (const poison of [NaN, Infinity, -Infinity]) {
      const { output, weights } = engine.attention({
        ...clean,
        key: tensor(
          [
            [1, 0],
            [poison, 0],
          ],
          Type,
        ),
        value: tensor([[3], [poison]], Type),
      });
      assert.deepEqual(Array.from(output.data), [3]);
      assert.deepEqual(Array.from(weights?.data ?? []), [1, 0]);
    }
  });

  test(`a NaN or an infinity that a query sees is refused with its tensor and its place (${Type.name})`, () => {
    for (const [name, at, place] of /** @type {['query' | 'key' | 'value', number, string][]} */ ([
      ['query', 3, '(1, 1)'],
      ['key', 4, '(2, 0)'],
      ['value', 11, '(3, 2)'],
    ])) {
      for (const [poison, text] of /** @type {[number, string][]} */ ([
        [NaN, 'is NaN'],
        [Infinity, 'is infinity'],
        [-Infinity, 'is -infinity'],
      ])) {
        const tensors = Object.fromEntries(
          Object.entries(wide).map(([each, { data, shape }]) => [each, { data: Type.from(data), shape }]),
        );
        tensors[name].data[at] = poison;
        const call = /** @type {any} */ (tensors);
        assert.throws(
          () => engine.attention(call),
          (/** @type {any} */ error) => {
            assert.equal(error.name, 'EngineError');
            assert.equal(error.problem.argument, name);
            assert.ok(error.message.includes(`${text} at ${place}`), error.message);
            return true;
          },
        );
      }
    }
  });
}

test('float64 stays float64: large scores lie apart as far as they do', () => {
  const row = { query: tensor([[1]]), scale: 1, value: tensor([[0], [0], [0], [0]]) };
  const weights = rowsOf(engine.attention({ ...row, key: tensor([[7999.99], [8000], [2], [1]]) }).weights)[0];
  assertRowClose(weights, [0.4975000208, 0.5024999792, 0, 0], 1e-9);
  const negative = rowsOf(
    engine.attention({ ...row, key: tensor([[-1000], [-1001]]), value: tensor([[0], [0]]) }).weights,
  );
  assertRowClose(negative[0], [0.7310585786, 0.2689414214], 1e-9);
});

test('a row is a softmax over the keys, for a lone query too', () => {
  const { weights } = engine.attention({
    query: tensor([[1]]),
    key: tensor([[2], [0], [1]]),
    value: tensor([[0], [0], [0]]),
    scale: 1,
  });
  const total = Math.exp(2) + Math.exp(0) + Math.exp(1);
  assertRowClose(rowsOf(weights)[0], [Math.exp(2) / total, 1 / total, Math.exp(1) / total], 1e-12);
});

const odd = [-1, 2.7, NaN, Infinity, '5', '', null, true, 'false', 4294967296, 5n, Symbol('five'), [], {}, () => 1];

test('what WebAssembly would bend into another number is refused by name, and the next call works', () => {
  const before = engine.attention(wide);
  /** @type {Record<string, (value: any) => boolean>} the odd values that an option may have */
  const allowed = {
    scale: (value) => Number.isFinite(value),
    softcap: (value) => value === 4294967296 || value === 2.7,
    isCausal: (value) => value === true,
    queryOffset: (value) => value === -1,
    leftWindow: (value) => value === -1,
    rightWindow: (value) => value === -1,
    keyLengths: () => false,
    returns: (value) => Array.isArray(value),
  };
  for (const [option, allows] of Object.entries(allowed)) {
    for (const value of odd.filter((each) => !allows(each))) {
      const title = `${option} = ${typeof value === 'symbol' ? 'Symbol()' : String(value)}`;
      assertRefused(
        () => engine.attention(/** @type {any} */ ({ ...wide, [option]: value })),
        new RegExp(`^${option} (is|has|holds) .+, but .+$`),
        title,
      );
    }
    assert.deepEqual(engine.attention(wide), before, `after ${option}`);
  }
});

test('a refusal quotes what it found and says what would do', () => {
  const whole = 'must be a whole number from -2147483647 to 2147483647';
  const wholeNumbers = 'must hold whole numbers from 0 to 2147483647';
  for (const [options, message] of /** @type {[object, string][]} */ ([
    [{ scale: '0.5' }, 'scale is "0.5", but must be a finite number'],
    [{ scale: null }, 'scale is null, but must be a finite number'],
    [{ scale: NaN }, 'scale is NaN, but must be a finite number'],
    [{ softcap: -1 }, 'softcap is negative, but must be 0 (off) or positive'],
    [{ softcap: null }, 'softcap is null, but must be a finite number'],
    [{ isCausal: 'false' }, 'isCausal is "false", but must be true or false'],
    [{ isCausal: null }, 'isCausal is null, but must be true or false'],
    [{ queryOffset: 4294967296 }, `queryOffset is 4294967296, but ${whole}`],
    [{ queryOffset: 5n }, `queryOffset is the BigInt 5, but ${whole}`],
    [{ leftWindow: 2.7 }, `leftWindow is 2.7, but ${whole}`],
    [{ leftWindow: null }, `leftWindow is null, but ${whole}`],
    [{ rightWindow: -2 }, 'rightWindow is -2, but must be -1 (no limit), 0 or more'],
    [{ keyLengths: 3 }, 'keyLengths is 3, but must be an array of whole numbers, one for each batch'],
    [{ keyLengths: ['3'] }, `keyLengths has "3", but ${wholeNumbers}`],
    [{ keyLengths: [1, 2] }, 'keyLengths holds 2 numbers, but must hold one for each batch, here 1'],
    [{ keyLengths: [5] }, 'keyLengths is 5 for batch 0, but there are 4 keys'],
    [{ keyLengths: [4294967298] }, `keyLengths has 4294967298, but ${wholeNumbers}`],
    [{ returns: 'weights' }, 'returns is "weights", but must list scores, capped, masked, weights'],
    [{ returns: ['scores', 'x'] }, 'returns has "x", but must list scores, capped, masked, weights'],
    [{ returns: [undefined] }, 'returns has undefined, but must list scores, capped, masked, weights'],
    [{ heads: 2 }, 'heads is 2, but query with shape (2, 2) has 1'],
    [{ dK: 2 }, 'options has a key "dK", but no option has that name'],
    [{ iscausal: true }, 'options has a key "iscausal", but no option has that name'],
  ])) {
    assertRefused(() => engine.attention(/** @type {any} */ ({ ...wide, ...options })), message);
  }
});

test('tensors that do not belong together are refused with both shapes', () => {
  const { query: q, key: k, value: v } = wide;
  const numbers = (/** @type {number[]} */ ...shape) => ({
    data: new Float64Array(shape.reduce((product, length) => product * length, 1)),
    shape,
  });
  for (const [options, pattern] of /** @type {[object, RegExp][]} */ ([
    [{ query: numbers(2, 3), key: numbers(4, 2), value: v }, /key .*\(4, 2\).*query.* 3/],
    [{ query: q, key: k, value: numbers(3, 3) }, /value .*\(3, 3\).*4/],
    [{ query: numbers(0, 2), key: k, value: v }, /^query has shape \(0, 2\), but every axis must be at least 1$/],
    [{ query: q, key: numbers(0, 2), value: numbers(0, 3) }, /^key has shape \(0, 2\), but every axis/],
    [{ query: numbers(1, 2, 2, 1, 1), key: k, value: v }, /^query has shape \(1, 2, 2, 1, 1\), but must have rank/],
    [{ query: numbers(2), key: k, value: v }, /^query has shape \(2\), but must have rank/],
    [{ ...wide, mask: booleanTensor([[1, 1]]) }, /^mask has shape \(1, 2\), but must broadcast to .*\(2, 4\)$/],
    [{ ...wide, mask: tensor([[NaN]]) }, /^mask .*NaN/],
    [{ ...wide, mask: tensor([[Infinity]]) }, /^mask .*infinity/],
    [
      { ...wide, mask: { data: new Float32Array(4), shape: [4] } },
      /^mask\.data is Float32Array, but must be Uint8Array/,
    ],
    [{ ...wide, mask: null }, /^mask is null, but must be an object$/],
    [{ ...wide, key: { data: new Float32Array(8), shape: [4, 2] } }, /^key\.data is Float32Array, but .* as query is$/],
    [
      { ...wide, query: { data: [1, 2], shape: [1, 2] } },
      /^query\.data is Array, but must be Float32Array or Float64Array$/,
    ],
    [
      { ...wide, query: { data: new Float64Array(3), shape: [1, 2] } },
      /^query holds 3 numbers, but shape \(1, 2\) needs 2$/,
    ],
    [
      { ...wide, query: { data: new Float64Array(2), shape: '1,2' } },
      /^query\.shape is "1,2", but must be an array of/,
    ],
    [{ ...wide, query: { data: new Float64Array(2), shape: [-1, -2] } }, /^query\.shape is .*whole numbers$/],
    [{ ...wide, query: { data: new Float64Array(0), shape: [65536, 65536] } }, /^query holds 0 numbers, but shape/],
    [{ ...wide, query: {} }, /^query\.data is undefined, but must be/],
    [{ ...wide, query: undefined }, /^query is undefined, but must be an object$/],
    [{ ...wide, value: 5n }, /^value is the BigInt 5, but must be an object$/],
  ])) {
    assertRefused(() => engine.attention(/** @type {any} */ (options)), pattern);
  }
  for (const options of [undefined, null, 5, 'x']) {
    assertRefused(() => engine.attention(/** @type {any} */ (options)), /^options is .+, but must be an object$/);
  }
  assert.deepEqual(engine.attention(wide).output.shape, [2, 3], 'the next call works');
});

test('finite numbers whose score overflows are refused, not turned into a pattern', () => {
  assertRefused(
    () => engine.attention({ query: tensor([[1e200]]), key: tensor([[1e200]]), value: tensor([[1]]) }),
    /^scores overflow to infinity at \(0, 0\), but a visible score must be finite$/,
  );
});

test('a lesson refuses what WebAssembly would bend, and names it as the caller wrote it', () => {
  const before = engine.lesson();
  for (const setting of ['dModel', 'dK', 'heads', 'head', 'row', 'seed']) {
    for (const value of odd) {
      assertRefused(
        () => engine.lesson(/** @type {any} */ ({ [setting]: value })),
        new RegExp(`^${setting} is .+, but must be a whole number from \\d+ to \\d+$`),
      );
    }
  }
  for (const [state, message] of /** @type {[any, string | RegExp][]} */ ([
    [{ layers: 2 }, 'state has a key "layers", but no setting has that name'],
    [{ heads: 9 }, 'heads is 9, but must be a whole number from 1 to 8'],
    [{ heads: 2, head: 2 }, 'head is 2, but must be a whole number from 0 to 1'],
    [{ 'd-k': 2 }, 'state has a key "d-k", but no setting has that name'],
    [null, 'state is null, but must be an object'],
    ['x', 'state is "x", but must be an object'],
    [{ tokens: [] }, 'tokens is empty, but must hold at least one token'],
    [{ tokens: ['a', 5n] }, 'tokens holds the BigInt 5, but must be words or an array of strings'],
    [{ tokens: new Array(2) }, 'tokens holds undefined, but must be words or an array of strings'],
    [{ row: 6 }, 'row is 6, but must be a whole number from 0 to 5'],
    [{ softmaxAxis: 'rows' }, 'softmaxAxis is "rows", but must be keys or queries'],
    [{ preset: 'four-token', dK: 3 }, /^dK is 3, but /],
    [{ preset: 'four-token', tokens: ['a'] }, 'tokens holds 1 tokens, but the preset four-token has exactly 4'],
    [{ projections: 'identity', dK: 3 }, /^dK is 3, but attention without projections needs it to equal .* = 16$/],
    [{ projections: 'shared', dV: 3 }, /^dV is 3, but one shared matrix needs it to equal .* = 16$/],
  ])) {
    assertRefused(() => engine.lesson(state), message);
  }
  assert.deepEqual(engine.lesson(), before, 'the next call works');
});
