// The element's class: state -> engine -> views. Importing this file registers nothing and touches no document.

import { asEngineError, EngineError } from '../engine/engine-error.js';
import { loadLessonEngine } from '../engine/lesson-module.js';
import {
  completeState,
  findProblem,
  isLocked,
  parseProperty,
  settingNames,
  settings,
  tooLarge,
} from '../engine/lesson-state.js';
import { formatLink, parseLink, readLink } from '../engine/link.js';
import { loadPictures } from '../export/load-picture.js';
import { requirePicturable } from '../export/picture-limit.js';
import { toCSV } from '../export/tables.js';
import { speak } from '../language/language.js';
import { createPanels } from '../panels/panels.js';
import { workThrough, yieldToPage } from '../platform/work-through.js';
import { createArithmetic } from '../views/arithmetic.js';
import { createControls } from '../views/controls.js';
import { button, h, setAttribute, setMath, setStyle, setText } from '../views/dom.js';
import { createFigures } from '../views/figures.js';
import { formatFigure, plainText, rowOf } from '../views/format.js';
import { createHeads } from '../views/heads.js';
import { createHeatmap } from '../views/heatmap.js';
import { keepDragsInside, keepKeysInside } from '../views/keep-inside.js';
import { explain } from '../views/problem.js';
import { placesIn } from '../views/reader-places.js';
import { createRow } from '../views/row.js';
import { softmaxWord } from '../views/softmax-word.js';
import { adoptStyles, adoptStylesAgain } from '../views/style-sheet.js';
import { keepInAddress, pageAddress } from './address.js';
import { widgetStyles } from './styles.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-state.js').SettingName} SettingName */
/** @typedef {import('../engine/setting-values.js').SettingChanges} SettingChanges */
/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */
/** @typedef {import('../views/cells.js').Cell} Cell */

/** Without a DOM, as on a server, the class can be imported and does nothing. */
const ElementBase = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));

/** Milliseconds before long work shows its progress. */
const showProgressAfter = 150;

/** Milliseconds without a change before screen readers announce the figures. */
const announceAfter = 700;

/** So many changes in turn, each made by a handler of the event of the last, are told to the author as a loop. */
const roundsOfLoop = 100;

/** @type {Set<AttentionWidget>} those whose engine did not start; the one that starts it brings all of them along */
const withoutEngine = new Set();

/** Whether handlers of a widget's event are running. */
let isTelling = false;

/**
 * Gives the widget a natural width. Its container queries stop its content from having one, and a layout that asks for it,
 * such as a centred flex box or a table cell, would make the widget as narrow as its padding.
 *
 * @param {HTMLElement} root
 */
function withNaturalWidth(root) {
  const words = Array.from({ length: 3 }, () => h('span'));
  return h('div', { class: 'frame' }, h('div', { class: 'natural-width', 'aria-hidden': 'true' }, ...words), root);
}

/** What the widget cannot do without and some imitations of a browser lack. */
function missingHere() {
  if (globalThis.CSSStyleSheet?.prototype.replaceSync === undefined) {
    return 'CSSStyleSheet.replaceSync';
  }
  return ['IntersectionObserver', 'ResizeObserver'].find((name) => !(name in globalThis));
}

/** The language's own, whatever the page has put in its place. */
const OwnPromise = /** @type {PromiseConstructor} */ ((async () => {})().constructor);

/** @type {Map<string, SettingName>} */
const nameOfAttribute = new Map(settingNames.map((name) => [settings[name].attribute, name]));

/**
 * `<attention-widget>`: a sentence's self-attention, computed and drawn as its settings change.
 *
 * Attributes and properties write into one state, the later one winning; the reader's changes do too, and are not
 * written back into attributes. While a state cannot be computed the controls keep the last one that could.
 *
 * @fires attention-change  `detail: {state, metrics}`, when either changed
 * @fires attention-error   `detail: {state, argument, message}`, when a state cannot be computed
 */
export class AttentionWidget extends ElementBase {
  static observedAttributes = [...nameOfAttribute.keys(), 'linked'];

