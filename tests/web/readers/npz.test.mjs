// Covers readers/npz.js and zip.js. Reference: NumPy, Python's zipfile, and archives changed byte by byte.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findTensors } from '../../../web/readers/formats.js';
import { assertRejects, doubles, npyFile, python, rowsIn, sourceOf, temporaryFolder } from './support.mjs';

/**
 * What Python's zipfile makes of a program that writes into `archive`.
 *
 * @param {import('node:test').TestContext} context
 * @param {string} program
 */
function archive(context, program) {
  const folder = temporaryFolder(context);
  const before = `
import io, zipfile
import numpy as np
def npy(array):
    file = io.BytesIO(); np.save(file, array); return file.getvalue()
W = np.arange(6.0).reshape(2, 3) - 2.5
`;
  python(folder, `${before}${program}`);
  return readFileSync(`${folder}/a.npz`);
}

/** @param {Uint8Array} bytes */
const find = (bytes) => findTensors(sourceOf('a.npz', bytes));

/** @param {Uint8Array} bytes @param {string | RegExp} message */
const assertRefused = (bytes, message) => assertRejects(find(bytes), message);

/** Where four bytes stand in an archive. @param {Buffer} bytes @param {number} signature @param {number} [from] */
function place(bytes, signature, from = 0) {
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32LE(signature);
  const at = bytes.indexOf(wanted, from);
  assert.notEqual(at, -1);
  return at;
}

const entry = 0x02014b50;
const end = 0x06054b50;

/** Both members deflated: the directory's entries in order. @param {import('node:test').TestContext} context */
const two = (context) => archive(context, "np.savez_compressed('a.npz', W=W, bq=np.arange(3, dtype='>i2'))");

test('stored, deflated, streamed and 64-bit archives give what NumPy wrote', async (context) => {
  for (const [title, program] of [
    ['stored', "np.savez('a.npz', W=W, bq=np.arange(3, dtype='>i2'))"],
    ['deflated', "np.savez_compressed('a.npz', W=W, bq=np.arange(3, dtype='>i2'))"],
    [
      'with data descriptors',
      `
class Stream(io.RawIOBase):
    def __init__(self): self.file = open('a.npz', 'wb')
    def writable(self): return True
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with zipfile.ZipFile(Stream(), 'w', zipfile.ZIP_DEFLATED) as z:
    z.writestr('W.npy', npy(W)); z.writestr('bq.npy', npy(np.arange(3, dtype='>i2')))
`,
    ],
    [
      '64 bits everywhere',
      `
zipfile.ZIP64_LIMIT = 10
zipfile.ZIP_FILECOUNT_LIMIT = 1
with zipfile.ZipFile('a.npz', 'w') as z:
    z.writestr('W.npy', npy(W)); z.writestr('bq.npy', npy(np.arange(3, dtype='>i2')))
    z.comment = b'a comment'
`,
    ],
  ]) {
    const { format, tensors } = await find(archive(context, program));
    assert.equal(format, 'npz', title);
    assert.deepEqual(
      tensors.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
      [
        { name: 'W', dtype: 'f64', shape: [2, 3] },
        { name: 'bq', dtype: 'i16', shape: [3] },
      ],
    );
    assert.deepEqual(
      await rowsIn(tensors[0]),
      [
        [-2.5, -1.5, -0.5],
        [0.5, 1.5, 2.5],
      ],
      title,
    );
    assert.deepEqual(await rowsIn(tensors[0], { rows: [1] }), [[0.5, 1.5, 2.5]], title);
    assert.deepEqual(await rowsIn(tensors[1]), [[0, 1, 2]], title);
  }
});

test('of a stored table the chosen rows are read; a deflated one is read from its start, and says so', async (context) => {
  for (const [save, isStored] of /** @type {[string, boolean][]} */ ([
    ['savez', true],
    ['savez_compressed', false],
  ])) {
    const source = sourceOf(
      'a.npz',
      archive(context, `np.${save}('a.npz', table=np.random.default_rng(3).normal(size=(5000, 100)))`),
    );
    const { tensors } = await findTensors(source);
    assert.ok(source.bytesRead < 70_000, `${source.bytesRead} bytes for the header`);
    const before = source.bytesRead;
    const rows = await rowsIn(tensors[0], { rows: [4999, 2] });
    const all = await rowsIn(tensors[0]);
    assert.deepEqual(rows, [all[4999], all[2]]);
    assert.deepEqual(tensors[0].notes, isStored ? [] : [{ code: 'whole', reason: 'compressed' }]);
    if (isStored) {
      assert.equal(source.bytesRead - before, 2 * 800 + 128 + 5000 * 800);
    }
  }
});

