// Widgets' states in the page's own address, for pages that ask for it: "#section~att~w1~d-k~64~end", or in the query where
// the fragment belongs to a router. Back takes the reader's last change back. The rest of the address stays the page's: its
// fragment scrolls, its router routes, its history's states are carried on.

import { completeState } from '../engine/lesson-state.js';
import { formatBlocks, formatChanges, parseChanges, parseLink, readBlocks, readOldBlock } from '../engine/link.js';
import { windowOf } from '../views/dom.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */

/**
 * What is known of a widget while it is on the page, and when it comes back.
 *
 * @typedef {object} Kept
 * @property {string} name
 * @property {string} now  the differences of the state that is shown
 * @property {string} written  those that the address holds, or that the next entry starts from
 * @property {string | null} path  of the page whose address holds them
 * @property {() => 'hash' | 'query'} place
 * @property {Partial<LessonState>} authored  what the author chose
 */

/** Milliseconds without a change before the next change becomes a history entry. */
const restMilliseconds = 500;

/**
 * An address in its parts; what a base element says does not matter.
 *
 * @param {string} address
 */
function splitAddress(address) {
  const [, path, query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(address) ?? [];
  return { path, query, hash };
}

/** @param {{path: string, query: string, hash: string}} parts */
function joinAddress({ path, query, hash }) {
  return path + (query && `?${query}`) + (hash && `#${hash}`);
}

/** @param {string} hash */
const isRoute = (hash) => /^!?\//.test(hash);

/** @type {WeakMap<Document, ReturnType<typeof createAddress>>} */
const addresses = new WeakMap();

/** The address of the page that a widget is on: it may have come from another window. @param {Element} widget */
export function addressOf(widget) {
  const page = widget.ownerDocument;
  const address = addresses.get(page) ?? createAddress(windowOf(widget));
  addresses.set(page, address);
  return address;
}

/**
 * What keeps widgets' states in the address of one page.
 *
 * @param {Window & typeof globalThis} window
 */
function createAddress(window) {
  const { document, history, location, performance } = window;
  const { navigation } = /** @type {any} */ (window);
  /** @type {Map<string, Kept>} the widgets on the page */
  const keptByName = new Map();

  /** @type {WeakMap<Element, Kept>} */
  const keptBefore = new WeakMap();

  let hasOpened = false;

  /** The address, the page's own part of it, and the blocks of the two places. */
  function readAddress() {
    const { path, ...parts } = splitAddress(location.href);
    const hash = readBlocks(parts.hash);
    const query = readBlocks(parts.query);
    const isFound = query.changes !== null;
    return {
      path,
      hash,
      query,
      ownHash: hash.before + hash.after,
      // An "&" on one side of the block parted it from the page's own parameters.
      ownQuery: isFound
        ? [query.before.replace(/&(?:amp;)?$/, ''), query.after.replace(/^&(?:amp;)?/, '')].filter(Boolean).join('&')
        : parts.query,
    };
  }

  /** Whether the fragment is a router's. Where it is empty, the page's links tell. @param {string} hash */
  function isRouted(hash) {
    return isRoute(hash) || document.querySelector('a[href^="#/"], a[href^="#!/"]') !== null;
  }

  /**
   * What the address says of a widget: its changes, null where they cannot be read, undefined where it says nothing.
   *
   * @param {Kept} kept
   * @returns {Partial<LessonState> | null | undefined}
   */
  function find({ name }) {
    const { hash, query, ownHash } = readAddress();
    for (const { changes } of [query, hash]) {
      const text = changes?.get(name);
      if (text !== undefined) {
        return text === null ? null : parseChanges(text);
      }
    }
    const { link } = readOldBlock(ownHash, name);
    if (link !== null) {
      return parseLink(link);
    }
    return hash.isCut || query.isCut ? null : undefined; // what was cut off may have been of this widget
  }

  /**
   * The present address with the written changes of every widget of the page, and other widgets' as they are.
   *
   * @param {Kept} [changed]  the widget of which it is to hold what is shown now
   */
  function compose(changed) {
    const { path, hash, query, ...own } = readAddress();
    let { ownHash } = own;
    const texts = /** @type {const} */ (['query', 'hash']).map((place) => {
      /** @type {Map<string, string>} */
      const changes = new Map();
      for (const [name, text] of { hash, query }[place].changes ?? []) {
        if (text !== null && !keptByName.has(name)) {
          changes.set(name, text);
        }
      }
      for (const kept of keptByName.values()) {
        ownHash = readOldBlock(ownHash, kept.name).own;
        if (kept.place() === place) {
          changes.set(kept.name, kept === changed ? kept.now : kept.written);
        }
      }
      return formatBlocks(changes);
    });
    return joinAddress({
      path,
      query: [own.ownQuery, texts[0]].filter(Boolean).join('&'),
      hash: ownHash + texts[1],
    });
  }

  /** Whether an entry that comes into being is written here, and not by a link or a router of the page. */
  let isOwnEntry = false;

  /**
   * Writes an address. A sandboxed frame may refuse: the state is then in no address, and everything else works. The page's
   * own state of the entry goes along.
   *
   * @param {'pushState' | 'replaceState'} how
   * @param {string} address
   */
  function writeAddress(how, address) {
    if (address !== location.href) {
      try {
        isOwnEntry = true;
        history[how](history.state, '', address);
      } catch {}
      isOwnEntry = false;
    }
  }

  /**
   * Does what the browser would have done without a block behind the fragment: scrolls to its target, marks it, and lets
   * a router see its own part.
   */
  function openFragment() {
    const { hash, ownHash } = readAddress();
    const own = withoutOldBlocks(ownHash);
    const isRouter = isRoute(own);
    if (!isRouter && document.readyState !== 'complete') {
      window.addEventListener('load', openFragment, { once: true }); // until then browsers look for the target again
      return;
    }
    const isFirst = !hasOpened;
    hasOpened = true;
    if (!isFirst || own === '' || (hash.changes === null && own === ownHash)) {
      return;
    }
    const { state } = history;
    const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
    const isToScroll = entry?.type === 'navigate' && window.scrollY === 0; // else the reader has been here
    if (state !== null && !isRouter) {
      // Without its state of the entry a page that listens to popstate would go wrong.
      if (isToScroll) {
        targetOf(own)?.scrollIntoView();
      }
      return;
    }
    const isUnreadable = Array.from(keptByName.values()).some((kept) => find(kept) === null);
    const address = isUnreadable && !isRouter ? location.href : compose();
    const place = /** @type {ScrollToOptions} */ ({ left: window.scrollX, top: window.scrollY, behavior: 'instant' });
    try {
      location.replace(joinAddress({ ...splitAddress(location.href), hash: own }));
      history.replaceState(state, '', address);
    } catch {}
    if (!isToScroll) {
      window.scrollTo(place);
    }
  }

  /** A fragment without the blocks of the first version. @param {string} hash */
  function withoutOldBlocks(hash) {
    let own = hash;
    for (const name of keptByName.keys()) {
      own = readOldBlock(own, name).own;
    }
    return own;
  }

  /** @param {string} fragment */
  function targetOf(fragment) {
    try {
      return document.getElementById(decodeURIComponent(fragment));
    } catch {
      return null;
    }
  }

  /** A widget without an id is known by its place among those. @param {Element} widget */
  function nameOf({ id }) {
    let name = id || 'attention';
    for (let number = 2; id === '' && keptByName.has(name); number++) {
      name = `attention-${number}`;
    }
    return name;
  }

  /**
   * The page's address with the state of a widget that is kept in it, or null where nobody could open it: the address of a
   * page that came as a text.
   *
   * @param {import('./attention-widget.js').AttentionWidget} widget
   */
  function pageAddress(widget) {
    const kept = keptBefore.get(widget);
    if (kept === undefined || !/^(https?|file):/.test(location.href)) {
      return null;
    }
    const { now } = kept;
    kept.now = formatChanges(widget.state, kept.authored); // the event that tells of the state comes after the picture
    const address = compose(kept);
    kept.now = now;
    return address;
  }

  /**
   * Keeps a widget's state in the address until it is told to stop.
   *
   * @param {import('./attention-widget.js').AttentionWidget} widget  known by its id, which must not change
   * @param {object} actions
   * @param {Partial<LessonState>} actions.authored  what the author chose
   * @param {(changes: Partial<LessonState>) => void} actions.show  shows the author's state with some changes
   * @param {(isUnreadable: boolean) => void} actions.tell  whether the address holds what cannot be read
   * @returns {() => void}  stops
   */
  function keep(widget, { authored, show, tell }) {
    const before = keptBefore.get(widget);
    /** @type {Kept} */
    const kept = before ?? {
      name: nameOf(widget),
      now: '',
      written: '',
      path: null,
      authored,
      place: () => {
        const wish = widget.getAttribute('linked');
        return wish === 'query' || (wish !== 'hash' && isRouted(readAddress().ownHash)) ? 'query' : 'hash';
      },
    };
    keptBefore.set(widget, kept);
    keptByName.set(kept.name, kept);
    let timer = 0;

    const textOf = (/** @type {Partial<LessonState> | null} */ changes) =>
      formatChanges(completeState({ ...authored, ...changes }), authored);

    const read = () => {
      const changes = find(kept);
      if (changes === undefined) {
        // A link of the page, or its router, has written this entry: the state stays, and goes along. Others who listen
        // see the page's own address first.
        window.setTimeout(putBack);
        return;
      }
      window.clearTimeout(timer);
      tell(changes === null);
      kept.path = location.pathname;
      if (textOf(changes) !== kept.now) {
        show(changes ?? {});
        kept.now = formatChanges(widget.state, authored);
      }
      kept.written = kept.now;
    };

    const putBack = () => {
      const isHere = keptByName.get(kept.name) === kept && kept.path === location.pathname;
      if (isHere && kept.written !== '' && find(kept) === undefined) {
        writeAddress('replaceState', compose());
      }
    };

    const write = () => {
      if (kept.now === kept.written) {
        return;
      }
      if (find(kept) === undefined) {
        writeAddress('replaceState', compose()); // so that Back finds what the reader started from
      }
      const address = compose(kept);
      kept.written = kept.now;
      kept.path = location.pathname;
      tell(false);
      writeAddress('pushState', address);
    };

    const wait = (/** @type {Event} */ event) => {
      const { state } = /** @type {CustomEvent<{state: LessonState}>} */ (event).detail;
      kept.now = formatChanges(state, authored);
      window.clearTimeout(timer);
      timer = window.setTimeout(write, restMilliseconds);
    };

    const follow = (/** @type {any} */ event) => {
      if (event.navigationType === 'push' && !isOwnEntry) {
        read(); // a router's link: no other event tells of it
      }
    };

    kept.now = formatChanges(widget.state, authored); // in another window it may have changed
    const found = find(kept);
    if (before === undefined || !found || textOf(found) !== kept.written) {
      read();
    }
    if (kept.now !== kept.written) {
      timer = window.setTimeout(write, restMilliseconds);
    }
    queueMicrotask(openFragment); // after the other widgets that came with this one
    widget.addEventListener('attention-change', wait);
    window.addEventListener('popstate', read);
    window.addEventListener('hashchange', read);
    navigation?.addEventListener('currententrychange', follow);
    return () => {
      window.clearTimeout(timer);
      widget.removeEventListener('attention-change', wait);
      window.removeEventListener('popstate', read);
      window.removeEventListener('hashchange', read);
      navigation?.removeEventListener('currententrychange', follow);
      if (keptByName.get(kept.name) === kept) {
        keptByName.delete(kept.name);
      }
    };
  }

  return { pageAddress, keep };
}
