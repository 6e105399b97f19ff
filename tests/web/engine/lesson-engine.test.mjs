// Lessons as the core computes them, against an independent reference and the promises of the lesson.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSeed } from '../../../web/engine/lesson-state.js';
import {
  assertRefused,
  assertRowClose,
  assertRowsClose,
  loadEngine,
  readReference,
  rowsOf,
  tensor,
} from '../support.mjs';

const engine = await loadEngine();
const lessonReference = readReference('lesson_reference.json');
const matrixNames = /** @type {const} */ ([
  'X',
  'Wq',
  'Wk',
  'Wv',
  'Q',
  'K',
  'V',
  'scores',
  'scaled',
  'masked',
  'weights',
  'output',
]);

/** @param {unknown} entry */
const isNaNText = (entry) => entry === 'nan' || Number.isNaN(entry);

/**
 * Rows in which NaN, a number or the text of a file, is replaced, after its places have been compared.
 *
 * @param {number[][]} actual
 * @param {(number | string)[][]} expected
 * @param {string} name
 */
function assertRowsCloseAroundNaN(actual, expected, name) {
  assert.deepEqual(
    actual.map((row) => row.map(isNaNText)),
    expected.map((row) => row.map(isNaNText)),
    `${name}: places of NaN`,
  );
  const without = (/** @type {any[][]} */ rows) =>
    rows.map((row) => row.map((entry) => (isNaNText(entry) ? 0 : entry)));
  assertRowsClose(without(actual), without(expected), 1e-12, name);
}

for (const expected of lessonReference.lessons) {
  test(`the lesson "${expected.name}" gives what an independent reference gives`, () => {
    const result = engine.lesson(expected.state);
    assert.deepEqual(result.tokens, expected.state.tokens);
    for (const name of /** @type {const} */ (['X', 'Wq', 'Wk', 'Wv', 'Q', 'K', 'V'])) {
      const rows = rowsOf(result[name]);
      const { shape, corners, checksum } = expected[name];
      const last = shape[1] - 1;
      const below = shape[0] - 1;
      assert.deepEqual(result[name].shape, shape, name);
      assertRowClose([rows[0][0], rows[0][last], rows[below][0], rows[below][last]], corners, 1e-12, name);
      const sum = rows.flatMap((row, i) => row.map((entry, j) => entry * (i + 1) * (2 * j + 1)));
      const size = sum.reduce((total, entry) => total + Math.abs(entry), 0);
      const total = sum.reduce((total, entry) => total + entry, 0);
      assert.ok(Math.abs(total - checksum) <= 1e-12 * size, `${name}: checksum ${total}, expected ${checksum}`);
    }
    for (const name of /** @type {const} */ (['scores', 'masked', 'weights', 'output'])) {
      assertRowsCloseAroundNaN(rowsOf(result[name]), expected[name], name);
    }
    assertRowClose([result.metrics.spread], [expected.spread], 1e-12, 'spread');
    if (expected.expectedSpread === null) {
      assert.equal(result.metrics.expectedSpread, null);
    } else {
      assertRowClose([result.metrics.expectedSpread ?? NaN], [expected.expectedSpread], 1e-12, 'expectedSpread');
    }
    const { state, gradient, ...numbers } = expected.rows;
    assert.deepEqual(result.metrics.state, state);
    assert.deepEqual(result.metrics.gradient, gradient);
    for (const [name, row] of Object.entries(numbers)) {
      const figures = /** @type {Record<string, any>} */ (result.metrics)[name];
      row.forEach((/** @type {number | 'nan'} */ figure, /** @type {number} */ index) => {
        if (figure === 'nan') {
          assert.ok(Number.isNaN(figures[index]), `${name}[${index}] is ${figures[index]}, expected NaN`);
          return;
        }
        // A difference of weights near 1 keeps no more digits than they have.
        const fits = Math.abs(figures[index] - figure) <= 1e-12 * Math.max(1, Math.abs(figure));
        assert.ok(fits, `${name}[${index}] is ${figures[index]}, expected ${figure}`);
      });
    }
  });
}