test('a byte that has changed is noticed by the CRC', async (context) => {
  const bytes = archive(context, "np.savez('a.npz', W=W)");
  bytes[bytes.indexOf(doubles(2.5)) + 6] ^= 1;
  const { tensors } = await find(bytes);
  await assertRejects(
    tensors[0].read(),
    /^a\.npz, W\.npy has the CRC [0-9a-f]{8}, but the directory says [0-9a-f]{8}: its bytes have changed$/,
  );
  const deflated = two(context);
  deflated[place(deflated, entry) + 16] ^= 1;
  const found = await find(deflated);
  await assertRejects(found.tensors[0].read({ rows: [0] }), /^a\.npz, W\.npy has the CRC/);
  assert.deepEqual(await rowsIn(found.tensors[1]), [[0, 1, 2]]);
});

test('encrypted members, unknown methods and names that stand twice are refused', async (context) => {
  const encrypted = two(context);
  encrypted[place(encrypted, entry) + 8] |= 1;
  await assertRefused(encrypted, 'a.npz, W.npy is encrypted, but must be written without a password');
  await assertRefused(
    archive(context, "z = zipfile.ZipFile('a.npz', 'w', zipfile.ZIP_LZMA); z.writestr('W.npy', npy(W)); z.close()"),
    'a.npz, W.npy is packed by method 14, but must be stored (0) or deflated (8)',
  );
  await assertRefused(
    archive(
      context,
      "import warnings; warnings.simplefilter('ignore'); z = zipfile.ZipFile('a.npz', 'w'); z.writestr('W.npy', npy(W)); z.writestr('W.npy', npy(-W)); z.close()",
    ),
    'a.npz, W.npy stands there twice, but every member must have a name of its own',
  );
});

test('a small archive that unpacks to much is refused before it does', async (context) => {
  const bomb = archive(
    context,
    "z = zipfile.ZipFile('a.npz', 'w', zipfile.ZIP_DEFLATED); f = z.open('weights.npy', 'w'); f.write(npy(np.zeros((2, 2)))); [f.write(bytes(10**6)) for _ in range(20)]; f.close(); z.close()",
  );
  assert.ok(bomb.length < 40_000);
  await assertRefused(bomb, 'a.npz, weights has 20000032 bytes of data, but (2, 2) numbers of 8 bytes each need 32');

  const lying = two(context);
  lying.writeUInt32LE(2 ** 30 + 1, place(lying, entry) + 24);
  await assertRefused(
    lying,
    'a.npz, W.npy unpacks to 1073741825 bytes, but a deflated member is read up to 1073741824',
  );

  // The directory says less than comes out.
  const small = archive(
    context,
    "z = zipfile.ZipFile('a.npz', 'w', zipfile.ZIP_DEFLATED); z.writestr('W.npy', npy(W) + bytes(10**6)); z.close()",
  );
  small.writeUInt32LE(128 + 48, place(small, entry) + 24);
  await assertRefused(small, 'a.npz, W.npy unpacks to more than its size, but the directory says 176 bytes');

  // Members that share bytes, as in archives that unpack to more than any of them holds.
  const shared = two(context);
  const second = place(shared, entry, place(shared, entry) + 1);
  shared.writeUInt32LE(0, second + 42);
  await assertRefused(shared, /^a\.npz, (W|bq)\.npy has \d+ bytes from byte 0, but they must end before byte 0$/);
});

test('a stream that does not unpack, or to less than is said, is refused', async (context) => {
  const broken = two(context);
  broken.fill(0xff, 36, 80);
  await assertRefused(broken, /^a\.npz, W\.npy does not unpack/);
  const less = two(context);
  less.writeUInt32LE(4096, place(less, entry) + 24);
  await assertRefused(less, 'a.npz, W.npy unpacks to 176 bytes, but the directory says 4096');
});

