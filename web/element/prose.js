// Prose that drives a widget: <a href="#" data-attention-for="w1" data-d-k="64" data-divisor="none">, or a button.

import { readSettings } from '../engine/lesson-state.js';

/** @type {Set<Document>} whose prose drives widgets; none where the class is used without its registration */
const pages = new Set();

/**
 * Makes the page's marked links and buttons change the widgets that they name, the keyboard's clicks among them.
 *
 * @param {Document} page
 * @param {typeof import('./attention-widget.js').AttentionWidget} Widget
 */
export function driveByProse(page, Widget) {
  pages.add(page);
  page.addEventListener('click', (event) => {
    // Elements of another window are of no class of this one.
    const link = event
      .composedPath()
      .find((/** @type {any} */ node) => node.nodeType === 1 && node.hasAttribute('data-attention-for'));
    if (link === undefined || event.defaultPrevented) {
      return;
    }
    const element = /** @type {Element} */ (link);
    const id = element.getAttribute('data-attention-for') ?? '';
    const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
    const widget = [root, page, ...pages].map((place) => place.getElementById(id)).find((each) => each !== null);
    if (widget instanceof Widget) {
      event.preventDefault();
      // "data-d-k" says what "d-k" says.
      widget.change(readSettings((attribute) => element.getAttribute(`data-${attribute}`)));
    }
  });
}

/**
 * Lets the prose of a page drive a widget that has come from another one, as the prose of the other one goes on to do.
 *
 * @param {Document} page
 * @param {typeof import('./attention-widget.js').AttentionWidget} Widget
 */
export function followWithProse(page, Widget) {
  for (const each of pages) {
    if (each.defaultView === null) {
      pages.delete(each); // a window that was closed
    }
  }
  if (pages.size > 0 && !pages.has(page)) {
    driveByProse(page, Widget);
  }
}
