// Whatever is broken on purpose, by name, with a way to mend it: in sight whichever panel is open.

import { isLocked } from '../engine/lesson-state.js';
import { h, mathNodes } from './dom.js';
import { plainText } from './format.js';
import { makes, mistakes } from './mistakes.js';

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {(changes: Partial<import('../engine/lesson-state.js').LessonState>) => void} change
 */
export function createChips(messages, change) {
  const root = h('span', { class: 'chips' });
  let shown = '';
  return {
    root,

    /** @param {import('../engine/lesson-state.js').LessonState} state */
    update(state) {
      // Of a missing divisor the toggle beside says it.
      const made = mistakes.filter((mistake) => mistake.name !== 'noDivisor' && makes(mistake, state));
      const key = JSON.stringify([made.map(({ name }) => name), state.locked]);
      if (key !== shown) {
        shown = key;
        const chips = made.map(({ name, setting, right, also }) => {
          const { title } = messages.break.mistakes[name];
          const mend = h(
            'button',
            {
              type: 'button',
              'aria-label': plainText(messages.mend(title)),
              disabled: isLocked(state, setting),
              click: () => change({ ...also?.(), [setting]: right }),
            },
            '×',
          );
          return h('span', { class: 'chip', 'data-mistake': name }, h('span', {}, ...mathNodes(title)), mend);
        });
        const hadFocus = root.matches(':focus-within');
        root.replaceChildren(...chips);
        if (hadFocus) {
          /** @type {HTMLElement} */ (root.querySelector('button') ?? root.previousElementSibling).focus();
        }
      }
    },
  };
}
