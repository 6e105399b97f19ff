// Zip archives, as far as NumPy writes them: the directory at the end, members stored or deflated, sizes of 64 bits.
//
// By hand because fflate 0.8 checks no CRC, lets the later of two members of one name win, reads over the mark of encryption,
// cuts a member off where the directory lies about its size, and wants the whole file at once. Browsers and Node inflate.
// Source: PKWARE, APPNOTE.TXT 6.3.10.

import { refuse } from './refusal.js';
import { bytesOf } from './source.js';

/** @typedef {import('./source.js').Source} Source */

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {boolean} isDeflated
 * @property {number} crc
 * @property {number} packed  bytes in the archive
 * @property {number} size  bytes unpacked
 * @property {number} offset  of its local header
 */

/** Bytes of the longest directory that is read: some hundred thousand members. */
const longestDirectory = 2 ** 24;

/** A deflated member is read up to this size: it is unpacked from its start, whatever is wanted of it. In bytes. */
export const largestDeflated = 2 ** 30;

const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A number of 64 bits; beyond 2^53 one that no file reaches. @param {DataView} view @param {number} at */
const wide = (view, at) => Number(view.getBigUint64(at, true));

/**
 * Where the directory lies.
 *
 * @param {Source} source
 */
async function findDirectory(source) {
  const { name, size } = source;
  const last = Math.min(size, 22 + 0xffff);
  const from = size - last;
  const view = viewOf(await bytesOf(source, from, size));
  let at = last - 22;
  while (at >= 0 && !(view.getUint32(at, true) === endSignature && at + 22 + view.getUint16(at + 20, true) === last)) {
    at--;
  }
  if (at < 0) {
    refuse(name, 'end', 'has no directory of an archive', 'the file seems to be cut off or longer than its archive');
  }
  let entries = view.getUint16(at + 10, true);
  let length = view.getUint32(at + 12, true);
  let offset = view.getUint32(at + 16, true);
  let end = from + at;
  if (view.getUint16(at + 4, true) !== 0 && view.getUint16(at + 4, true) !== 0xffff) {
    refuse(name, 'end', 'is of an archive in several files', 'must be one file');
  }
  const isWide = at >= 20 && view.getUint32(at - 20, true) === locatorSignature;
  if (!isWide && (entries === 0xffff || length === 0xffffffff || offset === 0xffffffff)) {
    refuse(name, 'end', 'has no directory of 64 bits', 'its sizes say that there is one');
  }
  if (isWide) {
    end = wide(view, at - 12);
    if (end + 56 > from + at - 20) {
      refuse(name, 'end', `points to byte ${end}`, `the directory of 64 bits must stand before byte ${from + at - 20}`);
    }
    const wideEnd = viewOf(await bytesOf(source, end, end + 56));
    if (wideEnd.getUint32(0, true) !== end64Signature) {
      refuse(name, `byte ${end}`, 'begins no directory of 64 bits', 'the end of the archive points there');
    }
    [entries, length, offset] = [wide(wideEnd, 32), wide(wideEnd, 40), wide(wideEnd, 48)];
  }
  if (offset + length !== end || length > longestDirectory) {
    const expected = `must end at byte ${end} and have at most ${longestDirectory}`;
    refuse(name, 'directory', `has ${length} bytes from byte ${offset}`, expected);
  }
  return { entries, length, offset };
}

/**
 * The sizes of 64 bits in an entry's extra field, where those of 32 bits are full.
 *
 * @param {DataView} extra
 * @param {number[]} sizes  size, packed, offset
 * @param {() => never} fail
 */
function widened(extra, sizes, fail) {
  const full = sizes.filter((size) => size === 0xffffffff).length;
  if (full === 0) {
    return sizes;
  }
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    const length = extra.getUint16(at + 2, true);
    if (extra.getUint16(at, true) === 1 && length >= 8 * full && at + 4 + length <= extra.byteLength) {
      let from = at - 4;
      return sizes.map((size) => {
        from += size === 0xffffffff ? 8 : 0;
        return size === 0xffffffff ? wide(extra, from) : size;
      });
    }
  }
  return fail();
}

/**
 * The members of an archive, in the order of its directory.
 *
 * @param {Source} source
 * @returns {Promise<Member[]>}
 */
export async function membersOf(source) {
  const directory = await findDirectory(source);
  const view = viewOf(await bytesOf(source, directory.offset, directory.offset + directory.length));
  const file = source.name;
  /** @type {Member[]} */
  const members = [];
  let at = 0;
  /** @type {() => never} */
  const fail = () =>
    refuse(file, 'directory', `is broken at entry ${members.length}`, `must list ${directory.entries} members`);

  while (at < view.byteLength) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) {
      fail();
    }
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > view.byteLength) {
      fail();
    }
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength));
    if (flags & 0x2041) {
      refuse(file, name, 'is encrypted', 'must be written without a password');
    }
    if (method !== 0 && method !== 8) {
      refuse(file, name, `is packed by method ${method}`, 'must be stored (0) or deflated (8)');
    }
    const extra = new DataView(view.buffer, view.byteOffset + at + 46 + nameLength, extraLength);
    const short = [24, 20, 42].map((place) => view.getUint32(at + place, true));
    const [size, packed, offset] = widened(extra, short, fail);
    if (method === 0 && size !== packed) {
      refuse(file, name, `has ${packed} bytes`, `is stored and must have ${size}`);
    }
    members.push({ name, isDeflated: method === 8, crc: view.getUint32(at + 16, true), packed, size, offset });
    at = next;
  }
  if (members.length !== directory.entries) {
    fail();
  }
  requireApart(members, directory.offset, file);
  return members;
}

