// What is wrong, in one sentence.

import { asEngineError } from '../engine/engine-error.js';
import { settings } from '../engine/lesson-state.js';

/**
 * The sentence of an error, with a setting under the name that a page writes.
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
  return { argument, sentence: messages.problem(argument, problem.found, problem.expected) };
}
