// The cells of a map, whatever draws them: their places, names and keys.

import { setAttribute, setText } from './dom.js';
import { formatSpoken, formatWeight, formatWeightInFull, plainText, tokenName, visibleToken } from './format.js';

/** The most tokens of which every cell is an element of its own. */
export const maxGridTokens = 16;

/** @typedef {{row: number, column: number}} Cell */

/** How many rows and columns: queries and keys. @typedef {[rows: number, columns: number]} Size */

/**
 * What a table of cells asks of the widget.
 *
 * @typedef {object} CellActions
 * @property {(cell: Cell) => void} select  the reader chose this cell, and with it the query of its row
 * @property {(cell: Cell | null) => void} point  the pointer is over this cell, or over none
 * @property {() => void} repaint  the colours have changed
 * @property {(way: 1 | -1, row: number) => void} leave  the keyboard goes on from the end of a row
 */

/**
 * A table of weights in one of its two forms.
 *
 * @typedef {object} Cells
 * @property {HTMLElement} root
 * @property {(result: import('../engine/lesson-engine.js').LessonResult, selected: Cell, pointed: Cell | null) => void} update
 * @property {(row: number, end: 'first' | 'last') => void} enter  by the keyboard
 * @property {(result: import('../engine/lesson-engine.js').LessonResult) => Iterable<number>} [paint]  some rows at a time
 */

/**
 * Writes a token into a label, which its place explains. The tooltip, and the name of what the label heads, tell the same
 * words of a sentence apart, and say of padding that it is some.
 *
 * @param {HTMLElement} label
 * @param {string[]} tokens
 * @param {number} place
 * @param {string} [padding]  what padding is called, where the token is some
 * @param {Element | null} [headed]
 */
export function setLabel(label, tokens, place, padding = '', headed = label.parentElement) {
  const text = visibleToken(tokens[place] ?? '');
  const name = tokenName(tokens, place).slice(1, -1) + (padding && ` (${padding})`);
  setAttribute(label, 'data-padding', padding !== '');
  setText(label, text);
  setAttribute(label, 'translate', 'no');
  setAttribute(label, 'title', name);
  if (headed?.matches('th, button, [role]')) {
    setAttribute(headed, 'aria-label', name === text ? null : name);
  }
}

/**
 * What padding is called, where a token is some. With a context no query is.
 *
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @param {number} place
 * @param {boolean} [isQuery]
 */
export function paddingAt(messages, { keyTokens, padding, context }, place, isQuery) {
  return place < keyTokens.length - padding || (isQuery && context) ? '' : messages.padding;
}

/**
 * How a cell is spoken: "step looks at starts, 0.42".
 *
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @param {Cell} cell
 */
export function cellLabel(messages, { tokens, keyTokens, visible, weights }, { row, column }) {
  const weight = weights.data[row * keyTokens.length + column];
  const said = Number.isFinite(weight)
    ? formatSpoken(formatWeight(weight, messages), formatWeightInFull(weight, messages))
    : messages.overflow;
  const query = tokenName(tokens, row);
  const key = tokenName(keyTokens, column);
  const isHidden = visible.data[row * keyTokens.length + column] === 0;
  return plainText(isHidden ? messages.cellHidden(query, key) : messages.cell(query, key, said));
}

/**
 * Where a key leads from a cell, or null when it leads nowhere that the table knows of.
 *
 * @param {KeyboardEvent} event
 * @param {Cell} cell
 * @param {number} n  rows
 * @param {number} [page]  rows that show at once
 * @param {number} [columns]
 * @returns {Cell | null}
 */
export function cellAfterKey({ key, ctrlKey, metaKey, altKey }, { row, column }, n, page = n, columns = n) {
  if (metaKey || altKey) {
    return null;
  }
  const last = n - 1;
  const end = columns - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(last, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(end, column + 1) };
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrlKey ? last : row, column: end };
    case 'PageUp':
      return { row: Math.max(0, row - page), column };
    case 'PageDown':
      return { row: Math.min(last, row + page), column };
    default:
      return null;
  }
}
