// The catalogues of texts: every language says everything that English does, of the same things, and in its own words.
// Covers language/messages/.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { mistakes } from '../../../web/views/mistakes.js';
import { english } from '../../english-texts.mjs';
import { readProjectFile } from '../support.mjs';

/** @typedef {import('../../../web/language/language.js').Messages} Messages */

const names = readdirSync(new URL('../../../web/language/messages', import.meta.url))
  .map((file) => file.replace(/\.js$/, ''))
  .filter((name) => name !== 'en');

/** @type {Record<string, Messages>} */
const languages = Object.fromEntries(
  await Promise.all(
    names.map(async (name) => [name, (await import(`../../../web/language/messages/${name}.js`)).default]),
  ),
);

/**
 * The texts of a catalogue by their paths, such as "break.mistakes.noDivisor.1".
 *
 * @param {any} value
 * @param {string} [path]
 * @returns {[string, string | ((...values: any[]) => string)][]}
 */
function textsOf(value, path = '') {
  return typeof value === 'object'
    ? Object.entries(value).flatMap(([key, each]) => textsOf(each, path === '' ? key : `${path}.${key}`))
    : [[path, value]];
}

/** Calls a text with words that can be found again in what it says. @param {(...values: any[]) => string} text */
const said = (text) =>
  text.name === 'announce'
    ? text({ width: '⟨0⟩', spread: '⟨1⟩', peak: '⟨2⟩', state: '⟨3⟩', gradient: '⟨4⟩' })
    : text(...Array.from({ length: text.length }, (_, index) => `⟨${index}⟩`));

/** @param {string} text @param {RegExp} pattern */
const found = (text, pattern) => (text.match(pattern) ?? []).sort();

const symbols = /[A-Za-z]_[a-z]+|√|∂L\/∂\w|Sᵀ|A·V|q·k|‖|NaN|∞|\bmax\|/g;

/** Texts that may be the same in another language: names of formulas, and words that languages take from English. */
const shared =
  /^(direction|softmax|stepExponential|layer\.(meaning\.X|dropout)|walk\.steps\.6|shapes\.(meaning\.T|meaning\.d_model|embeddings|bytes))$/;

test('there are languages beside English, each in a file named by its tag', () => {
  assert.ok(['zh-CN', 'zh-Hant', 'es'].every((name) => names.includes(name)));
  for (const name of names) {
    assert.equal(Intl.getCanonicalLocales(name)[0], name);
    assert.equal(languages[name].locale, name);
    assert.match(languages[name].direction, /^(ltr|rtl)$/);
  }
});

