// Which part of a lesson each found tensor would be: by its name where the name says so, by its shape otherwise. What comes out is
// plain data, which a dialog shows and a reader may change; `matrixOf` then reads what was agreed.

import { EngineError } from '../engine/engine-error.js';
import { shapeText } from './refusal.js';
import { readName } from './role-names.js';

/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('./role-names.js').NameReading} NameReading */
/** @typedef {import('./tensors.js').Matrix} Matrix */

/** @typedef {'X' | 'Wq' | 'Wk' | 'Wv' | 'bq' | 'bk' | 'bv' | 'Q' | 'K' | 'V'} Role */

/** In the order in which a lesson needs them. */
export const roles = /** @type {const} */ (['X', 'Wq', 'Wk', 'Wv', 'bq', 'bk', 'bv', 'Q', 'K', 'V']);

/**
 * How a matrix of weights is stored. `in-out`, as the formula X·W has it, by GPT-2's layers and by this widget; `out-in`, as the
 * linear layers of PyTorch have it, where the transpose is used.
 *
 * @typedef {'in-out' | 'out-in'} Orientation
 */

/**
 * What a lesson has; null: anything.
 *
 * @typedef {object} Widths
 * @property {number | null} tokens  T
 * @property {number | null} dModel
 * @property {number | null} queries  columns of W_q and W_k: heads·d_k
 * @property {number | null} values  columns of W_v: heads·d_v
 * @property {readonly string[]} [words]  the tokens, to be looked up among the names of rows
 */

/**
 * One tensor, or a third of one, in a role.
 *
 * @typedef {object} Assignment
 * @property {Role} role
 * @property {number} tensor  its index among the found ones
 * @property {'name' | 'shape' | 'target'} by  what decided: the tensor's name, its shape, or the matrix that it was brought to
 * @property {Orientation} orientation
 * @property {Orientation[]} fits  the orientations in which its shape fits: both of a square matrix, and of any where d_model is unknown
 * @property {0 | 1 | 2 | null} third  of a fused tensor: queries, keys, values. Of [in, 3·out] it is a third of the columns, of
 *   [3·out, in] a third of the rows; null: the whole tensor
 * @property {number[] | null} rows  of a table of embeddings, in the tokens' order; null: all
 * @property {number[]} shape  of the matrix that the lesson gets
 * @property {Role[]} could  the roles that its shape fits
 */

/**
 * @typedef {object} Suggestion
 * @property {Assignment[]} assignments  in the order of `roles`, each role at most once
 * @property {string[]} layers  what stands before the names of each layer's weights, where there are several
 * @property {string | null} layer  the one that was taken
 * @property {{tensor: number, reason: 'unreadable' | 'interleaved' | 'thirds' | 'layer' | 'axes' | 'none'}[]} unused  why a tensor has no
 *   role: it cannot be read; its queries, keys and values take turns head by head; its width is no multiple of 3; it is of another
 *   layer; it is no vector and no matrix; nothing fits
 */

const parts = /** @type {const} */ (['q', 'k', 'v']);

/** @param {NameReading['kind']} kind @param {'q' | 'k' | 'v'} part @returns {Role} */
const roleOf = (kind, part) =>
  /** @type {Role} */ (kind === 'projected' ? part.toUpperCase() : `${kind === 'bias' ? 'b' : 'W'}${part}`);

/** A shape without axes of length 1 in front of rows and columns: a batch of one is its item. @param {number[]} shape */
function itemShape(shape) {
  const ones = shape.findIndex((length, axis) => length !== 1 || shape.length - axis <= 2);
  return shape.slice(Math.max(0, ones));
}

/** @param {Role} role */
const isBias = (role) => role.startsWith('b');

/** @param {Role} role */
const isWeight = (role) => role.startsWith('W');

/**
 * The shape that a role gets of a tensor.
 *
 * @param {number[]} shape  of the tensor
 * @param {Pick<Assignment, 'role' | 'orientation' | 'third' | 'rows'>} assignment
 */
export function shapeAs(shape, { role, orientation, third, rows }) {
  const item = itemShape(shape);
  const share = third === null ? 1 : 3;
  if (isBias(role)) {
    return [item[item.length - 1] / share];
  }
  if (item.length < 2) {
    return [1, item[0] ?? 1];
  }
  const [height, width] = item;
  if (!isWeight(role)) {
    return [rows?.length ?? height, width];
  }
  return orientation === 'in-out' ? [height, width / share] : [width, height / share];
}

/** What a role asks of rows and columns; null: anything. @param {Role} role @param {Widths} widths @param {number | null} dModel */
function wantedShape(role, { tokens, queries, values }, dModel) {
  const width = /[vV]$/.test(role) ? values : queries;
  return role === 'X' ? [tokens, dModel] : isWeight(role) ? [dModel, width] : isBias(role) ? [width] : [tokens, width];
}

/** @param {number[]} shape @param {(number | null)[]} wanted */
const agrees = (shape, wanted) =>
  shape.length === wanted.length && shape.every((length, axis) => wanted[axis] === null || wanted[axis] === length);

