// The picture without a page: the layer with its map of weights and the figures as a list of marks, which an SVG or a canvas draws. It is always
// light: for paper, and for pages that cannot know their reader's theme.

import { formatFigure, formatWeight, isolated, lessMarked, tokenName, visibleToken } from '../views/format.js';
import { makes, mistakes } from '../views/mistakes.js';
import { inkTurnsAt } from '../views/shades.js';
import { softmaxWord } from '../views/softmax-word.js';
import { mixed } from './colours.js';
import { layerMarks, layerWidth, outputWidth } from './layer-picture.js';
import { short, symbols } from './marks.js';
import { requirePicturable } from './picture-limit.js';

/** @typedef {typeof import('../language/messages/en.js').default} Messages */
/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */

/**
 * An area or a line, as SVG writes paths.
 *
 * @typedef {{path: string, fill?: string, stroke?: string}} Shape
 */

/** @typedef {{text: string, x: number, y: number, size: number, fill: string, anchor?: 'middle' | 'end', turn?: number, struck?: boolean}} Text */

/** @typedef {{width: number, height: number, title: string, marks: (Shape | Text)[]}} Picture */

const ink = '#1b2030';
const faint = '#5a6072';

/** The ends of the scale in OKLab: --weight-none and --weight-full of widget.css, by their L, a and b. */
const none = [0.975, -0.002071, -0.007727];
const full = [0.27, -0.004537, -0.129921];

/** The least height of the layer beside a small table. */
const leastHeight = 384;

/** The size of the whole table, and of a cell where there are few. */
const tableSize = 640;
const largestCell = 64;

/** More labels than this cannot be told apart, nor more numbers read. */
const mostLabels = 64;
const mostNumbers = 16;

/**
 * @param {LessonState} state
 * @param {LessonResult} result  of one head
 * @param {Messages} messages
 * @returns {Picture}
 * @throws {EngineError}  if there are more than `maxTokensPictured` tokens
 */
export function pictureOf(state, result, messages) {
  requirePicturable(result);
  const { tokens, keyTokens, padding, weights, visible } = result;
  const [rows, columns] = [tokens.length, keyTokens.length];
  const n = Math.max(rows, columns);
  const cell = Math.min(largestCell, tableSize / n);
  const bottom = rows * cell;
  const [left, top] = [128 + layerWidth, 150];
  const height = Math.max(bottom, leastHeight);
  /** @type {Text[]} */
  const texts = [];
  /** @type {Map<string, string>} the cells of one colour, as one path */
  const areas = new Map();
  let hidden = '';

  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const weight = weights.data[row * columns + column];
      const [x, y] = [left + column * cell, top + row * cell];
      const isHidden = visible.data[row * columns + column] === 0;
      const isNumber = Number.isFinite(weight);
      const colour = isHidden ? '#eef0f4' : isNumber ? colourOf(weight) : '#ffffff';
      areas.set(
        colour,
        `${areas.get(colour) ?? ''}M${short(x)} ${short(y)}h${short(cell)}v${short(cell)}h-${short(cell)}z`,
      );
      if (isHidden) {
        hidden += `M${short(x)} ${short(y + cell)}l${short(cell)}-${short(cell)}`;
      } else if (n <= mostNumbers || !isNumber) {
        const fill = isNumber ? (weight < inkTurnsAt ? '#000000' : '#ffffff') : '#a3271f';
        const text = isNumber ? formatWeight(weight, messages) : messages.overflow;
        texts.push({
          text,
          x: x + cell / 2,
          y: y + cell / 2 + 5,
          size: Math.min(14, cell / 3),
          fill,
          anchor: 'middle',
        });
      }
    }
  }
  if (n <= mostLabels) {
    const size = Math.min(14, cell);
    const label = (/** @type {string} */ token) => lessMarked(isolated(shortened(visibleToken(token))));
    const isPadding = (/** @type {number} */ place) => place >= columns - padding;
    tokens.forEach((token, place) => {
      const [x, y] = [left - 8, top + (place + 0.5) * cell + size / 3];
      const fill = place === state.row ? ink : faint;
      const struck = !result.context && isPadding(place);
      texts.push({ text: label(token), x, y, size, fill, anchor: 'end', struck });
    });
    keyTokens.forEach((token, place) => {
      const [x, y] = [left + (place + 0.5) * cell + size / 3, top - 8];
      texts.push({ text: label(token), x, y, size, fill: faint, turn: -60, struck: isPadding(place) });
    });
  }
  const y = top + state.row * cell;
  const frame = `M${left} ${short(y)}h${short(columns * cell)}v${short(cell)}h${short(-columns * cell)}z`;
  const lines = [...summary(state, result, messages), messages.caution];
  texts.push({ text: messages.heatmap, x: left - 112, y: 32, size: 20, fill: ink });
  texts.push({ text: messages.axes, x: left - 112, y: 54, size: 13, fill: faint });
  lines.forEach((text, index) => {
    texts.push({ text: symbols(lessMarked(text)), x: 16, y: top + height + 40 + 20 * index, size: 13, fill: ink });
  });
  return {
    width: Math.ceil(left + columns * cell + outputWidth),
    height: Math.ceil(top + height + 40 + 20 * lines.length),
    title: messages.heatmapLabel(rows, columns),
    marks: [
      ...Array.from(areas, ([fill, path]) => ({ path, fill })),
      { path: hidden, stroke: '#9aa1b1' },
      { path: frame, stroke: ink },
      ...texts,
      ...layerMarks(state, result, messages, { top, right: left + columns * cell, height }),
    ],
  };
}

