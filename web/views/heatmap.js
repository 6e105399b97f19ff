// The heatmap: labels around a table of weights, a legend under it. Up to `maxGridTokens` tokens the cells are elements
// with their values in them; a larger table is painted at one pixel a cell.

import { maxGridTokens } from './cells.js';
import { createWeightPixels } from './colour-pixels.js';
import { h, setStyle } from './dom.js';
import { createCanvasCells } from './heatmap-canvas.js';
import { createGridCells } from './heatmap-grid.js';

/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {import('./cells.js').Cells} Cells */
/** @typedef {import('./cells.js').CellActions} CellActions */

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {CellActions} actions
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
  const colours = createWeightPixels(root, actions.repaint);
  /** @type {Cells | undefined} */
  let cells;
  let drawn = '';

  /** @param {import('../engine/lesson-engine.js').LessonResult} result */
  const cellsFor = ({ visible: { shape } }) => {
    if (cells === undefined || String(shape) !== drawn) {
      drawn = String(shape);
      const size = /** @type {import('./cells.js').Size} */ (shape);
      cells =
        Math.max(...size) <= maxGridTokens
          ? createGridCells(size, messages, actions)
          : createCanvasCells(size, messages, actions, colours);
    }
    return cells;
  };

  return {
    root,

    /** Goes to an end of a row by the keyboard. @param {number} row @param {'first' | 'last'} end */
    enter(row, end) {
      cells?.enter(row, end);
    },

    /**
     * Paints a large table before `update` shows it.
     *
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @returns {Iterable<number>}
     */
    paint: (result) => cellsFor(result).paint?.(result) ?? [],

    /**
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @param {Cell} selected
     * @param {Cell | null} pointed
     */
    update(result, selected, pointed) {
      const shown = cellsFor(result);
      if (frame.firstChild !== shown.root) {
        setStyle(frame, '--tokens', result.keyTokens.length);
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
