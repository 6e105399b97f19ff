// The picture on the screen: the state and the result that it shows, and the cells that the reader chose and points at.

import { setAttribute } from '../views/dom.js';
import { rowOf } from '../views/format.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */
/** @typedef {import('../views/cells.js').Cell} Cell */
/** @typedef {import('./widget-views.js').WidgetViews} WidgetViews */

export class ShownPicture {
  #engine;
  /** @type {Cell | null} */
  #pointed = null;

  /**
   * @param {import('../engine/lesson-engine.js').LessonEngine} engine
   * @param {LessonState} state
   * @param {LessonResult} result  of the state's head
   * @param {number | null} column  the key whose arithmetic shows; null: the one that the highlighted query looks at most
   */
  constructor(engine, state, result, column) {
    this.#engine = engine;
    this.state = state;
    this.result = result;
    this.column = column;
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
   * Shows all of it.
   *
   * @param {WidgetViews} views
   * @returns {Promise<void> | undefined}  settles when the panels out of sight show it too
   */
  render(views) {
    const { state, result, selected } = this;
    setAttribute(views.root, 'data-theme', state.theme);
    views.controls.update(state);
    views.figures.update(result, state);
    views.heads.update(state);
    views.row.update(result, selected);
    this.#renderCells(views);
    return views.panels.update({ engine: this.#engine, state, result, selected, pointed: this.#pointed });
  }

  /** What follows the pointer: the heatmap's lights, and the arithmetic of the cell under it. @param {WidgetViews} views */
  #renderCells(views) {
    const { result, selected } = this;
    const cell = this.#pointed ?? selected;
    const state = { ...this.state, row: cell.row };
    views.heatmap.update(result, selected, this.#pointed);
    const isOfRow = cell.row === selected.row;
    views.arithmetic.update(isOfRow ? result : this.#engine.highlight(result, state), state, cell, !isOfRow);
  }

  /** Shows a key of the highlighted query. @param {number} column @param {WidgetViews} views */
  selectKey(column, views) {
    this.column = column;
    this.#pointed = null;
    this.render(views);
  }

  /** Follows the pointer. @param {Cell | null} cell @param {WidgetViews} views */
  point(cell, views) {
    if (cell?.row !== this.#pointed?.row || cell?.column !== this.#pointed?.column) {
      this.#pointed = cell;
      this.#renderCells(views);
      views.panels.point(cell);
    }
  }
}
