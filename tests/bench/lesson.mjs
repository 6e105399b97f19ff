// What a lesson costs, and a long call: the engine alone, in Node; in headless Chromium, from a changed state to a
// painted frame, and training and statistics.

import { servePage } from './browser.mjs';
import { loadEngine } from './engine.mjs';
import { printTimes } from './report.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

const everyPanel = ['break', 'proofs', 'shapes', 'worksheet', 'jacobian', 'compare', 'checkpoints', 'code'];

const widgetScript = '<script src="/dist/attention-widget.classic.js"></script>';

export async function measureEngine() {
  const engine = await loadEngine();
  console.log('\nengine.lesson, WebAssembly in Node, six tokens');
  for (const dK of [2, 16, 64]) {
    const times = [];
    for (let run = 0; run < 3000; run++) {
      const start = performance.now();
      engine.lesson({ dK });
      times.push(performance.now() - start);
    }
    printTimes(`d_k = ${dK}`, times.slice(1000), 'under 100 µs');
  }
}

/** Attention whose table of scores alone would take 1 GiB. Its output is all that is asked for. */
export async function measureLongCall() {
  const engine = await loadEngine();
  const shape = [16_384, 64];
  const [query, key, value] = [1.1, 2.3, 3.7].map((frequency) => ({
    data: Float32Array.from({ length: shape[0] * shape[1] }, (_, index) => Math.sin(frequency * index)),
    shape,
  }));
  const start = performance.now();
  engine.attention({ query, key, value, returns: [] });
  const seconds = (performance.now() - start) / 1000;
  const memory = /** @type {any} */ (engine).module.reserveCall(8).buffer.byteLength / 2 ** 20;
  console.log(
    `\nengine.attention, 16 384 tokens, d = 64: ${seconds.toFixed(1)} s, memory ${memory} MiB  goal under 64 MiB`,
  );
}

/**
 * Runs in the page: changes the state at the start of a frame, and stops the clock after the frame's paint.
 *
 * @param {{tokens: number, frames: number}} options
 */
async function frameTimes({ tokens, frames }) {
  const widget = /** @type {any} */ (document.querySelector('attention-widget'));
  widget.tokens = Array.from({ length: tokens }, (_, index) => `token${index}`);
  await widget.updated;
  const times = [];
  for (let frame = 0; frame < frames; frame++) {
    times.push(
      await new Promise((resolve) => {
        requestAnimationFrame(() => {
          const start = performance.now();
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - start);
          widget.dK = 2 + (frame % 63);
          port2.postMessage(null);
        });
      }),
    );
  }
  return times;
}

/** @param {Browser} browser @param {string} origin */
export async function measureFrames(browser, origin) {
  servePage('/frames.html', `${widgetScript}<attention-widget divisor="none"></attention-widget>`);
  const page = await browser.newPage();
  await page.goto(`${origin}/frames.html`);
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attention-widget')).result != null);
  console.log('\nslider to painted frame, Chromium');
  for (const [tokens, goal] of /** @type {const} */ ([
    [6, 'under 8 ms'],
    [16, 'under 16 ms'],
    [64, 'under 33 ms'],
  ])) {
    await page.evaluate(frameTimes, { tokens, frames: 60 });
    printTimes(`${tokens} tokens`, await page.evaluate(frameTimes, { tokens, frames: 200 }), goal);
  }
  await page.evaluate(async (panels) => {
    const widget = /** @type {any} */ (document.querySelector('attention-widget'));
    widget.panels = panels;
    await widget.updated;
  }, everyPanel);
  for (const [tokens, goal] of /** @type {const} */ ([
    [6, 'under 8 ms'],
    [16, 'under 16 ms'],
  ])) {
    await page.evaluate(frameTimes, { tokens, frames: 60 });
    printTimes(`${tokens} tokens, every panel open`, await page.evaluate(frameTimes, { tokens, frames: 200 }), goal);
  }
  await page.close();
}

/** @param {Page} page  with the measuring script */
export async function measureRuns(page) {
  console.log("\nthe widget's engine, Chromium");
  printTimes(
    '200 training steps of both runs, d_k = 64',
    await page.evaluate(() => bench.trainingTimes(30)),
    'under 40 ms',
  );
  printTimes('10 000 seeds at 64 widths', await page.evaluate(() => bench.seedsTimes(3)), 'under 2000 ms');
}
