// The layer as one picture: X through three matrices into queries, keys and values, their scores past the gates into the
// weights, and the weights with the values into Z. What is drawn, wires too, follows from the state and its result alone.

import { editsOf, givenMatrices, symbolOfMatrix } from '../../engine/own-matrices.js';
import { createSignedPixels } from '../colour-pixels.js';
import { h, setAttribute, setHidden, setMath, setStyle, svg } from '../dom.js';
import { format, plainText } from '../format.js';
import { entryName, factorsOf, lightsOf, matricesOf, matrixNames, partnerOf, symbolOf } from './cell-arithmetic.js';
import { gatesOf } from './gates.js';
import { createMatrix } from './matrix.js';

/** @typedef {import('../../engine/lesson-state.js').LessonState} LessonState */
/** @typedef {import('../../engine/lesson-engine.js').LessonResult} LessonResult */
/** @typedef {import('./cell-arithmetic.js').MatrixName} MatrixName */
/** @typedef {import('./cell-arithmetic.js').Place} Place */

/** Where the scale of scores ends at least, so that scores visibly grow with d_k. */
const leastScale = 4;

/** Which matrices each step of the walk uses, beside what K and Z are made of at their steps. @type {(MatrixName | 'divide' | 'mask' | 'softmax')[][]} */
const usedIn = [
  ['X'],
  ['X', 'Wq', 'Q'],
  ['Wk', 'Wv', 'K', 'V'],
  ['Q', 'K', 'S'],
  ['S', 'divide'],
  ['S', 'mask'],
  ['S', 'softmax', 'A'],
  ['Z'],
];

/**
 * @param {typeof import('../../language/messages/en.js').default} messages
 * @param {HTMLElement} weights  the map of weights: the layer's A
 * @param {object} actions
 * @param {(place: Place | null) => void} actions.pointAt
 * @param {(place: Place) => void} actions.choose
 * @param {(row: number, end: 'first' | 'last') => void} actions.enterWeights  by the keyboard
 * @param {() => void} actions.repaint
 */
