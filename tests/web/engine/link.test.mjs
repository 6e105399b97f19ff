// States in links and in the addresses of pages: what is written, what programs make of it, and what is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import {
  escapeText,
  formatBlocks,
  formatChanges,
  formatLink,
  parseChanges,
  parseLink,
  readBlocks,
  readLink,
  readOldBlock,
  unescapeText,
} from '../../../web/engine/link.js';

/** @typedef {import('../../../web/engine/lesson-state.js').LessonState} LessonState */

const hostile = [
  '',
  'plain',
  'two words',
  ' leading and trailing ',
  'end',
  'att',
  '.null.',
  '.empty.',
  '..',
  '~',
  '~end',
  '~att~w1~',
  '.',
  '_',
  '-',
  '%',
  '%25',
  '%7E',
  '+',
  'a+b',
  '&amp;',
  '&=#;:?/',
  '\n',
  '\u00a0',
  'e\u0301',
  'é',
  '汉字',
  '👩‍👩‍👧',
  '\ud83e',
  '\udd89',
  '\udd89\ud83e',
  '\u{10ffff}',
  '\u0000',
  '</script>',
];

/** @type {Partial<LessonState>[]} */
const states = [
  {},
  { preset: 'four-token', mask: 'none', row: 2 },
  { tokens: ['a b', '&=#;:', '汉字', ''], row: 3, dK: 3, dV: 5, seed: 4294967295, heads: 2, head: 1 },
  { tokens: ['one'] },
  { tokens: ['end'], row: 0 },
  { tokens: ['att', 'end', '~att~'], dropout: 0.25 },
  { context: ['le', 'chat noir'], mask: 'window', window: 4, padding: 1 },
  { context: ['mot'] },
  { tokens: [] },
  { panels: [], theme: 'dark', locked: ['d-k', 'seed'], projections: 'identity', blend: 'embeddings' },
  { panels: ['proofs', 'break'], softmaxAxis: 'queries', softmax: 'naive', mask: 'late', divisor: 'dk' },
  ...hostile.map((token) => ({ tokens: [token, 'x', token] })),
];

/** What programs on the way do with an address. @type {Record<string, (address: string) => string>} */
const programs = {
  'that leave it alone': (address) => address,
  'that encode everything': encodeURIComponent,
  'that encode everything twice': (address) => encodeURIComponent(encodeURIComponent(address)),
  'that encode +': (address) => address.replaceAll('+', '%2B'),
  'that encode ~': (address) => address.replaceAll('~', '%7E'),
  'that encode ~ and then %': (address) => address.replaceAll('~', '%7e').replaceAll('%', '%25'),
  'that write &amp;': (address) => address.replaceAll('&', '&amp;'),
  'that encode &': (address) => address.replaceAll('&', '%26'),
  'that encode = and &': (address) => address.replaceAll('=', '%3D').replaceAll('&', '%26'),
};

test('a link is short: its version, and what is not default', () => {
  assert.equal(formatLink(completeState()), 'v=1');
  assert.equal(formatLink(completeState({ dK: 64, divisor: 'none' })), 'v=1&d-k=64&divisor=none');
  assert.equal(formatLink(completeState({ preset: 'four-token' })), 'v=1&preset=four-token');
});

test('a link gives back every state', () => {
  /** @type {Partial<import('../../../web/engine/lesson-state.js').LessonState>[]} */
  const states = [
    {},
    { preset: 'four-token', mask: 'none', row: 2 },
    { tokens: ['a b', '&=#;:', '汉字', ''], row: 3, dK: 3, dV: 5, seed: 4294967295, heads: 2, head: 1 },
    { tokens: ['one'] },
    { panels: [], theme: 'dark', locked: ['d-k', 'seed'], projections: 'identity', blend: 'embeddings' },
    { panels: ['proofs', 'break'], softmaxAxis: 'queries', softmax: 'naive', mask: 'late', divisor: 'dk' },
  ];
  for (const chosen of states) {
    const state = completeState(chosen);
    assert.deepEqual(completeState(parseLink(formatLink(state))), state, formatLink(state));
  }
});

test('a second sentence of one empty word is not taken for none', () => {
  assert.deepEqual(parseLink(formatLink(completeState({ context: [''] }))).context, ['']);
  assert.equal(formatLink(completeState({ context: [] })), 'v=1');
});

