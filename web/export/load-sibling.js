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
  panels: {
    deed: 'brings panels that are seldom opened',
    address: () => new URL('./panels.js', import.meta.url).href,
  },
  'try-and-take': {
    deed: 'brings panels that are seldom opened',
    address: () => new URL('./try-and-take.js', import.meta.url).href,
  },
  'read-lesson': {
    deed: 'reads a lesson from an address',
    address: () => new URL('./read-lesson.js', import.meta.url).href,
  },
  numbers: {
    deed: 'edits numbers',
    address: () => new URL('./numbers.js', import.meta.url).href,
  },
  exchange: {
    deed: 'reads and writes matrices',
    address: () => new URL('./exchange.js', import.meta.url).href,
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

/**
 * The folder of the package's files, or null: a widget from `blob:`, `data:`, a page's own text or a bundle does not know it.
 * Bundlers would copy a file for each `new URL(…, import.meta.url)`.
 */
export function packageFolder() {
  const [, folder, file] = /^((?:https?|file):[^?#]*\/)([^/?#]*)/.exec(String(import.meta.url)) ?? [];
  const isOwn = /^(attention-widget(\.classic)?|external|element|anywidget)?\.?(js)?$/.test(file ?? '?');
  return folder !== undefined && isOwn ? folder : null;
}

/** @type {() => Promise<typeof import('./picture.js')>} */
export const loadPictures = () => loadSibling('picture');
