// A widget's state in the page's own address, for pages that ask for it: behind the #, beside what else stands there,
// "#section-2;w1:v=1&d-k=64". Back takes the reader's last change back.

import { formatLink, parseLink } from '../engine/lesson-state.js';

/** Milliseconds without a change before the next change becomes a history entry. */
const restMilliseconds = 500;

/** @param {string} name */
const blocksWithout = (name) =>
  location.hash
    .slice(1)
    .split(';')
    .filter((block) => block !== '' && !block.startsWith(`${name}:`));

/**
 * The page's address with the state of a widget that is kept in it, or null where nobody could open it: the address of a
 * page that came as a text.
 *
 * @param {import('./attention-widget.js').AttentionWidget} widget
 */
export function pageAddress(widget) {
  const name = encodeURIComponent(widget.id || 'attention');
  const blocks = [...blocksWithout(name), `${name}:${formatLink(widget.state)}`];
  return /^(https?|file):/.test(location.href) ? `${location.href.split('#')[0]}#${blocks.join(';')}` : null;
}

/**
 * Keeps a widget's state in the address until it is told to stop.
 *
 * @param {import('./attention-widget.js').AttentionWidget} widget  known by its id, which must not change
 * @returns {() => void}  stops
 */
export function keepInAddress(widget) {
  const name = encodeURIComponent(widget.id || 'attention');
  const before = widget.state;
  let timer = 0;

  const read = () => {
    clearTimeout(timer);
    const block = location.hash
      .slice(1)
      .split(';')
      .find((each) => each.startsWith(`${name}:`));
    const link = block?.slice(name.length + 1);
    if (link !== formatLink(widget.state)) {
      widget.state = { ...before, ...parseLink(link ?? '') };
    }
  };

  const write = () => {
    const { state } = widget;
    const isBefore = formatLink(state) === formatLink(before);
    const blocks = [...blocksWithout(name), ...(isBefore ? [] : [`${name}:${formatLink(state)}`])];
    const hash = blocks.length === 0 ? '' : `#${blocks.join(';')}`;
    if (hash !== location.hash) {
      // A sandboxed frame may refuse. The state is then in no address, and everything else works.
      try {
        history.pushState(history.state, '', hash || location.pathname + location.search);
      } catch {}
    }
  };

  const wait = () => {
    clearTimeout(timer);
    timer = window.setTimeout(write, restMilliseconds);
  };

  if (location.hash.includes(`${name}:`)) {
    read();
  }
  widget.addEventListener('attention-change', wait);
  window.addEventListener('popstate', read);
  return () => {
    clearTimeout(timer);
    widget.removeEventListener('attention-change', wait);
    window.removeEventListener('popstate', read);
  };
}
