// Covers readers/writers.js. Reference: NumPy, Python's json, csv, zipfile and struct, and the readers.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { findTensors } from '../../../web/readers/formats.js';
import { toCsv, toJson, toNpy, toNpz, toSafetensors } from '../../../web/readers/writers.js';
import { assertRefuses, python, sourceOf, temporaryFolder } from './support.mjs';

/** Numbers that rounding, a sign or an exponent would change. */
const numbers = [
  0.1,
  -0,
  5e-324,
  -1.7976931348623157e308,
  2 ** 60,
  1 / 3,
  1e21,
  -123456789.12345679,
  2 ** -1074 * 3,
  0,
  1e-7,
  9007199254740994,
];
const matrix = { data: Float64Array.from(numbers), shape: [4, 3] };
const vector = { data: Float64Array.of(-0, 2.5), shape: [2] };

/** @param {Float64Array} data */
const bitsOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex');

test('every format is read back bit for bit', async () => {
  for (const [name, content] of /** @type {[string, Uint8Array | string][]} */ ([
    ['W.npy', toNpy(matrix)],
    ['W.csv', toCsv(matrix)],
    ['W.json', toJson(matrix)],
    ['W.npz', toNpz({ W: matrix })],
    ['W.safetensors', toSafetensors({ W: matrix })],
  ])) {
    const { tensors, notes } = await findTensors(sourceOf(name, content));
    assert.deepEqual(
      tensors.map((tensor) => [tensor.name, tensor.shape]),
      [['W', [4, 3]]],
      name,
    );
    assert.deepEqual(notes, []);
    assert.equal(bitsOf((await tensors[0].read()).data), bitsOf(matrix.data), name);
  }
});

test('several matrices keep names, order and shapes', async () => {
  const all = { Wq: matrix, bq: vector, 'a.weight': { data: [7], shape: [1, 1] }, é: vector };
  for (const [name, content] of /** @type {[string, Uint8Array][]} */ ([
    ['all.npz', toNpz(all)],
    ['all.safetensors', toSafetensors(all, { by: 'hand' })],
  ])) {
    const { tensors } = await findTensors(sourceOf(name, content));
    assert.deepEqual(
      tensors.map((tensor) => [tensor.name, tensor.shape]),
      Object.entries(all).map(([its, { shape }]) => [its, shape]),
    );
    assert.equal(bitsOf((await tensors[1].read()).data), bitsOf(vector.data));
    assert.deepEqual([...(await tensors[2].read()).data], [7]);
  }
});

test('Python reads the same bits, by NumPy and by its own modules', (context) => {
  const folder = temporaryFolder(context);
  for (const [name, content] of /** @type {[string, Uint8Array | string][]} */ ([
    ['m.npy', toNpy(matrix)],
    ['v.npy', toNpy(vector)],
    ['m.csv', toCsv(matrix)],
    ['m.json', toJson(matrix)],
    ['all.npz', toNpz({ W: matrix, bq: vector })],
    ['all.safetensors', toSafetensors({ W: matrix, bq: vector }, { by: 'hand' })],
  ])) {
    writeFileSync(`${folder}/${name}`, content);
  }
  const read = JSON.parse(
    python(
      folder,
      `
import json, struct, zipfile
import numpy as np
def told(array):
    array = np.asarray(array)
    return [str(array.dtype), list(array.shape), array.astype('<f8').tobytes().hex()]
assert zipfile.ZipFile('all.npz').testzip() is None
archive = np.load('all.npz')
found = {'npy': told(np.load('m.npy')), 'vector': told(np.load('v.npy')), 'csv': told(np.loadtxt('m.csv', delimiter=',')),
         'json': told(json.load(open('m.json'))), 'npz': told(archive['W']), 'npz vector': told(archive['bq'])}
file = open('all.safetensors', 'rb').read()
length, = struct.unpack('<Q', file[:8])
assert (8 + length) % 8 == 0 and file[8:9] == b'{'
header = json.loads(file[8:8 + length])
assert header.pop('__metadata__') == {'by': 'hand'}
end = 0
for name, entry in header.items():
    first, last = entry['data_offsets']
    assert entry['dtype'] == 'F64' and first == end and last - first == 8 * int(np.prod(entry['shape']))
    end = last
    found['safetensors ' + name] = ['float64', entry['shape'], file[8 + length + first:8 + length + last].hex()]
assert 8 + length + end == len(file)
print(json.dumps(found))
`,
    ),
  );
  const [whole, short] = [
    ['float64', [4, 3], bitsOf(matrix.data)],
    ['float64', [2], bitsOf(vector.data)],
  ];
  assert.deepEqual(read, {
    npy: whole,
    vector: short,
    csv: whole,
    json: whole,
    npz: whole,
    'npz vector': short,
    'safetensors W': whole,
    'safetensors bq': short,
  });
});

test('the same matrices give the same bytes', () => {
  assert.deepEqual(toNpz({ W: matrix }), toNpz({ W: { ...matrix } }));
  assert.equal(toNpy(matrix).length % 64, (8 * 12) % 64);
});

test('what has no number, no rows or no name of its own is refused', () => {
  const broken = { data: [1, 2, Number.NaN, 4], shape: [2, 2] };
  for (const write of [toNpy, toCsv, toJson]) {
    assertRefuses(() => write(broken), 'matrix[1][0] is NaN, but only finite numbers are written');
    assertRefuses(() => write({ data: [1, 2, 3], shape: [2, 2] }), 'matrix has 3 numbers, but its shape is (2, 2)');
  }
  for (const write of [toNpz, toSafetensors]) {
    assertRefuses(() => write({ W: matrix, Wk: broken }), 'Wk[1][0] is NaN, but only finite numbers are written');
  }
  assertRefuses(
    () => toCsv({ data: [1], shape: [1, 1, 1] }),
    'matrix has shape (1, 1, 1), but a table has rows and columns',
  );
  assertRefuses(
    () => toSafetensors({ __metadata__: vector }),
    'matrices has "__metadata__", but the format keeps this name for texts',
  );
});
