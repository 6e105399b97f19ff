// Covers readers/json.js and json-text.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTensors } from '../../../web/readers/formats.js';
import { parseJson } from '../../../web/readers/json-text.js';
import { assertRefuses, assertRejects, rowsIn, sourceOf } from './support.mjs';

/** @param {string} text */
const find = (text) => findTensors(sourceOf('w.json', text));

/** @param {string} text @param {string | RegExp} message */
const assertRefused = (text, message) => assertRejects(find(text), message);

test('nested arrays, data with a shape, and named matrices are read', async () => {
  const [nested] = (await find('\ufeff[[1, 2.5], [-3e-7, -0]]')).tensors;
  assert.deepEqual(
    { name: nested.name, shape: nested.shape, rows: await rowsIn(nested) },
    {
      name: 'w',
      shape: [2, 2],
      rows: [
        [1, 2.5],
        [-3e-7, -0],
      ],
    },
  );
  const [shaped] = (await find('{"shape": [3, 1], "data": [1, 2, 3]}')).tensors;
  assert.deepEqual(await rowsIn(shaped), [[1], [2], [3]]);
  const named = await find(
    '{"dK": 2, "Wq": [[1, 2]], "tokens": ["a"], "bq": [5], "Wk": null, "V": {"data": [7, 8], "shape": [1, 2]}}',
  );
  assert.deepEqual(
    named.tensors.map(({ name, shape }) => [name, shape]),
    [
      ['Wq', [1, 2]],
      ['bq', [1]],
      ['V', [1, 2]],
    ],
  );
  assert.deepEqual(named.notes, [{ code: 'ignored', names: ['dK', 'tokens', 'Wk'] }]);
  assert.deepEqual(await rowsIn(named.tensors[2]), [[7, 8]]);
});

test('rows of unequal length, and what is no number, are refused by their indexes', async () => {
  await assertRefused('[[1,2],[3]]', 'w.json, w[1] has 1 values, but must have 2 as the first has');
  await assertRefused('[[1,2],[3,4,5]]', 'w.json, w[1] has 3 values, but must have 2 as the first has');
  await assertRefused(
    '{"Wq": [[1],[2]], "Wk": [[1],[2,3]]}',
    'w.json, Wk[1] has 2 values, but must have 1 as the first has',
  );
  await assertRefused('[["0.5"]]', 'w.json, w[0][0] is "0.5", but must be a number');
  await assertRefused('[[null]]', 'w.json, w[0][0] is null, but must be a number');
  await assertRefused('[[true]]', 'w.json, w[0][0] is true, but must be a number');
  await assertRefused('[[1, [2]]]', 'w.json, w[0][1] is an array, but must be a number');
  await assertRefused('[[1], 2]', 'w.json, w[1] is 2, but must be an array of 1');
  await assertRefused('[[{}]]', 'w.json, w[0][0] is an object, but must be a number');
});

test('what holds no number is refused', async () => {
  for (const [text, found] of [
    ['[]', 'w is empty, but must hold a number'],
    ['[[]]', 'w[0] is empty, but must hold a number'],
  ]) {
    await assertRefused(text, `w.json, ${found}`);
  }
  await assertRefused('{}', /^w\.json is an object without a matrix, but must be nested arrays/);
  await assertRefused('7', /^w\.json is 7, but must be nested arrays/);
  await assertRefused('{"tokens": ["a"]}', /^w\.json is an object without a matrix/);
});

test('numbers that float64 does not hold are refused where they stand', async () => {
  await assertRefused(
    '[[1,\n 1e999]]',
    'w.json, line 2, character 2 is 1e999, which is beyond the range of float64, but a number must be a finite float64',
  );
  await assertRefused('[[9007199254740993]]', /is 9007199254740993, which has no exact float64/);
  await assertRefused('[[1e-999]]', /which is too small for float64/);
  await assertRefused(
    '[[NaN]]',
    'w.json, line 1, character 3 is "NaN]]", but a number, a text, an array, an object, true, false or null must stand here',
  );
  const [tensor] = (await find('[9007199254740992, 1152921504606847000, 0.1, 4.9e-324, 0e5]')).tensors;
  assert.deepEqual([...(await tensor.read()).data], [2 ** 53, 2 ** 60, 0.1, 5e-324, 0]);
});

test('data that does not fill its shape is refused', async () => {
  await assertRefused('{"data": [1, 2, 3], "shape": [2, 2]}', 'w.json, w data has 3 values, but its shape is (2, 2)');
  await assertRefused('{"data": [1, "2"], "shape": [2]}', 'w.json, w data[1] is "2", but must be a number');
  await assertRefused(
    '{"data": [], "shape": [0]}',
    /^w\.json, w shape is an array, but must be an array of whole numbers from 1/,
  );
  await assertRefused('{"data": 5, "shape": [1]}', 'w.json, w data is 5, but must be an array of numbers');
  await assertRefused(
    '{"data": [1], "shape": [4294967296, 4294967296]}',
    /w data has 1 values, but its shape is \(4294967296, 4294967296\)$/,
  );
});

test('deep nesting is refused without an overflow of the stack', async () => {
  await assertRefused(
    '['.repeat(100_000),
    'w.json, line 1, character 65 is "[[[[[[[[[[[[[[[[[[[[", but at most 64 may stand in one another',
  );
  await assertRefused(
    `${'['.repeat(40)}1${']'.repeat(40)}`,
    'w.json, w has more than 32 axes, but at most 32 are read',
  );
  await assertRefused(`{"a":`.repeat(100_000), /at most 64 may stand in one another$/);
});

test('a text that JSON.parse refuses is refused, and one that it takes gives the same', () => {
  const taken = [
    '{"a":[1,-0.5e+3,{"b":"c\\u00e9\\n\\"\\\\"}],"":null}',
    ' [ true , false , null ] ',
    '"\\ud83d\\ude00"',
    '0',
    '{"a":{},"b":[]}',
  ];
  /** @param {any} value @returns {any} */
  const plain = (value) =>
    value instanceof Map
      ? Object.fromEntries([...value].map(([name, one]) => [name, plain(one)]))
      : Array.isArray(value)
        ? value.map(plain)
        : value;
  for (const text of taken) {
    assert.deepEqual(plain(parseJson(text, 'file')), JSON.parse(text), text);
  }
  const refused = [
    '',
    ' ',
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '[1 2]',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    '"a',
    '"\n"',
    '"\\x"',
    '"\\u12"',
    '[1]]',
    'nul',
    'truex',
    '{"a"}',
    '{"a":}',
    '[',
    '{',
    '1,2',
    '\u00a0[1]',
    '[1]\f',
    '0x10',
    '-Infinity',
  ];
  for (const text of refused) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    assertRefuses(() => parseJson(text, 'file'), /^file, line \d+, character \d+ is .*, but /s);
  }
});

test('a name that stands twice is refused', async () => {
  await assertRefused(
    '{"Wq": [[1]], "Wq": [[2]]}',
    'w.json, line 1, character 19 is after a second "Wq", but every name must stand once',
  );
});
