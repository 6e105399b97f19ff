// A line chart: axes with ticks, a legend, and a cursor that reads out the values at a place. The cursor is a slider, so
// that a keyboard moves it and a screen reader speaks what it reads; the same numbers stand in a table underneath.

import { h, math, mathNodes, setAttribute, setMath, svg } from '../views/dom.js';
import { format, plainText } from '../views/format.js';
import { formatTick, placeOn, ticksAround } from './axis.js';

/** @typedef {{label: string, base?: number}} Axis  logarithmic where it has a base */

/**
 * A curve over the chart's x. What is not finite leaves a gap.
 *
 * @typedef {object} Series
 * @property {string} name
 * @property {string} role  how the style sheet draws it
 * @property {number[]} y
 * @property {[number[], number[]]} [band]  its lower and its upper edge
 */

// In units of the picture, which its style scales to the room that there is.
const [width, height] = [360, 190];
const [left, right, top, bottom] = [42, 350, 8, 168];

/**
 * @param {import('../language/language.js').Messages} messages
 * @param {{title: string, x: Axis, y: Axis}} chart
 */
export function createChart(messages, { title, x: xAxis, y: yAxis }) {
  const spoken = plainText(`${title}: ${yAxis.label}${messages.comma}${xAxis.label}`);
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'slider', tabindex: 0, 'aria-label': spoken });
  const cursor = svg('line', { class: 'cursor', y1: top, y2: bottom });
  const reading = h('p', { class: 'reading', 'aria-hidden': 'true' });
  const legend = h('ul', { class: 'curves' });
  const table = h('table', {});
  const numbers = h(
    'details',
    { toggle: () => fillTable() },
    h('summary', { 'aria-label': `${messages.chart.numbers}: ${plainText(title)}` }, messages.chart.numbers),
    h('div', { class: 'scrolling', tabindex: 0, role: 'region', 'aria-label': spoken }, table),
  );
  const root = h(
    'figure',
    { class: 'chart' },
    h('figcaption', {}, ...mathNodes(title)),
    legend,
    h('p', { class: 'axis' }, ...mathNodes(yAxis.label)),
    picture,
    h('p', { class: 'axis x' }, ...mathNodes(xAxis.label)),
    reading,
    numbers,
  );

  const plot = svg('g', {});
  let axesDrawn = '';
  /** @type {number[]} */
  let xs = [];
  /** @type {Series[]} */
  let series = [];
  let place = 0;
  /** @type {(value: number) => number} */
  let toX = Number;

  const fillTable = () => {
    if (numbers.open) {
      const columns = series.flatMap(({ name, y, band }) => [
        { name, y },
        ...(band ?? []).map((edge, index) => ({ name: `${name} ${messages.chart.edges[index]}`, y: edge })),
      ]);
      const heads = [xAxis.label, ...columns.map(({ name }) => name)].map((name) => h('th', {}, math(name)));
      const rows = xs.map((x, i) =>
        h(
          'tr',
          {},
          h('th', {}, formatTick(x, messages)),
          ...columns.map(({ y }) => h('td', {}, format(y[i], messages))),
        ),
      );
      table.replaceChildren(h('tr', {}, ...heads), ...rows);
    }
  };

  /** @param {number[]} xTicks @param {number[]} yTicks @param {(y: number) => number} toY */
  const draw = (xTicks, yTicks, toY) => {
    const along = (/** @type {number[]} */ y) => y.map((value, i) => [toX(xs[i]), toY(value)]);
    plot.replaceChildren(
      ...yTicks.flatMap((tick) => [
        svg('line', { x1: left, x2: right, y1: toY(tick), y2: toY(tick) }),
        svg('text', { x: left - 6, y: toY(tick) + 4, 'text-anchor': 'end' }, formatTick(tick, messages)),
      ]),
      ...xTicks.map((tick) =>
        svg('text', { x: toX(tick), y: height - 6, 'text-anchor': 'middle' }, formatTick(tick, messages)),
      ),
      ...series.flatMap(({ band, role }) =>
        band ? [svg('path', { class: `band ${role}`, d: path([...along(band[0]), ...along(band[1]).reverse()]) })] : [],
      ),
      ...series.map(({ y, role }) => svg('path', { class: `curve ${role}`, d: path(along(y)) })),
    );
  };

  const moveTo = (/** @type {number} */ wanted) => {
    place = Math.max(0, Math.min(xs.length - 1, wanted));
    const values = series.map(({ name, y }) => `${name} ${format(y[place] ?? Number.NaN, messages)}`);
    const text = [`${xAxis.label} ${formatTick(xs[place], messages)}`, ...values].join(' · ');
    setMath(reading, text);
    setAttribute(picture, 'aria-valuenow', xs[place]);
    setAttribute(picture, 'aria-valuetext', plainText(text));
    setAttribute(cursor, 'x1', toX(xs[place]));
    setAttribute(cursor, 'x2', toX(xs[place]));
  };

  picture.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const places = {
      ArrowLeft: place - 1,
      ArrowDown: place - 1,
      ArrowRight: place + 1,
      ArrowUp: place + 1,
      PageDown: place - 10,
      PageUp: place + 10,
      Home: 0,
      End: xs.length - 1,
    };
    if (event.key in places) {
      event.preventDefault();
      event.stopPropagation();
      moveTo(places[event.key]);
    }
  });
  picture.addEventListener('pointermove', ({ clientX }) => {
    const box = picture.getBoundingClientRect();
    const pointed = ((clientX - box.left) / box.width) * width;
    const distance = (/** @type {number} */ x) => Math.abs(toX(x) - pointed);
    moveTo(xs.reduce((best, x, i) => (distance(x) < distance(xs[best]) ? i : best), 0));
  });

  return {
    root,

    /**
     * @param {number[]} x  ascending
     * @param {Series[]} curves  another list wherever it holds other curves
     * @param {{point?: {name: string, x: number, y: number}, reach?: number}} [more]  a state among the curves; how far
     *   the x axis must reach at least
     */
    update(x, curves, { point, reach } = {}) {
      const isAtEnd = place === xs.length - 1;
      const ys = [...curves.flatMap(({ y, band = [] }) => [y, ...band].flat()), ...(point ? [point.y] : [])];
      const xTicks = ticksAround([...x, reach ?? x[0]], xAxis.base);
      const yTicks = ticksAround(yAxis.base === undefined ? [0, ...ys] : ys, yAxis.base);
      const toY = placeOn(yTicks, bottom, top, yAxis.base);
      toX = placeOn(xTicks, left, right, xAxis.base);
      // A spread of 0 has no place on an axis of powers.
      const dot = point && Number.isFinite(toX(point.x) + toY(point.y)) ? point : null;
      const axes = JSON.stringify([xTicks, yTicks, dot?.name]);
      if (curves !== series || axes !== axesDrawn) {
        [xs, series, axesDrawn] = [x, curves, axes];
        draw(xTicks, yTicks, toY);
        legend.replaceChildren(
          ...series.map(({ name, role }) => h('li', {}, svgSwatch(role), math(name))),
          ...(dot ? [h('li', {}, '● ', math(dot.name))] : []),
        );
        fillTable();
      }
      const circle = dot ? [svg('circle', { cx: toX(dot.x), cy: toY(dot.y), r: 4.5 })] : [];
      picture.replaceChildren(plot, cursor, ...circle);
      setAttribute(picture, 'aria-valuemin', xs[0]);
      setAttribute(picture, 'aria-valuemax', xs[xs.length - 1]);
      moveTo(isAtEnd ? xs.length - 1 : place);
    },
  };
}

/** A piece of the curve, as it is drawn. @param {string} role */
function svgSwatch(role) {
  return svg(
    'svg',
    { viewBox: '0 0 24 8', 'aria-hidden': 'true' },
    svg('path', { class: `curve ${role}`, d: 'M0 4H24' }),
  );
}

/** @param {number[][]} points */
function path(points) {
  let isDrawing = false;
  return points
    .map(([x, y]) => {
      if (Number.isNaN(x + y)) {
        isDrawing = false;
        return '';
      }
      const step = `${isDrawing ? 'L' : 'M'}${x} ${y}`;
      isDrawing = true;
      return step;
    })
    .join('');
}
