// The heatmap at one pixel a cell, for tables too large to build of elements. The labels thin out as room gets scarce;
// one real grid cell follows the keyboard and the pointer, so that every value can be read and heard.

import { h, setAttribute, setStyle } from './dom.js';
import { cellAfterKey, cellLabel, setLabel } from './heatmap.js';

/** Labels on an axis that can still be told apart. */
const mostLabels = 24;

/** Steps of the colour scale; more than a reader or an 8-bit screen can tell apart. */
const shades = 256;

/**
 * @param {number} n
 * @param {typeof import('../messages/en.js').default} messages
 * @param {import('./heatmap.js').HeatmapActions} actions
 * @returns {import('./heatmap.js').Cells}
 */
export function createCanvasCells(n, messages, actions) {
  const canvas = h('canvas', { width: n, height: n, 'aria-hidden': 'true' });
  const rowBand = h('div', { class: 'band row-band' });
  const columnBand = h('div', { class: 'band column-band' });
  const highlight = h('div', { class: 'band highlight-band' });
  const cell = h('div', { class: 'canvas-cell', role: 'gridcell', tabindex: 0 });
  const cellRow = h('div', { role: 'row' }, cell);
  const plane = h('div', { class: 'plane' }, canvas, highlight, rowBand, columnBand, cellRow);

  const step = Math.ceil(n / mostLabels);
  const places = Array.from({ length: Math.ceil(n / step) }, (_, index) => index * step);
  const label = (/** @type {string} */ side) => h('div', { class: side, 'aria-hidden': 'true' }, h('bdi', {}));
  const columnLabels = places.map(() => label('column-label'));
  const rowLabels = places.map(() => label('row-label'));
  const columnNow = label('column-label now');
  const rowNow = label('row-label now');
  const root = h(
    'div',
    {
      class: 'map canvas-map',
      role: 'grid',
      'aria-label': messages.heatmapLabel(n),
      'aria-rowcount': n,
      'aria-colcount': n,
    },
    h('div', { class: 'column-labels', role: 'presentation' }, ...columnLabels, columnNow),
    h('div', { class: 'row-labels', role: 'presentation' }, ...rowLabels, rowNow),
    plane,
  );

  const colours = createShades(root, () => last !== null && paint(last));

  /** @type {import('../lesson-engine.js').LessonResult | null} */
  let last = null;
  /** @type {import('./heatmap.js').Cell} */
  let current = { row: 0, column: 0 };

  /** @param {PointerEvent | MouseEvent} event */
  const cellAt = (event) => {
    const box = plane.getBoundingClientRect();
    const index = (/** @type {number} */ fraction) => Math.max(0, Math.min(n - 1, Math.floor(fraction * n)));
    return {
      row: index((event.clientY - box.top) / box.height),
      column: index((event.clientX - box.left) / box.width),
    };
  };
  plane.addEventListener('click', (event) => {
    actions.select(cellAt(event));
    cell.focus({ preventScroll: true });
  });
  plane.addEventListener('pointermove', (event) => event.pointerType !== 'touch' && actions.point(cellAt(event)));
  plane.addEventListener('pointerleave', () => actions.point(null));
  root.addEventListener('keydown', (event) => {
    const next = cellAfterKey(event, current, n);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      actions.select(next);
    }
  });

  /** @param {import('../lesson-engine.js').LessonResult} result */
  const paint = ({ weights, visible }) => paintTable(canvas, weights.data, visible.data, colours.read());

  return {
    root,

    update(result, selected, pointed) {
      const { tokens } = result;
      if (result !== last) {
        paint(result);
        places.forEach((place, index) => {
          for (const each of [columnLabels[index], rowLabels[index]]) {
            setStyle(each, '--place', place + 0.5);
            setLabel(/** @type {HTMLElement} */ (each.firstChild), tokens[place]);
          }
        });
      }
      last = result;
      current = selected;

      const now = pointed ?? selected;
      setStyle(root, '--row', now.row);
      setStyle(root, '--column', now.column);
      setStyle(root, '--selected', selected.row);
      setStyle(columnNow, '--place', now.column + 0.5);
      setStyle(rowNow, '--place', now.row + 0.5);
      places.forEach((place, index) => {
        // The present label needs its neighbours' room.
        columnLabels[index].hidden = Math.abs(place - now.column) < step;
        rowLabels[index].hidden = Math.abs(place - now.row) < step;
      });
      setLabel(/** @type {HTMLElement} */ (columnNow.firstChild), tokens[now.column]);
      setLabel(/** @type {HTMLElement} */ (rowNow.firstChild), tokens[now.row]);
      setAttribute(cellRow, 'aria-rowindex', now.row + 1);
      setAttribute(cell, 'aria-colindex', now.column + 1);
      setAttribute(cell, 'aria-label', cellLabel(messages, result, now));
    },
  };
}

/**
 * Paints a square table of weights at one pixel a cell. What is hidden stays clear.
 *
 * @param {HTMLCanvasElement} canvas  as wide and high as the table
 * @param {Float64Array} weights
 * @param {Uint8Array} visible
 * @param {{ramp: Uint32Array, invalid: number}} colours
 */
export function paintTable(canvas, weights, visible, { ramp, invalid }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let index = 0; index < pixels.length; index++) {
    const weight = weights[index];
    if (visible[index] !== 0) {
      pixels[index] = Number.isFinite(weight) ? ramp[Math.round(Math.min(1, weight) * (shades - 1))] : invalid;
    }
  }
  context.putImageData(image, 0, 0);
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
