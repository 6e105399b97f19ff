// The layer around the map of weights, as marks of a picture: its matrices, what feeds what, and the gates between.

import { editsOf } from '../engine/own-matrices.js';
import { format } from '../views/format.js';
import { factorsOf, matricesOf, partnerOf, symbolOf } from '../views/layer/cell-arithmetic.js';
import { gatesOf } from '../views/layer/gates.js';
import { mixed } from './colours.js';
import { short, symbols } from './marks.js';

/** @typedef {import('./picture.js').Shape} Shape */
/** @typedef {import('./picture.js').Text} Text */
/** @typedef {import('../views/layer/cell-arithmetic.js').MatrixName} MatrixName */

/** Zero, and the full ends of both signs, in OKLab: --zero, --plus and --minus of widget.css in the light theme. */
const zero = [0.975, -0.001035, -0.003864];
const plus = [0.64, -0.051303, -0.140954];
const minus = [0.64, 0.096418, 0.114907];

const roles = { query: '#a8410a', key: '#00676d', value: '#7439ad', output: '#9a2463', none: '#5a6072' };

/** @type {Partial<Record<MatrixName, keyof typeof roles>>} */
const roleOf = { Wq: 'query', Q: 'query', Wk: 'key', K: 'key', Wv: 'value', V: 'value', Z: 'output' };

/** Of a matrix, and of the bias that goes with it. @param {MatrixName} name */
const colourOf = (name) => roles[roleOf[name[0] === 'b' ? partnerOf(name) : name] ?? 'none'];

/** The width of a matrix, and of what lies between two. */
const side = 96;
const gap = 36;

/** How high the row of a bias is. */
const biasHeight = 8;

/** More entries a side than this are sampled. */
const mostEntries = 64;

/** How far the layer pushes the map to the right, and the room that it takes behind it. */
export const layerWidth = 4 * side + 4 * gap;
export const outputWidth = side + gap + 16;

/**
 * @param {import('../engine/lesson-state.js').LessonState} state
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {{top: number, right: number, height: number}} map  its upper edge, its right one, and how high the picture is there
 * @returns {(Shape | Text)[]}
 */
