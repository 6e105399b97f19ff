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
 * @property {number | null} dModel  that of found embeddings goes before it
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
 * @property {{tensor: number, reason: Reason}[]} unused  what has no role
 */

/**
 * Why a tensor has no role: it cannot be read; its queries, keys and values take turns head by head; its width is no multiple of 3;
 * it is of another layer; it is neither a vector nor a matrix; nothing fits.
 *
 * @typedef {'unreadable' | 'interleaved' | 'thirds' | 'layer' | 'axes' | 'none'} Reason
 */

const parts = /** @type {const} */ (['q', 'k', 'v']);

/** @param {NameReading['kind']} kind @param {'q' | 'k' | 'v'} part @returns {Role} */
const roleOf = (kind, part) =>
  /** @type {Role} */ (kind === 'projected' ? part.toUpperCase() : `${kind === 'bias' ? 'b' : 'W'}${part}`);

/** @param {Role} role */
const isBias = (role) => role.startsWith('b');

/** @param {Role} role */
const isWeight = (role) => role.startsWith('W');

/** A shape without the axes of length 1 in front of rows and columns: a batch of one is its item. @param {number[]} shape */
function itemShape(shape) {
  const isBatch = (/** @type {number} */ axis) => axis < shape.length - 2 && shape[axis] === 1;
  return shape.slice(shape.findIndex((_, axis) => !isBatch(axis)));
}

/** Whether a role could be played at all: weights are matrices, a bias is a vector, the others are either. @param {Role} role @param {number[]} item */
const hasAxesOf = (role, item) =>
  isWeight(role) ? item.length === 2 : item.length === 1 || (item.length === 2 && (!isBias(role) || item[0] === 1));

/**
 * The shape of the matrix that a lesson gets of a tensor.
 *
 * @param {readonly number[]} shape  of the tensor
 * @param {Pick<Assignment, 'role' | 'orientation' | 'third' | 'rows'>} assignment
 */
export function shapeAs(shape, { role, orientation, third, rows }) {
  const item = itemShape([...shape]);
  const [height, width] = item.length === 1 ? [1, item[0]] : item;
  const share = third === null ? 1 : 3;
  if (isBias(role)) {
    return [width / share];
  }
  if (!isWeight(role)) {
    return [rows?.length ?? height, width];
  }
  return orientation === 'in-out' ? [height, width / share] : [width, height / share];
}

/** What a role asks of rows and columns; null: anything. @param {Role} role @param {Widths} widths @returns {(number | null)[]} */
function wantedShape(role, { tokens, dModel, queries, values }) {
  const width = /v$/i.test(role) ? values : queries;
  return role === 'X' ? [tokens, dModel] : isWeight(role) ? [dModel, width] : isBias(role) ? [width] : [tokens, width];
}

/** @param {number[]} shape @param {(number | null)[]} wanted */
const agrees = (shape, wanted) => shape.every((length, axis) => wanted[axis] === null || wanted[axis] === length);

/** Whether a tensor's shape fits a role, in some orientation, with some of its rows. @param {Role} role @param {number[]} item @param {Widths} widths */
function fitsRole(role, item, widths) {
  const wanted = wantedShape(role, widths);
  const [height, width] = item.length === 1 ? [1, item[0]] : item;
  if (isBias(role) ? !hasAxesOf(role, item) : item.length !== 2) {
    return false;
  }
  if (role === 'X') {
    return agrees([width], [widths.dModel]) && height >= (widths.tokens ?? 0);
  }
  return isBias(role)
    ? agrees([width], wanted)
    : agrees([height, width], wanted) || (isWeight(role) && agrees([width, height], wanted));
}

/**
 * The orientations in which a matrix of weights fits d_model. Where that is not known, those in which a fused one is three times as
 * wide as it is high, if there are any.
 *
 * @param {number[]} item
 * @param {boolean} isFused
 * @param {number | null} dModel
 * @returns {Orientation[]}
 */
