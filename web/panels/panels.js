// The panels under the picture: each a view of the state in a disclosure of its own. A closed panel computes nothing.

import { h } from '../views/dom.js';
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
  /** @type {Map<string, {details: HTMLDetailsElement, panel: Panel | null}>} */
  const built = new Map();
  /** @type {PanelContext | null} */
  let last = null;
  let listed = '';

  /** @param {string} name */
  const open = (name) => {
    const { details } = built.get(name) ?? {};
    if (details !== undefined && root.contains(details)) {
      details.open = true;
      details.scrollIntoView({ block: 'nearest' });
    }
  };

  /** @param {string} name */
  const show = (name) => {
    const entry = /** @type {{details: HTMLDetailsElement, panel: Panel | null}} */ (built.get(name));
    if (entry.panel === null) {
      entry.panel = panels[name](messages, { ...actions, open });
      entry.details.append(entry.panel.root);
    }
    if (last !== null) {
      entry.panel.update(last);
    }
  };

  /** @param {string} name */
  const build = (name) => {
    const details = h(
      'details',
      { class: 'panel', part: `panel panel-${name}`, 'data-panel': name, toggle: () => details.open && show(name) },
      h('summary', {}, messages.panels[/** @type {keyof typeof messages.panels} */ (name)]),
    );
    built.set(name, { details, panel: null });
    return details;
  };

  return {
    root,

    /** @param {Omit<PanelContext, 'proofs'>} shown */
    update(shown) {
      /** @type {import('../lesson-engine.js').Proof[] | undefined} */
      let proofs;
      const context = {
        ...shown,
        proofs() {
          proofs ??= shown.engine.proofs(shown.state);
          return proofs;
        },
      };
      last = context;
      const names = context.state.panels ?? Object.keys(panels);
      if (names.join(' ') !== listed) {
        listed = names.join(' ');
        root.replaceChildren(...names.map((name) => built.get(name)?.details ?? build(name)));
        if (context.state.panels !== null) {
          for (const name of names) {
            open(name);
          }
        }
      }
      for (const name of names) {
        if (built.get(name)?.details.open) {
          show(name);
        }
      }
    },

    /**
     * Tells the open panels where the pointer is.
     *
     * @param {import('../views/heatmap.js').Cell | null} pointed
     */
    point(pointed) {
      if (last === null) {
        return;
      }
      const context = { ...last, pointed };
      last = context;
      for (const { details, panel } of built.values()) {
        if (details.open && details.isConnected) {
          panel?.point?.(context);
        }
      }
    },
  };
}
