// The panels under the picture, each in a disclosure. A closed panel computes nothing. An open panel outside of the
// viewport is updated last, after the picture and the visible panels are painted. Closed ones are built when the first
// picture is on the screen: readers wait for the picture.

import { afterPaint, yieldToPage } from '../platform/work-through.js';
import { h, mathNodes, setStyle, setText, windowOf } from '../views/dom.js';
import { explain } from '../views/problem.js';
import { signedShadeRules } from '../views/shades.js';
import { adoptStyles, sharedStyleSheet } from '../views/style-sheet.js';
import { registry } from './registry.js';

/** @typedef {import('./panel.js').Panel} Panel */
/** @typedef {import('./panel.js').PanelContext} PanelContext */
/** @typedef {import('./panel.js').PanelActions} PanelActions */

/** The most tokens of which a panel shows more than one row. */
const maxTokensOfTables = 512;

/**
 * The state that each widget opened with; kept beside the widget, whose views another language replaces.
 *
 * @type {WeakMap<Node, import('../engine/lesson-state.js').LessonState>}
 */
const starts = new WeakMap();

/** Added when the first panel opens: before the first picture the browser would read these rules for nothing. */
const panelStyles = sharedStyleSheet(() => [
  ...new Set(registry.flatMap(({ styles = [] }) => styles)),
  ...signedShadeRules(),
]);

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {Omit<PanelActions, 'open'>} actions
 */
export function createPanels(messages, actions) {
  const root = h('div', { class: 'panels', part: 'panels' });
  /** @type {PanelContext | undefined} */
  let last;
  /** @type {string | undefined} */
  let listed;
  /** @type {Set<Element>} */
  const outOfSight = new Set();
  /** @type {Set<() => boolean>} what shows the panels that do not show the last state yet */
  const waiting = new Set();
  /** @type {Promise<void> | undefined} */
  let following;

  /** @type {Window | undefined} whose observer tells of `outOfSight`: that of a window in the background tells nothing */
  let watching;
  /** @type {IntersectionObserver | undefined} */
  let observer;
  const watch = () => {
    const view = windowOf(root);
    if (view !== watching) {
      watching = view;
      observer?.disconnect();
      observer = new view.IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) {
            outOfSight.delete(target);
          } else {
            outOfSight.add(target);
          }
        }
      });
      for (const { details } of Object.values(disclosures())) {
        observer.observe(details);
      }
    }
  };

  /** @type {ReturnType<typeof createDisclosures> | undefined} */
  let built;
  const disclosures = () => {
    built ??= createDisclosures();
    return built;
  };

  const follow = async () => {
    try {
      await yieldToPage();
      for (const show of waiting) {
        waiting.delete(show);
        if (show()) {
          await yieldToPage();
        }
      }
    } finally {
      following = undefined;
    }
  };

  /** @param {string} name */
  const open = (name) => {
    const { details } = disclosures()[name];
    if (details.isConnected) {
      details.open = true;
      details.scrollIntoView({ block: 'nearest' });
    }
  };

  const createDisclosures = () =>
    Object.fromEntries(
      registry.map(({ name, create, takesAnyLength }) => {
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
          const length = Math.max(...last.result.visible.shape);
          if (length > maxTokensOfTables && !takesAnyLength) {
            setText(placeholder, messages.tooMany(length, maxTokensOfTables));
            panel?.root.replaceWith(placeholder); // a panel stops its running work when it is removed from the page
            return false;
          }
          adoptStyles(/** @type {ShadowRoot} */ (root.getRootNode()), panelStyles);
          try {
            panel ??= create(messages, { ...actions, open });
            placeholder.replaceWith(panel.root);
            panel.update(last);
          } catch (error) {
            const { argument, sentence } = explain(messages, error);
            setText(placeholder, sentence);
            panel?.root.replaceWith(placeholder);
            actions.dispatch('attention-error', { state: last.state, argument, message: sentence });
          }
          return true;
        };
        const placeholder = h('p', {});
        const details = h(
          'details',
          { class: 'panel', part: `panel panel-${name}`, 'data-panel': name, toggle: show },
          h('summary', {}, h('h3', {}, ...mathNodes(messages.panels[name]))),
          placeholder,
        );
        /** @param {PanelContext} context */
        const point = (context) => {
          if (details.open && details.isConnected && !placeholder.isConnected) {
            panel?.point?.(context);
          }
        };
        return [name, { details, show, point }];
      }),
    );

  /** Shows the last state in every open panel. */
  const refresh = () => {
    const { panels } = /** @type {PanelContext} */ (last).state;
    const list = String(panels); // all of them by name are opened; null leaves them closed
    if (list !== listed) {
      listed = list;
      setStyle(root, '--panels', 0);
      const names = panels ?? registry.map(({ name }) => name);
      root.replaceChildren(...names.map((name) => disclosures()[name].details));
      for (const name of panels ?? []) {
        disclosures()[name].details.open = true;
      }
    }
    watch();
    waiting.clear();
    for (const { details, show } of Object.values(disclosures())) {
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
  };

  return {
    root,

    /**
     * @param {Omit<PanelContext, 'start' | 'proofs' | 'metricsWith'>} shown
     * @returns {Promise<void> | undefined}  settles when the panels out of sight show it too
     */
    update(shown) {
      /** @type {import('../engine/lesson-engine.js').Proof[] | undefined} */
      let proofs;
      const metrics = { [shown.state.divisor]: shown.result.metrics };
      const widget = root.getRootNode();
      const isFirst = !starts.has(widget);
      if (isFirst) {
        starts.set(widget, shown.state);
      }
      last = {
        ...shown,
        start: starts.get(widget) ?? shown.state,
        metricsWith(divisor) {
          metrics[divisor] ??= shown.engine.lesson({ ...shown.state, divisor }).metrics;
          return metrics[divisor];
        },
        proofs() {
          proofs ??= shown.engine.proofs(shown.state);
          return proofs;
        },
      };
      if (isFirst && shown.state.panels === null) {
        setStyle(root, '--panels', registry.length); // as high as they will be, so that nothing below them moves
        return afterPaint(windowOf(root)).then(refresh);
      }
      return refresh();
    },

    /**
     * Tells the open panels where the pointer is.
     *
     * @param {import('../views/cells.js').Cell | null} pointed
     */
    point(pointed) {
      if (last !== undefined) {
        last = { ...last, pointed };
        for (const { point } of Object.values(built ?? {})) {
          point(last);
        }
      }
    },
  };
}
