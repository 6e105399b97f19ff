// The style sheets of all views and panels, as one text.

import breakIt from './panels/break-it.css';
import checkpoints from './panels/checkpoints.css';
import code from './panels/code.css';
import jacobian from './panels/jacobian.css';
import proofs from './panels/proofs.css';
import shapes from './panels/shapes.css';
import train from './panels/train.css';
import worksheet from './panels/worksheet.css';
import chart from './views/chart.css';
import controls from './views/controls.css';
import figures from './views/figures.css';
import heads from './views/heads.css';
import heatmap from './views/heatmap.css';
import row from './views/row.css';
import { shadeRules } from './views/shades.js';
import widget from './widget.css';

const views = [chart, controls, figures, heads, heatmap, row];
const panels = [breakIt, checkpoints, code, jacobian, proofs, shapes, train, worksheet];

export const styleText = [widget, ...views, ...panels, shadeRules()].join('\n');