test('the defaults of JavaScript, of the core and of the reference are the same', () => {
  const first = lessonReference.lessons[0];
  assert.equal(defaultSeed, first.state.seed);
  assertRowsClose(rowsOf(engine.lesson().weights), first.weights, 1e-12);
  assert.deepEqual(engine.lesson(), engine.lesson(first.state));
  const byHand = lessonReference.lessons.find(
    (/** @type {any} */ lesson) => lesson.state.preset === 'four-token' && lesson.state.mask === 'causal',
  );
  assert.deepEqual(engine.lesson({ preset: 'four-token' }), engine.lesson(byHand.state));
});

test('a lesson holds every stage with its shape, and nothing else', () => {
  const result = engine.lesson({ tokens: ['a', 'b', 'c'], dModel: 5, dK: 4, dV: 2 });
  const shapes = {
    X: [3, 5],
    Wq: [5, 4],
    Wk: [5, 4],
    Wv: [5, 2],
    Q: [3, 4],
    K: [3, 4],
    V: [3, 2],
    scores: [3, 3],
    scaled: [3, 3],
    masked: [3, 3],
    weights: [3, 3],
    output: [3, 2],
  };
  assert.deepEqual(Object.keys(shapes), [...matrixNames]);
  assert.deepEqual(result.shapes, shapes);
  for (const name of matrixNames) {
    assert.ok(result[name].data instanceof Float64Array, name);
    assert.deepEqual(result[name].shape, shapes[name], name);
    assert.equal(result[name].data.length, shapes[name][0] * shapes[name][1], name);
  }
  assert.ok(result.visible.data instanceof Uint8Array);
  assert.deepEqual(result.visible.shape, [3, 3]);
  assert.deepEqual(
    Object.keys(result).sort(),
    [
      ...matrixNames,
      ...[
        'tokens',
        'keyTokens',
        'padding',
        'shapes',
        'visible',
        'divisor',
        'metrics',
        'worksheet',
        'reference',
        'total',
      ],
    ].sort(),
  );
  const { spread, expectedSpread, ...rows } = result.metrics;
  assert.equal(typeof spread, 'number');
  assert.equal(typeof expectedSpread, 'number');
  assert.deepEqual(
    Object.keys(rows).sort(),
    ['peak', 'entropy', 'maximumEntropy', 'jacobian', 'rowSum', 'state', 'gradient'].sort(),
  );
  for (const [name, row] of Object.entries(rows)) {
    assert.ok(Array.isArray(row), name);
    assert.equal(row.length, 3, name);
  }
  const { products, contributions, ...lines } = result.worksheet;
  assert.deepEqual(products.shape, [3, 4]);
  assert.deepEqual(contributions.shape, [3, 2]);
  assert.deepEqual(Object.keys(lines).sort(), ['exponentials', 'shifted', 'subtracted', 'totals']);
  for (const [name, line] of Object.entries(lines)) {
    assert.equal(line.length, 3, name);
  }
});

test('the worksheet of a row leads from its q·k to its weights and its output', () => {
  const row = 2;
  const { worksheet, scores, masked, weights, output } = engine.lesson({ mask: 'causal', row, dV: 3 });
  const n = 6;
  rowsOf(worksheet.products).forEach((products, key) => {
    const total = products.reduce((sum, product) => sum + product, 0);
    assertRowClose([total], [scores.data[row * n + key]], 1e-12, 'score');
    assert.equal(worksheet.shifted[key], masked.data[row * n + key] - worksheet.subtracted[key]);
    const weight = worksheet.exponentials[key] / worksheet.totals[key];
    assertRowClose([weight], [weights.data[row * n + key]], 1e-12, 'weight');
  });
  const sums = rowsOf(worksheet.contributions).reduce((total, each) => total.map((sum, c) => sum + each[c]));
  assertRowClose(sums, rowsOf(output)[row], 1e-12, 'output');
});

test('a result stays what it was when the memory grows and when the engine computes again', () => {
  const before = engine.lesson({ tokens: ['a', 'b', 'c', 'd'] });
  const attentionBefore = engine.attention({ query: tensor([[1, 2]]), key: tensor([[3, 4]]), value: tensor([[5, 6]]) });
  const kept = structuredClone({ before, attentionBefore });
  const tokens = Array.from({ length: 512 }, (_, index) => `tok${index}`);
  const large = engine.lesson({ tokens, dModel: 512, dK: 512, dV: 512 });
  assert.equal(large.weights.data.length, 512 * 512);
  engine.lesson({ tokens: ['e', 'f', 'g', 'h'], seed: 7 });
  engine.attention({ query: tensor([[7, 8]]), key: tensor([[9, 1]]), value: tensor([[2, 3]]) });
  assert.deepEqual({ before, attentionBefore }, kept);
  for (const name of matrixNames) {
    assert.equal(before[name].data.buffer.byteLength, before[name].data.byteLength, `${name} is a buffer of its own`);
  }
});

