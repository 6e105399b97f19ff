// The layer as one picture: X through three matrices into queries, keys and values, their scores past the gates into the
// weights, and the weights with the values into Z. What is drawn, wires too, follows from the state and its result alone.

import { createSignedPixels } from '../colour-pixels.js';
import { h, math, setAttribute, setMath, setStyle, svg } from '../dom.js';
import { format, plainText } from '../format.js';
import { entryName, factorsOf, lightsOf, matricesOf, matrixNames, symbolOf } from './cell-arithmetic.js';
import { createMatrix } from './matrix.js';

/** @typedef {import('./cell-arithmetic.js').MatrixName} MatrixName */
/** @typedef {import('./cell-arithmetic.js').Place} Place */

/** Where the scale of scores ends at least, so that scores visibly grow with d_k. */
const leastScale = 4;

/** Shapes in symbols: T_k where the keys are other tokens, and d_model where X is blended. @type {Record<string, string>} */
const shapes = { Wq: 'd_model×d_k', Wk: 'd_model×d_k', Wv: 'd_model×d_v', Q: 'T×d_k', Z: 'T×d_v' };

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

  const gate = (/** @type {string} */ name) => h('div', { class: 'gate', 'data-gate': name }, math(''));
  const gates = { divide: gate('divide'), mask: gate('mask'), softmax: gate('softmax'), dropout: gate('dropout') };
  const scores = h('div', { class: 'scores' }, gates.divide, gates.mask, matrices.S.root, gates.softmax, gates.dropout);
  const wires = ['g1', 'g2', 'g3', 'g4', 'g5'].map((area) => {
    const view = { viewBox: '0 0 10 30', preserveAspectRatio: 'none', 'aria-hidden': 'true' };
    const wire = svg('svg', { class: `wire ${area}`, ...view });
    setStyle(wire, 'grid-area', area);
    return wire;
  });
  const hero = h('div', { class: 'hero' }, weights);
  const ramp = (/** @type {string} */ sign) => h('span', { class: 'ramp', 'data-sign': sign });
  const scale = h(
    'p',
    { class: 'legend signs', 'aria-hidden': 'true' },
    '−',
    ramp('−'),
    '0',
    ramp('+'),
    '+ ',
    texts.scale,
  );
  const note = h('p', { class: 'layer-note' });
  const rest = names.filter((name) => name !== 'S').map((name) => matrices[name].root);
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

  /** @param {import('../../engine/lesson-state.js').LessonState} state @param {import('../../engine/lesson-engine.js').LessonResult} result */
  const wireUp = (state, result) => {
    const { projections, blend, mask, divisor, softmaxAxis, softmax, dropout, window, padding, heads, head, dK } =
      state;
    const isCross = result.context !== undefined;
    const key = JSON.stringify([projections, blend, mask, isCross]);
    if (key !== drawn) {
      drawn = key;
      setAttribute(root, 'data-projections', projections);
      setAttribute(root, 'data-blend', blend);
      setAttribute(root, 'data-mask', mask);
      setAttribute(root, 'data-cross', isCross);
      matrices.context.root.hidden = !isCross;
      matrices.Wq.root.hidden = projections === 'identity';
      matrices.Wk.root.hidden = projections !== 'separate';
      matrices.Wv.root.hidden = projections !== 'separate';
      if (matrices[current].root.hidden) {
        reach('X');
      }
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
      // The order of the gates is the order of the deeds.
      scores.replaceChildren(
        ...(mask === 'late'
          ? [gates.divide, matrices.S.root, gates.softmax, gates.mask, gates.dropout]
          : [gates.divide, gates.mask, matrices.S.root, gates.softmax, gates.dropout]),
      );
    }
    const write = (/** @type {number} */ value) => format(value, messages);
    const say = (
      /** @type {keyof typeof gates} */ name,
      /** @type {string} */ text,
      /** @type {boolean} */ isWrong,
    ) => {
      gates[name].hidden = text === '';
      setMath(gates[name], text);
      setAttribute(gates[name], 'data-wrong', isWrong);
    };
    const divided = {
      sqrt: `÷ √${dK} = ${write(result.divisor)}`,
      none: messages.stepDivide.none,
      dk: `÷ d_k = ${dK}`,
    };
    const masks = { none: '', causal: messages.causal, window: `${messages.sliding} ${window}`, late: messages.late };
    const padded = padding > 0 ? ` + ${messages.padding} ${padding}` : '';
    const isLate = mask === 'late'; // padding is hidden before the softmax all the same
    say('divide', divided[divisor] + (isLate ? padded : ''), divisor !== 'sqrt');
    say('mask', isLate ? masks.late : (masks[mask] + padded).replace(/^ \+ /, ''), isLate);
    const naive = softmax === 'naive' ? ` (${messages.stepNoMaximum})` : '';
    const isBent = softmaxAxis === 'queries' || naive !== '';
    say('softmax', `softmax ${softmaxAxis === 'keys' ? '→' : '↓'} ${texts.along[softmaxAxis]}${naive}`, isBent);
    say('dropout', dropout > 0 ? `${texts.dropout} p = ${write(dropout)}` : '', true);
    const columns = result.Q.shape[1];
    const notes = [
      heads > 1 && texts.head(head + 1, head * columns + 1, (head + 1) * columns, heads * columns),
      { separate: '', shared: texts.shared, identity: texts.identity }[projections],
      blend === 'embeddings' && texts.blendsX,
    ];
    setMath(note, notes.filter(Boolean).join(' '));
  };

  return {
    root: whole,
    hero,

    /** Looks for other colours, while nothing has changed yet: later the browser would compute all styles for it. */
    look() {
      pixels &&= colours.read();
    },

    /**
     * @param {import('../../engine/lesson-state.js').LessonState} state
     * @param {import('../../engine/lesson-engine.js').LessonResult} result
     * @param {import('../cells.js').Cell} selected
     * @param {Place | null} at  the entry that the reader is at
     */
    update(state, result, selected, at) {
      wireUp(state, result);
      const all = matricesOf(result);
      const sourcesOf = (/** @type {MatrixName} */ name) => factorsOf(result, state, name) ?? [];
      const used =
        state.step === 0
          ? null
          : [
              ...usedIn[state.step - 1],
              ...(state.step === 3 ? sourcesOf('K') : state.step === 8 ? sourcesOf('Z') : []),
            ];
      const lights = lightsOf(result, state, selected, at);
      const isCross = result.context !== undefined;
      pixels ??= colours.read();
      /** @type {Record<string, string>} */
      const symbols = {
        ...shapes,
        X: 'T×d_model',
        context: 'T_k×d_model',
        K: isCross ? 'T_k×d_k' : 'T×d_k',
        V: isCross ? 'T_k×d_v' : 'T×d_v',
        S: isCross ? 'T×T_k' : 'T×T',
        ...(state.blend === 'embeddings' && { Z: 'T×d_model' }),
      };
      const write = (/** @type {number} */ value) => format(value, messages);
      const dim = (/** @type {Element} */ element, /** @type {string} */ name) =>
        setAttribute(element, 'data-dim', used !== null && !used.includes(/** @type {MatrixName} */ (name)));
      for (const name of names) {
        const { root: element, update } = matrices[name];
        dim(element, state.projections === 'shared' && name === 'Wq' && used?.includes('Wk') ? 'Wk' : name);
        if (element.hidden) {
          continue;
        }
        const tensor = all[name];
        const [rows, columns] = tensor.shape;
        // Scores have one scale whatever the divisor is: a division is seen to make them pale.
        const reach = name === 'S' ? Math.max(leastScale, largest(result.scores.data)) : largest(tensor.data) || 1;
        update(
          tensor,
          {
            title: symbolOf(name, state),
            label: `${symbolOf(name, state)}${messages.comma}${texts.meaning[name]}${messages.comma}${rows} × ${columns}`,
            symbols: symbols[name],
            reach,
            colours: pixels,
            lights: lights[name] ?? [],
            left: texts.sampled,
            describe: (row, column) =>
              plainText(
                `${entryName(messages, result, name, row)}${messages.comma}${
                  name === 'S' ? entryName(messages, result, 'K', column) : texts.column(column + 1)
                }: ${write(tensor.data[row * columns + column])}`,
              ),
          },
          messages,
        );
      }
      dim(hero, 'A');
      setAttribute(root, 'data-walking', used !== null);
      setAttribute(root, 'data-beside', state.beside !== 'none');
      for (const [name, element] of Object.entries(gates)) {
        dim(element, name === 'dropout' ? 'softmax' : name);
      }
      setStyle(root, '--tokens', result.tokens.length);
    },

    /** Goes on from the weights, by the keyboard. @param {1 | -1} way @param {number} row */
    leaveWeights: (way, row) => goOn('A', way, row),
  };
}

/** The largest size of a finite number. @param {ArrayLike<number>} data */
function largest(data) {
  let most = 0;
  for (let index = 0; index < data.length; index++) {
    const size = Math.abs(data[index]);
    if (size > most && size < Infinity) {
      most = size;
    }
  }
  return most;
}
