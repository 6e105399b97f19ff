// A tensor in a file: known by its header, read when it is asked for, row by row where rows are asked for.

import { describe, EngineError } from '../engine/engine-error.js';
import { entryText, numberTypes } from './number-types.js';
import { countOf, indexesOf, placeText, refuse, shapeText } from './refusal.js';

/** @typedef {import('../engine/engine-error.js').Problem} Problem */
/** @typedef {import('../engine/engine.js').Tensor<Float64Array>} Matrix */
/** @typedef {import('./source.js').Range} Range */

/**
 * What a reader is told beside the numbers, as a code and its data: the sentences are the page's, in its language.
 *
 * - `name`: the file's name says `named`, and its content is `format`.
 * - `rounded`: printed with fewer digits than the numbers had.
 * - `separators`: cells were parted at `separator`, and `decimal` was taken for the decimal mark.
 * - `ambiguous`: `text` on line `line` was read as `number`, and could be `other`.
 * - `thousands`: `text` on line `line` was read with its marks between thousands: as `number`.
 * - `header`, `index`: the first row, or column, was taken for names; `words` are how many.
 * - `counting`: the first row counts 0, 1, 2, … and was taken for numbers; it may be names.
 * - `comments`: `lines` lines at the start that begin with "# ".
 * - `whole`: choosing rows saves no reading, because of `reason`: `compressed` or `columns` (stored column by column).
 * - `ignored`: `names` are no tensors.
 *
 * @typedef {{code: 'name', named: string, format: string}
 *         | {code: 'rounded'}
 *         | {code: 'separators', separator: string, decimal: '.' | ','}
 *         | {code: 'ambiguous', text: string, line: number, number: number, other: number}
 *         | {code: 'thousands', text: string, line: number, number: number}
 *         | {code: 'header' | 'index', words: number}
 *         | {code: 'counting'}
 *         | {code: 'comments', lines: number}
 *         | {code: 'whole', reason: 'compressed' | 'columns'}
 *         | {code: 'ignored', names: string[]}} Note
 */

/**
 * @typedef {object} FoundTensor
 * @property {string} name
 * @property {string} dtype  `f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool`; `text`: of a text; where there is a problem the
 *   file's own word
 * @property {number[]} shape
 * @property {Note[]} notes
 * @property {Problem | null} problem  why it cannot be read; the others of its file can
 * @property {string[]} [rowNames]  of the rows of a table
 * @property {string[]} [columnNames]
 * @property {(options?: {rows?: readonly number[]}) => Promise<Matrix>} read  all of it, row-major, or the rows asked for (of the first
 *   axis, in the order asked for); what is not a finite float64 is refused with its place
 */

/** One reading gives no more numbers than this: as float64 they take 512 MiB. */
export const mostNumbers = 2 ** 26;

/** NumPy's arrays have up to 64 axes; nothing that is looked at here has more than four. */
export const mostAxes = 32;

/**
 * The rows that were asked for.
 *
 * @param {string} file
 * @param {string} name
 * @param {number[]} shape
 * @param {readonly number[] | undefined} rows  undefined: all
 */
export function requireRows(file, name, shape, rows) {
  if (rows !== undefined) {
    const available = shape.length > 0 ? shape[0] : 0;
    const wrong = rows.find((row) => !Number.isInteger(row) || row < 0 || row >= available);
    if (wrong !== undefined) {
      refuse(file, name, `has no row ${describe(wrong)}`, `its shape is ${shapeText(shape)}`);
    }
  }
  const taken = rows === undefined ? shape : [rows.length, ...shape.slice(1)];
  if (countOf(taken) > mostNumbers) {
    refuse(
      file,
      name,
      `would give ${shapeText(taken)} numbers`,
      `one reading gives at most ${mostNumbers}: take rows of it`,
    );
  }
  return taken;
}

/** Rows of numbers that are here already. @param {Float64Array} data @param {number[]} shape @param {readonly number[]} rows */
function pick(data, shape, rows) {
  const width = countOf(shape.slice(1));
  const picked = new Float64Array(rows.length * width);
  rows.forEach((row, at) => {
    picked.set(data.subarray(row * width, (row + 1) * width), at * width);
  });
  return picked;
}

/**
 * Runs of rows that stand one after another: each is one range of bytes.
 *
 * @param {readonly number[]} rows
 * @param {number} bytes  of a row
 */
