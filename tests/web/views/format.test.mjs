// Numbers and tokens as texts. Covers views/format.js and the ticks of panels/axis.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import messages from '../../../web/language/messages/en.js';
import { formatTick } from '../../../web/panels/axis.js';
import {
  format,
  formatFigure,
  formatWeight,
  formatWeightInFull,
  namesOf,
  plainText,
  readNumber,
  tokenName,
  visibleToken,
} from '../../../web/views/format.js';

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
    ['\ufe0f', 'U+FE0F'],
    ['\u3164', 'U+3164'],
    ['\u2800', 'U+2800'],
    ['\u0301', '◌\u0301'],
    ['\u0301\u0302', '◌\u0301\u0302'],
    ['\u202eabc', 'U+202Eabc'],
    ['a\u2067b\u2069', 'aU+2067bU+2069'],
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

test('a token of any length is shown in at most 40 letters, and no letter is cut in two', () => {
  assert.equal(visibleToken('a'.repeat(40)), 'a'.repeat(40));
  assert.equal(visibleToken('a'.repeat(100_000)), `${'a'.repeat(39)}…`);
  assert.equal(visibleToken('🙂'.repeat(100_000)), `${'🙂'.repeat(39)}…`);
  assert.equal([...visibleToken(`a${'\u0301'.repeat(100_000)}`)].length, 40);
  assert.equal(visibleToken('\u200b'.repeat(100_000)), `${'U+200B'.repeat(5)}…`);
});

test('a word that stands twice is called by its position too, and only such a word', () => {
  assert.deepEqual(namesOf(['the', 'cat', 'the', '', '∅']), ['the (1)', 'cat', 'the (3)', '∅ (4)', '∅ (5)']);
  const long = ['a'.repeat(50), 'a'.repeat(60)];
  assert.deepEqual(namesOf(long), [`${'a'.repeat(39)}… (1)`, `${'a'.repeat(39)}… (2)`], 'alike as they are shown');
  assert.deepEqual(namesOf(long, String), long, 'but not in a file');
});

test('a name is isolated in a text, and an attribute drops the marks where they change nothing', () => {
  const tokens = ['the', '\u05e9\u05dc\u05d5\u05dd', '-5', 'the', 'd_k'];
  const text = (/** @type {number} */ place) => plainText(messages.looksAt(tokenName(tokens, place)));
  assert.equal(tokenName(['the'], 0), '\u2068the\u2069');
  assert.equal(plainText(messages.looksAt(tokenName(['the'], 0))), '“the” looks at …');
  assert.equal(text(1), '“\u2068\u05e9\u05dc\u05d5\u05dd\u2069” looks at …');
  assert.equal(text(2), '“\u2068-5\u2069” looks at …');
  assert.equal(text(3), '“\u2068the (4)\u2069” looks at …');
  assert.equal(text(4), '“\u2068d_k\u2069” looks at …', 'a token is no symbol');
  assert.equal(plainText('÷ √d_k: W_q'), '÷ √d k: W q');
});

test('a number that is typed has the separator of its language; hexadecimal and thousands are no number', () => {
  for (const [locale, text, value] of /** @type {[string, string, number | string][]} */ ([
    ['en', '1.5', 1.5],
    ['en', ' .5 ', 0.5],
    ['en', '2e-3', 0.002],
    ['en', '−2', -2],
    ['en', '1,5', '1,5'],
    ['en', '1,500', '1,500'],
    ['en', '0x10', '0x10'],
    ['en', 'Infinity', 'Infinity'],
    ['en', '', ''],
    ['es', '1,5', 1.5],
    ['es', '1.5', 1.5],
    ['es', '1.500', '1.500'],
    ['es', '1.500,5', '1.500,5'],
    ['es-MX', '1.5', 1.5],
    ['zh-CN', '1,5', '1,5'],
  ])) {
    assert.equal(readNumber(text, { locale }), value, `${locale} ${text}`);
  }
});
