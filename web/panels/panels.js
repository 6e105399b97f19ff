// The panels under the picture: each a view of the state in a disclosure of its own. A closed panel computes nothing, and
// an open one that is out of sight follows when the picture and the panels in sight are on the screen.

import { panelStyles } from '../element/styles.js';
import { breath } from '../platform/work-through.js';
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
import { createShare } from './share.js';
import { createTrain } from './train.js';
import { createWorksheet } from './worksheet.js';

/** The most tokens of which a panel shows more than one row. */
const maxTokensOfTables = 512;

/** Panels whose work does not grow with the square of the tokens. */
const ofOneRow = ['shapes', 'worksheet', 'share'];

/**
 * What a panel shows is a function of this.
 *
 * @typedef {object} PanelContext
 * @property {import('../engine/lesson-engine.js').LessonEngine} engine
 * @property {import('../engine/lesson-state.js').LessonState} state
 * @property {import('../engine/lesson-engine.js').LessonResult} result  what the engine gave for the state
 * @property {import('../views/heatmap.js').Cell} selected
 * @property {import('../views/heatmap.js').Cell | null} pointed  the cell under the pointer
 * @property {() => import('../engine/lesson-engine.js').Proof[]} proofs  computed when first asked for
 * @property {(divisor: 'sqrt' | 'none') => import('../engine/lesson-engine.js').Metrics} metricsWith  of the state with this
 *   divisor; computed when first asked for
 */

/**
 * What a panel asks of the widget.
 *
 * @typedef {object} PanelActions
 * @property {(changes: Partial<import('../engine/lesson-state.js').LessonState>) => void} change
 * @property {(cell: import('../views/heatmap.js').Cell) => void} select
 * @property {(cell: import('../views/heatmap.js').Cell | null) => void} point
 * @property {(panel: string) => void} open  opens another panel and brings it into view
 * @property {(type: string, detail: object) => void} dispatch  fires an event of the element
 */

/** @typedef {{root: HTMLElement, update: (context: PanelContext) => void, point?: (context: PanelContext) => void}} Panel */

/** @type {Record<string, (messages: typeof import('../language/messages/en.js').default, actions: PanelActions) => Panel>} */
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
  share: createShare,
};

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {Omit<PanelActions, 'open'>} actions
 */
export function createPanels(messages, actions) {
  const root = h('div', { class: 'panels', part: 'panels' });
  /** @type {PanelContext | undefined} */
  let last;
  let listed = '';
  /** @type {Set<Element>} */
  const outOfSight = new Set();
  /** @type {Set<() => boolean>} what shows the panels that do not show the last state yet */
  const waiting = new Set();
  /** @type {Promise<void> | undefined} */
  let following;

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        outOfSight.delete(target);
      } else {
        outOfSight.add(target);
      }
    }
  });

  const follow = async () => {
    try {
      await breath();
      for (const show of waiting) {
        waiting.delete(show);
        if (show()) {
          await breath();
        }
      }
    } finally {
      following = undefined;
    }
  };

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
      /** @type {PanelContext | undefined} */
      let shown;
      /** Whether there was something to do. */
      const show = () => {
        if (!details.open || !details.isConnected || last === undefined || last === shown) {
          return false;
        }
        shown = last;
        const { length } = last.state.tokens;
        if (length > maxTokensOfTables && !ofOneRow.includes(name)) {
          setText(rest, messages.tooMany(length, maxTokensOfTables));
          panel?.root.replaceWith(rest); // what it is at stops where it is not on the page
          return false;
        }
        const { adoptedStyleSheets } = /** @type {ShadowRoot} */ (root.getRootNode());
        if (!adoptedStyleSheets.includes(panelStyles())) {
          adoptedStyleSheets.push(panelStyles());
        }
        panel ??= create(messages, { ...actions, open });
        rest.replaceWith(panel.root);
        panel.update(last);
        return true;
      };
      const rest = h('p', {});
      const details = h(
        'details',
        { class: 'panel', part: `panel panel-${name}`, 'data-panel': name, toggle: show },
        h('summary', {}, ...mathNodes(messages.panels[/** @type {keyof typeof messages.panels} */ (name)])),
        rest,
      );
      observer.observe(details);
      /** @param {PanelContext} context */
      const point = (context) => {
        if (details.open && details.isConnected && !rest.isConnected) {
          panel?.point?.(context);
        }
      };
      return [name, { details, show, point }];
    }),
  );

  return {
    root,

    /**
     * @param {Omit<PanelContext, 'proofs' | 'metricsWith'>} shown
     * @returns {Promise<void> | undefined}  settles when the panels out of sight show it too
     */
    update(shown) {
      /** @type {import('../engine/lesson-engine.js').Proof[] | undefined} */
      let proofs;
      const metrics = { [shown.state.divisor]: shown.result.metrics };
      last = {
        ...shown,
        metricsWith(divisor) {
          metrics[divisor] ??= shown.engine.lesson({ ...shown.state, divisor }).metrics;
          return metrics[divisor];
        },
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
      waiting.clear();
      for (const { details, show } of Object.values(disclosures)) {
        if (details.open && outOfSight.has(details)) {
          waiting.add(show);
        } else {
          show();
        }
      }
      if (waiting.size > 0) {
        following ??= follow();
      }
      return following;
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
