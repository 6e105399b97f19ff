// A small map of numbers: weights on the widget's scale, or signed numbers on a scale centred on zero. A line under it
// shows the pointed or focused cell's number with all digits.

import { h, setAttribute, setClass, setMath, setStyle, setText } from './dom.js';
import { format, formatPrecise, formatSigned, formatWeight, plainText, tokenName } from './format.js';
import { createGrid } from './heatmap-grid.js';
import { shadeOf } from './shades.js';

/** With more tokens a cell has room for a sign, not for a number. */
const mostNumbers = 8;

/**
 * Maps side by side, one for each divisor: √d_k, none, and the state's own where that is d_k.
 *
 * @template {{map: {root: HTMLElement}}} Tile
 * @param {() => Tile} create
 */
export function createTiles(create) {
  const all = /** @type {const} */ (['sqrt', 'none', 'dk']).map((divisor) => ({ ...create(), divisor }));
  const root = h('div', { class: 'tiles' });
  return {
    root,

    /** Shows the tiles of a state. @param {import('../engine/lesson-state.js').LessonState} state */
    of({ divisor }) {
      const shown = divisor === 'dk' ? all : all.slice(0, 2);
      if (root.childElementCount !== shown.length) {
        root.replaceChildren(...shown.map(({ map }) => map.root));
      }
      return shown;
    },
  };
}

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {number} [end]  of a scale with zero in its middle; absent for weights
 * @param {'h3' | 'h4'} [heading]
 */
export function createSmallMap(messages, end, heading = 'h4') {
  const title = h(heading, {});
  const reading = h('small', { class: 'reading', 'aria-hidden': 'true' });
  const isSigned = end !== undefined;
  const ramp = (/** @type {string} */ sign) => h('span', { class: 'ramp', 'data-sign': sign });
  const ends = ['', ''].map(() => h('span', {}));
  const scale = isSigned ? [ends[0], ramp('−'), '0', ramp('+'), ends[1]] : ['0', h('span', { class: 'ramp' }), '1'];

  let drawn = '1,1';
  let grid = createGrid([1, 1]);
  let readingOf = (/** @type {number} */ row, /** @type {number} */ column) => `${row}, ${column}`;
  const readOut = (/** @type {Event} */ { target }) => {
    const { row, column } = /** @type {HTMLElement} */ (target).dataset;
    setText(reading, row === undefined || column === undefined ? '\u00a0' : readingOf(Number(row), Number(column)));
  };
  const frame = h('div', { class: 'small-map', pointerover: readOut, focusin: readOut }, grid.root);
  const root = h('div', {}, title, frame, reading, h('p', { class: 'legend', 'aria-hidden': 'true' }, ...scale));

  return {
    root,

    /**
     * @param {string} name
     * @param {import('../engine/lesson-engine.js').Tensor} table  of all tokens by all keys
     * @param {object} shown
     * @param {string[]} shown.tokens
     * @param {number[]} shown.places  the tokens that the map shows
     * @param {Uint8Array} [shown.visible]  of the table's shape; all where it is absent
     * @param {number} [shown.reach]  where the scale ends this time
     * @param {string[]} [shown.keys]  where those are other tokens
     * @param {number[]} [shown.keyPlaces]  the keys that the map shows
     */
    update(name, { data }, { tokens, places, visible, reach = end, keys = tokens, keyPlaces = places }) {
      const n = Math.max(places.length, keyPlaces.length);
      if (drawn !== `${places.length},${keyPlaces.length}`) {
        drawn = `${places.length},${keyPlaces.length}`;
        grid = createGrid([places.length, keyPlaces.length]);
        frame.replaceChildren(grid.root);
      }
      ends.forEach((label, index) => {
        setText(label, `${'−+'[index]}${format(reach ?? 1, messages)}`);
      });
      setStyle(frame, '--tokens', keyPlaces.length);
      setMath(title, name);
      setAttribute(grid.root, 'aria-label', plainText(name));
      setText(reading, '\u00a0');
      const names = places.map((place) => plainText(tokenName(tokens, place)));
      const keyNames = keyPlaces.map((place) => plainText(tokenName(keys, place)));
      const indexOf = (/** @type {number} */ row, /** @type {number} */ column) =>
        places[row] * keys.length + keyPlaces[column];
      const textOf = (/** @type {number} */ value) =>
        isSigned ? formatSigned(value, messages) : formatWeight(value, messages);
      const spokenOf = (/** @type {number} */ row, /** @type {number} */ column, /** @type {string} */ text) =>
        `${names[row]}${messages.comma}${keyNames[column]}: ${text}`;
      readingOf = (row, column) => {
        const index = indexOf(row, column);
        const [text, digits] = [textOf(data[index]), formatPrecise(data[index], messages)];
        if (visible?.[index] === 0) {
          return spokenOf(row, column, messages.hidden);
        }
        return spokenOf(row, column, text) + (digits === text ? '' : ` (${digits})`);
      };
      const draw = (/** @type {HTMLElement} */ cell, /** @type {number} */ row, /** @type {number} */ column) => {
        const index = indexOf(row, column);
        const value = data[index];
        const isHidden = visible?.[index] === 0;
        const text = textOf(value);
        const sign = isSigned && Math.abs(value) >= 0.005 ? text[0] : '';
        setText(cell, isHidden ? '' : n > mostNumbers ? sign : text);
        setAttribute(cell, 'aria-label', spokenOf(row, column, isHidden ? messages.hidden : text));
        setAttribute(cell, 'data-kind', isHidden ? 'hidden' : Number.isFinite(value) ? null : 'invalid');
        const isMinus = text[0] === '−';
        const shade =
          reach === undefined ? shadeOf(value) : shadeOf(Math.abs(value) / reach, isMinus ? 'minus' : 'plus');
        setClass(cell, `cell ${shade}`);
      };
      grid.update(tokens, keys, draw, places, keyPlaces);
    },
  };
}
