// What was found in files or in a pasted text, before anything changes: a line for each tensor, what it would be used as, and
// a small map of it. One button takes all of it.

import { EngineError } from '../engine/engine-error.js';
import { matrixProblem, symbolOfMatrix, withoutProjections } from '../engine/own-matrices.js';
import { matrixOf, roles, shapeAs, suggestRoles } from '../readers/readers.js';
import { createSignedPixels } from '../views/colour-pixels.js';
import { button, h, mathNodes, setHidden, setStyle, setText } from '../views/dom.js';
import { paint } from '../views/layer/matrix.js';
import { alsoSet, parseRows, requireLessonOf, rowsOfMatrix, rowsText, settingsFor } from './own-settings.js';

/** @typedef {import('../readers/tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('../readers/roles.js').Assignment} Assignment */
/** @typedef {import('../readers/roles.js').Role} Role */
/** @typedef {import('../panels/panel.js').PanelContext} PanelContext */
/** @typedef {import('../language/language.js').Messages} Messages */

/** A tensor of which nothing is known to be of use. @typedef {Omit<Assignment, 'role'> & {role: Role | null, reason?: string}} Line */

/** More tensors than this are not listed: a model has hundreds. */
const mostLines = 24;

/** Larger matrices are not drawn. */
const mostDrawn = 2 ** 20;

/**
 * @param {Messages} messages
 * @param {() => PanelContext} now
 * @param {import('./exchange.js').ExchangeActions} actions
 */
