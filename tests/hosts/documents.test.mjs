// The widget in books of lessons: MkDocs with the Material theme, and Sphinx with MyST and MathJax, as Debian packages
// them.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, pageTest } from '../browser/support.mjs';
import { expectWorkingWidget, folder, installed, origins, run, write } from './support.mjs';

/** @typedef {import('playwright-core').Page} Page */

const classic = 'attention-widget.classic.js';

/** Lays the widget's classic script into a folder of the book. @param {string} place */
function copyScript(place) {
  mkdirSync(join(folder, place), { recursive: true });
  for (const file of [classic, 'panels.js', 'try-and-take.js']) {
    copyFileSync(join(installed, 'dist', file), join(folder, place, file));
  }
}

/** @param {Page} page */
const widget = (page) => page.locator('attention-widget').first();

/** @param {Page} page @param {string} name */
const part = (page, name) => widget(page).locator(`[part="${name}"]`);

/** @param {Page} page @returns {Promise<any>} */
const stateOf = (page) =>
  widget(page).evaluate(async (element) => {
    await /** @type {any} */ (element).updated;
    return /** @type {any} */ (element).state;
  });

/** The widget's ground, as a number that is small where it is dark. @param {Page} page */
const ground = (page) =>
  widget(page).evaluate((element) => {
    const view = /** @type {Element} */ (element.shadowRoot?.querySelector('.widget'));
    return Number(getComputedStyle(view).backgroundColor.match(/\d+/)?.[0]);
  });

let isMkDocsBuilt = false;

/** Builds the book for the first page that wants it, and opens its first lesson. @param {Page} page */
async function openMkDocs(page) {
  if (!isMkDocsBuilt) {
    buildMkDocs();
    isMkDocsBuilt = true;
  }
  await page.goto(`${origins[0]}/mkdocs/site/index.html`);
}

function buildMkDocs() {
  copyScript('mkdocs/docs');
  write(
    'mkdocs/mkdocs.yml',
    `site_name: Lessons
site_url: ${origins[0]}/mkdocs/site/
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.instant]
  palette:
    - { scheme: default, toggle: { icon: material/weather-sunny, name: Dark } }
    - { scheme: slate, toggle: { icon: material/weather-night, name: Light } }
extra_javascript: [${classic}]
extra_css: [dark.css]
`,
  );
  write('mkdocs/docs/dark.css', '[data-md-color-scheme="slate"] { color-scheme: dark }');
  write(
    'mkdocs/docs/index.md',
    '# One\n\n<attention-widget d-k="24"></attention-widget>\n\n[the next lesson](two.md)\n\n## Section\n\nText.\n',
  );
  write('mkdocs/docs/two.md', '# Two\n\n<attention-widget tokens="a b" mask="causal"></attention-widget>\n');
  run('/usr/bin/mkdocs', ['build', '--quiet'], join(folder, 'mkdocs'));
}

pageTest('MkDocs Material: in the page, after an instant turn to another, and deaf to its shortcuts', async (page) => {
  await openMkDocs(page);
  const built = readFileSync(join(folder, 'mkdocs/site/index.html'), 'utf8');
  assert.match(built, /<attention-widget d-k="24"><\/attention-widget>/);
  await expectWorkingWidget(page);

  // f, s and / open the search, n and p turn the page.
  await part(page, 'sentence').focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' fsnp/');
  await page.keyboard.press('Tab');
  assert.equal((await stateOf(page)).tokens.at(-1), 'fsnp/');
  assert.match(page.url(), /index\.html$/);
  assert.equal(await page.evaluate(() => document.activeElement?.localName), 'attention-widget');

  await page.evaluate(() => Object.assign(window, { stays: true }));
  await page.getByRole('link', { name: 'the next lesson' }).click();
  await page.waitForURL('**/two.html');
  await widget(page).locator('.row-label').nth(1).waitFor();
  await eventually(async () => (await stateOf(page)).tokens.length, 2);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).stays), true, 'the page was not loaded anew');
  await expectWorkingWidget(page);
});

pageTest('MkDocs Material: the widget turns dark with the palette', async (page) => {
  await openMkDocs(page);
  await stateOf(page);
  assert.ok((await ground(page)) > 200);
  await page.locator('label[for="__palette_2"]').click();
  await eventually(async () => (await ground(page)) < 60, true);
});

pageTest('Sphinx with MyST and MathJax: formulas are set, and the widget’s text is left alone', async (page) => {
  copyScript('sphinx/_static');
  copyFileSync(
    fileURLToPath(new URL('node_modules/mathjax/es5/tex-svg.js', import.meta.url)),
    join(folder, 'sphinx/_static/tex-svg.js'),
  );
  write('sphinx/_static/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write(
    'sphinx/conf.py',
    `project = 'Lessons'
extensions = ['myst_parser', 'sphinx.ext.mathjax']
myst_enable_extensions = ['dollarmath']
html_theme = 'classic'
html_static_path = ['_static']
html_favicon = '_static/icon.svg'
html_js_files = ['${classic}']
mathjax_path = 'tex-svg.js'
exclude_patterns = ['_build']
`,
  );
  write(
    'sphinx/index.md',
    `# One

The scale is $1/\\sqrt{d_k}$.

<attention-widget tokens="\\(x\\) $$y$$ \\[z\\]" mask="causal"></attention-widget>

\`\`\`{raw} html
<attention-widget tokens="a b" panels="shapes"></attention-widget>
\`\`\`
`,
  );
  run('/usr/bin/sphinx-build', ['-q', '-W', '-b', 'html', '.', '_build'], join(folder, 'sphinx'));
  await page.goto(`${origins[0]}/sphinx/_build/index.html`);
  await page.locator('mjx-container svg').first().waitFor();
  assert.equal(await page.locator('attention-widget mjx-container').count(), 0);
  const words = String.raw`\(x\) $$y$$ \[z\]`.split(' ');
  assert.deepEqual((await stateOf(page)).tokens, words);
  assert.deepEqual(await widget(page).locator('.row-label').allTextContents(), words);
  assert.equal(await page.locator('attention-widget').nth(1).locator('.row-label').count(), 2);
  await expectWorkingWidget(page);
});
