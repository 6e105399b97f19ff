// How the highlighted row's weights move with its scores, by divisor: what a gradient must pass to reach W_q
// and W_k.

import { maxGridTokens } from '../views/cells.js';
import { h, mathNodes, setAttribute, setMath, setText } from '../views/dom.js';
import { rowOf } from '../views/format.js';
import { createSmallMap, createTiles } from '../views/small-map.js';
import styles from './jacobian.css';
import { createNumber, placesOfLargest } from './panel-numbers.js';

/** The largest entry that weights which sum to 1 can have: a(1 − a) at a = ½. */
const largestEntry = 0.25;

/** @type {import('./panel.js').PanelDefinition} */
export const jacobian = { name: 'jacobian', styles: [styles], create: createJacobian };

/** @type {import('./panel.js').CreatePanel} */
function createJacobian(messages) {
  const texts = messages.jacobianPanel;
  const tiles = createTiles(() => {
    const map = createSmallMap(messages, largestEntry);
    const norm = createNumber(messages, texts.norm);
    const word = h('strong', {});
    map.root.append(h('p', {}, texts.norm, norm.root, ' · ', word));
    return { map, norm, word };
  });
  const note = h('p', { class: 'note' });
  const more = h('p', {});
  const root = h('div', { class: 'jacobian' }, h('p', {}, ...mathNodes(texts.meaning)), note, tiles.root, more);

  return {
    root,

    update({ engine, state, metricsWith, result: { keyTokens, metrics, weights, masked, visible } }) {
      const { row } = state;
      const n = keyTokens.length;
      const jacobians = engine.jacobians(state);
      const { scaledNorm, unscaledNorm } = jacobians;
      const isIdle = metrics.gradient[row] === 'no choice' && scaledNorm + unscaledNorm === 0;
      const places = placesOfLargest(rowOf(weights, row), maxGridTokens);
      tiles.root.hidden = isIdle;
      const notes = [
        state.softmaxAxis === 'queries' && texts.columns,
        state.mask === 'late' && state.softmaxAxis === 'keys' && texts.late,
        state.dropout > 0 && texts.dropout,
      ];
      setMath(note, isIdle ? texts.oneKey : notes.filter(Boolean).join(' '));
      // A weight that is cleared has no derivative to show, and a score that the softmax does not see moves nothing.
      const stays = rowOf(visible, row);
      const seen = rowOf(masked, row);
      const shown = Uint8Array.from({ length: n * n }, (_, cell) =>
        Number(stays[Math.floor(cell / n)] !== 0 && seen[cell % n] !== -Infinity),
      );
      setText(more, isIdle || places.length === n ? '' : messages.keysShown(places.length, n));
      for (const { divisor, map, norm, word } of isIdle ? [] : tiles.of(state)) {
        const kind = /** @type {const} */ ({ sqrt: 'scaled', none: 'unscaled', dk: 'own' })[divisor];
        const isNow = divisor === state.divisor;
        const gradient = metricsWith(divisor).gradient[row];
        const name = messages.stepDivide[divisor] + (isNow ? messages.now : '');
        map.update(name, jacobians[kind], { tokens: keyTokens, places, visible: shown });
        norm.update(jacobians[`${kind}Norm`]);
        setText(word, messages.gradientState[gradient]);
        setAttribute(word, 'data-state', gradient);
      }
    },
  };
}
