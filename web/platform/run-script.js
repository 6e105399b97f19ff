// Scripts of their own beside the widget's, for what most pages never ask for.

import { h } from '../views/dom.js';

/**
 * Runs a script. A script element works from disk, in frames without an origin and under the policy that let the widget in;
 * an import would not.
 *
 * @param {string} address
 * @returns {Promise<unknown>}  fails where the script does not come
 */
export function runScript(address) {
  return new Promise((load, error) => {
    document.head.append(h('script', { src: address, load, error }));
  });
}
