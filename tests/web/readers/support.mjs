// What the tests of the readers share: sources in memory that count what is read of them, files made byte by byte, and NumPy.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../../web/engine/engine-error.js';

/** @typedef {import('../../../web/readers/tensors.js').FoundTensor} FoundTensor */

/** @typedef {import('../../../web/readers/source.js').Source & {bytesRead: number}} CountingSource */

/**
 * @param {string} name
 * @param {Uint8Array | string} content
 * @returns {CountingSource}
 */
export function sourceOf(name, content) {
  const bytes = Uint8Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return sparseSource(name, bytes.length, (start, end) => bytes.slice(start, end));
}

/**
 * A source that makes its bytes when they are asked for.
 *
 * @param {string} name
 * @param {number} size
 * @param {(start: number, end: number) => Uint8Array<ArrayBuffer>} make
 * @returns {CountingSource}
 */
export function sparseSource(name, size, make) {
  const source = {
    name,
    size,
    bytesRead: 0,
    slice: (/** @type {number} */ start, /** @type {number} */ end) => ({
      arrayBuffer: async () => {
        assert.ok(start >= 0 && start <= end && end <= size, `asked for bytes ${start} to ${end} of ${size}`);
        source.bytesRead += end - start;
        return make(start, end).buffer;
      },
    }),
  };
  return source;
}

/**
 * @param {string} descr  as Python writes it, quotation marks and all
 * @param {string} shape  as Python writes it
 * @param {Uint8Array} data
 * @param {{version?: number, byColumns?: boolean, header?: string}} [more]
 */
export function npyFile(descr, shape, data, { version = 1, byColumns = false, header } = {}) {
  const text = header ?? `{'descr': ${descr}, 'fortran_order': ${byColumns ? 'True' : 'False'}, 'shape': ${shape}, }`;
  const before = version === 1 ? 10 : 12;
  const encoded = Buffer.from(text, version === 3 ? 'utf8' : 'latin1');
  const length = 64 * Math.ceil((before + encoded.length + 1) / 64) - before;
  const start = Buffer.alloc(before);
  start.write('\x93NUMPY', 'latin1');
  start[6] = version;
  version === 1 ? start.writeUInt16LE(length, 8) : start.writeUInt32LE(length, 8);
  return Buffer.concat([start, encoded, Buffer.alloc(length - encoded.length - 1, ' '), Buffer.from('\n'), data]);
}

/** @param {...number} numbers  float64, little-endian */
export const doubles = (...numbers) => Buffer.from(Float64Array.from(numbers).buffer);

/** @param {...number} numbers  float32, little-endian */
export const floats = (...numbers) => Buffer.from(Float32Array.from(numbers).buffer);

/** @param {string | object} header  @param {Uint8Array} data */
export function safetensorsFile(header, data) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, data]);
}

/** All numbers of a tensor as rows. @param {FoundTensor} tensor @param {{rows?: number[]}} [options] */
export async function rowsIn(tensor, options) {
  const { data, shape } = await tensor.read(options);
  assert.equal(
    data.length,
    shape.reduce((count, length) => count * length, 1),
  );
  const width = shape[shape.length - 1];
  return Array.from({ length: data.length / width }, (_, row) => [...data.subarray(row * width, (row + 1) * width)]);
}

/** @param {any} error @param {string | RegExp} message  a text is the whole message */
function isRefusal(error, message) {
  assert.ok(error instanceof EngineError, `${error?.stack ?? error} is no EngineError`);
  assert.notEqual(error.problem, null);
  typeof message === 'string' ? assert.equal(error.message, message) : assert.match(error.message, message);
  return true;
}

/** @param {() => unknown} call @param {string | RegExp} message */
export function assertRefuses(call, message) {
  assert.throws(call, (error) => isRefusal(error, message));
}

/** @param {Promise<unknown>} promise @param {string | RegExp} message */
export async function assertRejects(promise, message) {
  await assert.rejects(promise, (error) => isRefusal(error, message));
}

/** A folder that goes with the test. @param {import('node:test').TestContext} context */
export function temporaryFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), 'readers-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a program of Debian's Python in a folder, and gives what it prints.
 *
 * @param {string} folder
 * @param {string} program
 */
export function python(folder, program) {
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
