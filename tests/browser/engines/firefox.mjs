// Firefox's long-term release, as Debian packages it.

import puppeteer from 'puppeteer-core';

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
