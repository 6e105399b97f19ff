// The same state with the other divisor, beside the map: one slider moves both.

import { h, setAttribute, setHidden, setMath } from './dom.js';
import { format, plainText } from './format.js';
import { createSmallMap } from './small-map.js';
import { softmaxWord } from './softmax-word.js';

/** The most tokens of which a second map is drawn. */
const mostTokens = 64;

/** @param {typeof import('../language/messages/en.js').default} messages */
export function createBeside(messages) {
  /** @type {ReturnType<typeof createSmallMap> | undefined} made when it is first wanted */
  let map;
  const figures = h('p', { class: 'beside-figures' });
  const root = h('div', { class: 'beside', part: 'beside', hidden: true }, figures);

  return {
    root,

    /**
     * @param {import('../engine/lesson-engine.js').LessonEngine} engine
     * @param {import('../engine/lesson-state.js').LessonState} state
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     */
    update(engine, state, { tokens, keyTokens }) {
      setHidden(root, state.beside === 'none');
      if (root.hidden) {
        return;
      }
      if (map === undefined) {
        map = createSmallMap(messages, undefined, 'h3');
        root.prepend(map.root);
      }
      const isTooLong = Math.max(tokens.length, keyTokens.length) > mostTokens;
      setHidden(map.root, isTooLong);
      if (isTooLong) {
        setMath(figures, messages.tooMany(Math.max(tokens.length, keyTokens.length), mostTokens));
        return;
      }
      const divisor = state.divisor === 'sqrt' ? 'none' : 'sqrt';
      const whole = engine.lesson({ ...state, divisor });
      const { weights, visible, metrics } = whole.head ?? whole;
      const places = (/** @type {string[]} */ words) => words.map((_, place) => place);
      map.update(messages.beside[divisor], weights, {
        tokens,
        places: places(tokens),
        visible: visible.data,
        keys: keyTokens,
        keyPlaces: places(keyTokens),
      });
      const { row } = state;
      const gradient = metrics.gradient[row];
      const peak = `${messages.curves.peak} ${format(metrics.peak[row], messages)}`;
      const softmax = `${messages.softmax} ${softmaxWord(messages, metrics, row)}`;
      const parts = [`${messages.spread} ${format(metrics.spread, messages)}`, peak, softmax];
      setMath(figures, plainText(`${parts.join(' · ')} · ${messages.gradient} ${messages.gradientState[gradient]}`));
      setAttribute(figures, 'data-state', gradient);
    },
  };
}
