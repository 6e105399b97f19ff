// The state as a program to run elsewhere. Written only while the panel is open, and shown only while it can be read.

import { h, setText } from '../views/dom.js';
import { snippet } from './snippets.js';

/** @typedef {import('./snippets.js').Language} Language */

/** @type {Record<Language, string>} */
const languages = { numpy: 'NumPy', torch: 'PyTorch', cpp: 'C++' };

/** More than this is no longer read on a screen. */
const mostTokens = 24;
const mostNumbers = 5000;

/** @type {(messages: typeof import('../messages/en.js').default, actions: import('./panels.js').PanelActions) => import('./panels.js').Panel} */
export function createCode({ code: messages }) {
  /** @type {Language} */
  let language = 'numpy';
  /** @type {import('./panels.js').PanelContext} */
  let last;

  const text = h('code', {});
  const frame = h('pre', { tabindex: 0, role: 'region', 'aria-label': messages.label }, text);
  const long = h('p', {}, messages.long);
  const status = h('span', { role: 'status' });
  const write = () => snippet(language, last.state, last.result);

  const copy = async () => {
    setText(status, '');
    const program = write();
    try {
      await navigator.clipboard.writeText(program);
      setText(status, messages.copied);
    } catch {
      // No clipboard outside https, or none for this page: the reader copies what is selected.
      setText(text, program);
      frame.hidden = false;
      getSelection()?.selectAllChildren(text);
      setText(status, messages.selected);
    }
  };

  const show = () => {
    const { X, Wq, Wv, tokens } = last.result;
    const numbers = X.data.length + 2 * Wq.data.length + Wv.data.length;
    long.hidden = tokens.length <= mostTokens && numbers <= mostNumbers;
    frame.hidden = !long.hidden;
    setText(text, long.hidden ? write() : '');
    setText(status, '');
  };

  const choices = Object.entries(languages).map(([value, name]) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name: 'language',
        checked: value === language,
        change: () => {
          language = /** @type {Language} */ (value);
          show();
        },
      }),
      name,
    ),
  );
  const root = h(
    'div',
    { class: 'code' },
    h(
      'div',
      { class: 'strip' },
      h('span', { class: 'choices', role: 'radiogroup', 'aria-label': messages.language }, ...choices),
      h('button', { type: 'button', click: copy }, messages.copy),
      status,
    ),
    long,
    frame,
  );

  return {
    root,

    update(context) {
      last = context;
      show();
    },
  };
}
