// The heatmap as a grid of elements: every weight readable in its cell, every cell within reach of the keyboard.

import { h, setAttribute, setClass, setText } from './dom.js';
import { formatWeight } from './format.js';
import { cellAfterKey, cellLabel, setLabel } from './heatmap.js';
import { shadeOf } from './shades.js';

/**
 * @param {number} n
 * @param {typeof import('../messages/en.js').default} messages
 * @param {import('./heatmap.js').HeatmapActions} actions
 * @returns {import('./heatmap.js').Cells}
 */
export function createGridCells(n, messages, actions) {
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
    { class: 'map', role: 'grid', 'aria-label': messages.heatmapLabel(n), 'data-tokens': n },
    h('div', { role: 'row', class: 'map-row' }, h('div', { class: 'corner', role: 'presentation' }), ...columnLabels),
    ...rows,
  );

  /** @type {import('./heatmap.js').Cell} */
  let current = { row: 0, column: 0 };

  root.addEventListener('click', ({ target }) => {
    const place = placeOf(target);
    if (place !== null) {
      actions.select({ row: place.row ?? current.row, column: place.column ?? current.column });
    }
  });
  root.addEventListener('pointerover', ({ target, pointerType }) => {
    const place = placeOf(target);
    const isCell = place?.row !== undefined && place.column !== undefined;
    if (pointerType !== 'touch') {
      actions.point(isCell ? /** @type {import('./heatmap.js').Cell} */ (place) : null);
    }
  });
  root.addEventListener('pointerleave', () => actions.point(null));
  root.addEventListener('keydown', (event) => {
    const next = cellAfterKey(event, current, n);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      actions.select(next);
      cells[next.row][next.column].focus();
    }
  });

  return {
    root,

    update(result, selected, pointed) {
      const { tokens, weights, visible } = result;
      current = selected;
      const lit = pointed ?? null;
      setAttribute(root, 'data-pointing', lit !== null);
      for (const row of range) {
        setLabel(/** @type {HTMLElement} */ (columnLabels[row].firstChild), tokens[row]);
        setLabel(/** @type {HTMLElement} */ (rowLabels[row].firstChild), tokens[row]);
        setAttribute(columnLabels[row], 'data-lit', lit?.column === row);
        setAttribute(rowLabels[row], 'data-lit', lit?.row === row);
        setAttribute(rows[row], 'aria-selected', row === selected.row ? 'true' : 'false');
        for (const column of range) {
          const cell = cells[row][column];
          const weight = weights.data[row * n + column];
          const isHidden = visible.data[row * n + column] === 0;
          const text = isHidden ? '' : Number.isFinite(weight) ? formatWeight(weight) : messages.overflow;
          setText(cell, text);
          setClass(cell, isHidden || !Number.isFinite(weight) ? 'cell' : `cell ${shadeOf(weight)}`);
          setAttribute(cell, 'data-kind', isHidden ? 'hidden' : Number.isFinite(weight) ? null : 'invalid');
          setAttribute(cell, 'aria-label', cellLabel(messages, result, { row, column }));
          setAttribute(cell, 'data-lit', lit !== null && (lit.row === row || lit.column === column));
          const isCurrent = row === selected.row && column === selected.column;
          setAttribute(cell, 'data-current', isCurrent);
          setAttribute(cell, 'tabindex', isCurrent ? 0 : -1);
        }
      }
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
