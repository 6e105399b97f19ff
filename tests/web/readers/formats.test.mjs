// Covers readers/formats.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInText, findTensors } from '../../../web/readers/formats.js';
import { largestText } from '../../../web/readers/source.js';
import { toCsv, toJson, toNpy, toNpz, toSafetensors } from '../../../web/readers/writers.js';
import { assertRefuses, assertRejects, rowsIn, sourceOf, sparseSource } from './support.mjs';

const W = { data: [1, 2, 3, 4.5, 5, 6], shape: [2, 3] };
const rows = [
  [1, 2, 3],
  [4.5, 5, 6],
];

const contents = {
  npy: toNpy(W),
  npz: toNpz({ W }),
  safetensors: toSafetensors({ W }),
  json: toJson(W),
  csv: toCsv(W),
};

test('a file is read as what it is, and a name that says otherwise is noted', async () => {
  for (const [format, content] of Object.entries(contents)) {
    for (const ending of [...Object.keys(contents), 'tsv', 'bin', '']) {
      const isOther = ending === 'json' || (format === 'csv' && ['npy', 'npz', 'safetensors'].includes(ending));
      const isText = format === 'csv' || format === 'json';
      if (isText && (isOther || ['npy', 'npz', 'safetensors'].includes(ending)) && format !== ending) {
        continue; // the next test
      }
      const found = await findTensors(sourceOf(ending ? `W.${ending}` : 'W', content));
      // An array by itself is what NumPy and Python print, too.
      const expected = format === 'csv' ? 'table' : format === 'json' && ending !== 'json' ? 'printed' : format;
      const isNamedSo =
        format === ending || ['bin', ''].includes(ending) || (isText && ['csv', 'tsv'].includes(ending));
      assert.equal(found.format, expected, `${format} as .${ending}`);
      assert.deepEqual(
        found.notes,
        isNamedSo ? [] : [{ code: 'name', named: ending, format }],
        `${format} as .${ending}`,
      );
      assert.deepEqual(
        found.tensors.map(({ name }) => name),
        ['W'],
      );
      assert.deepEqual(await rowsIn(found.tensors[0]), rows);
    }
  }
});

test('a text whose name promises a binary format, or JSON, is refused as that', async () => {
  for (const [ending, message] of /** @type {[string, RegExp][]} */ ([
    ['npy', /^W\.npy, bytes 0 to 6 are 31 2c 32 2c 33 0d, but must be 93 4e 55 4d 50 59/],
    ['npz', /^W\.npz, end has no directory of an archive/],
    ['safetensors', /^W\.safetensors, header is said to have \d+ bytes, but \d+ are left in the file$/],
    ['json', /^W\.json, line 1, character 2 is ",2,3/],
  ])) {
    await assertRejects(findTensors(sourceOf(`W.${ending}`, contents.csv)), message);
  }
});

test('files that people take for weights are refused by what they are', async () => {
  for (const [start, what] of [
    ['GGUF\x03\x00\x00\x00', 'is a GGUF file'],
    ['\x89HDF\r\n\x1a\n', 'is an HDF5 file'],
    ['\x80\x04\x95', 'is a pickle of Python, which runs code when it is opened'],
    ['%PDF-1.7', 'is a PDF'],
    ['\x89PNG\r\n', 'is a picture'],
  ]) {
    await assertRejects(
      findTensors(sourceOf('weights.bin', Buffer.from(start, 'latin1'))),
      `weights.bin ${what}, but must be .npy, .npz, .safetensors, .csv, .tsv or .json`,
    );
  }
});

test('a text too large to be read whole is refused before it is read', async () => {
  const source = sparseSource('large.csv', largestText + 1, (from, to) => new Uint8Array(to - from).fill(0x31));
  await assertRejects(
    findTensors(source),
    `large.csv has ${largestText + 1} bytes, but text is read up to ${largestText}`,
  );
  assert.ok(source.bytesRead <= 64);
});

test('a text of nothing but separators or brackets is refused before it fills the memory', () => {
  const many = 2 ** 22 + 1;
  assertRefuses(
    () => findInText('\n'.repeat(many), 'the text'),
    `the text, line ${many} has cell ${many}, but at most 4194304 are read`,
  );
  assertRefuses(
    () => findInText(','.repeat(many), 'the text'),
    `the text, line 1 has cell ${many}, but at most 4194304 are read`,
  );
  assertRefuses(
    () => findInText(`[${'[1],'.repeat(many)}`, 'the text'),
    /is entry 8388609, but at most 8388608 numbers, commas and brackets are read$/,
  );
  assertRefuses(
    () => findInText(`{"a":[${'[],'.repeat(many)}`, 'the text'),
    /is value 4194305, but at most 4194304 values are read$/,
  );
});

test('a text that repeats itself endlessly wears no pattern out', () => {
  for (const [text, message] of /** @type {[string, RegExp][]} */ ([
    [`array([1]${', a=b(c)'.repeat(10 ** 6)}!`, /^the text goes on after its last bracket, but must be one array$/],
    [`${'# a\n'.repeat(10 ** 6)}x`, /^the text, line 1000001, column 1 is "x"/],
    [`1${'.234'.repeat(10 ** 6)};2`, /^the text, line 1, column 1 is "1\.234/],
    ['1'.repeat(2 * 10 ** 6), /^the text, line 1, column 1 is "1+…", which is no number/],
    [`{"a": [${'1'.repeat(2 * 10 ** 6)}]}`, /^the text, line 1, character 8 is 1+, which is no number/],
    [`{"a": "${'\\n'.repeat(10 ** 6)}`, /a text must be whole, with escapes of JSON$/],
  ])) {
    assertRefuses(() => findInText(text, 'the text'), message);
  }
});

test('a long name is cut in a sentence', async () => {
  const name = `${'long'.repeat(100)}.npy`;
  await assertRejects(findTensors(sourceOf(name, '')), `${'long'.repeat(15)}… is empty, but must hold a matrix`);
});

test('what is pasted is known by how it begins', async () => {
  for (const [text, format] of /** @type {[string, string][]} */ ([
    ['1\t2\t3\n4,5\t5\t6\n', 'table'],
    ['\ufeff1,2,3\n4.5,5,6', 'table'],
    ['{"any": [[1, 2, 3], [4.5, 5, 6]]}', 'json'],
    ['[[1, 2, 3], [4.5, 5, 6]]', 'printed'],
    [' [[1.  2. 3. ]\n  [4.5 5. 6. ]]\n', 'printed'],
    ['array([[1. , 2. , 3. ],\n       [4.5, 5. , 6. ]])', 'printed'],
  ])) {
    const found = findInText(text, 'the pasted text');
    assert.equal(found.format, format);
    assert.deepEqual(await rowsIn(found.tensors[0]), rows, text);
  }
  assertRefuses(() => findInText('', 'the pasted text'), 'the pasted text holds no number, but must hold at least one');
  assertRefuses(
    () => findInText('the cat sat', 'the pasted text'),
    /^the pasted text, line 1, column 2 is "cat", which is no number/,
  );
});

test("the browser's own files and blobs are sources", async () => {
  const file = new File([Uint8Array.from(contents.npz)], 'W.npz');
  assert.deepEqual(await rowsIn((await findTensors(file)).tensors[0]), rows);
});
