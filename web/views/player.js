// A button that plays steps, one after the other, until they end or the reader does anything else.

import { h, setAttribute, svg, windowOf } from './dom.js';
import { plainText } from './format.js';

/** Drawn: fonts that have the characters are looked for at length, and differ. */
const signs = { play: 'M0 0l9 5-9 5zM10 0l9 5-9 5z', pause: 'M3 0h4v10h-4zM12 0h4v10h-4z' };

/**
 * @param {{play: string, pause: string}} texts
 * @param {string} part
 * @param {() => number} milliseconds  between two steps
 * @param {() => boolean} act  takes a step; false: that was the last
 */
export function createPlayer(texts, part, milliseconds, act) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const turn = () => (timer === undefined ? start() : stop());
  const sign = svg('path', {});
  const button = h(
    'button',
    { type: 'button', class: 'play', part, click: turn },
    svg('svg', { viewBox: '0 0 19 10', 'aria-hidden': 'true' }, sign),
  );
  /** @type {Window | undefined} */
  let listening;
  const onInput = (/** @type {any} */ event) => {
    const isPress = event.type !== 'keydown' || event.key === 'Enter' || event.key === ' ';
    if (!isPress || !event.composedPath().includes(button)) {
      stop();
    }
  };
  const inputs = ['pointerdown', 'keydown', 'wheel'];
  const show = () => {
    const act = timer === undefined ? 'play' : 'pause';
    setAttribute(sign, 'd', signs[act]);
    setAttribute(button, 'aria-label', plainText(texts[act]));
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    for (const type of inputs) {
      listening?.removeEventListener(type, onInput, true);
    }
    show();
  };
  const take = () => {
    if (!button.offsetParent || button.disabled || !act()) {
      stop();
    }
  };
  const start = () => {
    listening = windowOf(button);
    for (const type of inputs) {
      listening.addEventListener(type, onInput, { capture: true, passive: true });
    }
    timer = setInterval(take, milliseconds());
    show();
    take();
  };
  show();
  return { button, stop };
}
