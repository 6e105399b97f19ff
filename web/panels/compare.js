// A pinned state A beside the present one, B, and what separates their weights.

import { attributeText, formatTokens, keysOf, lessonSettingNames, settings } from '../engine/lesson-state.js';
import { symbolOfMatrix } from '../engine/own-matrices.js';
import { maxGridTokens } from '../views/cells.js';
import { button, h, setMath, setText } from '../views/dom.js';
import { isolated, localised, rowOf, visibleToken } from '../views/format.js';
import { mistakes } from '../views/mistakes.js';
import { createSmallMap } from '../views/small-map.js';
import { createNumber, placesOfLargest } from './panel-numbers.js';

/** @typedef {import('../engine/lesson-state.js').LessonState} LessonState */

/** The settings that are part of a pinned state; the highlighted row stays where the reader is. */
const pinnedNames = lessonSettingNames.filter((name) => name !== 'row');

/** @type {import('./panel.js').PanelDefinition} */
export const compare = { name: 'compare', create: createCompare };

/** @type {import('./panel.js').CreatePanel} */
function createCompare(messages, actions) {
  const texts = messages.compare;
  /** @type {import('./panel.js').PanelContext} */
  let now;
  /** @type {{state: Partial<LessonState>, visible: Uint8Array} | null} */
  let pinned = null;

  /** @param {Partial<LessonState>} [changes]  that A shall have otherwise */
  const pin = (changes) => {
    const chosen = Object.fromEntries(pinnedNames.map((name) => [name, now.state[name]]));
    pinned = { state: { ...chosen, ...changes }, visible: now.result.visible.data };
  };

  const deed = (/** @type {string} */ text, /** @type {() => void} */ act) =>
    button(text, () => {
      act();
      render();
    });
  const onPinned = [
    deed(texts.swap, () => {
      const before = pinned?.state;
      pin();
      actions.change({ ...before });
    }),
    deed(texts.unpin, () => {
      pinned = null;
    }),
  ];
  const said = h('p', { role: 'status' });
  const first = createSmallMap(messages);
  const second = createSmallMap(messages);
  const difference = createSmallMap(messages, 1);
  const largest = createNumber(messages, texts.largest);
  difference.root.append(h('p', {}, texts.largest, largest.root));
  const maps = h('div', { class: 'tiles' }, first.root, second.root, difference.root);
  const more = h('p', {});
  const root = h(
    'div',
    { class: 'compare' },
    h(
      'div',
      { class: 'strip' },
      deed(texts.pin, () => pin()),
      deed(texts.pair, () => {
        pin({ divisor: 'sqrt' });
        actions.change({ divisor: 'none' });
      }),
      ...onPinned,
    ),
    said,
    maps,
    more,
  );

  const render = () => {
    const { engine, state, result } = now;
    const { tokens, keyTokens } = result;
    const n = tokens.length;
    for (const each of onPinned) {
      each.disabled = pinned === null;
    }
    const before = pinned?.state.tokens ?? [];
    const keysBefore = keysOf({ tokens: before, context: pinned?.state.context ?? [] });
    const [countBefore, countNow] = before.length === n ? [keysBefore.length, keyTokens.length] : [before.length, n];
    maps.hidden = more.hidden = countBefore !== countNow;
    if (pinned === null || countBefore !== countNow) {
      setMath(said, pinned === null ? texts.intro : texts.mismatch(countBefore, countNow));
      return;
    }
    const { state: a, visible } = pinned;
    const changes = pinnedNames.flatMap((name) => {
      const [from, to] = [a[name], state[name]].map((value) => wordsFor(messages, name, value));
      const isSame = attributeText(name, a[name]) === attributeText(name, state[name]);
      return isSame ? [] : [`${titleOf(messages, name)}${from} → ${from === to ? texts.others : to}`];
    });
    const comparison = engine.compare(a, state);
    const overflow = Number.isNaN(comparison.largest) ? texts.overflow : '';
    setMath(said, (changes.length === 0 ? texts.same : texts.changed(changes.join(messages.comma))) + overflow);
    const inRow = tokens.map((_, row) => Math.max(...rowOf(comparison.difference, row).map(Math.abs)));
    const places = placesOfLargest(inRow, maxGridTokens);
    const inColumn = (/** @type {unknown} */ _, /** @type {number} */ key) =>
      Math.max(...tokens.map((_, row) => Math.abs(rowOf(comparison.difference, row)[key])));
    const keyPlaces = result.context ? placesOfLargest(keyTokens.map(inColumn), maxGridTokens) : places;
    const shown = { tokens, places, keys: keyTokens, keyPlaces };
    const nowVisible = result.visible.data;
    first.update(texts.first, comparison.first, { ...shown, tokens: before, keys: keysBefore, visible });
    second.update(texts.second, comparison.second, { ...shown, visible: nowVisible });
    const inEither = visible.map((isVisible, index) => isVisible | nowVisible[index]);
    difference.update(texts.difference, comparison.difference, { ...shown, visible: inEither });
    largest.update(comparison.largest);
    setText(more, places.length === n ? '' : texts.more(places.length, n));
  };

  return {
    root,

    update(context) {
      now = context;
      render();
    },
  };
}

/**
 * What stands before a setting's values; nothing where they speak for themselves.
 *
 * @param {import('../language/language.js').Messages} messages
 * @param {keyof LessonState} name
 */
function titleOf(messages, name) {
  const { sentence, context, seed, heads, window, padding } = messages;
  const width = /^d[A-Z]/.test(name) ? settings[name].attribute.replace('-', '_') : '';
  const matrix = settings[name].kind === 'matrix' ? symbolOfMatrix(name) : width;
  const title =
    { tokens: sentence, context, seed, heads, window, padding, dropout: 'dropout' }[/** @type {string} */ (name)] ??
    matrix;
  return title && `${title} `;
}

/**
 * A setting's value as the rest of the widget calls it: a mistake by its title under "Break it".
 *
 * @param {import('../language/language.js').Messages} messages
 * @param {keyof LessonState} name
 * @param {LessonState[keyof LessonState] | undefined} value
 */
function wordsFor(messages, name, value) {
  const { values, seeded, given, edited } = messages.compare;
  if (settings[name].kind === 'matrix') {
    return value === null ? seeded : given;
  }
  if (name === 'edits') {
    return edited(/** @type {any} */ (value).length);
  }
  if (Array.isArray(value)) {
    return value.length > 0 ? isolated(`“${visibleToken(formatTokens(value))}”`) : '–';
  }
  if (name === 'divisor') {
    return messages.stepDivide[/** @type {LessonState['divisor']} */ (value)];
  }
  if (value === 'causal' || value === 'window') {
    return messages[value === 'window' ? 'sliding' : value];
  }
  if (name === 'head') {
    return messages.head(Number(value) + 1);
  }
  const mistake = mistakes.find((each) => each.setting === name && each.wrong === value);
  if (mistake !== undefined && typeof value === 'string') {
    return messages.break.mistakes[mistake.name].title;
  }
  return values[/** @type {string} */ (value)] ?? localised(String(value ?? 'd_k'), messages);
}
