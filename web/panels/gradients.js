// What the training task's loss asks of each part of the layer: through the softmax to W_q and W_k, past it to W_v.

import { maxGridTokens } from '../views/cells.js';
import { h, math, mathNodes, setAttribute, setMath, setText } from '../views/dom.js';
import { format, tokenName } from '../views/format.js';
import { explain } from '../views/problem.js';
import { createSmallMap, createTiles } from '../views/small-map.js';
import { createNumber, placesOfLargest } from './panel-numbers.js';

/** A longer sentence shows the rows that carry most. */
const mostRows = 12;

const norms = /** @type {const} */ (['WqNorm', 'WkNorm', 'WvNorm']);

/** @type {import('./panel.js').PanelDefinition} */
export const gradients = { name: 'gradients', create: createGradients };

/** @type {import('./panel.js').CreatePanel} */
function createGradients(messages) {
  const texts = messages.gradientsPanel;
  const problem = h('p', { class: 'broken', role: 'alert' });
  const heads = [...texts.columns, '‖J‖', messages.softmax];
  const tiles = createTiles(() => {
    const map = createSmallMap(messages, 1);
    const figures = norms.map((name) => ({ name, value: createNumber(messages, texts.norms[name]) }));
    const story = h('p', {});
    const factor = h('p', {});
    const rows = h('tbody', {});
    const head = h('tr', {}, ...[messages.proofs.item, ...heads].map((text) => h('th', { scope: 'col' }, text)));
    const list = h(
      'dl',
      { class: 'norms' },
      ...figures.flatMap(({ name, value }) => [h('dt', {}, math(texts.norms[name])), h('dd', {}, value.root)]),
    );
    map.root.append(h('table', { class: 'shares' }, h('thead', {}, head), rows), story, factor, list);
    return { map, list, figures, story, factor, rows };
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
        shown.forEach(({ divisor, map, list, figures, story, factor, rows }, index) => {
          const gradients = found[index];
          const { shares, scoresNorm } = gradients;
          const name = messages.stepDivide[divisor] + (divisor === state.divisor ? messages.now : '');
          map.update(name, gradients.scores, { tokens, places, visible: seen, reach: end });
          list.hidden = state.projections === 'identity'; // no matrices, no gradients of them
          for (const { name: norm, value } of figures) {
            value.update(gradients[norm]);
          }
          const { gradient, peak, jacobian } = metricsWith(divisor);
          const most = placesOfLargest(shares, mostRows);
          if (rows.children.length !== most.length) {
            rows.replaceChildren(
              ...most.map(() => h('tr', {}, h('th', { scope: 'row' }), ...heads.map(() => h('td')))),
            );
          }
          most.forEach((place, line) => {
            const [name, ...cells] = rows.children[line].children;
            setMath(name, tokenName(tokens, place));
            const numbers = [shares, peak, jacobian].map((each) => format(each[place], messages));
            [...numbers, messages.gradientState[gradient[place]]].forEach((text, index) => {
              setText(cells[index], text);
            });
            setAttribute(rows.children[line], 'data-state', gradient[place]);
          });
          const dead = gradient.filter((row) => row === 'dead').length;
          const [first] = placesOfLargest(shares, 1);
          const carrier = scoresNorm > 0 ? texts.most(tokenName(tokens, first), format(shares[first], messages)) : '';
          setMath(story, texts.dead(dead, gradient.length) + carrier);
          setMath(factor, texts.factor(format(scoresNorm, messages), messages.stepDivide[divisor]));
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
