// Firefox's long-term release, as Debian packages it.

import puppeteer from 'puppeteer-core';
import { drag } from './drag.mjs';

/** @returns {Promise<import('./engines.mjs').Engine>} */
export async function startFirefox() {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    timeout: 60_000, // a loaded machine takes its time
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 900 });
  return {
    async visit(address) {
      await page.goto(address);
    },
    run: (program) => page.evaluate(program),
    async press(key) {
      const [last, ...held] = /** @type {import('puppeteer-core').KeyInput[]} */ (
        key.replace('Space', ' ').split('+').reverse()
      );
      for (const each of held) {
        await page.keyboard.down(each);
      }
      await page.keyboard.press(last);
      for (const each of held) {
        await page.keyboard.up(each);
      }
    },
    drag: (places) => drag(page.mouse, places),
    stop: () => browser.close(),
  };
}
