// The heatmap as a grid of elements: every weight readable in its cell, every cell within reach of the keyboard.

import { h, setAttribute, setClass, setText } from './dom.js';
import { formatWeight } from './format.js';
import { cellAfterKey, cellLabel, setLabel } from './heatmap.js';
import { shadeOf } from './shades.js';

/**
 * A square table of labelled cells, of which the keyboard reaches one and the arrow keys the others.
 *
 * @param {number} n
 * @param {Partial<import('./heatmap.js').HeatmapActions>} [actions]
 */
export function createGrid(n, { select, point } = {}) {
  const range = Array.from({ length: n }, (_, index) => index);
  const columnLabels = range.map((column) =>
    h('div', { class: 'column-label', role: 'columnheader', 'data-column': column }, h('bdi', {})),
  );
  const rowLabels = range.map((row) =>
    h('div', { class: 'row-label', role: 'rowheader', 'data-row': row }, h('bdi', {})),
  );
  const cells = range.map((row) =>
    range.map((column) =>
      h('div', { class: 'cell', role: 'gridcell', tabindex: -1, 'data-row': row, 'data-column': column }),
    ),
  );
  const rows = range.map((row) => h('div', { role: 'row', class: 'map-row' }, rowLabels[row], ...cells[row]));
  const root = h(
    'div',
    { class: 'map', role: 'grid' },
    h('div', { role: 'row', class: 'map-row' }, h('div', { class: 'corner', role: 'presentation' }), ...columnLabels),
    ...rows,
  );

  /** @type {import('./heatmap.js').Cell} */
  let current = { row: 0, column: 0 };

  /** @param {import('./heatmap.js').Cell} next */
  const moveTo = (next) => {
    setAttribute(cells[current.row][current.column], 'tabindex', -1);
    current = next;
    setAttribute(cells[current.row][current.column], 'tabindex', 0);
  };
  moveTo(current);

  root.addEventListener('click', ({ target }) => {
    const place = placeOf(target);
    if (place !== null) {
      moveTo({ row: place.row ?? current.row, column: place.column ?? current.column });
      select?.(current);
    }
  });
  root.addEventListener('pointerover', ({ target, pointerType }) => {
    const place = placeOf(target);
    const isCell = place?.row !== undefined && place.column !== undefined;
    if (pointerType !== 'touch') {
      point?.(isCell ? /** @type {import('./heatmap.js').Cell} */ (place) : null);
    }
  });
  root.addEventListener('pointerleave', () => point?.(null));
  root.addEventListener('keydown', (event) => {
    const next = cellAfterKey(event, current, n);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      moveTo(next);
      select?.(next);
      cells[next.row][next.column].focus();
    }
  });

  return {
    root,
    columnLabels,
    rowLabels,
    rows,
    moveTo,

    /**
     * @param {string[]} tokens  one for each row and column
     * @param {(cell: HTMLElement, row: number, column: number) => void} draw
     */
    update(tokens, draw) {
      tokens.forEach((token, row) => {
        setLabel(/** @type {HTMLElement} */ (columnLabels[row].firstChild), token);
        setLabel(/** @type {HTMLElement} */ (rowLabels[row].firstChild), token);
        cells[row].forEach((cell, column) => {
          draw(cell, row, column);
        });
      });
    },
  };
}

/**
 * @param {number} n
 * @param {typeof import('../messages/en.js').default} messages
 * @param {import('./heatmap.js').HeatmapActions} actions
 * @returns {import('./heatmap.js').Cells}
 */
export function createGridCells(n, messages, actions) {
  const grid = createGrid(n, actions);
  const { root, columnLabels, rowLabels, rows } = grid;
  setAttribute(root, 'aria-label', messages.heatmapLabel(n));
  setAttribute(root, 'data-tokens', n);

  return {
    root,

    update(result, selected, pointed) {
      const { tokens, weights, visible } = result;
      setAttribute(root, 'data-pointing', pointed !== null);
      rows.forEach((each, row) => {
        setAttribute(columnLabels[row], 'data-lit', pointed?.column === row);
        setAttribute(rowLabels[row], 'data-lit', pointed?.row === row);
        setAttribute(each, 'aria-selected', row === selected.row ? 'true' : 'false');
      });
      grid.moveTo(selected);
      grid.update(tokens, (cell, row, column) => {
        const weight = weights.data[row * n + column];
        const isHidden = visible.data[row * n + column] === 0;
        const text = isHidden ? '' : Number.isFinite(weight) ? formatWeight(weight, messages) : messages.overflow;
        setText(cell, text);
        setClass(cell, isHidden || !Number.isFinite(weight) ? 'cell' : `cell ${shadeOf(weight)}`);
        setAttribute(cell, 'data-kind', isHidden ? 'hidden' : Number.isFinite(weight) ? null : 'invalid');
        setAttribute(cell, 'aria-label', cellLabel(messages, result, { row, column }));
        setAttribute(cell, 'data-lit', pointed !== null && (pointed.row === row || pointed.column === column));
        setAttribute(cell, 'data-current', row === selected.row && column === selected.column);
      });
    },
  };
}

/**
 * The row and column that an element inside the grid stands for.
 *
 * @param {EventTarget | null} target
 * @returns {{row?: number, column?: number} | null}
 */
function placeOf(target) {
  const place = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (target).closest('[data-row], [data-column]')
  );
  if (place === null) {
    return null;
  }
  const { row, column } = place.dataset;
  return {
    row: row === undefined ? undefined : Number(row),
    column: column === undefined ? undefined : Number(column),
  };
}