  /** @type {Partial<LessonState>} what attributes, properties and the reader have chosen; the rest is default */
  #chosen = {};
  /** @type {Set<string>} what was chosen since the last update: none of it is brought into the range of the others */
  #given = new Set();
  /** @type {import('../engine/lesson-engine.js').LessonEngine | null} */
  #engine = null;
  /** @type {LessonResult | null} */
  #result = null;
  /** @type {LessonResult | null} the result of the head that the picture shows */
  #picture = null;
  /** @type {LessonState | null} the state that the picture shows */
  #shown = null;
  /** @type {LessonResult | null} the one that is on its way */
  #next = null;
  /** Everything about the result's state but its row. */
  #stateButRow = '';
  /** What is being computed, to be given up when the state changes. */
  #work = new AbortController();
  /** @type {EngineError | null} */
  #error = null;
  /** @type {Element | null | undefined} what had the focus before there was a way back */
  #focusBefore;
  /** @type {ReturnType<AttentionWidget['buildViews']> | null} */
  #views = null;
  /** @type {number | null} the key whose arithmetic shows; null: the one that the highlighted query looks at most */
  #column = null;
  /** @type {Cell | null} */
  #pointed = null;
  #announced = '';
  /** Looks out for a `lang` that changes on the element, or above it. */
  #observer = new MutationObserver(() => this.#followLanguage());
  /** @type {(() => void) | null} */
  #leaveAddress = null;
  /** @type {Partial<LessonState> | undefined} what was chosen before the address and the reader had a say */
  #authored;
  /** Whether the page's address or link held a state that cannot be read. */
  #isUnreadable = false;
  #isQueued = false;
  /** Whether handlers have heard of a change since the page had its turn. */
  #hasTold = false;
  /** How often in turn a handler has changed the state. */
  #rounds = 0;
  #announceTimer = 0;
  /** @type {Promise<void>} */
  #updated = OwnPromise.resolve();
  /** @type {(() => void) | null} settles `updated`; null when the picture matches */
  #settle = null;

  /**
   * The whole state, as plain JSON. Setting it replaces every setting; what it leaves out is default.
   *
   * @returns {LessonState}
   */
  get state() {
    const state = completeState(this.#chosen);
    for (const [name, most] of tooLarge(state)) {
      if (!this.#given.has(name)) {
        state[name] = most;
      }
    }
    return Array.isArray(state.tokens) ? { ...state, tokens: [...state.tokens] } : state;
  }

  /** @param {SettingChanges | null | undefined} state */
  set state(state) {
    this.#chosen = {};
    this.#given.clear();
    this.change(Object.fromEntries(Object.entries(state ?? {}).filter(([name]) => name in settings)));
  }

  /** What the engine gave for the state that the picture shows; null while there is no picture. */
  get result() {
    return this.#error === null ? this.#result : null;
  }

  /** Why the present state cannot be computed, or null. */
  get error() {
    return this.#error;
  }

  /**
   * The whole state as the query of an address, "v=1&d-k=64". Setting it passes over what it does not know.
   *
   * @returns {string}
   */
  get link() {
    return formatLink(this.state);
  }

  /** @param {string} link */
  set link(link) {
    this.state = parseLink(link);
    this.tellUnreadable(!readLink(link).isWhole);
  }

  /**
   * Whether the page's address keeps the state. It reflects the attribute, which frameworks also write as "true" or
   * "false".
   *
   * @returns {boolean}
   */
  get linked() {
    return (this.getAttribute('linked') ?? 'false') !== 'false';
  }

  /** @param {boolean | '' | 'hash' | 'query' | 'true' | 'false' | null | undefined} linked */
  set linked(linked) {
    if ((linked ?? false) === false) {
      this.removeAttribute('linked');
    } else {
      this.setAttribute('linked', linked === true ? '' : String(linked));
    }
  }

  /** Settles when the picture matches the state and speaks the language of its place. */
  get updated() {
    this.#followLanguage();
    return this.#updated;
  }

  connectedCallback() {
    const missing = missingHere();
    if (missing === undefined) {
      this.#attempt(() => this.#connect());
    } else {
      this.#giveUp(missing);
    }
  }

  #connect() {
    loadLessonEngine().catch(() => {}); // starts the engine while the views are built; the first update reports an error
    for (const name of ['state', 'link', 'linked', ...settingNames]) {
      // A property set before the element was defined lies on the instance and would hide the class's accessor.
      if (Object.hasOwn(this, name)) {
        const value = /** @type {any} */ (this)[name];
        delete (/** @type {any} */ (this)[name]);
        /** @type {any} */ (this)[name] = value;
      }
    }
    if (this.#views === null) {
      adoptStyles(this.shadowRoot ?? this.attachShadow({ mode: 'open' }), widgetStyles);
    }
    for (let node = /** @type {any} */ (this); node; node = node.host) {
      node = node.getRootNode();
      this.#observer.observe(node, { subtree: true, attributeFilter: ['lang'] });
    }
    this.#showLanguage();
    queueMicrotask(() => this.#followLinked()); // some frameworks set properties after they have put an element in place
    this.#schedule();
  }

  /** Says that there is no picture because a browser's part is missing, as in a test's imitation of one. @param {string} part */
  #giveUp(part) {
    const message = speak(this).messages.missing(part);
    this.#error = new EngineError(message);
    this.#showBareProblem(message);
    this.#dispatch('attention-error', { state: this.state, argument: null, message });
  }

