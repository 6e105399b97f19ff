// The style sheet of everything but the panels, which bring their own.

import controls from '../views/controls.css';
import figures from '../views/figures.css';
import heads from '../views/heads.css';
import heatmap from '../views/heatmap.css';
import layer from '../views/layer/layer.css';
import row from '../views/row.css';
import { shadeRules } from '../views/shades.js';
import smallMap from '../views/small-map.css';
import { sharedStyleSheet } from '../views/style-sheet.js';
import widget from './widget.css';

export const widgetStyles = sharedStyleSheet(() => [
  widget,
  controls,
  figures,
  heads,
  heatmap,
  layer,
  row,
  smallMap,
  ...shadeRules(),
]);
