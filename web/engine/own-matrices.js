// Matrices of one's own, in place of seeded ones, and single entries that are changed: what they are, how attributes
// write them, and what they decide of a lesson.

import { describe } from './engine-error.js';
import { isNumber } from './number-text.js';
import { lessonSettings } from './settings.generated.js';

/** @typedef {import('./settings.generated.js').LessonSettings} LessonSettings */
/** @typedef {import('./engine-error.js').Problem} Problem */

/** @typedef {keyof {[Name in keyof typeof lessonSettings as typeof lessonSettings[Name]['kind'] extends 'matrix' ? Name : never]: 0}} MatrixName */

/** @typedef {readonly (readonly number[])[]} Rows */

/**
 * An entry that is changed; its column is counted within its head, the first where none is named.
 *
 * @typedef {{matrix: MatrixName, row: number, column: number, value: number, head?: number}} MatrixEdit
 */

/** In the order in which the core knows them. */
export const matrixNames = /** @type {MatrixName[]} */ (
  Object.keys(lessonSettings).filter(
    (name) => lessonSettings[/** @type {keyof typeof lessonSettings} */ (name)].kind === 'matrix',
  )
);

/**
 * A matrix or a list as this widget keeps it: its own copy, which nobody can change, of `{data, shape}` as rows. What is
 * neither is left as it is, to be reported.
 *
 * @param {any} value
 * @returns {any}
 */
export function keptRows(value) {
  if (Object.isFrozen(value)) {
    return value;
  }
  const { data, shape } = value;
  const isShape = Array.isArray(shape) && shape.length === 2 && shape.every(Number.isInteger);
  if (isShape && data?.length === shape[0] * shape[1]) {
    return keptRows(Array.from({ length: shape[0] }, (_, row) => data.slice(row * shape[1], (row + 1) * shape[1])));
  }
  const kept = (/** @type {any} */ row) => {
    const isRow = Array.isArray(row) || ArrayBuffer.isView(row);
    return Object.isFrozen(row) ? row : Object.freeze(isRow ? Array.from(/** @type {any} */ (row)) : { ...row });
  };
  return Array.isArray(value) ? Object.freeze(Array.from(value, kept)) : value;
}

/** The same of a setting: a bias, which is one row, may stand there without brackets around it. @param {string} name @param {any} value */
export function keptMatrix(name, value) {
  return keptRows(name.startsWith('b') && typeof value?.[0] === 'number' ? [value] : value);
}

/**
 * What keeps a value from being a matrix.
 *
 * @param {string} argument
 * @param {unknown} value
 * @returns {Problem | null}
 */
export function matrixProblem(argument, value) {
  const expected = 'must be rows of numbers';
  const projections = /** @type {Projections | null} */ (value);
  if (argument === 'X' && projections?.Q !== undefined) {
    return projectionsProblem(projections);
  }
  if (!Array.isArray(value)) {
    return { argument, found: `is ${describe(value)}`, expected };
  }
  const columns = value[0]?.length;
  if (!(columns > 0)) {
    return { argument, found: value.length === 0 ? 'is empty' : `holds ${describe(value[0])}`, expected };
  }
  for (const [row, entries] of value.entries()) {
    if (!Array.isArray(entries)) {
      return { argument, found: `holds ${describe(entries)} in row ${row}`, expected };
    }
    if (entries.length !== columns) {
      const found = `has ${entries.length} numbers in row ${row}`;
      return { argument, found, expected: `must have as many as in row 0, ${columns}` };
    }
    const column = Array.from(entries).findIndex((entry) => !Number.isFinite(entry));
    if (column !== -1) {
      const found = `holds ${describe(entries[column])} at (${row}, ${column})`;
      return { argument, found, expected: 'must hold finite numbers' };
    }
  }
  return null;
}

/** A layer's projections at once, and another matrix that was given beside them. @typedef {{Q: any, K: any, V: any, other?: string}} Projections */

/**
 * Settings with matrices in place of Q, K and V, where nobody knows what these were projected from: X is [Q K V], side by side,
 * and W_q, W_k and W_v, of ones and zeros, pick their columns out of it. So the lesson's Q, K and V are these to the bit, but for
 * the sign of a zero. Where they cannot be one layer's they stay together as X, to be reported.
 *
 * @param {Record<string, any>} settings
 * @returns {Record<string, any>}
 */
