// The figures in words, for screen readers: once the changes have come to rest.

import { h, setText, windowOf } from './dom.js';
import { formatFigure, plainText } from './format.js';
import { softmaxWord } from './softmax-word.js';

/** Milliseconds without a change before the figures are announced. */
const announceAfter = 700;

/** @param {import('../language/language.js').Messages} messages */
export function createAnnouncer(messages) {
  const root = h('p', { class: 'announcer', 'aria-live': 'polite' });
  let cancel = () => {};
  return {
    root,
    /**
     * @param {import('../engine/lesson-state.js').LessonState} state
     * @param {import('../engine/lesson-engine.js').Metrics} metrics
     * @param {string | null} [sentence]  to be said instead
     */
    announce({ row, dK }, metrics, sentence) {
      cancel();
      const view = windowOf(root);
      const timer = view.setTimeout(() => {
        const said = messages.announce({
          width: dK,
          spread: formatFigure(metrics.spread, messages),
          peak: formatFigure(metrics.peak[row], messages),
          state: softmaxWord(messages, metrics, row),
          gradient: messages.gradientState[metrics.gradient[row]],
        });
        setText(root, sentence || plainText(said));
      }, announceAfter);
      cancel = () => view.clearTimeout(timer);
    },
    /** Takes back what has not been said yet. */
    cancel: () => cancel(),
  };
}
