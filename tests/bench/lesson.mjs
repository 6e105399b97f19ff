// What a lesson costs, and a long call: the engine alone, in Node; in headless Chromium, from a changed state to a
// painted frame, and training and statistics.

import { settings } from '../../web/engine/lesson-state.js';
import { servePage } from './browser.mjs';
import { loadEngine } from './engine.mjs';
import { printTimes } from './report.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

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

/**
 * Runs in the page: the longest tasks on its thread while a long sentence becomes a picture, and while it is repainted.
 *
 * @param {number} tokens
 */
async function longTasks(tokens) {
  const widget = /** @type {any} */ (document.querySelector('attention-widget'));
  /** @type {number[]} */
  let tasks = [];
  const observer = new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map(({ duration }) => duration));
  });
  observer.observe({ entryTypes: ['longtask'] });
  const timed = async (/** @type {object} */ settings) => {
    tasks = [];
    const start = performance.now();
    Object.assign(widget, settings);
    await widget.updated;
    await new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    });
    const time = performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, 200)); // long tasks are told of late
    return { time, longest: Math.max(0, ...tasks) };
  };
  const words = Array.from({ length: tokens }, (_, index) => `token${index}`);
  const picture = await timed({ tokens: words, divisor: 'sqrt' });
  const toggles = [];
  for (const divisor of ['none', 'sqrt', 'none', 'sqrt', 'none']) {
    toggles.push(await timed({ divisor }));
  }
  const row = await timed({ row: tokens >> 1 });
  observer.disconnect();
  widget.row = 1; // fewer tokens have no such row
  return { picture, toggles, row };
}

/** @param {Page} page */
async function measureLongSentences(page) {
  console.log('\nlong sentences: time, and the longest task on the page’s thread where one takes 50 ms');
  const task = (/** @type {number} */ longest) => (longest === 0 ? 'none' : `${longest.toFixed(0)} ms`);
  for (const tokens of [512, 1024, 2048]) {
    const { picture, toggles, row } = await page.evaluate(longTasks, tokens);
    for (const [name, runs] of /** @type {const} */ ([
      ['to the picture', [picture]],
      ['÷ √d_k toggled', toggles],
      ['another row', [row]],
    ])) {
      const longest = Math.max(...runs.map((run) => run.longest));
      const goal = `${tokens === 512 && name === '÷ √d_k toggled' ? 'under 100 ms, ' : ''}tasks under 50 ms`;
      printTimes(
        `${tokens} tokens, ${name}, longest ${task(longest)}`,
        runs.map(({ time }) => time),
        goal,
      );
    }
  }
}

/**
 * A page of one widget, which nothing has used before: garbage of earlier measurements slows later ones.
 *
 * @param {Browser} browser
 * @param {string} origin
 * @param {(page: Page) => Promise<void>} measure
 */
async function withWidget(browser, origin, measure) {
  const page = await browser.newPage();
  await page.goto(`${origin}/frames.html`);
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attention-widget')).result != null);
  await measure(page);
  await page.close();
}

/** @param {Page} page @param {string} text @param {{tokens: number, goal: string}[]} sentences */
async function printFrames(page, text, sentences) {
  for (const { tokens, goal } of sentences) {
    await page.evaluate(frameTimes, { tokens, frames: 60 });
    printTimes(`${tokens} tokens${text}`, await page.evaluate(frameTimes, { tokens, frames: 200 }), goal);
  }
}

/** @param {Browser} browser @param {string} origin */
export async function measureFrames(browser, origin) {
  servePage('/frames.html', `${widgetScript}<attention-widget divisor="none"></attention-widget>`);
  console.log('\nslider to painted frame, Chromium');
  const short = [
    { tokens: 6, goal: 'under 8 ms' },
    { tokens: 16, goal: 'under 16 ms' },
  ];
  await withWidget(browser, origin, (page) => printFrames(page, '', [...short, { tokens: 64, goal: 'under 33 ms' }]));
  await withWidget(browser, origin, async (page) => {
    await page.evaluate(async (panels) => {
      const widget = /** @type {any} */ (document.querySelector('attention-widget'));
      widget.panels = panels;
      await widget.updated;
    }, settings.panels.choices);
    await printFrames(page, ', every panel open', short);
  });
  await withWidget(browser, origin, measureLongSentences);
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
