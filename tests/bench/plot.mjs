// The plot of the ratios: an SVG that follows the reader's light or dark scheme, by code alone.

import { ratioText } from './report.mjs';

const size = { width: 760, height: 400 };
const frame = { left: 64, right: 520, top: 44, bottom: 346 };
const lineHeight = 17;

/** Told apart by colour-blind readers too, on white as on black. */
const colours = ['#0072b2', '#0072b2', '#d55e00', '#009e73', '#b8609a', '#b8609a'];
const onDark = ['#56b4e9', '#56b4e9', '#e69f00', '#2fc79a', '#dd8fc4', '#dd8fc4'];

const style = `
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.grid { stroke: #d0d7de }
.even { stroke: #57606a; stroke-width: 1.5 }
.line { fill: none; stroke-width: 2; stroke-linejoin: round }
.causal { stroke-dasharray: 6 4 }
${colours.map((colour, at) => `.s${at} { --ink: ${colour} }`).join('\n')}
.line { stroke: var(--ink) }
circle { fill: var(--ink) }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.grid { stroke: #3d444d }
.even { stroke: #9198a1 }
${onDark.map((colour, at) => `.s${at} { --ink: ${colour} }`).join('\n')}
}
`.trim();

/**
 * Heights of labels as near to what they name as they fit, one below the other.
 *
 * @param {number[]} wanted
 */
export function spreadLabels(wanted) {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a] - wanted[b]);
  const heights = [...wanted];
  // The lowest keep to the frame; from there upwards each makes room for the one below it, and then downwards again.
  let limit = frame.bottom;
  for (const at of order.toReversed()) {
    heights[at] = Math.min(heights[at], limit);
    limit = heights[at] - lineHeight;
  }
  limit = frame.top;
  for (const at of order) {
    heights[at] = Math.max(heights[at], limit);
    limit = heights[at] + lineHeight;
  }
  return heights;
}

/**
 * How many times as long as ours each peer takes, over the length; both axes are logarithmic.
 *
 * @param {number[]} lengths
 * @param {import('./peers.mjs').Series[]} series  at most as many as there are colours
 * @returns {string}
 */
export function plot(lengths, series) {
  const points = series.map(({ cells }) =>
    cells.flatMap((cell, at) => ('failure' in cell ? [] : [{ length: lengths[at], ratio: cell.ratio }])),
  );
  const ratios = points.flat().map(({ ratio }) => ratio);
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  const least = steps.findLast((step) => step <= Math.min(1, ...ratios)) ?? steps[0];
  const most = steps.find((step) => step >= Math.max(2, ...ratios)) ?? steps[steps.length - 1];
  const share = (/** @type {number} */ number, /** @type {number} */ from, /** @type {number} */ to) =>
    Math.log(number / from) / Math.log(to / from);
  const x = (/** @type {number} */ length) =>
    Math.round(frame.left + (frame.right - frame.left) * share(length, lengths[0], lengths[lengths.length - 1]));
  const y = (/** @type {number} */ ratio) =>
    Math.round(frame.bottom - (frame.bottom - frame.top) * share(ratio, least, most));

  const parts = [
    `<text class="title" x="${frame.left}" y="22">Time of others ÷ time of this engine, both axes logarithmic</text>`,
  ];
  for (const step of steps.filter((each) => each >= least && each <= most)) {
    const kind = step === 1 ? 'even' : 'grid';
    parts.push(
      `<path class="${kind}" d="M${frame.left} ${y(step)}H${frame.right}"/>`,
      `<text x="${frame.left - 8}" y="${y(step) + 4}" text-anchor="end">${step} ×</text>`,
    );
  }
  for (const length of lengths) {
    parts.push(`<text x="${x(length)}" y="${frame.bottom + 20}" text-anchor="middle">${length}</text>`);
  }
  const middle = (frame.left + frame.right) / 2;
  parts.push(
    `<text x="${middle}" y="${frame.bottom + 42}" text-anchor="middle">T, the number of queries and of keys</text>`,
  );

  const heights = spreadLabels(points.map((line) => y(line[line.length - 1].ratio)));
  for (const [at, { name, isCausal }] of series.entries()) {
    const line = points[at];
    const last = line[line.length - 1];
    const path = line.map(({ length, ratio }) => `${x(length)} ${y(ratio)}`).join('L');
    const label = frame.right + 24;
    parts.push(
      `<g class="s${at}"><path class="line${isCausal ? ' causal' : ''}" d="M${path}"/>`,
      ...line.map(({ length, ratio }) => `<circle cx="${x(length)}" cy="${y(ratio)}" r="3.5"/>`),
      `<path class="line" stroke-opacity=".4" d="M${x(last.length) + 6} ${y(last.ratio)}L${label - 6} ${heights[at]}"/>`,
      `<text x="${label}" y="${heights[at] + 4}">${name}${isCausal ? ', causal' : ''} ${ratioText(last.ratio)} ×</text></g>`,
    );
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    '<title>How many times as long as this engine other runtimes take, over the length T</title>',
    `<style>${style}</style>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
