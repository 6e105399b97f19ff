// What a picture as a file can hold.

import { EngineError } from '../engine/engine-error.js';

/** The most tokens of a picture: each cell of a larger one is less than a pixel, and its document many megabytes. */
export const maxTokensPictured = 512;

/**
 * @param {import('../engine/lesson-engine.js').LessonResult} result
 * @throws {EngineError}  if there are more than `maxTokensPictured` tokens
 */
export function requirePicturable({ tokens, keyTokens }) {
  const length = Math.max(tokens.length, keyTokens.length);
  if (length > maxTokensPictured) {
    const expected = `a picture as a file must hold at most ${maxTokensPictured}`;
    throw new EngineError({ argument: 'tokens', found: `holds ${length}`, expected });
  }
}
