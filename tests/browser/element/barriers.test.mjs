// What shuts readers out, as axe-core finds it: names that are missing, contrast too low, roles that do not hold. Covers
// every view and panel, and page/index.html.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { eventually, openLesson, openPage, pageTest, setAttributes, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const axe = fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url));
const panels = ['break', 'proofs', 'shapes', 'worksheet', 'jacobian', 'compare', 'gradients', 'train', 'law'];
const all = [...panels, 'checkpoints', 'code', 'share'].join(' ');
const themes = /** @type {Record<string, {media: Parameters<Page['emulateMedia']>[0], attribute: string}>} */ ({
  light: { media: { colorScheme: 'light' }, attribute: 'theme="light"' },
  dark: { media: { colorScheme: 'dark' }, attribute: 'theme="dark"' },
  'forced colours': { media: { forcedColors: 'active' }, attribute: '' },
});

/**
 * There is nothing that shuts a reader out, and it was looked for: by axe's rules for WCAG 2.2 AA and its own advice, and by
 * the size of what is pressed. Cells of maps are as small as the map needs them: rows of the table do the same.
 *
 * @param {Page} page
 * @param {number} atLeast  how many texts have a contrast that counts
 */
async function assertNoBarrier(page, atLeast) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.addScriptTag({ path: axe });
  }
  const { violations, texts } = await page.evaluate(async () => {
    const found = await /** @type {any} */ (window).axe.run({ rules: { 'target-size': { enabled: true } } });
    const nodes = (/** @type {any} */ { id, help, nodes }) =>
      nodes.map((/** @type {any} */ { target, failureSummary }) => `${id}: ${help}: ${target} ${failureSummary}`);
    const contrast = found.passes.find((/** @type {any} */ { id }) => id === 'color-contrast');
    return { violations: found.violations.flatMap(nodes), texts: contrast?.nodes.length ?? 0 };
  });
  assert.deepEqual(violations, []);
  const small = await page
    .locator('attention-widget')
    .locator(
      'button, select, input:not([type=checkbox], [type=radio]), summary, label:has([type=checkbox], [type=radio])',
    )
    .evaluateAll((targets) =>
      targets.flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        const isSmall = width > 0 && (width < 24 || height < 24);
        return isSmall ? [`${target.outerHTML.slice(0, 80)}: ${width} × ${height}`] : [];
      }),
    );
  assert.deepEqual(small, [], 'targets of less than 24 px');
  assert.ok(texts >= atLeast, `${texts} texts have their contrast`);
}

/** @param {Page} page @param {string} theme @param {string} attributes */
async function open(page, theme, attributes) {
  await page.emulateMedia(themes[theme].media);
  await openPage(
    page,
    `<main><h1>A lesson</h1><h2>A section</h2>
       <attention-widget ${attributes} ${themes[theme].attribute}></attention-widget></main>`,
  );
}

/** Waits for the last of the panels' charts: until then everything below them moves. @param {Page} page */
async function drawn(page) {
  const law = page.locator('attention-widget [data-panel="law"] svg');
  await eventually(async () => (await law.count()) >= 4, true);
}

/** @param {Page} page @param {string} panel @param {string} name */
const press = (page, panel, name) =>
  page.locator(`attention-widget [data-panel="${panel}"]`).getByRole('button', { name, exact: true }).click();

// So high that every panel is on the screen: what is off it has no contrast to measure.
const viewport = { width: 1000, height: 7000 };

for (const theme of Object.keys(themes)) {
  pageTest(
    `${theme}: no barrier in any step of the walk, with mistakes and the map beside`,
    async (page) => {
      await open(page, theme, 'beside="divisor" d-k="40" mask="late" softmax-axis="queries"');
      for (let step = 0; step <= 8; step++) {
        await setAttributes(page.locator('attention-widget'), { step: String(step) });
        await settled(page);
        await assertNoBarrier(page, 60);
      }
    },
    { viewport: { width: 1280, height: 2000 } },
  );

  pageTest(
    `${theme}: no barrier in any panel, with heads and a mask, a pinned state and a race under way`,
    async (page) => {
      await open(page, theme, `panels="${all}" heads="3" mask="causal"`);
      await drawn(page);
      await press(page, 'compare', 'Scaled / unscaled');
      await press(page, 'train', 'Step');
      await settled(page);
      await assertNoBarrier(page, 300);
    },
    { viewport },
  );

  pageTest(
    `${theme}: no barrier where mistakes are shown`,
    async (page) => {
      await page.emulateMedia({ reducedMotion: 'reduce' }); // on their way to another divisor colours have no contrast
      await open(page, theme, 'panels="break proofs worksheet" softmax-axis="queries" mask="late"');
      await assertNoBarrier(page, 100);
      await setAttributes(page.locator('attention-widget'), {
        ...{ 'softmax-axis': null, mask: null, softmax: 'naive', divisor: 'none', 'd-k': '64' },
      });
      await page.locator('attention-widget .cell[data-kind="invalid"]').first().waitFor();
      await assertNoBarrier(page, 100);
    },
    { viewport },
  );

  pageTest(`${theme}: no barrier where a sentence stands in place of the picture`, async (page) => {
    await open(page, theme, 'd-k="0"');
    await assertNoBarrier(page, 3);
    await open(page, theme, '');
    await setAttributes(page.locator('attention-widget'), { tokens: '[1]' });
    await page.locator('attention-widget [part="problem"] button:visible').waitFor();
    await assertNoBarrier(page, 4);
  });
}

pageTest(
  'no barrier in a painted map, nor beside a lone token',
  async (page) => {
    await open(page, 'light', `tokens="${Array.from({ length: 40 }, (_, index) => `t${index}`).join(' ')}"`);
    await assertNoBarrier(page, 50);
    await open(page, 'light', `tokens="alone" panels="${all}"`);
    await drawn(page);
    await assertNoBarrier(page, 50);
  },
  { viewport },
);

pageTest(
  'no barrier in the lesson page',
  async (page) => {
    await openLesson(page);
    await assertNoBarrier(page, 100);
  },
  { bypassCSP: true },
);
