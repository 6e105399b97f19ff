// Chromium, as Debian packages it.

import { chromium } from 'playwright-core';
import { drag } from './drag.mjs';

/** @param {string[]} more  arguments beside those that keep it to itself */
export function launchChromium(...more) {
  return chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
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
    drag: (places) => drag(page.mouse, places),
    stop: () => browser.close(),
  };
}
