// NumPy's .npz files: a zip archive of .npy files.
//
// A member that is stored is read as a file of its own is: rows alone, where rows are asked for. One that is deflated unpacks
// from its start. Of a member that is read as a whole the CRC is checked; of rows of a stored one it cannot be.

import { mostBefore, parseHeader, tensorOf } from './npy.js';
import { refuse } from './refusal.js';
import { rangesOf } from './source.js';
import { crc32, largestDeflated, membersOf, startOf, unpacked } from './zip.js';

/** @typedef {import('./source.js').Range} Range */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('./zip.js').Member} Member */

/** Members whose headers are read: each costs at least two reads. */
const mostMembers = 10_000;

/** @param {AsyncGenerator<Uint8Array>} parts @param {number} length */
async function gathered(parts, length) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const part of parts) {
    const taken = part.subarray(0, length - at);
    bytes.set(taken, at);
    at += taken.length;
  }
  return bytes.subarray(0, at);
}

/**
 * The bytes of some ranges of a member, all of which is unpacked and checked.
 *
 * @param {Source} source
 * @param {Member} member
 * @param {number} start
 * @param {number} offset  of the data, from which the ranges count
 * @param {Range[]} ranges
 */
async function checkedRanges(source, member, start, offset, ranges) {
  const wanted = ranges.map(([from, to]) => new Uint8Array(to - from));
  let [at, crc] = [0, 0];
  for await (const part of unpacked(source, member, start)) {
    crc = crc32(part, crc);
    ranges.forEach(([from, to], index) => {
      const [first, end] = [Math.max(offset + from, at), Math.min(offset + to, at + part.length)];
      if (first < end) {
        wanted[index].set(part.subarray(first - at, end - at), first - offset - from);
      }
    });
    at += part.length;
  }
  if (crc !== member.crc) {
    const [found, expected] = [crc, member.crc].map((sum) => sum.toString(16).padStart(8, '0'));
    refuse(source.name, member.name, `has the CRC ${found}`, `the directory says ${expected}: its bytes have changed`);
  }
  return wanted;
}

/**
 * @param {Source} source
 * @param {Member} member
 * @returns {Promise<FoundTensor>}
 */
async function readMember(source, member) {
  const { name, size, isDeflated } = member;
  if (isDeflated && size > largestDeflated) {
    refuse(source.name, name, `unpacks to ${size} bytes`, `a deflated member is read up to ${largestDeflated}`);
  }
  const start = await startOf(source, member);
  let bytes = await gathered(unpacked(source, member, start, Math.min(size, 256)), Math.min(size, 256));
  if (bytes[8] + 256 * bytes[9] > 240 || bytes[6] > 1) {
    const most = Math.min(size, mostBefore);
    bytes = await gathered(unpacked(source, member, start, most), most);
  }
  const header = parseHeader(bytes, size, source.name, name);
  const stored = rangesOf(source, start + header.offset);
  const all = size - header.offset;
  return tensorOf(header, size, source.name, name.replace(/\.npy$/, ''), {
    notes: isDeflated ? [{ code: 'whole', reason: 'compressed' }] : [],
    fetch: (ranges) =>
      !isDeflated && (ranges.length !== 1 || ranges[0][1] - ranges[0][0] !== all)
        ? stored(ranges)
        : checkedRanges(source, member, start, header.offset, ranges),
  });
}

/** @param {Source} source @returns {Promise<{tensors: FoundTensor[], ignored: string[]}>} */
export async function readNpz(source) {
  const members = await membersOf(source);
  const [arrays, rest] = [true, false].map((isArray) =>
    members.filter(({ name }) => name.endsWith('.npy') === isArray),
  );
  if (arrays.length === 0) {
    const isOfPickles = rest.some(({ name }) => /(^|\/)data\.pkl$/.test(name));
    const isSheet = rest.some(({ name }) => name === '[Content_Types].xml');
    const found = isOfPickles
      ? "is a checkpoint of PyTorch's own format, which runs code when it is opened"
      : isSheet
        ? 'is a file of a spreadsheet or text program'
        : `holds no .npy among its ${rest.length} members`;
    const expected = isOfPickles ? 'save it as .safetensors' : isSheet ? 'save it as .csv' : 'an .npz holds .npy files';
    refuse(source.name, '', found, expected);
  }
  if (arrays.length > mostMembers) {
    refuse(source.name, 'directory', `lists ${arrays.length} arrays`, `at most ${mostMembers} are read`);
  }
  const tensors = [];
  for (const member of arrays) {
    tensors.push(await readMember(source, member));
  }
  return { tensors, ignored: rest.map(({ name }) => name) };
}
