// NumPy's .npy files, versions 1.0, 2.0 and 3.0: a header that is a literal of Python, then the numbers.
//
// By hand because npyjs 1.2 hands over Fortran order unordered, refuses big-endian numbers, reads complex ones as floats, and
// takes a file that is cut off, too long or of a negative shape without a word.
// Source: NumPy, numpy/lib/format.py.

import { numberTypes } from './number-types.js';
import { countOf, refuse, shapeText } from './refusal.js';
import { bytesOf, rangesOf } from './source.js';
import { mostAxes, storedTensor, unreadableTensor } from './tensors.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */

/** "\x93NUMPY" */
export const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** Longer headers are of structured types with many fields, or made to waste time. NumPy's own limit is 10 000. */
const longestHeader = 2 ** 16;

/** What a header can take with what stands before it. */
export const mostBefore = 12 + longestHeader;

/** @type {Record<string, string>} NumPy's kinds with their bytes, and the name here */
const kinds = {
  ...{ f2: 'f16', f4: 'f32', f8: 'f64', b1: 'bool' },
  ...{ i1: 'i8', i2: 'i16', i4: 'i32', i8: 'i64', u1: 'u8', u2: 'u16', u4: 'u32', u8: 'u64' },
};

/** What is no number, or none that float64 holds: NumPy's kinds. @type {Record<string, string>} */
const others = {
  ...{ c: 'complex numbers', f: 'long floats', S: 'bytes', a: 'bytes', U: 'text', O: 'objects of Python' },
  ...{ V: 'raw bytes or a structure', M: 'dates', m: 'durations' },
};

const expectedNumbers = 'must be floats of 2, 4 or 8 bytes, whole numbers of 1 to 8, or bool';

/**
 * A literal of Python, as far as headers have them: dictionaries, tuples, lists, texts, whole numbers, True, False, None.
 * Dictionaries come as lists of pairs.
 *
 * @param {string} text
 * @param {(found: string) => never} fail
 */
function parseLiteral(text, fail) {
  const tokens = /\s*(?:([{}()[\],:])|'([^'\\\n]*)'|"([^"\\\n]*)"|(-?\d+)L?(?!\w)|(True|False|None)(?!\w))/y;
  /** @type {RegExpExecArray} */
  let token;

  const advance = () => {
    const at = tokens.lastIndex;
    const rest = text.slice(at).trim();
    token =
      tokens.exec(text) ??
      fail(rest === '' ? 'ends too early' : `has ${JSON.stringify(rest.slice(0, 12))} at character ${at}`);
  };

  /** @param {string} end @param {number} depth @param {boolean} isPairs @returns {any[]} */
  const list = (end, depth, isPairs) => {
    const items = [];
    for (advance(); token[1] !== end; ) {
      const item = value(depth);
      if (isPairs) {
        if (token[1] !== ':') {
          fail('has a key without a value');
        }
        advance();
      }
      items.push(isPairs ? [item, value(depth)] : item);
      if (token[1] === ',') {
        advance();
      } else if (token[1] !== end) {
        fail(`has no "${end}" where it should end`);
      }
    }
    return items;
  };

  /** The value that begins with the present token; the token after it is then the present one. @param {number} depth @returns {any} */
  const value = (depth) => {
    const [, mark, single, double, digits, word] = token;
    if (depth > 16) {
      fail('is nested more than 16 deep');
    }
    /** @type {any} */
    let result;
    if (mark === '{' || mark === '(' || mark === '[') {
      result = list({ '{': '}', '(': ')', '[': ']' }[mark], depth + 1, mark === '{');
    } else if (mark !== undefined) {
      fail(`has "${mark}" where a value should stand`);
    } else {
      result =
        single ?? double ?? (digits === undefined ? { True: true, False: false, None: null }[word] : Number(digits));
    }
    if (depth > 0) {
      advance();
    }
    return result;
  };

  advance();
  const result = value(0);
  if (text.slice(tokens.lastIndex).trim() !== '') {
    fail('goes on after its end');
  }
  return result;
}

/**
 * @param {Uint8Array} start  of the file, with the whole header where there is one: at most `mostBefore` bytes
 * @param {number} size  of the file
 * @param {string} file
 * @param {string} [member]  of an archive
 */
