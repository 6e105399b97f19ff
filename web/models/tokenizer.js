// A model's own tokens: its tokenizer.json, as the package @huggingface/tokenizers reads it, and names for the picture.

import { Tokenizer } from '@huggingface/tokenizers';
import { describe } from '../engine/engine-error.js';
import { refuse } from '../readers/refusal.js';
import { textOf } from '../readers/source.js';

/** @typedef {import('../readers/source.js').Source} Source */

/** The longest sentence that is taken, in characters: no model that is read has room for as many tokens. */
const longestText = 20_000;

/**
 * @typedef {object} Tokens
 * @property {number[]} ids  rows of the model's table of words
 * @property {string[]} labels  no two alike: a space shows as ␣, a piece of a word as ##ing, and where a token comes again its
 *   position from 0 is added
 */

/** @typedef {{tokens: (text: string) => Tokens}} ModelTokenizer */

/** Bytes as GPT-2 writes them: those that print stand for themselves, the others for characters from 256 on. */
const byteOf = new Map();
for (let byte = 0, next = 256; byte < 256; byte++) {
  const prints = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  byteOf.set(String.fromCharCode(prints ? byte : next++), byte);
}

/** @param {string} text  what a reader can see of it */
const visible = (text) =>
  text
    .replaceAll(' ', '␣')
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/[\s\p{Cc}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A token of bytes as text; bytes that are a part of a character alone are written as such. @param {string} token */
function ofBytes(token) {
  const bytes = [...token].map((character) => byteOf.get(character));
  if (bytes.includes(undefined)) {
    return visible(token);
  }
  try {
    return visible(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)));
  } catch {
    return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  }
}

/** @param {string[]} labels  @returns {string[]}  no two alike */
function toldApart(labels) {
  const counts = new Map();
  for (const label of labels) {
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return labels.map((label, position) => (counts.get(label) > 1 ? `${label}·${position}` : label));
}

/**
 * @param {Source[]} files  tokenizer.json, and where there is one tokenizer_config.json
 * @returns {Promise<ModelTokenizer>}
 * @throws {EngineError}  where the tokenizer is missing or cannot be used
 */
export async function openTokenizer(files) {
  const named = (/** @type {string} */ name) => files.find((file) => file.name === name);
  const file = named('tokenizer.json');
  if (file === undefined) {
    return refuse('tokenizer.json', '', 'is missing', "it makes the model's tokens of a sentence");
  }
  const more = named('tokenizer_config.json');
  const parsed = async (/** @type {Source} */ source) => {
    const text = await textOf(source);
    /** @type {any} */
    let value;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return refuse(source.name, '', `is no JSON (${error})`, 'must be an object');
    }
    return value !== null && typeof value === 'object'
      ? value
      : refuse(source.name, '', `is ${value}`, 'must be an object');
  };
  const whole = await parsed(file);
  /** @type {Tokenizer} */
  let tokenizer;
  try {
    tokenizer = new Tokenizer(whole, more === undefined ? {} : await parsed(more));
  } catch (error) {
    return refuse(file.name, '', `cannot be used (${error})`, 'must be a tokenizer as the library tokenizers saves it');
  }
  const isOfBytes = [whole.pre_tokenizer, ...(whole.pre_tokenizer?.pretokenizers ?? [])].some(
    (step) => step?.type === 'ByteLevel',
  );

  return {
    tokens(text) {
      if (text.length > longestText) {
        refuse('text', '', `has ${text.length} characters`, `at most ${longestText} are taken`);
      }
      /** @type {{ids: number[], tokens: string[]}} */
      let encoded;
      try {
        encoded = tokenizer.encode(text);
      } catch (error) {
        return refuse(file.name, '', `fails on ${describe(text)} (${error})`, 'must give tokens');
      }
      const { ids, tokens } = encoded;
      const wrong = ids.findIndex((id) => !Number.isSafeInteger(id) || id < 0);
      if (wrong >= 0) {
        refuse(
          file.name,
          `id of ${describe(tokens[wrong])}`,
          `is ${describe(ids[wrong])}`,
          'must be a row of the table',
        );
      }
      return { ids, labels: toldApart(tokens.map(isOfBytes ? ofBytes : visible)) };
    },
  };
}