function orientationsOf([height, width], isFused, dModel) {
  const ways = [
    { orientation: /** @type {Orientation} */ ('in-out'), into: height, out: width },
    { orientation: /** @type {Orientation} */ ('out-in'), into: width, out: height },
  ].filter(({ into, out }) => (dModel === null || into === dModel) && (!isFused || out % 3 === 0));
  const thirds = isFused && dModel === null ? ways.filter(({ into, out }) => out === 3 * into) : [];
  return (thirds.length > 0 ? thirds : ways).map(({ orientation }) => orientation);
}

/**
 * Which rows of a table the tokens get: those of their names, or the first; null where the table has a row for each.
 *
 * @param {FoundTensor} tensor
 * @param {number} height
 * @param {Widths} widths
 */
function rowsFor({ rowNames }, height, { tokens, words = [] }) {
  const named = words.map((word) => rowNames?.indexOf(word) ?? -1);
  if (named.length > 0 && !named.includes(-1)) {
    return named;
  }
  return tokens !== null && height > tokens ? Array.from({ length: tokens }, (_, row) => row) : null;
}

/** A tensor with what is known of it. @typedef {{index: number, tensor: FoundTensor, item: number[], reading: NameReading | null}} Candidate */

/**
 * @param {Candidate} candidate
 * @param {Role} role
 * @param {Assignment['by']} by
 * @param {Widths} widths
 * @param {Assignment['third']} [third]
 * @returns {Assignment}
 */
function assign({ index, tensor, item, reading }, role, by, widths, third = null) {
  const fits = isWeight(role) ? orientationsOf(item, third !== null, widths.dModel) : [];
  const usual = reading?.orientation ?? 'in-out';
  const orientation = fits.length === 0 || fits.includes(usual) ? usual : fits[0];
  const rows = role === 'X' && item.length === 2 ? rowsFor(tensor, item[0], widths) : null;
  const shape = shapeAs(item, { role, orientation, third, rows });
  const could = roles.filter((one) => fitsRole(one, item, widths));
  return { role, tensor: index, by, orientation, fits, third, rows, shape, could };
}

/**
 * What a tensor's name makes of it, or why nothing.
 *
 * @param {Candidate} candidate
 * @param {Widths} widths
 * @returns {Assignment[] | Reason}
 */
function assignByName(candidate, widths) {
  const { item, reading } = candidate;
  if (reading === null) {
    return [];
  }
  const { kind, part } = reading;
  if (part === 'interleaved') {
    return 'interleaved';
  }
  if (part !== 'all') {
    const role = part === null ? 'X' : roleOf(kind, part);
    return hasAxesOf(role, item) ? [assign(candidate, role, 'name', widths)] : [];
  }
  if (!hasAxesOf(roleOf(kind, 'q'), item)) {
    return [];
  }
  const thirds = parts.map((one, third) =>
    assign(candidate, roleOf(kind, one), 'name', widths, /** @type {0 | 1 | 2} */ (third)),
  );
  return thirds.every(({ shape }) => shape.every(Number.isInteger)) ? thirds : 'thirds';
}

/** The layers that tensors belong to, by what stands before their names: layer 2 before layer 10. @param {Candidate[]} candidates */
function layersOf(candidates) {
  /** @type {Map<string, number>} */
  const members = new Map();
  for (const { reading } of candidates) {
    if (reading !== null && reading.kind !== 'X') {
      members.set(reading.prefix, (members.get(reading.prefix) ?? 0) + 1);
    }
  }
  const layers = [...members.keys()].sort(new Intl.Collator('en', { numeric: true }).compare);
  const most = Math.max(...members.values());
  return { layers, fullest: layers.find((prefix) => members.get(prefix) === most) ?? null };
}

/**
 * A role for each tensor that has one.
 *
 * Names come first. Of several layers one is taken: the one asked for, or the first of those that have the most tensors. A fused
 * tensor gives three roles. A tensor whose name says nothing gets the first free role that its shape fits, in the order of `roles`.
 * Where tensors were brought to a matrix (`target`), the first that fits it gets that role, whatever its name.
 *
 * @param {readonly FoundTensor[]} tensors
 * @param {Widths} widths
 * @param {{target?: Role | null, layer?: string | null}} [choice]
 * @returns {Suggestion}
 */
