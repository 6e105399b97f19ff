// What is wrong, in one sentence of the reader's language.

import { asEngineError } from '../engine/engine-error.js';
import { settings } from '../engine/lesson-state.js';
import { isolated, localised, visibleToken } from './format.js';

/**
 * The engine's sentences that readers cause by typing or choosing, by kind: what the text of each is, and what varies in it.
 *
 * @type {[kind: string, sentence: RegExp][]}
 */
const kinds = [
  ['noTokens', /^tokens is empty,/],
  ['noWords', /^tokens is (?<found>.+), but must be words/s],
  ['tooMany', /^(?:tokens|context) holds (?<found>\d+).* must hold (at most|1 to) (?<most>\d+)$/],
  ['seed', /^seed is (?<found>.+), but must be a whole number from (?<least>\d+) to (?<most>\d+)$/s],
  ['heads', /^heads is (?<found>\d+), but with (?<tokens>\d+(?: × \d+)?) tokens must be at most (?<most>\d+)$/],
  ['width', /^(?<name>d_?\w+) is (?<found>\d+), but .* needs it to equal (?<other>\w+) = (?<value>\d+)$/],
  ['rateText', /^learningRate is (?<found>".*"), but/s],
  ['rate', /^learningRate is /],
  ['oneSentence', /^context holds tokens, but the task/],
  ['noTask', /^(tokens holds|padding leaves) 1 token, but the task/],
  ['nothingToTrain', /^projections is "identity", but training/],
];

/**
 * The sentence of an engine's error. What a reader can cause is said in the reader's language; of the rest the language says
 * that nothing can be computed, and quotes the engine, with a setting under the name that a page writes.
 *
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {unknown} error
 * @returns {{argument: string | null, sentence: string}}
 */
export function explain(messages, error) {
  const { problem, message } = asEngineError(error);
  if (problem === null) {
    return { argument: null, sentence: messages.failed(message) };
  }
  const setting = settings[/** @type {import('../engine/lesson-state.js').SettingName} */ (problem.argument)];
  const argument = setting?.attribute ?? problem.argument;
  for (const [kind, pattern] of kinds) {
    const match = pattern.exec(message);
    if (match !== null) {
      const values = Object.values(match.groups ?? {}).map((value) => quotedFor(messages, value));
      const say = /** @type {Record<string, any>} */ ({ ...messages.problems, tooMany: messages.tooMany })[kind];
      return { argument, sentence: say(...values) };
    }
  }
  return { argument, sentence: messages.problem(argument, problem.found, problem.expected) };
}

/**
 * What the engine found, as the language writes it: a text in its quotation marks, "dModel" as a symbol, a number with its
 * separator.
 *
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {string} found
 */
function quotedFor(messages, found) {
  const [, text] = /^"(.*)"$/s.exec(found) ?? [];
  return text === undefined
    ? found.replace(/^d_?([A-Za-z]+)$/, (_, name) => `d_${name.toLowerCase()}`).replace('.', localised('.', messages))
    : messages.quoted(text === '' ? '' : isolated(visibleToken(text)));
}
