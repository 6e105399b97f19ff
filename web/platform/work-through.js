// Long work on the page's thread, in slices short enough that a key or a click is answered between them.

/** Half of what a reader may notice is left for the page's own work. */
const sliceMilliseconds = 20;

/**
 * Goes through the steps of a long work until it is done or given up, and lets the page breathe in between.
 *
 * @template Step
 * @param {Iterable<Step>} steps  computed one by one; each should take a few milliseconds at most
 * @param {AbortSignal} signal
 * @param {(step: Step) => void} show  called with the last step of each slice
 * @returns {Promise<boolean>}  whether it came to its end
 */
export async function workThrough(steps, signal, show) {
  let sliceEnd = performance.now() + sliceMilliseconds;
  /** @type {Step | undefined} */
  let last;
  for (const step of steps) {
    last = step;
    if (performance.now() > sliceEnd) {
      show(last);
      await breath();
      if (signal.aborted) {
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

/** Waits for the page's turn, without the delay that browsers add to a timer in a timer. */
export function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}
