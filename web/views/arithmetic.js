// One cell, step by step: the terms of q·k, the divisor, the maximum, exp, the sum, the weight. Every number is the
// engine's; this file only chooses which to show.

import { button, h, setAttribute, setMath, setText } from './dom.js';
import { format, formatWeightInFull, rowOf, tokenName } from './format.js';
import { cellArithmetic, productTerms } from './layer/cell-arithmetic.js';

/** @typedef {import('./layer/cell-arithmetic.js').Step} Step */

/** Terms of a product written out before the rest is counted. */
const termsShown = 3;

/** @param {typeof import('../language/messages/en.js').default} messages */
export function createArithmetic(messages) {
  const title = h('h3', {});
  const body = h('tbody', {});
  let isAll = false;
  let again = () => {};
  const turn = () => {
    isAll = !isAll;
    again();
  };
  const all = button(messages.allTerms, turn, { part: 'all-terms' });
  const root = h('section', { class: 'arithmetic', part: 'arithmetic' }, title, h('table', {}, body), all);

  /** @type {{root: HTMLElement, name: HTMLElement, working: HTMLElement, result: HTMLElement}[]} */
  let lines = [];

  /**
   * @param {string} name
   * @param {(most: number) => Step[]} stepsWith  given how many terms are written out
   */
  const show = (name, stepsWith) => {
    again = () => show(name, stepsWith);
    setMath(title, name);
    const steps = stepsWith(isAll ? Number.POSITIVE_INFINITY : termsShown);
    all.hidden =
      !isAll && stepsWith(Number.POSITIVE_INFINITY).every(({ working }, index) => working === steps[index].working);
    setAttribute(all, 'aria-pressed', String(isAll));
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
  };

  return {
    root,

    /**
     * The arithmetic of a weight.
     *
     * @param {import('../engine/lesson-engine.js').LessonResult} result  computed with the cell's row highlighted
     * @param {import('../engine/lesson-state.js').LessonState} state
     * @param {import('./cells.js').Cell} cell
     * @param {boolean} [isPointed]  whether it is of another row than the list's, because the pointer is there
     * @param {number} [lines]  how many; the walk has not come further
     */
    update(result, state, cell, isPointed = false, lines = undefined) {
      const { tokens, keyTokens } = result;
      const name = messages.arithmetic(tokenName(tokens, cell.row), tokenName(keyTokens, cell.column));
      show(isPointed ? messages.pointedCell(name) : name, (most) =>
        stepsOf(messages, result, state, cell, most).slice(0, lines),
      );
    },

    /**
     * The arithmetic of an entry of another matrix.
     *
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @param {import('../engine/lesson-state.js').LessonState} state
     * @param {import('./layer/cell-arithmetic.js').Place} place
     */
    updateEntry(result, state, place) {
      const { title: name } = cellArithmetic(messages, result, state, place, 0);
      show(name, (most) => cellArithmetic(messages, result, state, place, most).steps);
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
 * @param {number} most  terms of q·k that are written out
 * @returns {Step[]}
 */
function stepsOf(
  messages,
  { keyTokens, padding, Q, K, scores, scaled, masked, weights, visible, divisor, worksheet },
  state,
  { row, column },
  most,
) {
  const index = row * visible.shape[1] + column;
  const dK = Q.shape[1];
  const write = (/** @type {number} */ value) => format(value, messages);
  /** A number as a factor: a negative one in parentheses. @param {number} value */
  const parenthesised = (value) => (value < 0 ? `(${write(value)})` : write(value));
  const terms = productTerms(messages, rowOf(Q, row), rowOf(K, column), most);
  const steps = [{ name: messages.stepScore, working: terms, result: write(scores.data[index]) }];

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
