// The highlighted query unrolled, a line for each key: q | k_j | products | q·k_j | ÷√d_k | − maximum | exp | ÷ sum |
// weight × v_j → z. Every number is the engine's; this file only chooses how many digits and entries show.

import { matricesIn, symbolOfMatrix } from '../engine/own-matrices.js';
import { isDropped } from '../views/arithmetic.js';
import { paddingAt, setLabel } from '../views/cells.js';
import { button, h, math, setAttribute, setMath, setText } from '../views/dom.js';
import { format, formatPrecise, formatWeight, plainText, rowOf } from '../views/format.js';
import { placesOfLargest } from './panel-numbers.js';
import styles from './worksheet.css';

/** Entries of a vector written out until the reader asks for all. */
const entriesShown = 2;

/** A matrix with a longer side is not written out. */
const mostOfMatrix = 4;

/** A longer row shows this many keys, those with the most weight. */
const mostKeys = 24;

const steps = ['key', 'products', 'score', 'scaled', 'shifted', 'exponential', 'weight', 'contribution'];

/** What a cell of the table shows: the numbers, and a word before them. @typedef {[ArrayLike<number>?, string?]} Entry */

/** @type {import('./panel.js').PanelDefinition} */
export const worksheet = { name: 'worksheet', styles: [styles], takesAnyLength: true, create: createWorksheet };