export function parseHeader(start, size, file, member = '') {
  const inside = (/** @type {string} */ place) => [member, place].filter(Boolean).join(' ');
  const begins = [...start.subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  if (magic.some((byte, at) => start[at] !== byte)) {
    refuse(
      file,
      inside('bytes 0 to 6'),
      begins ? `are ${begins}` : 'are missing',
      'must be 93 4e 55 4d 50 59 ("\\x93NUMPY")',
    );
  }
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const [major, minor] = [start[6], start[7]];
  const before = major === 1 ? 10 : 12;
  if (start.length < before) {
    refuse(file, inside('header'), `ends after ${start.length} bytes`, `its length must stand in bytes 8 to ${before}`);
  }
  if (![1, 2, 3].includes(major) || minor !== 0) {
    refuse(file, inside('version'), `is ${major}.${minor}`, 'must be 1.0, 2.0 or 3.0');
  }
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (before + length > size) {
    refuse(file, inside('header'), `is said to have ${length} bytes`, `${size - before} are left in the file`);
  }
  if (length > longestHeader) {
    refuse(file, inside('header'), `has ${length} bytes`, `at most ${longestHeader} are read`);
  }
  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(start.subarray(before, before + length));
  /** @type {(found: string) => never} */
  const fail = (found) => refuse(file, inside('header'), found, 'must be {"descr": …, "fortran_order": …, "shape": …}');
  const pairs = parseLiteral(text, fail);
  const isOfPairs = Array.isArray(pairs) && pairs.every((pair) => Array.isArray(pair) && pair.length === 2);
  const {
    descr,
    fortran_order: byColumns,
    shape,
    ...rest
  } = isOfPairs ? Object.fromEntries(pairs) : fail('is no dictionary');
  if (pairs.length !== 3 || Object.keys(rest).length > 0) {
    fail(`has the keys ${pairs.map((/** @type {any} */ [key]) => String(key)).join(', ')}`);
  }
  if (typeof byColumns !== 'boolean') {
    refuse(file, inside('fortran_order'), 'is no truth value', 'must be True or False');
  }
  if (
    !Array.isArray(shape) ||
    shape.length > mostAxes ||
    !shape.every((part) => Number.isSafeInteger(part) && part >= 0)
  ) {
    const found = Array.isArray(shape) ? `is ${shapeText(shape)}` : 'is no tuple';
    refuse(file, inside('shape'), found, `must be at most ${mostAxes} whole numbers from 0`);
  }
  return { offset: before + length, descr, byColumns, shape: /** @type {number[]} */ (shape) };
}

/**
 * What a header tells of a tensor, held against the bytes that are there.
 *
 * @param {ReturnType<typeof parseHeader>} header
 * @param {number} size  of the file
 * @param {string} file
 * @param {string} name  of the tensor
 * @param {Omit<Parameters<typeof storedTensor>[0], 'file' | 'name' | 'dtype' | 'shape'>} layout
 * @returns {FoundTensor}
 */
export function tensorOf({ offset, descr, byColumns, shape }, size, file, name, layout) {
  const [, order, kind, digits] =
    (typeof descr === 'string' && /^([<>|=]?)([a-zA-Z])(\d*)(?:\[\w+\])?$/.exec(descr)) || [];
  const dtype = kinds[`${kind}${digits}`];
  if (dtype === undefined) {
    const what = typeof descr === 'string' ? (others[kind] ?? 'no type of NumPy') : 'a structure of fields';
    const word = typeof descr === 'string' ? descr : 'structured';
    const found = `is ${typeof descr === 'string' ? JSON.stringify(descr) : 'a list'}: ${what}`;
    return unreadableTensor(name, word, shape, {
      argument: `${file}, ${name} descr`,
      found,
      expected: expectedNumbers,
    });
  }
  const { bytes } = numberTypes[dtype];
  const [expected, found] = [countOf(shape) * bytes, size - offset];
  if (expected !== found) {
    const whole = Number.isFinite(expected) ? `${expected}` : 'more than any file has';
    refuse(
      file,
      name,
      `has ${found} bytes of data`,
      `${shapeText(shape)} numbers of ${bytes} bytes each need ${whole}`,
    );
  }
  return storedTensor({ ...layout, file, name, dtype, shape, isLittle: order !== '>', byColumns });
}

/** @param {Source} source @param {string} name  of the tensor @returns {Promise<FoundTensor[]>} the one */
export async function readNpy(source, name) {
  // One reading is enough for every header that NumPy writes for numbers; the second is for the others.
  let start = await bytesOf(source, 0, Math.min(source.size, 256));
  if (start[8] + 256 * start[9] > 240 || start[6] > 1) {
    start = await bytesOf(source, 0, Math.min(source.size, mostBefore));
  }
  const header = parseHeader(start, source.size, source.name);
  return [tensorOf(header, source.size, source.name, name, { fetch: rangesOf(source, header.offset) })];
}
