// Loads the code that draws pictures as files: a sibling script, fetched when the first picture is asked for. The script
// puts its functions into a global registry; a bundle or a page may also load it ahead.

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
