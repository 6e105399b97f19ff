// Editing an entry of the layer: a field in its place, keys that count it up and down, and a drag. Each change is an edit
// of the state, the last in its list, and the picture follows it.

import { changesLocked, isLocked } from '../engine/lesson-state.js';
import { matricesIn, symbolOfMatrix } from '../engine/own-matrices.js';
import { button, h, setAttribute, setHidden, setMath, setText, windowOf } from '../views/dom.js';
import { format, localised, readNumber } from '../views/format.js';
import { entryAt } from '../views/layer/matrix.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../engine/own-matrices.js').MatrixName} MatrixName */
/** @typedef {import('../engine/own-matrices.js').MatrixEdit} MatrixEdit */
/** @typedef {import('../language/language.js').Messages} Messages */

/** An entry of what the picture shows. @typedef {{matrix: MatrixName, row: number, column: number}} Entry */

/**
 * What the editor asks of the widget.
 *
 * @typedef {object} EditorActions
 * @property {() => {engine: import('../engine/lesson-engine.js').LessonEngine, state: LessonState, result: import('../engine/lesson-engine.js').LessonResult} | null} shown  the picture's
 * @property {(changes: Partial<LessonState>) => void} change
 * @property {import('../element/reader-history.js').ReaderHistory} history
 * @property {(way: 'before' | 'after') => boolean} turn
 */

/** How far a pointer goes for a step, in CSS pixels. */
const pixelsOfStep = 4;

const step = 0.1;
const largeStep = 1;

/** What a number becomes by so many steps. Digits that 0.1 leaves behind in binary are not shown to anyone. @param {number} value @param {number} by */
export function stepped(value, by) {
  const next = value + by;
  return Math.abs(next) < 1e9 ? Number(next.toFixed(10)) : next;
}

/**
 * The edits after an entry has another value.
 *
 * @param {LessonState} state
 * @param {Entry} entry
 * @param {number} value
 * @returns {MatrixEdit[]}
 */
export function withEdit(state, entry, value) {
  const head = entry.matrix === 'X' ? 0 : state.head;
  return [...withoutEdit(state, entry), { ...entry, value, ...(head > 0 && { head }) }];
}

/** The edits of everything else. @param {LessonState} state @param {Entry} entry @returns {MatrixEdit[]} */
export function withoutEdit({ edits, head }, { matrix, row, column }) {
  return edits.filter(
    (edit) =>
      edit.matrix !== matrix ||
      edit.row !== row ||
      edit.column !== column ||
      (matrix !== 'X' && (edit.head ?? 0) !== head),
  );
}

/**
 * @param {HTMLElement} layer  with its matrices in it
 * @param {Messages} messages
 * @param {EditorActions} actions
 */
