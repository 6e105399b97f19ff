// The heatmap as a grid of elements: every weight readable in its cell, every cell within reach of the keyboard.

import { cellAfterKey, cellLabel, paddingAt, setLabel } from './cells.js';
import { h, setAttribute, setClass, setText } from './dom.js';
import { formatWeight } from './format.js';
import { shadeOf } from './shades.js';

/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {import('./cells.js').Size} Size */

/**
 * A table of labelled cells, of which the keyboard reaches one and the arrow keys the others. It may be a window
 * over a larger table: places are the larger table's.
 *
 * @param {Size} size
 * @param {Partial<import('./cells.js').CellActions>} [actions]
 * @param {Size} [total]  of the larger table
 * @param {(cell: Cell) => void} [reveal]  brings a cell into the window
 */
export function createGrid(size, { select, point, leave } = {}, total = size, reveal) {
  const [down, across] = size.map((length) => Array.from({ length }, (_, index) => index));
  const columnLabels = across.map((column) =>
    h('div', { class: 'column-label', role: 'columnheader', 'data-column': column }, h('bdi', {})),
  );
  const rowLabels = down.map((row) =>
    h('div', { class: 'row-label', role: 'rowheader', 'data-row': row }, h('bdi', {})),
  );
  const cells = down.map((row) =>
    across.map((column) =>
      h('div', { class: 'cell', role: 'gridcell', tabindex: -1, 'data-row': row, 'data-column': column }),
    ),
  );
  const rows = down.map((row) => h('div', { role: 'row', class: 'map-row' }, rowLabels[row], ...cells[row]));
  const root = h(
    'div',
    { class: 'map', role: 'grid' },
    h('div', { role: 'row', class: 'map-row' }, h('div', { class: 'corner', role: 'presentation' }), ...columnLabels),
    ...rows,
  );

  /** @type {Cell} */
  let origin = { row: 0, column: 0 };
  /** What the labels say. */
  let labelled = '';
  /** @type {Cell} the one that the keyboard reaches */
  let current = origin;
  const currentCell = () => cells[current.row - origin.row][current.column - origin.column];

  /** @param {Cell} next  or the cell nearest to it @param {Cell} [corner]  the window's first cell */
  const moveTo = (next, corner = origin) => {
    const within = (/** @type {number} */ place, /** @type {number} */ first, /** @type {number} */ count) =>
      Math.max(first, Math.min(first + count - 1, place));
    setAttribute(currentCell(), 'tabindex', -1);
    origin = corner;
    current = { row: within(next.row, origin.row, size[0]), column: within(next.column, origin.column, size[1]) };
    setAttribute(currentCell(), 'tabindex', 0);
  };
  moveTo(current);

  /** Focuses the cell again, so that screen readers announce what it shows now. */
  const focus = () => {
    currentCell().blur();
    currentCell().focus({ preventScroll: total !== size });
  };

  root.addEventListener('click', ({ target }) => {
    const place = placeOf(target, origin);
    if (place !== null) {
      moveTo({ row: place.row ?? current.row, column: place.column ?? current.column });
      select?.(current);
    }
  });
  root.addEventListener('pointerover', ({ target, pointerType }) => {
    const place = placeOf(target, origin);
    const isCell = place?.row !== undefined && place.column !== undefined;
    if (pointerType !== 'touch') {
      point?.(isCell ? /** @type {Cell} */ (place) : null);
    }
  });
  root.addEventListener('pointerleave', () => point?.(null));
  root.addEventListener('keydown', (event) => {
    const next = cellAfterKey(event, current, total[0], size[0], total[1]);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      const isEnd = next.row === current.row && next.column === current.column;
      if (isEnd && leave && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
        leave(event.key === 'ArrowRight' ? 1 : -1, current.row);
        return;
      }
      (reveal ?? moveTo)(next);
      select?.(next);
      focus();
    }
  });

  return {
    root,
    enter: (/** @type {number} */ row, /** @type {'first' | 'last'} */ end) => {
      const next = { row: Math.min(row, total[0] - 1), column: end === 'first' ? 0 : total[1] - 1 };
      (reveal ?? moveTo)(next);
      select?.(next);
      focus();
    },
    columnLabels,
    rowLabels,
    rows,
    moveTo,
    focus,

    /**
     * @param {string[]} tokens  of the whole sentence
     * @param {string[]} keyTokens  of the one that the keys are of
     * @param {(cell: HTMLElement, row: number, column: number) => void} draw
     * @param {number[]} queries  the place of the token of each row
     * @param {number[]} keys  of each column
     * @param {(place: number, isQuery?: boolean) => string} [padding]  what a token is called that is padding
     */
    update(tokens, keyTokens, draw, queries, keys, padding = () => '') {
      const named = queries.map((place) => padding(place, true));
      const namedKeys = keys.map((place) => padding(place));
      const labels = JSON.stringify([tokens, keyTokens, queries, keys, named, namedKeys]);
      if (labels !== labelled) {
        labelled = labels;
        const label = (/** @type {Element} */ { firstChild }) => /** @type {HTMLElement} */ (firstChild);
        keys.forEach((place, column) => {
          setLabel(label(columnLabels[column]), keyTokens, place, namedKeys[column]);
        });
        queries.forEach((place, row) => {
          setLabel(label(rowLabels[row]), tokens, place, named[row]);
        });
      }
      cells.forEach((line, row) => {
        line.forEach((cell, column) => {
          draw(cell, row, column);
        });
      });
    },
  };
}