export function withoutProjections({ Q = null, K = null, V = null, ...settings }) {
  if ((Q ?? K ?? V) === null) {
    return settings;
  }
  const other = matrixNames.find((name) => (settings[name] ?? null) !== null);
  const given = { Q: keptRows(Q), K: keptRows(K), V: keptRows(V), other };
  if (projectionsProblem(given) !== null) {
    return { ...settings, X: given };
  }
  const { length } = given.Q[0];
  const X = given.Q.map((/** @type {number[]} */ row, /** @type {number} */ token) => [
    ...row,
    ...given.K[token],
    ...given.V[token],
  ]);
  const picking = (/** @type {number} */ first, /** @type {Rows} */ rows) =>
    Array.from(X[0], (_, place) => rows[0].map((_, column) => Number(place === first + column)));
  const [Wq, Wk, Wv] = [picking(0, given.Q), picking(length, given.K), picking(2 * length, given.V)];
  return { ...settings, projections: 'separate', X, Wq, Wk, Wv };
}

/**
 * What keeps Q, K and V from being one layer's.
 *
 * @param {Projections} projections
 * @returns {Problem | null}
 */
function projectionsProblem({ other, ...projections }) {
  if (other !== undefined) {
    return { argument: other, found: 'is given', expected: 'Q, K and V stand in its place' };
  }
  for (const [argument, rows] of Object.entries(projections)) {
    const problem = matrixProblem(argument, rows);
    if (problem !== null) {
      return problem;
    }
    const shape = `(${rows.length}, ${rows[0].length})`;
    const wanted = `(${projections.Q.length}, ${(argument === 'V' ? rows : projections.Q)[0].length})`;
    if (shape !== wanted) {
      return { argument, found: `has shape ${shape}`, expected: `Q asks for ${wanted}` };
    }
  }
  return null;
}

/**
 * What keeps a value from being a list of edits.
 *
 * @param {string} argument
 * @param {unknown} value
 * @returns {Problem | null}
 */
export function editsProblem(argument, value) {
  const isPlace = (/** @type {unknown} */ place) => Number.isSafeInteger(place) && Number(place) >= 0;
  const expected = 'must be matrix, row, column and value of each, such as Wq 0 1 3.5';
  if (!Array.isArray(value)) {
    return { argument, found: `is ${describe(value)}`, expected };
  }
  for (const edit of value) {
    const { matrix, row, column, value: number, head = 0 } = edit ?? {};
    if (!matrixNames.includes(matrix)) {
      const found = edit?.matrix === undefined ? `holds ${describe(edit)}` : `name ${describe(matrix)}`;
      return { argument, found, expected: matrix === undefined ? expected : `must be of ${matrixNames.join(', ')}` };
    }
    const wrong = [row, column, head].find((place) => !isPlace(place));
    if (![row, column, head].every(isPlace)) {
      return { argument, found: `place ${matrix} at ${describe(wrong)}`, expected: 'must count from 0' };
    }
    if (!Number.isFinite(number)) {
      const found = `change ${matrix} at (${row}, ${column}) to ${describe(number)}`;
      return { argument, found, expected: 'must be finite numbers' };
    }
  }
  return null;
}

/** A number to the last bit, the sign of 0 too. @param {number} number */
const numberText = (number) => (Object.is(number, -0) ? '-0' : String(number));

/** The text that `parseMatrix` reads back: "1 2; 3 4". @param {Rows} rows */
export function matrixText(rows) {
  return rows.map((row) => row.map(numberText).join(' ')).join('; ');
}

/**
 * A matrix as an attribute writes it, its rows parted by semicolons or line breaks, or as JSON.
 *
 * @param {string} text
 * @returns {unknown}  the text itself where it says no numbers, an empty text for none
 */
