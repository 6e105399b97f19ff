// The state on the screen to take along: a tag, a frame or a link for another page, and the picture and its numbers as
// files.

import { toCSV, toJSON } from '../exports.js';
import { paint, pictureOf, toSVG } from '../picture.js';
import { formatLink, stateAttributes } from '../state.js';
import { button, h, setText } from '../views/dom.js';
import { createCopy } from './copy.js';

/** Pixels for each unit of the picture. */
const pixels = 2;

/** The address of a file of the package; its name alone where the script's own address is not known. @param {string} name */
function beside(name) {
  try {
    return new URL(name, import.meta.url).href;
  } catch {
    return name;
  }
}

/** The texts to paste. */
const writers = {
  /** @param {import('../state.js').LessonState} state */
  tag: (state) => {
    const attributes = stateAttributes(state).map(([name, text]) => ` ${name}="${escaped(text)}"`);
    return `<script type="module" src="${escaped(beside('attention-widget.js'))}"></script>\n<attention-widget${attributes.join('')}></attention-widget>`;
  },
  /** @param {import('../state.js').LessonState} state */
  frame: (state) =>
    `<iframe data-attention-widget sandbox="allow-scripts" title="Self-attention" style="border: 0; width: 100%; height: 60em"\n` +
    `  src="${escaped(writers.link(state))}"></iframe>\n<script src="${escaped(beside('embed/host.js'))}"></script>`,
  /** @param {import('../state.js').LessonState} state */
  link: (state) => `${beside('embed/embed.html')}?${formatLink(state)}`,
};

/** @type {(messages: typeof import('../messages/en.js').default, actions: import('./panels.js').PanelActions) => import('./panels.js').Panel} */
export function createShare(messages) {
  const texts = messages.share;
  /** @type {import('./panels.js').PanelContext} */
  let now;

  const forms = /** @type {const} */ (['tag', 'frame', 'link']).map((name) => {
    const text = h('code', {});
    const copy = createCopy(
      messages.code,
      texts[name],
      () => writers[name](now.state),
      () => text,
    );
    const frame = h('pre', { tabindex: 0, role: 'region', 'aria-label': texts[name] }, text);
    return { name, text, copy, root: h('div', {}, h('h3', {}, texts[name]), frame, copy.root) };
  });

  const draw = () => pictureOf(now.state, now.result, messages);
  const files = {
    svg: () => new Blob([toSVG(draw())], { type: 'image/svg+xml' }),
    png: () => {
      const canvas = h('canvas', {});
      paint(draw(), canvas, pixels);
      return new Promise((resolve) => canvas.toBlob(resolve));
    },
    csv: () => new Blob([toCSV(now.result)], { type: 'text/csv' }),
    json: () => new Blob([toJSON(now.state, now.result)], { type: 'application/json' }),
  };
  const buttons = Object.entries(files).map(([extension, make]) =>
    button(extension.toUpperCase(), async () => save(/** @type {Blob} */ (await make()), `attention.${extension}`)),
  );

  return {
    root: h(
      'div',
      { class: 'share code' },
      ...forms.map(({ root }) => root),
      h('h3', {}, texts.files),
      h('p', { class: 'strip' }, ...buttons),
    ),

    update(context) {
      now = context;
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
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a slow disk still reads it
}

/** @param {string} text  for an attribute in quotation marks */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
