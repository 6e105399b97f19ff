// The heatmap at one pixel a cell, for tables too large to build of elements. A reader zooms in and moves about; from
// `largestGrid` cells a side on, the cells are elements with their labels and values. Those elements are a window over the
// table for the keyboard and for readers who listen, always, seen or not.

import { button, h, setAttribute, setStyle } from './dom.js';
import { largestGrid, setLabel } from './heatmap.js';
import { createGridCells } from './heatmap-grid.js';

/** @typedef {import('./heatmap.js').Cell} Cell */
/** @typedef {import('../lesson-engine.js').LessonResult} LessonResult */

/** Labels on an axis that can still be told apart. */
const mostLabels = 24;

/** Steps of the colour scale; more than a reader or an 8-bit screen can tell apart. */
const shades = 256;

/** Cells a side at the closest: each has room for its number. */
const closest = 8;

/** Entries that are painted at once. */
const paintedAtOnce = 2 ** 18;

/** A pointer that moves less is a click. */
const dragFrom = 4;

/**
 * @param {number} n
 * @param {typeof import('../messages/en.js').default} messages
 * @param {import('./heatmap.js').HeatmapActions} actions
 * @param {ReturnType<typeof createShades>} colours
 * @returns {import('./heatmap.js').Cells}
 */
export function createCanvasCells(n, messages, actions, colours) {
  const canvas = h('canvas', { width: n, height: n });
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
  const tool = (/** @type {number} */ place, /** @type {string} */ sign, /** @type {() => void} */ act, name = '') =>
    button(sign, act, { class: name, 'aria-label': messages.zoom[place], title: messages.zoom[place] });
  const way = (/** @type {number} */ place, /** @type {string} */ sign, /** @type {number} */ down, across = 0) =>
    tool(place, sign, () => look(row + (down * span) / 2, column + (across * span) / 2), 'way');
  const tools = h(
    'div',
    { class: 'zoom' },
    tool(0, '−', () => zoom(2)),
    way(1, '↑', -1),
    tool(2, '+', () => zoom(0.5)),
    way(3, '←', 0, -1),
    way(4, '↓', 1),
    way(5, '→', 0, 1),
  );
  const root = h('div', { class: 'canvas-map' }, tools, far);

  /** @type {LessonResult} */
  let last;
  /** @type {LessonResult['weights'] | undefined} what is on the canvas */
  let painted;
  /** @type {ReturnType<typeof colours.read> | undefined} its colours */
  let ink;
  /** @type {Cell} */
  let selected;
  /** @type {Cell | null} */
  let pointed = null;
  /** What is in sight: a square of `span` cells a side, from this row and column on. Between whole numbers while it moves. */
  let [row, column, span] = [0, 0, n];
  /** The cells as elements: those in sight, or those around the selected one. */
  let near = createGridCells(1, messages, actions, n, reveal);
  root.append(near.root);

  /**
   * Shows another part of the table.
   *
   * @param {number} toRow
   * @param {number} toColumn
   * @param {number} [toSpan]
   */
  function look(toRow, toColumn, toSpan = span) {
    span = Math.max(closest, Math.min(n, toSpan));
    row = Math.max(0, Math.min(n - span, toRow));
    column = Math.max(0, Math.min(n - span, toColumn));
    draw();
  }

  /**
   * @param {number} factor
   * @param {Cell} [about]  comes to stand, or stays, so far down and across
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
    const { tokens } = last;
    const size = Math.round(span);
    const first = { row: Math.min(Math.round(row), n - size), column: Math.min(Math.round(column), n - size) };
    const isNear = size <= largestGrid;
    const nearSize = Math.min(size, largestGrid);
    const before = near.root;
    const hadFocus = before.matches(':focus-within');
    if (Number(before.dataset.tokens) !== nearSize) {
      near = createGridCells(nearSize, messages, actions, n, reveal);
      setStyle(near.root, '--tokens', nearSize);
      before.replaceWith(near.root);
    }
    const around = (/** @type {number} */ place) => Math.max(0, Math.min(n - nearSize, place - nearSize / 2));
    const middle = { row: around(selected.row), column: around(selected.column) };
    near.update(last, selected, isNear ? pointed : null, isNear ? first : middle);
    if (hadFocus && near.root !== before) {
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
      const place = (/** @type {HTMLElement} */ each, /** @type {number} */ token, /** @type {boolean} */ isHidden) => {
        each.hidden = isHidden || token < from || token >= from + size;
        setStyle(each, '--place', token - from + 0.5);
        setLabel(/** @type {HTMLElement} */ (each.firstChild), tokens[token] ?? '');
      };
      others.forEach((each, index) => {
        const token = (Math.ceil(from / step) + index) * step;
        place(each, token, Math.abs(token - here) < step); // the present label needs its neighbours' room
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
    const index = (/** @type {number} */ place) => Math.max(0, Math.min(n - 1, Math.floor(place)));
    return { down, across, row: index(row + down * span), column: index(column + across * span) };
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
  // A wheel scrolls the page; with the control key, which a pinch on a trackpad stands for, it zooms.
  root.addEventListener('wheel', (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoomAt(Math.exp(event.deltaY / 150), event);
    }
  });

  /** @type {{x: number, y: number, row: number, column: number} | null} */
  let drag = null;
  let isDragged = false;
  root.addEventListener('pointerdown', ({ clientX: x, clientY: y, pointerType }) => {
    isDragged = false;
    drag = pointerType === 'touch' ? null : { x, y, row, column };
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

  // One finger scrolls the page, two move and zoom the picture.
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
    if (painted !== weights || ink !== shades) {
      painted = undefined;
      yield* paintTable(canvas, weights.data, visible.data, shades);
      painted = weights;
      ink = shades;
    }
  }

  return {
    root,
    paint,

    update(result, nowSelected, nowPointed) {
      for (const _ of paint(result));
      last = result;
      selected = nowSelected;
      pointed = nowPointed;
      draw();
    },
  };
}

/**
 * Paints a square table of weights at one pixel a cell, some rows at a time. What is hidden stays clear.
 *
 * @param {HTMLCanvasElement} canvas  as wide and high as the table
 * @param {Float64Array} weights
 * @param {Uint8Array} visible
 * @param {{ramp: Uint32Array, invalid: number}} colours
 * @returns {Generator<number>}
 */
export function* paintTable(canvas, weights, visible, { ramp, invalid }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const n = canvas.width;
  const rows = Math.ceil(paintedAtOnce / n);
  for (let row = 0; row < n; row += rows) {
    const image = context.createImageData(n, Math.min(rows, n - row));
    const pixels = new Uint32Array(image.data.buffer);
    for (let index = 0, entry = row * n; index < pixels.length; index++, entry++) {
      const weight = weights[entry];
      if (visible[entry] !== 0) {
        pixels[index] = Number.isFinite(weight) ? ramp[Math.round(Math.min(1, weight) * (shades - 1))] : invalid;
      }
    }
    context.putImageData(image, 0, row);
    yield 1;
  }
}

/**
 * The colours of the scale as pixels, read from the style sheet so that both forms of the heatmap share one scale, and
 * read again when the theme changes: a transition on the probe's colour tells of any change, whatever its cause.
 *
 * @param {HTMLElement} parent
 * @param {() => void} changed
 */
export function createShades(parent, changed) {
  const probe = h('span', { class: 'colour-probe', 'aria-hidden': 'true', transitionend: () => changed() });
  parent.append(probe);
  let key = '';
  let pixels = { ramp: new Uint32Array(shades), invalid: 0 };

  return {
    read() {
      const { color: none, backgroundColor: full, outlineColor: invalid } = getComputedStyle(probe);
      if (key !== `${none} ${full} ${invalid}`) {
        key = `${none} ${full} ${invalid}`;
        const strip = document.createElement('canvas');
        strip.width = shades + 1;
        strip.height = 1;
        const context = /** @type {CanvasRenderingContext2D} */ (strip.getContext('2d', { willReadFrequently: true }));
        const fill = (/** @type {number} */ x, /** @type {string} */ colour) => {
          context.fillStyle = colour;
          context.fillRect(x, 0, 1, 1);
        };
        for (let shade = 0; shade < shades; shade++) {
          fill(shade, `color-mix(in oklab, ${full} ${(100 * shade) / (shades - 1)}%, ${none})`);
        }
        fill(shades, invalid);
        const words = new Uint32Array(context.getImageData(0, 0, strip.width, 1).data.buffer);
        pixels = { ramp: words.slice(0, shades), invalid: words[shades] };
      }
      return pixels;
    },
  };
}
