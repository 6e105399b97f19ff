// The one error of the engine: a sentence that names an argument, what was found and what was expected.

import { describe } from './lesson-state.js';

/** @typedef {import('./lesson-state.js').Problem} Problem */

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

/** @type {(argument: string, value: unknown) => asserts value is object} */
export function requireObject(argument, value) {
  if (typeof value !== 'object' || value === null) {
    throw new EngineError({ argument, found: `is ${describe(value)}`, expected: 'must be an object' });
  }
}
