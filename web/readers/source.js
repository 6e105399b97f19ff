// Where bytes come from, and how a few of them are taken out of many.

import { refuse } from './refusal.js';

/**
 * A browser's File, a Blob with a name, or anything that gives slices, such as ranges of an address.
 *
 * @typedef {object} Source
 * @property {string} name
 * @property {number} size  bytes
 * @property {(start: number, end: number) => {arrayBuffer: () => Promise<ArrayBuffer>}} slice
 */

/** @typedef {[start: number, end: number]} Range  bytes, the end excluded */

/** A file of text is read as a whole, and a larger one is refused. In bytes. */
export const largestText = 2 ** 26;

/**
 * Exactly the bytes asked for.
 *
 * @param {Source} source
 * @param {number} start
 * @param {number} end
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function bytesOf(source, start, end) {
  const wanted = `bytes ${start} to ${end}`;
  /** @type {ArrayBuffer} */
  let buffer;
  try {
    buffer = await source.slice(start, end).arrayBuffer();
  } catch (error) {
    refuse(source.name, wanted, `cannot be read (${error})`, 'the file must stay as it was when it was chosen');
  }
  if (buffer.byteLength !== end - start) {
    refuse(
      source.name,
      wanted,
      `came as ${buffer.byteLength} bytes`,
      'the file must stay as it was when it was chosen',
    );
  }
  return new Uint8Array(buffer);
}

/** @param {Source} source @param {number} [offset]  of the bytes that the ranges count from */
export const rangesOf =
  (source, offset = 0) =>
  /** @param {Range[]} ranges */
  (ranges) =>
    Promise.all(ranges.map(([start, end]) => bytesOf(source, offset + start, offset + end)));

/**
 * Text in UTF-8, or in UTF-16 where the file begins with its mark. The mark is no part of the text.
 *
 * @param {Source} source
 */
export async function textOf(source) {
  if (source.size > largestText) {
    refuse(source.name, '', `has ${source.size} bytes`, `text is read up to ${largestText}`);
  }
  const bytes = await bytesOf(source, 0, source.size);
  const mark = bytes[0] * 256 + bytes[1];
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const [before] = new TextDecoder(encoding).decode(bytes).split('\ufffd', 1);
    const line = before.split(/\r\n?|\n/).length;
    return refuse(source.name, `line ${line}`, `is no ${encoding.toUpperCase()}`, 'text must be saved as UTF-8');
  }
}
