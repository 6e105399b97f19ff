// The picture on the screen: the state and the result that it shows, and the cells that the reader chose and points at.

import { isLocked } from '../engine/lesson-state.js';
import { afterPaint } from '../platform/work-through.js';
import { setAttribute, windowOf } from '../views/dom.js';
import { rowOf } from '../views/format.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */
/** @typedef {import('../engine/lesson-engine.js').Proof} Proof */
/** @typedef {import('../views/cells.js').Cell} Cell */
/** @typedef {import('../views/layer/cell-arithmetic.js').Place} Place */
/** @typedef {import('./widget-views.js').WidgetViews} WidgetViews */

/** Whether the page has painted a widget: the next ones wait for neither code nor fonts, and are complete at once. */
let hasPainted = false;

/** What is to be completed after that: the last picture before it. @type {WeakMap<WidgetViews, ShownPicture>} */
const waiting = new WeakMap();

/** How long the colours and bars of another divisor take to get there. */
const movingMilliseconds = 250;

/** @type {WeakMap<WidgetViews, string>} */
const divisorShown = new WeakMap();

export class ShownPicture {
  /**
   * @param {import('../engine/lesson-engine.js').LessonEngine} engine
   * @param {LessonState} state
   * @param {LessonResult} result  of the state's head
   * @param {number | null} column  the key whose arithmetic shows; null: the one that the highlighted query looks at most
   * @param {Place | null} [pointed]  what the reader is at, with the pointer or the keyboard
   */
  constructor(engine, state, result, column, pointed = null) {
    this.engine = engine;
    this.state = state;
    this.result = result;
    this.column = column;
    this.pointed = pointed;
  }

  /** The cell whose arithmetic shows where the pointer is over none. @returns {Cell} */
  get selected() {
    const { row } = this.state;
    const { weights, metrics, keyTokens } = this.result;
    if (this.column !== null && this.column < keyTokens.length) {
      return { row, column: this.column };
    }
    const column = rowOf(weights, row).indexOf(metrics.peak[row]);
    return { row, column: Math.max(0, column) };
  }

  /**
   * Shows all of it. A page's first widgets show controls, figures and map, and the rest when the reader sees these.
   *
   * @param {WidgetViews} views
   * @returns {Promise<void> | undefined}  settles when what comes later shows it too
   */
  render(views) {
    const { state, result } = this;
    views.layer.look();
    setAttribute(views.root, 'data-theme', state.theme);
    if (divisorShown.get(views) !== state.divisor) {
      if (divisorShown.has(views)) {
        setAttribute(views.root, 'data-moving', true);
        setTimeout(() => setAttribute(views.root, 'data-moving', null), movingMilliseconds);
      }
      divisorShown.set(views, state.divisor);
    }
    views.controls.update(state);
    views.figures.update(result, state);
    views.heads.update(state);
    views.beside.update(this.engine, state, result);
    if (hasPainted) {
      waiting.delete(views);
      return this.#renderRest(views);
    }
    views.layer.frame(state, result);
    this.#renderWeights(views);
    waiting.set(views, this);
    return afterPaint(windowOf(views.root)).then(() => {
      hasPainted = true;
      const last = waiting.get(views);
      return last === undefined ? undefined : last.#renderRest(views);
    });
  }

  /**
   * What the matrices hold, and what stands under them.
   *
   * @param {WidgetViews} views
   * @returns {Promise<void> | undefined}  settles when the panels out of sight show it too
   */
  #renderRest(views) {
    const { state, result, selected } = this;
    if (!views.rest[0].isConnected) {
      views.picture.append(...views.rest);
    }
    /** @type {Proof[] | undefined} */
    let proofs;
    const proofOf = (/** @type {string} */ law) => {
      proofs ??= this.engine.proofs(state);
      return /** @type {Proof} */ (proofs.find((proof) => proof.law === law));
    };
    views.row.update(result, selected);
    views.editing.update();
    this.#renderPlace(views);
    views.walk.update(state, result, selected, proofOf, (name) => isLocked(state, name));
    views.controls.updateCurves(this.engine);
    return views.panels.update({ engine: this.engine, state, result, selected, pointed: this.#pointedCell });
  }

  /** The weight under the pointer. */
  get #pointedCell() {
    return this.pointed?.matrix === 'A' ? this.pointed : null;
  }

  /** The map and what is lit in it: an entry of Z is made of a whole row of weights. @param {WidgetViews} views */
  #renderWeights(views) {
    const at = this.pointed;
    views.heatmap.update(this.result, this.selected, at?.matrix === 'Z' ? { ...at, column: -1 } : this.#pointedCell);
  }

  /**
   * What follows the pointer: the lights of map and layer, and the arithmetic of what is under it.
   *
   * @param {WidgetViews} views
   */
  #renderPlace(views) {
    const { result, selected, state } = this;
    const at = this.pointed;
    this.#renderWeights(views);
    views.layer.update(state, result, selected, at);
    const shown = at ?? placeOfStep(state.step, selected);
    if (shown !== null && shown.matrix !== 'A' && shown.matrix !== 'S') {
      views.arithmetic.updateEntry(result, state, shown);
      return;
    }
    const cell = shown ?? selected;
    const ofCell = { ...state, row: cell.row };
    const isOfRow = cell.row === selected.row;
    const hasMask = result.masked.data[cell.row * result.keyTokens.length + cell.column] === -Infinity;
    const lines = at === null ? linesOfStep(state.step, hasMask) : undefined;
    views.arithmetic.update(isOfRow ? result : this.engine.highlight(result, ofCell), ofCell, cell, !isOfRow, lines);
  }

  /** Shows a key of the highlighted query. @param {number} column @param {WidgetViews} views */
  selectKey(column, views) {
    this.column = column;
    if (this.#pointedCell !== null) {
      this.pointed = null;
    }
    this.render(views);
  }

  /** Follows the pointer, or the keyboard in the layer. @param {Place | null} place @param {WidgetViews} views */
  point(place, views) {
    const now = this.pointed;
    if (place?.matrix !== now?.matrix || place?.row !== now?.row || place?.column !== now?.column) {
      const before = this.#pointedCell;
      this.pointed = place;
      this.#renderPlace(views);
      if (before !== null || this.#pointedCell !== null) {
        views.panels.point(this.#pointedCell);
      }
    }
  }
}

/**
 * The entry whose arithmetic a step of the walk shows; null where it is the selected weight's.
 *
 * @param {number} step
 * @param {Cell} selected
 * @returns {Place | null}
 */
function placeOfStep(step, { row, column }) {
  /** @type {Record<number, Place>} */
  const places = {
    1: { matrix: 'X', row, column: 0 },
    2: { matrix: 'Q', row, column: 0 },
    3: { matrix: 'K', row: column, column: 0 },
    8: { matrix: 'Z', row, column: 0 },
  };
  return places[step] ?? null;
}

/**
 * How many lines of a weight's arithmetic a step has come to.
 *
 * @param {number} step
 * @param {boolean} isHidden  whether the mask has a line
 * @returns {number | undefined}  all of them
 */
function linesOfStep(step, isHidden) {
  return { 4: 1, 5: 2, 6: isHidden ? 3 : 2 }[step];
}
