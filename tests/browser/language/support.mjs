// What the tests of languages ask of the page.

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {import('../support.mjs').Locator} Locator */

export const widget = '<attention-widget></attention-widget>';
export const only = (/** @type {Page} */ page) => page.locator('attention-widget');

/** @param {Locator} widget */
export const titleOf = (widget) => widget.locator('[part="heatmap"] strong').textContent();

/** The languages' files that a page asks for, as it does. @param {Page} page */
export function askedFor(page) {
  /** @type {string[]} */
  const files = [];
  page.on('request', (request) => {
    const [, file] = /\/(messages\/.+)$/.exec(request.url()) ?? [];
    if (file !== undefined) {
      files.push(file);
    }
  });
  return files;
}
