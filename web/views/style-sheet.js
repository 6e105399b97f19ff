// Style sheets as objects: made when the first widget needs them, and shared by all widgets of a page.

/**
 * @param {() => string[]} texts  called once
 * @returns {() => CSSStyleSheet}
 */
export function sharedStyleSheet(texts) {
  /** @type {CSSStyleSheet | undefined} */
  let sheet;
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(texts().join('\n'));
    }
    return sheet;
  };
}
