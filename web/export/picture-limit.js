// What a picture as a file can hold.

import { EngineError } from '../engine/engine-error.js';

/** The most tokens of a picture: each cell of a larger one is less than a pixel, and its document many megabytes. */
export const mostPictured = 512;

/**
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @throws {EngineError}  if there are more than `mostPictured` tokens
 */
export function requirePicturable({ tokens: { length } }) {
  if (length > mostPictured) {
    const expected = `a picture as a file must hold at most ${mostPictured}`;
    throw new EngineError({ argument: 'tokens', found: `holds ${length}`, expected });
  }
}
