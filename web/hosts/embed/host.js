// The page around the frames: gives every iframe[data-attention-widget] the height that its widget asks for, and tells
// it whether the page is light or dark there. Works as a classic script and as a module.

/** Pixels; no widget is higher, so a larger height is refused. */
const most = 20_000;

/** Where there is no DOM, on a server, importing this does nothing. */
const page = globalThis.document;

/** @returns {HTMLIFrameElement[]} */
function markedFrames() {
  return Array.from(page.querySelectorAll('iframe[data-attention-widget]'));
}

/**
 * The origin that a frame's messages must come from: none at all where it is sandboxed, or read from disk; undefined where
 * its `src` is no address.
 *
 * @param {HTMLIFrameElement} frame
 */
function originOf(frame) {
  const isOpaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  if (!URL.canParse(frame.src, page.baseURI)) {
    return undefined;
  }
  const { protocol, origin } = new URL(frame.src, page.baseURI);
  return isOpaque || protocol === 'file:' ? 'null' : origin;
}

/** @param {HTMLIFrameElement} frame @param {number} height  of its content */
function setHeight(frame, height) {
  const { boxSizing } = getComputedStyle(frame);
  const border = boxSizing === 'border-box' ? frame.offsetHeight - frame.clientHeight : 0;
  frame.style.height = `${height + border}px`;
}

/** @param {HTMLIFrameElement} frame @param {object} message */
function tell(frame, message) {
  const origin = originOf(frame);
  if (origin !== undefined) {
    frame.contentWindow?.postMessage(message, origin === 'null' ? '*' : origin);
  }
}

/** @param {HTMLIFrameElement} frame */
function tellTheme(frame) {
  const schemes = getComputedStyle(frame).colorScheme.split(' ');
  const isEither = schemes.includes('light') && schemes.includes('dark');
  const isDark = isEither ? matchMedia('(prefers-color-scheme: dark)').matches : schemes.includes('dark');
  tell(frame, { type: 'attention-widget.theme', theme: isDark ? 'dark' : 'light' });
}

/** @param {MessageEvent} event */
function receive({ source, origin, data }) {
  const height = data?.type === 'attention-widget.size' ? data.height : undefined;
  if (!Number.isInteger(height) || height < 1 || height > most) {
    return;
  }
  const frame = markedFrames().find(({ contentWindow }) => contentWindow === source);
  if (frame !== undefined && origin === originOf(frame)) {
    setHeight(frame, height);
    tellTheme(frame);
  }
}

function tellThemes() {
  markedFrames().forEach(tellTheme);
}

if (page !== undefined) {
  window.addEventListener('message', receive);
  // Asks for heights that were sent before this script ran. Frames that load later send theirs then.
  for (const frame of markedFrames()) {
    tell(frame, { type: 'attention-widget.ask' });
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tellThemes);
  // Pages switch their theme by a class or an attribute of the root or the body.
  const observer = new MutationObserver(tellThemes);
  for (const root of [page.documentElement, page.body]) {
    observer.observe(root, { attributes: true });
  }
}

export {}; // makes this a module for the type checker; the built file is a classic script too
