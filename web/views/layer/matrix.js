// One matrix of the layer as a small map: a pixel for each entry, blue above zero and orange below. Of its cells one is an
// element, the one that the keyboard is at: a thousand of them would be what the first picture waits for.

import { cellAfterKey } from '../cells.js';
import { h, setAttribute, setMath, setStyle, setText } from '../dom.js';
import { format, plainText } from '../format.js';

/** More entries a side than this share pixels: a screen would not tell them apart. */
const mostPixels = 256;

/** A canvas is as wide as the slider's largest d_k, or wider: another size at each of its steps would cost more than the paint. */
const leastRoom = 64;

/** How much of its colour an entry keeps that steps back. */
const faint = 0.45;

/**
 * A part of a matrix: rows and columns from one to before another.
 *
 * @typedef {{rows?: [from: number, to: number], columns?: [from: number, to: number], kind: 'query' | 'key' | 'operand'}} Light
 */

/**
 * @typedef {object} MatrixActions
 * @property {(row: number, column: number) => void} point
 * @property {() => void} leave
 * @property {(row: number, column: number) => void} choose
 * @property {(way: 1 | -1, row: number) => void} goOn  to the next matrix, or the one before, by the keyboard
 */

/** @typedef {ReturnType<typeof createMatrix>} Matrix */

/**
 * @param {string} name
 * @param {MatrixActions} actions
 */
export function createMatrix(name, { point, leave, choose, goOn }) {
  const title = h('b', {});
  const shape = h('span', { class: 'shape' });
  const symbols = h('span', { class: 'shape' });
  const reach = h('span', { class: 'reach' });
  const plane = h('div', { class: 'entries', role: 'grid' });
  const root = h(
    'div',
    { class: 'matrix', 'data-matrix': name },
    h('div', { class: 'name', 'aria-hidden': 'true' }, title, ' ', shape, ' ', symbols),
    plane,
    reach,
  );
  // What the frame holds comes after the first picture.
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const pixels = h('div', { class: 'pixels' }, canvas);
  let cell = createCell();
  const line = h('div', { role: 'row' }, cell);
  /** @type {HTMLElement[]} */
  const lights = [];
  /** @type {HTMLElement[]} */
  const marks = [];
  setStyle(root, '--area', name);
  let [rows, columns] = [1, 1];
  let [row, column] = [0, 0];
  /** @type {unknown[]} what is on the canvas: entries, scale, colours and lights */
  let painted = [];
  /** @type {(row: number, column: number) => string} */
  let describe = () => '';

  function createCell() {
    return h('div', { class: 'entry', role: 'gridcell', tabindex: -1 });
  }

  const place = () => {
    setAttribute(line, 'aria-rowindex', row + 1);
    setAttribute(cell, 'aria-colindex', column + 1);
    setAttribute(cell, 'aria-label', describe(row, column));
    boxOf(cell, [row, row + 1], [column, column + 1]);
  };

  /** @param {HTMLElement} element @param {number[]} down @param {number[]} across */
  const boxOf = (element, [top, bottom], [left, right]) => {
    setStyle(element, 'top', `${(100 * top) / rows}%`);
    setStyle(element, 'height', `${(100 * (bottom - top)) / rows}%`);
    setStyle(element, 'left', `${(100 * left) / columns}%`);
    setStyle(element, 'width', `${(100 * (right - left)) / columns}%`);
  };

  /** Goes to an entry. An element of its own for each, so that screen readers say what it is. @param {number} toRow @param {number} toColumn */
  const go = (toRow, toColumn) => {
    row = within(toRow, rows);
    column = within(toColumn, columns);
    const tabindex = cell.tabIndex;
    cell = createCell();
    cell.tabIndex = tabindex;
    place();
    line.replaceChildren(cell);
  };

  plane.addEventListener(
    'pointermove',
    (event) => event.pointerType !== 'touch' && point(...entryAt(plane, event, [rows, columns])),
  );
  plane.addEventListener('pointerleave', leave);
  plane.addEventListener('click', (event) => {
    const entry = entryAt(plane, event, [rows, columns]);
    go(...entry);
    cell.focus({ preventScroll: true });
    choose(...entry);
  });
  plane.addEventListener('focusin', () => point(row, column));
  plane.addEventListener('focusout', leave);
  plane.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(row, column);
      return;
    }
    const next = cellAfterKey(event, { row, column }, rows, rows, columns);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      const isEnd = next.row === row && next.column === column;
      if (isEnd && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
        goOn(event.key === 'ArrowRight' ? 1 : -1, row);
      } else {
        go(next.row, next.column);
        cell.focus({ preventScroll: true });
      }
    }
  });

  return {
    root,

    /** Whether the keyboard reaches it by Tab. @param {boolean} isReached */
    reach(isReached) {
      cell.tabIndex = isReached ? 0 : -1;
    },

    /** @param {number} toRow @param {'first' | 'last'} end */
    enter(toRow, end) {
      go(toRow, end === 'first' ? 0 : columns - 1);
      cell.focus();
    },

    /** Gives it its size. @param {number[]} size */
    frame(size) {
      [rows, columns] = size;
      setStyle(root, '--rows', rows);
    },

    /**
     * @param {import('../../engine/lesson-engine.js').Tensor} tensor  of the frame's size
     * @param {object} shown
     * @param {string} shown.title
     * @param {string} shown.symbols  its shape in symbols
     * @param {string} shown.label  what a screen reader calls it
     * @param {number} shown.reach  where the scale ends
     * @param {Uint32Array} shown.colours
     * @param {Light[]} shown.lights
     * @param {{row: number, column: number}[]} shown.edited
     * @param {(row: number, column: number) => string} shown.describe  an entry, for a screen reader
     * @param {string} shown.left  what is said where entries share pixels
     * @param {typeof import('../../language/messages/en.js').default} messages
     */
    update(tensor, shown, messages) {
      if (!pixels.isConnected) {
        plane.append(pixels, line);
      }
      describe = shown.describe;
      setMath(title, shown.title);
      setText(shape, `${rows}×${columns}`);
      setMath(symbols, shown.symbols);
      const isWhole = Math.max(rows, columns) <= mostPixels;
      setText(reach, `±${format(shown.reach, messages)}${isWhole ? '' : ` ${shown.left}`}`);
      setAttribute(plane, 'aria-label', plainText(shown.label));
      setAttribute(plane, 'aria-rowcount', rows);
      setAttribute(plane, 'aria-colcount', columns);
      row = within(row, rows);
      column = within(column, columns);
      place();
      const now = [tensor.data, shown.reach, shown.colours, JSON.stringify([shown.lights, shown.edited])];
      if (now.every((each, index) => each === painted[index])) {
        return;
      }
      painted = now;
      paint(canvas, tensor, shown);
      shown.lights.forEach((light, index) => {
        lights[index] ??= h('div', { class: 'light', 'aria-hidden': 'true' });
        boxOf(lights[index], light.rows ?? [0, rows], light.columns ?? [0, columns]);
        setAttribute(lights[index], 'data-kind', light.kind);
      });
      keepFirst(plane, lights, shown.lights.length);
      shown.edited.forEach(({ row, column }, index) => {
        marks[index] ??= h('div', { class: 'edited', 'aria-hidden': 'true' });
        boxOf(marks[index], [row, row + 1], [column, column + 1]);
      });
      keepFirst(plane, marks, shown.edited.length);
    },
  };
}