test('an archive without its end, with more after it, or with a directory that lies is refused', async (context) => {
  const whole = two(context);
  await assertRefused(whole.subarray(0, -1), /^a\.npz, end has no directory of an archive/);
  await assertRefused(Buffer.concat([whole, Buffer.from('more')]), /^a\.npz, end has no directory of an archive/);
  await assertRefused(whole.subarray(0, 100), /^a\.npz, end has no directory/);
  /** @param {(bytes: Buffer, end: number, entry: number) => void} change @param {RegExp} message */
  const assertChanged = async (change, message) => {
    const bytes = Buffer.from(whole);
    change(bytes, place(bytes, end), place(bytes, entry));
    await assertRefused(bytes, message);
  };
  await assertChanged(
    (bytes, at) => bytes.writeUInt32LE(7, at + 16),
    /^a\.npz, directory has \d+ bytes from byte 7, but must end at byte/,
  );
  await assertChanged(
    (bytes, at) => bytes.writeUInt16LE(3, at + 10),
    /^a\.npz, directory is broken at entry 2, but must list 3 members$/,
  );
  await assertChanged((bytes, at) => bytes.writeUInt16LE(1, at + 4), /^a\.npz, end is of an archive in several files/);
  await assertChanged((bytes, at) => bytes.writeUInt16LE(0xffff, at + 10), /^a\.npz, end has no directory of 64 bits/);
  await assertChanged((bytes, _, first) => bytes.writeUInt32LE(1, first), /^a\.npz, directory is broken at entry 0/);
  await assertChanged(
    (bytes, _, first) => bytes.writeUInt16LE(60000, first + 28),
    /^a\.npz, directory is broken at entry 0/,
  );
  await assertChanged(
    (bytes, _, first) => bytes.writeUInt32LE(0xffffffff, first + 24),
    /^a\.npz, directory is broken at entry 0/,
  );
  await assertChanged(
    (bytes, _, first) => bytes.writeUInt32LE(1, first + 42),
    /^a\.npz, W\.npy does not begin at byte 1/,
  );
});

test('what is no array beside arrays is named, and an archive without one says what it is', async (context) => {
  const mixed = archive(
    context,
    "z = zipfile.ZipFile('a.npz', 'w'); z.writestr('W.npy', npy(W)); z.writestr('readme.txt', 'x'); z.writestr('names.npy', npy(np.array(['a', 'b']))); z.close()",
  );
  const { tensors, notes } = await find(mixed);
  assert.deepEqual(notes, [{ code: 'ignored', names: ['readme.txt'] }]);
  assert.deepEqual(
    tensors.map(({ name, problem }) => [name, problem === null]),
    [
      ['W', true],
      ['names', false],
    ],
  );
  await assertRejects(tensors[1].read(), /^a\.npz, names descr is "<U1": text, but must be/);
  const torch = archive(context, "z = zipfile.ZipFile('a.npz', 'w'); z.writestr('archive/data.pkl', 'x'); z.close()");
  await assertRefused(
    torch,
    "a.npz is a checkpoint of PyTorch's own format, which runs code when it is opened, but save it as .safetensors",
  );
  const sheet = archive(
    context,
    "z = zipfile.ZipFile('a.npz', 'w'); z.writestr('[Content_Types].xml', 'x'); z.close()",
  );
  await assertRefused(sheet, 'a.npz is a file of a spreadsheet or text program, but save it as .csv');
  await assertRefused(
    archive(context, "zipfile.ZipFile('a.npz', 'w').close()"),
    'a.npz holds no .npy among its 0 members, but an .npz holds .npy files',
  );
  const pickled = archive(context, "np.savez('a.npz', W=np.array([{}], dtype=object))");
  await assertRefused(pickled, /^a\.npz, W descr is "\|O": objects of Python, but/);
});

test('a member that is no .npy inside is refused by its name', async (context) => {
  const wrong = archive(context, "z = zipfile.ZipFile('a.npz', 'w'); z.writestr('W.npy', 'no array'); z.close()");
  await assertRefused(wrong, /^a\.npz, W\.npy bytes 0 to 6 are 6e 6f 20 61 72 72, but must be/);
  const empty = archive(context, "z = zipfile.ZipFile('a.npz', 'w'); z.writestr('W.npy', ''); z.close()");
  await assertRefused(empty, /^a\.npz, W\.npy bytes 0 to 6 are missing/);
});

test('a long header of a member is read whole', async (context) => {
  const header = `{'descr': '<f8',${' '.repeat(3000)}'fortran_order': False, 'shape': (2,)}`;
  const folder = temporaryFolder(context);
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${folder}/W.npy`, npyFile('', '', doubles(0.5, 7), { version: 2, header }));
  python(
    folder,
    "import zipfile; z = zipfile.ZipFile('a.npz', 'w', zipfile.ZIP_DEFLATED); z.write('W.npy'); z.close()",
  );
  const { tensors } = await find(readFileSync(`${folder}/a.npz`));
  assert.deepEqual(await rowsIn(tensors[0]), [[0.5, 7]]);
});
