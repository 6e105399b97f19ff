// Which format a file has, by its content and by its name, and what is in it.

import { EngineError } from '../engine/engine-error.js';
import { readTable } from './delimited.js';
import { readJson } from './json.js';
import { magic, readNpy } from './npy.js';
import { readNpz } from './npz.js';
import { looksPrinted, readPrinted } from './printed.js';
import { refuse } from './refusal.js';
import { readSafetensors } from './safetensors.js';
import { bytesOf, largestText, textOf } from './source.js';

/** @typedef {import('./delimited.js').TableOptions} TableOptions */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('./tensors.js').Note} Note */

/** @typedef {'npy' | 'npz' | 'safetensors' | 'json' | 'table' | 'printed'} Format */

/**
 * What a file or a text holds.
 *
 * @typedef {object} Found
 * @property {Format} format
 * @property {FoundTensor[]} tensors
 * @property {Note[]} notes  on the file as a whole
 */

/** The endings of names, and what they promise. @type {Record<string, Format>} */
const endings = {
  npy: 'npy',
  npz: 'npz',
  safetensors: 'safetensors',
  json: 'json',
  csv: 'table',
  tsv: 'table',
  txt: 'table',
};

/** What people drop and nothing here reads, by its first bytes. @type {[number[], string][]} */
const strangers = [
  [[0x47, 0x47, 0x55, 0x46], 'a GGUF file'],
  [[0x89, 0x48, 0x44, 0x46], 'an HDF5 file'],
  [[0x80, 2], 'a pickle of Python, which runs code when it is opened'],
  [[0x80, 3], 'a pickle of Python, which runs code when it is opened'],
  [[0x80, 4], 'a pickle of Python, which runs code when it is opened'],
  [[0x80, 5], 'a pickle of Python, which runs code when it is opened'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0x89, 0x50, 0x4e, 0x47], 'a picture'],
  [[0xff, 0xd8, 0xff], 'a picture'],
];

/** @param {Uint8Array} bytes @param {number[]} start */
const begins = (bytes, start) => start.every((byte, at) => bytes[at] === byte);

/**
 * The format by the first bytes, or null where they are text.
 *
 * @param {Uint8Array} start
 * @param {number} size
 * @returns {Format | null}
 */
function formatOf(start, size) {
  if (begins(start, magic)) {
    return 'npy';
  }
  if (begins(start, [0x50, 0x4b, 3, 4]) || begins(start, [0x50, 0x4b, 5, 6])) {
    return 'npz';
  }
  const length = start.length > 8 ? new DataView(start.buffer).getBigUint64(0, true) : 0n;
  const isHeader =
    length > 0n && length <= BigInt(size - 8) && /^\s*\{/.test(String.fromCharCode(...start.subarray(8)));
  return isHeader ? 'safetensors' : null;
}

/**
 * What a file holds. Of binary files only headers are read; a text is read whole.
 *
 * A file is read as what it is. Where its name says otherwise, a note says so.
 *
 * @param {Source} source
 * @param {TableOptions} [options]  of a table
 * @returns {Promise<Found>}
 * @throws {import('../engine/engine-error.js').EngineError}  with the file, the place, what was found and what was expected
 */
export async function findTensors(source, options) {
  const { name: file, size } = source;
  if (size === 0) {
    refuse(file, '', 'is empty', 'must hold a matrix');
  }
  const start = await bytesOf(source, 0, Math.min(size, 64));
  const stranger = strangers.find(([bytes]) => begins(start, bytes));
  if (stranger !== undefined) {
    refuse(file, '', `is ${stranger[1]}`, 'must be .npy, .npz, .safetensors, .csv, .tsv or .json');
  }
  const [, stem, ending = ''] = /^(.*?)(?:\.([^.]*))?$/s.exec(file) ?? [];
  const promised = Object.hasOwn(endings, ending.toLowerCase()) ? endings[ending.toLowerCase()] : undefined;
  const isBinaryByName = promised === 'npy' || promised === 'npz' || promised === 'safetensors';
  const format = formatOf(start, size) ?? (isBinaryByName ? promised : null);
  const found =
    format === null
      ? readText(await textOf(source), file, stem, options, promised)
      : await readBinary(format, source, stem);
  const isAsNamed =
    promised === undefined || promised === found.format || (promised === 'table' && found.format === 'printed');
  return isAsNamed
    ? found
    : { ...found, notes: [...found.notes, { code: 'name', named: ending, format: found.format }] };
}

/** @param {Format} format @param {Source} source @param {string} stem  of the file's name @returns {Promise<Found>} */
async function readBinary(format, source, stem) {
  const { tensors, ignored = [] } =
    format === 'npy'
      ? { tensors: await readNpy(source, stem) }
      : format === 'npz'
        ? await readNpz(source)
        : { ...(await readSafetensors(source)), ignored: [] };
  return complete(format, tensors, ignored, source.name);
}

/** @param {Format} format @param {FoundTensor[]} tensors @param {string[]} ignored @param {string} file @returns {Found} */
function complete(format, tensors, ignored, file) {
  if (tensors.length === 0) {
    refuse(file, '', 'holds no tensor', 'must hold at least one');
  }
  const [{ problem }] = tensors;
  if (problem !== null && tensors.every((tensor) => tensor.problem !== null)) {
    throw new EngineError(problem);
  }
  return { format, tensors, notes: ignored.length > 0 ? [{ code: 'ignored', names: ignored }] : [] };
}

/**
 * @param {string} text
 * @param {string} file
 * @param {string} name  of a matrix without one
 * @param {TableOptions} [options]
 * @param {Format} [promised]  by the file's name
 * @returns {Found}
 */
function readText(text, file, name, options, promised) {
  if (promised === 'json' || /^\s*\{/.test(text)) {
    const { tensors, ignored } = readJson(text, file, name);
    return complete('json', tensors, ignored, file);
  }
  return looksPrinted(text)
    ? { format: 'printed', tensors: [readPrinted(text, file, name)], notes: [] }
    : { format: 'table', tensors: [readTable(text, file, name, options)], notes: [] };
}

/**
 * What a pasted text holds: a table, JSON, or an array as NumPy prints it.
 *
 * @param {string} text
 * @param {string} label  what sentences call it: "the pasted text"
 * @param {TableOptions} [options]  of a table
 * @returns {Found}
 */
export function findInText(text, label, options) {
  if (text.length > largestText) {
    refuse(label, '', `has ${text.length} characters`, `text is read up to ${largestText}`);
  }
  // The mark that files begin with comes along where a whole file is copied.
  return readText(text.replace(/^\ufeff/, ''), label, '', options);
}
