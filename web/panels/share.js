// The state on the screen for other places: a tag, a frame or a link to paste, and the picture and its numbers as files.

import { stateAttributes } from '../engine/lesson-state.js';
import { formatLink } from '../engine/link.js';
import { loadPictures } from '../export/load-picture.js';
import { maxTokensPictured } from '../export/picture-limit.js';
import { toCSV, toJSON } from '../export/tables.js';
import { button, h, setText } from '../views/dom.js';
import { createCopy } from './copy.js';

/** Pixels for each unit of the picture. */
const pixels = 2;

/** The address of a file of the package; its name alone where the script's own address is not known. @param {string} name */
function beside(name) {
  return String(import.meta.url).replace(/[^/]*$/, name); // bundlers would copy a file for each `new URL(…, import.meta.url)`
}

/** The texts to paste. */
const writers = {
  /** @param {import('../engine/lesson-state.js').LessonState} state */
  tag: (state) => {
    const attributes = stateAttributes(state).map(([name, text]) => ` ${name}="${escaped(text)}"`);
    return `<script type="module" src="${escaped(beside('attention-widget.js'))}"></script>\n<attention-widget${attributes.join('')}></attention-widget>`;
  },
  /** @param {import('../engine/lesson-state.js').LessonState} state */
  frame: (state) =>
    `<iframe data-attention-widget sandbox="allow-scripts" title="Self-attention" style="border: 0; width: 100%; height: 60em"\n` +
    `  src="${escaped(writers.link(state))}"></iframe>\n<script src="${escaped(beside('embed/host.js'))}"></script>`,
  /** @param {import('../engine/lesson-state.js').LessonState} state */
  link: (state) => `${beside('embed/embed.html')}?${formatLink(state)}`,
};

/** @type {import('./panel.js').PanelDefinition} */
export const share = { name: 'share', takesAnyLength: true, create: createShare };

/** @type {import('./panel.js').PanelDefinition['create']} */
function createShare(messages) {
  const texts = messages.share;
  /** @type {import('./panel.js').PanelContext} */
  let now;

  const forms = /** @type {const} */ (['tag', 'frame', 'link']).map((name) => {
    const text = h('code', { translate: 'no' });
    const copy = createCopy(
      messages.code,
      texts[name],
      () => writers[name](now.state),
      () => text,
    );
    const frame = h('pre', { tabindex: 0, role: 'region', 'aria-label': texts[name] }, text);
    return { name, text, copy, root: h('div', {}, h('h4', {}, texts[name]), frame, copy.root) };
  });

  const problem = h('p', { class: 'broken', role: 'alert' });
  const files = {
    svg: async () => {
      const { pictureOf, toSVG } = await loadPictures();
      return new Blob([toSVG(pictureOf(now.state, now.result, messages))], { type: 'image/svg+xml' });
    },
    png: async () => {
      const { paint, pictureOf } = await loadPictures();
      const canvas = h('canvas', {});
      paint(pictureOf(now.state, now.result, messages), canvas, pixels);
      return new Promise((resolve) => canvas.toBlob(resolve));
    },
    csv: () => new Blob(['\ufeff', toCSV(now.result)], { type: 'text/csv' }), // spreadsheets need the mark for UTF-8,
    json: () => new Blob([toJSON(now.state, now.result)], { type: 'application/json' }),
  };
  const buttons = Object.entries(files).map(([extension, make]) =>
    button(extension.toUpperCase(), async () => {
      try {
        setText(problem, '');
        save(/** @type {Blob} */ (await make()), `attention.${extension}`);
      } catch (error) {
        setText(problem, /** @type {Error} */ (error).message);
      }
    }),
  );

  const pictures = buttons.slice(0, 2);
  const tooMany = h('p', {});

  return {
    root: h(
      'div',
      { class: 'share code' },
      ...forms.map(({ root }) => root),
      h('h4', {}, texts.files),
      h('p', { class: 'strip' }, ...buttons),
      tooMany,
      problem,
    ),

    update(context) {
      now = context;
      const { length } = now.state.tokens;
      tooMany.hidden = length <= maxTokensPictured;
      setText(tooMany, `SVG, PNG: ${messages.tooMany(length, maxTokensPictured)}`);
      for (const each of pictures) {
        each.disabled = !tooMany.hidden;
      }
      for (const { name, text, copy } of forms) {
        setText(text, writers[name](now.state));
        copy.update();
      }
    },
  };
}

/** @param {Blob} file @param {string} name */
function save(file, name) {
  const address = URL.createObjectURL(file);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a slow disk may still be reading
}

/** @param {string} text  for an attribute in quotation marks */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