function rangesOfRows(rows, bytes) {
  /** @type {Range[]} */
  const ranges = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.[1] === row * bytes) {
      last[1] += bytes;
    } else {
      ranges.push([row * bytes, (row + 1) * bytes]);
    }
  }
  return ranges;
}

/** Numbers stored column by column (the first axis runs fastest), row by row. @param {Float64Array} data @param {number[]} shape */
function rowMajor(data, shape) {
  const ordered = new Float64Array(data.length);
  const steps = shape.map((_, axis) => countOf(shape.slice(0, axis)));
  const index = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < data.length; to++) {
    ordered[to] = data[from];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis]++;
      from += steps[axis];
      if (index[axis] < shape[axis]) {
        break;
      }
      from -= steps[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return ordered;
}

/**
 * A tensor whose bytes lie in a file.
 *
 * @param {object} layout
 * @param {string} layout.file
 * @param {string} layout.name
 * @param {string} layout.dtype
 * @param {number[]} layout.shape
 * @param {boolean} [layout.isLittle]  byte order; true
 * @param {boolean} [layout.byColumns]  Fortran order; false
 * @param {Note[]} [layout.notes]
 * @param {(ranges: Range[]) => Promise<Uint8Array[]>} layout.fetch  bytes of the tensor's own
 * @returns {FoundTensor}
 */
export function storedTensor({ file, name, dtype, shape, isLittle = true, byColumns = false, notes = [], fetch }) {
  const { bytes, read } = numberTypes[dtype];
  const isScattered = byColumns && shape.length > 1;

  return {
    name,
    dtype,
    shape,
    notes: isScattered ? [...notes, { code: 'whole', reason: 'columns' }] : notes,
    problem: null,
    async read({ rows } = {}) {
      const taken = requireRows(file, name, shape, rows);
      const isPart = rows !== undefined && !isScattered;
      if (!isPart) {
        requireRows(file, name, shape, undefined);
      }
      const ranges = isPart
        ? rangesOfRows(rows, countOf(shape.slice(1)) * bytes)
        : [/** @type {Range} */ ([0, countOf(shape) * bytes])];
      let data = new Float64Array(countOf(isPart ? taken : shape));
      let at = 0;
      for (const part of await fetch(ranges)) {
        const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
        for (let offset = 0; offset < part.byteLength; offset += bytes, at++) {
          const number = read(view, offset, isLittle);
          if (!Number.isFinite(number)) {
            const place = isScattered ? indexesOf(at, shape.toReversed()).reverse() : indexesIn(at, rows, shape);
            const found = `is ${entryText(view, offset, dtype, isLittle)}`;
            refuse(file, `${name}${placeText(place)}`, found, 'must be a finite number that float64 holds exactly');
          }
          data[at] = number;
        }
      }
      if (isScattered) {
        data = rowMajor(data, shape);
        data = rows === undefined ? data : pick(data, shape, rows);
      }
      return { data, shape: taken };
    },
  };
}

/** @param {number} at  among the entries taken @param {readonly number[] | undefined} rows @param {number[]} shape */
function indexesIn(at, rows, shape) {
  const width = countOf(shape.slice(1));
  return indexesOf(rows === undefined ? at : rows[Math.floor(at / width)] * width + (at % width), shape);
}

/**
 * A tensor whose numbers are here, read from a text.
 *
 * @param {string} file
 * @param {string} name
 * @param {Matrix} matrix
 * @param {Pick<FoundTensor, 'rowNames' | 'columnNames'> & {notes?: Note[]}} [more]
 * @returns {FoundTensor}
 */
export function heldTensor(file, name, { data, shape }, { notes = [], ...names } = {}) {
  return {
    name,
    dtype: 'text',
    shape,
    notes,
    problem: null,
    ...names,
    async read({ rows } = {}) {
      const taken = requireRows(file, name, shape, rows);
      return { data: rows === undefined ? data.slice() : pick(data, shape, rows), shape: taken };
    },
  };
}

/**
 * A tensor that cannot be read, in a file whose others can.
 *
 * @param {string} name
 * @param {string} dtype
 * @param {number[]} shape
 * @param {Problem} problem
 * @returns {FoundTensor}
 */
export const unreadableTensor = (name, dtype, shape, problem) => ({
  ...{ name, dtype, shape, problem, notes: [] },
  async read() {
    throw new EngineError(problem);
  },
});
