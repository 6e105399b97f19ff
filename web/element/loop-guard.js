// Changes that handlers of a widget's own events make: they wait for the page's turn, so that a handler that changes the
// state each time does not freeze the page, and such a loop is named in the console.

import { yieldToPage } from '../platform/work-through.js';

/** Changes in turn, each made by a handler of the event of the last, that count as a loop. */
const roundsOfLoop = 100;

/** How many events of widgets have handlers running: an event's handler may fire another. */
let running = 0;

export class LoopGuard {
  #widget;
  /** Whether handlers have run since the page had its turn. */
  #hasRun = false;
  /** How often in turn a handler has changed the state. */
  #rounds = 0;

  /** @param {Element} widget  named in the console */
  constructor(widget) {
    this.#widget = widget;
  }

  /** Fires an event. @param {() => void} fire */
  fire(fire) {
    running++;
    try {
      fire();
    } finally {
      running--;
    }
    if (!this.#hasRun) {
      this.#hasRun = true;
      yieldToPage().then(() => {
        this.#hasRun = false;
      });
    }
  }

  /** A reader's change waits for nobody. */
  letReaderPass() {
    this.#hasRun = false;
  }

  /** Counts a change. @returns {Promise<unknown> | null}  what an update must wait for; null: nothing */
  beforeUpdate() {
    this.#rounds = running > 0 ? this.#rounds + 1 : 0;
    if (this.#rounds === roundsOfLoop) {
      console.warn(
        `attention-widget: a handler has changed the state ${roundsOfLoop} times in turn: it loops`,
        this.#widget,
      );
    }
    return this.#hasRun ? yieldToPage() : null;
  }
}
