// Covers readers/npy.js, number-types.js and the reading of rows in tensors.js. Reference: NumPy, and bytes by hand.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findTensors } from '../../../web/readers/formats.js';
import {
  assertRejects,
  doubles,
  npyFile,
  python,
  rowsIn,
  sourceOf,
  sparseSource,
  temporaryFolder,
} from './support.mjs';

/** @param {Uint8Array} bytes */
async function only(bytes) {
  const { format, tensors } = await findTensors(sourceOf('w.npy', bytes));
  assert.equal(format, 'npy');
  assert.equal(tensors.length, 1);
  return tensors[0];
}

/** @param {Uint8Array} bytes @param {string | RegExp} message */
const assertFileRefused = (bytes, message) => assertRejects(findTensors(sourceOf('w.npy', bytes)), message);

test('a column-major file is read in rows, and chosen rows of it too', async () => {
  const tensor = await only(npyFile("'<f8'", '(2, 3)', doubles(1, 4, 2, 5, 3, 6), { byColumns: true }));
  assert.deepEqual(await rowsIn(tensor), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.deepEqual(await rowsIn(tensor, { rows: [1] }), [[4, 5, 6]]);
  assert.deepEqual(tensor.notes, [{ code: 'whole', reason: 'columns' }]);
});

test('big-endian floats, bytes and truth values are what they are', async () => {
  const big = await only(npyFile("'>f4'", '(2, 2)', Buffer.from('3f800000400000004040000040800000', 'hex')));
  assert.deepEqual(await rowsIn(big), [
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(await rowsIn(await only(npyFile("'|u1'", '(2, 2)', Buffer.from('00ff8001', 'hex')))), [
    [0, 255],
    [128, 1],
  ]);
  assert.deepEqual(await rowsIn(await only(npyFile("'|b1'", '(2, 2)', Buffer.from('01000101', 'hex')))), [
    [1, 0],
    [1, 1],
  ]);
});

test('all types, byte orders, axis orders and versions of NumPy give the numbers that NumPy has', async (context) => {
  const folder = temporaryFolder(context);
  const listed = python(
    folder,
    `
import itertools, json
import numpy as np
rng = np.random.default_rng(7)
values = rng.normal(size=(3, 4)) * 50
shapes = {'matrix': (3, 4), 'row': (12,), 'cube': (3, 2, 2), 'scalar': ()}
listed = []
for kind, order, (label, shape), columns, version in itertools.product(
    ['f2', 'f4', 'f8', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'b1'], '<>', shapes.items(), [False, True], [(1, 0), (2, 0), (3, 0)]):
    array = np.abs(values) if kind[0] == 'u' else values
    array = array.astype(order + kind).reshape(shape) if shape else array.astype(order + kind)[1, 2]
    array = np.asarray(array, order='F' if columns else 'C')
    name = f'{kind}{"l" if order == "<" else "b"}{label}{columns}{version[0]}.npy'
    with open(name, 'wb') as file:
        np.lib.format.write_array(file, array, version=version)
    listed.append({'name': name, 'shape': list(array.shape), 'data': np.asarray(array, dtype='<f8').ravel().tolist()})
print(json.dumps(listed))
`,
  );
  const files = JSON.parse(listed);
  assert.equal(files.length, 12 * 2 * 4 * 2 * 3);
  for (const { name, shape, data } of files) {
    const tensor = await only(readFileSync(`${folder}/${name}`));
    const read = await tensor.read();
    assert.deepEqual({ name, shape: read.shape, data: [...read.data] }, { name, shape, data });
    assert.deepEqual(tensor.shape, shape);
  }
});

test('every number of 16 bits is what NumPy makes of it', async (context) => {
  const folder = temporaryFolder(context);
  python(
    folder,
    "import numpy as np; b = np.arange(2**16, dtype='<u2').view('<f2'); b = b[np.isfinite(b)]; np.save('h', b); np.save('d', b.astype('<f8'))",
  );
  const [half, wide] = await Promise.all(
    ['h', 'd'].map(async (name) => (await only(readFileSync(`${folder}/${name}.npy`))).read()),
  );
  assert.equal(half.data.length, 2 ** 16 - 2 ** 11);
  assert.deepEqual(new BigUint64Array(half.data.buffer), new BigUint64Array(wide.data.buffer));
});

test('a header may have any spacing, any order and either quotation mark', async () => {
  const headers = [
    "{'descr':'<f8','fortran_order':False,'shape':(1,2)}",
    '{ "shape" : ( 1 , 2 ) , "fortran_order" : False , "descr" : "<f8" }',
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L), }",
  ];
  for (const header of headers) {
    assert.deepEqual(await rowsIn(await only(npyFile('', '', doubles(0.5, -2), { header }))), [[0.5, -2]], header);
  }
});

test('a whole number that float64 does not hold is refused where it stands, and a large one that it holds is read', async () => {
  const numbers = Buffer.from(BigInt64Array.of(1n, -(2n ** 60n), 9007199254740993n, 4n).buffer);
  const tensor = await only(npyFile("'<i8'", '(2, 2)', numbers));
  await assertRejects(
    tensor.read(),
    'w.npy, w[1][0] is 9007199254740993, but must be a finite number that float64 holds exactly',
  );
  assert.deepEqual(await rowsIn(tensor, { rows: [0] }), [[1, -(2 ** 60)]]);
});

test('what is not finite is refused where it stands, also where columns were stored or rows chosen', async () => {
  const entries = doubles(1, 2, 3, 4, Number.NaN, 6);
  await assertRejects(
    (await only(npyFile("'<f8'", '(2, 3)', entries))).read(),
    /^w\.npy, w\[1\]\[1\] is NaN, but must/,
  );
  await assertRejects(
    (await only(npyFile("'<f8'", '(2, 3)', entries, { byColumns: true }))).read(),
    /^w\.npy, w\[0\]\[2\] is NaN/,
  );
  await assertRejects(
    (await only(npyFile("'<f8'", '(3, 2)', entries))).read({ rows: [0, 2] }),
    /^w\.npy, w\[2\]\[0\] is NaN/,
  );
  await assertRejects(
    (await only(npyFile("'<f8'", '(1,)', doubles(-Infinity)))).read(),
    /^w\.npy, w\[0\] is -Infinity/,
  );
});

test('types that are no numbers of a lesson are refused by name', async () => {
  const rest = 'must be floats of 2, 4 or 8 bytes, whole numbers of 1 to 8, or bool';
  for (const [descr, found] of [
    ["'<c16'", 'is "<c16": complex numbers'],
    ["'<U5'", 'is "<U5": text'],
    ["'|S3'", 'is "|S3": bytes'],
    ["'|O'", 'is "|O": objects of Python'],
    ["'<f16'", 'is "<f16": long floats'],
    ["'<V2'", 'is "<V2": raw bytes or a structure'],
    ["'<M8[ns]'", 'is "<M8[ns]": dates'],
    ["[('a', '<f4'), ('b', '<i4', (2, 2))]", 'is a list: a structure of fields'],
    ["'constructor'", 'is "constructor": no type of NumPy'],
  ]) {
    await assertFileRefused(npyFile(descr, '(1,)', doubles(1, 2)), `w.npy, w descr ${found}, but ${rest}`);
  }
});

test('a file that is cut off, too long or lies about itself is refused with what was found and expected', async () => {
  const whole = npyFile("'<f8'", '(2, 3)', doubles(1, 2, 3, 4, 5, 6));
  const need = '(2, 3) numbers of 8 bytes each need 48';
  await assertFileRefused(whole.subarray(0, -5), `w.npy, w has 43 bytes of data, but ${need}`);
  await assertFileRefused(Buffer.concat([whole, Buffer.alloc(4)]), `w.npy, w has 52 bytes of data, but ${need}`);
  await assertFileRefused(Buffer.alloc(0), 'w.npy is empty, but must hold a matrix');
  await assertFileRefused(
    npyFile("'<f8'", '(65536, 65536)', Buffer.alloc(0)),
    /^w\.npy, w has 0 bytes of data, but \(65536, 65536\) numbers of 8 bytes each need 34359738368$/,
  );
  await assertFileRefused(
    npyFile("'<f8'", '(4294967296, 4294967296, 1, 1)', Buffer.alloc(8)),
    /need more than any file has$/,
  );
  await assertFileRefused(
    npyFile("'<f8'", '(-1, 2)', doubles(1, 2)),
    'w.npy, shape is (-1, 2), but must be at most 32 whole numbers from 0',
  );
  await assertFileRefused(
    npyFile("'<f8'", `(${'1, '.repeat(33)})`, doubles(1)),
    /^w\.npy, shape is \(1, 1, 1, 1, 1, 1, 1, 1, …\), but/,
  );
  await assertFileRefused(
    Buffer.from('\x93NUMPX\x01\x00', 'latin1'),
    /^w\.npy, bytes 0 to 6 are 93 4e 55 4d 50 58, but must be 93 4e 55 4d 50 59/,
  );
  await assertFileRefused(
    whole.subarray(0, 7),
    'w.npy, header ends after 7 bytes, but its length must stand in bytes 8 to 10',
  );
  const lying = Buffer.from(whole);
  lying.writeUInt16LE(60000, 8);
  await assertFileRefused(
    lying,
    `w.npy, header is said to have 60000 bytes, but ${whole.length - 10} are left in the file`,
  );
  const later = Buffer.from(whole);
  later[6] = 4;
  await assertFileRefused(later, 'w.npy, version is 4.0, but must be 1.0, 2.0 or 3.0');
});

test('a header that is no dictionary of the three keys is refused', async () => {
  for (const [header, found] of [
    ['not Python', 'has "not Python" at character 0'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)", 'ends too early'],
    ["{'descr': '<f8', 'fortran_order': False}", 'has the keys descr, fortran_order'],
    [
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), '__proto__': (1,)}",
      'has the keys descr, fortran_order, shape, __proto__',
    ],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} 7", 'goes on after its end'],
    ["{'descr' '<f8'}", 'has a key without a value'],
    ['(1, 2)', 'is no dictionary'],
    ['['.repeat(40), 'is nested more than 16 deep'],
    ["{'descr': __import__('os')}", `has "__import__('" at character 9`],
  ]) {
    const escaped = found.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+$/, '\\d+');
    await assertFileRefused(
      npyFile('', '', doubles(1), { header }),
      new RegExp(`^w\\.npy, header ${escaped}, but must be`),
    );
  }
  await assertFileRefused(
    npyFile("'<f8'", '(1,)', doubles(1), { header: "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}" }),
    /^w\.npy, fortran_order is no truth value/,
  );
});

