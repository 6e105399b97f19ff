// Cells of the map, and numbers as the widget writes them.

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
export const cell = (/** @type {Page} */ page, /** @type {number} */ row, /** @type {number} */ column, n = 6) =>
  only(page)
    .locator('.cell')
    .nth(row * n + column);

export const format = (/** @type {number} */ value) => {
  const size = Math.abs(value);
  const text = value === 0 ? '0' : size < 0.005 ? value.toExponential(1) : value.toFixed(2);
  return text.replaceAll('-', '−');
};