test('changing a result changes neither the next one nor the caller', () => {
  const tokens = ['a', 'b'];
  const first = engine.lesson({ tokens });
  const kept = structuredClone(first);
  first.weights.data.fill(7);
  first.tokens.push('further');
  first.shapes.X[0] = 7;
  first.metrics.peak[0] = 7;
  assert.deepEqual(tokens, ['a', 'b']);
  assert.deepEqual(engine.lesson({ tokens }), kept);
});

test('equal states give equal bits', () => {
  assert.deepEqual(engine.lesson({ seed: 5, dK: 33 }), engine.lesson({ seed: 5, dK: 33 }));
});

test('a wider d_k adds dimensions and leaves those that were there', () => {
  const narrow = engine.lesson({ dK: 5 });
  const wide = engine.lesson({ dK: 64 });
  assert.deepEqual(narrow.X, wide.X);
  for (const name of /** @type {const} */ (['Wq', 'Wk', 'Q', 'K'])) {
    assert.deepEqual(
      rowsOf(narrow[name]),
      rowsOf(wide[name]).map((row) => row.slice(0, 5)),
      name,
    );
  }
});

test('a word moves its own row of X alone', () => {
  const before = rowsOf(engine.lesson().X);
  const after = rowsOf(engine.lesson({ tokens: ['Your', 'trip', 'starts', 'with', 'one', 'step'] }).X);
  before.forEach((row, index) => {
    if (index === 1) {
      assert.notDeepEqual(after[index], row);
    } else {
      assert.deepEqual(after[index], row);
    }
  });
});

test('tokens cross into the core and back as they are', () => {
  const tokens = [
    '<s>',
    '',
    ' ',
    '\u200b',
    'a\0b',
    '👩‍👩‍👧',
    'e\u0301',
    'Grüße',
    '\u0120Hello',
    '<0xE6>',
    '\ufffd',
    '"',
  ];
  const result = engine.lesson({ tokens });
  assert.deepEqual(result.tokens, tokens);
  const rows = rowsOf(result.X).map((row) => row.join());
  assert.equal(new Set(rows).size, tokens.length, 'different texts have different embeddings');
});

test('the default sentence keeps the promises of the lesson at every d_k of the slider', () => {
  for (let dK = 2; dK <= 64; dK++) {
    const { metrics } = engine.lesson({ dK });
    assert.ok(metrics.spread >= 0.75 && metrics.spread <= 1.33, `spread ${metrics.spread} at d_k = ${dK}`);
    assert.ok(Math.max(...metrics.peak) <= 0.8, `peak ${Math.max(...metrics.peak)} at d_k = ${dK}`);
  }
  const { metrics } = engine.lesson({ dK: 64, divisor: 'none' });
  assert.ok(Math.min(...metrics.peak) >= 0.9);
  assert.ok(metrics.peak[1] >= 0.99);
  assert.equal(metrics.state[1], 'saturated (one-hot)');
  assert.equal(metrics.gradient[1], 'dead');
});

test('a lone token looks at itself, and has no gradient to lose', () => {
  const { weights, output, V, metrics } = engine.lesson({ tokens: ['alone'] });
  assert.deepEqual(Array.from(weights.data), [1]);
  assert.deepEqual(output.data, V.data);
  assert.equal(metrics.gradient[0], 'no choice');
  assert.equal(metrics.entropy[0], 0);
});

test('rows that are no distribution are called what they are', () => {
  const late = engine.lesson({ mask: 'late' });
  assert.deepEqual(late.metrics.state.slice(0, 5), Array(5).fill('not a distribution'));
  assert.equal(late.metrics.state[5], 'diffuse', 'the last row sees everything');
  assert.ok(late.metrics.rowSum[1] < 0.5);
  const down = engine.lesson({ softmaxAxis: 'queries' });
  assert.ok(down.metrics.state.includes('not a distribution'));
  const columns = rowsOf(down.weights).reduce((sums, row) => sums.map((sum, column) => sum + row[column]));
  assertRowClose(columns, Array(6).fill(1), 1e-12, 'column sums');
});