  /** Into another document: a frame's, a window's, or back. */
  adoptedCallback() {
    if (this.shadowRoot !== null) {
      adoptStylesAgain(this.shadowRoot);
    }
  }

  disconnectedCallback() {
    withoutEngine.delete(this);
    this.#leaveAddress?.();
    this.#leaveAddress = null;
    this.#observer.disconnect();
    clearTimeout(this.#announceTimer);
  }

  /**
   * @param {string} attribute
   * @param {string | null} before
   * @param {string | null} text
   */
  attributeChangedCallback(attribute, before, text) {
    const name = nameOfAttribute.get(attribute);
    if (name !== undefined) {
      this.change({ [name]: text });
    } else if (before !== text && this.#views !== null && this.isConnected) {
      this.#followLinked(); // the first time waits for the other attributes and properties
    }
  }

  /** @override @param {string} attribute  or a property's name */
  removeAttribute(attribute) {
    // Vue writes 0 into a property that holds a number, and then removes the attribute, which was never there.
    super.removeAttribute(attribute);
    const name = nameOfAttribute.get(attribute) ?? attribute;
    if (name in settings) {
      this.change({ [name]: null });
    }
  }

  /** Keeps the state in the address where the page asks for it, and leaves the address alone elsewhere. */
  #followLinked() {
    this.#leaveAddress?.();
    this.#leaveAddress = null;
    if (this.isConnected && this.linked) {
      this.#authored ??= { ...this.#chosen };
      const authored = this.#authored;
      this.#leaveAddress = keepInAddress(this, {
        authored,
        show: (changes) => {
          this.#chosen = { ...authored };
          this.#given.clear();
          this.change(changes);
        },
        tell: (isUnreadable) => this.tellUnreadable(isUnreadable),
      });
    }
  }

  /**
   * Changes some settings. A value is of the property's type or the attribute's text; null or undefined goes back to the
   * default. A row, and a head, that the sentence, or the heads, no longer have becomes the last one, unless it is given
   * together with them.
   *
   * @param {SettingChanges} changes
   */
  change(changes) {
    for (const [name, value] of Object.entries(changes)) {
      const parsed = parseProperty(/** @type {SettingName} */ (name), value);
      /** @type {Record<string, unknown>} */ (this.#chosen)[name] = parsed;
      if (parsed === undefined) {
        this.#given.delete(name);
      } else {
        this.#given.add(name);
      }
    }
    this.#schedule();
  }

  /** @protected for the page in a frame */
  static readLink = readLink;

  /**
   * Says, or no longer says, that an address held a state that cannot be read.
   *
   * @private
   * @param {boolean} isUnreadable
   */
  tellUnreadable(isUnreadable) {
    if (isUnreadable && !this.#isUnreadable) {
      console.warn('attention-widget: the address holds a state that cannot be read: it was cut off or changed', this);
    }
    this.#isUnreadable = isUnreadable;
    this.#showUnreadable();
  }

  #showUnreadable() {
    const { root, messages } = this.#views ?? {};
    root?.querySelector('.unreadable')?.remove();
    if (root && messages && this.#isUnreadable) {
      const dismiss = button(messages.dismiss, () => this.tellUnreadable(false));
      root.prepend(h('div', { class: 'unreadable', role: 'status' }, h('span', {}, messages.unreadable), dismiss));
    }
  }

  /**
   * The picture as an SVG document that needs no script. The code for it comes when it is first asked for.
   *
   * @throws {EngineError}  while there is no picture
   */
  async toSVG() {
    const [state, result] = this.#pictured();
    requirePicturable(result);
    const { pictureOf, toSVG } = await loadPictures();
    return toSVG(pictureOf(state, result, /** @type {any} */ (this.#views).messages));
  }

  /**
   * The picture's numbers, a line for each query and key.
   *
   * @throws {EngineError}  while there is no picture
   */
  toCSV() {
    return toCSV(this.#pictured()[1]);
  }

  /** @returns {[LessonState, LessonResult]} */
  #pictured() {
    if (this.#error !== null || this.#shown === null || this.#picture === null) {
      throw this.#error ?? new EngineError('There is no picture yet, but `await element.updated` waits for it');
    }
    return [this.#shown, this.#picture];
  }

  /** Changes what the reader may change: all of the settings, or none. @param {Partial<LessonState>} changes */
  #changeByReader(changes) {
    const { state } = this;
    const names = /** @type {SettingName[]} */ (Object.keys(changes));
    if (!names.some((name) => isLocked(state, name) && String(changes[name]) !== String(state[name]))) {
      this.#hasTold = false; // what a reader does waits for nobody
      this.change(changes);
    }
  }

  /** Where the place has another language than the picture, the picture is to change. */
  #followLanguage() {
    if (this.isConnected) {
      const { messages, arrival } = speak(this);
      if (arrival || messages !== this.#views?.messages) {
        this.#schedule();
      }
    }
  }

  /** Builds the views in the language of the place; what the reader has opened, and the focus, stay where they were. */
  #showLanguage() {
    const { messages } = speak(this);
    if (messages !== this.#views?.messages) {
      const putBack = this.#views && placesIn(this.#views.root);
      this.#views = this.buildViews(messages);
      /** @type {ShadowRoot} */ (this.shadowRoot).replaceChildren(withNaturalWidth(this.#views.root));
      this.#showUnreadable();
      this.#render();
      putBack?.(this.#views.root);
    }
  }

  /** Many changes, one update, before the browser next paints. */
  #schedule() {
    if (missingHere() !== undefined) {
      return; // the sentence stays
    }
    if (this.#settle === null) {
      this.#updated = new OwnPromise((resolve) => {
        this.#settle = resolve;
      });
    }
    if (!this.#isQueued && this.isConnected) {
      this.#isQueued = true;
      this.#work.abort();
      if (isTelling) {
        this.#rounds++;
        if (this.#rounds === roundsOfLoop) {
          console.warn(
            `attention-widget: a handler has changed the state ${roundsOfLoop} times in turn: it loops`,
            this,
          );
        }
      } else {
        this.#rounds = 0;
      }
      if (this.#hasTold) {
        yieldToPage().then(() => this.#update());
      } else {
        this.#update();
      }
    }
  }

  async #update() {
    await undefined; // the language's own microtask: pages replace the function that asks for one
    const work = new AbortController();
    this.#work.abort();
    this.#work = work;
    try {
      this.#engine ??= await loadLessonEngine();
      this.#isQueued = false;
      withoutEngine.delete(this);
      for (const widget of withoutEngine) {
        withoutEngine.delete(widget);
        widget.#schedule();
      }
      if (!this.isConnected) {
        return; // the next connection schedules an update
      }
      this.#showLanguage();
      const { state } = this;
      const problem = findProblem(state);
      if (problem !== null) {
        throw new EngineError(problem);
      }
      const key = JSON.stringify({ ...state, row: 0 });
      const start = performance.now();
      const isDone = await workThrough(this.#steps(this.#engine, state, key), work.signal, (share) => {
        this.#showProgress(performance.now() - start < showProgressAfter ? null : share);
      });
      if (!isDone) {
        return; // a later update has taken over
      }
      this.#showProgress(null);
      this.#result = this.#next;
      this.#stateButRow = key;
      this.#picture = this.#result?.head ?? this.#result;
      this.#shown = state;
      this.#error = null;
      this.#given.clear();
      this.#pointed = null;
      const followed = this.#render();
      this.#announceChange();
      await followed;
    } catch (error) {
      this.#isQueued = false;
      const wrong = tooLarge(this.state).map(([name]) => name);
      this.#given = new Set(wrong.filter((name) => this.#given.has(name)));
      this.#fail(error);
    }
    // A listener may have changed the state; then the next update settles the promise.
    if (this.isConnected && !this.#isQueued && this.#work === work) {
      const { messages, arrival } = speak(this);
      if (arrival) {
        arrival.then(() => this.#schedule());
      } else if (this.#views !== null && messages !== this.#views.messages) {
        this.#schedule(); // they came while the picture was computed
      } else {
        this.#settle?.();
        this.#settle = null;
      }
    }
  }

  /** Does what an event asks for. What it throws ends in the sentence. @param {() => void} act */
  #attempt(act) {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * What takes time about a picture, in slices; gives the share that is done.
   *
   * @param {import('../engine/lesson-engine.js').LessonEngine} engine
   * @param {LessonState} state
   * @param {string} key
   */
  *#steps(engine, state, key) {
    const { row } = state;
    if (this.#result !== null && key === this.#stateButRow && row in this.#result.tokens) {
      this.#next = engine.highlight(this.#result, state);
    } else {
      for (const step of engine.lessonInSlices(state)) {
        if (typeof step === 'number') {
          yield step;
        } else {
          this.#next = step;
        }
      }
    }
    const views = /** @type {ReturnType<AttentionWidget['buildViews']>} */ (this.#views);
    const next = /** @type {LessonResult} */ (this.#next);
    yield* views.heatmap.paint(next.head ?? next);
    yield* views.heads.paint(next);
  }

  /** @private @param {import('../language/language.js').Messages} messages */
  buildViews(messages) {
    const select = (/** @type {Cell} */ { row, column }) => this.#attempt(() => this.#select(row, column));
    const point = (/** @type {Cell | null} */ cell) => this.#attempt(() => this.#point(cell));
    const controls = createControls(messages, (change) => this.#changeByReader(change));
    const figures = createFigures(messages);
    const heads = createHeads(
      messages,
      (head) => this.#changeByReader({ head }),
      () => this.#schedule(),
    );
    const heatmap = createHeatmap(messages, {
      select,
      point,
      repaint: () => this.#schedule(),
    });
    const row = createRow(messages, (column) => select({ row: /** @type {LessonState} */ (this.#shown).row, column }));
    const arithmetic = createArithmetic(messages);
    const panels = createPanels(messages, {
      change: (changes) => this.#changeByReader(changes),
      select,
      point,
      dispatch: (type, detail) => this.#dispatch(type, detail),
      pageLink: () => (this.linked ? pageAddress(this) : null),
    });
    const picture = h(
      'div',
      { class: 'picture', hidden: true },
      figures.root,
      heads.root,
      h('div', { class: 'main' }, heatmap.root, h('div', { class: 'side' }, row.root, arithmetic.root)),
      panels.root,
    );
    const sentence = h('p', {});
    const restore = button(messages.restore, () => this.#restore());
    const again = button(messages.again, () => this.#tryAgain());
    const ways = h('div', { class: 'ways' }, restore, again);
    const problem = h('div', { class: 'problem', part: 'problem', role: 'alert', hidden: true }, sentence, ways);
    const bar = h('progress', { 'aria-label': messages.computing });
    const cancel = button(messages.cancel, () => this.#restore());
    const progress = h('div', { class: 'progress', hidden: true }, h('div', {}, messages.computing, bar, cancel));
    const loading = h('p', { class: 'loading' });
    setTimeout(() => setText(loading, messages.loading), showProgressAfter); // a text on the first frame would delay the picture
    const announcer = h('p', { class: 'announcer', 'aria-live': 'polite' });
    controls.root.hidden = true;
    const root = h(
      'div',
      { class: 'widget', part: 'widget', lang: messages.locale, dir: messages.direction },
      ...[controls.root, progress, problem, picture, loading, announcer],
    );
    root.addEventListener('keydown', keepKeysInside);
    for (const type of ['pointerdown', 'pointermove', 'touchstart', 'touchmove']) {
      root.addEventListener(type, keepDragsInside, { passive: true });
    }
    return {
      root,
      messages,
      controls,
      figures,
      heads,
      heatmap,
      row,
      arithmetic,
      panels,
      picture,
      progress,
      bar,
      cancel,
      problem,
      sentence,
      restore,
      again,
      loading,
      announcer,
    };
  }

  /** @param {number | null} share  null where nothing takes long */
  #showProgress(share) {
    const views = /** @type {ReturnType<AttentionWidget['buildViews']>} */ (this.#views);
    const { progress, problem, bar, cancel } = views;
    if (progress.hidden && problem.hidden) {
      this.#focusBefore = this.shadowRoot?.activeElement;
    }
    if (share === null && progress.matches(':focus-within')) {
      this.#goBack();
    }
    progress.hidden = share === null;
    bar.value = share ?? 0;
    cancel.hidden = this.#shown === null;
  }

  /** @returns {Promise<void> | undefined}  settles when the panels out of sight show the state too */
  #render() {
    const views = this.#views;
    const state = this.#shown;
    if (views === null || state === null || this.#picture === null) {
      return undefined;
    }
    setAttribute(views.root, 'data-theme', state.theme);
    views.loading.remove();
    views.problem.hidden = true;
    views.picture.hidden = false;
    views.controls.root.hidden = false;
    views.controls.update(state);
    views.figures.update(this.#picture, state);
    views.heads.update(state);
    views.row.update(this.#picture, this.#selected);
    this.#renderCells();
    return views.panels.update({
      engine: /** @type {import('../engine/lesson-engine.js').LessonEngine} */ (this.#engine),
      state,
      result: this.#picture,
      selected: this.#selected,
      pointed: this.#pointed,
    });
  }

  /** What follows the pointer: the heatmap's lights, and the arithmetic of the cell under it. */
  #renderCells() {
    const views = this.#views;
    if (views === null || this.#shown === null || this.#picture === null || this.#engine === null) {
      return;
    }
    const selected = this.#selected;
    const cell = this.#pointed ?? selected;
    const state = { ...this.#shown, row: cell.row };
    views.heatmap.update(this.#picture, selected, this.#pointed);
    const result = cell.row === selected.row ? this.#picture : this.#engine.highlight(this.#picture, state);
    views.arithmetic.update(result, state, cell, cell.row !== selected.row);
  }

  /** @returns {Cell} */
  get #selected() {
    const { row } = /** @type {LessonState} */ (this.#shown);
    const { weights, metrics, tokens } = /** @type {LessonResult} */ (this.#picture);
    if (this.#column !== null && this.#column < tokens.length) {
      return { row, column: this.#column };
    }
    const column = rowOf(weights, row).indexOf(metrics.peak[row]);
    return { row, column: Math.max(0, column) };
  }

  /** @param {number} row @param {number} column */
  #select(row, column) {
    this.#column = column;
    if (row === this.#shown?.row) {
      this.#pointed = null;
      this.#render();
    } else {
      this.#changeByReader({ row });
    }
  }

  /** @param {Cell | null} cell */
  #point(cell) {
    if (cell?.row !== this.#pointed?.row || cell?.column !== this.#pointed?.column) {
      this.#pointed = cell;
      this.#renderCells();
      this.#views?.panels.point(cell);
    }
  }

  /** Tells the page, and the reader who listens, what the picture now shows. */
  #announceChange() {
    const state = /** @type {LessonState} */ (this.#shown);
    const { metrics } = /** @type {LessonResult} */ (this.#picture);
    const announced = JSON.stringify([state, metrics]);
    if (announced === this.#announced) {
      return;
    }
    const isFirst = this.#announced === '';
    this.#announced = announced;
    this.#dispatch('attention-change', { state: structuredClone(state), metrics: structuredClone(metrics) });
    if (!isFirst) {
      this.#announce(state, metrics);
    }
  }

  /** @param {LessonState} state @param {import('../engine/lesson-engine.js').Metrics} metrics */
  #announce({ row, dK }, metrics) {
    clearTimeout(this.#announceTimer);
    this.#announceTimer = window.setTimeout(() => {
      const { messages, announcer } = /** @type {ReturnType<AttentionWidget['buildViews']>} */ (this.#views);
      const text = messages.announce({
        width: dK,
        spread: formatFigure(metrics.spread, messages),
        peak: formatFigure(metrics.peak[row], messages),
        state: softmaxWord(messages, metrics, row),
        gradient: messages.gradientState[metrics.gradient[row]],
      });
      setText(announcer, plainText(text));
    }, announceAfter);
  }

  /** Says what is wrong in place of the picture, whatever does not work any more. @param {unknown} reason */
  #fail(reason) {
    const error = asEngineError(reason);
    this.#error = error;
    this.#announced = 'error'; // what mends it is announced
    if (this.#engine === null) {
      withoutEngine.add(this);
    }
    /** @type {{argument: string | null, sentence: string}} */
    let said = { argument: null, sentence: error.message };
    /** @type {LessonState | null} */
    let state = null;
    try {
      state = this.state;
      said = this.#showProblem(error, state);
    } catch {
      this.#showBareProblem(error.message);
    }
    this.#dispatch('attention-error', { state, argument: said.argument, message: plainText(said.sentence) });
  }

  /** @param {EngineError} error @param {LessonState} state */
  #showProblem(error, state) {
    this.#showLanguage();
    const views = /** @type {ReturnType<AttentionWidget['buildViews']>} */ (this.#views);
    if (!this.shadowRoot?.contains(views.root)) {
      throw error;
    }
    this.#showProgress(null);
    const said = explain(views.messages, error);
    clearTimeout(this.#announceTimer);
    setAttribute(views.root, 'data-theme', state.theme === 'light' || state.theme === 'dark' ? state.theme : 'auto');
    setMath(views.sentence, said.sentence);
    if (!views.picture.hidden) {
      setStyle(views.problem, 'min-block-size', `${views.picture.offsetHeight}px`); // so that the page does not jump
    }
    views.restore.hidden = this.#shown === null;
    views.again.hidden = said.argument !== null;
    views.loading.remove();
    views.picture.hidden = true;
    views.problem.hidden = false;
    return said;
  }

  /** The sentence where there are no views, by nothing but the browser's own. @param {string} sentence */
  #showBareProblem(sentence) {
    this.#views = null;
    const problem = document.createElement('p');
    problem.setAttribute('part', 'problem');
    problem.setAttribute('role', 'alert');
    problem.textContent = sentence;
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.textContent = '';
    root.appendChild(problem);
  }

  #tryAgain() {
    this.#schedule();
    this.#updated.then(() => this.#error === null && this.#goBack());
  }

  #restore() {
    this.state = /** @type {LessonState} */ (this.#shown);
    this.#views?.controls.restore();
    this.#updated.then(() => this.#goBack());
  }

  /** From a button that vanishes the focus goes where it came from, or to the picture. */
  #goBack() {
    const place = this.#focusBefore?.isConnected
      ? this.#focusBefore
      : this.#views?.root.querySelector('[tabindex="0"]');
    /** @type {HTMLElement} */ (place).focus();
  }

  /** @param {string} type @param {object} detail */
  #dispatch(type, detail) {
    isTelling = true;
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
    isTelling = false;
    if (!this.#hasTold) {
      this.#hasTold = true; // until the page has had its turn
      yieldToPage().then(() => {
        this.#hasTold = false;
      });
    }
  }
}

for (const name of settingNames) {
  Object.defineProperty(AttentionWidget.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return this.state[name];
    },
    set(value) {
      // Preact writes '' where a property is taken away. To `panels` it says what it says as an attribute: none.
      this.change({ [name]: value === '' && name !== 'panels' ? null : value });
    },
  });
}