export function parseMatrix(text) {
  const trimmed = text.trim();
  if (trimmed === '') {
    return undefined;
  }
  if (/^[[{]/.test(trimmed)) {
    return parsedJSON(trimmed);
  }
  const rows = trimmed.split(/\s*[;\n]\s*/).map((row) => row.split(/[\s,]+/));
  return rows.flat().every(isNumber) ? rows.map((row) => row.map(Number)) : text;
}

/** The text that `parseEdits` reads back: "Wq 0 1 3.5 X 2 0 -1". @param {readonly MatrixEdit[]} edits */
export function editsText(edits) {
  return edits
    .map(({ matrix, row, column, value, head }) =>
      [matrix, row, column, numberText(value), ...(head ? [head] : [])].join(' '),
    )
    .join(' ');
}

/**
 * Edits as an attribute writes them, or as JSON.
 *
 * @param {string} text
 * @returns {unknown}  the text itself where it says none
 */
export function parseEdits(text) {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) {
    return parsedJSON(trimmed);
  }
  const groups = trimmed === '' ? [] : trimmed.split(/[\s,;]+(?=[A-Za-z])/);
  const edits = groups.map((group) => {
    const [matrix, ...words] = group.split(/[\s,;]+/).filter(Boolean);
    const isWhole = (words.length === 4 || words.length === 3) && words.every(isNumber);
    const [row, column, value, head] = words.map(Number);
    return isWhole ? { matrix, row, column, value, ...(head !== undefined && { head }) } : null;
  });
  return edits.includes(null) ? text : edits;
}

/** @param {string} text @returns {unknown}  the text itself where it is no JSON */
function parsedJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The matrices and biases that have a part in a lesson: those of queries stand for all three where they are shared, and
 * without projections there are none.
 *
 * @param {Pick<LessonSettings, 'projections'>} state
 */
export function matricesIn({ projections }) {
  return matrixNames.filter(
    (name) => name === 'X' || (projections === 'shared' ? name.endsWith('q') : projections === 'separate'),
  );
}

/**
 * The widths that given matrices decide, whatever else is said of them, and which matrix decides each.
 *
 * @param {LessonSettings} state
 * @returns {Map<'dModel' | 'dK' | 'dV', {width: number, matrix: MatrixName}>}
 */
export function decidedWidths(state) {
  /** @type {Map<any, {width: number, matrix: MatrixName}>} */
  const decided = new Map();
  const decide = (
    /** @type {string | number} */ name,
    /** @type {number} */ width,
    /** @type {MatrixName} */ matrix,
  ) => {
    if (typeof name === 'string' && name !== 'tokens' && Number.isInteger(width) && !decided.has(name)) {
      decided.set(name, { width, matrix });
    }
  };
  for (const matrix of matricesIn(state)) {
    const own = state[matrix];
    if (own !== null && matrixProblem(matrix, own) === null) {
      const [rows, heads, width] = lessonSettings[matrix].lengths;
      decide(rows, own.length, matrix);
      decide(width, own[0].length / (heads === 'heads' ? state.heads : heads), matrix);
    }
  }
  const model = decided.get('dModel');
  if (state.projections === 'identity' && model !== undefined) {
    decided.set('dK', model).set('dV', model);
  }
  return decided;
}

/**
 * The matrix that decides a setting, so that nothing else can.
 *
 * @param {LessonSettings} state
 * @param {string} name
 * @returns {MatrixName | undefined}
 */
export function decides(state, name) {
  return name === 'tokens' && state.X !== null ? 'X' : decidedWidths(state).get(/** @type {any} */ (name))?.matrix;
}

/** Whether a state has numbers of its own, given or edited. @param {LessonSettings} state */
export function hasOwnNumbers(state) {
  return state.edits.length > 0 || givenMatrices(state).length > 0;
}

/** The given matrices that have a part in a lesson. @param {LessonSettings} state */
export function givenMatrices(state) {
  return matricesIn(state).filter((name) => state[name] !== null);
}

/** "W_q" for Wq. @param {string} matrix */
export const symbolOfMatrix = (matrix) => matrix.replace(/(?<=[Wb])/, '_');

/**
 * Whether an edit is of an entry that its matrix has.
 *
 * @param {MatrixEdit} edit
 * @param {LessonSettings} state
 */
export function editFits({ matrix, row, column, head = 0 }, state) {
  const [rows, heads, width] = lessonSettings[matrix].lengths.map((length) => lengthIn(state, length));
  return row < rows && head < heads && column < width;
}

/** @param {LessonSettings} state @param {string | number} length */
function lengthIn(state, length) {
  if (typeof length === 'number') {
    return length;
  }
  const { tokens, context, dV, dK } = state;
  const counts = { tokens: tokens.length, keys: (context.length > 0 ? context : tokens).length, dV: dV ?? dK };
  return Number({ ...state, ...counts }[length]);
}

/**
 * The edits that show in a matrix of the state's head.
 *
 * @param {LessonSettings} state
 * @param {string} name
 */
export function editsOf({ edits, head }, name) {
  return edits.filter((edit) => edit.matrix === name && (name === 'X' || (edit.head ?? 0) === head));
}

/**
 * A state for calls that are given what its matrices have made.
 *
 * @template {LessonSettings} State
 * @param {State} state
 * @returns {State}
 */
export function withoutMatrices(state) {
  return { ...state, ...Object.fromEntries(matrixNames.map((name) => [name, null])), edits: [] };
}

/**
 * What some of a sentence's tokens have of its own embeddings: a long lesson is computed in parts.
 *
 * @param {LessonSettings} state
 * @param {number} first
 * @param {number} count
 */
export function matricesOfTokens({ X, edits }, first, count) {
  const own = edits.flatMap((edit) => {
    const isElsewhere = edit.matrix === 'X' && (edit.row < first || edit.row >= first + count);
    return isElsewhere ? [] : [edit.matrix === 'X' ? { ...edit, row: edit.row - first } : edit];
  });
  return { X: X?.slice(first, first + count) ?? null, edits: own };
}
