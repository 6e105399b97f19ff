// The state as a program to run elsewhere. Written only while the panel is open, and shown only while it can be read. What
// writes it is a sibling script: most readers never open this panel.

import { choice, h, setText } from '../views/dom.js';
import { explain } from '../views/problem.js';
import styles from './code.css';
import { createCopy } from './copy.js';

/** @typedef {import('./snippets.js').Language} Language */

/** @type {Record<Language, string>} */
const languages = { numpy: 'NumPy', torch: 'PyTorch', cpp: 'C++' };

/** A longer program is copied, not shown: nobody reads it on a screen. */
const maxTokensShown = 24;
const mostNumbers = 4000; // the default sentence at d_k = 64 has 3168

/** @type {import('./panel.js').PanelDefinition} */
export const code = { name: 'code', styles: [styles], create: createCode };

/** @type {import('./panel.js').CreatePanel} */
function createCode(all, { loadSibling }) {
  const { code: messages } = all;
  /** @type {Language} */
  let language = 'numpy';
  /** @type {import('./panel.js').PanelContext} */
  let last;

  const text = h('code', { translate: 'no' });
  const frame = h('pre', { tabindex: 0, role: 'region', 'aria-label': messages.label }, text);
  const long = h('p', {}, messages.long);
  /** The whole layer, of which the picture shows one head. */
  const whole = () => (last.state.heads > 1 ? last.engine.lesson(last.state) : last.result);
  const loadSnippets = () => /** @type {Promise<typeof import('./snippets.js')>} */ (loadSibling('snippets'));
  const write = async () => (await loadSnippets()).snippet(language, last.state, whole(), all);

  const copy = createCopy(messages, messages.label, write, (program) => {
    setText(text, program);
    frame.hidden = false;
    return text;
  });

  const problem = h('p', { class: 'broken', role: 'alert' });

  const show = async () => {
    const { X, context, Wq, Wv, visible } = last.result;
    const numbers =
      X.data.length + (context?.data.length ?? 0) + last.state.heads * (2 * Wq.data.length + Wv.data.length);
    long.hidden = Math.max(...visible.shape) <= maxTokensShown && numbers <= mostNumbers;
    frame.hidden = !long.hidden;
    copy.update();
    const asked = last;
    try {
      const program = long.hidden ? await write() : '';
      if (asked === last) {
        setText(text, program);
        setText(problem, '');
      }
    } catch (error) {
      frame.hidden = true;
      setText(problem, explain(all, error).sentence);
    }
  };

  const choices = Object.entries(languages).map(([value, name]) =>
    choice('language', value, name, () => {
      language = /** @type {Language} */ (value);
      show();
    }),
  );
  /** @type {HTMLInputElement} */ (choices[0].firstChild).checked = true;
  const root = h(
    'div',
    { class: 'code' },
    h(
      'div',
      { class: 'strip' },
      h('span', { class: 'strip', role: 'radiogroup', 'aria-label': messages.language }, ...choices),
      copy.root,
    ),
    long,
    problem,
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
