// The panels under the picture: groups, of which one at a time is open, and in it each panel in a disclosure. A closed
// panel computes nothing. An open panel outside of the viewport is updated last, after the picture and the visible panels
// are painted. A page that lists panels gets these without groups, opened.

import { panelNames } from '../engine/settings.generated.js';
import { loadSibling, packageFolder } from '../export/load-sibling.js';
import { yieldToPage } from '../platform/work-through.js';
import { h, math, mathNodes, setAttribute, setText, windowOf } from '../views/dom.js';
import { explain } from '../views/problem.js';
import { signedShadeRules } from '../views/shades.js';
import { adoptStyles, sharedStyleSheet } from '../views/style-sheet.js';
import { groups, inside } from './registry.js';

/** @typedef {import('./panel.js').Panel} Panel */
/** @typedef {import('./panel.js').PanelContext} PanelContext */
/** @typedef {import('./panel.js').PanelActions} PanelActions */
/** @typedef {import('../engine/lesson-state.js').PanelName} PanelName */

/** The most tokens of which a panel shows more than one row. */
const maxTokensOfTables = 512;

/**
 * The state that each widget opened with; kept beside the widget, whose views another language replaces.
 *
 * @type {WeakMap<Node, import('../engine/lesson-state.js').LessonState>}
 */
const starts = new WeakMap();

/** @type {Partial<Record<'panels' | 'try-and-take', Promise<any>>>} the scripts beside the widget, on their way or there */
const coming = {};

/** @type {import('./panel.js').PanelDefinition[]} the panels that they brought */
const come = [];

/** Added when the first panel opens: before the first picture the browser would read these rules for nothing. */
const panelStyles = sharedStyleSheet(() => [
  ...new Set(inside.flatMap(({ styles = [] }) => styles)),
  ...signedShadeRules(),
]);

/**
 * @param {import('../language/language.js').Messages} messages
 * @param {Omit<PanelActions, 'open' | 'packageFolder' | 'loadSibling'>} actions
 */
export function createPanels(messages, actions) {
  const body = h('div', { class: 'group' });
  /** @type {string | undefined} the group that is open */
  let group;
  const strip = Object.entries(groups).map(([name, panels]) => {
    const says = panels.map((panel) => messages.panels[panel]).join(', ');
    const title = h('b', {}, messages.groups[/** @type {keyof typeof groups} */ (name)]);
    const turn = () => openGroup(name === group ? undefined : name);
    const tab = h(
      'button',
      { type: 'button', part: 'group', 'data-group': name, 'aria-expanded': 'false', click: turn },
      title,
      h('small', {}, ...mathNodes(says)),
    );
    return { name, panels, tab };
  });
  const grouped = [h('div', { class: 'groups' }, ...strip.map(({ tab }) => tab)), body];
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
  /** @type {Promise<void> | undefined} the panels beside the widget, on their way */
  let arriving;

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

  /** Opens a group with its first panel, and closes the one that was open. @param {string} [name] */
  const openGroup = (name) => {
    group = name;
    /** @type {HTMLDetailsElement[]} */
    let shown = [];
    for (const { name: each, panels, tab } of strip) {
      setAttribute(tab, 'aria-expanded', String(each === name));
      if (each === name) {
        shown = panels.map((panel) => disclosures()[panel].details);
      }
    }
    body.replaceChildren(...shown);
    if (shown.length > 0 && !shown.some(({ open }) => open)) {
      shown[0].open = true;
    }
    refresh();
  };

  /** @param {string} name */
  const open = (name) => {
    const { details } = disclosures()[name];
    if (body.isConnected && !details.isConnected) {
      openGroup(strip.find(({ panels }) => panels.includes(/** @type {PanelName} */ (name)))?.name);
    }
    if (details.isConnected) {
      details.open = true;
      details.scrollIntoView({ block: 'nearest' });
    }
  };

  const createDisclosures = () =>
    Object.fromEntries(
      panelNames.map((name) => {
        let definition = [...inside, ...come].find((panel) => panel.name === name);
        /** @type {Panel | undefined} */
        let panel;
        let isComing = false;
        /** Brings a panel that lies beside the widget, and shows it. */
        const fetch = async () => {
          isComing = true;
          const sibling = [...groups.try, ...groups.take].includes(name) ? 'try-and-take' : 'panels';
          coming[sibling] ??= loadSibling(sibling);
          try {
            /** @type {import('./panel.js').PanelsBeside} */
            const { panels, styles } = await coming[sibling];
            adoptStyles(/** @type {ShadowRoot} */ (root.getRootNode()), styles);
            come.push(...panels);
            definition = panels.find((panel) => panel.name === name);
            show();
          } catch (error) {
            delete coming[sibling]; // asked for again when the panel is opened again
            say(error);
          }
        };
        /** Says in place of the panel why it is not there. @param {unknown} error */
        const say = (error) => {
          const { argument, sentence } = explain(messages, error);
          setText(placeholder, sentence);
          panel?.root.replaceWith(placeholder);
          shown = undefined;
          actions.dispatch('attention-error', { state: last?.state, argument, message: sentence });
        };
        /** @type {PanelContext | undefined} */
        let shown;
        /** Whether there was something to do. */
        const show = () => {
          if (!details.open || !details.isConnected || last === undefined || last === shown) {
            return false;
          }
          if (definition === undefined) {
            if (!isComing) {
              arriving = fetch();
            }
            return true;
          }
          shown = last;
          const length = Math.max(...last.result.visible.shape);
          if (length > maxTokensOfTables && !definition.takesAnyLength) {
            setText(placeholder, messages.tooMany(length, maxTokensOfTables));
            panel?.root.replaceWith(placeholder); // a panel stops its running work when it is removed from the page
            return false;
          }
          adoptStyles(/** @type {ShadowRoot} */ (root.getRootNode()), panelStyles);
          try {
            panel ??= definition.create(messages, { ...actions, open, packageFolder, loadSibling });
            placeholder.replaceWith(panel.root);
            panel.update(last);
          } catch (error) {
            say(error);
          }
          return true;
        };
        const again = () => {
          isComing = false;
          show();
        };
        const placeholder = h('p', {});
        const details = h(
          'details',
          { class: 'panel', part: `panel panel-${name}`, 'data-panel': name, toggle: again },
          h(
            'summary',
            {},
            h('h3', {}, math(messages.panels[name])),
            ' ',
            h('small', {}, ...mathNodes(messages.answers[name])),
          ),
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
    const list = String(panels); // all of them by name are opened; null shows the groups
    if (list !== listed) {
      listed = list;
      root.replaceChildren(...(panels === null ? grouped : panels.map((name) => disclosures()[name].details)));
      for (const name of panels ?? []) {
        disclosures()[name].details.open = true;
      }
      if (panels === null) {
        openGroup(group);
      }
    }
    if (built === undefined) {
      return undefined;
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
    return following || arriving ? settle() : undefined;
  };

  const settle = async () => {
    await following;
    await arriving;
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
      if (!starts.has(widget)) {
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
