// The panels of the groups Try and Take, in a script of their own beside the widget: a page that shows the others does not wait
// for these.

import english from '../language/english-try-and-take.js';
import { checkpoints } from './checkpoints.js';
import { code } from './code.js';
import { numbers } from './numbers.js';
import { besidePanels } from './panels-beside.js';
import { share } from './share.js';

export const { panels, styles } = besidePanels([checkpoints, numbers, code, share], english);