/**
 * The orientations in which a matrix of weights fits: by d_model where it is known, or else by a fused one's three times the width.
 *
 * @param {number[]} item
 * @param {boolean} isFused
 * @param {number | null} dModel
 * @returns {Orientation[]}
 */
function orientationsOf([height, width], isFused, dModel) {
  /** @type {[Orientation, number, number][]} */
  const ways = [
    ['in-out', height, width],
    ['out-in', width, height],
  ];
  const whole = ways.filter(([, , out]) => !isFused || out % 3 === 0);
  const fitting = whole.filter(([, into]) => dModel === null || into === dModel);
  const thirds = isFused && dModel === null ? fitting.filter(([, into, out]) => out === 3 * into) : [];
  return (thirds.length > 0 ? thirds : fitting).map(([orientation]) => orientation);
}

/**
 * The roles that a tensor's shape fits, in some orientation.
 *
 * @param {number[]} item
 * @param {Widths} widths
 * @param {number | null} dModel
 * @returns {Role[]}
 */
function rolesByShape(item, widths, dModel) {
  return roles.filter((role) => {
    const wanted = wantedShape(role, widths, dModel);
    if (isBias(role)) {
      return agrees(item.length === 2 && item[0] === 1 ? item.slice(1) : item, wanted);
    }
    if (item.length !== 2) {
      return false;
    }
    // Any rows of a table may be taken.
    return role === 'X'
      ? agrees([item[1]], [dModel]) && (widths.tokens === null || item[0] >= widths.tokens)
      : agrees(item, wanted) || (isWeight(role) && agrees(item.toReversed(), wanted));
  });
}

/**
 * Which rows of a table the tokens get: those of their names, or the first; null where the table has a row for each.
 *
 * @param {FoundTensor} tensor
 * @param {number} height
 * @param {Widths} widths
 */
function rowsFor({ rowNames }, height, { tokens, words: wanted }) {
  const named = (wanted ?? []).map((word) => rowNames?.indexOf(word) ?? -1);
  if (named.length > 0 && !named.includes(-1)) {
    return named;
  }
  return tokens !== null && height > tokens ? Array.from({ length: tokens }, (_, row) => row) : null;
}

/** @param {string[]} prefixes  in the order of the file @returns {string[]} without repetition, layer 2 before layer 10 */
function layersOf(prefixes) {
  const inOrder = new Intl.Collator('en', { numeric: true }).compare;
  return [...new Set(prefixes)].sort(inOrder);
}

/**
 * A role for each tensor that has one.
 *
 * Names come first. Of several layers one is taken: the one asked for, or the first of those that have the most. A fused tensor
 * gives three roles. What has no name that says anything gets the first free role that its shape fits, matrices before their
 * results. A tensor brought to a matrix (`target`) gets that role, whatever its name.
 *
 * @param {readonly FoundTensor[]} tensors
 * @param {Widths} widths
 * @param {{target?: Role | null, layer?: string | null}} [choice]
 * @returns {Suggestion}
 */