export function layerMarks(state, result, messages, { top, right, height }) {
  const all = matricesOf(result);
  /** @type {(Shape | Text)[]} */
  const marks = [];
  const text = (/** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ y, fill = roles.none) =>
    marks.push({ text: words, x, y, size: 11, fill, anchor: 'middle' });
  const line = (/** @type {number[]} */ [x, y, toX, toY], /** @type {keyof typeof roles} */ role = 'none') => {
    const middle = (x + toX) / 2;
    marks.push({ path: `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`, stroke: roles[role] });
  };
  const columns = [16, 16 + side + gap, 16 + 2 * (side + gap), 16 + 3 * (side + gap)];
  const [upper, middle, lower] = [1, 3, 5].map((sixth) => top + (sixth * height) / 6);

  /**
   * Draws a matrix's entries.
   *
   * @param {MatrixName} name
   * @param {number} x
   * @param {number} start  its upper edge
   * @param {number} high
   * @returns {number}  where the scale ends
   */
  const entries = (name, x, start, high) => {
    const { data, shape } = all[name];
    const [rows, across] = shape;
    const numbers = Array.from(name === 'S' ? result.scores.data : data, Math.abs).filter(Number.isFinite);
    const reach = numbers.reduce((most, size) => Math.max(most, size), 0);
    const [down, wide] = [Math.min(rows, mostEntries), Math.min(across, mostEntries)];
    const [stepY, stepX] = [high / down, side / wide];
    /** @type {Map<string, string>} the entries of one colour, as one path */
    const areas = new Map();
    for (let i = 0; i < down; i++) {
      for (let j = 0; j < wide; j++) {
        const row = Math.floor(((i + 0.5) * rows) / down);
        const value = data[row * across + Math.floor(((j + 0.5) * across) / wide)];
        const share = Math.round(20 * Math.min(1, Math.abs(value) / (reach || 1)) || 0) / 20;
        const colour = Number.isFinite(value) ? mixed(zero, value < 0 ? minus : plus, share) : '#eef0f4';
        const [left, upperEdge] = [x + j * stepX, start + i * stepY];
        const area = `M${short(left)} ${short(upperEdge)}h${short(stepX)}v${short(stepY)}h${short(-stepX)}z`;
        areas.set(colour, (areas.get(colour) ?? '') + area);
      }
    }
    for (const [fill, path] of areas) {
      marks.push({ path, fill });
    }
    marks.push({ path: `M${x} ${short(start)}h${side}v${short(high)}h${-side}z`, stroke: colourOf(name) });
    for (const { row, column } of editsOf(state, name)) {
      const [right, edge] = [x + ((column + 1) * side) / across, start + (row * high) / rows];
      marks.push({ path: `M${short(right - 5)} ${short(edge)}h5v5z`, fill: '#1b2030' });
    }
    return reach;
  };

  /** Draws a matrix with its name around a height, and under it the bias that goes with it. @param {MatrixName} name @param {number} x @param {number} y */
  const matrix = (name, x, y) => {
    const [rows, across] = all[name].shape;
    const high = Math.max(24, Math.min(side, rows * (name[0] === 'W' ? 5 : name === 'S' ? 16 : 11)));
    const start = y - high / 2;
    const symbol = (/** @type {MatrixName} */ each) => symbolOf(each, state).replace('_', '');
    let scale = `±${format(entries(name, x, start, high), messages)}`;
    let bottom = start + high;
    const bias = partnerOf(name);
    if (name[0] === 'W' && all[bias].data.length > 0) {
      scale += `, ${symbol(bias)} ±${format(entries(bias, x, bottom + 4, biasHeight), messages)}`;
      bottom += 4 + biasHeight;
    }
    text(`${symbol(name)} ${rows}×${across}`, x + side / 2, start - 6, colourOf(name));
    text(scale, x + side / 2, bottom + 13);
    return { top: start, bottom };
  };

  const isCross = result.context !== undefined;
  const x = matrix('X', columns[0], isCross ? upper : middle);
  if (isCross) {
    matrix('context', columns[0], lower);
  }
  const source = isCross ? [upper, lower, lower] : [middle, middle, middle];
  const heights = [upper, middle, lower];
  const made = /** @type {const} */ (['Q', 'K', 'V']);
  const kinds = /** @type {const} */ (['query', 'key', 'value']);
  const weights = {
    separate: /** @type {const} */ (['Wq', 'Wk', 'Wv']),
    shared: /** @type {const} */ (['Wq']),
    identity: [],
  }[state.projections];
  weights.forEach((name, index) => {
    matrix(name, columns[1], weights.length === 1 ? middle : heights[index]);
  });
  const ends = made.map((name, index) => matrix(name, columns[2], heights[index]));
  made.forEach((_, index) => {
    const at = weights.length === 1 ? middle : heights[index];
    if (weights.length > 0) {
      line([columns[0] + side, source[index], columns[1], at], kinds[index]);
      line([columns[1] + side, at, columns[2], heights[index]], kinds[index]);
    } else {
      line([columns[0] + side, source[index], columns[2], heights[index]], kinds[index]);
    }
  });
  const scores = matrix('S', columns[3], middle);
  line([columns[2] + side, upper, columns[3], middle], 'query');
  line([columns[2] + side, middle, columns[3], middle], 'key');
  line([columns[3] + side, middle, columns[3] + side + gap / 2, middle]);

  const [divide, ...deeds] = gatesOf(messages, state, result);
  const colour = (/** @type {boolean} */ isWrong) => (isWrong ? '#a3271f' : roles.none);
  text(symbols(divide.text), columns[3] + side / 2, scores.top - 24, colour(divide.isWrong));
  deeds
    .filter((deed) => deed.text !== '')
    .forEach((deed, index) => {
      text(deed.text, columns[3] + side / 2, scores.bottom + 30 + 14 * index, colour(deed.isWrong));
    });

  const out = right + gap;
  const z = matrix('Z', out, middle);
  line([right + 2, middle, out, middle]);
  const [, blended] = factorsOf(result, state, 'Z') ?? ['A', 'V'];
  const from =
    blended === 'V'
      ? { x: columns[2] + side / 2, y: ends[2].bottom + 18 }
      : { x: columns[0] + side / 2, y: (blended === 'X' ? x.bottom : lower + side / 2) + 18 };
  const floor = top + height + 6;
  marks.push({
    path: `M${from.x} ${short(from.y)}V${short(floor)}H${out + side / 2}V${short(z.bottom + 18)}`,
    stroke: blended === 'V' ? roles.value : roles.none,
  });
  return marks;
}
