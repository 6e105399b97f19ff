// Tables as spreadsheets, pandas and NumPy write them: CSV, TSV, semicolons, decimal commas, quotation marks, names.
//
// Parted by hand: d3-dsv 3 drops what follows a closing quotation mark and takes a quotation mark that never closes for the rest
// of the file; Papa Parse 5 takes decimal commas for separators. Neither says on which line a cell stood.

import { describe } from '../engine/engine-error.js';
import { isNumber, longest, mostEntries, numberIn } from './number-text.js';
import { refuse } from './refusal.js';
import { heldTensor } from './tensors.js';

/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('./tensors.js').Note} Note */

/**
 * What is taken for granted instead of being concluded from the text: what a reader chose after a look at what was found.
 *
 * @typedef {object} TableOptions
 * @property {string} [separator]  one character; " ": any blanks
 * @property {'.' | ','} [decimal]
 * @property {boolean} [header]  whether the first row holds names
 * @property {boolean} [index]  whether the first column does
 */

/** @typedef {{cells: string[], line: number}} Row */

/** What parts cells, the surest first: a comma may be a decimal mark, and a blank may stand beside any of them. */
const separators = ['\t', ';', ',', ' '];

/** Between thousands, where a decimal comma, or a decimal point, is written. */
const grouped = {
  ',': /^[+-]?[1-9]\d{0,2}(?:[.'’\u00a0\u202f]\d{3})+(?:,\d*)?$/,
  '.': /^[+-]?[1-9]\d{0,2}(?:[,'’\u00a0\u202f]\d{3})+(?:\.\d*)?$/,
};

/**
 * The cell as a number's text with a decimal point, or null where it is no number with that decimal mark.
 *
 * @param {string} cell
 * @param {'.' | ','} decimal
 */
function plainNumber(cell, decimal) {
  if (cell.length > longest) {
    return null;
  }
  const other = decimal === ',' ? '.' : ',';
  const pointed = decimal === ',' ? cell.replace(',', '.') : cell;
  if (!cell.includes(other) && isNumber(pointed)) {
    return pointed;
  }
  return grouped[decimal].test(cell)
    ? cell
        .replaceAll(other, '')
        .replace(/['’\u00a0\u202f]/g, '')
        .replace(',', '.')
    : null;
}

/**
 * The text parted into rows of cells. Blanks around a cell are dropped; blank lines at the end are no rows.
 *
 * @param {string} text
 * @param {string} separator
 * @param {number} firstLine  the text's first line in its file
 * @param {string} file
 */
function rowsOf(text, separator, firstLine, file) {
  /** @type {Row[]} */
  const rows = [];
  const blanks = separator === ' ' ? ' \\t' : separator;
  const unquoted = new RegExp(`[^\\r\\n${blanks}]*`, 'y');
  const between = new RegExp(separator === ' ' ? '[ \\t]+' : separator, 'y');
  const lineEnd = /\r\n?|\n/y;
  const leading = separator === '\t' ? / */y : /[ \t]*/y;
  let [at, line, count] = [0, firstLine, 0];

  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };

  const quoted = () => {
    const start = at;
    do {
      at = text.indexOf('"', at + 1) + 1;
      if (at === 0) {
        refuse(file, `line ${line}`, 'has a quotation mark that is never closed', 'quotation marks must come in pairs');
      }
    } while (text[at] === '"');
    const inside = text.slice(start + 1, at - 1).replaceAll('""', '"');
    line += inside.match(/\r\n?|\n/g)?.length ?? 0;
    const after = (take(unquoted) ?? '').trim();
    if (after !== '') {
      refuse(file, `line ${line}`, `has ${describe(after)} after a closing quotation mark`, 'a cell must end there');
    }
    return inside;
  };

  while (at < text.length) {
    /** @type {Row} */
    const row = { cells: [], line };
    rows.push(row);
    do {
      take(leading);
      if (++count > mostEntries) {
        refuse(file, `line ${line}`, `has cell ${count}`, `at most ${mostEntries} are read`);
      }
      row.cells.push((text[at] === '"' ? quoted() : (take(unquoted) ?? '')).trim());
    } while (
      at < text.length &&
      take(between) !== undefined &&
      !(separator === ' ' && /^[\r\n]?$/.test(text[at] ?? ''))
    );
    take(lineEnd);
    line++;
  }
  while (rows.at(-1)?.cells.every((cell) => cell === '')) {
    rows.pop();
  }
  return rows;
}

/** The separator of a text: the first of them that stands on its first line outside quotation marks. @param {string} text @param {string} file */
function separatorOf(text, file) {
  const [line] = text
    .slice(0, 2 ** 16)
    .replace(/"[^"]*"/g, '""')
    .split(/[\r\n]/, 1);
  return separators.find((separator) => line.trim().includes(separator)) ?? (/\.tsv$/i.test(file) ? '\t' : ',');
}

/**
 * The decimal mark that all numbers of the table share.
 *
 * @param {Row[]} rows
 * @param {string} separator
 * @param {string} file
 * @returns {{decimal: '.' | ',', note: Note | null}}
 */
function decimalOf(rows, separator, file) {
  /** @type {Partial<Record<'.' | ',' | 'both', {cell: string, line: number}>>} */
  const seen = {};
  for (const { cells, line } of rows) {
    for (const cell of cells) {
      const [point, comma] = [plainNumber(cell, '.'), plainNumber(cell, ',')];
      if (point !== comma) {
        seen[point === null ? ',' : comma === null ? '.' : 'both'] ??= { cell, line };
      }
    }
  }
  const { ',': comma, '.': point, both } = seen;
  if (comma !== undefined && point !== undefined) {
    refuse(
      file,
      `line ${comma.line}`,
      `has ${describe(comma.cell)}`,
      `line ${point.line} has ${describe(point.cell)}: the decimal mark must be one`,
    );
  }
  const decimal = comma !== undefined || (point === undefined && both?.cell.includes(',')) ? ',' : '.';
  // A point in a table whose cells commas part is what it seems.
  if (both === undefined || comma !== undefined || point !== undefined || (decimal === '.' && separator !== ';')) {
    return { decimal, note: null };
  }
  const [number, other] = [decimal, decimal === ',' ? '.' : ','].map((mark) =>
    Number(plainNumber(both.cell, /** @type {'.'} */ (mark))),
  );
  return { decimal, note: { code: 'ambiguous', text: both.cell, line: both.line, number, other } };
}

/** Whether texts count 0, 1, 2, …: as pandas names rows and columns that have no names. @param {string[]} texts */
const count = (texts) => texts.every((text, index) => text === String(index));

/** Whether a cell can be a name: what stands for a number, or for one that is missing, cannot. @param {string} cell */
const isName = (cell) =>
  /^[^\p{Nd}+\-.,#]/u.test(cell) && !/^(?:nan|inf|infinity|n\/?a|null|none|nil|true|false)$/i.test(cell);

/**
 * Which of the first row and the first column hold names.
 *
 * @param {Row[]} rows
 * @param {(cell: string) => boolean} isNumeric
 * @param {TableOptions} options
 */
function namesIn(rows, isNumeric, options) {
  const [first, ...rest] = rows.map(({ cells }) => cells);
  const hasCorner = first[0] === '' && first.length > 1;
  const named = hasCorner ? first.slice(1) : first;
  const areNames = named.every(isName) || (hasCorner && count(named));
  const header = options.header ?? (rest.length > 0 && areNames);
  // R writes no corner: its first row is one shorter than the others.
  const isShort = header && rest.length > 0 && rest.every((cells) => cells.length === first.length + 1);
  const column = (header ? rest : [first, ...rest]).map(([cell]) => cell);
  const areRowNames = column.every(isName) && (rest[0] ?? first).length > 1;
  const isBelowCorner = header && hasCorner && (count(column) || !column.every(isNumeric));
  const index = options.index ?? (isShort || isBelowCorner || areRowNames);
  return { header, index, isShort, isCounting: !header && first.length > 1 && rest.length > 0 && count(first) };
}

/**
 * @param {string} text
 * @param {string} file
 * @param {string} name  of the matrix
 * @param {TableOptions} [options]
 * @returns {FoundTensor}
 */
export function readTable(text, file, name, options = {}) {
  /** @type {Note[]} */
  const notes = [];
  // Excel's word for its separator, and what NumPy writes above a table.
  const [top = '', word] = /^sep=(.)(?:\r\n?|\n)/i.exec(text) ?? [];
  const comment = /# .*(?:\r\n?|\n)/y;
  comment.lastIndex = top.length;
  let [start, lines] = [top.length, 0];
  while (comment.test(text)) {
    start = comment.lastIndex;
    lines++;
  }
  if (lines > 0) {
    notes.push({ code: 'comments', lines });
  }
  const body = text.slice(start);
  const separator = options.separator ?? word ?? separatorOf(body, file);
  if (!separators.includes(separator)) {
    refuse(file, 'separator', `is ${describe(separator)}`, 'must be a tab, a semicolon, a comma or blanks');
  }
  const rows = rowsOf(body, separator, 1 + lines + (top ? 1 : 0), file);
  if (rows.length === 0) {
    refuse(file, '', 'holds no number', 'must hold at least one');
  }
  const concluded = options.decimal ? { decimal: options.decimal, note: null } : decimalOf(rows, separator, file);
  const { decimal } = concluded;
  const names = namesIn(rows, (cell) => plainNumber(cell, decimal) !== null, options);
  const matrixRows = names.header ? rows.slice(1) : rows;
  const skipped = names.index ? 1 : 0;
  const columns = Math.max(...matrixRows.slice(0, 1).map(({ cells }) => cells.length)) - skipped;
  if (matrixRows.length === 0 || columns < 1) {
    refuse(file, '', 'holds names alone', 'must hold at least one number');
  }
  notes.push({ code: 'separators', separator, decimal });
  const columnNames = names.header ? rows[0].cells.slice(names.isShort ? 0 : skipped) : undefined;
  const rowNames = names.index ? matrixRows.map(({ cells }) => cells[0]) : undefined;
  notes.push(
    ...(concluded.note ? [concluded.note] : []),
    .../** @type {Note[]} */ (columnNames ? [{ code: 'header', words: columnNames.length }] : []),
    .../** @type {Note[]} */ (rowNames ? [{ code: 'index', words: rowNames.length }] : []),
    .../** @type {Note[]} */ (names.isCounting ? [{ code: 'counting' }] : []),
  );
  const data = numbersOf(matrixRows, skipped, columns, decimal, file, notes);
  return heldTensor(file, name, { data, shape: [matrixRows.length, columns] }, { notes, rowNames, columnNames });
}

/**
 * @param {Row[]} rows
 * @param {number} skipped  columns of names
 * @param {number} columns  of numbers
 * @param {'.' | ','} decimal
 * @param {string} file
 * @param {Note[]} notes  gets one of the first thousands
 */
function numbersOf(rows, skipped, columns, decimal, file, notes) {
  const data = new Float64Array(rows.length * columns);
  let hasThousands = notes.some(({ code }) => code === 'ambiguous');
  rows.forEach(({ cells, line }, row) => {
    if (cells.length !== columns + skipped) {
      const empty = cells.every((cell) => cell === '');
      const found = empty ? 'is empty' : `has ${cells.length} ${cells.length === 1 ? 'value' : 'values'}`;
      refuse(file, `line ${line}`, found, `must have ${columns + skipped} as line ${rows[0].line} has`);
    }
    for (let column = 0; column < columns; column++) {
      const cell = cells[column + skipped];
      const plain = plainNumber(cell, decimal);
      const number = numberIn(plain ?? cell);
      if (typeof number === 'string') {
        const found = cell === '' ? 'is empty' : `is ${describe(cell)}, which ${number}`;
        refuse(file, `line ${line}, column ${column + skipped + 1}`, found, 'must be a finite number');
      }
      if (!hasThousands && grouped[decimal].test(cell)) {
        hasThousands = true;
        notes.push({ code: 'thousands', text: cell, line, number });
      }
      data[row * columns + column] = number;
    }
  });
  return data;
}
