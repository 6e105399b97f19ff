// The page around the frames: gives every iframe[data-attention-widget] the height that its widget asks for, tells it
// whether the page is light or dark there, and says under a frame that stays empty how to get at the lesson. Works as a
// classic script and as a module.

/** Pixels; no widget is higher, so a larger height is refused. */
const most = 20_000;

/** Milliseconds for a frame to report that its script runs. */
const patience = 10_000;

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

/** @type {WeakSet<HTMLIFrameElement>} those whose script runs */
const reported = new WeakSet();

/** @type {WeakMap<HTMLIFrameElement, HTMLElement>} what is said under a frame that does not report */
const said = new WeakMap();

/** Says under a frame, once it has had its time, that it shows nothing. @param {HTMLIFrameElement} frame */
function watch(frame) {
  if (said.has(frame)) {
    return;
  }
  const sentence = page.createElement('p');
  const link = page.createElement('a');
  link.href = frame.src;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = 'Open it in a window of its own.';
  sentence.append('The lesson in this frame does not start: its server may not give it to a frame. ', link);
  said.set(frame, sentence);
  setTimeout(() => {
    if (!reported.has(frame)) {
      frame.after(sentence);
    }
  }, patience);
}

/** @param {MessageEvent} event */
function receive({ source, origin, data }) {
  const frame = markedFrames().find(({ contentWindow }) => contentWindow === source);
  if (frame === undefined || origin !== originOf(frame)) {
    return;
  }
  const { type, height } = data ?? {};
  if (type === 'attention-widget.ready') {
    reported.add(frame);
    said.get(frame)?.remove();
  } else if (type === 'attention-widget.size' && Number.isInteger(height) && height > 0 && height <= most) {
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
    // One that loads lazily has its time from when it does.
    frame.addEventListener('load', () => watch(frame));
    if (frame.loading !== 'lazy') {
      watch(frame);
    }
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tellThemes);
  // Pages switch their theme by a class or an attribute of the root or the body.
  const observer = new MutationObserver(tellThemes);
  for (const root of [page.documentElement, page.body]) {
    observer.observe(root, { attributes: true });
  }
}

export {}; // makes this a module for the type checker; the built file is a classic script too
