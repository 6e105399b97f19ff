// Numbers of one's own: tables to paste, files to drop, examples, and matrices to save. What reads and writes files is a
// sibling script, which comes when the panel is first opened.

import { h, setText } from '../views/dom.js';
import { explain } from '../views/problem.js';
import styles from './numbers.css';

/** @type {import('./panel.js').PanelDefinition} */
export const numbers = { name: 'numbers', styles: [styles], takesAnyLength: true, create: createNumbers };

/** @type {import('./panel.js').CreatePanel} */
function createNumbers(messages, actions) {
  const root = h('div', { class: 'numbers' });
  /** @type {import('./panel.js').PanelContext} */
  let last;
  /** @type {import('./panel.js').Panel | undefined} */
  let exchange;
  let isComing = false;
  const say = (/** @type {unknown} */ error) => explain(messages, error).sentence;

  const fetch = async () => {
    isComing = true;
    try {
      const { createExchange } = /** @type {typeof import('../exchange/beside.js')} */ (
        await actions.loadSibling('exchange')
      );
      exchange = createExchange(messages, { ...actions, say });
      root.replaceChildren(exchange.root);
      exchange.update(last);
    } catch (error) {
      setText(root, say(error));
    }
    isComing = false;
  };

  return {
    root,

    update(context) {
      last = context;
      if (exchange !== undefined) {
        exchange.update(context);
      } else if (!isComing) {
        fetch();
      }
    },
  };
}
