import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../web/engine/engine-error.js';
import {
  completeState,
  defaultSeed,
  dKSliderRange,
  findProblem,
  formatTokens,
  isLocked,
  keysOf,
  lessonSettingNames,
  parseAttribute,
  parseProperty,
  parseTokens,
  readSettings,
  settingNames,
  settings,
  tooLarge,
} from '../../../web/engine/lesson-state.js';

/** @typedef {import('../../../web/engine/lesson-state.js').SettingName} SettingName */
/** @typedef {import('../../../web/engine/lesson-state.js').Setting} Setting */

/** @param {Record<string, unknown>} changes */
const problemOf = (changes) => findProblem(completeState(/** @type {any} */ (changes)));

/** @param {Record<string, unknown>} changes */
const sentenceOf = (changes) => {
  const problem = problemOf(changes);
  return problem === null ? null : `${problem.argument} ${problem.found}, but ${problem.expected}`;
};

/** @type {[SettingName, Extract<Setting, {kind: 'whole'}>][]} */
const wholeSettings = settingNames.flatMap((name) => {
  /** @type {Setting} */
  const setting = settings[name];
  return setting.kind === 'whole'
    ? [/** @type {[SettingName, Extract<Setting, {kind: 'whole'}>]} */ ([name, setting])]
    : [];
});

/** @type {[SettingName, readonly string[]][]} */
const choiceSettings = settingNames.flatMap((name) => {
  /** @type {Setting} */
  const setting = settings[name];
  return setting.kind === 'choice' ? [/** @type {[SettingName, readonly string[]]} */ ([name, setting.choices])] : [];
});

test('a lesson without settings is the sentence of six words at d_k = 16, scaled, unmasked', () => {
  assert.deepEqual(completeState(), {
    preset: 'sentence',
    tokens: ['Your', 'journey', 'starts', 'with', 'one', 'step'],
    context: [],
    dModel: 16,
    dK: 16,
    dV: null,
    divisor: 'sqrt',
    mask: 'none',
    window: 3,
    padding: 0,
    projections: 'separate',
    softmaxAxis: 'keys',
    softmax: 'stable',
    dropout: 0,
    blend: 'values',
    heads: 1,
    head: 0,
    row: 1,
    seed: defaultSeed,
    X: null,
    Wq: null,
    Wk: null,
    Wv: null,
    bq: null,
    bk: null,
    bv: null,
    edits: [],
    step: 0,
    beside: 'none',
    panels: null,
    theme: 'auto',
    locked: null,
  });
});

test('the four-token preset is four tokens of two dimensions with a causal mask', () => {
  assert.deepEqual(completeState({ preset: 'four-token' }), {
    ...completeState(),
    preset: 'four-token',
    tokens: ['one', 'two', 'three', 'four'],
    dModel: 2,
    dK: 2,
    mask: 'causal',
  });
});

test('both presets can be computed as they are', () => {
  assert.equal(problemOf({}), null);
  assert.equal(problemOf({ preset: 'four-token' }), null);
});

test('what is chosen replaces the default, and undefined does not', () => {
  const state = completeState({ preset: 'four-token', mask: 'late', dK: undefined });
  assert.equal(state.mask, 'late');
  assert.equal(state.dK, 2);
});

test('a state that was handed out can be changed without changing the defaults', () => {
  completeState().tokens.push('further');
  assert.equal(completeState().tokens.length, 6);
});

test('a lone token is its own highlighted row, unless somebody chose another', () => {
  assert.equal(completeState({ tokens: ['alone'] }).row, 0);
  assert.equal(completeState({ tokens: [] }).row, 0);
  assert.equal(completeState({ tokens: ['alone'], row: 1 }).row, 1);
  assert.equal(completeState({ tokens: ['two', 'tokens'] }).row, 1);
});

test("an attribute is its property in kebab case, a matrix's in small letters, and no two settings share one", () => {
  for (const name of settingNames) {
    const { attribute, kind } = settings[name];
    const ofMatrix = name.toLowerCase();
    const inKebabCase = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assert.equal(attribute, kind === 'matrix' ? ofMatrix : inKebabCase);
  }
  assert.equal(new Set(settingNames.map((name) => settings[name].attribute)).size, settingNames.length);
});