/** @type {import('./panel.js').CreatePanel} */
function createWorksheet(messages, actions) {
  const texts = messages.worksheet;
  /** @type {import('./panel.js').PanelContext} */
  let now;
  /** @type {number[]} the key on each line */
  let keys = [];
  /** @type {ReturnType<typeof createLine>[]} */
  let lines = [];
  /** @type {Set<string>} the buttons that are pressed: all digits, or all entries of a vector */
  const pressed = new Set();

  const toggle = (/** @type {string} */ name) => {
    const press = () => {
      if (!pressed.delete(name)) {
        pressed.add(name);
      }
      render();
    };
    return button(texts.digits, press, { class: 'toggle' });
  };

  const digits = toggle('digits');
  const heads = steps.map((step) => {
    const name = h('span', {});
    const note = h('small', {});
    const all = toggle(step);
    return { name, note, all, root: h('th', { scope: 'col' }, name, ' ', note, all) };
  });
  const query = createLine(h('bdi', {}));
  const sum = createLine(h('span', {}, texts.sum));
  const body = h('tbody', {});
  const table = h(
    'table',
    {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, messages.key), ...heads.map(({ root }) => root)), query.root),
    body,
    h('tfoot', {}, sum.root),
  );
  const more = h('p', { class: 'more' });
  const matrices = h('div', { class: 'strip matrices' });
  const region = h(
    'div',
    { class: 'scroller', role: 'region', tabindex: 0, 'aria-label': messages.panels.worksheet },
    table,
  );

  body.addEventListener('pointerover', ({ target, pointerType }) => {
    const line = lines.findIndex((each) => each.root.contains(/** @type {Node} */ (target)));
    if (pointerType !== 'touch' && line !== -1) {
      actions.point({ row: now.state.row, column: keys[line] });
    }
  });
  body.addEventListener('pointerleave', () => actions.point(null));

  const light = () => {
    const { pointed, state, selected } = now;
    lines.forEach(({ root: line }, index) => {
      setAttribute(line, 'data-lit', pointed?.row === state.row && pointed.column === keys[index]);
      setAttribute(line, 'data-current', selected.column === keys[index]);
    });
  };

  const render = () => {
    const { state, result, selected } = now;
    const { tokens, keyTokens, Q, K, scores, scaled, weights, masked, visible, output, worksheet } = result;
    const { row, divisor, softmaxAxis } = state;
    const start = row * keyTokens.length;
    const isPerKey = softmaxAxis === 'queries';
    const isNaive = state.softmax === 'naive';

    const { X, context } = result;
    const given = { X, ...(context && { X_c: context }) };
    for (const name of matricesIn(state)) {
      Object.assign(given, result[name] && { [symbolOfMatrix(name)]: result[name] });
    }
    const isSmall = Object.values(given).every(({ shape }) => Math.max(...shape) <= mostOfMatrix);
    const drawn = isSmall ? JSON.stringify([tokens, Object.values(given).map(({ data }) => Array.from(data))]) : '';
    matrices.hidden = !isSmall;
    if (matrices.dataset.drawn !== drawn) {
      matrices.dataset.drawn = drawn;
      matrices.replaceChildren(...(isSmall ? Object.entries(given).map(([name, each]) => matrix(name, each)) : []));
    }
    keys = placesOfLargest(rowOf(weights, row), mostKeys, selected.column);
    if (lines.length !== keys.length) {
      lines = keys.map((_, index) =>
        createLine(button('', () => actions.select({ row: now.state.row, column: keys[index] }), { dir: 'auto' })),
      );
      body.replaceChildren(...lines.map((line) => line.root));
    }
    more.hidden = keys.length === keyTokens.length;
    setText(more, messages.keysShown(keys.length, keyTokens.length));
    setAttribute(digits, 'aria-pressed', String(pressed.has('digits')));
    setAttribute(table, 'data-digits', pressed.has('digits'));

    const write = (/** @type {number} */ value, isWeight = false) =>
      value === Infinity
        ? messages.overflow
        : pressed.has('digits')
          ? formatPrecise(value, messages)
          : (isWeight ? formatWeight : format)(value, messages);
    const [subtracted] = worksheet.subtracted;
    const [total] = worksheet.totals;
    /** @type {[string, (string | number)?][]} a column's name, and what is done with its numbers or how many they are */
    const columns = [
      ['k_j', K.shape[1]],
      [texts.products, K.shape[1]],
      [texts.score],
      [messages.stepDivide[divisor], divisor === 'none' ? '' : write(result.divisor)],
      isNaive ? [messages.stepNoMaximum] : [messages.stepMaximum[softmaxAxis], isPerKey ? '' : write(subtracted)],
      [messages.stepExponential],
      [messages.stepSum[softmaxAxis], isPerKey ? '' : write(total)],
      [texts.contribution[state.blend], output.shape[1]],
    ];
    /** @type {string[]} */
    const titles = [];
    heads.forEach(({ name, note, all }, index) => {
      const [title, detail = ''] = columns[index];
      const isVector = typeof detail === 'number';
      setMath(name, title);
      setText(note, isVector ? '' : detail);
      titles[index] = `${title} ${isVector ? '' : detail}`.replaceAll('_', '').trim();
      all.hidden = !isVector || detail <= entriesShown;
      setText(all, texts.all(detail));
      setAttribute(all, 'aria-label', plainText(`${texts.all(detail)}: ${title}`));
      setAttribute(all, 'aria-pressed', String(pressed.has(steps[index])));
    });

    const show = (/** @type {ReturnType<typeof createLine>} */ line, /** @type {Entry[]} */ entries) =>
      line.cells.forEach((cell, index) => {
        const [values = [], word = ''] = entries[index] ?? [];
        // Only a column of vectors has more than one number, and q is written like k_j.
        const hasAll = pressed.has(steps[index]);
        setAttribute(cell, 'data-title', titles[index]); // a narrow widget has no room for the head of the table
        const most = hasAll ? values.length : entriesShown;
        setAttribute(cell, 'data-all', hasAll);
        const shown = Array.from(values).slice(0, most);
        if (cell.childElementCount !== shown.length + 2) {
          cell.replaceChildren(h('small', {}), ...shown.flatMap(() => [' ', h('span', {})]), h('small', {}));
        }
        const [before, ...rest] = cell.children;
        setText(before, word);
        shown.forEach((value, place) => {
          setText(rest[place], write(value, index === 6));
        });
        setText(rest[shown.length], values.length > most ? ' …' : '');
      });

    setLabel(query.name, tokens, row, paddingAt(messages, result, row, true));
    show(query, [[rowOf(Q, row), 'q =']]);
    lines.forEach((line, index) => {
      const j = keys[index];
      const isMasked = masked.data[start + j] === -Infinity;
      const isCleared = !isMasked && visible.data[start + j] === 0;
      setLabel(line.name, keyTokens, j, paddingAt(messages, result, j), line.name);
      setAttribute(line.root, 'data-hidden', isMasked || isCleared);
      const reference = isPerKey && !isNaive ? `− ${write(worksheet.subtracted[j])}` : '';
      const divided = isPerKey && !isMasked ? `÷ ${write(worksheet.totals[j])}` : '';
      const isZeroed = isDropped(result, state, { row, column: j });
      const undropped = state.dropout > 0 && !isMasked ? ` ÷ (1 − ${write(state.dropout)})` : '';
      show(line, [
        [rowOf(K, j)],
        [rowOf(worksheet.products, j)],
        [[scores.data[start + j]]],
        [[scaled.data[start + j]]],
        [[worksheet.shifted[j]], isMasked ? messages.hidden : reference],
        [[worksheet.exponentials[j]]],
        [
          [weights.data[start + j]],
          isCleared ? texts.cleared : isZeroed ? messages.stepDropped : (divided + undropped).trim(),
        ],
        [rowOf(worksheet.contributions, j)],
      ]);
    });
    show(sum, [...Array(5), [isPerKey ? [] : [total]], [[result.metrics.rowSum[row]]], [rowOf(output, row), 'z =']]);
    light();
  };

  return {
    root: h('div', { class: 'worksheet' }, digits, matrices, region, more),

    update(context) {
      now = context;
      render();
    },

    point(context) {
      now = context;
      light();
    },
  };
}

/**
 * A matrix in full, its numbers as they are.
 *
 * @param {string} name
 * @param {import('../engine/lesson-engine.js').Tensor} tensor
 */
function matrix(name, tensor) {
  const rows = Array.from({ length: tensor.shape[0] }, (_, row) =>
    h('tr', {}, ...Array.from(rowOf(tensor, row), (value) => h('td', {}, String(value).replace('-', '−')))),
  );
  return h('table', { class: 'by-hand' }, h('caption', {}, math(`${name} =`)), ...rows);
}

/** @param {HTMLElement} name */
function createLine(name) {
  const cells = steps.map((step) => h('td', { 'data-step': step }));
  return { name, cells, root: h('tr', {}, h('th', { scope: 'row' }, name), ...cells) };
}
