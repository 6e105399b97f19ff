// Pictures, and what is in them.

import { parseHTML } from 'linkedom';
import { completeState } from '../../../web/engine/lesson-state.js';
import { pictureOf, toSVG } from '../../../web/export/picture.js';
import english from '../../../web/language/messages/en.js';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();

/** @param {Partial<import('../../../web/engine/lesson-state.js').LessonState>} settings */
export function pictured(settings) {
  const state = completeState(settings);
  const result = engine.lesson(state);
  const svg = toSVG(pictureOf(state, result.head ?? result, english));
  const { document } = parseHTML(svg);
  const texts = [...document.querySelectorAll('text')].map((text) => text.textContent ?? '');
  return { state, result, svg, document, texts };
}
