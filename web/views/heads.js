// The heads of a layer side by side: a small picture of each, which chooses the one that the widget shows, and of their
// average.

import { createWeightPixels } from './colour-pixels.js';
import { h, mathNodes, setAttribute, setHidden } from './dom.js';
import { paintTable, poolOf } from './heatmap-canvas.js';

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {(head: number) => void} choose
 * @param {() => void} repaint  the colours have changed
 */
export function createHeads(messages, choose, repaint) {
  const pictures = h('div', { class: 'strip', role: 'group', 'aria-label': messages.heads });
  const root = h('div', { class: 'heads', part: 'heads' }, pictures, h('p', {}, ...mathNodes(messages.headsMeaning)));
  const colours = createWeightPixels(root, repaint);
  /** @type {{canvas: HTMLCanvasElement, button: HTMLElement | null}[]} the heads, then their average */
  let frames = [];
  /** @type {import('../engine/lesson-engine.js').Tensor | undefined} */
  let painted;
  /** @type {ReturnType<typeof colours.read> | undefined} */
  let ink;

  /** @param {number} heads */
  const createFrames = (heads) => {
    frames = Array.from({ length: heads + 1 }, (_, index) => {
      const canvas = h('canvas', { 'aria-hidden': 'true' });
      const name = h('span', {}, index < heads ? messages.head(index + 1) : messages.average);
      const isHead = index < heads;
      const button = isHead ? h('button', { type: 'button', click: () => choose(index) }, canvas, name) : null;
      pictures.append(button ?? h('span', { class: 'average' }, canvas, name));
      return { canvas, button };
    });
    pictures.replaceChildren(...frames.map(({ canvas }) => /** @type {HTMLElement} */ (canvas.parentElement)));
  };

  return {
    root,

    /**
     * Paints every head before `update` shows them, some rows at a time.
     *
     * @param {import('../engine/lesson-engine.js').LessonResult} result
     * @returns {Generator<number>}
     */
    *paint({ weights, average, visible }) {
      if (average === undefined) {
        return;
      }
      const shades = colours.read();
      if (painted === weights && ink === shades) {
        return;
      }
      painted = undefined;
      const [heads, rows, columns] = weights.shape;
      const entries = rows * columns;
      if (frames.length !== heads + 1) {
        createFrames(heads);
      }
      for (const [head, { canvas, button }] of frames.entries()) {
        const table = button === null ? average.data : weights.data.subarray(head * entries, (head + 1) * entries);
        yield* paintTable(
          canvas,
          table,
          visible.data,
          shades,
          [rows, columns],
          poolOf(canvas, Math.max(rows, columns), 64),
        );
      }
      painted = weights;
      ink = shades;
    },

    /** @param {import('../engine/lesson-state.js').LessonState} state */
    update({ heads, head }) {
      setHidden(root, heads === 1);
      for (const [index, { button }] of frames.entries()) {
        if (button !== null) {
          setAttribute(button, 'aria-pressed', String(index === head));
        }
      }
    },
  };
}
