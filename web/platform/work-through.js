// Long work on the page's thread, in slices short enough that a key or a click is answered between them.

import { OwnPromise } from './browser-parts.js';

/** A slice may take half of the time that a reader would notice; the page's own work has the other half. */
const sliceMilliseconds = 20;

/** What gives long work up: an AbortController would, but pages replace that. @typedef {{isAborted: boolean}} Work */

/**
 * Runs the steps of long work to the end or until it is aborted, and yields to the page between slices.
 *
 * @template Step
 * @param {Iterable<Step>} steps  computed one by one; each should take a few milliseconds at most
 * @param {Work} work
 * @param {(step: Step) => void} show  called with the last step of each slice
 * @returns {Promise<boolean>}  false where it was aborted
 */
export async function workThrough(steps, work, show) {
  let sliceEnd = performance.now() + sliceMilliseconds;
  /** @type {Step | undefined} */
  let last;
  for (const step of steps) {
    last = step;
    if (performance.now() > sliceEnd) {
      show(last);
      await yieldToPage();
      if (work.isAborted) {
        return false;
      }
      sliceEnd = performance.now() + sliceMilliseconds;
    }
  }
  if (last !== undefined) {
    show(last);
  }
  return true;
}

/** Lets the page handle its events. A message has no delay; browsers delay nested timers by 4 ms. */
export function yieldToPage() {
  return new Promise((resolve) => {
    if (!('MessageChannel' in globalThis)) {
      setTimeout(resolve); // imitations of a browser in tests have no channels
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

/** Frames go to the screen through other threads, which work of the page's own would hold up: this is three frames' time. */
const toTheScreenMilliseconds = 50;

/**
 * Waits until the reader sees what is there now; where nobody looks, as in a background tab, not for long.
 *
 * @param {Window & typeof globalThis} view
 * @returns {Promise<void>}
 */
export function afterPaint(view) {
  return new OwnPromise((resolve) => {
    setTimeout(resolve, 200);
    view.requestAnimationFrame?.(() => setTimeout(resolve, toTheScreenMilliseconds));
  });
}