test('every choice of a setting is one that the core knows', () => {
  const states = [
    { preset: 'four-token' },
    { divisor: 'none' },
    { divisor: 'dk' },
    { mask: 'causal' },
    { mask: 'late' },
    { projections: 'shared' },
    { projections: 'identity' },
    { softmaxAxis: 'queries' },
    { blend: 'embeddings' },
    { softmax: 'naive' },
    { theme: 'dark' },
    { panels: ['proofs'] },
  ];
  const seen = states.map((state) => {
    const { metrics, output } = engine.lesson(/** @type {any} */ (state));
    return JSON.stringify([metrics, [...output.data]]);
  });
  const { metrics, output } = engine.lesson();
  const usual = JSON.stringify([metrics, [...output.data]]);
  assert.equal(new Set([usual, ...seen.slice(0, 9)]).size, 10, 'each changes something');
  assert.deepEqual(seen.slice(10), [usual, usual], 'neither a theme nor a panel changes a number');
});

test('blending the embeddings leaves the weights and makes the output as wide as the embeddings', () => {
  const values = engine.lesson({ dV: 3, mask: 'causal' });
  const embeddings = engine.lesson({ dV: 3, mask: 'causal', blend: 'embeddings' });
  assert.deepEqual(embeddings.weights, values.weights);
  assert.deepEqual(values.shapes.output, [6, 3]);
  assert.deepEqual(embeddings.shapes.output, [6, 16]);
  assert.deepEqual(embeddings.worksheet.contributions.shape, [6, 16]);
  assert.deepEqual(rowsOf(embeddings.output)[0], rowsOf(embeddings.X)[0], 'the first token sees itself alone');
  const sums = rowsOf(embeddings.worksheet.contributions).reduce((total, each) => total.map((sum, c) => sum + each[c]));
  assertRowClose(sums, rowsOf(embeddings.output)[1], 1e-12, 'output');
});

test('two states are compared: the weights of each, and the second less the first', () => {
  const first = { dK: 64 };
  const second = /** @type {const} */ ({ dK: 64, divisor: 'none' });
  const comparison = engine.compare(first, second);
  assert.deepEqual(Object.keys(comparison), ['first', 'second', 'difference', 'largest']);
  assert.deepEqual(comparison.first, engine.lesson(first).weights);
  assert.deepEqual(comparison.second, engine.lesson(second).weights);
  assert.deepEqual(comparison.difference.shape, [6, 6]);
  const differences = [...comparison.second.data].map((weight, index) => weight - comparison.first.data[index]);
  assert.deepEqual([...comparison.difference.data], differences);
  assert.equal(comparison.largest, Math.max(...differences.map(Math.abs)));
  assert.ok(comparison.largest > 0.3);
  assert.equal(engine.compare(second, first).largest, comparison.largest);
  assert.equal(engine.compare({}, {}).largest, 0);
  assert.ok(Number.isNaN(engine.compare(second, { ...second, softmax: 'naive' }).largest));
});

test('states that cannot be compared are refused in one sentence', () => {
  assertRefused(
    () => engine.compare({}, { tokens: ['a', 'b'] }),
    'tokens holds 2 tokens, but the state to compare with has 6',
  );
  assertRefused(
    () => engine.compare({ preset: 'four-token' }, {}),
    'tokens holds 6 tokens, but the state to compare with has 4',
  );
  assertRefused(() => engine.compare({ dK: 0 }, {}), 'dK is 0, but must be a whole number from 1 to 512');
  assertRefused(() => engine.compare({}, { row: 6 }), 'row is 6, but must be a whole number from 0 to 5');
  assertRefused(() => engine.compare({ tokens: [], row: 0 }, {}), 'tokens is empty, but must hold at least one token');
  assertRefused(() => engine.compare({}, /** @type {any} */ (null)), 'second is null, but must be an object');
  assertRefused(() => engine.compare(/** @type {any} */ (5), {}), 'first is 5, but must be an object');
  assertRefused(
    () => engine.compare({}, /** @type {any} */ ({ Mask: 'none' })),
    'second has a key "Mask", but no setting has that name',
  );
});

