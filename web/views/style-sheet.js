// Style sheets as objects: made when the first widget of a document needs them, and shared by all of its widgets.

/** @typedef {(page: Document) => CSSStyleSheet | undefined} SharedStyleSheet  undefined in a document that no window shows */

/**
 * @param {() => string[]} texts
 * @returns {SharedStyleSheet}
 */
export function sharedStyleSheet(texts) {
  /** @type {WeakMap<Document, CSSStyleSheet>} a sheet serves the document that made it, and no other */
  const sheets = new WeakMap();
  return (page) => {
    let sheet = sheets.get(page);
    if (sheet === undefined && page.defaultView !== null) {
      sheet = /** @type {CSSStyleSheet} */ (new /** @type {any} */ (page.defaultView).CSSStyleSheet());
      sheet.replaceSync(texts().join('\n'));
      sheets.set(page, sheet);
    }
    return sheet;
  };
}

/** @type {WeakMap<ShadowRoot, Set<SharedStyleSheet>>} */
const adopted = new WeakMap();

/** Adds a style sheet to a root, once. @param {ShadowRoot} root @param {SharedStyleSheet} styles */
export function adoptStyles(root, styles) {
  const all = adopted.get(root) ?? new Set();
  if (!all.has(styles)) {
    adopted.set(root, all.add(styles));
    adoptStylesAgain(root);
  }
}

/** In another document the browser takes a root's style sheets away. @param {ShadowRoot} root */
export function adoptStylesAgain(root) {
  root.adoptedStyleSheets = [...(adopted.get(root) ?? [])].flatMap((styles) => styles(root.ownerDocument) ?? []);
}