export function createEditor(layer, messages, { shown, change, history, turn }) {
  const texts = messages.numbers;
  /** @type {Entry | null} the entry in the field */
  let open = null;
  /** Whether the entry in the field, or under the pointer, has been changed. */
  let isChanged = false;
  /** Whether a drag has just ended: the click that follows it chooses nothing. */
  let hasDragged = false;

  const name = h('label', { for: 'edit' });
  const input = h('input', {
    id: 'edit',
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    spellcheck: 'false',
    part: 'entry',
    'aria-describedby': 'edit-hint',
    input: () => typed(),
  });
  const hint = h('p', { id: 'edit-hint' }, texts.hint);
  const problem = h('p', { role: 'alert', hidden: true });
  const count = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {number} */ by) =>
    button(sign, (event) => countBy(by * (event.shiftKey ? largeStep : step)), { 'aria-label': title, tabindex: '-1' });
  const field = h(
    'div',
    { class: 'edit-field', hidden: true },
    name,
    input,
    h('div', { class: 'steps' }, count('▲', texts.more, 1), count('▼', texts.less, -1)),
    hint,
    problem,
  );

  /** What the picture shows of it. @param {MatrixName} matrix */
  const tensorOf = (matrix) =>
    /** @type {import('../engine/lesson-engine.js').Tensor} */ (
      /** @type {NonNullable<ReturnType<typeof shown>>} */ (shown()).result[matrix]
    );

  /** @param {Entry} entry */
  const numberAt = ({ matrix, row, column }) => {
    const { data, shape } = tensorOf(matrix);
    return data[row * shape[1] + column];
  };

  /** @param {Entry} entry @param {number} value */
  const set = (entry, value) => {
    const now = shown();
    if (now !== null && Number.isFinite(value)) {
      isChanged = true;
      change({ edits: withEdit(now.state, entry, value) });
    }
  };

  const begin = () => {
    isChanged = false;
    history.begin();
  };

  const takeBack = () => {
    if (isChanged) {
      turn('before');
    }
  };

  const written = (/** @type {number} */ value) => localised(String(value), messages);

  const typed = () => {
    const value = readNumber(input.value, messages);
    const isNumber = Number.isFinite(value);
    setAttribute(input, 'aria-invalid', isNumber ? null : 'true');
    setHidden(problem, isNumber);
    setText(problem, isNumber ? '' : texts.noNumber(messages.quoted(input.value)));
    if (isNumber && open !== null) {
      set(open, Number(value));
    }
  };

  /** @param {number} by */
  const countBy = (by) => {
    if (open !== null) {
      const value = readNumber(input.value, messages);
      input.value = written(stepped(Number.isFinite(value) ? Number(value) : numberAt(open), by));
      typed();
      input.focus({ preventScroll: true });
    }
  };

  /** @param {boolean} [isTaken]  whether the change stays */
  const close = (isTaken = true) => {
    if (open === null) {
      return;
    }
    if (!isTaken) {
      takeBack();
    }
    const entry = /** @type {HTMLElement | null} */ (planeOf(open.matrix)?.querySelector('.entry'));
    const hadFocus = field.matches(':focus-within');
    open = null;
    setHidden(field, true);
    if (hadFocus) {
      entry?.focus({ preventScroll: true });
    }
  };

  /** @param {Entry} entry */
  const openAt = (entry) => {
    const now = shown();
    const plane = planeOf(entry.matrix);
    if (now === null || plane === null) {
      return;
    }
    if (isRefused(now.state, entry)) {
      return;
    }
    open = entry;
    begin();
    const [rows, columns] = tensorOf(entry.matrix).shape;
    setMath(name, texts.entry(symbolOfMatrix(entry.matrix), entry.row + 1, entry.column + 1));
    input.value = written(numberAt(entry));
    clearProblem();
    layer.append(field);
    setHidden(field, false);
    // Below the entry, and inside of the picture.
    const [frame, box] = [layer, plane].map((element) => element.getBoundingClientRect());
    const left = box.left - frame.left + (box.width * (entry.column + 0.5)) / columns;
    const top = box.top - frame.top + (box.height * (entry.row + 1)) / rows + 6;
    field.style.left = `${Math.max(0, Math.min(left - field.offsetWidth / 2, frame.width - field.offsetWidth))}px`;
    field.style.top = `${top}px`;
    input.focus({ preventScroll: true });
    input.select();
  };

  const clearProblem = () => {
    setAttribute(input, 'aria-invalid', null);
    setHidden(problem, true);
  };

  /** @param {string} matrix @returns {HTMLElement | null} */
  const planeOf = (matrix) => layer.querySelector(`.matrix[data-matrix="${matrix}"]:not([hidden]) .entries`);

  /** @param {LessonState} state @param {Entry} entry */
  const isRefused = (state, entry) =>
    isLocked(state, 'edits') || changesLocked(state, withEdit(state, entry, Number.NaN));

  /** The matrix of a place in the picture, where it can be edited. @param {Element} target @returns {MatrixName | null} */
  const editableAt = (target) => {
    const plane = target.closest?.('.entries');
    const matrix = /** @type {HTMLElement | undefined} */ (plane?.parentElement)?.dataset.matrix;
    const now = shown();
    return now !== null && matricesIn(now.state).some((each) => each === matrix)
      ? /** @type {MatrixName} */ (matrix)
      : null;
  };

  /** @param {MatrixName} matrix @param {{clientX: number, clientY: number}} at @returns {Entry} */
  const entryUnder = (matrix, at) => {
    const [row, column] = entryAt(/** @type {HTMLElement} */ (planeOf(matrix)), at, tensorOf(matrix).shape);
    return { matrix, row, column };
  };

  /** The entry that the keyboard is at. @param {MatrixName} matrix @returns {Entry} */
  const entryOfFocus = (matrix) => {
    const cell = /** @type {HTMLElement} */ (planeOf(matrix)).querySelector('.entry');
    const place = (/** @type {Element | null | undefined} */ element, /** @type {string} */ attribute) =>
      Number(element?.getAttribute(attribute)) - 1;
    return { matrix, row: place(cell?.parentElement, 'aria-rowindex'), column: place(cell, 'aria-colindex') };
  };

  /** @param {PointerEvent} event @param {MatrixName} matrix */
  const drag = (event, matrix) => {
    const { pointerId, pointerType, clientY, button: pressed } = event;
    const isOfFinger = pointerType === 'touch';
    const entry = isOfFinger ? entryOfFocus(matrix) : entryUnder(matrix, event);
    const now = shown();
    const plane = planeOf(matrix);
    const isOnFocus = /** @type {Element} */ (event.target).matches?.('.entry');
    if (pressed !== 0 || now === null || plane === null || (isOfFinger && !isOnFocus) || isRefused(now.state, entry)) {
      return;
    }
    begin();
    const from = numberAt(entry);
    let isDragging = false;
    const move = (/** @type {PointerEvent} */ to) => {
      if (to.buttons === 0) {
        end(); // let go of while this script was on its way
        return;
      }
      const steps = Math.round((clientY - to.clientY) / pixelsOfStep);
      if (to.pointerId !== pointerId || (!isDragging && Math.abs(steps) < 2)) {
        return;
      }
      if (!isDragging) {
        isDragging = true;
        plane.setPointerCapture(pointerId);
      }
      to.preventDefault();
      set(entry, stepped(from, steps * (to.shiftKey ? largeStep : step)));
    };
    const end = () => {
      hasDragged = isDragging;
      for (const [type, listener] of listeners) {
        view.removeEventListener(type, listener, true);
      }
      setTimeout(() => {
        hasDragged = false;
      });
    };
    const cancel = (/** @type {KeyboardEvent} */ { key }) => {
      if (key === 'Escape' && isDragging) {
        takeBack();
        end();
      }
    };
    const view = windowOf(layer);
    const listeners = /** @type {[string, (event: any) => void][]} */ ([
      ['pointermove', move],
      ['pointerup', end],
      ['pointercancel', end],
      ['keydown', cancel],
    ]);
    for (const [type, listener] of listeners) {
      view.addEventListener(type, listener, true);
    }
  };

  field.addEventListener('keydown', (event) => {
    const { key, shiftKey } = event;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      countBy((key === 'ArrowUp' ? 1 : -1) * (shiftKey ? largeStep : step));
    } else if (key === 'Enter' || key === 'Escape') {
      close(key === 'Enter');
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  field.addEventListener('focusout', ({ relatedTarget }) => {
    if (!field.contains(/** @type {Node | null} */ (relatedTarget)) && windowOf(field).document.hasFocus()) {
      close();
    }
  });

  /**
   * What an event in the layer asks for: an entry to open, or to drag.
   *
   * @param {Event} event
   * @param {Element} target  where it happened, in this tree
   */
  const hear = (event, target) => {
    if (event.type === 'click' && hasDragged) {
      event.stopPropagation();
      return;
    }
    const matrix = editableAt(target);
    const now = shown();
    if (matrix === null || now === null) {
      return;
    }
    setAttribute(
      /** @type {Element} */ (planeOf(matrix)),
      'data-editable',
      !isRefused(now.state, { matrix, row: 0, column: 0 }),
    );
    if (event.type === 'keydown') {
      if (/^(Enter|F2)$/.test(/** @type {KeyboardEvent} */ (event).key)) {
        event.preventDefault();
        event.stopPropagation();
        openAt(entryOfFocus(matrix));
      }
    } else if (event.type === 'click') {
      // Not a double click: that would come when the first has replaced the element under the pointer.
      if (/** @type {MouseEvent} */ (event).detail === 2) {
        event.stopPropagation();
        openAt(entryUnder(matrix, /** @type {MouseEvent} */ (event)));
      }
    } else {
      drag(/** @type {PointerEvent} */ (event), matrix);
    }
  };
  for (const type of ['pointerdown', 'click', 'keydown']) {
    layer.addEventListener(type, (event) => hear(event, /** @type {Element} */ (event.target)), true);
  }

  const bar = createChanges(messages, { shown, change, history, turn });
  layer.append(bar.root);
  bar.update();

  return { hear, update: bar.update };
}

/**
 * What the reader has changed, and the ways back.
 *
 * @param {Messages} messages
 * @param {EditorActions} actions
 */
function createChanges(messages, { shown, change, history, turn }) {
  const texts = messages.numbers;
  const title = { title: texts.backTitle };
  const undo = button(texts.undo, () => turn('before'));
  const redo = button(texts.redo, () => turn('after'));
  const last = button('', () => backTo(({ edits }) => edits.slice(0, -1)), title);
  const matrix = button(
    '',
    () => backTo(({ edits }) => edits.filter((edit) => edit.matrix !== edits.at(-1)?.matrix)),
    title,
  );
  const all = button('', () => backTo(() => []), title);
  const root = h(
    'div',
    { class: 'changes strip', role: 'group', 'aria-label': texts.changes, hidden: true },
    undo,
    redo,
    last,
    matrix,
    all,
  );

  /** @param {(state: LessonState) => MatrixEdit[]} left */
  const backTo = (left) => {
    const now = shown();
    if (now !== null) {
      change({ edits: left(now.state) });
    }
  };

  let known = { key: '', value: 0 };

  /** What an edited entry is without the edits, as the engine says: asked once while it is dragged. @param {MatrixEdit} edit */
  const original = ({ matrix, row, column, head = 0 }) => {
    const { engine, state } = /** @type {NonNullable<ReturnType<typeof shown>>} */ (shown());
    const unedited = { ...state, edits: [], head };
    const key = JSON.stringify([unedited, matrix, row, column]);
    if (key !== known.key) {
      const whole = engine.lesson(unedited)[matrix];
      const ofHead = matrix === 'X' || whole === undefined ? 0 : (head * whole.shape[1]) / state.heads;
      // A bias that was not given is 0.
      known = { key, value: whole === undefined ? 0 : whole.data[row * whole.shape[1] + ofHead + column] };
    }
    return known.value;
  };

  return {
    root,

    update() {
      const now = shown();
      if (now === null) {
        return;
      }
      const { edits } = now.state;
      // Not `disabled`: that would take the focus away, and with it the keys.
      setAttribute(undo, 'aria-disabled', String(!history.can('before')));
      setAttribute(redo, 'aria-disabled', String(!history.can('after')));
      setHidden(root, edits.length === 0 && !history.can('before') && !history.can('after'));
      for (const each of [last, matrix, all]) {
        setHidden(each, edits.length === 0);
      }
      setHidden(all, edits.length < 2);
      const edit = edits.at(-1);
      if (edit !== undefined) {
        const symbol = symbolOfMatrix(edit.matrix);
        const entry = texts.entry(symbol, edit.row + 1, edit.column + 1);
        const value = format(original(edit), messages);
        const isOnly = edits.filter((each) => each.matrix === edit.matrix).length < 2;
        setMath(last, texts.back(`${entry} → ${value}`));
        setHidden(matrix, isOnly);
        setMath(matrix, texts.back(symbol));
        setMath(all, texts.back(texts.all(edits.length)));
      }
    },
  };
}
