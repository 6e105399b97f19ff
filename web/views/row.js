// What the highlighted query looks at: its scores and weights, key by key, as paired bars.

import { paddingAt, setLabel } from './cells.js';
import { h, setAttribute, setHidden, setMath, setStyle, setText } from './dom.js';
import { format, formatWeight, localised, rowOf, tokenName } from './format.js';

/** The score bars' scale ends here at least, so that scores visibly grow with d_k. */
const leastScale = 4;

/** A longer row shows this many keys, those with the most weight first. */
const mostKeys = 12;

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {(column: number) => void} choose
 */
export function createRow(messages, choose) {
  const title = h('h3', {});
  const body = h('tbody', {});
  const ends = h('bdi', {});
  const more = h('p', { class: 'more' });
  const root = h(
    'section',
    { class: 'row', part: 'row' },
    title,
    h(
      'table',
      {},
      h(
        'colgroup',
        {},
        h('col', { class: 'key-column' }),
        h('col', {}),
        h('col', { class: 'number-column' }),
        h('col', {}),
        h('col', { class: 'number-column' }),
      ),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, messages.key),
          h('th', { scope: 'col', colspan: 2 }, messages.score, ' ', ends),
          h('th', { scope: 'col', colspan: 2 }, messages.weight),
        ),
      ),
      body,
    ),
    more,
  );

  /** @type {ReturnType<typeof line>[]} */
  let lines = [];
  /** @type {number[]} the key on each line */
  let keys = [];

  return {
    root,

    /** @param {import('../engine/lesson-engine.js').LessonResult} result @param {import('./cells.js').Cell} selected */
    update(result, selected) {
      const { tokens, keyTokens, scores: products, masked, weights, visible } = result;
      const n = keyTokens.length;
      const start = selected.row * n;
      keys = keysShown(rowOf(weights, selected.row), selected.column);
      if (lines.length !== keys.length) {
        lines = keys.map((_, index) => line(() => choose(keys[index])));
        body.replaceChildren(...lines.map((each) => each.root));
      }
      setHidden(more, keys.length === n);
      setText(more, messages.moreKeys(n - keys.length));
      setMath(title, messages.looksAt(tokenName(tokens, selected.row)));
      const scores = rowOf(masked, selected.row);
      // One scale whatever the divisor is, so that the bars of a division are seen to shrink.
      const sizes = rowOf(products, selected.row).filter(Number.isFinite).map(Math.abs);
      const scale = Math.ceil(Math.max(leastScale, ...sizes));
      setText(ends, localised(`-${scale} … ${scale}`, messages));
      lines.forEach((each, index) => {
        const column = keys[index];
        const isHidden = visible.data[start + column] === 0;
        setLabel(each.key, keyTokens, column, paddingAt(messages, result, column));
        setText(each.score, format(scores[column], messages));
        const length = Number.isFinite(scores[column]) ? scores[column] / scale : 0;
        setStyle(each.scoreBar, 'transform', `scaleX(${length})`);
        const weight = weights.data[start + column];
        const said = Number.isFinite(weight) ? formatWeight(weight, messages) : messages.overflow;
        setText(each.weight, isHidden ? messages.hidden : said);
        setStyle(each.weightBar, 'transform', `scaleX(${Number.isFinite(weight) ? Math.min(1, weight) : 0})`);
        setAttribute(each.root, 'data-hidden', isHidden);
        setAttribute(each.root, 'data-current', column === selected.column);
      });
    },
  };
}

/**
 * All keys in their order or, of many, those with the most weight, the selected one among them.
 *
 * @param {Float64Array} weights
 * @param {number} selected
 */
function keysShown(weights, selected) {
  const all = Array.from(weights.keys());
  if (all.length <= mostKeys) {
    return all;
  }
  const most = all.sort((a, b) => weights[b] - weights[a]).slice(0, mostKeys);
  return most.includes(selected) ? most : [...most.slice(0, -1), selected];
}

/** @param {() => void} choose */
function line(choose) {
  const key = h('bdi', {});
  const score = h('td', { class: 'number' });
  const scoreBar = h('span');
  const weight = h('td', { class: 'number' });
  const weightBar = h('span');
  const root = h(
    'tr',
    { click: choose },
    h('th', { scope: 'row' }, key),
    h('td', { class: 'score-bar', 'aria-hidden': 'true' }, h('div', { class: 'bar' }, scoreBar)),
    score,
    h('td', { class: 'weight-bar', 'aria-hidden': 'true' }, h('div', { class: 'bar' }, weightBar)),
    weight,
  );
  return { root, key, score, scoreBar, weight, weightBar };
}