test('an attribute of every choice reads back each of its values, white space around it or not', () => {
  for (const [name, choices] of choiceSettings) {
    for (const choice of choices) {
      assert.equal(parseAttribute(name, ` ${choice}\n`), choice);
      assert.equal(problemOf({ [name]: choice, tokens: ['a', 'b', 'c', 'd'] }), null, `${name}=${choice}`);
    }
  }
});

test('a choice is spelled as documented: another case, an empty text or a true are refused', () => {
  for (const [name, choices] of choiceSettings) {
    for (const value of [choices[0].toUpperCase(), '', `${choices[0]}x`, true, null, 0, [choices[0]]]) {
      assert.notEqual(problemOf({ [name]: value }), null, `${name}=${value}`);
    }
  }
  assert.equal(sentenceOf({ mask: 'x' }), 'mask is "x", but must be none, causal, window or late');
  assert.equal(sentenceOf({ softmax: '' }), 'softmax is "", but must be stable or naive');
  assert.equal(sentenceOf({ projections: null }), 'projections is null, but must be separate, shared or identity');
  assert.equal(sentenceOf({ blend: 'X' }), 'blend is "X", but must be values or embeddings');
  assert.equal(sentenceOf({ theme: 'blue' }), 'theme is "blue", but must be auto, light or dark');
});

test('a number that is refused is quoted as it was typed', () => {
  for (const [name, text] of /** @type {[import('../../../web/engine/lesson-state.js').SettingName, string][]} */ ([
    ['seed', '99999999999999999999'],
    ['dK', '-99999999999999999999'],
    ['row', '1e30'],
    ['dropout', '0.99999999999999999999999'],
    ['heads', '2.50'],
    ['seed', '1e400'],
  ])) {
    assert.match(String(sentenceOf({ [name]: parseAttribute(name, text) })), new RegExp(`is "${text}", but must be `));
  }
  assert.equal(parseAttribute('seed', ' 007 '), 7);
  assert.equal(
    sentenceOf({ seed: parseAttribute('seed', '-1') }),
    'seed is -1, but must be a whole number from 0 to 4294967295',
  );
});

test('the names of what every object inherits are no settings and no choices', () => {
  for (const value of ['constructor', '__proto__', 'toString']) {
    assert.notEqual(problemOf({ mask: value }), null);
    assert.equal(settingNames.includes(/** @type {any} */ (value)), false);
  }
});

test('whole numbers are read as HTML writes numbers, and what cannot be used stays the text that it is', () => {
  for (const [text, value] of /** @type {[string, unknown][]} */ ([
    ['7', 7],
    [' 7 ', 7],
    ['+7', 7],
    ['-7', -7],
    ['007', 7],
    ['2.5', 2.5],
    ['.5', '.5'],
    ['2.', 2],
    ['1e2', 100],
    ['1E9', '1E9'],
    ['', ''],
    [' ', ' '],
    ['seven', 'seven'],
    ['0x10', '0x10'],
    ['7px', '7px'],
    ['1 2', '1 2'],
    ['Infinity', 'Infinity'],
    ['NaN', 'NaN'],
    ['1e', '1e'],
    ['.', '.'],
    ['٣', '٣'],
  ])) {
    assert.equal(parseAttribute('dK', text), value, `"${text}"`);
  }
  for (const [text, value] of /** @type {[string, number][]} */ ([
    ['.5', 0.5],
    ['5E-1', 0.5],
    [' +0.50', 0.5],
  ])) {
    assert.equal(parseAttribute('dropout', text), value, `"${text}"`);
  }
});

test('every number has a least and a most value that are accepted, and the next ones are refused by name', () => {
  const expected = {
    dModel: [1, 512],
    dK: [1, 512],
    dV: [1, 512],
    heads: [1, 8],
    head: [0, 7],
    row: [0, 2047],
    window: [1, 2048],
    padding: [0, 2047],
    seed: [0, 4294967295],
    step: [0, 8],
  };
  assert.deepEqual(wholeSettings.map(([name]) => name).sort(), Object.keys(expected).sort());
  for (const [name, { least, most }] of wholeSettings) {
    assert.deepEqual([least, most], expected[/** @type {keyof typeof expected} */ (name)]);
    for (const value of [least, most]) {
      assert.equal(problemOf({ [name]: value }), null, `${name} = ${value}`);
    }
    for (const value of [least - 1, most + 1]) {
      assert.equal(
        sentenceOf({ [name]: value }),
        `${name} is ${value}, but must be a whole number from ${least} to ${most}`,
      );
    }
  }
});