export function suggestRoles(tensors, widths, { target = null, layer = null } = {}) {
  const all = tensors.map((tensor, index) => {
    const reading = readName(tensor.name);
    return /** @type {Candidate} */ ({ index, tensor, item: itemShape(tensor.shape), reading });
  });
  /** @type {Map<number, Reason>} */
  const reasons = new Map();
  const candidates = all.filter(({ index, tensor, item }) => {
    const isUsable = item.length >= 1 && item.length <= 2 && !item.includes(0);
    if (tensor.problem !== null || !isUsable) {
      reasons.set(index, tensor.problem !== null ? 'unreadable' : 'axes');
    }
    return !reasons.has(index);
  });
  const { layers, fullest } = layersOf(candidates);
  const taken = layer !== null && layers.includes(layer) ? layer : fullest;
  const table = candidates.find(({ item, reading }) => reading?.kind === 'X' && item.length === 2);
  const known = { ...widths, dModel: table?.item[1] ?? widths.dModel };

  /** @type {Map<Role, Assignment>} */
  const assigned = new Map();
  const playing = new Set();
  /** @param {Assignment[]} assignments  of one tensor */
  const keepFree = (assignments) => {
    for (const assignment of assignments) {
      if (!assigned.has(assignment.role)) {
        assigned.set(assignment.role, assignment);
        playing.add(assignment.tensor);
      }
    }
  };

  if (target !== null) {
    const possible = candidates.filter(({ item }) => hasAxesOf(target, item));
    const chosen = possible.find(({ item }) => fitsRole(target, item, known)) ?? possible[0];
    keepFree(chosen ? [assign(chosen, target, 'target', known)] : []);
  }
  for (const candidate of candidates.filter(({ index }) => !playing.has(index))) {
    const { index, reading } = candidate;
    const isOfOtherLayer = reading !== null && reading.kind !== 'X' && reading.prefix !== taken;
    const claims = isOfOtherLayer ? 'layer' : assignByName(candidate, known);
    if (typeof claims === 'string') {
      reasons.set(index, claims);
    } else {
      keepFree(claims);
    }
  }
  for (const candidate of candidates.filter(({ index, reading }) => reading === null && !playing.has(index))) {
    const role = roles.find((one) => !assigned.has(one) && fitsRole(one, candidate.item, known));
    keepFree(role === undefined ? [] : [assign(candidate, role, 'shape', known)]);
  }

  return {
    assignments: roles.flatMap((role) => assigned.get(role) ?? []),
    layers: layers.length > 1 ? layers : [],
    layer: layers.length > 1 ? taken : null,
    unused: all
      .filter(({ index }) => !playing.has(index))
      .map(({ index }) => ({ tensor: index, reason: reasons.get(index) ?? 'none' })),
  };
}

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
  if (!hasAxesOf(role, item) || !shape.every(Number.isInteger)) {
    const argument = `${tensor.name} for ${role}`;
    const expected = hasAxesOf(role, item)
      ? 'must have a width that three share'
      : `must be ${isWeight(role) ? 'a matrix' : isBias(role) ? 'a vector' : 'a matrix or a vector'}`;
    throw new EngineError({ argument, found: `has shape ${shapeText(tensor.shape)}`, expected });
  }
  const width = item[item.length - 1];
  const isTransposed = isWeight(role) && orientation === 'out-in';
  // A third of the rows is read alone, like chosen rows; a third of the columns stands in every row.
  const isOfRows = third !== null && isTransposed;
  const wanted = isOfRows ? Array.from({ length: shape[1] }, (_, row) => third * shape[1] + row) : rows;
  const columns = third === null || isOfRows ? width : width / 3;
  const first = third === null || isOfRows ? 0 : third * columns;

  const isItem = item.length === 2 && tensor.shape.length === 2;
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
