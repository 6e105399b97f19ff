// The widget's views as one tree of elements: controls, progress, the sentence in place of the picture, the picture.

import { createPanels } from '../panels/panels.js';
import { createAnnouncer } from '../views/announcer.js';
import { createArithmetic } from '../views/arithmetic.js';
import { createBeside } from '../views/beside.js';
import { createControls } from '../views/controls.js';
import { button, h, setAttribute, setHidden, setMath, setStyle, setText } from '../views/dom.js';
import { createFigures } from '../views/figures.js';
import { createHeads } from '../views/heads.js';
import { createHeatmap } from '../views/heatmap.js';
import { keepDragsInside, keepKeysInside } from '../views/keep-inside.js';
import { createLayer } from '../views/layer/layer.js';
import { createWalk } from '../views/layer/walk.js';
import { createRow } from '../views/row.js';

import { listenForEdits } from './number-editing.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../language/language.js').Messages} Messages */
/** @typedef {import('../views/cells.js').Cell} Cell */
/** @typedef {import('../views/layer/cell-arithmetic.js').Place} Place */

/** @typedef {ReturnType<typeof createWidgetViews>} WidgetViews */

/** Milliseconds before long work, or a long start, shows that it is under way. */
export const showProgressAfter = 150;

/**
 * What the views ask of the element.
 *
 * @typedef {object} WidgetActions
 * @property {(changes: Partial<LessonState>) => boolean} change  what the reader changes
 * @property {import('../numbers/editor.js').EditorActions['shown']} shown  what the picture shows; null while there is none
 * @property {import('./reader-history.js').ReaderHistory} history
 * @property {(way: 'before' | 'after') => boolean} turn  undoes what the reader did, or does it again, where there is any
 * @property {(cell: Cell) => void} select
 * @property {(column: number) => void} selectKey  of the highlighted query
 * @property {(place: Place | null) => void} point
 * @property {(place: Place) => void} choose  what an entry of the layer stands for
 * @property {() => void} repaint  the colours have changed
 * @property {(type: string, detail: object) => void} dispatch
 * @property {() => string | null} pageLink
 * @property {() => void} restore  goes back to the last picture
 * @property {() => void} tryAgain
 */

/**
 * @param {Messages} messages
 * @param {WidgetActions} actions
 */
export function createWidgetViews(messages, actions) {
  const { change, select, point, repaint, dispatch, pageLink } = actions;
  const controls = createControls(messages, change);
  const figures = createFigures(messages);
  const heads = createHeads(messages, (head) => change({ head }), repaint);
  const pointAtWeight = (/** @type {Cell | null} */ cell) => point(cell && { matrix: 'A', ...cell });
  const heatmap = createHeatmap(messages, {
    select,
    point: pointAtWeight,
    repaint,
    leave: (way, row) => layer.leaveWeights(way, row),
  });
  const layer = createLayer(messages, heatmap.root, {
    pointAt: point,
    choose: actions.choose,
    enterWeights: (row, end) => heatmap.enter(row, end),
    repaint,
  });
  const beside = createBeside(messages);
  layer.hero.append(beside.root);
  const walk = createWalk(messages, change);
  const row = createRow(messages, actions.selectKey);
  const arithmetic = createArithmetic(messages);
  const panels = createPanels(messages, { change, select, point: pointAtWeight, dispatch, pageLink });
  const editing = listenForEdits(layer.root, messages, actions);
  const picture = h('div', { class: 'picture', hidden: true }, figures.root, heads.root, layer.root);
  const rest = [walk.root, h('div', { class: 'side' }, row.root, arithmetic.root), panels.root];
  const sentence = h('p', {});
  const restore = button(messages.restore, actions.restore);
  const again = button(messages.again, actions.tryAgain);
  const ways = h('div', { class: 'ways' }, restore, again);
  const problem = h('div', { class: 'problem', part: 'problem', role: 'alert', hidden: true }, sentence, ways);
  const bar = h('progress', { 'aria-label': messages.computing });
  const cancel = button(messages.cancel, actions.restore);
  const progress = h('div', { class: 'progress', hidden: true }, h('div', {}, messages.computing, bar, cancel));
  const loading = h('p', { class: 'loading' });
  setTimeout(() => setText(loading, messages.loading), showProgressAfter); // a text on the first frame would delay the picture
  const announcer = createAnnouncer(messages);
  controls.root.hidden = true;
  const root = h(
    'div',
    { class: 'widget', part: 'widget', lang: messages.locale, dir: messages.direction },
    ...[controls.root, progress, problem, picture, loading, announcer.root],
  );
  root.addEventListener('keydown', (event) => {
    keepKeysInside(event);
    const way = wayOfKey(event);
    if (way !== null && actions.turn(way)) {
      event.preventDefault();
    }
  });
  for (const type of ['pointerdown', 'pointermove', 'touchstart', 'touchmove']) {
    root.addEventListener(type, keepDragsInside, { passive: true });
  }
  return {
    root,
    frame: withNaturalWidth(root),
    messages,
    controls,
    figures,
    heads,
    heatmap,
    layer,
    editing,
    beside,
    walk,
    row,
    arithmetic,
    panels,
    picture,
    rest,
    progress,
    bar,
    cancel,
    problem,
    sentence,
    restore,
    again,
    loading,
    announcer,
  };
}