export function suggestRoles(tensors, widths, { target = null, layer = null } = {}) {
  const readings = tensors.map(({ name }) => readName(name));
  const items = tensors.map(({ shape }) => itemShape(shape));
  const isUsable = tensors.map(
    ({ problem, shape }, index) =>
      problem === null && shape.every((length) => length > 0) && [1, 2].includes(items[index].length),
  );
  const isOfLayer = (/** @type {NameReading | null} */ reading) => reading !== null && reading.kind !== 'X';
  const layers = layersOf(
    readings.flatMap((reading, index) => (isOfLayer(reading) && isUsable[index] ? [reading?.prefix ?? ''] : [])),
  );
  const members = (/** @type {string} */ prefix) =>
    readings.filter((reading) => isOfLayer(reading) && reading?.prefix === prefix).length;
  const fullest = Math.max(0, ...layers.map(members));
  const taken =
    layers.find((prefix) => prefix === layer) ?? layers.find((prefix) => members(prefix) === fullest) ?? null;

  const table = readings.findIndex(
    (reading, index) => reading?.kind === 'X' && isUsable[index] && items[index].length === 2,
  );
  const dModel = widths.dModel ?? (table >= 0 ? items[table][1] : null);

  /** @type {Map<Role, Assignment>} */
  const assigned = new Map();
  /** @type {Map<number, Suggestion['unused'][number]['reason']>} */
  const reasons = new Map();

  /** @param {number} tensor @param {Role} role @param {Assignment['by']} by @param {Orientation} usual @param {Assignment['third']} third */
  const assign = (tensor, role, by, usual, third) => {
    const item = items[tensor];
    const fits = isWeight(role) && item.length === 2 ? orientationsOf(item, third !== null, dModel) : [];
    const orientation = fits.length === 1 ? fits[0] : usual;
    const rows = role === 'X' && item.length === 2 ? rowsFor(tensors[tensor], item[0], widths) : null;
    const shape = shapeAs(item, { role, orientation, third, rows });
    assigned.set(role, {
      role,
      tensor,
      by,
      orientation,
      fits,
      third,
      rows,
      shape,
      could: rolesByShape(item, widths, dModel),
    });
  };

  /** @param {number} tensor @param {NameReading} reading */
  const assignFused = (tensor, { kind, orientation }) => {
    const item = items[tensor];
    const isDivisible =
      kind === 'bias' ? item[item.length - 1] % 3 === 0 : item.length === 2 && item.some((length) => length % 3 === 0);
    if (kind === 'X' || !isDivisible || (kind === 'weight' && orientationsOf(item, true, null).length === 0)) {
      reasons.set(tensor, 'thirds');
      return;
    }
    const [height, width] = item;
    const usual =
      kind === 'weight' && (orientation === 'in-out' ? width : height) % 3 !== 0 ? flipped(orientation) : orientation;
    parts.forEach((part, third) => {
      assign(tensor, roleOf(kind, part), 'name', usual, /** @type {0 | 1 | 2} */ (third));
    });
  };

  tensors.forEach(({ problem }, index) => {
    const reading = readings[index];
    if (!isUsable[index]) {
      reasons.set(index, problem !== null ? 'unreadable' : 'axes');
    } else if (reading?.part === 'interleaved') {
      reasons.set(index, 'interleaved');
    } else if (reading !== null && isOfLayer(reading) && reading.prefix !== taken) {
      reasons.set(index, 'layer');
    } else if (reading?.part === 'all') {
      assignFused(index, reading);
    } else if (reading !== null) {
      const role = reading.kind === 'X' ? 'X' : roleOf(reading.kind, /** @type {'q'} */ (reading.part));
      const isFlat = items[index].length === 1;
      if (
        !assigned.has(role) &&
        (isFlat === isBias(role) || (isBias(role) && items[index][0] === 1) || (isFlat && !isWeight(role)))
      ) {
        assign(index, role, 'name', reading.orientation, null);
      }
    }
  });

  const isFree = (/** @type {number} */ index) => ![...assigned.values()].some(({ tensor }) => tensor === index);
  if (target !== null) {
    const first = tensors.findIndex(
      (_, index) => isUsable[index] && rolesByShape(items[index], widths, dModel).includes(target),
    );
    const chosen = first >= 0 ? first : isUsable.indexOf(true);
    if (chosen >= 0 && assigned.get(target)?.third == null && assigned.get(target)?.tensor !== chosen) {
      for (const [role, { tensor }] of assigned) {
        if (tensor === chosen) {
          assigned.delete(role);
        }
      }
      assign(chosen, target, 'target', readings[chosen]?.orientation ?? 'in-out', null);
    }
  }
  tensors.forEach((_, index) => {
    if (isFree(index) && !reasons.has(index) && readings[index] === null) {
      const role = rolesByShape(items[index], widths, dModel).find((one) => !assigned.has(one));
      if (role !== undefined) {
        assign(index, role, 'shape', 'in-out', null);
      }
    }
  });

  return {
    assignments: roles.flatMap((role) => assigned.get(role) ?? []),
    layers: layers.length > 1 ? layers : [],
    layer: layers.length > 1 ? taken : null,
    unused: tensors.flatMap((_, tensor) => (isFree(tensor) ? [{ tensor, reason: reasons.get(tensor) ?? 'none' }] : [])),
  };
}

/** @param {Orientation} orientation @returns {Orientation} */
const flipped = (orientation) => (orientation === 'in-out' ? 'out-in' : 'in-out');

/**
 * Reads what an assignment says: the rows, the third, transposed or not.
 *
 * @param {FoundTensor} tensor
 * @param {Assignment} assignment
 * @returns {Promise<Matrix>}  of the assignment's role: (rows, columns), of a bias (columns)
 */
export async function matrixOf(tensor, assignment) {
  const { role, orientation, third, rows } = assignment;
  const item = itemShape(tensor.shape);
  const shape = shapeAs(item, assignment);
  if (![1, 2].includes(item.length) || !shape.every(Number.isInteger)) {
    const expected = third === null ? 'must have rows and columns' : 'must have a width that three share';
    throw new EngineError({
      argument: `${tensor.name} for ${role}`,
      found: `has shape ${shapeText(tensor.shape)}`,
      expected,
    });
  }
  const width = item[item.length - 1];
  const isTransposed = isWeight(role) && orientation === 'out-in' && item.length === 2;
  // A third of the rows is read alone, like chosen rows; a third of the columns stands in every row.
  const isOfRows = third !== null && isTransposed;
  const wanted = isOfRows ? Array.from({ length: shape[1] }, (_, row) => third * shape[1] + row) : rows;
  const columns = third === null || isOfRows ? width : width / 3;
  const first = third === null || isOfRows ? 0 : third * columns;

  const isItem = item.length === tensor.shape.length;
  const read = await tensor.read(isItem && wanted !== null ? { rows: wanted } : {});
  const height = wanted?.length ?? read.data.length / width;
  const data = new Float64Array(height * columns);
  for (let row = 0; row < height; row++) {
    const from = (isItem || wanted === null ? row : wanted[row]) * width + first;
    for (let column = 0; column < columns; column++) {
      data[isTransposed ? column * height + row : row * columns + column] = read.data[from + column];
    }
  }
  return { data, shape };
}
