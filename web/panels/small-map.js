// A small map of numbers: weights on the widget's scale, or signed numbers on a scale centred on zero. A line under it
// reads out the cell at hand in full precision. Its style is in jacobian.css.

import { h, setAttribute, setClass, setMath, setStyle, setText } from '../views/dom.js';
import { formatWeight, visibleToken } from '../views/format.js';
import { cellAfterKey, setLabel } from '../views/heatmap.js';
import { shadeOf } from '../views/shades.js';
import { formatPrecise, formatSigned } from './numbers.js';

/** With more tokens a cell has room for a sign, not for a number. */
const mostNumbers = 8;

/**
 * @param {typeof import('../messages/en.js').default} messages
 * @param {number} [end]  of the scale, on both sides of zero; absent for weights
 */
export function createSmallMap(messages, end) {
  const title = h('h3', {});
  const grid = h('div', { class: 'small-map', role: 'grid' });
  const reading = h('p', { class: 'reading', 'aria-hidden': 'true' });
  const ramp = (/** @type {string} */ sign) => h('span', { class: 'ramp', 'data-sign': sign });
  const scale =
    end === undefined ? ['0', h('span', { class: 'ramp' }), '1'] : [`−${end}`, ramp('−'), '0', ramp('+'), `+${end}`];
  const root = h('div', {}, title, grid, reading, h('p', { class: 'scale', 'aria-hidden': 'true' }, ...scale));

  let n = 0;
  /** @type {HTMLElement[]} row by row */
  let cells = [];
  /** @type {HTMLElement[][]} of columns and of rows */
  let labels = [];
  let current = 0;

  const build = () => {
    const many = (/** @type {number} */ count, /** @type {string} */ role) =>
      Array.from({ length: count }, () => h('div', { role }, h('bdi', {})));
    labels = [many(n, 'columnheader'), many(n, 'rowheader')];
    cells = many(n * n, 'gridcell');
    for (const cell of cells) {
      cell.tabIndex = -1;
    }
    current = 0;
    cells[0].tabIndex = 0;
    setStyle(grid, '--count', n);
    grid.replaceChildren(
      h('div', { role: 'row' }, h('span', { role: 'presentation' }), ...labels[0]),
      ...labels[1].map((label, i) => h('div', { role: 'row' }, label, ...cells.slice(i * n, (i + 1) * n))),
    );
  };

  /** @param {Event} event */
  const readOut = ({ target }) =>
    setText(reading, /** @type {Element} */ (target).closest('[role=gridcell]')?.ariaLabel ?? '\u00a0');
  grid.addEventListener('pointerover', readOut);
  grid.addEventListener('focusin', (event) => {
    cells[current].tabIndex = -1;
    current = cells.indexOf(/** @type {HTMLElement} */ (event.target));
    cells[current].tabIndex = 0;
    readOut(event);
  });
  grid.addEventListener('keydown', (event) => {
    const next = cellAfterKey(event, { row: Math.floor(current / n), column: current % n }, n);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      cells[next.row * n + next.column].focus();
    }
  });

  return {
    root,

    /**
     * @param {string} name
     * @param {string[]} tokens
     * @param {number[]} places  the tokens that the map shows
     * @param {import('../lesson-engine.js').Tensor} table  (T, T), of all tokens
     * @param {Uint8Array} [visible]  (T, T); all where it is absent
     */
    update(name, tokens, places, { data }, visible) {
      if (n !== places.length) {
        n = places.length;
        build();
      }
      setMath(title, name);
      setAttribute(grid, 'aria-label', name);
      setText(reading, '\u00a0');
      for (const each of labels) {
        places.forEach((place, i) => {
          setLabel(/** @type {HTMLElement} */ (each[i].firstChild), tokens[place]);
        });
      }
      cells.forEach((cell, k) => {
        const row = places[Math.floor(k / n)];
        const column = places[k % n];
        const index = row * tokens.length + column;
        const value = data[index];
        const isHidden = visible?.[index] === 0;
        const signed = formatSigned(value);
        const text = end === undefined ? formatWeight(value) : signed;
        const sign = end === undefined || !(Math.abs(value) >= 0.005) ? '' : signed[0];
        const number = isHidden ? messages.hidden : formatPrecise(value);
        setText(cell, isHidden ? '' : n > mostNumbers ? sign : text);
        setAttribute(cell, 'aria-label', `${visibleToken(tokens[row])}, ${visibleToken(tokens[column])}: ${number}`);
        setAttribute(cell, 'data-kind', isHidden ? 'hidden' : Number.isFinite(value) ? null : 'invalid');
        if (end === undefined) {
          setClass(cell, shadeOf(value));
        } else {
          setAttribute(cell, 'data-sign', signed[0]);
          setStyle(cell, '--share', `${Math.min(100, (100 * Math.abs(value)) / end)}%`);
        }
      });
    },
  };
}
