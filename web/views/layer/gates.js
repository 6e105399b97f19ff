// What stands between the scores and the output, in the order of the deeds: a division, masks before the softmax, the
// softmax, and what comes after it. The page and the picture as a file both say it from here.

import { format } from '../format.js';

/**
 * @typedef {object} Gate
 * @property {'divide' | 'mask' | 'softmax' | 'late' | 'dropout'} name
 * @property {string} text  empty where the state has no such gate
 * @property {boolean} isWrong
 */

/**
 * @param {typeof import('../../language/messages/en.js').default} messages
 * @param {import('../../engine/lesson-state.js').LessonState} state
 * @param {import('../../engine/lesson-engine.js').LessonResult} result
 * @returns {Gate[]}  the scores S stand before the softmax
 */
export function gatesOf(messages, { divisor, mask, window, padding, softmaxAxis, softmax, dropout, dK }, result) {
  const divided = {
    sqrt: `÷ √${dK} = ${format(result.divisor, messages)}`,
    none: messages.stepDivide.none,
    dk: `÷ d_k = ${dK}`,
  };
  const masks = { none: '', causal: messages.causal, window: `${messages.sliding} ${window}`, late: '' };
  const padded = padding > 0 ? `${messages.padding} ${padding}` : ''; // before the softmax, whatever the mask
  const isNaive = softmax === 'naive';
  const along = `softmax ${softmaxAxis === 'keys' ? '→' : '↓'} ${messages.layer.along[softmaxAxis]}`;
  return [
    { name: 'divide', text: divided[divisor], isWrong: divisor !== 'sqrt' },
    { name: 'mask', text: [masks[mask], padded].filter(Boolean).join(' + '), isWrong: false },
    {
      name: 'softmax',
      text: along + (isNaive ? ` (${messages.stepNoMaximum})` : ''),
      isWrong: isNaive || softmaxAxis === 'queries',
    },
    { name: 'late', text: mask === 'late' ? messages.late : '', isWrong: true },
    {
      name: 'dropout',
      text: dropout > 0 ? `${messages.layer.dropout} p = ${format(dropout, messages)}` : '',
      isWrong: true,
    },
  ];
}
