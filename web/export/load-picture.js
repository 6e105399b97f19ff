// Loads the code that draws pictures as files: a sibling script, fetched when the first picture is asked for. The script
// puts its functions into a global registry; a bundle or a page may also load it ahead.

import { EngineError } from '../engine/engine-error.js';
import { runScript } from '../platform/run-script.js';

const registry = Symbol.for('attention-widget.picture');

/** Where the script lies, or null: a widget that came from `blob:`, `data:` or inside a page has nothing beside it. */
export function pictureAddress() {
  try {
    return new URL('./picture.js', import.meta.url).href;
  } catch {
    return null;
  }
}

/**
 * @returns {Promise<typeof import('./picture.js')>}
 * @throws {EngineError}  where the script does not come
 */
export async function loadPictures() {
  const page = /** @type {any} */ (globalThis);
  if (!(registry in page)) {
    const address = pictureAddress();
    try {
      await runScript(/** @type {string} */ (address));
    } catch {}
    if (!(registry in page)) {
      const from = address === null ? 'from nowhere: this widget has no address of its own' : `from ${address}`;
      throw new EngineError(
        `picture.js, which draws pictures as files, does not load ${from}. A page may load it by a tag of its own`,
      );
    }
  }
  return page[registry];
}
