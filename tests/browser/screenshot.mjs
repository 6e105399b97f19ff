// Makes the README's picture from the built page: npm run screenshot.

import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
await page.setContent(
  '<!doctype html><body style="font-family: sans-serif"><attention-widget d-k="40" beside="divisor" panels=""></attention-widget>',
);
await page.addScriptTag({
  path: fileURLToPath(new URL('../../dist/attention-widget.js', import.meta.url)),
  type: 'module',
});
await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attention-widget'))?.result != null);
await page
  .locator('attention-widget')
  .screenshot({ path: fileURLToPath(new URL('../../web/page/screenshot.png', import.meta.url)) });
await browser.close();
