import { h } from '../views/dom.js';

/** @type {(messages: typeof import('../messages/en.js').default, actions: import('./panels.js').PanelActions) => import('./panels.js').Panel} */
export function createShapes(_messages, _actions) {
  const root = h('div', { class: 'shapes' });
  return { root, update() {} };
}