/** @param {number} index @param {number} count */
const within = (index, count) => Math.max(0, Math.min(count - 1, index));

/**
 * The entry under the pointer.
 *
 * @param {HTMLElement} plane  of the entries
 * @param {{clientX: number, clientY: number}} event
 * @param {number[]} shape
 * @returns {[row: number, column: number]}
 */
export function entryAt(plane, { clientX, clientY }, [rows, columns]) {
  const box = plane.getBoundingClientRect();
  const index = (/** @type {number} */ share, /** @type {number} */ count) => within(Math.floor(share * count), count);
  return [index((clientY - box.top) / box.height, rows), index((clientX - box.left) / box.width, columns)];
}

/** Shows the first of some elements, and takes away the others. @param {HTMLElement} place @param {HTMLElement[]} elements @param {number} count */
function keepFirst(place, elements, count) {
  place.append(...elements.slice(0, count).filter((element) => !element.isConnected));
  for (const other of elements.slice(count)) {
    other.remove();
  }
}

/**
 * Draws a matrix, a pixel for each entry. The canvas is as high as the box that it is in, which cuts off what it is too wide.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {import('../../engine/lesson-engine.js').Tensor} tensor
 * @param {{reach: number, colours: Uint32Array, lights: Light[]}} shown
 */
export function paint(canvas, { data, shape: [rows, columns] }, { reach, colours, lights }) {
  const [height, width] = [Math.min(rows, mostPixels), Math.min(columns, mostPixels)];
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const middle = (colours.length - 2) / 2; // the last is that of no number
  const isLit = (/** @type {number} */ row, /** @type {number} */ column) =>
    lights.length === 0 ||
    lights.some(
      ({ rows: [top, bottom] = [0, rows], columns: [left, right] = [0, columns] }) =>
        row >= top && row < bottom && column >= left && column < right,
    );
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * rows) / height);
    for (let x = 0; x < width; x++) {
      const column = Math.floor(((x + 0.5) * columns) / width);
      const value = data[row * columns + column];
      if (value === -Infinity) {
        continue; // hidden: the hatching behind it shows
      }
      const share = Math.max(-1, Math.min(1, value / reach || 0));
      const strength = isLit(row, column) ? 1 : faint;
      pixels[y * width + x] =
        colours[Number.isFinite(value) ? Math.round(middle + share * strength * middle) : 2 * middle + 1];
    }
  }
  const room = Math.max(leastRoom, width);
  if (canvas.width !== room || canvas.height !== height) {
    canvas.width = room;
    canvas.height = height;
  }
  setStyle(canvas, 'width', `${(100 * room) / width}%`);
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).putImageData(image, 0, 0);
}