/** What the figures say, a line for each, and what is broken. @type {(...all: Parameters<typeof pictureOf>) => string[]} */
function summary(state, { tokens, metrics }, messages) {
  const { row, divisor, dK, mask, window, padding, seed } = state;
  const write = (/** @type {number} */ value) => formatFigure(value, messages);
  const masks = {
    none: '',
    causal: ` · ${messages.causal}`,
    window: ` · ${messages.sliding} ${window}`,
    late: ` · ${messages.late}`,
  };
  const padded = padding > 0 ? ` · ${messages.padding} ${padding}` : '';
  const broken = mistakes
    .filter((mistake) => makes(mistake, state))
    .map(({ name }) => messages.break.mistakes[name].title);
  return [
    ...(broken.length > 0 ? [`✗ ${broken.join(' · ')}`] : []),
    `d_k = ${dK} · ${messages.stepDivide[divisor]}${masks[mask]}${padded} · ${messages.seed} ${seed}`,
    `${messages.spread} ${write(metrics.spread)} · ${messages.peak(tokenName(tokens, row))} ${write(metrics.peak[row])}`,
    `${messages.softmax}: ${softmaxWord(messages, metrics, row)} · ${messages.gradient}: ${messages.gradientState[metrics.gradient[row]]}`,
  ];
}

/** @param {Picture} picture */
export function toSVG({ width, height, title, marks }) {
  const drawn = marks.map(own).map((mark) => {
    if ('path' in mark) {
      return mark.path && `<path d="${mark.path}" fill="${mark.fill ?? 'none'}" stroke="${mark.stroke ?? 'none'}"/>`;
    }
    const { text, x, y, size, fill, anchor = 'start', turn, struck } = mark;
    const line = struck ? ' text-decoration="line-through"' : '';
    const turned = turn ? ` transform="rotate(${turn} ${short(x)} ${short(y)})"` : '';
    return `<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}" fill="${fill}" text-anchor="${anchor}"${line}${turned}>${escaped(text)}</text>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" font-family="sans-serif"><title>${escaped(title)}</title><path d="M0 0h${width}v${height}H0z" fill="#ffffff"/>` +
    `${drawn.join('')}</svg>\n`
  );
}

/**
 * Paints a picture on a canvas, which takes its size at this many pixels for a unit.
 *
 * @param {Picture} picture
 * @param {HTMLCanvasElement} canvas
 * @param {number} pixels
 */
export function paint({ width, height, marks }, canvas, pixels) {
  canvas.width = width * pixels;
  canvas.height = height * pixels;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.scale(pixels, pixels);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  for (const mark of marks.map(own)) {
    context.fillStyle = mark.fill ?? '#000000';
    if ('path' in mark) {
      const path = new Path2D(mark.path);
      context.strokeStyle = mark.stroke ?? '';
      if (mark.stroke) {
        context.stroke(path);
      } else {
        context.fill(path);
      }
    } else {
      context.save();
      context.font = `${mark.size}px sans-serif`;
      context.textAlign = mark.anchor === 'middle' ? 'center' : (mark.anchor ?? 'start');
      context.translate(mark.x, mark.y);
      context.rotate(((mark.turn ?? 0) * Math.PI) / 180);
      context.fillText(mark.text, 0, 0);
      if (mark.struck) {
        const { width } = context.measureText(mark.text);
        context.fillRect(mark.anchor === 'end' ? -width : 0, -mark.size / 3, width, 1);
      }
      context.restore();
    }
  }
}

/** The colour of a weight, in hundredths as the page has it. @param {number} weight */
const colourOf = (weight) => mixed(none, full, Math.round(100 * Math.max(0, Math.min(1, weight))) / 100);

/** A mark without what a page has given to every object. @param {Shape | Text} mark @returns {Shape | Text} */
const own = (mark) => Object.assign(Object.create(null), mark);

/** A label has room for so much. @param {string} text */
const shortened = (text) => ([...text].length > 14 ? `${[...text].slice(0, 13).join('')}…` : text);

/** @param {string} text */
const escaped = (text) =>
  // XML allows no control characters and no lone surrogates.
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