test('a link from another version keeps what is understood', () => {
  const found = parseLink('v=7&colour=red&d-k=12&divisor=cube&row=-3&mask=causal&panels=proofs+charts');
  assert.deepEqual(found, { dK: 12, mask: 'causal' });
  assert.deepEqual(parseLink('%%%&&=&d-k'), {});
});

test('any text is written in letters, digits, -, _ and ., and read back', () => {
  for (const text of hostile) {
    const escaped = escapeText(text);
    assert.match(escaped, /^[A-Za-z0-9._-]*$/);
    assert.equal(unescapeText(escaped), text, escaped);
  }
  assert.equal(escapeText('the cat sat'), 'the_cat_sat');
});

test('what no text is written as is not read', () => {
  for (const damaged of [
    '.',
    '.4',
    '4.',
    '.zz.',
    '..',
    'a b',
    'a+b',
    '%41',
    '~',
    '.110000.',
    '.ffffff.',
    '.null.',
    'é',
  ]) {
    assert.equal(unescapeText(damaged), null, damaged);
  }
});

test('a link survives every program on its way', () => {
  for (const chosen of states) {
    const state = completeState(chosen);
    for (const [name, pass] of Object.entries(programs)) {
      const link = pass(formatLink(state));
      assert.deepEqual(completeState(parseLink(link)), state, `programs ${name}: ${link}`);
      assert.equal(readLink(link).isWhole, true);
    }
  }
});

test('a link with a sentence says where it ends, so that a cut is noticed', () => {
  const link = formatLink(completeState({ tokens: ['the', 'cat', 'sat'], row: 2 }));
  assert.equal(link, 'v=2&tokens=the_cat_sat&row=2&end');
  for (let length = 4; length < link.length; length++) {
    assert.equal(readLink(link.slice(0, length)).isWhole, false, link.slice(0, length));
  }
  assert.equal(readLink(`${link}&utm_source=a+b%20c`).isWhole, true, 'what others add is theirs');
  assert.equal(readLink(`${link}=`).isWhole, true);
});

test('a link of the first version opens, also where its + was encoded once more', () => {
  const tokens = (/** @type {string} */ link) => parseLink(link).tokens;
  assert.deepEqual(tokens('v=1&tokens=the+cat+sat&d-k=64'), ['the', 'cat', 'sat']);
  assert.deepEqual(tokens('v=1&tokens=the%2Bcat%2Bsat'), ['the', 'cat', 'sat']);
  assert.deepEqual(tokens('v=1&tokens=the%20cat%2520sat'), ['the', 'cat%20sat']);
  assert.deepEqual(tokens('v=1&tokens=caf%25C3%25A9%2Bcr%25C3%25A8me'), ['café', 'crème']);
  assert.deepEqual(tokens('v=1&amp;tokens=%5B%22a+b%22%2C%22c%22%5D&amp;row=1'), ['a b', 'c']);
  assert.deepEqual(tokens('v=1&tokens=c%2B%2B'), ['c++']);
  assert.deepEqual(tokens('v=1&tokens=a%2Bb+c'), ['a+b', 'c']);
  assert.deepEqual(tokens('tokens=%EF%BF%BD+x'), ['\ufffd', 'x']);
});

test('tokens that cannot be decoded are left out, and said to be', () => {
  for (const link of [
    'v=1&tokens=%E0%A4%A&d-k=9',
    'v=1&tokens=caf%E9&d-k=9',
    'v=1&d-k=9&tokens=%5B%22New+York%22%2C%22i',
    'v=2&tokens=.20ac&d-k=9&end',
    'v=2&tokens=a+b&d-k=9&end',
  ]) {
    assert.deepEqual(parseLink(link), { dK: 9 }, link);
    assert.equal(readLink(link).isWhole, false, link);
  }
  assert.equal(readLink('v=1&tokens=the+cat&d-k=lots').isWhole, true, 'a wrong value is the author’s');
});

test('a block holds what differs from what the author chose, defaults and null among it', () => {
  const authored = /** @type {const} */ ({ dK: 64, divisor: 'none', dV: 7 });
  assert.equal(formatChanges(completeState(authored), authored), '');
  assert.equal(formatChanges(completeState({ ...authored, divisor: 'sqrt' }), authored), '~divisor~sqrt');
  assert.equal(formatChanges(completeState({ ...authored, dV: null }), authored), '~d-v~.null.');
  assert.deepEqual(parseChanges('~d-v~.null.~d-k~16'), { dV: null, dK: 16 });
  assert.deepEqual(parseChanges(''), {});
});