test('what is no whole number is refused for every number, whatever it would turn into', () => {
  for (const [name, { least, follows }] of wholeSettings) {
    const odd = [
      least + 0.5,
      NaN,
      Infinity,
      -Infinity,
      `${least + 1}`,
      '',
      true,
      [least + 1],
      {},
      5n,
      Symbol('x'),
      null,
    ];
    for (const value of odd) {
      if (value !== null || !follows) {
        const problem = problemOf({ [name]: value });
        assert.equal(problem?.argument, name, `${name}: ${String(value)}`);
        assert.equal(problem?.found, `is ${describe(value)}`);
      }
    }
  }
  assert.equal(problemOf({ dV: null }), null, 'null is as wide as d_k');
});

test('panels are listed by their names, in any order, and null stands for all of them', () => {
  const names = [
    'shapes',
    'worksheet',
    'break',
    'proofs',
    'compare',
    'jacobian',
    'gradients',
    'train',
    'law',
    'checkpoints',
    'numbers',
    'code',
    'share',
  ];
  assert.deepEqual(settings.panels.choices, names);
  for (const panels of [null, [], names, [...names].reverse(), ['code'], ['proofs', 'break']]) {
    assert.equal(problemOf({ panels }), null);
  }
  for (const [panels, found] of /** @type {[any, string][]} */ ([
    [['proof'], 'holds "proof"'],
    [['code', 'Break', 'proof'], 'holds "Break"'],
    [['code', ''], 'holds ""'],
    [[null], 'holds null'],
    [['break', ['code']], 'holds an array'],
    ['code', 'is "code"'],
    [true, 'is true'],
    [0, 'is 0'],
    [{}, 'is an object'],
    [new Set(['code']), 'is an object'],
  ])) {
    assert.deepEqual(problemOf({ panels }), {
      argument: 'panels',
      found,
      expected: `must list names out of ${names.join(', ')}`,
    });
  }
});

test('the attribute of panels lists them as words, and an empty one lists none', () => {
  assert.deepEqual(parseAttribute('panels', ' proofs\n code '), ['proofs', 'code']);
  assert.deepEqual(parseAttribute('panels', 'break'), ['break']);
  assert.deepEqual(parseAttribute('panels', ''), []);
  assert.deepEqual(parseAttribute('panels', ' \t'), []);
  assert.notEqual(problemOf({ panels: parseAttribute('panels', 'proofs, code') }), null, 'a comma parts no words');
  assert.notEqual(problemOf({ panels: parseAttribute('panels', '["proofs"]') }), null);
});

test('a property takes what its attribute takes, besides its own type, and null for the default', () => {
  for (const name of settingNames) {
    assert.equal(parseProperty(name, null), undefined, name);
    assert.equal(parseProperty(name, undefined), undefined, name);
    const chosen = { dV: 5, panels: ['proofs'], locked: ['seed'], Wq: [[1, 2]], edits: [] };
    const own = /** @type {any} */ (completeState(/** @type {any} */ (chosen)))[name];
    if (own === null) {
      continue; // which the matrices have that are seeded
    }
    const text = Array.isArray(own) ? own.flat().join(' ') : ` ${own} `;
    assert.deepEqual(parseProperty(name, own), own, name);
    assert.deepEqual(parseProperty(name, text), own, `${name} as text`);
  }
  assert.deepEqual(parseProperty('tokens', 7), ['7'], 'as the attribute would have it');
  assert.deepEqual(parseProperty('panels', ''), []);
  assert.equal(parseProperty('dK', 64n), 64);
  assert.equal(parseProperty('dropout', '0.1'), 0.1);
  assert.equal(parseProperty('row', 'first'), 'first', 'what it does not say stays, to be reported');
  assert.equal(parseProperty('row', true), true);
  assert.equal(parseProperty(/** @type {any} */ ('layers'), '2'), '2', 'a name that no setting has');
});

