// Errors that readers cause, in their language: every kind from the engine itself. Covers views/problem.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import english from '../../../web/language/messages/en.js';
import spanish from '../../../web/language/messages/es.js';
import chinese from '../../../web/language/messages/zh-CN.js';
import { explain } from '../../../web/views/problem.js';
import { EngineError } from '../support.mjs';
import { engine } from './support.mjs';

/** The sentence of what a call throws. @param {typeof english} messages @param {() => unknown} call */
function sentenceOf(messages, call) {
  try {
    call();
  } catch (error) {
    // The engine of the build has a class of its own.
    assert.ok(error instanceof EngineError, String(error));
    const { problem } = error;
    return explain(messages, new OwnError(/** @type {any} */ (problem))).sentence;
  }
  return assert.fail('it throws nothing');
}
const { EngineError: OwnError } = await import('../../../web/engine/engine-error.js');

/** @type {[name: string, call: () => unknown, spanish: RegExp, chinese: RegExp, english: RegExp][]} */
const mistakes = [
  [
    'an empty sentence',
    () => engine.lesson({ tokens: [] }),
    /^La frase está vacía/,
    /^句子是空的/,
    /^The sentence is empty/,
  ],
  [
    'a sentence that is broken JSON',
    () => engine.lesson({ tokens: /** @type {any} */ ('[1, 2') }),
    /^Los tokens son «\u2068\[1, 2\u2069»/,
    /^词元是 “\u2068\[1, 2\u2069”/,
    /^tokens is "\u2068\[1, 2\u2069", but must be words/,
  ],
  [
    'too many tokens',
    () => engine.lesson({ tokens: Array(2049).fill('a'), row: 0 }),
    /^2049 tokens son demasiados/,
    /^2049 个词元在这里太多了/,
    /^2049 tokens are too many/,
  ],
  [
    'too many tokens for a sample',
    () => engine.sample({ tokens: Array(2049).fill('a') }, 0, 1),
    /^2049 tokens son demasiados/,
    /^2049 个词元/,
    /^2049 tokens are too many/,
  ],
  [
    'a seed that is a text',
    () => engine.lesson({ seed: /** @type {any} */ ('0x10') }),
    /^La semilla es «\u20680x10\u2069», pero debe ser un número entero de 0 a 4294967295\.$/,
    /^随机种子是 “\u20680x10\u2069”，但必须是 0 到 4294967295 之间的整数。$/,
    /^seed is "\u20680x10\u2069", but must be a whole number from 0 to 4294967295\.$/,
  ],
  [
    'a seed that is too large',
    () => engine.lesson({ seed: 4294967296 }),
    /^La semilla es 4294967296,/,
    /^随机种子是 4294967296，/,
    /^seed is 4294967296, but/,
  ],
  [
    'more heads than so many tokens allow',
    () => engine.lesson({ tokens: Array(2048).fill('a'), heads: 8, row: 0 }),
    /^Con 2048 tokens puede haber 1 cabezas como máximo, no 8\.$/,
    /^2048 个词元时最多只能有 1 个头/,
    /^heads is 8, but with 2048 tokens must be at most 1\.$/,
  ],
  [
    'a width that needs matrices',
    () => engine.lesson({ projections: 'identity', dK: 64, dModel: 16, dV: 16 }),
    /^d_k es 64, pero sin matrices propias debe ser igual a d_model = 16\.$/,
    /^d_k 是 64，/,
    /^d_k is 64, but without matrices of their own it must equal d_model = 16\.$/,
  ],
  [
    'a learning rate that is a text',
    () => engine.train({}, { learningRate: /** @type {any} */ ('1.500') }),
    /^La tasa de aprendizaje es «\u20681\.500\u2069», .* 0,5\.$/,
    /^学习率是 “\u20681\.500\u2069”，/,
    /^The learning rate is "\u20681\.500\u2069"/,
  ],
  [
    'a learning rate below 0',
    () => engine.train({}, { learningRate: -1 }),
    /^La tasa de aprendizaje debe ser/,
    /^学习率必须是/,
    /^The learning rate must be more than 0/,
  ],
  [
    'training without parameters',
    () => engine.train({ projections: 'identity', dK: 16, dModel: 16, dV: 16 }),
    /^Sin parámetros no hay nada que entrenar\.$/,
    /^没有参数，就没有可训练的东西。$/,
    /^Without parameters there is nothing to train\.$/,
  ],
];

for (const [name, call, ...sentences] of mistakes) {
  test(`${name} is said in the reader's language`, () => {
    for (const [index, messages] of [spanish, chinese, english].entries()) {
      assert.match(sentenceOf(messages, call), sentences[index]);
    }
  });
}

test('what only an author causes is quoted as the engine says it, with the name of the attribute', () => {
  const call = () => engine.lesson({ dK: 0 });
  assert.equal(sentenceOf(english, call), 'd-k is 0, but must be a whole number from 1 to 512.');
  assert.match(sentenceOf(spanish, call), /d-k is 0, but must be/);
});

test('an error that is none of the engine’s is said as it is, in the frame of the language', () => {
  const error = new TypeError('x is not a function');
  assert.match(explain(english, error).sentence, /x is not a function/);
  assert.match(explain(spanish, error).sentence, /^El widget no puede mostrar nada\. .*x is not a function/);
});
