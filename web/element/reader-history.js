// What the reader has changed, to be undone and done again.

/** @typedef {import('../engine/setting-values.js').SettingChanges} SettingChanges */
/** @typedef {{deed: string, before: SettingChanges, after: SettingChanges, time: number}} Change */

/** Milliseconds within which changes of one thing are one deed, as while a slider is dragged. */
const oneDeed = 1000;

export class ReaderHistory {
  /** @type {Record<'before' | 'after', Change[]>} what can be undone, and what can be done again */
  #changes = { before: [], after: [] };

  /** Whether there is a change to go back, or forth again. @param {'before' | 'after'} way */
  can(way) {
    return this.#changes[way].length > 0;
  }

  /**
   * @param {string} deed  what was done; the same within a second is one change
   * @param {SettingChanges} before  what the settings were
   * @param {SettingChanges} after  what they are
   * @param {number} time  in milliseconds
   */
  add(deed, before, after, time) {
    const last = this.#changes.before.at(-1);
    this.#changes.after = [];
    if (last?.deed === deed && time - last.time < oneDeed) {
      Object.assign(last, { after, time });
    } else {
      this.#changes.before.push({ deed, before, after, time });
    }
  }

  /** What follows is another deed, though it be of the same thing. */
  begin() {
    Object.assign(this.#changes.before.at(-1) ?? {}, { deed: '' });
  }

  /**
   * Goes a change back, or forth again.
   *
   * @param {'before' | 'after'} way
   * @returns {SettingChanges | undefined}  what the settings are to be; nothing where there is no further change
   */
  turn(way) {
    const change = this.#changes[way].pop();
    if (change !== undefined) {
      this.#changes[way === 'before' ? 'after' : 'before'].push({ ...change, deed: '' });
    }
    return change?.[way];
  }
}
