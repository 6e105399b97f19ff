// The element's class: state -> engine -> views. Importing this file registers nothing and touches no document.

import { asEngineError, EngineError } from '../engine/engine-error.js';
import { loadLessonEngine } from '../engine/lesson-module.js';
import { changesLocked, findProblem, isLocked, settingNames, settings } from '../engine/lesson-state.js';
import { formatLink, parseLink, readLink } from '../engine/link.js';
import { loadPictures, loadSibling } from '../export/load-sibling.js';
import { requirePicturable } from '../export/picture-limit.js';
import { toCSV } from '../export/tables.js';
import { messagesFor } from '../language/language.js';
import { kept, missingPart, OwnPromise } from '../platform/browser-parts.js';
import { workThrough } from '../platform/work-through.js';
import { plainText } from '../views/format.js';
import { explain } from '../views/problem.js';
import { placesIn } from '../views/reader-places.js';
import { adoptStyles, adoptStylesAgain } from '../views/style-sheet.js';
import { addressOf } from './address.js';
import { ChosenSettings } from './chosen-settings.js';
import { LoopGuard } from './loop-guard.js';
import { followWithProse } from './prose.js';
import { ReaderHistory } from './reader-history.js';
import { ShownPicture } from './shown-picture.js';
import { widgetStyles } from './styles.js';
import {
  createWidgetViews,
  showBareProblem,
  showPicture,
  showProblem,
  showProgress,
  showProgressAfter,
  showUnreadable,
} from './widget-views.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/lesson-state.js').SettingName} SettingName */
/** @typedef {import('../engine/setting-values.js').SettingChanges} SettingChanges */
/** @typedef {import('../engine/lesson-engine.js').LessonResult} LessonResult */

/** @import { Cell } from '../views/cells.js' */
/** @import { Place } from '../views/layer/cell-arithmetic.js' */
/** @import { WidgetViews } from './widget-views.js' */

/** Without a DOM, as on a server, the class can be imported and does nothing. */
const ElementBase = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));

