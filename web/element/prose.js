// Prose that drives a widget: <a href="#" data-attention-for="w1" data-d-k="64" data-divisor="none">, or a button.

import { readSettings } from '../engine/lesson-state.js';

/**
 * Makes the page's marked links and buttons change the widgets that they name, the keyboard's clicks among them.
 *
 * @param {Document} page
 * @param {typeof import('./attention-widget.js').AttentionWidget} Widget
 */
export function driveByProse(page, Widget) {
  page.addEventListener('click', (event) => {
    const link = event
      .composedPath()
      .find((node) => node instanceof Element && node.hasAttribute('data-attention-for'));
    if (!(link instanceof Element) || event.defaultPrevented) {
      return;
    }
    const id = link.getAttribute('data-attention-for') ?? '';
    const root = /** @type {Document | ShadowRoot} */ (link.getRootNode());
    const widget = root.getElementById(id) ?? page.getElementById(id);
    if (widget instanceof Widget) {
      event.preventDefault();
      // "data-d-k" says what "d-k" says.
      widget.change(readSettings((attribute) => link.getAttribute(`data-${attribute}`)));
    }
  });
}
