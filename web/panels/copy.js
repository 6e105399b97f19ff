// A button that copies a text.

import { button, h, setText, windowOf } from '../views/dom.js';

/**
 * @param {{copy: string, copied: string, selected: string}} messages
 * @param {string} name  of the text
 * @param {() => string | Promise<string>} write  the text; whoever writes it says where it cannot be written
 * @param {(text: string) => Node} show  shows the text, for a reader who must copy it by hand, and tells where
 */
export function createCopy(messages, name, write, show) {
  const status = h('span', { role: 'status' });

  const copy = async () => {
    setText(status, '');
    const text = await Promise.resolve()
      .then(write)
      .catch(() => null);
    if (text === null) {
      return;
    }
    const view = windowOf(status);
    try {
      await view.navigator.clipboard.writeText(text);
      setText(status, messages.copied);
    } catch {
      // No clipboard outside https, or none for this page: the reader copies what is selected.
      view.getSelection()?.selectAllChildren(show(text));
      setText(status, messages.selected);
    }
  };

  return {
    root: h(
      'span',
      { class: 'strip' },
      button(messages.copy, copy, { 'aria-label': `${messages.copy}: ${name}` }),
      status,
    ),

    /** The text is another now. */
    update() {
      setText(status, '');
    },
  };
}