/** @type {Set<AttentionWidget>} those whose engine did not start; the one that starts it brings all of them along */
const withoutEngine = new Set();

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
  static observedAttributes = [...nameOfAttribute.keys(), 'linked', 'src'];

  #chosen = new ChosenSettings();
  #history = new ReaderHistory();
  /** @type {import('../engine/lesson-engine.js').LessonEngine | null} */
  #engine = null;
  /** @type {LessonResult | null} */
  #result = null;
  /** @type {ShownPicture | null} */
  #picture = null;
  /** @type {LessonResult | null} the one that is on its way */
  #next = null;
  /** Everything about the result's state but its row and the walk's step. */
  #stateButRow = '';
  /** What is being computed, to be given up when the state changes. */
  #work = { isAborted: false };
  /** @type {EngineError | null} */
  #error = null;
  /** @type {Element | null | undefined} what had the focus before there was a way back */
  #focusBefore;
  /** @type {WidgetViews | null} */
  #views = null;
  #announced = '';
  #step = 0;
  /** @type {MutationObserver | undefined} looks out for a `lang` that changes on the element, or above it */
  #observer;
  /** @type {(() => void) | null} */
  #leaveAddress = null;
  /** @type {Partial<LessonState> | undefined} what was chosen before the address and the reader had a say */
  #authored;
  /** Whether the page's address or link held a state that cannot be read. */
  #isUnreadable = false;
  /** @type {string | null} the attribute `src` whose lesson the state lies on */
  #source = null;
  #isQueued = false;
  #guard = new LoopGuard(this);
  /** @type {Promise<void>} */
  #updated = kept;
  /** @type {(() => void) | null} settles `updated`; null when the picture matches */
  #settle = null;

  /**
   * The whole state, as plain JSON. Setting it replaces every setting; what it leaves out is default.
   *
   * @returns {LessonState}
   */
  get state() {
    return this.#chosen.state;
  }

  /** @param {(SettingChanges & import('../engine/setting-values.js').Projections) | null | undefined} state */
  set state(state) {
    this.#chosen.replace(state ?? {});
    this.#schedule();
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

  /** The address of a lesson as JSON, which the state lies on; '' where there is none. */
  get src() {
    return this.getAttribute('src') ?? '';
  }

  /** @param {string | URL | null | undefined} address */
  set src(address) {
    if (address) {
      this.setAttribute('src', String(address));
    } else {
      this.removeAttribute('src');
    }
  }

  /** Settles when the picture matches the state and speaks the language of its place. */
  get updated() {
    this.#followLanguage();
    return this.#updated;
  }

  connectedCallback() {
    this.#attempt(() => {
      const missing = missingPart();
      if (missing === undefined) {
        this.#connect();
      } else {
        this.#giveUp(missing);
      }
    });
  }

  #connect() {
    loadLessonEngine().catch(() => {}); // starts the engine while the views are built; the first update reports an error
    for (const name of ['state', 'link', 'linked', 'src', ...settingNames]) {
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
    this.#observer ??= new MutationObserver(() => this.#followLanguage());
    for (let node = /** @type {any} */ (this); node; node = node.host) {
      node = node.getRootNode();
      this.#observer.observe(node, { subtree: true, attributeFilter: ['lang'] });
    }
    this.#showLanguage();
    kept.then(() => this.#followLinked()); // some frameworks set properties after they have put an element in place
    this.#schedule();
  }

  /** Says that there is no picture because a browser's part is missing, as in a test's imitation of one. @param {string} part */
  #giveUp(part) {
    const message = messagesFor(this).messages.missing(part);
    this.#error = new EngineError(message);
    this.#showBareProblem(message);
    this.#dispatch('attention-error', { state: this.state, argument: null, message });
  }

  /** Into another document: a frame's, a window's, or back. */
  adoptedCallback() {
    if (this.shadowRoot !== null) {
      adoptStylesAgain(this.shadowRoot);
    }
    followWithProse(this.ownerDocument, AttentionWidget);
  }

  disconnectedCallback() {
    withoutEngine.delete(this);
    this.#leaveAddress?.();
    this.#leaveAddress = null;
    this.#observer?.disconnect();
    this.#views?.announcer.cancel();
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
    } else if (attribute === 'src') {
      this.#schedule();
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
      this.#authored ??= this.#chosen.copy();
      const authored = this.#authored;
      this.#leaveAddress = addressOf(this).keep(this, {
        authored,
        show: (changes) => {
          this.#chosen.restore(authored);
          this.change(changes);
        },
        tell: (isUnreadable) => this.tellUnreadable(isUnreadable),
      });
    }
  }

  /**
   * Changes some settings. A value is of the property's type or the attribute's text; null or undefined goes back to the
   * default. A row, a head or padding that is too large for the sentence or the heads then becomes the largest that fits,
   * unless it is given together with them.
   *
   * @param {SettingChanges} changes
   */
  change(changes) {
    this.#chosen.change(changes);
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
    if (this.#views !== null) {
      showUnreadable(this.#views, this.#isUnreadable, () => this.tellUnreadable(false));
    }
  }

  /**
   * The picture as an SVG document that needs no script. The code for it comes when it is first asked for.
   *
   * @throws {EngineError}  while there is no picture
   */
  async toSVG() {
    const { state, result } = this.#pictured();
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
    return toCSV(this.#pictured().result);
  }

  #pictured() {
    if (this.#error !== null || this.#picture === null) {
      throw this.#error ?? new EngineError('There is no picture yet, but `await element.updated` waits for it');
    }
    return this.#picture;
  }

  /** Changes what the reader may change: all of the settings, or none. @param {Partial<LessonState>} changes @returns {boolean}  whether all */
  #changeByReader(changes) {
    const { state } = this;
    const names = /** @type {SettingName[]} */ (Object.keys(changes));
    const isOther = (/** @type {SettingName} */ name) => JSON.stringify(changes[name]) !== JSON.stringify(state[name]);
    if (names.some((name) => isLocked(state, name) && isOther(name)) || changesLocked(state, changes.edits)) {
      return false;
    }
    const before = this.#chosen.of(names);
    this.#guard.letReaderPass();
    this.change(changes);
    // Changes of one entry are one deed, however long they take: the editor says where another begins.
    this.#history.add(deedOf(changes), before, this.#chosen.of(names), changes.edits ? 0 : performance.now());
    return true;
  }

  /** Undoes what the reader did, or does it again. @param {'before' | 'after'} way @returns {boolean}  whether there was any */
  #turn(way) {
    const changes = this.#history.turn(way);
    if (changes !== undefined) {
      this.#guard.letReaderPass();
      this.change(changes);
    }
    return changes !== undefined;
  }

  /** Where the place has another language than the picture, the picture is to change. */
  #followLanguage() {
    if (this.isConnected) {
      const { messages, arrival } = messagesFor(this);
      if (arrival || messages !== this.#views?.messages) {
        this.#schedule();
      }
    }
  }

  /** Builds the views in the language of the place; what the reader has opened, and the focus, stay where they were. */
  #showLanguage() {
    const { messages } = messagesFor(this);
    if (messages !== this.#views?.messages) {
      const putBack = this.#views && placesIn(this.#views.root);
      this.#views = this.#createViews(messages);
      /** @type {ShadowRoot} */ (this.shadowRoot).replaceChildren(this.#views.frame);
      this.#showUnreadable();
      this.#render();
      putBack?.(this.#views.root);
    }
  }

  /** Many changes, one update, before the browser next paints. */
  #schedule() {
    if (missingPart() !== undefined) {
      return; // the sentence stays
    }
    if (this.#settle === null) {
      this.#updated = new OwnPromise((resolve) => {
        this.#settle = resolve;
      });
    }
    if (!this.#isQueued && this.isConnected) {
      this.#isQueued = true;
      this.#update();
    }
  }

  async #update() {
    const work = { isAborted: false };
    this.#work.isAborted = true;
    this.#work = work;
    try {
      await this.#guard.beforeUpdate(); // the language's own microtask at least: pages replace the function that asks for one
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
      const source = this.getAttribute('src');
      if (source !== this.#source) {
        await this.#lieOn(source, work);
        if (work.isAborted) {
          return; // a later update has taken over
        }
      }
      const { state } = this;
      const problem = findProblem(state);
      if (problem !== null) {
        throw new EngineError(problem); // before JSON, which throws on what no setting can be
      }
      const key = JSON.stringify({ ...state, row: 0, step: 0 });
      const start = performance.now();
      const isDone = await workThrough(this.#steps(this.#engine, state, key), work, (share) => {
        this.#showProgress(performance.now() - start < showProgressAfter ? null : share);
      });
      if (!isDone) {
        return; // a later update has taken over
      }
      this.#showProgress(null);
      const result = /** @type {LessonResult} */ (this.#next);
      this.#result = result;
      const before = this.#picture;
      const pointed = key === this.#stateButRow && before?.pointed?.matrix !== 'A' ? before?.pointed : null;
      this.#stateButRow = key;
      this.#picture = new ShownPicture(this.#engine, state, result.head ?? result, before?.column ?? null, pointed);
      this.#error = null;
      this.#chosen.accept();
      const followed = this.#render();
      this.#announceChange();
      await followed;
    } catch (error) {
      this.#fail(error);
    }
    // A listener may have changed the state; then the next update settles the promise.
    if (this.isConnected && !this.#isQueued && this.#work === work && !this.#awaitLanguage()) {
      this.#settle?.();
      this.#settle = null;
    }
  }

  /** Reads the lesson that `src` names: what it says an author chose. @param {string | null} source @param {{isAborted: boolean}} work */
  async #lieOn(source, work) {
    let lesson = {};
    if (source !== null) {
      const { readLesson } = await loadSibling('read-lesson');
      lesson = await readLesson(source, this.baseURI, work, (/** @type {number} */ share) => this.#showProgress(share));
    }
    if (!work.isAborted) {
      this.#source = source;
      this.#chosen.lieOn(lesson);
      if (this.#authored !== undefined) {
        this.#authored = { ...lesson, ...this.#authored };
        this.#followLinked();
      }
    }
  }

  /** Whether the picture is to be shown again, in a language that is on its way or has just come. */
  #awaitLanguage() {
    try {
      const { messages, arrival } = messagesFor(this);
      if (arrival) {
        arrival.then(() => this.#schedule());
      } else if (this.#views !== null && messages !== this.#views.messages) {
        this.#schedule();
      } else {
        return false;
      }
      return true;
    } catch {
      return false; // the sentence says it already
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
    const views = /** @type {WidgetViews} */ (this.#views);
    const next = /** @type {LessonResult} */ (this.#next);
    yield* views.heatmap.paint(next.head ?? next);
    yield* views.heads.paint(next);
  }

  /** @param {import('../language/language.js').Messages} messages */
  #createViews(messages) {
    const select = (/** @type {Cell} */ cell) => this.#attempt(() => this.#select(cell));
    return createWidgetViews(messages, {
      change: (changes) => this.#changeByReader(changes),
      shown: () => this.#picture,
      history: this.#history,
      turn: (way) => this.#turn(way),
      select,
      selectKey: (column) => select({ row: /** @type {ShownPicture} */ (this.#picture).state.row, column }),
      point: (place) => this.#attempt(() => this.#views && this.#picture?.point(place, this.#views)),
      choose: (place) => this.#attempt(() => this.#choose(place)),
      repaint: () => this.#schedule(),
      dispatch: (type, detail) => this.#dispatch(type, detail),
      pageLink: () => (this.linked ? addressOf(this).pageAddress(this) : null),
      restore: () => this.#restore(),
      tryAgain: () => this.#tryAgain(),
    });
  }

  /** @param {number | null} share  null where nothing takes long */
  #showProgress(share) {
    const views = /** @type {WidgetViews} */ (this.#views);
    if (views.progress.hidden && views.problem.hidden) {
      this.#focusBefore = this.shadowRoot?.activeElement;
    }
    if (share === null && views.progress.matches(':focus-within')) {
      this.#goBack();
    }
    showProgress(views, share, this.#picture !== null);
  }

  /** @returns {Promise<void> | undefined}  settles when the panels out of sight show the state too */
  #render() {
    const views = this.#views;
    if (views === null || this.#picture === null) {
      return undefined;
    }
    showPicture(views);
    return this.#picture.render(views);
  }

  /** @param {Cell} cell */
  #select({ row, column }) {
    const picture = /** @type {ShownPicture} */ (this.#picture);
    if (row === picture.state.row) {
      picture.selectKey(column, /** @type {WidgetViews} */ (this.#views));
    } else {
      picture.column = column;
      this.#changeByReader({ row });
    }
  }

  /** An entry of the layer stands for a query, or for a key. @param {Place} place */
  #choose({ matrix, row, column }) {
    const picture = /** @type {ShownPicture} */ (this.#picture);
    if (matrix === 'S') {
      this.#select({ row, column });
    } else if (/^(K|V|context)$/.test(matrix)) {
      this.#select({ row: picture.state.row, column: row });
    } else if (/^[XQZ]$/.test(matrix)) {
      this.#changeByReader({ row });
    }
  }

  /** Tells the page, and the reader who listens, what the picture now shows. */
  #announceChange() {
    const { state, result } = /** @type {ShownPicture} */ (this.#picture);
    const { metrics } = result;
    const announced = JSON.stringify([state, metrics]);
    if (announced === this.#announced) {
      return;
    }
    const isFirst = this.#announced === '';
    const isStep = state.step !== this.#step;
    this.#step = state.step;
    this.#announced = announced;
    this.#dispatch('attention-change', { state: structuredClone(state), metrics: structuredClone(metrics) });
    if (!isFirst) {
      this.#views?.announcer.announce(state, metrics, isStep ? this.#views.walk.sentence.textContent : null);
    }
  }

  /** Says what is wrong in place of the picture, whatever does not work any more. @param {unknown} reason */
  #fail(reason) {
    const error = asEngineError(reason);
    this.#isQueued = false;
    this.#error = error;
    this.#announced = 'error'; // what mends it is announced
    /** @type {{state: LessonState | null, argument: string | null, message: string}} */
    let detail = { state: null, argument: null, message: error.message };
    try {
      this.#chosen.refuse();
      if (this.#engine === null) {
        withoutEngine.add(this);
      }
      const { state } = this;
      detail = { ...detail, state };
      const { argument, sentence } = this.#showProblem(error, state);
      detail = { state, argument, message: plainText(sentence) };
    } catch {
      this.#showBareProblem(error.message);
    }
    try {
      this.#dispatch('attention-error', detail);
    } catch {} // the page has replaced its events; the sentence is there
  }

  /** @param {EngineError} error @param {LessonState} state */
  #showProblem(error, state) {
    this.#showLanguage();
    const views = /** @type {WidgetViews} */ (this.#views);
    if (!this.shadowRoot?.contains(views.root)) {
      throw error;
    }
    this.#showProgress(null);
    const said = explain(views.messages, error);
    views.announcer.cancel();
    showProblem(views, { ...said, theme: state.theme, canRestore: this.#picture !== null });
    return said;
  }

  /** @param {string} sentence */
  #showBareProblem(sentence) {
    this.#views = null;
    showBareProblem(this.shadowRoot ?? this.attachShadow({ mode: 'open' }), sentence);
  }

  #tryAgain() {
    this.#schedule();
    this.#updated.then(() => this.#error === null && this.#goBack());
  }

  #restore() {
    this.state = /** @type {ShownPicture} */ (this.#picture).state;
    this.#views?.controls.restore();
    this.#updated.then(() => this.#goBack());
  }

  /** From a button that vanishes the focus goes where it came from, or to the picture. */
  #goBack() {
    const place = this.#focusBefore?.isConnected
      ? this.#focusBefore
      : this.#views?.root.querySelector('.map [tabindex="0"]');
    /** @type {HTMLElement} */ (place).focus();
  }

  /** @param {string} type @param {object} detail */
  #dispatch(type, detail) {
    const event = new CustomEvent(type, { bubbles: true, composed: true, detail });
    this.#guard.fire(() => this.dispatchEvent(event));
  }
}

/** What a change is of, for one that follows it. @param {Partial<LessonState>} changes */
function deedOf(changes) {
  const { matrix, head, row, column } = changes.edits?.at(-1) ?? {};
  return String([Object.keys(changes), matrix, head, row, column]);
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