export function createFoundDialog(messages, now, { change, say }) {
  const texts = messages.exchange;
  const title = h('h4', {});
  const notes = h('ul', {});
  const list = h('div', { class: 'found' });
  const layer = h('select', {});
  const layers = h('label', {}, texts.layer, ' ', layer);
  const also = h('p', {});
  const problem = h('p', { class: 'broken', role: 'alert' });
  const accept = button(texts.take, () => attempt(accepted));
  const deny = button(messages.cancel, () => root.close());
  const privacy = h('p', {}, texts.privacy);
  const root = h(
    'dialog',
    { class: 'found-dialog', 'aria-label': texts.role },
    ...[title, notes, layers, list, also, problem, privacy, h('div', { class: 'strip' }, accept, deny)],
  );
  root.addEventListener('keydown', (event) => event.stopPropagation());
  const colours = createSignedPixels(root, () => {});

  /** @type {FoundTensor[]} */
  let tensors = [];
  /** @type {Line[]} */
  let lines = [];
  /** @type {Role | null} */
  let target = null;

  const attempt = async (/** @type {() => Promise<void>} */ act) => {
    try {
      setText(problem, '');
      await act();
    } catch (error) {
      setText(problem, say(error));
    }
  };

  /** @returns {import('../readers/roles.js').Widths} */
  const widths = () => {
    const { tokens, dModel, X } = now().state;
    return { tokens: tokens.length, dModel: X === null ? null : dModel, queries: null, values: null, words: tokens };
  };

  const suggest = (/** @type {string | null} */ wanted) => {
    const suggestion = suggestRoles(tensors, widths(), { target, layer: wanted });
    const unknown = { by: 'shape', orientation: 'in-out', fits: [], third: null, rows: null, shape: [], could: [] };
    lines = [
      ...suggestion.assignments,
      ...suggestion.unused.map(
        ({ tensor, reason }) => /** @type {Line} */ ({ ...unknown, role: null, tensor, reason }),
      ),
    ].slice(0, mostLines);
    layer.replaceChildren(...suggestion.layers.map((name) => h('option', { value: name }, name || '–')));
    layer.value = suggestion.layer ?? '';
    setHidden(layers, suggestion.layers.length === 0);
    render();
  };
  layer.addEventListener('change', () => suggest(layer.value));

  /** The matrices that the lines give, by role. */
  const matrices = async () => {
    /** @type {Record<string, number[][]>} */
    const given = {};
    for (const line of lines) {
      if (line.role !== null) {
        if (line.role in given) {
          throw new EngineError(texts.twice(symbolOfMatrix(line.role)));
        }
        given[line.role] = rowsOfMatrix(await matrixOf(tensors[line.tensor], /** @type {Assignment} */ (line)));
      }
    }
    const { projections, ...taken } = withoutProjections(given);
    const wrong = taken.X === undefined ? null : matrixProblem('X', taken.X);
    if (wrong !== null) {
      throw new EngineError(wrong);
    }
    return taken;
  };

  /** The settings that the lines make. @returns {Promise<Partial<import('../engine/lesson-state.js').LessonState>>} */
  const settled = async () => {
    const ofX = lines.find(({ role }) => role === 'X');
    const named = ofX && tensors[ofX.tensor].rowNames;
    const words = ofX?.rows === null ? named : ofX?.rows.map((row) => String(named?.[row]));
    return settingsFor(now().state, await matrices(), named && words);
  };

  const accepted = async () => {
    const changes = await settled();
    const { engine, state } = now();
    requireLessonOf(engine, state, changes);
    change(changes);
    root.close();
  };

  /** Says what taking it would change besides, or why it cannot be taken. */
  const foresee = () =>
    attempt(async () => {
      accept.disabled = !lines.some(({ role }) => role !== null);
      setText(also, '');
      if (!accept.disabled) {
        const { engine, state } = now();
        const changes = await settled();
        const others = alsoSet(state, changes);
        setText(also, others && texts.also(others));
        requireLessonOf(engine, state, changes);
      }
    });

  /** @param {Line} line @param {HTMLElement} map */
  const draw = async (line, map) => {
    const tensor = tensors[line.tensor];
    const size = tensor.shape.reduce((product, length) => product * length, 1);
    map.hidden = true;
    if (line.role === null || tensor.problem !== null || (line.rows === null && size > mostDrawn)) {
      return;
    }
    try {
      const matrix = await matrixOf(tensor, /** @type {Assignment} */ (line));
      const reach = matrix.data.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0) || 1;
      paint(/** @type {HTMLCanvasElement} */ (map.firstChild), matrix, { reach, colours: colours.read(), lights: [] });
      const [rows, columns] = matrix.shape.length === 1 ? [1, matrix.shape[0]] : matrix.shape;
      setStyle(map, 'aspect-ratio', `${columns} / ${rows}`);
      map.hidden = false;
    } catch {
      // `foresee` says why
    }
  };

  const render = () => {
    list.replaceChildren(...lines.map(createLine));
    foresee();
  };

  /** @param {Line} line */
  function createLine(line) {
    const tensor = tensors[line.tensor];
    const [height] = tensor.shape.length === 1 ? [1] : tensor.shape.slice(-2);
    const map = h('div', { class: 'found-map', 'aria-hidden': 'true' }, h('canvas', {}));
    const shape = h('small', {});
    const wrong = h('small', { class: 'broken', role: 'alert' });
    const role = h(
      'select',
      { 'aria-label': `${texts.role}: ${tensor.name}` },
      h('option', { value: '' }, texts.none),
      ...roles.map((name) => h('option', { value: name }, symbolOfMatrix(name))),
    );
    role.value = line.role ?? '';
    role.disabled = tensor.problem !== null || tensor.shape.length === 0;
    const orientation = h(
      'select',
      { 'aria-label': `${texts.orientation}: ${tensor.name}` },
      ...Object.entries(texts.orientations).map(([value, text]) => h('option', { value }, text)),
    );
    orientation.value = line.orientation;
    const named = { 'aria-label': `${texts.rows}: ${tensor.name}` };
    const rows = h('input', { type: 'text', size: 10, ...named, value: line.rows === null ? '' : rowsText(line.rows) });
    const rowsLabel = h('label', {}, texts.rows, ' ', rows);
    const square = h('small', {}, texts.square);
    const show = () => {
      const isWeight = line.role?.startsWith('W') ?? false;
      setHidden(orientation, !isWeight);
      setHidden(square, !(isWeight && line.fits.length > 1 && tensor.shape.at(-1) === tensor.shape.at(-2)));
      setHidden(rowsLabel, line.role !== 'X' || line.rows === null);
      const part = line.third === null ? '' : `, ${texts.thirds[line.third]}`;
      const reason = /** @type {keyof typeof texts.reasons} */ (line.reason);
      const used =
        line.role === null ? '' : ` → ${shapeAs(tensor.shape, /** @type {Assignment} */ (line)).join(' × ')}`;
      const why = line.role === null && reason !== undefined ? `: ${texts.reasons[reason]}` : '';
      setText(shape, `${tensor.dtype} ${tensor.shape.join(' × ')}${part}${used}${why}`);
      draw(line, map);
    };
    role.addEventListener('change', () => {
      line.role = /** @type {Role} */ (role.value) || null;
      const { length } = now().state.tokens;
      line.rows = line.role === 'X' && height > length ? Array.from({ length }, (_, row) => row) : null;
      rows.value = line.rows === null ? '' : rowsText(line.rows);
      show();
      foresee();
    });
    orientation.addEventListener('change', () => {
      line.orientation = /** @type {Assignment['orientation']} */ (orientation.value);
      show();
      foresee();
    });
    rows.addEventListener('change', () => {
      const chosen = parseRows(rows.value, height);
      setText(wrong, chosen === null ? texts.rowsWrong(messages.quoted(rows.value), height) : '');
      if (chosen !== null) {
        line.rows = chosen;
        show();
        foresee();
      }
    });
    show();
    const problemOf = tensor.problem && say(new EngineError(tensor.problem));
    const all = [...tensor.notes.map((note) => sentenceOf(texts, note)), ...(problemOf ? [problemOf] : [])];
    return h(
      'div',
      { class: 'found-line' },
      map,
      h('b', { hidden: tensor.name === '' }, tensor.name),
      ...[shape, role, orientation, rowsLabel, wrong, square],
      ...all.map((text) => h('small', {}, text)),
    );
  }

  return {
    root,

    /**
     * @param {string} file
     * @param {{tensors: FoundTensor[], notes: import('../readers/tensors.js').Note[]}} found
     * @param {Role | null} wanted  the matrix that it was brought to
     */
    open(file, found, wanted) {
      target = wanted;
      tensors = found.tensors;
      title.replaceChildren(...mathNodes(texts.found(file)));
      notes.replaceChildren(...found.notes.map((note) => h('li', {}, sentenceOf(texts, note))));
      root.showModal();
      suggest(null);
    },
  };
}

/** What each note tells, in the order in which its sentence says it. @type {Record<string, string[]>} */
const told = {
  name: ['named', 'format'],
  separators: ['separator', 'decimal'],
  ambiguous: ['text', 'line', 'number', 'other'],
  thousands: ['text', 'line', 'number'],
  header: ['words'],
  index: ['words'],
  comments: ['lines'],
  ignored: ['names'],
};

/** @param {Messages['exchange']} texts @param {any} note */
function sentenceOf({ notes }, note) {
  const say = /** @type {Record<string, (...values: any[]) => string>} */ (notes)[note.code];
  return say(...(told[note.code] ?? []).map((part) => [note[part]].flat().join(', ')));
}
