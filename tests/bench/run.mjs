// What a lesson costs: the engine alone, in Node, and from a changed state to a painted frame, in headless Chromium.
// Prints medians, with the best of each beside them: machines are noisy.

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { gzipSync } from 'node:zlib';
import { loadEngine } from 'attention-widget/engine';
import { chromium } from 'playwright-core';

const everyPanel = ['break', 'proofs', 'shapes', 'worksheet', 'jacobian', 'compare', 'checkpoints', 'code'];

const script = new URL('../../dist/attention-widget.js', import.meta.url);

/** @param {number[]} times in milliseconds */
function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const text = (/** @type {number} */ time) => (time < 1 ? `${(1000 * time).toFixed(0)} µs` : `${time.toFixed(2)} ms`);
  return `${text(sorted[sorted.length >> 1]).padStart(9)}  (best ${text(sorted[0])})`;
}

/** @param {string} name @param {number[]} times @param {string} goal */
function report(name, times, goal) {
  console.log(`  ${name.padEnd(46)} ${summary(times)}  goal ${goal}`);
}

async function measureEngine() {
  const engine = await loadEngine();
  console.log('\nengine.lesson, WebAssembly in Node, six tokens');
  for (const dK of [2, 16, 64]) {
    const times = [];
    for (let run = 0; run < 3000; run++) {
      const start = performance.now();
      engine.lesson({ dK });
      times.push(performance.now() - start);
    }
    report(`d_k = ${dK}`, times.slice(1000), 'under 100 µs');
  }
}

/**
 * Runs in the page: changes the state at the start of a frame, and stops the clock after the frame's paint.
 *
 * @param {{tokens: number, frames: number}} options
 */
async function measureFrames({ tokens, frames }) {
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
async function measureLong(tokens) {
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

/** @param {import('playwright-core').Page} page */
async function measureLongSentences(page) {
  console.log('\nlong sentences: time, and the longest task on the page’s thread where one takes 50 ms');
  const task = (/** @type {number} */ longest) => (longest === 0 ? 'none' : `${longest.toFixed(0)} ms`);
  for (const tokens of [512, 1024, 2048]) {
    const { picture, toggles, row } = await page.evaluate(measureLong, tokens);
    for (const [name, runs] of /** @type {const} */ ([
      ['to the picture', [picture]],
      ['÷ √d_k toggled', toggles],
      ['another row', [row]],
    ])) {
      const longest = Math.max(...runs.map((run) => run.longest));
      const goal = `${tokens === 512 && name !== 'another row' ? 'under 100 ms, ' : ''}tasks under 50 ms`;
      report(
        `${tokens} tokens, ${name}, longest ${task(longest)}`,
        runs.map(({ time }) => time),
        goal,
      );
    }
  }
}

async function measurePage() {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const page = await browser.newPage();
  await page.setContent('<!doctype html><attention-widget divisor="none"></attention-widget>');
  await page.addScriptTag({ path: script.pathname, type: 'module' });
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attention-widget')).result != null);
  console.log(`\nslider to painted frame, Chromium ${browser.version()}`);
  for (const [tokens, goal] of /** @type {const} */ ([
    [6, 'under 8 ms'],
    [16, 'under 16 ms'],
    [64, 'under 33 ms'],
  ])) {
    await page.evaluate(measureFrames, { tokens, frames: 60 });
    report(`${tokens} tokens`, await page.evaluate(measureFrames, { tokens, frames: 200 }), goal);
  }
  await measureLongSentences(page);
  await page.evaluate(measureFrames, { tokens: 6, frames: 1 });
  await page.evaluate(async (panels) => {
    const widget = /** @type {any} */ (document.querySelector('attention-widget'));
    widget.panels = panels;
    await widget.updated;
  }, everyPanel);
  for (const [tokens, goal] of /** @type {const} */ ([
    [6, 'under 8 ms'],
    [16, 'under 16 ms'],
  ])) {
    await page.evaluate(measureFrames, { tokens, frames: 60 });
    report(`${tokens} tokens, every panel open`, await page.evaluate(measureFrames, { tokens, frames: 200 }), goal);
  }
  await browser.close();
}

console.log(`${cpus()[0].model.trim()}, Node ${process.versions.node}`);
console.log(`whole widget, gzipped: ${gzipSync(readFileSync(script), { level: 9 }).length} bytes`);
await measureEngine();
await measurePage();
