// Covers models/: layer 0 of models in the layout in which they are published, against an independent program in NumPy, and what
// is read of them.

import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { openFirstLayer } from 'attention-widget/models';
import { safetensorsFile, sparseSource, temporaryFolder } from '../readers/support.mjs';
import { loadEngine } from '../support.mjs';
import { fileOf, filesOf, makeModel, referenceLayer } from './support.mjs';
import { wordPiece } from './wordpiece.mjs';

const engine = await loadEngine();

/** Tokens that come again, the first and the last of the table. */
const ids = [5, 17, 299, 5, 0, 42, 42];

/**
 * @param {ArrayLike<number>} actual
 * @param {any} expected  nested lists
 * @param {number} tolerance
 * @param {string} name
 */
function assertClose(actual, expected, tolerance, name) {
  const numbers = expected.flat(Number.POSITIVE_INFINITY);
  assert.equal(actual.length, numbers.length, name);
  numbers.forEach((/** @type {number} */ number, /** @type {number} */ at) => {
    const fits = Math.abs(actual[at] - number) <= tolerance * (1 + Math.abs(number));
    assert.ok(fits, `${name}[${at}] is ${actual[at]}, expected ${number}`);
  });
}

/** A matrix of heads side by side as NumPy's (heads, n, width). @param {ArrayLike<number>} data @param {number} heads @param {number} n */
function byHeads(data, heads, n) {
  const width = data.length / (heads * n);
  return Float64Array.from(data, (_, at) => {
    const [head, row, column] = [Math.floor(at / (n * width)), Math.floor(at / width) % n, at % width];
    return data[(row * heads + head) * width + column];
  });
}

const models = /** @type {const} */ ([
  { family: 'gpt2', dModel: 48, heads: 4, dtype: 'F32' },
  { family: 'gpt2', dModel: 48, heads: 4, dtype: 'F64' },
  { family: 'gpt2', dModel: 48, heads: 4, dtype: 'BF16' },
  { family: 'bert', dModel: 48, heads: 4, dtype: 'F64' },
  { family: 'bert', dModel: 48, heads: 4, dtype: 'F16' },
  { family: 'gpt2', dModel: 768, heads: 12, dtype: 'F32' },
  { family: 'bert', dModel: 768, heads: 12, dtype: 'F32' },
]);

for (const model of models) {
  const { family, dModel, heads, dtype } = model;
  test(`every head of a ${family} of d_model ${dModel} in ${dtype} is that of the definition`, async (context) => {
    const folder = temporaryFolder(context);
    makeModel(folder, model);
    const expected = referenceLayer(folder, ids);
    const trained = await openFirstLayer(filesOf(folder));
    assert.deepEqual([trained.dModel, trained.heads, trained.dHead], [dModel, heads, dModel / heads]);
    const layer = await trained.computeIds(ids);
    assertClose(layer.X.data, expected.X, 1e-10, 'X');
    for (const role of /** @type {const} */ (['Q', 'K', 'V'])) {
      assertClose(byHeads(layer[role].data, heads, ids.length), expected[role], 1e-10, role);
    }
    for (const [Type, tolerance] of /** @type {const} */ ([
      [Float64Array, 1e-10],
      [Float32Array, 1e-5],
    ])) {
      const [query, key, value] = [layer.Q, layer.K, layer.V].map(({ data }) => ({
        data: Type.from(data),
        shape: [1, ids.length, dModel],
      }));
      const { output, scores, weights } = engine.attention({
        ...{ query, key, value, heads, isCausal: trained.isCausal, returns: ['scores', 'weights'] },
      });
      assertClose(scores?.data ?? [], expected.scores, tolerance, 'scores');
      assertClose(weights?.data ?? [], expected.weights, tolerance, 'weights');
      assertClose(byHeads(output.data, heads, ids.length), expected.output, tolerance, 'output');
    }
  });
}

