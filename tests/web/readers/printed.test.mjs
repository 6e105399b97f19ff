// Covers readers/printed.js. Reference: what NumPy prints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInText } from '../../../web/readers/formats.js';
import { assertRefuses, python, rowsIn, temporaryFolder } from './support.mjs';

/** @param {string} text */
function printed(text) {
  const { format, tensors } = findInText(text, 'the text');
  assert.equal(format, 'printed');
  return tensors[0];
}

/** @param {string} text @param {string | RegExp} message */
const assertRefused = (text, message) => assertRefuses(() => printed(text), message);

test('arrays are read as NumPy prints them, wrapped, aligned, of every type', async (context) => {
  const cases = JSON.parse(
    python(
      temporaryFolder(context),
      `
import json
import numpy as np
rng = np.random.default_rng(11)
arrays = [np.round(rng.normal(size=(2, 3)), 3), rng.normal(size=(3, 40)), rng.integers(-9, 9, (4, 2)), np.array([[0.5, 1e-12], [3e9, -2.]]),
          np.array([1., 2., 3.]), rng.normal(size=(2, 2)).astype('f4'), np.array([[True, False]]), np.round(rng.normal(size=(2, 3, 2)), 2), np.array([[-0.]])]
print(json.dumps([{'texts': [str(a), repr(a), str(a.tolist())], 'shape': a.shape, 'numbers': np.asarray(a, 'f8').ravel().tolist(), 'is_bool': a.dtype == bool} for a in arrays]))
`,
    ),
  );
  for (const { texts, shape, numbers } of cases) {
    for (const text of texts) {
      const tensor = printed(text);
      assert.deepEqual(tensor.shape, shape, text);
      const { data } = await tensor.read();
      const size = Math.max(...numbers.map(Math.abs), 1e-300);
      for (const [at, number] of numbers.entries()) {
        assert.ok(Math.abs(data[at] - number) <= 1e-7 * size, `${data[at]} is not ${number}`);
      }
    }
    // A list of Python has every digit.
    assert.deepEqual([...(await printed(texts[2]).read()).data], numbers);
  }
});

test('digits that were left out when it was printed are noted', () => {
  assert.deepEqual(printed('[[0.12345678 1.5]]').notes, [{ code: 'rounded' }]);
  assert.deepEqual(printed('tensor([[ 0.1234, -1.5000]])').notes, [{ code: 'rounded' }]);
  assert.deepEqual(printed('[[0.1234 1.5]]').notes, []);
  assert.deepEqual(printed('[[0.12345678901234567, 1.5]]').notes, []);
});

test('tensors are read as PyTorch prints them', async () => {
  assert.deepEqual(
    await rowsIn(
      printed(
        "tensor([[1.0000e+00, -2.5],\n        [3., 4.]], device='cuda:0', dtype=torch.float64,\n       grad_fn=<AddmmBackward0>)",
      ),
    ),
    [
      [1, -2.5],
      [3, 4],
    ],
  );
  assert.deepEqual(await rowsIn(printed('np.array([[1, 2]])')), [[1, 2]]);
  assert.deepEqual(await rowsIn(printed('array([[1, 2]], dtype=int8)\n')), [[1, 2]]);
});

test('an array that was printed with gaps is refused, and says how to print it whole', () => {
  assertRefused(
    '[[1. 2.]\n ...\n [3. 4.]]',
    'the text, [1] on line 2 is "...": numbers were left out when it was printed, but must be whole: np.set_printoptions(threshold=sys.maxsize)',
  );
  assertRefused('[1, 2, ..., 9]', /^the text, \[2\] on line 1 is "\.\.\."/);
  assertRefused('[1 2 … 9]', /^the text, \[2\] on line 1 is "\.\.\."/);
});

test('what is no finite number is refused where it stands', () => {
  for (const word of ['nan', 'inf', '-inf', 'None', '1.+2.j', "'a'", '0x10', 'true']) {
    assertRefused(
      `[[1. 2.]\n [3. ${word}]]`,
      new RegExp(
        `^the text, \\[1\\]\\[1\\] on line 2 is "${word.replace(/[.+]/g, '\\$&')}", which is no number, but must be a finite number$`,
      ),
    );
  }
  assertRefused('[[1, 1e999]]', /^the text, \[0\]\[1\] on line 1 is "1e999", which is beyond the range of float64/);
});

test('brackets and commas that do not fit are refused', () => {
  assertRefused('[[1, 2], [3]]', 'the text, [1] has 1 values, but must have 2 as the first has');
  assertRefused('[[1, 2', 'the text, [0][2] on line 1 is the end, but a "]" must close every "["');
  assertRefused('[[1,, 2]]', 'the text, [0][1] on line 1 is a comma, but must be a number');
  assertRefused('[[, 2]]', /is a comma/);
  assertRefused('[[1]] [[2]]', 'the text goes on after its last bracket, but must be one array');
  assertRefused('array([[1]]', 'the text goes on after its last bracket, but must be one array');
  assertRefused('[[1]])', 'the text goes on after its last bracket, but must be one array');
  assertRefused('[]', 'the text is empty, but must hold a number');
  assertRefused('['.repeat(100_000), /is the 33rd bracket in one another/);
});
