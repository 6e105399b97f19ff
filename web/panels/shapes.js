// The shape ledger: every matrix of the lesson with its dimensions, live; what becomes of a product when a transpose is
// missing; what the T × T table costs. A dimension that is pointed at or focused lights up wherever it occurs.

import { button, h, math, mathNodes, setAttribute, setMath, setText } from '../views/dom.js';
import { localised } from '../views/format.js';
import styles from './shapes.css';

/** The two products whose transposes can be wrong. The first form is the right one. */
const choices = { S: ['Q·Kᵀ', 'Q·K', 'Qᵀ·K', 'Qᵀ·Kᵀ'], Z: ['A·V', 'A·Vᵀ'] };

/** @type {import('./panel.js').PanelDefinition} */
export const shapes = { name: 'shapes', styles: [styles], takesAnyLength: true, create: createShapes };

/** @type {import('./panel.js').CreatePanel} */
function createShapes(all) {
  const { shapes: messages } = all;
  /** @type {import('./panel.js').PanelContext} */
  let last;
  /** @type {Map<Element, string>} */
  const written = new Map();
  /** Whether an element must be written again, for it says this now. @param {Element} element @param {unknown} content */
  const changed = (element, content) => {
    const before = written.get(element);
    written.set(element, JSON.stringify(content));
    return before !== written.get(element);
  };

  const legend = Object.entries(messages.meaning).map(([name, meaning]) => {
    const length = h('b', {});
    const root = button('', follow, { 'data-dimension': name }); // a click focuses no button in Safari
    root.append(symbol(name), ' = ', length, h('small', {}, ` ${meaning}`));
    return { name, length, root };
  });
  const batch = h('input', { type: 'checkbox', change: draw });
  const batchNote = h('p', {}, messages.batchNote);
  const headsNote = h('p', {});
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
    return { root: h('p', {}, h('i', {}, name), ' = ', select, ' ', verdict), select, options, verdict };
  });
  const root = h(
    'div',
    { class: 'shapes', pointerover: follow, pointerleave: follow, focusin: follow, focusout: () => light() },
    h('div', { class: 'strip' }, ...legend.map((each) => each.root), h('label', {}, batch, ` ${messages.batch}`)),
    h(
      'div',
      { class: 'main' },
      h('table', {}, body),
      h(
        'div',
        { class: 'side' },
        headsNote,
        batchNote,
        h('h4', {}, messages.transposes),
        ...products.map((product) => product.root),
        h('h4', {}, messages.memory),
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
    const { shapes, context } = last.result;
    const { projections, divisor, blend, heads, mask, window, padding } = last.state;
    const [T, d_model] = shapes.X;
    const [, T_k] = last.result.visible.shape;
    // Of one sentence, or of the queries' and the keys'.
    const [q, k] = context ? ['T_q', 'T_k'] : ['T', 'T'];
    const source = context ? 'X_c' : 'X';
    const lengths = /** @type {Record<string, number | string>} */ ({
      1: 1,
      T,
      T_q: T,
      T_k,
      d_model,
      d_k: shapes.Q[1],
      d_v: shapes.V[1],
      B: 'B',
      h·d_v: heads * shapes.V[1],
      h·d_model: heads * d_model,
    });
    const isIdentity = projections === 'identity';
    const [blended, width] = blend === 'values' ? ['V', 'd_v'] : [source, 'd_model'];
    const byDivisor = { sqrt: ' ÷ √d_k', none: '', dk: ' ÷ d_k' }[divisor];
    const matrix = isIdentity ? messages.identity : messages.learned;
    const again = projections === 'shared' ? 'W_q' : matrix;
    const hasBias = (/** @type {string} */ role) => shapes[`b${role}`] !== undefined;
    const projected = (/** @type {string} */ role, of = source) =>
      isIdentity ? of : `${of}·W_${role}${hasBias(role) ? ` + b_${role}` : ''}`;

    /** @type {Record<string, [string, string, string]>} what each matrix is, and its dimensions */
    const ledger = {
      X: [messages.embeddings, q, 'd_model'],
      ...(context && { X_c: [messages.embeddings, k, 'd_model'] }),
      W_q: [matrix, 'd_model', 'd_k'],
      ...(hasBias('q') && { b_q: [matrix, '1', 'd_k'] }),
      W_k: [again, 'd_model', 'd_k'],
      ...(hasBias('k') && { b_k: [again.replace('W', 'b'), '1', 'd_k'] }),
      W_v: [again, 'd_model', 'd_v'],
      ...(hasBias('v') && { b_v: [again.replace('W', 'b'), '1', 'd_v'] }),
      Q: [projected('q', 'X'), q, 'd_k'],
      K: [projected('k'), k, 'd_k'],
      V: [projected('v'), k, 'd_v'],
      Kᵀ: [messages.transposed, 'd_k', k],
      S: [`Q·Kᵀ${byDivisor}`, q, k],
      A: ['softmax(S)', q, k],
      Z: [`A·${blended}`, q, width],
      ...(heads > 1 && { 'Z₁…Zₕ': [messages.joined, q, `h·${width}`] }),
    };
    headsNote.hidden = heads === 1;
    setMath(headsNote, messages.oneHead(heads));
    if (changed(body, [ledger, batch.checked])) {
      body.replaceChildren(
        ...Object.entries(ledger).map(([name, [formula, ...dimensions]]) => {
          const all = batch.checked && !/^[Wb]/.test(name) ? ['B', ...dimensions] : dimensions;
          const cells = [mathNodes(formula), tuple(all), tuple(all, () => '')];
          return h('tr', {}, h('th', { scope: 'row' }, symbol(name)), ...cells.map((nodes) => h('td', {}, ...nodes)));
        }),
      );
    }
    for (const length of body.querySelectorAll('td:last-child [data-dimension]')) {
      setText(length, String(lengths[/** @type {HTMLElement} */ (length).dataset.dimension ?? '']));
    }
    batchNote.hidden = !batch.checked;
    for (const { name, length, root } of legend) {
      root.hidden = name[0] === 'T' && name !== q && name !== k;
      setText(length, String(lengths[name]));
    }
    const windowed = mask === 'window' ? ` ${messages.window(window, T_k)}` : '';
    const padded = padding > 0 ? ` ${messages.padding(padding, T_k)}` : '';
    setText(
      cost,
      messages.cost(`${T} × ${T_k}`, inBytes(all, T * T_k), inBytes(all, 131_072 ** 2)) + windowed + padded,
    );

    for (const { select, options, verdict } of products) {
      for (const option of options) {
        setText(option, option.value.replace('V', blended));
      }
      const [[a, b], [c, d]] = select.value.split('·').map(([name, turned]) => {
        const [, ...dimensions] = ledger[name === 'V' ? blended : name];
        return turned ? dimensions.reverse() : dimensions;
      });
      const fits = lengths[b] === lengths[c];
      const reason = !fits
        ? messages.clash(`${b} = ${lengths[b]}`, `${c} = ${lengths[c]}`)
        : select.selectedIndex === 0
          ? messages.right[/** @type {'S' | 'Z'} */ (select.ariaLabel)]
          : b === c
            ? messages.features
            : messages.coincidence(`${b} = ${c} = ${lengths[c]}`);
      if (changed(verdict, [a, b, c, d, fits, reason])) {
        setAttribute(verdict, 'data-clash', !fits);
        verdict.replaceChildren(
          ...tuple([a, b], symbol, 1),
          ' · ',
          ...tuple([c, d], symbol, 0),
          ...(fits ? [' → ', ...tuple([a, d])] : []),
          h('br', {}),
          ...mathNodes(reason),
        );
      }
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
  return name.includes('_') ? math(name) : h('i', {}, name);
}

/**
 * A shape as a reader writes it, each dimension in its colour.
 *
 * @param {string[]} dimensions
 * @param {(dimension: string) => Node | string} [write]
 * @param {number} [inner]  the place of the one that must agree with the other factor's
 */
function tuple(dimensions, write = symbol, inner) {
  return [
    '(',
    ...dimensions.flatMap((each, index) => [
      index === 0 ? '' : ', ',
      h('span', { class: index === inner && 'inner', 'data-dimension': each }, write(each)),
    ]),
    ')',
  ];
}

/**
 * What a table takes in float32.
 *
 * @param {import('../language/language.js').Messages} messages
 * @param {number} entries
 */
function inBytes(messages, entries) {
  let size = 4 * entries;
  let unit = 0;
  for (; size >= 1024; size /= 1024) {
    unit++;
  }
  return `${localised(String(Number(size.toFixed(1))), messages)} ${[messages.shapes.bytes, 'KiB', 'MiB', 'GiB'][unit]}`;
}