test("a head's state has its own columns of Q, K and V and its family's mask, and makes a lesson", async (context) => {
  const folder = temporaryFolder(context);
  makeModel(folder, { family: 'gpt2' });
  const { Q, V, weights, output } = referenceLayer(folder, [9, 8]);
  const trained = await openFirstLayer(filesOf(folder));
  const state = trained.headState(await trained.computeIds([9, 8], ['one', 'two']), 3);
  assert.deepEqual([state.tokens, state.mask, state.K.shape], [['one', 'two'], 'causal', [2, 12]]);
  assertClose(state.Q.data, Q[3], 1e-10, 'Q');
  assertClose(state.V.data, V[3], 1e-10, 'V');
  const lesson = engine.lesson(state);
  assertClose(lesson.weights.data, weights[3], 1e-10, 'weights');
  assertClose(lesson.output.data, output[3], 1e-10, 'output');
  const layer = await trained.computeIds([1]);
  assert.throws(() => trained.headState(layer, 4), /^EngineError: head is 4, but must be from 0 to 3$/);
});

test('sentences asked for at once have each its own numbers, and a longer one has room', async (context) => {
  const folder = temporaryFolder(context);
  makeModel(folder, { family: 'bert' });
  const trained = await openFirstLayer(filesOf(folder));
  const long = Array.from({ length: 64 }, (_, at) => (7 * at) % 300);
  const layers = await Promise.all([[3, 1, 2], long, [299]].map((sentence) => trained.computeIds(sentence)));
  for (const layer of layers) {
    const { X, K } = referenceLayer(folder, layer.ids);
    assertClose(layer.X.data, X, 1e-10, 'X');
    assertClose(byHeads(layer.K.data, 4, layer.ids.length), K, 1e-10, 'K');
  }
});

/**
 * A GPT-2 of the small model's true size, 548 MB, whose bytes are made when they are asked for.
 *
 * @returns {import('../readers/support.mjs').CountingSource[]}
 */
function trueSize() {
  const d = 768;
  /** @type {Record<string, number[]>} */
  const shapes = { 'wte.weight': [50257, d], 'wpe.weight': [1024, d], 'ln_f.weight': [d], 'ln_f.bias': [d] };
  for (let layer = 0; layer < 12; layer++) {
    const of = (/** @type {string} */ name) => `h.${layer}.${name}`;
    for (const norm of ['ln_1', 'ln_2']) {
      shapes[of(`${norm}.weight`)] = [d];
      shapes[of(`${norm}.bias`)] = [d];
    }
    shapes[of('attn.bias')] = [1, 1, 1024, 1024];
    for (const [name, rows, columns] of /** @type {const} */ ([
      ['attn.c_attn', d, 3 * d],
      ['attn.c_proj', d, d],
      ['mlp.c_fc', d, 4 * d],
      ['mlp.c_proj', 4 * d, d],
    ])) {
      shapes[of(`${name}.weight`)] = [rows, columns];
      shapes[of(`${name}.bias`)] = [columns];
    }
  }
  let size = 0;
  /** @type {Record<string, object>} */
  const header = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const bytes = 4 * shape.reduce((count, length) => count * length, 1);
    header[name] = { dtype: 'F32', shape, data_offsets: [size, size + bytes] };
    size += bytes;
  }
  const start = safetensorsFile(header, new Uint8Array());
  const weights = sparseSource('model.safetensors', start.length + size, (from, to) => {
    const bytes = new Uint8Array(to - from);
    if (from < start.length) {
      bytes.set(start.subarray(from, to));
    } else {
      // Small numbers, no two neighbours alike, that depend on their place alone.
      new Float32Array(bytes.buffer).forEach((_, at, numbers) => {
        numbers[at] = (((from - start.length) / 4 + at) % 101) / 500 - 0.1;
      });
    }
    return bytes;
  });
  const config = { model_type: 'gpt2', n_embd: d, n_head: 12, n_positions: 1024, vocab_size: 50257 };
  return [fileOf('config.json', JSON.stringify(config)), weights].map(
    (file) => /** @type {import('../readers/support.mjs').CountingSource} */ (file),
  );
}