test('what only the page looks at is no setting of the core', () => {
  assert.deepEqual(
    settingNames.filter((name) => !lessonSettingNames.some((each) => each === name)),
    ['step', 'beside', 'panels', 'theme', 'locked'],
  );
});

test('a link, a tag and prose are read alike: what stands in attributes of those names, and nothing else', () => {
  const texts = new Map(
    Object.entries({ 'd-k': '64', tokens: '["New York", "is"]', dropped: '1', panels: 'code', mask: '' }),
  );
  assert.deepEqual(
    readSettings((attribute) => texts.get(attribute)),
    { tokens: ['New York', 'is'], dK: 64, mask: '', panels: ['code'] },
  );
  assert.deepEqual(
    readSettings(() => null),
    {},
  );
});

test('a probability is at least 0 and less than 1, and its attribute is its number', () => {
  for (const dropout of [0, 0.1, 0.999, 5e-324]) {
    assert.equal(problemOf({ dropout }), null);
  }
  for (const dropout of [1, -0.1, NaN, Infinity, null, '0.5', [0.5], true]) {
    assert.equal(sentenceOf({ dropout }), `dropout is ${describe(dropout)}, but must be at least 0 and less than 1`);
  }
  assert.equal(parseAttribute('dropout', ' .25 '), 0.25);
  assert.equal(parseAttribute('dropout', 'half'), 'half');
});

test('the first setting that cannot be used is named, in the order of the settings', () => {
  assert.equal(problemOf({ seed: -1, dK: 0, mask: 'x' })?.argument, 'dK');
});

test('the slider stays within what can be computed', () => {
  assert.deepEqual(dKSliderRange, { least: 2, most: 64 });
  assert.equal(problemOf({ dK: dKSliderRange.least }), null);
  assert.equal(problemOf({ dK: dKSliderRange.most }), null);
});

test('tokens are the words of a text, whatever white space parts them', () => {
  assert.deepEqual(parseTokens('Your journey'), ['Your', 'journey']);
  assert.deepEqual(parseTokens('  Your\t\n journey\u00a0starts\u3000here '), ['Your', 'journey', 'starts', 'here']);
  assert.deepEqual(parseTokens(''), []);
  assert.deepEqual(parseTokens(' \n '), []);
  assert.deepEqual(parseAttribute('tokens', 'a b'), ['a', 'b']);
});

test('tokens are a JSON array of strings where the text is one', () => {
  assert.deepEqual(parseTokens('["New York", "", " "]'), ['New York', '', ' ']);
  assert.deepEqual(parseTokens(' [] '), []);
  assert.deepEqual(parseTokens('["\\u200b","\\ud83e\\udd89"]'), ['\u200b', '🦉']);
});

test('words in brackets that are no JSON are words', () => {
  assert.deepEqual(parseTokens('[CLS] hello [SEP]'), ['[CLS]', 'hello', '[SEP]']);
  assert.deepEqual(parseTokens('[MASK]'), ['[MASK]']);
  assert.deepEqual(parseTokens("['a', 'b']"), ["['a',", "'b']"]);
  assert.deepEqual(parseTokens('{"a": 1}'), ['{"a":', '1}']);
});

test('an array of anything but strings and an object that was turned into text are reported as they stand', () => {
  for (const text of ['[1, 2]', '["a", null]', '[["a"]]', '[object Object]', '[object Array]']) {
    assert.equal(parseTokens(text), text);
    assert.equal(
      sentenceOf({ tokens: parseTokens(text) }),
      `tokens is ${describe(text)}, but must be words or an array of strings`,
    );
  }
});

test('tokens that are no array of strings are refused', () => {
  const holes = new Array(2);
  for (const tokens of ['a b', null, 5, {}, [1], ['a', null], [['a']], holes, new Set(['a'])]) {
    assert.equal(problemOf({ tokens })?.argument, 'tokens');
  }
});

