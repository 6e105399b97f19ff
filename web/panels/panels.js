// The panels under the picture: each a view of the state in a disclosure of its own. A closed panel computes nothing.

import { h, mathNodes, setText } from '../views/dom.js';
import { createBreakIt } from './break-it.js';
import { createCheckpoints } from './checkpoints.js';
import { createCode } from './code.js';
import { createCompare } from './compare.js';
import { createGradients } from './gradients.js';
import { createJacobian } from './jacobian.js';
import { createLaw } from './law.js';
import { createProofs } from './proofs.js';
import { createShapes } from './shapes.js';
import { createTrain } from './train.js';
import { createWorksheet } from './worksheet.js';

/** The most tokens of which a panel shows more than one row. */
const mostTokens = 512;

/** Panels whose work does not grow with the square of the tokens. */
const ofOneRow = ['shapes', 'worksheet'];

/**
 * What a panel shows is a function of this.
 *
 * @typedef {object} PanelContext
 * @property {import('../lesson-engine.js').LessonEngine} engine
 * @property {import('../state.js').LessonState} state
 * @property {import('../lesson-engine.js').LessonResult} result  what the engine gave for the state
 * @property {import('../views/heatmap.js').Cell} selected
 * @property {import('../views/heatmap.js').Cell | null} pointed  the cell under the pointer
 * @property {() => import('../lesson-engine.js').Proof[]} proofs  computed when first asked for
 */

/**
 * What a panel asks of the widget.
 *
 * @typedef {object} PanelActions
 * @property {(settings: Partial<import('../state.js').LessonState>) => void} change
 * @property {(cell: import('../views/heatmap.js').Cell) => void} select
 * @property {(cell: import('../views/heatmap.js').Cell | null) => void} point
 * @property {(panel: string) => void} open  opens another panel and brings it into view
 * @property {(type: string, detail: object) => void} dispatch  fires an event of the element
 */

/** @typedef {{root: HTMLElement, update: (context: PanelContext) => void, point?: (context: PanelContext) => void}} Panel */

/** @type {Record<string, (messages: typeof import('../messages/en.js').default, actions: PanelActions) => Panel>} */
const panels = {
  break: createBreakIt,
  proofs: createProofs,
  shapes: createShapes,
  worksheet: createWorksheet,
  jacobian: createJacobian,
  compare: createCompare,
  gradients: createGradients,
  train: createTrain,
  law: createLaw,
  checkpoints: createCheckpoints,
  code: createCode,
};

/**
 * @param {typeof import('../messages/en.js').default} messages
 * @param {Omit<PanelActions, 'open'>} actions
 */
export function createPanels(messages, actions) {
  const root = h('div', { class: 'panels', part: 'panels' });
  /** @type {PanelContext | undefined} */
  let last;
  let listed = '';

  /** @param {string} name */
  const open = (name) => {
    const { details } = disclosures[name];
    if (details.isConnected) {
      details.open = true;
      details.scrollIntoView({ block: 'nearest' });
    }
  };

  const disclosures = Object.fromEntries(
    Object.entries(panels).map(([name, create]) => {
      /** @type {Panel | undefined} */
      let panel;
      const show = () => {
        if (details.open && details.isConnected && last !== undefined) {
          const { length } = last.state.tokens;
          rest.hidden = length <= mostTokens || ofOneRow.includes(name);
          details.classList.toggle('resting', !rest.hidden);
          if (!rest.hidden) {
            setText(rest, messages.tooMany(length, mostTokens));
            return;
          }
          if (panel === undefined) {
            panel = create(messages, { ...actions, open });
            details.append(panel.root);
          }
          panel.update(last);
        }
      };
      const rest = h('p', { hidden: true });
      const details = h(
        'details',
        { class: 'panel', part: `panel panel-${name}`, 'data-panel': name, toggle: show },
        h('summary', {}, ...mathNodes(messages.panels[/** @type {keyof typeof messages.panels} */ (name)])),
        rest,
      );
      /** @param {PanelContext} context */
      const point = (context) => {
        if (details.open && details.isConnected && rest.hidden) {
          panel?.point?.(context);
        }
      };
      return [name, { details, show, point }];
    }),
  );

  return {
    root,

    /** @param {Omit<PanelContext, 'proofs'>} shown */
    update(shown) {
      /** @type {import('../lesson-engine.js').Proof[] | undefined} */
      let proofs;
      last = {
        ...shown,
        proofs() {
          proofs ??= shown.engine.proofs(shown.state);
          return proofs;
        },
      };
      const names = shown.state.panels ?? Object.keys(panels);
      if (String(names) !== listed) {
        listed = String(names);
        root.replaceChildren(...names.map((name) => disclosures[name].details));
        for (const name of shown.state.panels ?? []) {
          disclosures[name].details.open = true;
        }
      }
      for (const { show } of Object.values(disclosures)) {
        show();
      }
    },

    /**
     * Tells the open panels where the pointer is.
     *
     * @param {import('../views/heatmap.js').Cell | null} pointed
     */
    point(pointed) {
      if (last !== undefined) {
        last = { ...last, pointed };
        for (const { point } of Object.values(disclosures)) {
          point(last);
        }
      }
    },
  };
}
