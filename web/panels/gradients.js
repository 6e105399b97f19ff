// What the training task's loss asks of each part of the layer: through the softmax to W_q and W_k, past it to W_v.

import { maxGridTokens } from '../views/cells.js';
import { h, math, mathNodes, setMath, setText } from '../views/dom.js';
import { explain } from '../views/problem.js';
import { createSmallMap, createTiles } from '../views/small-map.js';
import { createNumber } from './panel-numbers.js';

const norms = /** @type {const} */ (['WqNorm', 'WkNorm', 'WvNorm']);

/** @type {import('./panel.js').PanelDefinition} */
export const gradients = { name: 'gradients', create: createGradients };

/** @type {import('./panel.js').CreatePanel} */
function createGradients(messages) {
  const texts = messages.gradientsPanel;
  const problem = h('p', { class: 'broken', role: 'alert' });
  const tiles = createTiles(() => {
    const map = createSmallMap(messages, 1);
    const figures = norms.map((name) => ({ name, value: createNumber(messages, texts.norms[name]) }));
    const dead = h('p', {});
    const list = h(
      'dl',
      { class: 'norms' },
      ...figures.flatMap(({ name, value }) => [h('dt', {}, math(texts.norms[name])), h('dd', {}, value.root)]),
    );
    map.root.append(list, dead);
    return { map, list, figures, dead };
  });
  const root = h('div', { class: 'gradients' }, h('p', {}, ...mathNodes(texts.meaning)), problem, tiles.root);

  return {
    root,

    update({ engine, state, metricsWith, result: { tokens, masked } }) {
      try {
        const shown = tiles.of(state);
        const found = shown.map(({ divisor }) => engine.taskGradients({ ...state, divisor }));
        const end = Math.max(...found.map(({ largestScore }) => largestScore));
        const places = tokens.map((_, place) => place).slice(0, maxGridTokens);
        const seen = Uint8Array.from(masked.data, (score) => Number(score !== -Infinity));
        shown.forEach(({ divisor, map, list, figures, dead }, index) => {
          const gradients = found[index];
          const name = messages.stepDivide[divisor] + (divisor === state.divisor ? messages.now : '');
          map.update(name, gradients.scores, { tokens, places, visible: seen, reach: end });
          list.hidden = state.projections === 'identity'; // no matrices, no gradients of them
          for (const { name: norm, value } of figures) {
            value.update(gradients[norm]);
          }
          const rows = metricsWith(divisor).gradient;
          setText(dead, texts.dead(rows.filter((row) => row === 'dead').length, rows.length));
        });
        setMath(problem, '');
        tiles.root.hidden = false;
      } catch (error) {
        setMath(problem, explain(messages, error).sentence);
        tiles.root.hidden = true;
      }
    },
  };
}
