// One cell, step by step: the terms of q·k, the divisor, the maximum, exp, the sum, the weight. Every number is the
// engine's; this file only chooses which to show.

import { h, setMath, setText } from './dom.js';
import { format, formatWeightInFull, tokenName } from './format.js';

/** The dot of a product. A line may break after it, but only where a term has no room on one. */
const times = '\u2060·\u200b';

/** Terms of q·k written out before the rest is counted. */
const termsShown = 3;

/** @param {typeof import('../language/messages/en.js').default} messages */
export function createArithmetic(messages) {
  const title = h('h3', {});
  const body = h('tbody', {});
  const root = h('section', { class: 'arithmetic', part: 'arithmetic' }, title, h('table', {}, body));

  /** @type {{root: HTMLElement, name: HTMLElement, working: HTMLElement, result: HTMLElement}[]} */
  let lines = [];

  return {
    root,

    /**
     * @param {import('../engine/lesson-engine.js').LessonResult} result  computed with the cell's row highlighted
     * @param {import('../engine/lesson-state.js').LessonState} state
     * @param {import('./cells.js').Cell} cell
     * @param {boolean} [isPointed]  whether it is of another row than the list's, because the pointer is there
     */
    update(result, state, cell, isPointed = false) {
      const { tokens, keyTokens } = result;
      const name = messages.arithmetic(tokenName(tokens, cell.row), tokenName(keyTokens, cell.column));
      setMath(title, isPointed ? messages.pointedCell(name) : name);
      const steps = stepsOf(messages, result, state, cell);
      if (lines.length !== steps.length) {
        lines = steps.map(() => {
          const name = h('th', { scope: 'row' });
          const working = h('td', { class: 'working', translate: 'no' });
          const number = h('td', { class: 'number' });
          return { root: h('tr', {}, name, working, number), name, working, result: number };
        });
        body.replaceChildren(...lines.map((line) => line.root));
      }
      steps.forEach(({ name, working, result: number }, index) => {
        setMath(lines[index].name, name);
        setMath(lines[index].working, working);
        setText(lines[index].result, number);
      });
    },
  };
}

/**
 * Whether dropout took the weight of a cell: it is 0 though the softmax gave some.
 *
 * @param {Pick<import('../engine/lesson-engine.js').LessonResult, 'weights' | 'visible' | 'worksheet'>} result  with the cell's row highlighted
 * @param {import('../engine/lesson-state.js').LessonState} state
 * @param {import('./heatmap.js').Cell} cell
 */
export function isDropped({ weights, visible, worksheet }, { dropout }, { row, column }) {
  const index = row * visible.shape[1] + column;
  return dropout > 0 && visible.data[index] !== 0 && weights.data[index] === 0 && worksheet.exponentials[column] !== 0;
}

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @param {import('../engine/lesson-state.js').LessonState} state
 * @param {import('./cells.js').Cell} cell
 * @returns {{name: string, working: string, result: string}[]}
 */
function stepsOf(
  messages,
  { keyTokens, padding, Q, K, scores, scaled, masked, weights, visible, divisor, worksheet },
  state,
  { row, column },
) {
  const index = row * visible.shape[1] + column;
  const dK = Q.shape[1];
  const write = (/** @type {number} */ value) => format(value, messages);
  /** A number as a factor: a negative one in parentheses. @param {number} value */
  const parenthesised = (value) => (value < 0 ? `(${write(value)})` : write(value));
  const terms = [];
  for (let c = 0; c < Math.min(dK, termsShown); c++) {
    terms.push(`${parenthesised(Q.data[row * dK + c])}${times}${parenthesised(K.data[column * dK + c])}`);
  }
  if (dK > termsShown) {
    terms.push(messages.moreTerms(dK - termsShown));
  }
  const steps = [{ name: messages.stepScore, working: terms.join('\u00a0+\n'), result: write(scores.data[index]) }];

  const root = state.divisor === 'sqrt' ? `√${dK} = ` : '';
  steps.push({
    name: messages.stepDivide[state.divisor],
    working: state.divisor === 'none' ? '' : `${write(scores.data[index])} ÷ (${root}${write(divisor)})`,
    result: write(scaled.data[index]),
  });
  if (masked.data[index] === -Infinity) {
    const cause = column >= keyTokens.length - padding ? 'padding' : column > row ? 'future' : 'window';
    const working = messages.stepMaskHidden[cause];
    steps.push({ name: messages.stepMask, working, result: write(masked.data[index]) });
    steps.push({ name: messages.stepExponential, working: 'e^{−∞}', result: write(worksheet.exponentials[column]) });
  } else {
    const shifted = write(worksheet.shifted[column]);
    steps.push(
      state.softmax === 'naive'
        ? { name: messages.stepNoMaximum, working: '', result: shifted }
        : {
            name: messages.stepMaximum[state.softmaxAxis],
            working: `${write(scaled.data[index])} − ${parenthesised(worksheet.subtracted[column])}`,
            result: shifted,
          },
    );
    steps.push({
      name: messages.stepExponential,
      working: `e^{${shifted}}`,
      result: write(worksheet.exponentials[column]),
    });
  }
  const isCleared = visible.data[index] === 0 && masked.data[index] !== -Infinity;
  const isZeroed = isDropped({ weights, visible, worksheet }, state, { row, column });
  const sees = worksheet.totals[column] !== 0 || masked.data[index] !== -Infinity;
  const scale = state.dropout > 0 ? ` ÷ (1 − ${write(state.dropout)})` : '';
  steps.push({
    name: isCleared
      ? messages.stepCleared
      : isZeroed
        ? messages.stepDropped
        : messages.stepSum[state.softmaxAxis] + (scale && ' ÷ (1 − p)'),
    working:
      isCleared || isZeroed
        ? ''
        : !sees
          ? messages.state['no visible key']
          : `${write(worksheet.exponentials[column])} ÷ ${write(worksheet.totals[column])}${scale}`,
    result: Number.isFinite(weights.data[index])
      ? formatWeightInFull(weights.data[index], messages)
      : messages.overflow,
  });
  return steps;
}
