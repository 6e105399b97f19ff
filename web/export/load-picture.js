// Where the widget has its pictures as files from: a script beside its own, fetched when the first is asked for. It leaves
// its functions on a shelf of the page's; a bundle, or a page that keeps all scripts together, may bring it along.

import { EngineError } from '../engine/engine-error.js';
import { runScript } from '../platform/run-script.js';

const shelf = Symbol.for('attention-widget.picture');

/**
 * @returns {Promise<typeof import('./picture.js')>}
 * @throws {EngineError}  where the script does not come
 */
export async function loadPictures() {
  const page = /** @type {any} */ (globalThis);
  try {
    if (!(shelf in page)) {
      await runScript(new URL('./picture.js', import.meta.url).href);
    }
  } catch {
    throw new EngineError('picture.js, which draws pictures as files, does not load from beside the widget');
  }
  return page[shelf];
}
