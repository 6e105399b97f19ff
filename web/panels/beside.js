// The panels of the groups See, Break and Learn that lie beside the widget in a script of their own: few readers open them, and
// all readers wait for the first picture. The widget asks for the script when one of them is opened.

import english from '../language/english-beside.js';
import { compare } from './compare.js';
import { gradients } from './gradients.js';
import { jacobian } from './jacobian.js';
import { law } from './law.js';
import { besidePanels } from './panels-beside.js';
import { proofs } from './proofs.js';
import { shapes } from './shapes.js';
import { train } from './train.js';
import { worksheet } from './worksheet.js';

const all = [shapes, worksheet, proofs, compare, jacobian, gradients, train, law];

export const { panels, styles } = besidePanels(all, english);