test('the Jacobians of the highlighted row are diag(a) − aaᵀ, with the divisor, without, and with the state’s own', () => {
  for (const [row, mask] of /** @type {[number, 'none' | 'causal'][]} */ ([
    [0, 'none'],
    [1, 'none'],
    [5, 'none'],
    [3, 'causal'],
  ])) {
    const jacobians = engine.jacobians({ dK: 64, row, mask, divisor: 'dk' });
    assert.deepEqual(Object.keys(jacobians), ['scaled', 'unscaled', 'own', 'scaledNorm', 'unscaledNorm', 'ownNorm']);
    for (const [name, divisor] of /** @type {['scaled' | 'unscaled' | 'own', 'sqrt' | 'none' | 'dk'][]} */ ([
      ['scaled', 'sqrt'],
      ['unscaled', 'none'],
      ['own', 'dk'],
    ])) {
      const { weights, metrics } = engine.lesson({ dK: 64, row, mask, divisor });
      const a = rowsOf(weights)[row];
      const rows = rowsOf(jacobians[name]);
      rows.forEach((entries, j) => {
        entries.forEach((entry, l) => {
          const expected = (j === l ? a[j] : 0) - a[j] * a[l];
          assert.ok(Math.abs(entry - expected) <= 1e-16, `${name} (${j}, ${l}) is ${entry}, expected ${expected}`);
          assert.equal(entry, rows[l][j], 'symmetric');
        });
        assert.ok(Math.abs(entries.reduce((sum, entry) => sum + entry, 0)) <= 1e-15, 'a row sums to 0');
      });
      assert.equal(jacobians[`${name}Norm`], metrics.jacobian[row]);
      assertRowClose([jacobians[`${name}Norm`]], [Math.hypot(...rows.flat())], 1e-12, 'norm');
    }
  }
  assertRefused(() => engine.jacobians({ row: 6 }), 'row is 6, but must be a whole number from 0 to 5');
  assertRefused(() => engine.jacobians({ dK: 513 }), 'dK is 513, but must be a whole number from 1 to 512');
  assertRefused(() => engine.jacobians(/** @type {any} */ ([1])), 'state has a key "0", but no setting has that name');
});

test('dropout scales what it keeps, keeps the same weights at any width, and has a Jacobian of its own', () => {
  const plain = engine.lesson({ dV: 3 });
  const { weights, metrics } = engine.lesson({ dV: 3, dropout: 0.25 });
  const kept = Array.from(weights.data, (weight) => weight !== 0);
  weights.data.forEach((weight, index) => {
    assert.equal(weight, kept[index] ? plain.weights.data[index] / 0.75 : 0);
  });
  assert.ok(kept.includes(true) && kept.includes(false));
  assert.ok(metrics.state.includes('not a distribution'));
  metrics.jacobian.forEach((norm, row) => {
    // ∂a_j/∂s_l = kept_j / (1 − p) · w_j (δ_jl − w_l), w the softmax's own weights
    const own = plain.weights.data.subarray(6 * row, 6 * row + 6);
    let squares = 0;
    for (let j = 0; j < 6; j++) {
      for (let l = 0; l < 6; l++) {
        const factor = kept[6 * row + j] ? own[j] / 0.75 : 0;
        squares += (factor * ((j === l ? 1 : 0) - own[l])) ** 2;
      }
    }
    assert.ok(Math.abs(norm - Math.sqrt(squares)) <= 1e-12, `row ${row}: ${norm}`);
  });
  const wide = engine.lesson({
    dK: 40,
    divisor: 'none',
    dropout: 0.25,
    tokens: ['Six', 'other', 'words', 'and', 'one', 'width'],
  });
  assert.deepEqual(
    Array.from(wide.weights.data, (weight) => weight !== 0),
    kept,
  );
});

