// Views without a browser: a document that lays nothing out, and what a reader would see in it.

import { parseHTML } from 'linkedom';
import messages from '../../../web/language/messages/en.js';
import { createRow } from '../../../web/views/row.js';
import { loadEngine } from '../support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} Settings */

export const engine = await loadEngine();
globalThis.document = parseHTML('<!doctype html><html><body></body></html>').document;

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const every = (root, selector) => Array.from(root.querySelectorAll(selector));

/** What a reader sees of a text: joiners and no-break spaces only steer its line breaks. @param {Element} element */
export const textOf = (element) =>
  (element.textContent ?? '').replaceAll(/\u2060|\u200b/g, '').replaceAll(/[\u00a0\n]/g, ' ');

/** @param {Settings} settings @param {number} row @param {number} column */
export function rowOf(settings, row, column) {
  const view = createRow(messages, () => {});
  view.update(engine.lesson({ ...settings, row }), { row, column });
  return view.root;
}

export const rowKeys = (/** @type {Element} */ root) => every(root, 'tbody th').map(textOf);
