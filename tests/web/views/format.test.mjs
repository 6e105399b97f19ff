// Numbers and tokens as texts. Covers views/format.js and the ticks of axis.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import messages from '../../../web/language/messages/en.js';
import { formatTick } from '../../../web/views/axis.js';
import { format, formatFigure, formatWeight, formatWeightInFull, visibleToken } from '../../../web/views/format.js';

test('a number has two decimals, or a power of ten where these would hide it', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0'],
    [-0, '0'],
    [1, '1.00'],
    [-0.25, '−0.25'],
    [0.005, '0.01'],
    [0.0049, '4.9e−3'],
    [-1e-9, '−1.0e−9'],
    [99999, '99999.00'],
    [1e5, '1.0e5'],
    [-123456, '−1.2e5'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [NaN, 'NaN'],
  ])) {
    assert.equal(format(value, messages), text);
  }
});

test('a figure keeps two decimals, so that it keeps its width', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0.00'],
    [1e-9, '0.00'],
    [22.627, '22.63'],
    [-0.5, '−0.50'],
    [1e6, '1.0e6'],
    [NaN, 'NaN'],
    [Infinity, '∞'],
  ])) {
    assert.equal(formatFigure(value, messages), text);
  }
});

test('a weight of exactly 0 or 1 looks exact, and others do not', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0'],
    [1, '1'],
    [1e-6, '0.00'],
    [0.999999, '1.00'],
    [0.416, '0.42'],
    [NaN, 'NaN'],
  ])) {
    assert.equal(formatWeight(value, messages), text);
  }
});

test('a token is shown as it is, and one that cannot be seen by a placeholder', () => {
  for (const [token, text] of [
    ['journey', 'journey'],
    ['<s>', '<s>'],
    ['\u0120Hello', '\u0120Hello'],
    ['##ing', '##ing'],
    ['\ufffd', '\ufffd'],
    ['e\u0301', 'e\u0301'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['New York', 'New York'],
    ['', '∅'],
    [' ', '␣'],
    ['  ', '␣␣'],
    ['\u200b', 'U+200B'],
    ['\t', 'U+0009'],
    ['\n ', 'U+000A␣'],
    ['\u00a0', 'U+00A0'],
    ['\u0000', 'U+0000'],
    ['\ufeff', 'U+FEFF'],
    ['\u{e0020}', 'U+E0020'],
  ]) {
    assert.equal(visibleToken(token), text, JSON.stringify(token));
  }
});

test('English numbers do not wait for Intl, which takes as long to start as the rest of a first picture', () => {
  const own = Number.prototype.toLocaleString;
  Number.prototype.toLocaleString = () => assert.fail('Intl is asked');
  try {
    assert.equal(format(-0.5, messages), '−0.50');
  } finally {
    Number.prototype.toLocaleString = own;
  }
});

test("a number has its language's decimal separator, its own digits and a true minus sign", () => {
  for (const [locale, texts] of /** @type {[string, string[]][]} */ ([
    ['en', ['−12345.50', '4.9e−3', '0.42', '−0.50', '0.25', '1.2e5']],
    ['es', ['−12345,50', '4,9e−3', '0,42', '−0,50', '0,25', '1,2e5']],
    ['zh-CN', ['−12345.50', '4.9e−3', '0.42', '−0.50', '0.25', '1.2e5']],
    ['ar-EG', ['−12345.50', '4.9e−3', '0.42', '−0.50', '0.25', '1.2e5']],
  ])) {
    const language = { locale };
    assert.deepEqual(
      [
        format(-12345.5, language),
        format(0.0049, language),
        formatWeightInFull(0.416, language),
        formatFigure(-0.5, language),
        formatTick(0.25, language),
        format(123456, language),
      ],
      texts,
      locale,
    );
  }
});
