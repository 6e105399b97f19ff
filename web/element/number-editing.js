// Where the layer's numbers are edited: the first press on an entry, or Enter, brings the script beside the widget that
// does it.

import { loadSibling } from '../export/load-sibling.js';
import { h, setText } from '../views/dom.js';
import { explain } from '../views/problem.js';
import { adoptStyles } from '../views/style-sheet.js';

const types = ['pointerdown', 'click', 'keydown'];

/**
 * @param {HTMLElement} layer
 * @param {import('../language/language.js').Messages} messages
 * @param {import('../numbers/editor.js').EditorActions} actions
 * @returns {{update: () => void}}
 */
export function listenForEdits(layer, messages, actions) {
  const problem = h('p', { class: 'broken', role: 'alert' });
  /** @type {Promise<any> | undefined} */
  let coming;
  const load = async () => {
    const { createEditor, styles } = await loadSibling('numbers');
    adoptStyles(/** @type {ShadowRoot} */ (layer.getRootNode()), styles);
    for (const type of types) {
      layer.removeEventListener(type, hear, true);
    }
    const editor = createEditor(layer, messages, actions);
    editing.update = editor.update;
    return editor;
  };
  const hear = async (/** @type {any} */ event) => {
    const { type, key, detail, target } = event;
    const isAsked = { keydown: key === 'Enter', click: detail === 2 }[/** @type {string} */ (type)] ?? true;
    if (isAsked && target.closest('[data-matrix="X"], [data-matrix^="W"], [data-matrix^="b"]')) {
      if (key !== undefined) {
        event.preventDefault();
        event.stopPropagation();
      }
      try {
        coming ??= load();
        (await coming).hear(event, target);
      } catch (error) {
        coming = undefined;
        if (type !== 'pointerdown') {
          setText(problem, explain(messages, error).sentence);
          layer.append(problem);
        }
      }
    }
  };
  for (const type of types) {
    layer.addEventListener(type, hear, true);
  }
  const editing = { update() {} };
  return editing;
}
