// From a script's start to the first picture of a page, beside a page that computes the same by onnxruntime-web. The
// clock starts with the script's first line, whatever it took to come, and nothing is cached.

import { readFileSync } from 'node:fs';
import { bundle, project, serve, servePage } from './browser.mjs';
import { loadEngine } from './engine.mjs';
import { compareTurns, largestDifference, median } from './ratios.mjs';
import { printTimes } from './report.mjs';

const turns = 15;
const startClock = 'globalThis.started = performance.now();';

/** @typedef {import('playwright-core').Browser} Browser */

async function servePages() {
  const engine = await loadEngine();
  const { Q, K, V, output } = engine.lesson();
  const [length, width] = Q.shape;
  const heads = { query: [...Q.data], key: [...K.data], value: [...V.data], length, width };
  serve('/widget.js', startClock + readFileSync(`${project}/dist/attention-widget.classic.js`, 'utf8'));
  serve('/onnx-page.js', await bundle('onnx-page', startClock));
  const stopClock = await bundle('widget-page');
  for (const widgets of [1, 10]) {
    const elements = '<attention-widget></attention-widget>'.repeat(widgets);
    servePage(
      `/widgets-${widgets}.html`,
      `<script src="/widget.js"></script>${elements}<script type="module">${stopClock}</script>`,
    );
  }
  servePage(
    '/onnx-page.html',
    `<script>globalThis.heads = ${JSON.stringify(heads)};</script><script type="module" src="/onnx-page.js"></script>`,
  );
  return Float32Array.from(output.data);
}

/**
 * What a page says of itself, in a profile of its own.
 *
 * @param {Browser} browser
 * @param {string} address
 * @returns {Promise<{toResult: number, toPicture: number, output?: number[]}>}  times in milliseconds
 */
async function open(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  try {
    const page = await context.newPage();
    await new Promise((resolve) => setTimeout(resolve, 500)); // the last profile's processes end, and this one's start
    const told = page.waitForEvent('console'); // to look into the page would take its time
    await page.goto(address, { waitUntil: 'commit' });
    return await (await told).args()[0].jsonValue();
  } finally {
    await context.close();
  }
}

/**
 * @param {Browser} browser
 * @param {string} origin
 */
export async function measureStart(browser, origin) {
  const expected = await servePages();
  /** @type {Record<'one' | 'ten' | 'ours' | 'peer', number[]>} */
  const times = { one: [], ten: [], ours: [], peer: [] };
  for (let turn = 0; turn < turns; turn++) {
    const one = await open(browser, `${origin}/widgets-1.html`);
    const peer = await open(browser, `${origin}/onnx-page.html`);
    const ten = await open(browser, `${origin}/widgets-10.html`);
    const difference = largestDifference(expected, Float32Array.from(peer.output ?? []));
    if (!(difference <= 1e-5)) {
      throw new Error(`onnxruntime-web's page differs from the lesson by ${difference}`);
    }
    times.one.push(one.toPicture);
    times.ten.push(ten.toPicture);
    times.ours.push(one.toResult);
    times.peer.push(peer.toResult);
  }
  const { ours, peer, ratio } = compareTurns(times.ours, times.peer);
  console.log('\nscript to first picture, Chromium');
  printTimes('one widget', times.one, 'under 60 ms');
  printTimes('ten widgets', times.ten, 'under 150 ms');
  console.log('script to result, by turns');
  printTimes('one widget', times.ours, 'none of its own');
  printTimes("onnxruntime-web's page", times.peer, `at least 8 times as long; ${ratio.toFixed(1)} times`);
  return { one: median(times.one), ten: median(times.ten), ours, peer, ratio };
}
