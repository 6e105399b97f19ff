// Covers readers/safetensors.js. The broken files follow what the format's authors try in their attack scripts and tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTensors } from '../../../web/readers/formats.js';
import { readSafetensors } from '../../../web/readers/safetensors.js';
import { assertRejects, doubles, floats, rowsIn, safetensorsFile, sourceOf, sparseSource } from './support.mjs';

const data = floats(1, 2, 3, 4);
const W = { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] };

/** @param {string | object} header @param {Uint8Array} [bytes] */
const find = (header, bytes = data) => findTensors(sourceOf('w.safetensors', safetensorsFile(header, bytes)));

/** @param {string | object} header @param {string | RegExp} message @param {Uint8Array} [bytes] */
const assertHeaderRefused = (header, message, bytes) => assertRejects(find(header, bytes), message);

/** @param {Uint8Array} bytes @param {string | RegExp} message */
const assertFileRefused = (bytes, message) => assertRejects(findTensors(sourceOf('w.safetensors', bytes)), message);

test('a small file gives its matrix, and its texts', async () => {
  const bytes = safetensorsFile({ __metadata__: { format: 'pt' }, W }, data);
  const { tensors, metadata } = await readSafetensors(sourceOf('w.safetensors', bytes));
  assert.deepEqual([...metadata], [['format', 'pt']]);
  assert.deepEqual(
    tensors.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
    [{ name: 'W', dtype: 'f32', shape: [2, 2] }],
  );
  assert.deepEqual(await rowsIn(tensors[0]), [
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(await rowsIn(tensors[0], { rows: [1] }), [[3, 4]]);
});

test('every type is widened without loss', async () => {
  const bytes = Buffer.concat([
    Buffer.from('00c0003cff7b0100', 'hex'), // F16: -2, 1, 65504, 2^-24
    Buffer.from('80bf494001007f7f', 'hex'), // BF16: -1, 3.140625, 2^-133, the largest
    floats(0.1, -(2 ** -149)),
    doubles(0.1, -0),
    Buffer.from('80ff', 'hex'),
    Buffer.from('0080ff7f', 'hex'),
    Buffer.from(Int32Array.of(-(2 ** 31), 7).buffer),
    Buffer.from(BigInt64Array.of(-(2n ** 53n), 5n).buffer),
    Buffer.from(BigUint64Array.of(2n ** 63n, 5n).buffer),
    Buffer.from('0001', 'hex'),
  ]);
  const sizes = { F16: 8, BF16: 8, F32: 8, F64: 16, I8: 2, I16: 4, I32: 8, I64: 16, U64: 16, BOOL: 2 };
  const width = { F16: 2, BF16: 2, F32: 4, F64: 8, I8: 1, I16: 2, I32: 4, I64: 8, U64: 8, BOOL: 1 };
  let end = 0;
  /** @type {Record<string, object>} */
  const header = {};
  for (const [dtype, size] of Object.entries(sizes)) {
    header[dtype] = { dtype, shape: [size / width[/** @type {'F16'} */ (dtype)]], data_offsets: [end, end + size] };
    end += size;
  }
  const { tensors } = await find(header, bytes);
  const numbers = Object.fromEntries(
    await Promise.all(tensors.map(async (tensor) => [tensor.name, [...(await tensor.read()).data]])),
  );
  assert.deepEqual(numbers, {
    F16: [-2, 1, 65504, 2 ** -24],
    BF16: [-1, 3.140625, 2 ** -133, (2 - 2 ** -7) * 2 ** 127],
    F32: [Math.fround(0.1), -(2 ** -149)],
    F64: [0.1, -0],
    I8: [-128, -1],
    I16: [-32768, 32767],
    I32: [-2147483648, 7],
    I64: [-9007199254740992, 5],
    U64: [2 ** 63, 5],
    BOOL: [0, 1],
  });
});

test('a length of the header that cannot be is refused before anything is read', async () => {
  const valid = safetensorsFile({ W }, data);
  /** @param {bigint} length */
  const lying = (length) => {
    const bytes = Buffer.from(valid);
    bytes.writeBigUInt64LE(length);
    return bytes;
  };
  assert.equal(valid.length, 81);
  for (const length of [2n ** 63n, 132_095_296n, 1000n, 2n ** 64n - 1n, 74n]) {
    await assertFileRefused(
      lying(length),
      `w.safetensors, header is said to have ${length} bytes, but 73 are left in the file`,
    );
  }
  await assertFileRefused(
    Buffer.alloc(7),
    'w.safetensors has 7 bytes, but must begin with 8 bytes, the length of its header',
  );
  await assertFileRefused(lying(0n), /^w\.safetensors, header line 1, character 1 is the end/);

  const source = sparseSource('large.safetensors', 2 ** 40, (from, to) => {
    const bytes = Buffer.alloc(to - from);
    from === 0 && bytes.writeBigUInt64LE(16_777_217n);
    return Uint8Array.from(bytes);
  });
  await assertRejects(
    findTensors(source),
    'large.safetensors, header has 16777217 bytes, but at most 16777216 are read',
  );
  assert.ok(source.bytesRead <= 72, `${source.bytesRead} bytes were read`);
});

test('bytes that are missing, left over, shared or of no tensor are refused', async () => {
  const place = 'w.safetensors, ';
  const valid = safetensorsFile({ W }, data);
  await assertFileRefused(valid.subarray(0, -2), 'w.safetensors has 14 bytes of data, but its tensors take 16');
  await assertFileRefused(
    Buffer.concat([valid, Buffer.alloc(34)]),
    'w.safetensors has 50 bytes of data, but its tensors take 16',
  );
  await assertHeaderRefused(
    { W: { ...W, data_offsets: [0, 4] } },
    `${place}W has 4 bytes, but (2, 2) numbers of F32 need 16`,
  );
  await assertHeaderRefused(
    { W: { ...W, data_offsets: [16, 0] } },
    /^w\.safetensors, W data_offsets is \[16, 0\], but must be a start and an end/,
  );
  await assertHeaderRefused({ W: { ...W, data_offsets: [-16, 0] } }, /^w\.safetensors, W data_offsets is \[-16, 0\]/);
  await assertHeaderRefused(
    { W: { ...W, data_offsets: [0, 16, 16] } },
    /^w\.safetensors, W data_offsets is \[0, 16, 16\]/,
  );
  const second = { ...W, data_offsets: [8, 24] };
  await assertHeaderRefused(
    { W, V: second },
    `${place}V data_offsets starts at 8, but must start at 16, where "W" ends`,
    Buffer.alloc(24),
  );
  const half = { dtype: 'F32', shape: [2], data_offsets: [0, 8] };
  await assertHeaderRefused(
    { W: half, V: { ...half, data_offsets: [16, 24] } },
    `${place}V data_offsets starts at 16, but must start at 8, where "W" ends`,
    Buffer.alloc(24),
  );
  await assertHeaderRefused(
    { W: { ...W, data_offsets: [8, 24] } },
    `${place}W data_offsets starts at 8, but must start at 0, where "the header" ends`,
    Buffer.alloc(24),
  );
});

test('a hundred thousand tensors on the same bytes are refused quickly, and nothing is allocated for them', async () => {
  const one = { dtype: 'F32', shape: [200, 200], data_offsets: [0, 160_000] };
  const header = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`weight_${index}`, one]));
  const file = safetensorsFile(header, Buffer.alloc(160_000));
  const source = sourceOf('w.safetensors', file);
  await assertRejects(
    findTensors(source),
    'w.safetensors, weight_1 data_offsets starts at 0, but must start at 160000, where "weight_0" ends',
  );
  assert.ok(source.bytesRead <= file.length - 160_000 + 72, 'the data was read');
});

