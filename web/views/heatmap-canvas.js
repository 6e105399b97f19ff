// The heatmap on a canvas, for tables with too many cells to be elements. One pixel shows one cell; where the screen has
// fewer pixels than cells, one pixel shows a square of cells, as dark as the darkest of them. Zoomed in to
// `maxGridTokens` cells a side, the visible cells are elements with labels and values. These elements always exist, as a
// window over the table: the keyboard and screen readers use them at every zoom.

import { maxGridTokens, paddingAt, setLabel } from './cells.js';
import { shades } from './colour-pixels.js';
import { button, h, setAttribute, setStyle, windowOf } from './dom.js';
import { createGridCells } from './heatmap-grid.js';

/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */

/** Labels on an axis that can still be told apart. */
const mostLabels = 24;

/** The fewest cells a side that zooming in shows: each cell has room for its number. */
const closest = 8;

/** A pointer that moves less is a click. */
const dragFrom = 4;

/**
 * @param {import('./cells.js').Size} total
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('./cells.js').CellActions} actions
 * @param {ReturnType<typeof import('./colour-pixels.js').createWeightPixels>} colours
 * @returns {import('./cells.js').Cells}
 */
export function createCanvasCells(total, messages, actions, colours) {
  const n = Math.max(...total);
  const [rows, columns] = total;
  const canvas = h('canvas');
  const band = (/** @type {string} */ name) => h('div', { class: `band ${name}-band` });
  const plane = h('div', { class: 'plane' }, canvas, band('highlight'), band('row'), band('column'));
  const label = (/** @type {string} */ side) => h('div', { class: side }, h('bdi', {}));
  const labels = ['column-label', 'row-label'].map((side) => {
    const now = label(side);
    now.classList.add('now');
    return { side, now, others: Array.from({ length: mostLabels }, () => label(side)) };
  });
  const far = h(
    'div',
    { class: 'far', 'aria-hidden': 'true' },
    ...labels.map(({ side, now, others }) => h('div', { class: `${side}s` }, ...others, now)),
    plane,
  );
  /** @type {(name: keyof typeof messages.zoom, sign: string, act: () => void, kind?: string) => HTMLElement} */
  const tool = (name, sign, act, kind = '') =>
    button(sign, act, { class: kind, 'aria-label': messages.zoom[name], title: messages.zoom[name] });
  /** @type {(name: keyof typeof messages.zoom, sign: string, down: number, across?: number) => HTMLElement} */
  const way = (name, sign, down, across = 0) =>
    tool(name, sign, () => look(row + (down * span) / 2, column + (across * span) / 2), 'way');
  const tools = h(
    'div',
    { class: 'zoom' },
    tool('out', '−', () => zoom(2)),
    way('up', '↑', -1),
    tool('in', '+', () => zoom(0.5)),
    way('left', '←', 0, -1),
    way('down', '↓', 1),
    way('right', '→', 0, 1),
  );
  const root = h('div', { class: 'canvas-map' }, tools, far);

  /** @type {LessonResult | undefined} */
  let last;
  /** @type {unknown[]} the weights that are on the canvas, their colours, and how many cells a side share a pixel */
  let painted = [];
  /** @type {Cell} */
  let selected;
  /** @type {Cell | null} */
  let pointed = null;
  /** What is in sight: a square of `span` cells a side, from this row and column on. Between whole numbers while it moves. */
  let [row, column, span] = [0, 0, n];
  /** The cells as elements: those in sight, or those around the selected one. */
  let near = createGridCells([1, 1], messages, actions, total, reveal);
  root.append(near.root);
  let pool = poolOf(plane, span);
  const resized = () => {
    try {
      draw();
    } catch {
      actions.repaint(); // throws the same again where somebody hears it
    }
  };
  /** @type {Window | undefined} whose observer tells of the size: that of a window in the background tells nothing */
  let watching;
  /** @type {ResizeObserver | undefined} */
  let observer;
  let ratio = 0;
  const watch = () => {
    const view = windowOf(plane);
    if (view !== watching) {
      watching = view;
      observer?.disconnect();
      observer = new view.ResizeObserver(resized);
      observer.observe(plane);
      ratio = 0;
    }
    if (view.devicePixelRatio !== ratio) {
      ratio = view.devicePixelRatio;
      onceRatioChanges(view, resized);
    }
  };

  /**
   * Shows another part of the table.
   *
   * @param {number} toRow
   * @param {number} toColumn
   * @param {number} [toSpan]
   */
  function look(toRow, toColumn, toSpan = span) {
    span = Math.max(closest, Math.min(n, toSpan));
    row = Math.max(0, Math.min(rows - span, toRow));
    column = Math.max(0, Math.min(columns - span, toColumn));
    draw();
  }

  /**
   * @param {number} factor
   * @param {Cell} [about]  keeps this share of the view's height and width
   * @param {number} [down]
   * @param {number} [across]
   */
  function zoom(factor, about = selected, down = 0.5, across = 0.5) {
    const to = Math.max(closest, Math.min(n, span * factor));
    look(about.row - down * to, about.column - across * to, to);
  }

  /** Brings a cell that the keyboard went to into sight. @param {Cell} cell */
  function reveal(cell) {
    selected = cell;
    const last = Math.floor(span) - 1;
    look(
      Math.max(cell.row - last, Math.min(cell.row, row)),
      Math.max(cell.column - last, Math.min(cell.column, column)),
    );
  }

  function draw() {
    if (last === undefined) {
      return;
    }
    watch();
    const before = pool;
    pool = poolOf(plane, span);
    if (pool !== before) {
      actions.repaint();
    }
    const result = last;
    const { tokens, keyTokens } = result;
    const size = Math.round(span);
    const within = (/** @type {number} */ place, /** @type {number} */ most) => Math.max(0, Math.min(place, most));
    const first = { row: within(Math.round(row), rows - size), column: within(Math.round(column), columns - size) };
    const isNear = size <= maxGridTokens;
    const nearSize = Math.min(size, maxGridTokens);
    const grid = near.root;
    const hadFocus = grid.matches(':focus-within');
    const [nearRows, nearColumns] = total.map((count) => Math.min(count, nearSize));
    if (Number(grid.dataset.tokens) !== nearSize) {
      near = createGridCells([nearRows, nearColumns], messages, actions, total, reveal);
      setStyle(near.root, '--tokens', nearColumns);
      grid.replaceWith(near.root);
    }
    const middle = {
      row: within(selected.row - nearSize / 2, rows - nearRows),
      column: within(selected.column - nearSize / 2, columns - nearColumns),
    };
    near.update(last, selected, isNear ? pointed : null, isNear ? first : middle);
    if (hadFocus && near.root !== grid) {
      near.focus();
    }

    const now = pointed ?? selected;
    setAttribute(root, 'data-near', isNear);
    setAttribute(root, 'data-whole', size === n);
    setStyle(root, '--span', size);
    setStyle(root, '--top', first.row);
    setStyle(root, '--left', first.column);
    setStyle(root, '--row', now.row - first.row);
    setStyle(root, '--column', now.column - first.column);
    setStyle(root, '--selected', selected.row - first.row);
    const step = Math.ceil(size / mostLabels);
    labels.forEach(({ now: label, others }, axis) => {
      const from = axis === 0 ? first.column : first.row;
      const here = axis === 0 ? now.column : now.row;
      const words = axis === 0 ? keyTokens : tokens;
      const place = (/** @type {HTMLElement} */ each, /** @type {number} */ token, /** @type {boolean} */ isHidden) => {
        each.hidden = isHidden || token < from || token >= Math.min(words.length, from + size);
        setStyle(each, '--place', token - from + 0.5);
        setLabel(
          /** @type {HTMLElement} */ (each.firstChild),
          words,
          token,
          paddingAt(messages, result, token, axis === 1),
        );
      };
      others.forEach((each, index) => {
        const token = (Math.ceil(from / step) + index) * step;
        place(each, token, Math.abs(token - here) < step); // the selected label takes the place of its neighbours
      });
      place(label, here, false);
    });
  }

  /**
   * Where on the plane something is: shares of its height and width, and the cell there.
   *
   * @param {{clientX: number, clientY: number}} event
   */
  const placeOf = ({ clientX, clientY }) => {
    const box = plane.getBoundingClientRect();
    const down = (clientY - box.top) / box.height;
    const across = (clientX - box.left) / box.width;
    const index = (/** @type {number} */ place, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor(place)));
    return { down, across, row: index(row + down * span, rows), column: index(column + across * span, columns) };
  };
  const zoomAt = (/** @type {number} */ factor, /** @type {{clientX: number, clientY: number}} */ event) => {
    const { down, across } = placeOf(event);
    zoom(factor, { row: row + down * span, column: column + across * span }, down, across);
  };
  plane.addEventListener('click', (event) => {
    const place = placeOf(event);
    reveal(place);
    actions.select(place);
    near.focus();
  });
  plane.addEventListener('pointermove', (event) => event.pointerType !== 'touch' && actions.point(placeOf(event)));
  plane.addEventListener('pointerleave', () => actions.point(null));

  root.addEventListener('keydown', (event) => {
    if ('+-'.includes(event.key) && !event.ctrlKey && !event.metaKey) {
      event.stopPropagation();
      zoom(event.key === '+' ? 0.5 : 2);
    }
  });
  // A wheel scrolls the page. With the control key it zooms; browsers report a trackpad's pinch that way.
  root.addEventListener('wheel', (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoomAt(Math.exp(event.deltaY / 150), event);
    }
  });

  /** @type {{x: number, y: number, row: number, column: number} | null} */
  let drag = null;
  let isDragged = false;
  root.addEventListener('pointerdown', ({ clientX: x, clientY: y, isPrimary }) => {
    isDragged = false;
    drag = isPrimary ? { x, y, row, column } : null;
  });
  root.addEventListener('pointermove', ({ clientX, clientY, buttons }) => {
    if (drag === null || buttons !== 1) {
      return;
    }
    const cells = span / plane.clientWidth;
    isDragged ||= Math.hypot(clientX - drag.x, clientY - drag.y) > dragFrom;
    if (isDragged) {
      look(drag.row - (clientY - drag.y) * cells, drag.column - (clientX - drag.x) * cells);
    }
  });
  root.addEventListener('click', (event) => isDragged && event.stopPropagation(), true);

  // One finger scrolls the page while the whole map is visible, and moves the map while it is zoomed; two fingers zoom.
  /** @type {{x: number, y: number, apart: number} | null} */
  let pinch = null;
  const touched = (/** @type {TouchEvent} */ event) => {
    const [a, b] = event.touches;
    if (b === undefined) {
      pinch = null;
      return;
    }
    event.preventDefault();
    const x = (a.clientX + b.clientX) / 2;
    const y = (a.clientY + b.clientY) / 2;
    const now = { x, y, apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) };
    if (pinch !== null) {
      const cells = span / plane.clientWidth;
      look(row - (y - pinch.y) * cells, column - (x - pinch.x) * cells);
      zoomAt(pinch.apart / now.apart, { clientX: x, clientY: y });
    }
    pinch = now;
  };
  root.addEventListener('touchstart', touched);
  root.addEventListener('touchmove', touched);

  /** @param {LessonResult} result */
  function* paint({ weights, visible }) {
    const shades = colours.read();
    const side = pool;
    const now = [weights, shades, side];
    if (now.some((each, index) => each !== painted[index])) {
      yield* paintTable(canvas, weights.data, visible.data, shades, total, side);
      setStyle(canvas, '--tokens', canvas.width * side);
      setStyle(canvas, '--rows', canvas.height * side);
      painted = now;
    }
  }

  return {
    root,
    paint,
    enter: (row, end) => near.enter(row, end),

    update(result, nowSelected, nowPointed) {
      if (last === undefined) {
        for (const _ of paint(result)); // the first result is painted here; the element paints later ones in slices
      }
      last = result;
      selected = nowSelected;
      pointed = nowPointed;
      draw();
    },
  };
}

