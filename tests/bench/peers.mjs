// The engine beside what people run attention on: in Chromium, and natively beside NumPy. One head, d = 64, float32, one
// thread.

import { spawnSync } from 'node:child_process';
import { removeForeignBuild } from '../../web/build/build.mjs';
import { project } from './browser.mjs';
import { timeText } from './report.mjs';

/** @typedef {import('./ratios.mjs').Comparison} Comparison */
/** @typedef {Comparison | {ours: number, failure: string}} Cell */
/** @typedef {{name: string, isCausal: boolean, goals: number[], cells: Cell[]}} Series  a cell for each length */

export const lengths = [6, 64, 256, 1024, 4096];

/** The least ratio to reach, for each length from the first on. */
const inChromium = /** @type {const} */ ([
  { peer: 'onnxruntime', name: 'onnxruntime-web', isCausal: false, goals: [5, 1.3, 1.1, 1.1] },
  { peer: 'onnxruntime', name: 'onnxruntime-web', isCausal: true, goals: [5, 1.4, 1.5, 2] },
  { peer: 'tensorflow', name: 'TensorFlow.js', isCausal: false, goals: [25, 8, 4, 2, 1.5] },
  { peer: 'plain', name: 'plain JavaScript', isCausal: false, goals: [3, 15, 20, 20] },
]);

/** @param {number} length */
const turnsAt = (length) => (length < 4096 ? 15 : 7);

/** @param {Series} series @param {number} at */
function printCell({ goals, cells }, at) {
  const cell = cells[at];
  const line = `  T = ${String(lengths[at]).padStart(4)}  ours ${timeText(cell.ours).padStart(8)}`;
  if ('failure' in cell) {
    console.log(`${line}  the peer fails: … ${cell.failure.trim().slice(-80)}`);
    return;
  }
  const goal = goals[at] === undefined ? '' : `  goal ${goals[at]}${cell.ratio < goals[at] ? '  NOT REACHED' : ''}`;
  console.log(`${line}  peer ${timeText(cell.peer).padStart(8)}  ratio ${cell.ratio.toFixed(2).padStart(6)}${goal}`);
}

/**
 * @param {import('playwright-core').Page} page  with the measuring script
 * @returns {Promise<Series[]>}
 */
export async function measurePeers(page) {
  /** @type {Series[]} */
  const results = [];
  for (const { peer, name, isCausal, goals } of inChromium) {
    const series = { name, isCausal, goals: [...goals], cells: /** @type {Cell[]} */ ([]) };
    console.log(`\n${name}${isCausal ? ', causal' : ''}, Chromium: time of the peer ÷ ours`);
    for (const [at, length] of lengths.entries()) {
      const call = { peer, length, isCausal, turns: turnsAt(length) };
      series.cells.push(await page.evaluate((options) => bench.beside(options), call));
      printCell(series, at);
    }
    results.push(series);
  }
  return results;
}

/**
 * The share of the multiply-add peak from T = 256 on, and the time at logit scales relative to the smallest.
 *
 * @param {import('playwright-core').Page} page  with the measuring script
 */
export async function measureOurselves(page) {
  /** @type {number[]} */
  const shares = [];
  console.log('\nshare of the multiply-add peak, WebAssembly in Chromium; goal at least 50 %');
  for (const isCausal of [false, true]) {
    for (const length of lengths.slice(2)) {
      const call = { length, isCausal, turns: turnsAt(length) };
      const share = await page.evaluate((options) => bench.shareOfPeak(options), call);
      shares.push(share);
      console.log(
        `  T = ${String(length).padStart(4)} ${isCausal ? 'causal' : 'full  '}  ${(100 * share).toFixed(0)} %`,
      );
    }
  }
  const scales = [1, 3, 10, 30, 100];
  const ratios = await page.evaluate((call) => bench.logitScales(call), { length: 512, scales, turns: 15 });
  console.log('\ntime at logit scales, relative to scale 1, at T = 512; goal at most 1.1');
  console.log(`  ${ratios.map((ratio, at) => `${scales[at + 1]}: ${ratio.toFixed(2)}`).join('   ')}`);
  return { shares, scales: ratios };
}

/** @param {string} command @param {string[]} options @param {'one' | 'all'} [cores]  that NumPy runs on */
function run(command, options, cores = 'one') {
  const environment = { ...process.env, ...(cores === 'one' ? { OPENBLAS_NUM_THREADS: '1' } : {}) };
  const { status, stdout, stderr } = spawnSync(command, options, { cwd: project, encoding: 'utf8', env: environment });
  if (status !== 0) {
    throw new Error(`${command} ${options.join(' ')} fails:\n${stdout}${stderr}`);
  }
  return stdout;
}

/** @param {string} preset @param {string} target */
export function build(preset, target) {
  removeForeignBuild(`${project}/build/${preset}`, project);
  run('cmake', ['--preset', preset]);
  run('cmake', ['--build', '--preset', preset, '--target', target]);
}

/** @returns {{series: Series[], versions: string}} */
export function measureNative() {
  build('native', 'attention_bench');
  const program = 'build/native/tests/attention_bench';
  console.log(`\nthe fast path natively\n${run(program, [])}`);
  const table = run('/usr/bin/python3', ['tests/bench/native/numpy_peer.py', program]);
  console.log(`NumPy, natively: time of the peer ÷ ours\n${table}`);
  const allCores = run('/usr/bin/python3', ['tests/bench/native/all_cores_peer.py', program], 'all');
  console.log(`Heads on all cores, natively: time of the peers ÷ ours\n${allCores}`);
  const series = [false, true].map((isCausal) => ({
    name: 'NumPy natively',
    isCausal,
    goals: [],
    cells: lengths.map((length) => {
      const cell = new RegExp(
        `^ *${length} ${isCausal ? 'causal' : 'full  '} +(\\S+) us +(\\S+) us +(\\S+)$`,
        'm',
      ).exec(table);
      if (cell === null) {
        throw new Error(`numpy_peer.py says nothing of T = ${length}`);
      }
      return { peer: Number(cell[1]) / 1000, ours: Number(cell[2]) / 1000, ratio: Number(cell[3]) };
    }),
  }));
  return { series, versions: table.split('\n')[0] };
}
