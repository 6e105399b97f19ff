// Registers the tag. Loading it twice, or in two versions, leaves the first in charge.

import { AttentionWidget } from './attention-widget.js';
import { driveByProse } from './prose.js';

if (globalThis.customElements !== undefined && customElements.get('attention-widget') === undefined) {
  customElements.define('attention-widget', AttentionWidget);
  driveByProse(document, AttentionWidget);
}

export { EngineError } from '../engine/engine-error.js';
export { loadLessonEngine } from '../engine/lesson-module.js';
export { AttentionWidget };