/**
 * What a key asks of the reader's history; in a field of text it is the field's own.
 *
 * @param {KeyboardEvent} event
 * @returns {'before' | 'after' | null}
 */
function wayOfKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }) {
  const isText = /** @type {HTMLInputElement} */ (target).type === 'text';
  if (!(ctrlKey || metaKey) || altKey || isText || !/^[yz]$/i.test(key)) {
    return null;
  }
  return shiftKey || /y/i.test(key) ? 'after' : 'before';
}

/**
 * Gives the widget a natural width. Its container queries stop its content from having one, and a layout that asks for it,
 * such as a centred flex box or a table cell, would make the widget as narrow as its padding.
 *
 * @param {HTMLElement} root
 */
function withNaturalWidth(root) {
  const words = Array.from({ length: 3 }, () => h('span'));
  return h('div', { class: 'frame' }, h('div', { class: 'natural-width', 'aria-hidden': 'true' }, ...words), root);
}

/** @param {WidgetViews} views */
export function showPicture({ loading, problem, picture, controls }) {
  loading.remove();
  setHidden(problem, true);
  setHidden(picture, false);
  setHidden(controls.root, false);
}

/**
 * @param {WidgetViews} views
 * @param {number | null} share  of the work that is done; null where nothing takes long
 * @param {boolean} canCancel
 */
export function showProgress({ progress, bar, cancel }, share, canCancel) {
  setHidden(progress, share === null);
  bar.value = share ?? 0;
  setHidden(cancel, !canCancel);
}

/**
 * Shows a sentence in place of the picture, as high as the picture was, so that the page does not jump.
 *
 * @param {WidgetViews} views
 * @param {{sentence: string, argument: string | null, theme: string, canRestore: boolean}} said
 *   the theme may be no theme; an argument is for the reader to mend, what has none may go right the next time
 */
export function showProblem(views, { sentence, argument, theme, canRestore }) {
  const { root, loading, picture, problem } = views;
  setAttribute(root, 'data-theme', theme === 'light' || theme === 'dark' ? theme : 'auto');
  setMath(views.sentence, sentence);
  if (!picture.hidden) {
    setStyle(problem, 'min-block-size', `${picture.offsetHeight}px`);
  }
  views.restore.hidden = !canRestore;
  views.again.hidden = argument !== null;
  loading.remove();
  picture.hidden = true;
  problem.hidden = false;
}

/**
 * Shows, over the picture, that an address held a state that cannot be read, or takes that away.
 *
 * @param {WidgetViews} views
 * @param {boolean} isUnreadable
 * @param {() => void} dismiss
 */
export function showUnreadable({ root, messages }, isUnreadable, dismiss) {
  root.querySelector('.unreadable')?.remove();
  if (isUnreadable) {
    const sentence = h('span', {}, messages.unreadable);
    root.prepend(h('div', { class: 'unreadable', role: 'status' }, sentence, button(messages.dismiss, dismiss)));
  }
}

/**
 * A sentence in place of all views, by nothing but the browser's own.
 *
 * @param {ShadowRoot} root
 * @param {string} sentence
 */
export function showBareProblem(root, sentence) {
  try {
    const problem = document.createElement('p');
    problem.setAttribute('part', 'problem');
    problem.setAttribute('role', 'alert');
    problem.textContent = sentence;
    root.textContent = '';
    root.appendChild(problem);
  } catch {
    root.textContent = sentence;
  }
}
