// The heatmap: labels around a table of weights, a legend under it. Up to `largestGrid` tokens the cells are elements
// with their values in them; a larger table is painted at one pixel a cell.

import { h, setAttribute, setStyle, setText } from './dom.js';
import { formatSpoken, formatWeight, formatWeightInFull, visibleToken } from './format.js';
import { createCanvasCells, createShades } from './heatmap-canvas.js';
import { createGridCells } from './heatmap-grid.js';

/** The most tokens of which every cell is an element of its own. */
export const largestGrid = 16;

/** @typedef {{row: number, column: number}} Cell */

/**
 * What the heatmap asks of the widget.
 *
 * @typedef {object} HeatmapActions
 * @property {(cell: Cell) => void} select  the reader chose this cell, and with it the query of its row
 * @property {(cell: Cell | null) => void} point  the pointer is over this cell, or over none
 * @property {() => void} repaint  the colours have changed
 */

/**
 * A table of weights in one of its two forms.
 *
 * @typedef {object} Cells
 * @property {HTMLElement} root
 * @property {(result: import('../engine/lesson-engine.js').LessonResult, selected: Cell, pointed: Cell | null) => void} update
 * @property {(result: import('../engine/lesson-engine.js').LessonResult) => Iterable<number>} [paint]  some rows at a time
 */

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {HeatmapActions} actions
 */
export function createHeatmap(messages, actions) {
  const frame = h('div', { class: 'map-frame' });
  const root = h(
    'figure',
    { class: 'heatmap', part: 'heatmap' },
    h('figcaption', {}, h('strong', {}, messages.heatmap), h('span', { class: 'axes' }, messages.axes)),
    frame,
    legend(messages),
    h('p', { class: 'caution' }, messages.caution),
  );
  const colours = createShades(root, actions.repaint);
  /** @type {Cells | undefined} */
  let cells;
  let size = 0;

  /** @param {number} n */
  const cellsFor = (n) => {
    if (cells === undefined || n !== size) {
      size = n;
      cells =
        n <= largestGrid ? createGridCells(n, messages, actions) : createCanvasCells(n, messages, actions, colours);
    }
    return cells;
  };

  return {
    root,

    /**
     * Paints a large table before `update` shows it.
     *
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @returns {Iterable<number>}
     */
    paint: (result) => cellsFor(result.tokens.length).paint?.(result) ?? [],

    /**
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @param {Cell} selected
     * @param {Cell | null} pointed
     */
    update(result, selected, pointed) {
      const shown = cellsFor(result.tokens.length);
      if (frame.firstChild !== shown.root) {
        setStyle(frame, '--tokens', size);
        frame.replaceChildren(shown.root);
      }
      shown.update(result, selected, pointed);
    },
  };
}

/** @param {typeof import('../language/messages/en.js').default} messages */
function legend(messages) {
  return h(
    'div',
    { class: 'legend', 'aria-hidden': 'true' },
    h('span', {}, messages.legend, ' 0'),
    h('span', { class: 'ramp' }),
    h('span', {}, '1'),
    h('span', {}, h('span', { class: 'hatch' }), messages.legendHidden),
  );
}

/**
 * Writes a token into a label: shortened by the style sheet, whole in the tooltip.
 *
 * @param {HTMLElement} label
 * @param {string} token
 */
export function setLabel(label, token) {
  const text = visibleToken(token);
  setText(label, text);
  setAttribute(label, 'title', text);
}

/**
 * How a cell is spoken: "step looks at starts, 0.42".
 *
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @param {Cell} cell
 */
export function cellLabel(messages, { tokens, visible, weights }, { row, column }) {
  const weight = weights.data[row * tokens.length + column];
  const said = Number.isFinite(weight)
    ? formatSpoken(formatWeight(weight, messages), formatWeightInFull(weight, messages))
    : messages.overflow;
  const query = visibleToken(tokens[row]);
  const key = visibleToken(tokens[column]);
  return visible.data[row * tokens.length + column] === 0
    ? messages.cellHidden(query, key)
    : messages.cell(query, key, said);
}

/**
 * Where a key leads from a cell, or null when it leads nowhere that the table knows of.
 *
 * @param {KeyboardEvent} event
 * @param {Cell} cell
 * @param {number} n
 * @param {number} [page]  rows that show at once
 * @returns {Cell | null}
 */
export function cellAfterKey({ key, ctrlKey, metaKey, altKey }, { row, column }, n, page = n) {
  if (metaKey || altKey) {
    return null;
  }
  const last = n - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(last, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(last, column + 1) };
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrlKey ? last : row, column: last };
    case 'PageUp':
      return { row: Math.max(0, row - page), column };
    case 'PageDown':
      return { row: Math.min(last, row + page), column };
    default:
      return null;
  }
}
