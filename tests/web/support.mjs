// What the tests of this folder share.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

// By a name that the type checker does not follow: types come from the source, the code from the build.
const packageName = 'attention-widget/engine';

export const { loadEngine, EngineError } = /** @type {typeof import('../../web/engine/engine.js')} */ (
  await import(packageName)
);

/** @param {string} path  from the project's top folder */
export function readProjectFile(path) {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** @param {string} name */
export function readReference(name) {
  return JSON.parse(readProjectFile(`tests/reference/${name}`));
}

/**
 * @param {number[][]} rows
 * @param {Float64ArrayConstructor | Float32ArrayConstructor} [Type]
 * @returns {import('../../web/engine/engine.js').Tensor}
 */
export function tensor(rows, Type = Float64Array) {
  return { data: Type.from(rows.flat()), shape: [rows.length, rows[0].length] };
}

/** @param {number[][]} rows @returns {import('../../web/engine/engine.js').Tensor<Uint8Array>} */
export function booleanTensor(rows) {
  return { data: Uint8Array.from(rows.flat()), shape: [rows.length, rows[0].length] };
}

/**
 * @param {{shape: number[], data: (number | string)[]}} json
 * @param {Float32ArrayConstructor | Float64ArrayConstructor | Uint8ArrayConstructor} Type
 */
export function tensorFrom({ shape, data }, Type) {
  const numbers = data.map((entry) => (entry === '-inf' ? -Infinity : Number(entry)));
  return /** @type {any} */ ({ data: new Type(numbers), shape });
}

/**
 * The call of a case of multi_head_reference.json.
 *
 * @param {any} reference
 * @param {any} entry
 * @param {Float32ArrayConstructor | Float64ArrayConstructor} Type
 * @returns {import('../../web/engine/attention/options.js').AttentionOptions}
 */
export function callOf({ tensors }, { query, key, value, mask, options }, Type) {
  return {
    query: tensorFrom(tensors[query], Type),
    key: tensorFrom(tensors[key], Type),
    value: tensorFrom(tensors[value], Type),
    ...(mask && { mask: tensorFrom(tensors[mask], mask.endsWith('boolean') ? Uint8Array : Type) }),
    ...options,
  };
}

/** @param {...number} shape */
export const zeros = (...shape) => ({
  data: new Float64Array(shape.reduce((size, length) => size * length, 1)),
  shape,
});

let seed = 1;

/** Numbers without a pattern, from -2 to 2. @param {...number} shape */
export function scattered(...shape) {
  const tensor = zeros(...shape);
  for (let index = 0; index < tensor.data.length; index++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    tensor.data[index] = seed / 2 ** 30 - 2;
  }
  return tensor;
}

/**
 * @param {import('../../web/engine/engine.js').Tensor<any> | undefined} matrix
 * @returns {number[][]}
 */
export function rowsOf(matrix) {
  assert.ok(matrix !== undefined, 'a tensor is missing');
  const [rows, columns] = matrix.shape;
  assert.equal(matrix.data.length, rows * columns);
  return Array.from({ length: rows }, (_, row) => Array.from(matrix.data.subarray(row * columns, (row + 1) * columns)));
}

/**
 * Equal but for rounding, measured against the largest number of the row. NaN agrees with nothing; an infinity, written
 * "-inf" where it comes from a file, only with itself.
 *
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number | string>} expected
 * @param {number} tolerance
 * @param {string} [name]
 */
export function assertRowClose(actual, expected, tolerance, name = 'row') {
  assert.equal(actual.length, expected.length, `${name}: length`);
  const numbers = Array.from(expected, (entry) => (entry === '-inf' ? -Infinity : Number(entry)));
  const size = Math.max(1e-300, ...numbers.filter(Number.isFinite).map(Math.abs));
  numbers.forEach((number, index) => {
    const fits = actual[index] === number || Math.abs(actual[index] - number) <= tolerance * size;
    assert.ok(fits, `${name}[${index}] is ${actual[index]}, expected ${number}`);
  });
}

/**
 * @param {number[][]} actual
 * @param {(number | string)[][]} expected
 * @param {number} tolerance
 * @param {string} [name]
 */
export function assertRowsClose(actual, expected, tolerance, name = 'rows') {
  assert.equal(actual.length, expected.length, `${name}: number of rows`);
  expected.forEach((row, index) => {
    assertRowClose(actual[index], row, tolerance, `${name}[${index}]`);
  });
}

/**
 * @param {() => unknown} call
 * @param {string | RegExp} message  a text is the whole message
 * @param {string} [title]
 */
export function assertRefused(call, message, title) {
  assert.throws(
    call,
    (/** @type {any} */ error) => {
      assert.ok(error instanceof EngineError, `${title ?? 'refusal'}: ${error} is no EngineError`);
      assert.equal(error.name, 'EngineError');
      if (typeof message === 'string') {
        assert.equal(error.message, message);
      } else {
        assert.match(error.message, message);
      }
      return true;
    },
    title,
  );
}
