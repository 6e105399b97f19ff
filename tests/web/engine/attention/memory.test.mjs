// How much of WebAssembly's memory a long call takes. A file of its own, as that memory never shrinks. The call is causal,
// which takes half the time; `npm run bench` measures the whole one, whose tensors are the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRowClose, loadEngine } from '../../support.mjs';

const engine = await loadEngine();

const mebibyte = 2 ** 20;

/** The module's whole memory, of which the block for calls is a part. */
const bytesOfMemory = () => /** @type {any} */ (engine).module.reserveCall(8).buffer.byteLength;

/** @param {number} tokens @param {number} width @param {number} frequency */
function waves(tokens, width, frequency) {
  const data = Float32Array.from({ length: tokens * width }, (_, index) => Math.sin(frequency * index));
  return { data, shape: [tokens, width] };
}

test('causal attention over 16 384 tokens of width 64, the output alone, keeps the memory under 64 MiB', (context) => {
  const [tokens, width] = [16_384, 64];
  const [query, key, value] = [1.1, 2.3, 3.7].map((frequency) => waves(tokens, width, frequency));
  const { output, ...stages } = engine.attention({ query, key, value, isCausal: true, returns: [] });
  const bytes = bytesOfMemory();
  context.diagnostic(`the memory has ${(bytes / mebibyte).toFixed(1)} MiB`);
  assert.deepEqual(stages, {});
  assert.ok(bytes > 16 * mebibyte, 'the tensors alone, which are in it, take 16 MiB');
  assert.ok(bytes < 64 * mebibyte, `it has ${bytes} bytes`);

  // One row by the definition, so that the call is known to have been computed.
  const row = 9_999;
  const scores = Float64Array.from({ length: row + 1 }, (_, j) => {
    let score = 0;
    for (let c = 0; c < width; c++) {
      score += query.data[row * width + c] * key.data[j * width + c];
    }
    return score / Math.sqrt(width);
  });
  const exponentials = scores.map(Math.exp);
  const total = exponentials.reduce((sum, each) => sum + each, 0);
  const expected = new Float64Array(width);
  exponentials.forEach((weight, j) => {
    for (let c = 0; c < width; c++) {
      expected[c] += (weight / total) * value.data[j * width + c];
    }
  });
  assertRowClose(output.data.subarray(row * width, (row + 1) * width), expected, 1e-4);
});