test('a block gives back every state, whatever the author chose', () => {
  for (const authored of states) {
    for (const chosen of states) {
      const state = completeState(chosen);
      const changes = formatChanges(state, authored);
      assert.match(changes, /^[A-Za-z0-9._~-]*$/);
      assert.deepEqual(completeState({ ...authored, ...parseChanges(changes) }), state, changes);
    }
  }
});

test('a state that cannot be computed is written without what cannot be', () => {
  const state = completeState(
    /** @type {any} */ ({ dK: 64n, tokens: [Symbol('x')], mask: Object.create(null), row: 3 }),
  );
  assert.equal(formatChanges(state, {}), '~row~3');
  assert.equal(formatLink(state), 'v=1&row=3');
});

test('a damaged block is no state, and a name or a value that no setting has is passed over', () => {
  for (const damaged of ['~d-k', '~d-k~', '~~64', '~d-k~6%', '~tokens~a+b', '~tokens~.4']) {
    assert.equal(parseChanges(damaged), null, damaged);
  }
  assert.deepEqual(parseChanges('~colour~red~row~-1~divisor~cube~d-k~40'), { dK: 40 });
});

const changes = new Map([
  ['w1', '~d-k~64~divisor~none'],
  ['w 2', '~tokens~.65.nd'],
  ['end', ''],
]);

test('the blocks of several widgets stand behind the page’s own part, which stays as it is', () => {
  const text = formatBlocks(changes);
  assert.equal(text, '~att~w1~d-k~64~divisor~none~att~w_2~tokens~.65.nd~att~.65.nd~end');
  assert.equal(formatBlocks(new Map()), '');
  for (const [before, after] of [
    ['', ''],
    ['section-2', ''],
    ['a%20b=c', ';w9:v=1&d-k=3'],
    ['x=1&', '&utm=1'],
    ['é~x', ''],
  ]) {
    for (const pass of [
      programs['that leave it alone'],
      programs['that encode ~'],
      programs['that encode ~ and then %'],
    ]) {
      const read = readBlocks(before + pass(text) + after);
      assert.deepEqual(read, { before, after, changes, isCut: false });
    }
  }
  for (const part of ['', 'section', '/two?x=1', 'attention~attic', 'a~end', '%']) {
    assert.deepEqual(readBlocks(part), { before: part, after: '', changes: null, isCut: false });
  }
});

test('a cut anywhere is noticed, and no widget reads a value that may have been cut', () => {
  const whole = `section${formatBlocks(changes)}`;
  for (let length = 'section~'.length; length < whole.length; length++) {
    const part = whole.slice(0, length);
    const read = readBlocks(part);
    assert.equal(read.isCut, true, part);
    assert.equal(read.before, 'section');
    for (const [name, text] of read.changes ?? []) {
      assert.ok(text === null || text === changes.get(name), `${part}: ${name} ${text}`);
    }
  }
});

test('what a program takes for the end of a sentence does no harm', () => {
  for (const end of ['.', '~', '-', '_', ')', '>', '",', '=', '.)', '…']) {
    assert.deepEqual(readBlocks(`section${formatBlocks(changes)}${end}`), {
      before: 'section',
      after: '',
      changes,
      isCut: false,
    });
  }
});

test('a fragment of the first version is read, alone, beside others and escaped', () => {
  for (const [fragment, own] of [
    ['w1:v=1&d-k=64', ''],
    ['section-2;w1:v=1&d-k=64', 'section-2'],
    ['section-2;w2:v=1&d-k=3;w1:v=1&d-k=64', 'section-2;w2:v=1&d-k=3'],
    ['w1:v=1&amp;d-k=64;w2:v=1', 'w2:v=1'],
    ['section-2%3Bw1%3Av%3D1%26d-k%3D64', 'section-2'],
  ]) {
    const read = readOldBlock(fragment, 'w1');
    assert.equal(read.own, own, fragment);
    assert.deepEqual(parseLink(read.link ?? ''), { dK: 64 }, fragment);
  }
  for (const fragment of ['', 'w1', 'w1:chapter', 'w10:v=1', '/two;x', 'fn:1&amp;']) {
    assert.deepEqual(readOldBlock(fragment, 'w1'), { own: fragment, link: null });
  }
});
