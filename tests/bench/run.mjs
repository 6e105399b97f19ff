// Measures what a lesson costs, and the engine beside the runtimes that people use: medians, machines are noisy.
//
//   node tests/bench/run.mjs           writes its table and plot to build/bench/
//   node tests/bench/run.mjs --keep    and into tests/README.md

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { gzipSync } from 'node:zlib';
import { bundle, project, serve, servePage, withBrowser } from './browser.mjs';
import { measureEngine, measureFrames, measureLongCall, measureRuns } from './lesson.mjs';
import { build, lengths, measureNative, measureOurselves, measurePeers } from './peers.mjs';
import { plot } from './plot.mjs';
import { markdownTable, ratioText, timeText, withMeasurements, wrapped } from './report.mjs';
import { measureStart } from './start.mjs';

const script = `${project}/dist/attention-widget.js`;

console.log(`${cpus()[0].model.trim()}, Node ${process.versions.node}`);
console.log(`whole widget, gzipped: ${gzipSync(readFileSync(script), { level: 9 }).length} bytes`);
await measureEngine();
await measureLongCall();
build('wasm', 'attention_peak');
serve('/measure.js', await bundle('measure'));
servePage('/measure.html', '<script type="module" src="/measure.js"></script>');

await withBrowser(async (browser, origin) => {
  const page = await browser.newPage();
  await page.goto(`${origin}/measure.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  const versions = await page.evaluate(() => bench.versions());
  const title =
    `Chromium ${browser.version()}, onnxruntime-web ${versions.onnxruntime}, ` + `TensorFlow.js ${versions.tensorflow}`;
  console.log(`\n${title}`);

  await measureFrames(browser, origin);
  const start = await measureStart(browser, origin);
  await measureRuns(page);
  const inChromium = await measurePeers(page);
  const own = await measureOurselves(page);
  const native = measureNative();

  const percent = (/** @type {number} */ share) => (100 * share).toFixed(0);
  const sentences = [
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus()[0].model.trim()}; ${title}, both on WebAssembly with`,
    `SIMD; ${native.versions}. From T = 256 on the engine reaches ${percent(Math.min(...own.shares))} to`,
    `${percent(Math.max(...own.shares))} % of the multiply-add peak of WebAssembly in the same browser. Scores a hundred`,
    `times as large take ${own.scales[own.scales.length - 1].toFixed(2)} times as long. From the start of its script a`,
    `page of one widget takes ${timeText(start.one)} to its first picture, and one of ten ${timeText(start.ten)}. The one`,
    `widget has its result after ${timeText(start.ours)}; a page that computes the same by onnxruntime-web has it after`,
    `${timeText(start.peer)}, ${ratioText(start.ratio)} times as long.`,
  ];
  const table = `${markdownTable(lengths, inChromium, native.series)}\n\n${wrapped(sentences.join(' '))}`;
  const picture = plot(lengths, [...inChromium, ...native.series]);
  mkdirSync(`${project}/build/bench`, { recursive: true });
  writeFileSync(`${project}/build/bench/peers.md`, `${table}\n`);
  writeFileSync(`${project}/build/bench/peers.svg`, picture);
  console.log(`${table}\n\nThe table and its plot are in build/bench/.`);
  if (process.argv.includes('--keep')) {
    const readme = `${project}/tests/README.md`;
    writeFileSync(readme, withMeasurements(readFileSync(readme, 'utf8'), table));
    copyFileSync(`${project}/build/bench/peers.svg`, `${project}/tests/bench/peers.svg`);
  }
});
