// Every panel, in the order in which they show, by groups: web/build/settings.mjs reads the names for the setting `panels`
// out of `groups`. What stands in no list here lies beside the widget, in beside.js.

import { breakIt } from './break-it.js';

/** @typedef {import('../engine/lesson-state.js').PanelName} PanelName */

/** @type {Record<'see' | 'break' | 'learn' | 'try' | 'take', PanelName[]>} */
export const groups = {
  see: ['shapes', 'worksheet'],
  break: ['break', 'proofs', 'compare'],
  learn: ['jacobian', 'gradients', 'train', 'law'],
  try: ['checkpoints', 'numbers'],
  take: ['code', 'share'],
};

/** @type {import('./panel.js').PanelDefinition[]} */
export const inside = [breakIt];
