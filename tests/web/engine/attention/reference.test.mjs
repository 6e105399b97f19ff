// One head of attention against an independent reference. Covers engine.attention from options to result.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRowClose, assertRowsClose, loadEngine, readReference, rowsOf, tensor } from '../../support.mjs';

const engine = await loadEngine();
const attentionReference = readReference('attention_reference.json');

/** @param {any} entry @param {Float64ArrayConstructor | Float32ArrayConstructor} Type */
function referenceInputs({ n_query: queries, n_key: keys, d_k: width, d_v: valueWidth }, Type) {
  const block = (/** @type {number[][]} */ rows, /** @type {number} */ count, /** @type {number} */ columns) =>
    tensor(
      rows.slice(0, count).map((row) => row.slice(0, columns)),
      Type,
    );
  return {
    query: block(attentionReference.Q, queries, width),
    key: block(attentionReference.K, keys, width),
    value: block(attentionReference.V, keys, valueWidth),
  };
}

for (const { Type, tolerance } of [
  { Type: Float64Array, tolerance: 1e-12 },
  { Type: Float32Array, tolerance: 1e-5 },
]) {
  test(`attention in ${Type.name.slice(0, 7)} gives what an independent reference gives, at every shape`, () => {
    assert.ok(attentionReference.cases.length >= 40);
    for (const entry of attentionReference.cases) {
      const name = `(${entry.n_query}, ${entry.n_key}, d_k ${entry.d_k}, causal ${entry.is_causal})`;
      const { output, weights } = engine.attention({
        ...referenceInputs(entry, Type),
        isCausal: entry.is_causal,
      });
      assert.ok(output.data instanceof Type && weights?.data instanceof Type, `${name}: type`);
      assert.deepEqual(output.shape, [entry.n_query, entry.d_v]);
      assert.deepEqual(weights.shape, [entry.n_query, entry.n_key]);
      assertRowsClose(rowsOf(output), entry.output, tolerance, `${name} output`);
      const rows = rowsOf(weights);
      if (entry.weights !== undefined) {
        assertRowsClose(rows, entry.weights, tolerance, `${name} weights`);
      } else {
        assertRowClose(
          rows.map((row) => Math.max(...row)),
          entry.peak,
          tolerance,
          `${name} peak`,
        );
        const entropy = rows.map((row) => -row.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0));
        assertRowClose(entropy, entry.entropy, tolerance, `${name} entropy`);
      }
    }
  });
}
