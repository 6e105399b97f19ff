// This seed at every width, beside the slider: the peak weight of the highlighted row and the score spread, divided by √d_k
// and not divided. Pointing at a width tells its figures, clicking sets it.

import { dKSliderRange } from '../engine/lesson-state.js';
import { h, mathNodes, setAttribute, setHidden, setStyle, setText, svg } from './dom.js';
import { formatFigure, plainText } from './format.js';

/** @typedef {import('../engine/lesson-engine.js').Widths} Widths */

/** The most tokens of which every width is computed: scores of one lesson, and 126 softmaxes of its row. */
export const maxTokensOfCurves = 48;

const { least, most } = dKSliderRange;

/** The height of a curve, and of the gap below it. */
const height = 20;

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {(dK: number) => void} choose
 */
export function createWidthCurves(messages, choose) {
  const divisors = /** @type {const} */ (['none', 'sqrt']);
  const figures = /** @type {const} */ (['peak', 'spread']);
  const paths = figures.map(() => divisors.map((divisor) => svg('path', { class: `curve-${divisor}` })));
  const chart = svg(
    'svg',
    { viewBox: `0 0 ${most - least} ${2 * height + 4}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...paths.flat(),
  );
  const here = h('span', { class: 'here', hidden: true });
  const none = h('span', { hidden: true }, messages.curves.none);
  const plot = h('div', { class: 'plot', role: 'img' }, chart, none, here);
  const names = h(
    'span',
    { class: 'curve-names', 'aria-hidden': 'true' },
    ...figures.map((name) => h('span', {}, messages.curves[name])),
  );
  const readings = divisors.map((divisor) =>
    h('span', { class: `reading-${divisor}` }, ...mathNodes(messages.stepDivide[divisor]), ' ', h('b')),
  );
  const legend = h('span', { class: 'curve-legend', 'aria-hidden': 'true' }, ...readings);
  /** @type {Widths | undefined} */
  let drawn;
  let isLocked = false;
  let width = least;

  const tell = (/** @type {number} */ dK) => {
    const index = dK - least;
    setStyle(here, 'left', `${(100 * index) / (most - least)}%`);
    setHidden(here, dK < least || dK > most);
    divisors.forEach((divisor, place) => {
      const all = drawn?.[divisor];
      const write = (/** @type {number | undefined} */ value) =>
        value === undefined ? '' : formatFigure(value, messages);
      const told = all?.peak[index] === undefined ? '' : `${write(all.peak[index])} · ${write(all.spread[index])}`;
      setText(/** @type {Element} */ (readings[place].lastChild), told);
    });
  };
  /** @param {PointerEvent | MouseEvent} event */
  const widthAt = ({ clientX }) => {
    const box = plot.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
    return least + Math.round(share * (most - least));
  };
  plot.addEventListener('pointermove', (event) => tell(widthAt(event)));
  plot.addEventListener('pointerleave', () => tell(width));
  plot.addEventListener('click', (event) => !isLocked && choose(widthAt(event)));

  return {
    parts: [names, plot, legend],

    /**
     * @param {Widths} widths  none of a sentence that is too long, or of fixed numbers
     * @param {number} dK
     * @param {string} token  of the highlighted row
     * @param {boolean} locked
     * @param {boolean} isOwn  whether there are none because numbers are edited or given: nothing moves then
     */
    update(widths, dK, token, locked, isOwn) {
      const isEmpty = widths.dK.length === 0;
      for (const part of [names, plot]) {
        setHidden(part, isEmpty && !isOwn);
      }
      setHidden(legend, isEmpty);
      setHidden(none, !isEmpty);
      setAttribute(plot, 'data-empty', isEmpty);
      isLocked = locked;
      width = dK;
      if (widths !== drawn) {
        drawn = widths;
        figures.forEach((figure, place) => {
          // The peak is a share of 1; the spread has its own scale.
          const top =
            figure === 'peak'
              ? 1
              : Math.max(1, ...divisors.flatMap((each) => widths[each].spread).filter(Number.isFinite));
          divisors.forEach((divisor, line) => {
            const points = widths[divisor][figure].map((value, index) =>
              Number.isFinite(value)
                ? `${index} ${(height * (1 - value / top) + place * (height + 4)).toFixed(2)}`
                : '',
            );
            setAttribute(paths[place][line], 'd', pathOf(points));
          });
        });
        setAttribute(plot, 'aria-label', isEmpty ? messages.curves.none : plainText(messages.curves.label(token)));
      }
      tell(dK);
    },
  };
}

/** A line through points, broken where one is missing. @param {string[]} points */
function pathOf(points) {
  return points
    .map((point, index) => (point === '' ? '' : `${index > 0 && points[index - 1] !== '' ? 'L' : 'M'}${point}`))
    .join('');
}
