// What a page hears of its widgets, for tests to compare.

/** @typedef {import('../support.mjs').Page} Page */

/**
 * Keeps what the document hears, for `heard` to take.
 *
 * @param {Page} page
 */
export async function listen(page) {
  await page.evaluate(() => {
    /** @type {object[]} */
    const events = [];
    Object.assign(window, { events });
    for (const type of ['attention-change', 'attention-error']) {
      document.addEventListener(type, (event) => {
        const { bubbles, composed, detail, target } = /** @type {CustomEvent} */ (event);
        events.push({ type, bubbles, composed, detail, target: /** @type {Element} */ (target).tagName });
      });
    }
  });
}

/** @param {Page} page @returns {Promise<any[]>} */
export const heard = (page) => page.evaluate(() => /** @type {any} */ (window).events.splice(0));