test('through a window a row is the row of a lesson of the keys that it sees', () => {
  const tokens = ['no', 'two', 'of', 'these', 'are', 'alike', 'at all'];
  const { weights, output, visible } = engine.lesson({ tokens, dV: 3, mask: 'window', window: 3 });
  tokens.forEach((_, row) => {
    const first = Math.max(0, row - 2);
    const seen = tokens.slice(first, row + 1);
    const alone = engine.lesson({ tokens: seen, dV: 3, row: seen.length - 1, mask: 'causal' });
    assert.deepEqual(rowsOf(output)[row], rowsOf(alone.output).at(-1), `row ${row}`);
    const own = Array(7).fill(0);
    own.splice(first, seen.length, ...rowsOf(alone.weights)[seen.length - 1]);
    assert.deepEqual(rowsOf(weights)[row], own);
    const shown = tokens.map((_, key) => Number(key >= first && key <= row));
    assert.deepEqual(Array.from(visible.data.subarray(7 * row, 7 * row + 7)), shown);
  });
});

test('a window as wide as the sentence hides what a causal mask hides, and one of a key alone leaves no choice', () => {
  for (const window of [6, 2048]) {
    const { visible, weights, metrics } = engine.lesson({ mask: 'window', window });
    const causal = engine.lesson({ mask: 'causal' });
    assert.deepEqual(
      { visible, weights, metrics },
      { visible: causal.visible, weights: causal.weights, metrics: causal.metrics },
    );
  }
  const { weights, metrics } = engine.lesson({ mask: 'window', window: 1 });
  assert.deepEqual(
    weights.data,
    Float64Array.from({ length: 36 }, (_, cell) => Number(cell % 7 === 0)),
  );
  assert.deepEqual(metrics.gradient, Array(6).fill('no choice'));
  assertRefused(() => engine.lesson({ window: 0 }), 'window is 0, but must be a whole number from 1 to 2048');
});

test('the rows of a padded sentence are those of the sentence without its padding', () => {
  const tokens = ['some', 'words', 'to', 'look', 'at'];
  const padded = engine.lesson({ tokens, dV: 3, padding: 2 });
  const alone = engine.lesson({ tokens: tokens.slice(0, 3), dV: 3 });
  assert.equal(padded.padding, 2);
  assert.equal(alone.padding, 0);
  assert.deepEqual(rowsOf(padded.output).slice(0, 3), rowsOf(alone.output));
  for (const row of rowsOf(padded.weights)) {
    assert.deepEqual(row.slice(3), [0, 0]);
  }
  const blind = engine.lesson({ tokens, padding: 3, mask: 'window', window: 2, row: 4 });
  assert.equal(blind.metrics.state[4], 'no visible key');
  assert.deepEqual(rowsOf(blind.output)[4], Array(16).fill(0));
  assert.deepEqual(blind.worksheet.totals, Array(5).fill(0));
  assertRefused(() => engine.lesson({ padding: 6 }), 'padding is 6, but must be a whole number from 0 to 5');
  const task = 'but the task is to hand over the value of the token before';
  assertRefused(() => engine.train({ padding: 5 }), `padding leaves 1 token, ${task}`);
});

test('with a second sentence queries are of the first, and keys and values of the second', () => {
  const tokens = ['il', 'pleut'];
  const context = ['it', 'is', 'raining', 'pleut'];
  const across = engine.lesson({ tokens, context, dModel: 5, dK: 4, dV: 3 });
  const alone = engine.lesson({ tokens, dModel: 5, dK: 4, dV: 3 });
  assert.deepEqual(across.tokens, tokens);
  assert.deepEqual(across.keyTokens, context);
  assert.deepEqual(alone.keyTokens, tokens);
  assert.equal(alone.context, undefined);
  for (const name of /** @type {const} */ (['X', 'Q', 'Wq', 'Wk', 'Wv'])) {
    assert.deepEqual(across[name], alone[name], `${name} is what it is without`);
  }
  const { X, K, V, scores, weights, output } = across.shapes;
  assert.deepEqual(
    { X, K, V, scores, weights, output, context: across.shapes.context },
    {
      ...{ X: [2, 5], K: [4, 4], V: [4, 3], scores: [2, 4], weights: [2, 4], output: [2, 3], context: [4, 5] },
    },
  );
  const [rows, keys] = [rowsOf(across.X), rowsOf(/** @type {any} */ (across.context))];
  assert.notDeepEqual(keys[3], rows[1], 'the same word has other numbers in the other sentence');
  assert.deepEqual(engine.lesson({ tokens, context: ['pleut'], dModel: 5 }).context?.data, Float64Array.from(keys[3]));
  assert.ok(across.metrics.rowSum.every((sum) => Math.abs(sum - 1) < 1e-12));
  assert.deepEqual(across.worksheet.products.shape, [4, 4]);
  const { heads: joined, ...both } = { heads: 2, ...engine.lesson({ tokens, context, dModel: 5, heads: 2, head: 1 }) };
  assert.deepEqual(both.weights.shape, [joined, 2, 4]);
  assert.deepEqual(both.average?.shape, [2, 4]);
});