for (const [name, messages] of Object.entries(languages)) {
  const own = new Map(textsOf(messages));

  test(`${name}: the same texts as English, none missing and none of its own`, () => {
    assert.deepEqual(
      [...own.keys()].sort(),
      textsOf(english)
        .map(([path]) => path)
        .sort(),
    );
  });

  test(`${name}: every text says something, and what varies stands in it`, () => {
    for (const [path, text] of textsOf(english)) {
      const other = own.get(path);
      assert.equal(typeof other, typeof text, path);
      if (typeof text === 'function' && typeof other === 'function') {
        assert.equal(other.length, text.length, `${path}: parameters`);
        assert.deepEqual(found(said(other), /⟨\d⟩/g), found(said(text), /⟨\d⟩/g), `${path}: what stands in it`);
      }
      const words = typeof other === 'function' ? said(other) : String(other);
      assert.match(words, /\S/, path);
      assert.doesNotMatch(words, /undefined|\[object|TODO/, path);
    }
  });

  test(`${name}: symbols and formulas are those of the English text`, () => {
    for (const [path, text] of textsOf(english)) {
      const [there, here] = [text, own.get(path)].map((each) => (typeof each === 'function' ? said(each) : `${each}`));
      assert.deepEqual([...new Set(found(here, symbols))], [...new Set(found(there, symbols))], path);
    }
  });

  test(`${name}: no English is left over`, () => {
    const letters = /[\p{L}]{4,}/u;
    const same = textsOf(english).filter(([path, text]) => {
      const other = own.get(path);
      const [a, b] = [text, other].map((each) => (typeof each === 'function' ? said(each) : `${each}`));
      return a === b && letters.test(a.replace(symbols, '')) && !shared.test(path);
    });
    assert.deepEqual(
      same.map(([path]) => path),
      [],
    );
    for (const [path, text] of own) {
      if (path !== 'problem') {
        const words = typeof text === 'function' ? said(text) : String(text);
        assert.doesNotMatch(words, /\b(the|of|and|with|row|weight|score|key|query)\b/i, path);
      }
    }
  });

  test(`${name}: numbers are written as Intl writes them`, () => {
    const tell = (/** @type {number} */ value, /** @type {Intl.NumberFormatOptions} */ options = {}) =>
      value.toLocaleString(name, options);
    const all = [...own.values()].map((text) => (typeof text === 'function' ? said(text) : String(text))).join('\n');
    for (const number of [11.09, 0.05, 0.95, 0.3, 0.7, 131_072]) {
      assert.ok(all.includes(tell(number)), `${tell(number)} is there`);
    }
    const other = tell(0.5)[1] === ',' ? /\d\.\d(?!\d\d)/ : /\d,\d(?!\d\d)/;
    assert.doesNotMatch(all, other, 'no other decimal separator');
    assert.deepEqual(
      messages.chart.edges,
      [0.1, 0.9].map((share) => tell(share, { style: 'percent' })),
    );
    assert.ok(messages.law.spreadAxis.includes(tell(0.9, { style: 'percent' })));
  });

  test(`${name}: one of a thing is not many`, () => {
    const plural = new Intl.PluralRules(name);
    const forms = [1, 2, 5].map((count) => ({
      form: plural.select(count),
      words: messages.moreKeys(count).replace(String(count), ''),
    }));
    for (const one of forms) {
      for (const other of forms) {
        assert.equal(one.words === other.words, one.form === other.form, `"${one.words}" and "${other.words}"`);
      }
    }
  });

  test(`${name}: outcomes have the marks of English and words, and choices differ`, () => {
    for (const [outcome, text] of Object.entries(messages.proofs.outcomes)) {
      const { mark } = english.proofs.outcomes[/** @type {'holds'} */ (outcome)];
      assert.equal(text.mark, mark, 'marks are the same in every language');
      assert.ok(text.text.length > 1);
    }
    for (const { choices } of Object.values(messages.checkpoints.exercises)) {
      assert.equal(new Set(choices).size, choices.length, 'choices differ');
    }
    for (const { name: mistake } of mistakes) {
      const { title } = messages.break.mistakes[mistake];
      assert.ok(title.length > 3);
    }
  });

  test(`${name}: what a text calls by name is called so where it is`, () => {
    const { panels, checkpoints, break: broken, gradientsPanel } = messages;
    const { exercises } = checkpoints;
    assert.ok(broken.introduction.includes(panels.proofs));
    assert.ok(gradientsPanel.meaning.includes(panels.train));
    for (const exercise of ['divisor', 'lateMask', 'axis', 'oneMatrix']) {
      assert.ok(exercises[exercise].deed.includes(panels.break), exercise);
    }
    for (const [exercise, mistake] of [
      ['lateMask', 'lateMask'],
      ['axis', 'wrongAxis'],
      ['oneMatrix', 'oneMatrix'],
    ]) {
      assert.ok(exercises[exercise].deed.includes(broken.mistakes[mistake].title), exercise);
    }
  });

  test(`${name}: its file travels in less than 14 kB, as a classic script that is marked as UTF-8`, (context) => {
    const script = readProjectFile(`dist/messages/${name}.js`);
    const { length } = gzipSync(script, { level: 9 });
    context.diagnostic(`gzipped: ${length} bytes`);
    assert.ok(length < 14_000, `${length} bytes`);
    assert.equal(script.codePointAt(0), 0xfeff);
    assert.doesNotMatch(script, /\b(import|export)\b/);
  });
}

test('a language leaves its texts where the widget looks, beside those of others', async () => {
  const registry = Symbol.for('attention-widget.messages');
  assert.equal(/** @type {any} */ (globalThis)[registry], undefined);
  for (const name of names) {
    await import(new URL(`../../../dist/messages/${name}.js`, import.meta.url).href);
  }
  const left = /** @type {any} */ (globalThis)[registry];
  assert.deepEqual(Object.keys(left).sort(), names.slice().sort());
  for (const name of names) {
    assert.deepEqual(
      textsOf(left[name]).map(([path]) => path),
      textsOf(languages[name]).map(([path]) => path),
    );
    assert.equal(left[name].heatmap, languages[name].heatmap);
  }
  delete (/** @type {any} */ (globalThis)[registry]);
});