test('a name that stands twice is refused, and a name that JavaScript has a meaning for is a name', async () => {
  const text = JSON.stringify(W);
  await assertHeaderRefused(
    `{"W":${text},"W":${text}}`,
    /^w\.safetensors, header line 1, character \d+ is after a second "W", but every name must stand once$/,
  );
  await assertHeaderRefused(
    `{"W":{"dtype":"F32","dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}`,
    /is after a second "dtype"/,
  );
  await assertHeaderRefused(`{"W":${text},"\\u0057":${text}}`, /is after a second "W"/);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const { tensors } = await find(`{"${name}":${text}}`);
    assert.equal(tensors[0].name, name);
    assert.deepEqual(await rowsIn(tensors[0]), [
      [1, 2],
      [3, 4],
    ]);
  }
  assert.equal(/** @type {any} */ ({}).dtype, undefined);
  assert.deepEqual(Object.keys(Object.prototype), []);
  await assertHeaderRefused(`{"W":{"__proto__":${text}}}`, /^w\.safetensors, W dtype is undefined, but/);
});

test('shapes that overflow are refused, and lengths of 0 are not', async () => {
  await assertHeaderRefused(
    '{"W":{"dtype":"I32","shape":[2,18446744073709551614],"data_offsets":[0,16]}}',
    /is 18446744073709551614, which has no exact float64/,
  );
  await assertHeaderRefused(
    '{"W":{"dtype":"I32","shape":[2,9223372036854775807],"data_offsets":[0,16]}}',
    /is 9223372036854775807, which has no exact float64/,
  );
  await assertHeaderRefused(
    { W: { ...W, shape: [2 ** 40, 2 ** 40] } },
    'w.safetensors, W has 16 bytes, but (1099511627776, 1099511627776) numbers of F32 need more than any file has',
  );
  for (const shape of [[-2, -2], [1.5], ['2', 2], 4, null, { 0: 2 }, Array.from({ length: 33 }, () => 1)]) {
    await assertHeaderRefused({ W: { ...W, shape } }, /^w\.safetensors, W shape is no list of lengths/);
  }
  const { tensors } = await find(
    {
      empty: { dtype: 'F32', shape: [2, 0], data_offsets: [0, 0] },
      one: { dtype: 'F64', shape: [], data_offsets: [0, 8] },
    },
    doubles(7),
  );
  assert.deepEqual(await Promise.all(tensors.map(async (tensor) => [...(await tensor.read()).data])), [[], [7]]);
});

