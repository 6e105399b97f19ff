// Chromium, as Debian packages it.

import { chromium } from 'playwright-core';

export function launchChromium() {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** @returns {Promise<import('./engines.mjs').Engine>} */
export async function startChromium() {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  return {
    async visit(address) {
      await page.goto(address);
    },
    run: (program) => page.evaluate(program),
    press: (key) => page.keyboard.press(key),
    async drag([[x, y], ...others]) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const [x, y] of others) {
        await page.mouse.move(x, y);
      }
      await page.mouse.up();
    },
    stop: () => browser.close(),
  };
}
