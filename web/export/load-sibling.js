// Loads what is seldom asked for: a sibling script, fetched when it is first needed. The script puts its functions into a
// global registry; a bundle or a page may also load it ahead.

import { EngineError } from '../engine/engine-error.js';
import { runScript } from '../platform/run-script.js';

/** What lies beside the widget: what it does, and its address. Bundlers recognise the form `new URL(…, import.meta.url)`. */
const siblings = {
  picture: {
    deed: 'draws pictures as files',
    address: () => new URL('./picture.js', import.meta.url).href,
  },
  snippets: {
    deed: 'writes a state as a program',
    address: () => new URL('./snippets.js', import.meta.url).href,
  },
};

/** Where it lies, or null: a widget that came from `blob:`, `data:` or inside a page has nothing beside it. @param {() => string} find */
function addressFrom(find) {
  try {
    return find();
  } catch {
    return null;
  }
}

/**
 * @param {keyof typeof siblings} name
 * @returns {Promise<any>}  the module's exports
 * @throws {EngineError}  where the script does not come
 */
export async function loadSibling(name) {
  const page = /** @type {any} */ (globalThis);
  const registry = Symbol.for(`attention-widget.${name}`);
  if (!(registry in page)) {
    const { deed, address: find } = siblings[name];
    const address = addressFrom(find);
    try {
      await runScript(/** @type {string} */ (address));
    } catch {}
    if (!(registry in page)) {
      const from = address === null ? 'from nowhere: this widget has no address of its own' : `from ${address}`;
      throw new EngineError(`${name}.js, which ${deed}, does not load ${from}. A page may load it by a tag of its own`);
    }
  }
  return page[registry];
}

/** @type {() => Promise<typeof import('./picture.js')>} */
export const loadPictures = () => loadSibling('picture');