/**
 * Cells a side that share a pixel of the canvas, so that none of it is finer than the screen and lost.
 *
 * @param {Element} element
 * @param {number} cells  side by side over it
 * @param {number} [otherwise]  its width while it is not on the screen
 */
export const poolOf = (element, cells, otherwise = 400) =>
  Math.ceil(
    (1.01 * cells) / ((element.getBoundingClientRect().width || otherwise) * windowOf(element).devicePixelRatio),
  );

/**
 * Acts once when a pixel of the screen has another size, as on another screen or at another zoom. A window keeps such a
 * listener for as long as it lives; of the map, which may be gone before, the listener keeps nothing.
 *
 * @param {Window} view
 * @param {() => void} act
 */
function onceRatioChanges(view, act) {
  const held = new WeakRef(act);
  const now = view.matchMedia(`(resolution: ${view.devicePixelRatio}dppx)`);
  now.addEventListener('change', () => held.deref()?.(), { once: true });
}

/**
 * Paints a table of weights, line by line. A pixel shows the largest weight of its cells, or that one
 * is no number; where all are hidden it stays clear.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Float64Array} weights
 * @param {Uint8Array} visible
 * @param {Uint32Array} colours
 * @param {import('./cells.js').Size} size  of the table
 * @param {number} pool  cells a side that share a pixel
 * @returns {Generator<number>}
 */
export function* paintTable(canvas, weights, visible, colours, [rows, columns], pool) {
  const image = new ImageData(Math.ceil(columns / pool), Math.ceil(rows / pool));
  const pixels = new Uint32Array(image.data.buffer);
  let pixel = 0;
  for (let top = 0; top < rows; top += pool) {
    for (let left = 0; left < columns; left += pool) {
      const right = Math.min(columns, left + pool);
      let shade = 0;
      for (let row = top; row < Math.min(rows, top + pool); row++) {
        for (let entry = row * columns + left; entry < row * columns + right; entry++) {
          const weight = weights[entry];
          if (visible[entry] !== 0) {
            const own = Number.isFinite(weight) ? Math.round(Math.min(1, weight) * (shades - 1)) + 1 : shades + 1;
            shade = Math.max(shade, own);
          }
        }
      }
      pixels[pixel++] = colours[shade];
    }
    yield 1;
  }
  canvas.width = image.width;
  canvas.height = image.height;
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).putImageData(image, 0, 0);
}
