// Helpers that the tests of several panels share.

import { openPage } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`.${name}`);

/** The maps of a panel: their texts, and their numbers in full precision. @param {Page} page @param {string} name */
export function readMaps(page, name) {
  return panel(page, name).evaluate((root) =>
    Array.from(root.querySelectorAll('.small-map'), (map) => {
      const all = (/** @type {string} */ role) => Array.from(map.querySelectorAll(`[role=${role}]`));
      const n = all('rowheader').length;
      const rows = (/** @type {any[]} */ list) => Array.from({ length: n }, (_, i) => list.slice(i * n, (i + 1) * n));
      const cells = /** @type {HTMLElement[]} */ (all('gridcell'));
      return {
        label: all('grid')[0].getAttribute('aria-label'),
        rowLabels: all('rowheader').map(({ textContent }) => textContent),
        columnLabels: all('columnheader').map(({ textContent }) => textContent),
        texts: rows(cells.map(({ textContent }) => textContent)),
        kinds: rows(cells.map(({ dataset }) => dataset.kind)),
        numbers: rows(
          cells.map((cell) => {
            cell.dispatchEvent(new Event('pointerover', { bubbles: true }));
            const reading = map.parentElement?.querySelector('.reading')?.textContent;
            return Number(reading?.match(/[^ ()]+(?=\)?$)/)?.[0].replaceAll('−', '-'));
          }),
        ),
        backgrounds: rows(cells.map((cell) => getComputedStyle(cell).backgroundColor)),
      };
    }),
  );
}

/**
 * The laws with an outcome, as the panel of proofs shows them.
 *
 * @param {Page} page
 * @param {string} outcome
 */
export function lawsThat(page, outcome) {
  return page
    .locator(`.proof[data-outcome="${outcome}"]`)
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-law')));
}

/** @param {Page} page @param {string} [attributes] */
export async function openPanels(page, attributes = '') {
  await openPage(page, `<attention-widget panels="break proofs checkpoints" ${attributes}></attention-widget>`);
  await page.locator('.proof').last().waitFor();
}

/** What the engine of the page says. @param {Page} page @param {string} call @param {any[]} given */
export const engineSays = (page, call, ...given) =>
  page.evaluate(
    async ([name, values]) => {
      const { loadLessonEngine } = await import(/** @type {any} */ ('/attention-widget.js'));
      const engine = await loadLessonEngine();
      return JSON.parse(JSON.stringify(engine[name](...values)));
    },
    /** @type {[string, any[]]} */ ([call, given]),
  );

/** The text of a figure that opens to all digits. @param {import('playwright-core').Locator} figures */
export const digits = (figures) =>
  figures.evaluateAll((all) =>
    all.map((figure) => Number(figure.querySelector('small')?.textContent?.replace('−', '-'))),
  );
