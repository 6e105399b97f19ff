// Covers readers/delimited.js, number-text.js and the encodings of source.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInText, findTensors } from '../../../web/readers/formats.js';
import { assertRefuses, assertRejects, python, rowsIn, sourceOf, temporaryFolder } from './support.mjs';

/** @param {string} text @param {import('../../../web/readers/delimited.js').TableOptions} [options] */
function table(text, options) {
  const { format, tensors } = findInText(text, 'the text', options);
  assert.equal(format, 'table');
  return tensors[0];
}

/** @param {string} text @param {number[][]} rows @param {object} [options] */
async function assertRows(text, rows, options) {
  assert.deepEqual(await rowsIn(table(text, options)), rows, JSON.stringify(text));
}

/** @param {string} text @param {string | RegExp} message @param {object} [options] */
const assertRefused = (text, message, options) => assertRefuses(() => table(text, options), message);

/** @param {string} text @param {string} code */
const noteOf = (text, code) => table(text).notes.find((note) => note.code === code);

test('a spreadsheet of semicolons and decimal commas is read, and says what it was taken for', async () => {
  const text = '\ufeff0,5;1,25\r\n-2;3e-1\r\n\r\n';
  await assertRows(text, [
    [0.5, 1.25],
    [-2, 0.3],
  ]);
  assert.deepEqual(table(text).notes, [{ code: 'separators', separator: ';', decimal: ',' }]);
});

test('commas, tabs, blanks and every end of line part cells and rows', async () => {
  const rows = [
    [1, -2.5],
    [3e-7, 4],
  ];
  for (const [separator, end] of [
    [',', '\n'],
    ['\t', '\n'],
    [';', '\r\n'],
    [' ', '\n'],
    [',', '\r'],
    ['\t', '\r'],
    ['   ', '\r\n'],
    [', ', '\n'],
  ]) {
    await assertRows(`1${separator}-2.5${end}3e-7${separator}4${end}`, rows);
    await assertRows(`1${separator}-2.5${end}3e-7${separator}4`, rows);
  }
  await assertRows('  1 2  \n 3   4 \n', [
    [1, 2],
    [3, 4],
  ]);
  await assertRows('7', [[7]]);
  await assertRows('sep=;\r\n1;2\r\n', [[1, 2]]);
  await assertRows('1\t2\n3\t4', [
    [1, 2],
    [3, 4],
  ]);
});

test('quotation marks stand around numbers, names and separators', async () => {
  await assertRows('"1.5";"2"\n', [[1.5, 2]]);
  await assertRows('"0,5","1,25"\n"2","-3,5"\n', [
    [0.5, 1.25],
    [2, -3.5],
  ]);
  const tensor = table('"a, ""b""","c\nd"\n1,2\n3,4\n');
  assert.deepEqual(tensor.columnNames, ['a, "b"', 'c\nd']);
  assert.deepEqual(await rowsIn(tensor), [
    [1, 2],
    [3, 4],
  ]);
  await assertRefused(
    '1,2\n"3,4\n',
    'the text, line 2 has a quotation mark that is never closed, but quotation marks must come in pairs',
  );
  await assertRefused(
    '1,2\n"3"x,4\n',
    'the text, line 2 has "x" after a closing quotation mark, but a cell must end there',
  );
  await assertRefused(
    '"a\nb",c\n1,x\n',
    'the text, line 3, column 2 is "x", which is no number, but must be a finite number',
  );
});

test('a row that is short or long, and a cell that is empty, is refused by its place', async () => {
  await assertRefused('1,2\n3\n', 'the text, line 2 has 1 value, but must have 2 as line 1 has');
  await assertRefused('1,2\n3,4,5\n', 'the text, line 2 has 3 values, but must have 2 as line 1 has');
  await assertRefused('a,b\n1,2\n\n3,4\n', 'the text, line 3 is empty, but must have 2 as line 2 has');
  await assertRefused('1,,3\n4,5,6', 'the text, line 1, column 2 is empty, but must be a finite number');
  await assertRefused('1,2,\n3,4,', 'the text, line 1, column 3 is empty, but must be a finite number');
  await assertRefused('', 'the text holds no number, but must hold at least one');
  await assertRefused('\n\n', 'the text holds no number, but must hold at least one');
  await assertRefused('a,b\n', 'the text, line 1, column 2 is "b", which is no number, but must be a finite number');
});

test('what only looks like a number is refused by its place, and never becomes 0, 1 or 16', () => {
  for (const [cell, why] of [
    ['nan', 'is no number'],
    ['NaN', 'is no number'],
    ['inf', 'is no number'],
    ['-Infinity', 'is no number'],
    ['1e400', 'is beyond the range of float64'],
    ['1e-400', 'is too small for float64'],
    ['#N/A', 'is no number'],
    ['0x10', 'is no number'],
    ['1_000', 'is no number'],
    ['\uff11', 'is no number'],
    ['true', 'is no number'],
    ['9007199254740993', 'has no exact float64'],
    ['1e', 'is no number'],
    ['--1', 'is no number'],
    ['1 2', 'is no number'],
  ]) {
    for (const [text, place] of [
      [`${cell},1\n2,3\n`, 'line 1, column 1'],
      [`1,2\n3,${cell}\n`, 'line 2, column 2'],
      [`${cell},${cell}\n1,2\n`, 'line 1, column 1'],
    ]) {
      assertRefuses(
        () => table(text, { decimal: '.' }),
        `the text, ${place} is "${cell}", which ${why}, but must be a finite number`,
      );
    }
  }
});

