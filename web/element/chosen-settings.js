// What attributes, properties, links and the reader have chosen: they write into one state, the later one winning.

import { completeState, parseProperty, settings, tooLarge } from '../engine/lesson-state.js';
import { editFits, editsProblem, withoutProjections } from '../engine/own-matrices.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-state.js').SettingName} SettingName */
/** @typedef {import('../engine/setting-values.js').SettingChanges} SettingChanges */

export class ChosenSettings {
  /** @type {Partial<LessonState>} what a file says, where nothing else does */
  #base = {};
  /** @type {Partial<LessonState>} the rest is the file's, or default */
  #chosen = {};
  /** @type {Record<string, boolean>} what was chosen since the last update: none is brought into the range of the others */
  #given = {};

  /**
   * The whole state. A row, a head or padding that is too large for it is the largest that fits, unless it was just given;
   * an edit of an entry that a matrix no longer has waits until it has it again.
   */
  get state() {
    const state = completeState(this.copy());
    for (const [name, most] of tooLarge(state)) {
      if (!this.#given[name]) {
        state[name] = most;
      }
    }
    if (!this.#given.edits && editsProblem('edits', state.edits) === null) {
      state.edits = state.edits.filter((edit) => editFits(edit, state));
    }
    for (const name of /** @type {const} */ (['tokens', 'context'])) {
      state[name] = Array.isArray(state[name]) ? [...state[name]] : state[name];
    }
    return state;
  }

  /** What has been chosen until now. @returns {Partial<LessonState>} */
  copy() {
    const said = Object.entries(this.#chosen).filter(([, value]) => value !== undefined);
    return { ...this.#base, ...Object.fromEntries(said) };
  }

  /** What a file says, in place of what another said before. @param {Partial<LessonState>} lesson */
  lieOn(lesson) {
    this.#base = lesson;
  }

  /** What has been chosen of some settings: undefined where it is the default. @param {string[]} names @returns {SettingChanges} */
  of(names) {
    return Object.fromEntries(names.map((name) => [name, this.#chosen[/** @type {SettingName} */ (name)]]));
  }

  /** Goes back to what was chosen before. @param {Partial<LessonState>} chosen */
  restore(chosen) {
    this.#base = {};
    this.#chosen = { ...chosen };
    this.#given = {};
  }

  /** @param {SettingChanges & import('../engine/setting-values.js').Projections} changes  null and undefined stand for the default; names of no setting are passed over */
  replace(changes) {
    this.restore({});
    const known = Object.entries(withoutProjections(changes)).filter(([name]) => name in settings);
    this.change(Object.fromEntries(known));
  }

  /** @param {SettingChanges} changes */
  change(changes) {
    for (const [name, value] of Object.entries(changes)) {
      const parsed = parseProperty(/** @type {SettingName} */ (name), value);
      /** @type {Record<string, unknown>} */ (this.#chosen)[name] = parsed;
      this.#given[name] = parsed !== undefined;
    }
  }

  /** The state has been computed. */
  accept() {
    this.#given = {};
  }

  /** The state cannot be computed. A row, head or padding that is too large stays so, whatever else changes. */
  refuse() {
    const wrong = tooLarge(this.state).filter(([name]) => this.#given[name]);
    this.#given = Object.fromEntries(wrong.map(([name]) => [name, true]));
  }
}