test('of a large table the header and the chosen rows are read, and nothing else', async () => {
  const [rows, width] = [50_257, 1280];
  const start = npyFile("'<f8'", `(${rows}, ${width})`, Buffer.alloc(0));
  const source = sparseSource('table.npy', start.length + rows * width * 8, (from, to) => {
    const bytes = new Uint8Array(to - from);
    bytes.set(start.subarray(from, to));
    for (let at = Math.max(from, start.length); at + 8 <= to; at += 8) {
      new DataView(bytes.buffer).setFloat64(at - from, (at - start.length) / 8, true);
    }
    return bytes;
  });
  assert.ok(source.size > 500_000_000);
  const { tensors } = await findTensors(source);
  assert.ok(source.bytesRead <= 64 + 256, `${source.bytesRead} bytes for the header`);
  const before = source.bytesRead;
  const taken = await rowsIn(tensors[0], { rows: [50_256, 0, 7, 8, 7] });
  assert.equal(source.bytesRead - before, 5 * width * 8);
  assert.deepEqual(
    taken.map(([first]) => first),
    [50_256 * width, 0, 7 * width, 8 * width, 7 * width],
  );
  assert.equal(taken[0][width - 1], rows * width - 1);
});

test('rows that are not there, and more numbers than one reading gives, are refused', async () => {
  const tensor = await only(npyFile("'<f8'", '(2, 3)', doubles(1, 2, 3, 4, 5, 6)));
  for (const row of [2, -1, 0.5, Number.NaN]) {
    await assertRejects(tensor.read({ rows: [0, row] }), `w.npy, w has no row ${row}, but its shape is (2, 3)`);
  }
  const start = npyFile("'|u1'", '(16384, 16384)', Buffer.alloc(0));
  const source = sparseSource('large.npy', start.length + 2 ** 28, (from, to) =>
    Uint8Array.from({ length: to - from }, (_, at) => start[from + at] ?? 0),
  );
  const { tensors } = await findTensors(source);
  await assertRejects(
    tensors[0].read(),
    'large.npy, large would give (16384, 16384) numbers, but one reading gives at most 67108864: take rows of it',
  );
});

test('a source that gives other bytes than asked for is refused', async () => {
  const bytes = npyFile("'<f8'", '(2,)', doubles(1, 2));
  const shrunk = { name: 'w.npy', size: bytes.length, slice: () => ({ arrayBuffer: async () => new ArrayBuffer(1) }) };
  await assertRejects(
    findTensors(shrunk),
    'w.npy, bytes 0 to 64 came as 1 bytes, but the file must stay as it was when it was chosen',
  );
  const gone = { ...shrunk, slice: () => ({ arrayBuffer: async () => Promise.reject(new Error('gone')) }) };
  await assertRejects(findTensors(gone), /^w\.npy, bytes 0 to 64 cannot be read \(Error: gone\)/);
});
