// The one error of the engine: a sentence that names an argument, what was found and what was expected.

/**
 * Why a value cannot be used: "<argument> <found>, but <expected>".
 *
 * @typedef {{argument: string, found: string, expected: string}} Problem
 */

/** Thrown for an argument that cannot be used; the message names it, what was found and what was expected. */
export class EngineError extends Error {
  /** @param {Problem | string} problem */
  constructor(problem) {
    super(typeof problem === 'string' ? problem : `${problem.argument} ${problem.found}, but ${problem.expected}`);
    this.name = 'EngineError';
    /** @type {Problem | null} */
    this.problem = typeof problem === 'string' ? null : problem;
  }
}

/**
 * Any error as the engine's own, which is known by its name: a script beside the widget has a class of its own. One that
 * nobody expects is told to the page as well, which may have caused it.
 *
 * @param {any} error
 * @returns {EngineError}
 */
export function asEngineError(error) {
  if (error?.name === 'EngineError') {
    return error;
  }
  try {
    globalThis.reportError?.(error);
  } catch {} // the page's own; the reader is told all the same
  return new EngineError(`An unexpected error stopped the widget (${error})`);
}

/** @type {(argument: string, value: unknown) => asserts value is object} */
export function requireObject(argument, value) {
  if (typeof value !== 'object' || value === null) {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be an object' });
  }
}

/**
 * A value as an error message quotes it: short, and never as markup.
 *
 * @param {unknown} value
 */
export function describe(value) {
  if (typeof value === 'string') {
    return value.length > 40 ? `"${[...value].slice(0, 40).join('')}…"` : `"${value}"`;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) {
    return String(value);
  }
  if (typeof value === 'bigint') {
    return `the BigInt ${value}`;
  }
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