test('a mask keeps the order of places across two sentences, and padding counts keys', () => {
  const { visible, metrics } = engine.lesson({ context: ['a', 'b', 'c', 'd'], mask: 'window', window: 2, padding: 1 });
  assert.deepEqual(rowsOf(/** @type {any} */ (visible)), [
    [1, 0, 0, 0],
    [1, 1, 0, 0],
    [0, 1, 1, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ]);
  assert.deepEqual(metrics.state.slice(4), ['no visible key', 'no visible key']);
  assertRefused(
    () => engine.lesson({ context: ['a', 'b'], padding: 2 }),
    'padding is 2, but must be a whole number from 0 to 1',
  );
  assertRefused(
    () => engine.lesson({ preset: 'four-token', context: ['a', 'b'] }),
    'context holds 2 tokens, but the preset four-token has none',
  );
});

test('what a second sentence has no part in is refused in one sentence', () => {
  const context = ['a', 'b'];
  const task = 'context holds tokens, but the task is to hand over the value of the token before, in one sentence';
  assertRefused(() => engine.train({ context }), task);
  assertRefused(() => engine.taskGradients({ context }), task);
  assertRefused(() => engine.compare({}, { context }), 'context gives 2 keys, but the state to compare with has 6');
  const { difference, largest } = engine.compare({ context }, { context, divisor: 'none' });
  assert.deepEqual(difference.shape, [6, 2]);
  assert.ok(largest > 0);
  assert.deepEqual(engine.jacobians({ context: ['a', 'b', 'c'] }).scaled.shape, [3, 3]);
});

test('a lesson of 2048 tokens is whole: rows sum to 1, and every number is finite', () => {
  const tokens = Array.from({ length: 2048 }, (_, index) => `tok${index}`);
  const { weights, output, metrics, visible } = engine.lesson({ tokens, mask: 'causal' });
  assert.deepEqual(weights.shape, [2048, 2048]);
  assert.ok(output.data.every(Number.isFinite));
  assert.ok(Math.abs(metrics.spread - 1) < 0.2);
  for (const row of [0, 1, 1000, 2047]) {
    const entries = weights.data.subarray(row * 2048, (row + 1) * 2048);
    const seen = visible.data.subarray(row * 2048, (row + 1) * 2048).reduce((sum, one) => sum + one, 0);
    assert.equal(seen, row + 1);
    assert.ok(Math.abs(entries.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
    assert.equal(metrics.rowSum.length, 2048);
  }
});

test('of several heads fewer tokens fit, and the sentence says how many heads do', () => {
  const tokens = Array.from({ length: 1025 }, (_, index) => `tok${index}`);
  assertRefused(() => engine.lesson({ tokens, heads: 4 }), 'heads is 4, but with 1025 tokens must be at most 3');
  assertRefused(() => engine.lesson({ tokens, row: 1025 }), 'row is 1025, but must be a whole number from 0 to 1024');
});

test('what state.js lets pass the core accepts, at both ends of every range', () => {
  const many = Array.from({ length: 2048 }, (_, index) => `tok${index}`);
  for (const state of [
    { dModel: 1 },
    { dModel: 512 },
    { dK: 1 },
    { dK: 512 },
    { dV: 1 },
    { dV: 512 },
    { seed: 0 },
    { seed: 4294967295 },
    { row: 0 },
    { tokens: many, row: 2047, dK: 2 },
  ]) {
    assert.equal(engine.lesson(state).tokens.length >= 1, true);
  }
  assertRefused(
    () => engine.lesson({ tokens: [...many, 'one more'] }),
    'tokens holds 2049 tokens, but must hold at most 2048',
  );
});
