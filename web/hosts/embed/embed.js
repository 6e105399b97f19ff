// The page inside the frame: a widget with the settings of the frame's address, which tells the page around it its height.
// It may run without an origin (sandbox="allow-scripts"): it uses no storage, and trusts no sender.

import { AttentionWidget } from '../../element/define.js';

/** What the widget has for its own scripts. */
const { readLink } = /** @type {any} */ (AttentionWidget);
const { textOf, isWhole } = /** @type {ReturnType<typeof import('../../engine/link.js').readLink>} */ (
  readLink(location.search)
);
const widget = document.createElement('attention-widget');

// What the address may set is what the element calls its attributes; everything else belongs to others.
for (const name of AttentionWidget.observedAttributes) {
  const text = textOf(name);
  if (text !== null && name !== 'linked') {
    widget.setAttribute(name, text);
  }
}

const language = textOf('lang');
if (language !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language)) {
  document.documentElement.lang = language;
}

/** @param {string} scheme */
function showScheme(scheme) {
  document.querySelector('meta[name="color-scheme"]')?.setAttribute('content', scheme);
}

/** @param {unknown} value @returns {value is 'light' | 'dark'} */
const isTheme = (value) => value === 'light' || value === 'dark';

const theme = textOf('theme');
const isPinned = isTheme(theme);
if (isPinned) {
  showScheme(theme);
}

/** Tells the page around the frame that the script runs, of a frame out of sight too, which has no height. */
function report() {
  window.parent.postMessage({ type: 'attention-widget.ready' }, '*');
}

let told = 0;

function tellHeight() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  if (height !== told) {
    told = height;
    // The target is any origin: a height is no secret, and a frame cannot know the page around it.
    window.parent.postMessage({ type: 'attention-widget.size', height }, '*');
    // Learning platforms expect the message as JSON text.
    window.parent.postMessage(JSON.stringify({ subject: 'lti.frameResize', height }), '*');
  }
}

// The sentence for a script that does not load stands behind it, and is not parsed before it has run.
document.addEventListener('DOMContentLoaded', () => {
  document.querySelector('#missing')?.remove();
  report();
  tellHeight();
});

document.body.style.margin = '0';
document.body.append(widget);
if (!isWhole) {
  /** @type {any} */ (widget).tellUnreadable(true);
}

/** @param {{type?: string, theme?: string} | null} message  from the page around the frame */
function receive(message) {
  if (message?.type === 'attention-widget.ask') {
    told = 0;
    report();
    tellHeight();
  } else if (message?.type === 'attention-widget.theme' && !isPinned && isTheme(message.theme)) {
    showScheme(message.theme);
  }
}

if (window.parent !== window) {
  window.addEventListener('message', ({ source, data }) => source === window.parent && receive(data));
  new ResizeObserver(tellHeight).observe(document.documentElement);
  // ResizeObserver is silent in a frame outside of the viewport, but the height is needed before the reader scrolls there.
  widget.addEventListener('attention-change', async () => {
    await /** @type {any} */ (widget).updated; // what follows the first picture has a height too
    tellHeight();
  });
  widget.addEventListener('attention-error', tellHeight);
  // A statement of xAPI but for its actor, whom the platform knows.
  widget.addEventListener('attention-checkpoint', (event) => {
    const { name, guess, correct } = /** @type {CustomEvent} */ (event).detail;
    const statement = {
      verb: { id: 'http://adlnet.gov/expapi/verbs/answered', display: { en: 'answered' } },
      object: { objectType: 'Activity', id: `urn:attention-widget:checkpoint:${name}` },
      result: { success: correct, response: guess },
    };
    window.parent.postMessage({ type: 'attention-widget.statement', statement }, '*');
  });
}
