// Which catalogue a page's language gets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closestLanguage } from '../../../web/language/closest-language.js';

/** @param {string[]} names  of the catalogues @param {[string, string | undefined][]} pairs  a page's tag, and its catalogue */
function assertClosest(names, pairs) {
  for (const order of [names, names.toReversed()]) {
    for (const [tag, name] of pairs) {
      assert.equal(closestLanguage(tag, order), name, `${tag} of ${order}`);
    }
  }
}

test('the exact tag comes first, whatever its case, and with underscores too', () => {
  assertClosest(
    ['zh-CN', 'zh-TW', 'pt-BR', 'pt-PT', 'pt'],
    [
      ['zh-TW', 'zh-TW'],
      ['ZH-cn', 'zh-CN'],
      ['pt_PT', 'pt-PT'],
      ['pt-br', 'pt-BR'],
      ['PT', 'pt'],
    ],
  );
  assertClosest(['pt_BR', 'pt_PT'], [['pt-PT', 'pt_PT']]);
});

test('then comes the longest prefix, which ends where a subtag does', () => {
  assertClosest(
    ['de', 'de-CH', 'en', 'es'],
    [
      ['de-CH-1996', 'de-CH'],
      ['de-AT', 'de'],
      ['es-419', 'es'],
      ['en-GB', 'en'],
      ['est', undefined],
      ['d', undefined],
    ],
  );
});

test('a page in one script of a language gets that script where there is one', () => {
  assertClosest(
    ['zh', 'zh-CN', 'zh-Hant'],
    [
      ['zh-TW', 'zh-Hant'],
      ['zh-HK', 'zh-Hant'],
      ['zh-Hant-MO', 'zh-Hant'],
      ['zh-SG', 'zh'],
      ['zh-Hans', 'zh'],
    ],
  );
  assertClosest(
    ['zh-CN', 'zh-Hant'],
    [
      ['zh', 'zh-CN'],
      ['zh_SG', 'zh-CN'],
      ['zh-Hans-HK', 'zh-CN'],
      ['zh-Hant', 'zh-Hant'],
      ['zh_TW', 'zh-Hant'],
      ['zh-hk', 'zh-Hant'],
      ['zh-MO', 'zh-Hant'],
      ['zh-Hant-CN', 'zh-Hant'],
    ],
  );
  assertClosest(
    ['zh-CN', 'zh-HK', 'zh-TW'],
    [
      ['zh-Hant', 'zh-TW'],
      ['zh-Hant-HK', 'zh-HK'],
      ['zh-Hans-MY', 'zh-CN'],
      ['zh', 'zh-CN'],
    ],
  );
  assertClosest(['sr', 'sr-Latn'], [['sr-ME', 'sr-Latn']]);
});

test('a region that is likely for a language comes before another one', () => {
  assertClosest(['pt-AO', 'pt-BR', 'pt-PT'], [['pt', 'pt-BR']]);
});

test('a language without a catalogue of its script or region gets any of its own, and others none', () => {
  assertClosest(
    ['zh-CN', 'pt-BR'],
    [
      ['zh-TW', 'zh-CN'],
      ['pt-PT', 'pt-BR'],
      ['ja', undefined],
      ['', undefined],
    ],
  );
});

test('what is no tag gets the catalogue of that name alone', () => {
  assertClosest(
    ['en', 'es', 'x-house'],
    [
      ['english', undefined],
      ['es-', 'es'],
      ['x-house', 'x-house'],
      ['--', undefined],
    ],
  );
});