/** From how many columns on the style sheet turns labels, or makes numbers smaller. */
const widthsOfStyles = [5, 7, 9, 13];

/**
 * The heatmap's cells, or a window over them.
 *
 * @param {Size} size
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('./cells.js').CellActions} actions
 * @param {Size} [total]
 * @param {(cell: Cell) => void} [reveal]
 */
export function createGridCells(size, messages, actions, total, reveal) {
  const grid = createGrid(size, actions, total, reveal);
  const { root, columnLabels, rowLabels, rows } = grid;
  setAttribute(root, 'aria-label', messages.heatmapLabel(...(total ?? size)));
  // For the style sheet: a rule that counts cells would make the browser style all of them when one changes.
  setAttribute(root, 'data-from', widthsOfStyles.filter((columns) => columns <= size[1]).join(' '));
  if (total !== undefined) {
    // A header is the first row, another the first column.
    setAttribute(root, 'aria-rowcount', total[0] + 1);
    setAttribute(root, 'aria-colcount', total[1] + 1);
    setAttribute(/** @type {Element} */ (root.firstElementChild), 'aria-rowindex', 1);
  }

  return {
    root,
    focus: grid.focus,
    enter: grid.enter,

    /**
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @param {Cell} selected
     * @param {Cell | null} pointed
     * @param {Cell} [origin]  the first cell that shows
     */
    update(result, selected, pointed, origin = { row: 0, column: 0 }) {
      const { tokens, keyTokens, weights, visible } = result;
      const isWindow = total !== undefined;
      setAttribute(root, 'data-pointing', pointed !== null);
      rows.forEach((each, index) => {
        const row = origin.row + index;
        setAttribute(rowLabels[index], 'data-lit', pointed?.row === row);
        setAttribute(each, 'aria-selected', row === selected.row ? 'true' : 'false');
        if (isWindow) {
          setAttribute(each, 'aria-rowindex', row + 2);
        }
      });
      columnLabels.forEach((label, index) => {
        const column = origin.column + index;
        setAttribute(label, 'data-lit', pointed?.column === column);
        if (isWindow) {
          setAttribute(label, 'aria-colindex', column + 2);
        }
      });
      grid.moveTo(selected, origin);
      const draw = (/** @type {HTMLElement} */ cell, /** @type {number} */ i, /** @type {number} */ j) => {
        const row = origin.row + i;
        const column = origin.column + j;
        const weight = weights.data[row * keyTokens.length + column];
        const isHidden = visible.data[row * keyTokens.length + column] === 0;
        const text = isHidden ? '' : Number.isFinite(weight) ? formatWeight(weight, messages) : messages.overflow;
        setText(cell, text);
        setClass(cell, isHidden || !Number.isFinite(weight) ? 'cell' : `cell ${shadeOf(weight)}`);
        setAttribute(cell, 'data-kind', isHidden ? 'hidden' : Number.isFinite(weight) ? null : 'invalid');
        setAttribute(cell, 'aria-label', cellLabel(messages, result, { row, column }));
        setAttribute(cell, 'data-lit', pointed !== null && (pointed.row === row || pointed.column === column));
        setAttribute(cell, 'data-current', row === selected.row && column === selected.column);
        if (isWindow) {
          setAttribute(cell, 'aria-colindex', column + 2);
        }
      };
      const from = (/** @type {number} */ first, /** @type {unknown[]} */ list) =>
        list.map((_, index) => first + index);
      grid.update(
        tokens,
        keyTokens,
        draw,
        from(origin.row, rows),
        from(origin.column, columnLabels),
        (place, isQuery) => paddingAt(messages, result, place, isQuery),
      );
    },
  };
}

/**
 * The row and column that an element inside the grid stands for.
 *
 * @param {EventTarget | null} target
 * @param {Cell} origin
 * @returns {{row?: number, column?: number} | null}
 */
function placeOf(target, origin) {
  const place = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (target).closest('[data-row], [data-column]')
  );
  if (place === null) {
    return null;
  }
  const { row, column } = place.dataset;
  return {
    row: row === undefined ? undefined : origin.row + Number(row),
    column: column === undefined ? undefined : origin.column + Number(column),
  };
}