test('of 548 MB the layer and 16 tokens take 8 MiB at most, and no more than four times that in memory', async (context) => {
  const files = trueSize();
  const [, weights] = files;
  assert.ok(weights.size > 540e6 && weights.size < 560e6, `${weights.size} bytes`);
  const start = performance.now();
  const trained = await openFirstLayer(files);
  const sentence = Array.from({ length: 16 }, (_, at) => (3001 * at) % 50257);
  const { Q } = await trained.computeIds(sentence);
  context.diagnostic(
    `${weights.bytesRead} bytes read of ${weights.size}, ${trained.memory()} in memory, ${Math.round(performance.now() - start)} ms`,
  );
  assert.deepEqual(Q.shape, [16, 768]);
  assert.ok(weights.bytesRead <= 8 * 2 ** 20, `${weights.bytesRead} bytes were read`);
  assert.ok(trained.memory() <= 4 * weights.bytesRead, `${trained.memory()} bytes are held`);

  const before = weights.bytesRead;
  const times = [];
  for (let turn = 0; turn < 7; turn++) {
    const from = performance.now();
    await trained.computeIds([...sentence.slice(0, 15), 40 + turn]);
    times.push(performance.now() - from);
  }
  const median = times.sort((one, other) => one - other)[3];
  context.diagnostic(`a keystroke takes ${median.toFixed(1)} ms`);
  assert.equal(weights.bytesRead - before, 7 * 768 * 4, 'words that were seen are not read again');
});

test('reading tells how far it is, and stops where it is asked to', async () => {
  /** @type {number[]} */
  const parts = [];
  await openFirstLayer(trueSize(), { onProgress: (part) => parts.push(part) });
  assert.equal(parts.at(-1), 1);
  assert.ok(parts.length >= 10 && parts.every((part, at) => at === 0 || part > parts[at - 1]), parts.join());

  const files = trueSize();
  const controller = new AbortController();
  const reading = openFirstLayer(files, { signal: controller.signal, onProgress: () => controller.abort() });
  await assert.rejects(reading, { name: 'AbortError' });
  assert.ok(files[1].bytesRead < 2 ** 20, `${files[1].bytesRead} bytes were read`);
});

test('a tokenizer of another model and a sentence that is too long are refused', async (context) => {
  const folder = temporaryFolder(context);
  makeModel(folder, { family: 'gpt2' });
  const trained = await openFirstLayer(filesOf(folder));
  const refusal = (/** @type {string} */ sentence) => ({ name: 'EngineError', message: sentence });
  await assert.rejects(
    trained.computeIds([3, 300], ['one', 'two']),
    refusal(
      "tokenizer.json, two has id 300, but the model's table of words ends at 299: is the tokenizer another model's?",
    ),
  );
  await assert.rejects(trained.computeIds([]), refusal('text is 0 tokens, but the model has room for 1 to 64'));
  await assert.rejects(
    trained.computeIds(Array(65).fill(1)),
    refusal('text is 65 tokens, but the model has room for 1 to 64'),
  );
  await assert.rejects(
    trained.compute('the bank'),
    refusal("tokenizer.json is missing, but it makes the model's tokens of a sentence"),
  );
});

test("a sentence in BERT's own tokens goes through the layer between [CLS] and [SEP]", async (context) => {
  const folder = temporaryFolder(context);
  makeModel(folder, { family: 'bert' });
  const trained = await openFirstLayer([...filesOf(folder), fileOf('tokenizer.json', JSON.stringify(wordPiece))]);
  const layer = await trained.compute('The bank of the river');
  assert.deepEqual(layer.ids, [2, 4, 5, 6, 4, 7, 3]);
  assertClose(byHeads(layer.Q.data, 4, 7), referenceLayer(folder, layer.ids).Q, 1e-10, 'Q');
});