test('names in the first row and the first column are recognised, and can be asked for', async () => {
  const both = table(',x,y\nthe,1,2\ncat,3,4\n');
  assert.deepEqual(
    [both.rowNames, both.columnNames],
    [
      ['the', 'cat'],
      ['x', 'y'],
    ],
  );
  assert.deepEqual(both.notes.slice(1), [
    { code: 'header', words: 2 },
    { code: 'index', words: 2 },
  ]);
  assert.deepEqual(await rowsIn(both, { rows: [1] }), [[3, 4]]);
  assert.deepEqual(table('the,1,2\ncat,3,4\n').rowNames, ['the', 'cat']);
  assert.deepEqual(table('a,b\n1,2\n').columnNames, ['a', 'b']);
  assert.deepEqual(table('x\ty\nthe\t1\t2\ncat\t3\t4\n').rowNames, ['the', 'cat'], 'as R writes it');
  await assertRows('1,2\n3,4\n', [[3, 4]], { header: true });
  await assertRows('1,2\n3,4\n', [[2], [4]], { index: true });
  await assertRefused('a,b\n1,2\n', /^the text, line 1, column 1 is "a"/, { header: false });
  await assertRefused('a\nb\n', /is "b", which is no number/);
});

test('what pandas and NumPy write is what they read', async (context) => {
  const folder = temporaryFolder(context);
  const texts = JSON.parse(
    python(
      folder,
      `
import io, json
import numpy as np
values = np.random.default_rng(5).normal(size=(3, 2)) * np.array([1, 1e-9])
def saved(**options):
    file = io.StringIO(); np.savetxt(file, values, **options); return file.getvalue()
print(json.dumps({'rows': values.tolist(), 'texts': [saved(fmt='%.17g'), saved(fmt='%.17g', delimiter=','), saved(fmt='%.17g', delimiter='\\t', header='made by NumPy')]}))
`,
    ),
  );
  for (const text of texts.texts) {
    await assertRows(text, texts.rows);
  }
  assert.deepEqual(table(texts.texts[2]).notes[0], { code: 'comments', lines: 1 });
  // DataFrame.to_csv(), and with index=False, where the first row may be numbers.
  await assertRows(',0,1\n0,0.5,1.5\n1,2.5,3.5\n', [
    [0.5, 1.5],
    [2.5, 3.5],
  ]);
  await assertRows('0,1\n0.5,1.5\n', [
    [0, 1],
    [0.5, 1.5],
  ]);
  assert.deepEqual(noteOf('0,1\n0.5,1.5\n', 'counting'), { code: 'counting' });
  assert.equal(noteOf('0,2\n0.5,1.5\n', 'counting'), undefined);
});

test('a decimal mark is concluded from all cells, and where it cannot be, the table says so', async () => {
  await assertRows('1.234,5;2\n0,5;3\n', [
    [1234.5, 2],
    [0.5, 3],
  ]);
  assert.deepEqual(noteOf('1.234,5;2\n', 'thousands'), { code: 'thousands', text: '1.234,5', line: 1, number: 1234.5 });
  await assertRows('1,234.5\t2\n', [[1234.5, 2]]);
  await assertRows('"1,234",5.5\n', [[1234, 5.5]]);
  await assertRows("1'234.5;2\n1\u202f234;3\n", [
    [1234.5, 2],
    [1234, 3],
  ]);
  assert.deepEqual(noteOf('1,234;5\n', 'ambiguous'), {
    code: 'ambiguous',
    text: '1,234',
    line: 1,
    number: 1.234,
    other: 1234,
  });
  assert.deepEqual(noteOf('5;6\n7;1.234\n', 'ambiguous'), {
    code: 'ambiguous',
    text: '1.234',
    line: 2,
    number: 1.234,
    other: 1234,
  });
  await assertRows('1,234;5\n', [[1234, 5]], { decimal: '.' });
  await assertRows('1.234;5\n', [[1234, 5]], { decimal: ',' });
  assert.equal(noteOf('0,123;5\n', 'ambiguous'), undefined, 'a group of thousands does not begin with 0');
  assert.equal(noteOf('1.234,5.678\n', 'ambiguous'), undefined);
  await assertRefused(
    '0,5;1\n2;0.25\n',
    'the text, line 1 has "0,5", but line 2 has "0.25": the decimal mark must be one',
  );
  await assertRefused('12,34,567\t1\n', /^the text, line 1, column 1 is "12,34,567", which is no number/);
});

test('a separator can be asked for', async () => {
  await assertRows('0,5 1,25\n', [[0.5, 1.25]], { separator: ' ' });
  await assertRefused('1|2\n', 'the text, separator is "|", but must be a tab, a semicolon, a comma or blanks', {
    separator: '|',
  });
});

test('UTF-16 is read by its mark, and what is no UTF-8 is refused by its line', async () => {
  const text = '0,5;1,25\r\n-2;3\r\n';
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\ufeff${text}`)]) {
    const { tensors } = await findTensors(sourceOf('sheet.csv', bytes));
    assert.equal(tensors[0].name, 'sheet');
    assert.deepEqual(await rowsIn(tensors[0]), [
      [0.5, 1.25],
      [-2, 3],
    ]);
  }
  const latin = Buffer.from('a,b\n1,2\n3,\xe4\n', 'latin1');
  await assertRejects(
    findTensors(sourceOf('sheet.csv', latin)),
    'sheet.csv, line 3 is no UTF-8, but text must be saved as UTF-8',
  );
});
