// .safetensors files: a length, a header in JSON, then the tensors' bytes one after another, without a hole.
//
// By hand because the package safetensors 0.0.1 checks nothing: two tensors may share bytes, or a name, and a tensor may have
// fewer bytes than its shape needs. A file is never read as a whole: the header, then what is asked for.
// Source: huggingface/safetensors, README (format) and safetensors/src/tensor.rs (checks).

import { describe } from '../engine/engine-error.js';
import { parseJson } from './json-text.js';
import { numberTypes } from './number-types.js';
import { countOf, refuse, shapeText } from './refusal.js';
import { bytesOf, rangesOf } from './source.js';
import { mostAxes, storedTensor, unreadableTensor } from './tensors.js';

/** @typedef {import('./json-text.js').Json} Json */
/** @typedef {import('./json-text.js').JsonObject} JsonObject */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */

/** Bytes: a hundred thousand tensors. The format's authors allow 100 MB, which would fill a page's memory. */
const longestHeader = 2 ** 24;

/** Types that are read, by the format's own words. @type {Record<string, string>} */
const read = {
  ...{ F16: 'f16', BF16: 'bf16', F32: 'f32', F64: 'f64', BOOL: 'bool' },
  ...{ I8: 'i8', I16: 'i16', I32: 'i32', I64: 'i64', U8: 'u8', U16: 'u16', U32: 'u32', U64: 'u64' },
};

/** Types that are none of a lesson's, with their bits: sizes are checked all the same. @type {Record<string, number>} */
const unread = {
  ...{ F4: 4, F6_E2M3: 6, F6_E3M2: 6, F8_E5M2: 8, F8_E4M3: 8, F8_E8M0: 8, F8_E4M3FNUZ: 8, F8_E5M2FNUZ: 8, C64: 64 },
};

/** @typedef {{name: string, dtype: string, bits: number, shape: number[], start: number, end: number}} Entry */

/** @param {Json | undefined} value @returns {value is number[]} */
const isOfWholeNumbers = (value) =>
  Array.isArray(value) &&
  value.every((part) => Number.isSafeInteger(part) && Number(part) >= 0 && !Object.is(part, -0));

/** @param {string} name @param {Json} value @param {string} file @returns {Entry} */
function entryOf(name, value, file) {
  if (!(value instanceof Map)) {
    return refuse(file, name, `is ${describe(value)}`, 'must be an object with dtype, shape and data_offsets');
  }
  const [dtype, shape, offsets] = ['dtype', 'shape', 'data_offsets'].map((key) => value.get(key));
  const known = typeof dtype === 'string' && (Object.hasOwn(read, dtype) || Object.hasOwn(unread, dtype));
  if (!known) {
    return refuse(file, `${name} dtype`, `is ${describe(dtype)}`, `must be one of ${Object.keys(read).join(', ')}`);
  }
  if (!isOfWholeNumbers(shape) || shape.length > mostAxes) {
    return refuse(file, `${name} shape`, 'is no list of lengths', `must be at most ${mostAxes} whole numbers from 0`);
  }
  if (!isOfWholeNumbers(offsets) || offsets.length !== 2 || offsets[0] > offsets[1]) {
    const found = Array.isArray(offsets)
      ? `is [${offsets.slice(0, 3).map(describe).join(', ')}]`
      : `is ${describe(offsets)}`;
    return refuse(file, `${name} data_offsets`, found, 'must be a start and an end, two whole numbers from 0');
  }
  const bits = unread[dtype] ?? 8 * numberTypes[read[dtype]].bytes;
  const [start, end] = offsets;
  if (countOf(shape) * bits !== 8 * (end - start)) {
    const needed = Math.ceil((countOf(shape) * bits) / 8);
    const whole = Number.isSafeInteger(needed) ? `need ${needed}` : 'need more than any file has';
    refuse(file, name, `has ${end - start} bytes`, `${shapeText(shape)} numbers of ${dtype} ${whole}`);
  }
  return { name, dtype, bits, shape, start, end };
}

/** Tensors stand one after another: no two share a byte, and no byte belongs to none. @param {Entry[]} entries @param {number} size @param {string} file */
function requireWithoutHoles(entries, size, file) {
  let [end, before] = [0, 'the header'];
  for (const entry of entries.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (entry.start !== end) {
      refuse(
        file,
        `${entry.name} data_offsets`,
        `starts at ${entry.start}`,
        `must start at ${end}, where ${describe(before)} ends`,
      );
    }
    [end, before] = [entry.end, entry.name];
  }
  if (end !== size) {
    refuse(file, '', `has ${size} bytes of data`, `its tensors take ${end}`);
  }
}

/**
 * @param {Source} source
 * @returns {Promise<{tensors: FoundTensor[], metadata: Map<string, string>}>}  tensors in the order of the header
 */
export async function readSafetensors(source) {
  const { name: file, size } = source;
  if (size < 8) {
    refuse(file, '', `has ${size} bytes`, 'must begin with 8 bytes, the length of its header');
  }
  const length = new DataView((await bytesOf(source, 0, 8)).buffer).getBigUint64(0, true);
  if (length > BigInt(size - 8)) {
    refuse(file, 'header', `is said to have ${length} bytes`, `${size - 8} are left in the file`);
  }
  if (length > BigInt(longestHeader)) {
    refuse(file, 'header', `has ${length} bytes`, `at most ${longestHeader} are read`);
  }
  const offset = 8 + Number(length);
  const header = parseJson(utf8(await bytesOf(source, 8, offset), file), file, 'header');
  if (!(header instanceof Map)) {
    return refuse(file, 'header', `is ${describe(header)}`, 'must be an object');
  }
  const metadata = header.get('__metadata__') ?? new Map();
  if (!(metadata instanceof Map) || ![...metadata.values()].every((value) => typeof value === 'string')) {
    return refuse(file, '__metadata__', 'holds more than texts', 'must be an object of texts');
  }
  header.delete('__metadata__');
  const entries = [...header].map(([name, value]) => entryOf(name, value, file));
  requireWithoutHoles(entries, size - offset, file);
  const tensors = entries.map(({ name, dtype, shape, start }) => {
    if (Object.hasOwn(read, dtype)) {
      return storedTensor({ file, name, dtype: read[dtype], shape, fetch: rangesOf(source, offset + start) });
    }
    const expected = `must be one of ${Object.keys(read).join(', ')}`;
    return unreadableTensor(name, dtype, shape, { argument: `${file}, ${name} dtype`, found: `is ${dtype}`, expected });
  });
  return { tensors, metadata: /** @type {Map<string, string>} */ (metadata) };
}

/** @param {Uint8Array} bytes @param {string} file */
function utf8(bytes, file) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse(file, 'header', 'is no UTF-8', 'must be JSON in UTF-8');
  }
}