/** Members that share a name or bytes: the second is how an archive unpacks to more than it has. @param {Member[]} members @param {number} end @param {string} file */
function requireApart(members, end, file) {
  const names = new Set();
  for (const { name } of members) {
    if (names.has(name)) {
      refuse(file, name, 'stands there twice', 'every member must have a name of its own');
    }
    names.add(name);
  }
  const inOrder = members.toSorted((one, other) => one.offset - other.offset);
  inOrder.forEach(({ name, offset, packed }, index) => {
    const next = inOrder[index + 1]?.offset ?? end;
    if (offset + 30 + packed > next) {
      refuse(file, name, `has ${packed} bytes from byte ${offset}`, `they must end before byte ${next}`);
    }
  });
}

/**
 * Where a member's bytes begin.
 *
 * @param {Source} source
 * @param {Member} member
 */
export async function startOf(source, { name, offset, packed }) {
  const local = viewOf(await bytesOf(source, offset, offset + 30));
  const start = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (local.getUint32(0, true) !== localSignature || start + packed > source.size) {
    refuse(source.name, name, `does not begin at byte ${offset}`, 'the directory says so');
  }
  return start;
}

/** Bytes that are read of a member at a time. */
const chunk = 2 ** 20;

/**
 * What a deflated range of a file unpacks to. More of it is read only when what was read gives no more: a stream that is piped
 * may be read to its end at once.
 *
 * @param {Source} source
 * @param {number} start
 * @param {number} end
 * @param {number} first  bytes to begin with; fewer than all: reading is dearer than waiting
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* inflated(source, start, end, first) {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  const isFrugal = first < end - start;
  let [at, length, isClosed] = [start, first, false];
  /** @type {Promise<unknown>} */
  let fed = Promise.resolve();
  let next = reader.read();
  try {
    for (;;) {
      // What was fed may still be worked on: Node says that it is done as soon as it has taken it.
      const worked = fed
        .then(() => isFrugal && at > start && new Promise((done) => setTimeout(done, 4)))
        .then(() => null);
      const part = await Promise.race([next, worked]);
      if (part?.done) {
        return;
      }
      if (part) {
        yield part.value;
        next = reader.read();
      } else if (at < end) {
        const bytes = await bytesOf(source, at, Math.min(at + length, end));
        at += bytes.length;
        length = Math.min(2 * length, chunk);
        fed = writer.write(bytes);
      } else if (isClosed) {
        await next;
      } else {
        isClosed = true;
        fed = writer.close();
      }
      fed.catch(() => {});
    }
  } finally {
    next.catch(() => {});
    reader.cancel().catch(() => {});
    writer.abort().catch(() => {});
  }
}

/** @param {Source} source @param {number} start @param {number} end @returns {AsyncGenerator<Uint8Array>} */
async function* stored(source, start, end) {
  for (let at = start; at < end; at += chunk) {
    yield bytesOf(source, at, Math.min(at + chunk, end));
  }
}

/**
 * The bytes of a member as they come out of it.
 *
 * @param {Source} source
 * @param {Member} member
 * @param {number} start  where its bytes begin
 * @param {number} [most]  unpacked bytes that are wanted: no more is read than they need
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* unpacked(source, { name, isDeflated, packed, size }, start, most = size) {
  const isWhole = most === size;
  const end = start + packed;
  // A block of deflate may begin with some hundred bytes of code tables.
  const parts = isDeflated
    ? inflated(source, start, end, isWhole ? chunk : most + 512)
    : stored(source, start, isWhole ? end : start + most);
  let given = 0;
  try {
    for await (const part of parts) {
      given += part.length;
      if (given > size) {
        refuse(source.name, name, 'unpacks to more than its size', `the directory says ${size} bytes`);
      }
      yield part;
      if (given >= most && !isWhole) {
        return;
      }
    }
  } catch (error) {
    if (/** @type {any} */ (error).name === 'EngineError') {
      throw error;
    }
    refuse(source.name, name, `does not unpack (${/** @type {Error} */ (error).message})`, 'its bytes must be whole');
  }
  if (given < most) {
    refuse(source.name, name, `unpacks to ${given} bytes`, `the directory says ${size}`);
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc;
});

/** CRC-32 as zip has it, of bytes that come in parts. @param {Uint8Array} bytes @param {number} [before]  that of the parts before */
export function crc32(bytes, before = 0) {
  let crc = ~before;
  for (const byte of bytes) {
    crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
