// The shape ledger: every matrix of the lesson with its dimensions, live; what becomes of a product when a transpose is
// missing; what the T × T table costs. A dimension that is pointed at or focused lights up wherever it occurs.

import { h, mathNodes, setAttribute, setText } from '../views/dom.js';

/** The two products whose transposes can be wrong. The first form is the right one. */
const choices = { S: ['Q·Kᵀ', 'Q·K', 'Qᵀ·K', 'Qᵀ·Kᵀ'], Z: ['A·V', 'A·Vᵀ'] };

/** The length of a dimension, under the name that the ledger gives it. @typedef {{name: string, length: number}} Dimension */

/** @type {(messages: typeof import('../messages/en.js').default, actions: import('./panels.js').PanelActions) => import('./panels.js').Panel} */
export function createShapes({ shapes: messages }) {
  /** @type {import('./panels.js').PanelContext} */
  let last;

  const legend = Object.entries(messages.meaning).map(([name, meaning]) => {
    const length = h('b', {});
    const button = h(
      'button',
      { type: 'button', 'data-dimension': name, click: follow }, // Safari focuses no button that is clicked
      ...symbol(name),
      ' = ',
      length,
      h('small', {}, ` ${meaning}`),
    );
    return { name, length, button };
  });
  const batch = h('input', { type: 'checkbox', change: draw });
  const batchNote = h('p', {}, messages.batchNote);
  const body = h('tbody', {});
  const cost = h('p', {});
  const products = Object.entries(choices).map(([name, forms]) => {
    const verdict = h('output', {});
    const options = forms.map((form) => h('option', { value: form }));
    const choose = () => {
      setAttribute(verdict, 'aria-live', 'polite');
      draw();
    };
    const select = h('select', { 'aria-label': name, change: choose }, ...options);
    return {
      root: h('p', {}, h('label', {}, h('i', {}, name), ' = ', select), ' ', verdict),
      select,
      options,
      verdict,
    };
  });
  const root = h(
    'div',
    { class: 'shapes', pointerover: follow, pointerleave: follow, focusin: follow, focusout: () => light() },
    h('div', { class: 'strip' }, ...legend.map(({ button }) => button), h('label', {}, batch, ` ${messages.batch}`)),
    h(
      'div',
      { class: 'main' },
      h('table', {}, body),
      h(
        'div',
        { class: 'side' },
        batchNote,
        h('h3', {}, messages.transposes),
        ...products.map((product) => product.root),
        h('h3', {}, messages.memory),
        cost,
      ),
    ),
  );

  /** @param {string} [name] */
  function light(name) {
    setAttribute(/** @type {Element} */ (root.closest('.widget')), 'data-dimension', name ?? null);
  }

  /** What is under the pointer is lit, or else what has the focus. @param {Event} event */
  function follow({ target }) {
    const pointed = /** @type {Element} */ (target).closest('.shapes [data-dimension]') ?? root.querySelector(':focus');
    light(/** @type {HTMLElement | null} */ (pointed)?.dataset.dimension);
  }

  function draw() {
    const { shapes } = last.result;
    const { projections, divisor, blend } = last.state;
    const isIdentity = projections === 'identity';
    const blended = blend === 'values' ? 'V' : 'X';
    const outputWidth = blend === 'values' ? 'd_v' : 'd_model';
    const byDivisor = { sqrt: ' ÷ √d_k', none: '', dk: ' ÷ d_k' }[divisor];
    const matrix = isIdentity ? messages.identity : messages.learned;
    const again = projections === 'shared' ? 'W_q' : matrix;
    const projected = (/** @type {string} */ role) => (isIdentity ? 'X' : `X·W_${role}`);

    /** @type {[string, string, string[], number[]][]} */
    const ledger = [
      ['X', messages.embeddings, ['T', 'd_model'], shapes.X],
      ['W_q', matrix, ['d_model', 'd_k'], shapes.Wq],
      ['W_k', again, ['d_model', 'd_k'], shapes.Wk],
      ['W_v', again, ['d_model', 'd_v'], shapes.Wv],
      ['Q', projected('q'), ['T', 'd_k'], shapes.Q],
      ['K', projected('k'), ['T', 'd_k'], shapes.K],
      ['V', projected('v'), ['T', 'd_v'], shapes.V],
      ['Kᵀ', messages.transposed, ['d_k', 'T'], [shapes.K[1], shapes.K[0]]],
      ['S', `Q·Kᵀ${byDivisor}`, ['T', 'T'], shapes.scaled],
      ['A', 'softmax(S)', ['T', 'T'], shapes.weights],
      ['Z', `A·${blended}`, ['T', outputWidth], shapes.output],
    ];
    /** @type {Record<string, Dimension[]>} */
    const dimensions = {};
    body.replaceChildren(
      ...ledger.map(([name, formula, names, lengths]) => {
        dimensions[name] = names.map((each, axis) => ({ name: each, length: lengths[axis] }));
        const leading = batch.checked && name[1] !== '_' ? [{ name: 'B', length: 0 }] : [];
        const all = [...leading, ...dimensions[name]];
        return h(
          'tr',
          {},
          h('th', { scope: 'row' }, ...symbol(name)),
          h('td', {}, ...mathNodes(formula)),
          h('td', {}, ...tuple(all)),
          h('td', {}, ...tuple(all, ({ length }) => [length === 0 ? 'B' : String(length)])),
        );
      }),
    );
    batchNote.hidden = !batch.checked;

    const [T, d_model] = shapes.X;
    const lengths = /** @type {Record<string, number>} */ ({ T, d_model, d_k: shapes.Q[1], d_v: shapes.V[1] });
    for (const { name, length } of legend) {
      setText(length, String(lengths[name]));
    }
    setText(cost, messages.cost(T, inBytes(T), inBytes(131_072)));

    for (const { select, options, verdict } of products) {
      for (const option of options) {
        setText(option, option.value.replace('V', blended));
      }
      const [[a, b], [c, d]] = select.value.split('·').map(([name, turned]) => {
        const factor = dimensions[name === 'V' ? blended : name];
        return turned ? factor.toReversed() : factor;
      });
      const fits = b.length === c.length;
      const said = [b, c].map(({ name, length }) => `${name} = ${length}`);
      const reason = !fits
        ? messages.clash(said[0], said[1])
        : select.selectedIndex === 0
          ? messages.right[/** @type {'S' | 'Z'} */ (select.ariaLabel)]
          : b.name === c.name
            ? messages.features
            : messages.coincidence(`${b.name} = ${said[1]}`);
      setAttribute(verdict, 'data-clash', !fits);
      verdict.replaceChildren(
        ...tuple([a, b], undefined, b),
        ' · ',
        ...tuple([c, d], undefined, c),
        ...(fits ? [' → ', ...tuple([a, d])] : []),
        h('br', {}),
        ...mathNodes(reason),
      );
    }
  }

  return {
    root,

    update(context) {
      last = context;
      for (const { verdict } of products) {
        setAttribute(verdict, 'aria-live', 'off'); // silent while the slider moves
      }
      draw();
    },
  };
}

/** @param {string} name */
function symbol(name) {
  return name.includes('_') ? mathNodes(name) : [h('i', {}, name)];
}

/**
 * A shape as a reader writes it, each dimension in its colour.
 *
 * @param {Dimension[]} dimensions
 * @param {(dimension: Dimension) => (Node | string)[]} [write]
 * @param {Dimension} [inner]  the one that must agree with the other factor's
 */
function tuple(dimensions, write = ({ name }) => symbol(name), inner) {
  return [
    '(',
    ...dimensions.flatMap((each, index) => [
      index === 0 ? '' : ', ',
      h('span', { class: each === inner ? 'inner' : false, 'data-dimension': each.name }, ...write(each)),
    ]),
    ')',
  ];
}

/** What a table of tokens by tokens takes in float32. @param {number} tokens */
function inBytes(tokens) {
  let size = 4 * tokens ** 2;
  let unit = 0;
  for (; size >= 1024; size /= 1024) {
    unit++;
  }
  return `${Number(size.toFixed(1))} ${['bytes', 'KiB', 'MiB', 'GiB'][unit]}`;
}
