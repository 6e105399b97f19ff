// A button under every widget of the page, and F in a widget, make it fill the screen. The keys of a talk: a clicker's Page Up and
// Page Down walk, + and − change the size, B makes the screen black, Escape leaves. Where a page may not fill the screen there is no button.

import { closestLanguage } from '../language/closest-language.js';

/** @typedef {HTMLElement & {step: number, locked: string[] | null}} Widget */

const texts = /** @type {Record<string, {present: string, keys: string}>} */ ({
  en: {
    present: 'Present',
    keys: 'F in the picture does it too. Page Up and Page Down walk, + and − change the size, B turns the screen black, Esc leaves.',
  },
  es: {
    present: 'Presentar',
    keys: 'También F en la imagen. Re Pág y Av Pág recorren los pasos, + y − cambian el tamaño, B pone la pantalla en negro, Esc sale.',
  },
  'zh-CN': {
    present: '演示模式',
    keys: '在图中按 F 也可以。Page Up 和 Page Down 换步，+ 和 − 改变大小，B 黑屏，Esc 退出。',
  },
  'zh-Hant': {
    present: '簡報模式',
    keys: '在圖中按 F 也可以。Page Up 和 Page Down 換步，+ 和 − 改變大小，B 黑屏，Esc 離開。',
  },
});

/** Sizes of the text on the screen, in rem; a talk begins with the second. */
const sizes = [1, 1.375, 1.75, 2.25, 3];

const lastStep = 8;

const styles = `
attention-widget:fullscreen {
  box-sizing: border-box;
  padding: 1rem;
  overflow: auto;
  background: Canvas;
  color: CanvasText;
}
attention-widget:fullscreen[data-black] {
  background: #000;
  visibility: hidden;
}
attention-widget:fullscreen[data-black]::backdrop {
  background: #000;
}
.attention-present {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.75rem;
  align-items: center;
}
.attention-present button {
  min-block-size: 2.75rem;
  padding-inline: 1rem;
  font: inherit;
}
@media print {
  .attention-present {
    display: none;
  }
}
`;

let size = 1;

/** The widget that fills the screen. @returns {Widget | null} */
const presented = () =>
  document.fullscreenElement?.localName === 'attention-widget'
    ? /** @type {Widget} */ (document.fullscreenElement)
    : null;

/** @param {Widget} widget @param {number} by */
function walk(widget, by) {
  if (!widget.locked?.includes('step')) {
    widget.step = Math.min(lastStep, Math.max(0, widget.step + by));
  }
}

/** @param {Widget} widget @param {number} to */
function resize(widget, to) {
  size = Math.min(sizes.length - 1, Math.max(0, to));
  widget.style.fontSize = `${sizes[size]}rem`;
}

/** @param {Widget} widget */
const fillScreen = (widget) => void widget.requestFullscreen();

/** What each key does on the full screen; the others are the widget's. @type {Record<string, (widget: Widget) => void>} */
const keys = {
  PageDown: (widget) => walk(widget, 1),
  PageUp: (widget) => walk(widget, -1),
  '+': (widget) => resize(widget, size + 1),
  '=': (widget) => resize(widget, size + 1), // + without Shift
  '-': (widget) => resize(widget, size - 1),
  b: (widget) => widget.toggleAttribute('data-black'),
  '.': (widget) => widget.toggleAttribute('data-black'), // a clicker's key for it
};

/** @param {KeyboardEvent} event */
function press(event) {
  const isShown = presented();
  const path = event.composedPath();
  const [target] = path;
  const around = path.find((node) => node instanceof HTMLElement && node.localName === 'attention-widget');
  const widget = isShown ?? /** @type {Widget | undefined} */ (around);
  const isText =
    target instanceof HTMLElement &&
    target.matches('textarea, input:not([type="range"], [type="radio"], [type="checkbox"])');
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const act = isShown === null ? { f: fillScreen }[key] : keys[key];
  if (widget === undefined || act === undefined || isText || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  act(widget);
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Widget} widget */
function addButton(widget) {
  const tag = widget.closest('[lang]')?.getAttribute('lang') ?? 'en';
  const { present, keys: explained } = texts[closestLanguage(tag, Object.keys(texts)) ?? 'en'];
  const line = document.createElement('p');
  line.className = 'attention-present';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = present;
  const hint = document.createElement('small');
  hint.textContent = explained;
  button.addEventListener('click', () => fillScreen(widget));
  widget.addEventListener('fullscreenchange', () => {
    if (presented() === widget) {
      resize(widget, size);
    } else {
      widget.style.fontSize = '';
      widget.removeAttribute('data-black');
      button.focus();
    }
  });
  line.append(button, hint);
  widget.after(line);
}

/** Adds the buttons, once the page is there. Where there is no DOM it does nothing. */
export function start() {
  if (!globalThis.document?.fullscreenEnabled) {
    return;
  }
  const add = () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets.push(sheet);
    for (const widget of document.querySelectorAll('attention-widget')) {
      addButton(/** @type {Widget} */ (widget));
    }
    document.addEventListener('keydown', press, true);
  };
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', add);
  } else {
    add();
  }
}
