// The English texts of what edits and exchanges numbers, in numbers/beside.js; other languages have all texts in one file.

export default {
  numbers: {
    /** Of an entry: "W_q, row 2, column 3". */
    entry: (/** @type {string} */ matrix, /** @type {number} */ row, /** @type {number} */ column) =>
      `${matrix}, row ${row}, column ${column}`,
    hint: '↑ ↓ change it by 0.1, with Shift by 1; Escape takes it back',
    noNumber: (/** @type {string} */ found) => `${found} is no number.`,
    more: 'more',
    less: 'less',
    changes: 'Your numbers',
    undo: 'Undo',
    redo: 'Redo',
    back: (/** @type {string} */ what) => `Back: ${what}`,
    backTitle: 'Back to what it was before you changed it',
    all: (/** @type {number} */ count) => `all changes (${count})`,
  },
};
