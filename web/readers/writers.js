// Matrices as files that the readers, NumPy and PyTorch read back bit for bit: .npy, .csv, JSON, and several of them as .npz or
// .safetensors. Numbers are float64 in all of them.

import { describe, EngineError } from '../engine/engine-error.js';
import { countOf, indexesOf, placeText, shapeText } from './refusal.js';
import { crc32 } from './zip.js';

/** @typedef {{data: ArrayLike<number>, shape: readonly number[]}} Writable */

/** @param {string} argument @param {Writable} matrix */
function requireFinite(argument, { data, shape }) {
  const lengths = [...shape];
  if (data.length !== countOf(lengths)) {
    throw new EngineError({
      argument,
      found: `has ${data.length} numbers`,
      expected: `its shape is ${shapeText(lengths)}`,
    });
  }
  for (let at = 0; at < data.length; at++) {
    if (!Number.isFinite(data[at])) {
      const place = placeText(indexesOf(at, lengths));
      throw new EngineError({
        argument: `${argument}${place}`,
        found: `is ${data[at]}`,
        expected: 'only finite numbers are written',
      });
    }
  }
}

/** @param {Record<string, Writable>} matrices @returns {[string, Writable][]} */
function requireMatrices(matrices) {
  const entries = Object.entries(matrices);
  for (const [name, matrix] of entries) {
    requireFinite(name, matrix);
  }
  return entries;
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** float64, little-endian. @param {ArrayLike<number>} data */
function bytesOfNumbers(data) {
  const view = new DataView(new ArrayBuffer(8 * data.length));
  for (let at = 0; at < data.length; at++) {
    view.setFloat64(8 * at, data[at], true);
  }
  return new Uint8Array(view.buffer);
}

/** A number of a file's own, little-endian, in so many bytes. @param {number} bytes @param {number} value */
function little(bytes, value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value), true);
  return new Uint8Array(view.buffer, 0, bytes);
}

const utf8 = new TextEncoder();

/**
 * The shortest text that reads back as the number. JavaScript's own loses the sign of -0, and Python's whole numbers have none.
 *
 * @param {number} number
 */
const numberText = (number) => (Object.is(number, -0) ? '-0.0' : String(number));

/**
 * Version 1.0, `<f8`, row-major.
 *
 * @param {Writable} matrix  of any rank
 */
export function toNpy(matrix) {
  requireFinite('matrix', matrix);
  return npyBytes(matrix);
}

/** @param {Writable} matrix */
function npyBytes({ data, shape }) {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${tuple}), }`;
  const header = `${text.padEnd(64 * Math.ceil((10 + text.length + 1) / 64) - 11)}\n`;
  const start = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0);
  return joined([start, little(2, header.length), utf8.encode(header), bytesOfNumbers(data)]);
}

/**
 * Lines of numbers with decimal points, parted by commas.
 *
 * @param {Writable} matrix  of rank 1 (one line) or 2
 */
export function toCsv(matrix) {
  requireFinite('matrix', matrix);
  return rowsOf(matrix)
    .map((row) => `${row.map(numberText).join(',')}\r\n`)
    .join('');
}

/** @param {Writable} matrix */
function rowsOf({ data, shape }) {
  if (shape.length !== 1 && shape.length !== 2) {
    throw new EngineError({
      argument: 'matrix',
      found: `has shape ${shapeText([...shape])}`,
      expected: 'a table has rows and columns',
    });
  }
  const width = shape[shape.length - 1];
  const all = Array.from(data);
  return Array.from({ length: all.length / width }, (_, row) => all.slice(row * width, (row + 1) * width));
}

/**
 * Nested arrays, a row a line.
 *
 * @param {Writable} matrix  of any rank from 1
 */
export function toJson(matrix) {
  requireFinite('matrix', matrix);
  return `${nested(Array.from(matrix.data), matrix.shape)}\n`;
}

/** @param {number[]} data @param {readonly number[]} shape @returns {string} */
function nested(data, [length, ...rest]) {
  if (rest.length === 0) {
    return `[${data.map(numberText).join(', ')}]`;
  }
  const size = data.length / length;
  return `[${Array.from({ length }, (_, at) => nested(data.slice(at * size, (at + 1) * size), rest)).join(',\n')}]`;
}

/**
 * A zip archive of .npy files, stored, with the same bytes whenever it is written.
 *
 * @param {Record<string, Writable>} matrices
 */
export function toNpz(matrices) {
  const directory = [];
  const members = [];
  let offset = 0;
  for (const [name, matrix] of requireMatrices(matrices)) {
    const [file, bytes] = [utf8.encode(`${name}.npy`), npyBytes(matrix)];
    // Version 2.0, names in UTF-8, stored, midnight of 1980-01-01, CRC, twice the size, the name's length, no extra field.
    const shared = joined([
      ...[little(2, 20), little(2, 0x800), little(2, 0), little(2, 0), little(2, 0x21), little(4, crc32(bytes))],
      ...[little(4, bytes.length), little(4, bytes.length), little(2, file.length), little(2, 0)],
    ]);
    members.push(little(4, 0x04034b50), shared, file, bytes);
    // No comment, first file, no attributes; then where the member begins.
    directory.push(little(4, 0x02014b50), little(2, 20), shared, new Uint8Array(10), little(4, offset), file);
    offset += 30 + file.length + bytes.length;
  }
  const count = Object.keys(matrices).length;
  const list = joined(directory);
  const end = [little(2, count), little(2, count), little(4, list.length), little(4, offset), little(2, 0)];
  if (offset + list.length >= 2 ** 32 || count >= 0xffff) {
    throw new EngineError({
      argument: 'matrices',
      found: `take ${offset} bytes in ${count} files`,
      expected: 'an archive here holds less than 4 GiB in 65535',
    });
  }
  return joined([...members, list, little(4, 0x06054b50), little(4, 0), ...end]);
}

/**
 * @param {Record<string, Writable>} matrices
 * @param {Record<string, string>} [metadata]
 */
export function toSafetensors(matrices, metadata) {
  let end = 0;
  const entries = requireMatrices(matrices).map(([name, { data, shape }]) => {
    if (name === '__metadata__') {
      throw new EngineError({
        argument: 'matrices',
        found: `has ${describe(name)}`,
        expected: 'the format keeps this name for texts',
      });
    }
    const start = end;
    end += 8 * data.length;
    return [name, { dtype: 'F64', shape, data_offsets: [start, end] }];
  });
  const header = utf8.encode(
    JSON.stringify(
      Object.fromEntries(/** @type {any} */ (metadata ? [['__metadata__', metadata], ...entries] : entries)),
    ),
  );
  // Blanks after it, so that numbers begin at a multiple of 8.
  const blanks = new Uint8Array((8 - (header.length % 8)) % 8).fill(0x20);
  const numbers = Object.values(matrices).map(({ data }) => bytesOfNumbers(data));
  return joined([little(8, header.length + blanks.length), header, blanks, ...numbers]);
}
