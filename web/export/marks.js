// How the marks of a picture write numbers and symbols.

/** A coordinate in few digits. @param {number} value */
export const short = (value) => Number(value.toFixed(2));

/** Text without subscripts of the page's kind. @param {string} text */
export const symbols = (text) => text.replaceAll('d_k', 'dₖ');
