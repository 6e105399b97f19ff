// Every panel, in the order in which they show. This list is all that the widget, its style sheet, the size test and the
// setting `panels` know of panels: web/build/settings.mjs reads it for their names, so one import and one line each.

import { breakIt } from './break-it.js';
import { checkpoints } from './checkpoints.js';
import { code } from './code.js';
import { compare } from './compare.js';
import { gradients } from './gradients.js';
import { jacobian } from './jacobian.js';
import { law } from './law.js';
import { proofs } from './proofs.js';
import { shapes } from './shapes.js';
import { share } from './share.js';
import { train } from './train.js';
import { worksheet } from './worksheet.js';

/** @type {import('./panel.js').PanelDefinition[]} */
export const registry = [
  breakIt,
  proofs,
  shapes,
  worksheet,
  jacobian,
  compare,
  gradients,
  train,
  law,
  checkpoints,
  code,
  share,
];