export function createLayer(messages, weights, { pointAt, choose, enterWeights, repaint }) {
  const texts = messages.layer;
  const names = matrixNames.filter((name) => name !== 'A');
  /** @type {MatrixName} the one that the keyboard reaches */
  let current = 'X';
  const matrices = Object.fromEntries(
    names.map((name) => [
      name,
      createMatrix(name, {
        point: (row, column) => pointAt({ matrix: name, row, column }),
        leave: () => pointAt(null),
        choose: (row, column) => {
          reach(name);
          choose({ matrix: name, row, column });
        },
        goOn: (way, row) => goOn(name, way, row),
      }),
    ]),
  );

  /** @param {MatrixName} name */
  const reach = (name) => {
    matrices[current].reach(false);
    current = name;
    matrices[current].reach(true);
  };
  reach('X');

  /** Goes on to the next matrix that shows, or the one before. @param {MatrixName} from @param {1 | -1} way @param {number} row */
  const goOn = (from, way, row) => {
    const end = way > 0 ? 'first' : 'last';
    for (let index = matrixNames.indexOf(from) + way; index in matrixNames; index += way) {
      const name = matrixNames[index];
      if (name === 'A') {
        enterWeights(row, end);
        return;
      }
      if (!matrices[name].root.hidden) {
        reach(name);
        matrices[name].enter(row, end);
        return;
      }
    }
  };

  /** @type {Record<string, HTMLElement>} */
  const gates = Object.fromEntries(
    ['divide', 'mask', 'softmax', 'late', 'dropout'].map((name) => [
      name,
      h('div', { class: 'gate', 'data-gate': name, hidden: true }),
    ]),
  );
  const { divide, mask, ...after } = gates;
  const scores = h('div', { class: 'scores' }, divide, mask, matrices.S.root, ...Object.values(after));
  const wires = ['g1', 'g2', 'g3', 'g4', 'g5'].map((area) => {
    const view = { viewBox: '0 0 10 30', preserveAspectRatio: 'none', 'aria-hidden': 'true' };
    const wire = svg('svg', { class: `wire ${area}`, ...view });
    setStyle(wire, 'grid-area', area);
    return wire;
  });
  const hero = h('div', { class: 'hero' }, weights);
  const ramp = (/** @type {string} */ sign) => h('span', { class: 'ramp', 'data-sign': sign });
  const signs = ['−', ramp('−'), '0', ramp('+'), '+ ', texts.scale];
  const scale = h('p', { class: 'legend', 'aria-hidden': 'true' }, ...signs);
  const note = h('p', { class: 'layer-note' });
  const isBias = (/** @type {string} */ name) => name[0] === 'b';
  const rest = names.filter((name) => name !== 'S' && !isBias(name)).map((name) => matrices[name].root);
  const root = h(
    'div',
    { class: 'layer', part: 'layer', role: 'group', 'aria-label': texts.name },
    ...rest.slice(0, -1),
    scores,
    hero,
    matrices.Z.root,
    ...wires,
    h('div', { class: 'lane', 'aria-hidden': 'true' }),
  );
  const whole = h('div', { class: 'layer-frame' }, root, scale, note);
  const colours = createSignedPixels(whole, repaint);
  /** @type {Uint32Array | undefined} */
  let pixels;
  let drawn = '';

  /** @param {LessonState} state @param {LessonResult} result */
  const say = (state, result) => {
    for (const { name, text, isWrong } of gatesOf(messages, state, result)) {
      setHidden(gates[name], text === '');
      setMath(gates[name], text);
      setAttribute(gates[name], 'data-wrong', isWrong);
    }
    const { heads, head, projections, blend } = state;
    const columns = result.Q.shape[1];
    const given = givenMatrices(state);
    const notes = [
      heads > 1 && texts.head(head + 1, head * columns + 1, (head + 1) * columns, heads * columns),
      { separate: '', shared: texts.shared, identity: texts.identity }[projections],
      blend === 'embeddings' && texts.blendsX,
      given.length > 0 && texts.given(given.map(symbolOfMatrix).join(messages.comma)),
    ];
    setMath(note, notes.filter(Boolean).join(' '));
  };

  /**
   * Gives each matrix its room, leaves out what the state has not, and says what stands between the matrices.
   *
   * @param {LessonState} state
   * @param {LessonResult} result
   */
  const frame = (state, result) => {
    const { projections, blend } = state;
    const isCross = result.context !== undefined;
    setHidden(matrices.context.root, !isCross);
    setHidden(matrices.Wq.root, projections === 'identity');
    setHidden(matrices.Wk.root, projections !== 'separate');
    setHidden(matrices.Wv.root, projections !== 'separate');
    setAttribute(root, 'data-projections', projections);
    setAttribute(root, 'data-blend', blend);
    setAttribute(root, 'data-cross', isCross);
    setAttribute(root, 'data-beside', state.beside !== 'none');
    const all = matricesOf(result);
    for (const name of names) {
      const { root, frame } = matrices[name];
      if (isBias(name)) {
        const { root: partner } = matrices[partnerOf(name)];
        const isThere = all[name].data.length > 0 && !partner.hidden;
        setHidden(root, !isThere);
        if (!isThere) {
          root.remove();
        } else if (root.parentNode === null) {
          partner.append(root);
        }
      }
      frame(all[name].shape);
    }
    if (matrices[current].root.hidden) {
      reach('X');
    }
    say(state, result);
  };

  /** The shapes in symbols: T_k where the keys are other tokens. @param {LessonState} state @param {boolean} isCross */
  const shapesOf = ({ blend }, isCross) => {
    const keys = isCross ? 'T_k' : 'T';
    return /** @type {Record<string, string>} */ ({
      ...{ X: 'T×d_model', context: 'T_k×d_model', Wq: 'd_model×d_k', Wk: 'd_model×d_k', Wv: 'd_model×d_v' },
      ...{ bq: '1×d_k', bk: '1×d_k', bv: '1×d_v' },
      ...{ Q: 'T×d_k', K: `${keys}×d_k`, V: `${keys}×d_v`, S: `T×${keys}` },
      Z: blend === 'embeddings' ? 'T×d_model' : 'T×d_v',
    });
  };

  /** Draws what feeds what. @param {LessonState} state @param {boolean} isCross */
  const wireUp = ({ projections }, isCross) => {
    const key = projections + isCross;
    if (key === drawn) {
      return;
    }
    drawn = key;
    const [top, middle, bottom] = [5, 15, 25];
    /** @type {(from: number, to: number, role: string) => [string, string]} */
    const curve = (from, to, role) => [`M0 ${from}C5 ${from} 5 ${to} 10 ${to}`, role];
    const roles = ['query', 'key', 'value'];
    const lines = [top, middle, bottom];
    const keySource = isCross ? 20 : middle;
    const source = [isCross ? top : middle, keySource, keySource];
    const fan = lines.map((to, index) => curve(source[index], to, roles[index]));
    const straight = lines.map((to, index) => curve(to, to, roles[index]));
    const out = lines.map((to, index) => curve(middle, to, roles[index]));
    const joined = source.slice(0, isCross ? 2 : 1).map((from) => curve(from, middle, ''));
    const paths = [
      { separate: fan, shared: joined, identity: fan }[projections],
      { separate: straight, shared: out, identity: straight }[projections],
      [curve(top, middle, 'query'), curve(middle, middle, 'key')],
      [curve(middle, middle, '')],
      [curve(middle, middle, '')],
    ];
    wires.forEach((each, index) => {
      each.replaceChildren(...paths[index].map(([d, role]) => svg('path', { d, 'data-role': role })));
    });
  };

  /** What a step of the walk uses; null: everything. @param {LessonState} state @param {LessonResult} result */
  const usedAt = (state, result) => {
    const { step } = state;
    const made = step === 3 ? 'K' : step === 8 ? 'Z' : null;
    return step === 0 ? null : [...usedIn[step - 1], ...((made && factorsOf(result, state, made)) ?? [])];
  };

  return {
    root: whole,
    hero,

    /** Looks for other colours, while nothing has changed yet: later the browser would compute all styles for it. */
    look() {
      pixels &&= colours.read();
    },

    frame,

    /**
     * @param {LessonState} state
     * @param {LessonResult} result
     * @param {import('../cells.js').Cell} selected
     * @param {Place | null} at  the entry that the reader is at
     */
    update(state, result, selected, at) {
      frame(state, result);
      wireUp(state, result.context !== undefined);
      pixels ??= colours.read();
      const all = matricesOf(result);
      const lights = lightsOf(result, state, selected, at);
      const shapes = shapesOf(state, result.context !== undefined);
      const used = usedAt(state, result);
      const dim = (/** @type {Element} */ element, /** @type {string} */ name) =>
        setAttribute(element, 'data-dim', used !== null && !used.includes(/** @type {MatrixName} */ (name)));
      const write = (/** @type {number} */ value) => format(value, messages);
      for (const name of names) {
        const { root: element, update } = matrices[name];
        // One matrix for all three stands in the place of W_q; a bias goes with its matrix.
        const factor = isBias(name) ? partnerOf(name) : name;
        dim(element, factor === 'Wq' && state.projections === 'shared' && used?.includes('Wk') ? 'Wk' : factor);
        if (element.hidden) {
          continue;
        }
        const tensor = all[name];
        const [rows, columns] = tensor.shape;
        const said = `${symbolOf(name, state)}${messages.comma}${texts.meaning[isBias(name) ? 'bias' : /** @type {'X'} */ (name)]}`;
        update(
          tensor,
          {
            title: symbolOf(name, state),
            symbols: shapes[name],
            label: `${said}${messages.comma}${rows} × ${columns}`,
            // Scores have one scale whatever the divisor is: a division is seen to make them pale.
            reach: name === 'S' ? Math.max(leastScale, largest(result.scores)) : largest(tensor) || 1,
            colours: pixels,
            lights: lights[name] ?? [],
            edited: editsOf(state, name),
            left: texts.sampled,
            describe: (row, column) =>
              plainText(
                `${entryName(messages, result, name, row)}${messages.comma}${
                  name === 'S' ? entryName(messages, result, 'K', column) : texts.column(column + 1)
                }: ${write(tensor.data[row * columns + column])}${
                  editsOf(state, name).some((edit) => edit.row === row && edit.column === column) ? texts.edited : ''
                }`,
              ),
          },
          messages,
        );
      }
      dim(hero, 'A');
      setAttribute(root, 'data-walking', used !== null);
      for (const [name, element] of Object.entries(gates)) {
        dim(element, { late: 'mask', dropout: 'softmax' }[name] ?? name);
      }
    },

    /** Goes on from the weights, by the keyboard. @param {1 | -1} way @param {number} row */
    leaveWeights: (way, row) => goOn('A', way, row),
  };
}

/** @type {WeakMap<object, number>} by a matrix's numbers, which a pointer that moves does not change */
const known = new WeakMap();

/** The largest size of a finite number. @param {import('../../engine/lesson-engine.js').Tensor} tensor */
function largest({ data }) {
  let most = known.get(data);
  if (most === undefined) {
    most = 0;
    for (let index = 0; index < data.length; index++) {
      const size = Math.abs(data[index]);
      if (size > most && size < Infinity) {
        most = size;
      }
    }
    known.set(data, most);
  }
  return most;
}
