// The state on the screen for other places: a tag, a frame or a link to paste, and the picture and its numbers as files.

import { formatLesson } from '../engine/lesson-document.js';
import { stateAttributes } from '../engine/lesson-state.js';
import { formatLink } from '../engine/link.js';
import { maxTokensPictured } from '../export/picture-limit.js';
import { toCSV, toJSON } from '../export/tables.js';
import { saveFile } from '../platform/save-file.js';
import { button, h, setText, windowOf } from '../views/dom.js';
import { explain } from '../views/problem.js';
import { createCopy } from './copy.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */

/** Servers and programs cut longer addresses. */
const longestLink = 8000;

/** Pixels for each unit of the picture. */
const pixels = 2;

/** What stands in a text to paste where the package's address is not known. */
const unknownFolder = 'https://…';

/**
 * The texts to paste.
 *
 * @param {string | null} folder  of the package's files, where it is known
 */
function writersFor(folder) {
  /** The address of a file of the package. @param {string} name */
  const beside = (name) => escaped(`${folder ?? `${unknownFolder}/`}${name}`);
  /** Scripts of modules, and sandboxes, cannot be read from disk. */
  const isOnDisk = folder?.startsWith('file:');
  const scriptAttributes = isOnDisk
    ? `src="${beside('attention-widget.classic.js')}"`
    : `type="module" src="${beside('attention-widget.js')}"`;
  const link = (/** @type {LessonState} */ state) =>
    `${folder ?? `${unknownFolder}/`}embed/embed.html?${formatLink(state)}`;

  return {
    /** @param {LessonState} state */
    tag: (state) => {
      const attributes = stateAttributes(state).map(([name, text]) => ` ${name}="${escaped(text)}"`);
      return `<script ${scriptAttributes}></script>\n<attention-widget${attributes.join('')}></attention-widget>`;
    },
    /** @param {LessonState} state */
    frame: (state) =>
      `<iframe data-attention-widget ${isOnDisk ? '' : 'sandbox="allow-scripts allow-downloads" '}allow="clipboard-write"\n` +
      `  title="Self-attention" style="border: 0; width: 100%; height: 60em"\n` +
      `  src="${escaped(link(state))}"></iframe>\n<script src="${beside('embed/host.js')}"></script>`,
    link,
  };
}

/**
 * Whether a frame may keep downloads from its page, and tells nobody: one without an origin, or with a sandbox.
 *
 * @param {Window & typeof globalThis} view
 */
function mayForbidDownloads(view) {
  try {
    const frame = view.frameElement;
    return frame?.hasAttribute('sandbox')
      ? !(/** @type {HTMLIFrameElement} */ (frame).sandbox.contains('allow-downloads'))
      : view.origin === 'null' && view.parent !== view;
  } catch {
    return true;
  }
}

/** @type {import('./panel.js').PanelDefinition} */
export const share = { name: 'share', takesAnyLength: true, create: createShare };

/** @type {import('./panel.js').CreatePanel} */
function createShare(messages, actions) {
  const texts = messages.share;
  const folder = actions.packageFolder();
  const writers = writersFor(folder);
  const loadPictures = () =>
    /** @type {Promise<typeof import('../export/picture.js')>} */ (actions.loadSibling('picture'));
  /** @type {import('./panel.js').PanelContext} */
  let now;

  /** A widget that keeps its state in the page's address is best linked there. @param {keyof typeof writers} name */
  const write = (name) => (name === 'link' && actions.pageLink?.()) || writers[name](now.state);
  const forms = /** @type {const} */ (['tag', 'frame', 'link']).map((name) => {
    const text = h('code', { translate: 'no' });
    const copy = createCopy(
      messages.code,
      texts[name],
      () => write(name),
      () => text,
    );
    const frame = h('pre', { tabindex: 0, role: 'region', 'aria-label': texts[name] }, text);
    return { name, text, copy, root: h('div', {}, h('h4', {}, texts[name]), frame, copy.root) };
  });

  const missing = h('p', { class: 'broken' }, texts.unknownFolder(unknownFolder));
  missing.hidden = folder !== null;
  const problem = h('p', { class: 'broken', role: 'alert' });
  const text = h('code', { translate: 'no' });
  const byHand = h(
    'div',
    {},
    h('p', {}, texts.noDownload),
    h('pre', { tabindex: 0, role: 'region', 'aria-label': texts.files }, text),
  );
  byHand.hidden = true;
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
    csv: () => new Blob(['\ufeff', toCSV(now.result)], { type: 'text/csv' }), // spreadsheets need the mark for UTF-8
    json: () => new Blob([toJSON(now.state, now.result)], { type: 'application/json' }),
    lesson: () => new Blob([formatLesson(now.state)], { type: 'application/json' }),
  };
  const buttons = Object.entries(files).map(([extension, make]) =>
    button(extension === 'lesson' ? texts.lesson : extension.toUpperCase(), async () => {
      try {
        setText(problem, '');
        const file = /** @type {Blob} */ (await make());
        saveFile(file, extension === 'lesson' ? 'lesson.json' : `attention.${extension}`);
        byHand.hidden = !mayForbidDownloads(windowOf(byHand));
        setText(text, byHand.hidden || extension === 'png' ? '' : await file.text());
        /** @type {HTMLElement} */ (text.parentElement).hidden = text.textContent === '';
      } catch (error) {
        setText(problem, explain(messages, error).sentence);
      }
    }),
  );

  const tooLong = h('p', {});
  const pictures = buttons.slice(0, 2);
  const tooMany = h('p', {});

  return {
    root: h(
      'div',
      { class: 'share code' },
      missing,
      tooLong,
      ...forms.map(({ root }) => root),
      h('h4', {}, texts.files),
      h('p', { class: 'strip' }, ...buttons),
      tooMany,
      problem,
      byHand,
    ),

    update(context) {
      now = context;
      const length = Math.max(...now.result.visible.shape);
      tooMany.hidden = length <= maxTokensPictured;
      setText(tooMany, `SVG, PNG: ${messages.tooMany(length, maxTokensPictured)}`);
      for (const each of pictures) {
        each.disabled = !tooMany.hidden;
      }
      const { length: ofLink } = writers.link(now.state);
      tooLong.hidden = ofLink <= longestLink;
      setText(tooLong, tooLong.hidden ? '' : texts.tooLong(ofLink, longestLink));
      for (const { name, text, copy, root } of forms) {
        root.hidden = name !== 'tag' && !tooLong.hidden;
        setText(text, root.hidden ? '' : write(name));
        copy.update();
      }
    },
  };
}

/** @param {string} text  for an attribute in quotation marks */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