test('tokens survive being written as text and read again', () => {
  for (const tokens of [
    [],
    ['Your', 'journey'],
    [''],
    ['', ''],
    [' '],
    ['a b', 'c'],
    ['a', '', 'b'],
    ['\u200b', '\ufeff', '\u00ad'],
    ['\t', '\n', '\u00a0', '\u2028'],
    ['👩‍👩‍👧', '🦉', 'e\u0301', '\ufffd'],
    ['[CLS]', 'hello', '[SEP]'],
    ['[]'],
    ['["a"]'],
    ['[1]'],
    ['[object', 'Object]'],
    ['[object Object]'],
    ['<s>', 'a<b', '&amp;', '" onmouseover="x=1', '</script>'],
    ['\u0120Hello', '\u010a', '##ing', '\u2581the', '<0xE6>'],
    ['"', '\\', '\\u0041', "'"],
    ['مرحبا', 'بالعالم'],
  ]) {
    assert.deepEqual(parseTokens(formatTokens(tokens)), tokens);
  }
});

test('plain words are written as plain words', () => {
  assert.equal(formatTokens(['Your', 'journey']), 'Your journey');
  assert.equal(formatTokens(['a b']), '["a b"]');
  assert.equal(formatTokens([]), '');
});

test('a message quotes a value so that its type can be seen', () => {
  for (const [value, text] of /** @type {[unknown, string][]} */ ([
    ['5', '"5"'],
    [5, '5'],
    [-1, '-1'],
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [5n, 'the BigInt 5'],
    [Symbol('secret'), 'a symbol'],
    [() => 1, 'a function'],
    [[1, 2], 'an array'],
    [{ toString: null }, 'an object'],
    [Object.create(null), 'an object'],
    [new Date(0), 'an object'],
  ])) {
    assert.equal(describe(value), text);
  }
});

test('a message quotes forty characters of a long text and splits none', () => {
  assert.equal(describe('x'.repeat(40)), `"${'x'.repeat(40)}"`);
  assert.equal(describe('x'.repeat(400)), `"${'x'.repeat(40)}…"`);
  assert.equal(describe('🦉'.repeat(50)), `"${'🦉'.repeat(40)}…"`);
});

test('a row, padding and a head are too large where the sentence has fewer tokens, and the layer fewer heads', () => {
  const of = (/** @type {any} */ chosen) => tooLarge(completeState(chosen));
  assert.deepEqual(of({ tokens: ['a', 'b'], row: 5, heads: 2, head: 4 }), [
    ['row', 1],
    ['head', 1],
  ]);
  assert.deepEqual(of({ tokens: ['a', 'b'], padding: 2 }), [['padding', 1]]);
  assert.deepEqual(of({ tokens: ['a', 'b'], padding: 1 }), []);
  assert.deepEqual(of({ tokens: ['a', 'b'], context: ['c', 'd', 'e'], padding: 2 }), []);
  assert.deepEqual(of({ context: ['c'], padding: 2, row: 5 }), [['padding', 0]]);
  assert.deepEqual(of({ tokens: ['a', 'b', 'c'], row: 2, heads: 3, head: 2 }), []);
  assert.deepEqual(of({ tokens: [], row: 3 }), [], 'no row of nothing is right');
  assert.deepEqual(
    of({ tokens: 'abc', row: 9, heads: 'two', head: 7 }),
    [],
    'what cannot be used is reported elsewhere',
  );
  assert.deepEqual(of({ row: 1.5, head: '9' }), []);
});

test('keys come from the tokens, or from a second sentence', () => {
  assert.deepEqual(keysOf(completeState({ tokens: ['a', 'b'] })), ['a', 'b']);
  assert.deepEqual(keysOf(completeState({ tokens: ['a', 'b'], context: ['c'] })), ['c']);
  assert.deepEqual(completeState({ context: /** @type {any} */ (null) }).context, []);
  assert.deepEqual(parseAttribute('context', ' le  chat '), ['le', 'chat']);
  assert.deepEqual(parseAttribute('context', ''), []);
  assert.deepEqual(parseProperty('context', 7), ['7']);
  assert.equal(sentenceOf({ context: [1] }), 'context holds 1, but must be words or an array of strings');
});

test('a locked setting is named by its attribute', () => {
  const state = completeState({ locked: ['d-k', 'softmax-axis'] });
  assert.deepEqual(
    ['dK', 'softmaxAxis', 'divisor', 'nothing'].map((name) => isLocked(state, name)),
    [true, true, false, false],
  );
  assert.match(
    sentenceOf({ locked: ['theme'] }) ?? '',
    /^locked holds "theme", but must list names out of preset, tokens/,
  );
});
