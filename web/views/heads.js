// The heads of a layer side by side: a small picture of each, which chooses the one that the widget shows, and of their
// average.

import { h, mathNodes, setAttribute } from './dom.js';
import { createShades, paintTable } from './heatmap-canvas.js';

/**
 * @param {typeof import('../messages/en.js').default} messages
 * @param {(head: number) => void} choose
 */
export function createHeads(messages, choose) {
  const pictures = h('div', { class: 'strip', role: 'group', 'aria-label': messages.heads });
  const root = h('div', { class: 'heads', part: 'heads' }, pictures, h('p', {}, ...mathNodes(messages.headsMeaning)));
  const colours = createShades(root, () => last !== null && paint(last));
  /** @type {{canvas: HTMLCanvasElement, button: HTMLElement | null}[]} the heads, then their average */
  let frames = [];
  /** @type {import('../lesson-engine.js').LessonResult | null} */
  let last = null;

  /** @param {import('../lesson-engine.js').LessonResult} result */
  const paint = ({ weights, average, visible, tokens }) => {
    const n = tokens.length;
    frames.forEach(({ canvas, button }, head) => {
      const table = button === null ? average?.data : weights.data.subarray(head * n * n, (head + 1) * n * n);
      canvas.width = n;
      canvas.height = n;
      paintTable(canvas, /** @type {Float64Array} */ (table), visible.data, colours.read());
    });
  };

  return {
    root,

    /**
     * @param {import('../lesson-engine.js').LessonResult} result
     * @param {import('../state.js').LessonState} state
     */
    update(result, { heads, head }) {
      root.hidden = heads === 1;
      last = heads === 1 ? null : result;
      if (last === null) {
        return;
      }
      if (frames.length !== heads + 1) {
        frames = Array.from({ length: heads + 1 }, (_, index) => {
          const canvas = h('canvas', { 'aria-hidden': 'true' });
          const name = h('span', {}, index < heads ? messages.head(index + 1) : messages.average);
          const isHead = index < heads;
          const button = isHead ? h('button', { type: 'button', click: () => choose(index) }, canvas, name) : null;
          pictures.append(button ?? h('span', { class: 'average' }, canvas, name));
          return { canvas, button };
        });
        pictures.replaceChildren(...frames.map(({ canvas }) => /** @type {HTMLElement} */ (canvas.parentElement)));
      }
      for (const [index, { button }] of frames.entries()) {
        if (button !== null) {
          setAttribute(button, 'aria-pressed', String(index === head));
        }
      }
      paint(result);
    },
  };
}
