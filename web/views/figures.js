// The figures that prove what the picture shows: spread, peak, softmax state, entropy, gradient.

import { h, setAttribute, setMath, setText } from './dom.js';
import { formatFigure, rowOf, tokenName } from './format.js';
import { isForced, softmaxWord } from './softmax-word.js';

/** @param {typeof import('../language/messages/en.js').default} messages */
export function createFigures(messages) {
  const spread = figure('spread');
  const peak = figure('peak');
  const state = figure('state');
  const entropy = figure('entropy');
  const gradient = figure('gradient');
  const root = h(
    'dl',
    { class: 'figures', part: 'figures', 'aria-label': messages.figures },
    ...[spread, peak, state, entropy, gradient].map((each) => each.root),
  );

  return {
    root,

    /** @param {import('../engine/lesson-engine.js').LessonResult} result @param {import('../engine/lesson-state.js').LessonState} state */
    update({ metrics, tokens, keyTokens, weights, visible, shapes }, { row, divisor }) {
      const { expectedSpread } = metrics;
      const write = (/** @type {number} */ value) => formatFigure(value, messages);
      spread.update(
        messages.spread,
        write(metrics.spread),
        expectedSpread === null ? messages.noTheory : messages.theory[divisor](shapes.Q[1], write(expectedSpread)),
      );

      const peakKey = rowOf(weights, row).indexOf(metrics.peak[row]);
      const visibleKeys = rowOf(visible, row).filter(Boolean).length;
      peak.update(
        messages.peak(tokenName(tokens, row)),
        write(metrics.peak[row]),
        peakKey < 0 ? '' : messages.peakOf(tokenName(keyTokens, peakKey)),
      );

      state.update(messages.softmax, softmaxWord(messages, metrics, row), messages.rowSum(write(metrics.rowSum[row])));
      setAttribute(state.root, 'data-state', isForced(metrics, row) ? 'one key' : metrics.state[row]);

      entropy.update(
        messages.entropy,
        write(metrics.entropy[row]),
        metrics.state[row] === 'not a distribution'
          ? messages.state['not a distribution']
          : messages.entropyOf(`ln ${visibleKeys} = ${write(metrics.maximumEntropy[row])}`),
      );

      const gradientState = metrics.gradient[row];
      gradient.update(
        messages.gradient,
        messages.gradientState[gradientState],
        isForced(metrics, row) ? messages.nothingToLearn : messages.jacobian(write(metrics.jacobian[row])),
      );
      setAttribute(gradient.root, 'data-state', gradientState);
    },
  };
}

/**
 * One figure: its name, its value, and what to compare the value with.
 *
 * @param {string} name
 */
function figure(name) {
  const label = h('span', { class: 'figure-name' });
  const value = h('span', { class: 'figure-value' });
  const note = h('span', { class: 'figure-note' });
  return {
    root: h('div', { class: 'figure', 'data-figure': name }, h('dt', {}, label), h('dd', {}, value, ' ', note)),
    update(/** @type {string} */ labelText, /** @type {string} */ valueText, /** @type {string} */ noteText) {
      setMath(label, labelText);
      setText(value, valueText);
      setMath(note, noteText);
    },
  };
}
