// What has been measured, in the terminal and as the table of tests/README.md.

import { median } from './ratios.mjs';

/** @param {number} time in milliseconds */
export function timeText(time) {
  const [number, unit] = time < 1 ? [1000 * time, 'µs'] : [time, 'ms'];
  return `${number.toFixed(number < 100 ? 1 : 0)} ${unit}`;
}

/** @param {string} name @param {number[]} times in milliseconds @param {string} goal */
export function printTimes(name, times, goal) {
  const text = `${timeText(median(times)).padStart(9)}  (best ${timeText(Math.min(...times))})`;
  console.log(`  ${name.padEnd(46)} ${text}  goal ${goal}`);
}

/** @param {number} ratio */
export function ratioText(ratio) {
  return ratio.toFixed(ratio < 10 ? 1 : 0);
}

/**
 * A Markdown table: a row for each length, a column for each peer, full and causal.
 *
 * @param {number[]} lengths
 * @param {import('./peers.mjs').Series[]} inChromium
 * @param {import('./peers.mjs').Series[]} native
 */
export function markdownTable(lengths, inChromium, native) {
  const title = (/** @type {import('./peers.mjs').Series} */ { name, isCausal }) =>
    isCausal ? `${name}, causal` : name;
  /** @param {import('./peers.mjs').Series[]} group @param {number} at */
  const ratios = (group, at) =>
    group.map(({ cells }) => {
      const cell = cells[at];
      return 'failure' in cell ? 'fails' : ratioText(cell.ratio);
    });
  const head = ['T', 'ours, page', ...inChromium.map(title), 'ours, native', ...native.map(title)];
  const rows = lengths.map((length, at) => [
    String(length),
    timeText(inChromium[0].cells[at].ours),
    ...ratios(inChromium, at),
    timeText(native[0].cells[at].ours),
    ...ratios(native, at),
  ]);
  return [head, head.map(() => '--:'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Lines of at most 120 columns. @param {string} text */
export function wrapped(text) {
  return text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();
}

/**
 * Puts a text between two marks, in place of what stands there.
 *
 * @param {string} page
 * @param {string} text
 */
export function withMeasurements(page, text) {
  const marks = /(<!-- measured -->\n)[\s\S]*(<!-- \/measured -->)/;
  if (!marks.test(page)) {
    throw new Error('tests/README.md has no place for measurements.');
  }
  return page.replace(marks, (_, before, after) => `${before}${text}\n${after}`);
}
