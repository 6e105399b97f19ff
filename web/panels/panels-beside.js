// How a script beside the widget hands its panels over: with their English texts, and one style sheet.

import { completed } from '../language/completed.js';
import { signedShadeRules } from '../views/shades.js';
import { sharedStyleSheet } from '../views/style-sheet.js';

/**
 * @param {import('./panel.js').PanelDefinition[]} all
 * @param {Record<string, any>} english  their texts, which the widget has not
 * @returns {import('./panel.js').PanelsBeside}
 */
export function besidePanels(all, english) {
  return {
    panels: all.map((panel) => ({
      ...panel,
      create: (messages, actions) => panel.create(completed(messages, english), actions),
    })),
    styles: sharedStyleSheet(() => [...new Set(all.flatMap(({ styles = [] }) => styles)), ...signedShadeRules()]),
  };
}
