// The panels that lie beside the widget in a script of their own, with their English texts: few readers open them, and all
// readers wait for the first picture. The widget asks for the script when one of them is opened.

import { completed } from '../language/completed.js';
import english from '../language/english-beside.js';
import { signedShadeRules } from '../views/shades.js';
import { sharedStyleSheet } from '../views/style-sheet.js';
import { checkpoints } from './checkpoints.js';
import { code } from './code.js';
import { compare } from './compare.js';
import { gradients } from './gradients.js';
import { jacobian } from './jacobian.js';
import { law } from './law.js';
import { numbers } from './numbers.js';
import { proofs } from './proofs.js';
import { shapes } from './shapes.js';
import { share } from './share.js';
import { train } from './train.js';
import { worksheet } from './worksheet.js';

const all = [shapes, worksheet, proofs, compare, jacobian, gradients, train, law, checkpoints, numbers, code, share];

/** @type {import('./panel.js').PanelDefinition[]} */
export const panels = all.map((panel) => ({
  ...panel,
  create: (messages, actions) => panel.create(completed(messages, english), actions),
}));

export const styles = sharedStyleSheet(() => [
  ...new Set(panels.flatMap(({ styles = [] }) => styles)),
  ...signedShadeRules(),
]);
