// What is a number in a text, wherever one is read.

/** A whole number or a fraction, with an exponent or without. No hexadecimal, no underscore, no digit of another script. */
const form = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** @param {string} text  whether it has the form of a number, which may be beyond the range of float64 */
export const isNumber = (text) => form.test(text);