test('a header that is no object of tensors in UTF-8 is refused', async () => {
  for (const [header, message] of /** @type {[string | object, RegExp][]} */ ([
    ['[1]', /^w\.safetensors, header is an array, but must be an object$/],
    ['{', /^w\.safetensors, header line 1, character 2 is the end, but a name in quotation marks must stand here$/],
    ['\ufeff{}', /^w\.safetensors, header line 1, character 1 is "\ufeff{}"/],
    ['{} x', /nothing may follow the end$/],
    ['{}', /^w\.safetensors holds no tensor/],
    [{ W: 7 }, /^w\.safetensors, W is 7, but must be an object with dtype, shape and data_offsets$/],
    [{ W: { ...W, dtype: 'float32' } }, /^w\.safetensors, W dtype is "float32", but must be one of F16, BF16, F32/],
    [{ W: { ...W, dtype: 'toString' } }, /^w\.safetensors, W dtype is "toString"/],
    [{ W, __metadata__: { nested: {} } }, /^w\.safetensors, __metadata__ holds more than texts/],
    [`{"W":${'['.repeat(100_000)}`, /at most 64 may stand in one another$/],
  ])) {
    await assertHeaderRefused(header, message, header === '{}' ? Buffer.alloc(0) : data);
  }
  const broken = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0xff]);
  await assertFileRefused(broken, 'w.safetensors, header is no UTF-8, but must be JSON in UTF-8');
});

test('blanks may stand around the header', async () => {
  const { tensors } = await find(`\t\n ${JSON.stringify({ W })} \r\n  `);
  assert.deepEqual(await rowsIn(tensors[0]), [
    [1, 2],
    [3, 4],
  ]);
});

test('types that are no numbers of a lesson are refused by name, and the tensors beside them are read', async () => {
  const small = { dtype: 'F8_E4M3', shape: [4], data_offsets: [16, 20] };
  const message = /^w\.safetensors, small dtype is F8_E4M3, but must be one of F16, BF16, F32, F64, BOOL, I8/;
  const { tensors } = await find({ W, small }, Buffer.concat([data, Buffer.alloc(4)]));
  assert.deepEqual(
    tensors.map(({ problem }) => problem === null),
    [true, false],
  );
  assert.deepEqual(await rowsIn(tensors[0]), [
    [1, 2],
    [3, 4],
  ]);
  await assertRejects(tensors[1].read(), message);
  await assertHeaderRefused({ small: { ...small, data_offsets: [0, 4] } }, message, Buffer.alloc(4));
  for (const [dtype, shape, bytes] of /** @type {[string, number[], number][]} */ ([
    ['F4', [2, 3], 3],
    ['F6_E2M3', [4], 3],
    ['C64', [1], 8],
    ['F8_E5M2FNUZ', [3], 3],
  ])) {
    await assertHeaderRefused(
      { small: { dtype, shape, data_offsets: [0, bytes] } },
      new RegExp(`dtype is ${dtype}, but`),
      Buffer.alloc(bytes),
    );
  }
  await assertHeaderRefused(
    { small: { dtype: 'F4', shape: [3], data_offsets: [0, 2] } },
    'w.safetensors, small has 2 bytes, but (3) numbers of F4 need 2',
    Buffer.alloc(2),
  );
});

test('of half a gigabyte the header is read and the rows that are taken, and nothing else', async () => {
  const shapes = {
    wte: [50_257, 768],
    'h.0.attn.c_attn.weight': [768, 2304],
    'h.0.attn.c_attn.bias': [2304],
    rest: [86_000_000],
  };
  let end = 0;
  /** @type {Record<string, object>} */
  const header = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const size = 4 * shape.reduce((count, length) => count * length, 1);
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end + size] };
    end += size;
  }
  const start = safetensorsFile(header, Buffer.alloc(0));
  // Every number of the file is its place among all of them.
  const source = sparseSource('model.safetensors', start.length + end, (from, to) => {
    const bytes = new Uint8Array(to - from);
    bytes.set(start.subarray(from, to));
    for (let at = Math.max(from, start.length); at + 4 <= to; at += 4) {
      new DataView(bytes.buffer).setFloat32(at - from, (at - start.length) / 4, true);
    }
    return bytes;
  });
  assert.ok(source.size > 500_000_000);
  const { tensors } = await findTensors(source);
  assert.ok(source.bytesRead <= 64 + start.length, `${source.bytesRead} bytes for a header of ${start.length}`);
  let before = source.bytesRead;
  const rows = await rowsIn(tensors[0], { rows: [5, 6, 50_256, 5] });
  assert.equal(source.bytesRead - before, 4 * 768 * 4);
  assert.deepEqual(
    rows.map(([first]) => first),
    [5, 6, 50_256, 5].map((row) => Math.fround(768 * row)),
  );
  before = source.bytesRead;
  const bias = await tensors[2].read();
  assert.equal(source.bytesRead - before, 2304 * 4);
  assert.equal(bias.data[0], Math.fround(50_257 * 768 + 768 * 2304));
});
