// A button that plays steps, one after the other, until they end or the reader does anything else.

import { h, setAttribute, setText, windowOf } from './dom.js';
import { plainText } from './format.js';

/**
 * @param {{play: string, pause: string}} texts
 * @param {string} part
 * @param {() => number} milliseconds  between two steps
 * @param {() => boolean} act  takes a step; false: that was the last
 */
export function createPlayer(texts, part, milliseconds, act) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const button = h('button', {
    type: 'button',
    class: 'play',
    part,
    click: () => (timer === undefined ? start() : stop()),
  });
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
    setText(button, timer === undefined ? '▶▶' : '❚❚');
    const name = plainText(timer === undefined ? texts.play : texts.pause);
    setAttribute(button, 'aria-label', name);
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
