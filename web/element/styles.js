// The style sheets of the views, as one, and those of the panels, as another. All widgets of a page share them.

import breakIt from '../panels/break-it.css';
import checkpoints from '../panels/checkpoints.css';
import code from '../panels/code.css';
import jacobian from '../panels/jacobian.css';
import proofs from '../panels/proofs.css';
import shapes from '../panels/shapes.css';
import train from '../panels/train.css';
import worksheet from '../panels/worksheet.css';
import chart from '../views/chart.css';
import controls from '../views/controls.css';
import figures from '../views/figures.css';
import heads from '../views/heads.css';
import heatmap from '../views/heatmap.css';
import row from '../views/row.css';
import { shadeRules, signedShadeRules } from '../views/shades.js';
import widget from './widget.css';

const views = [controls, figures, heads, heatmap, row];
const panels = [chart, breakIt, checkpoints, code, jacobian, proofs, shapes, train, worksheet];

/** @param {() => string[]} texts */
function sheetOf(texts) {
  /** @type {CSSStyleSheet | undefined} */
  let sheet;
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(texts().join('\n'));
    }
    return sheet;
  };
}

export const widgetStyles = sheetOf(() => [widget, ...views, ...shadeRules()]);

/** Of no use before a panel is open, and half of what the browser would have to read before the first picture. */
export const panelStyles = sheetOf(() => [...panels, ...signedShadeRules()]);
