// The strip of controls: the toggle first, the sliders, the mask; the sentence and the seed below.

import {
  defaultSeed,
  dKSliderRange,
  formatTokens,
  isLocked,
  keysOf,
  parseTokens,
  settings,
} from '../engine/lesson-state.js';
import { decides, givenMatrices, hasOwnNumbers, symbolOfMatrix } from '../engine/own-matrices.js';
import { createChips } from './chips.js';
import { button, h, math, setAttribute, setHidden, setMath, setText, windowOf } from './dom.js';
import { plainText, tokenName } from './format.js';
import { createPlayer } from './player.js';
import { createWidthCurves, maxTokensOfCurves } from './width-curves.js';

/** Milliseconds for each width of the sweep, which takes six seconds; and where the reader wants no movement, for a few. */
const sweepMilliseconds = 97;
const calmMilliseconds = 1000;

/** What has no part in the figures of every width. */
const besideWidths = { dK: 0, dV: 0, divisor: 0, step: 0, beside: 0, panels: 0, theme: 0, locked: 0 };

/** @type {import('../engine/lesson-engine.js').Widths} */
const noWidths = { dK: [], sqrt: { spread: [], peak: [] }, none: { spread: [], peak: [] } };

/**
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {(change: Partial<import('../engine/lesson-state.js').LessonState>) => void} change
 */
export function createControls(messages, change) {
  /** @type {import('../engine/lesson-state.js').LessonState} */
  let shown;

  const toggleName = h('span', {});
  const toggleState = h('span', { class: 'toggle-state' });
  const toggle = h(
    'button',
    {
      type: 'button',
      class: 'toggle',
      part: 'toggle',
      title: plainText(messages.divideTitle),
      click: () => change({ divisor: shown.divisor === 'sqrt' ? 'none' : 'sqrt' }),
    },
    toggleName,
    toggleState,
  );

  const width = createSlider({ part: 'slider' }, messages.width, messages.widthTitle, (dK) =>
    change(widthChange(shown, dK)),
  );
  const curves = createWidthCurves(messages, (dK) => change(widthChange(shown, dK)));
  /** The width that the sweep has asked for last. */
  let asked = 0;
  const isCalm = () => windowOf(root).matchMedia('(prefers-reduced-motion: reduce)').matches;
  const sweepTime = () => (isCalm() ? calmMilliseconds : sweepMilliseconds);
  const sweep = createPlayer(messages.sweep, 'sweep', sweepTime, () => {
    const { least, most } = dKSliderRange;
    const next = isCalm() ? 2 * shown.dK : shown.dK + 1;
    const dK = shown.dK >= most ? least : Math.min(most, next);
    if (dK !== asked) {
      asked = dK; // a long lesson is still on its way
      change(widthChange(shown, dK));
    }
    return dK < most;
  });
  const rests = h('span', { class: 'note', hidden: true });
  const widths = h('div', { class: 'widths' }, width.root, sweep.button, rests, ...curves.parts);
  let widthsShown = '';
  let found = noWidths;
  const chips = createChips(messages, change);
  const window = createSlider({ part: 'window' }, messages.window, messages.windowTitle, (window) =>
    change({ window }),
  );
  let hadPadding = false;
  const padding = createSlider({ part: 'padding' }, messages.padding, messages.paddingTitle, (padding) =>
    change({ padding }),
  );

  /** @type {'causal' | 'window'} the mask that comes back */
  let masked = 'causal';
  const causal = h('button', {
    type: 'button',
    class: 'toggle',
    part: 'mask',
    click: () => change({ mask: shown.mask === 'none' ? masked : 'none' }),
  });

  const sentence = createSentence({ part: 'sentence' }, () => applySentence());
  const context = createSentence({ part: 'context' }, (text) =>
    change({ context: /** @type {string[]} */ (parseTokens(text)) }),
  );
  const contextLabel = h('label', { class: 'sentence', hidden: true }, messages.context, context);
  const between = h('p', { class: 'note', role: 'status', hidden: true });
  /** Whether the words can be used; says it where they cannot. */
  const tellSentence = () => {
    const { length } = parseTokens(sentence.value);
    const rows = shown.X?.length ?? length;
    const isUsable = length !== 0 && length === rows;
    setText(between, isUsable ? '' : length === 0 ? messages.emptySentence : messages.asManyWords(rows));
    setHidden(between, isUsable);
    return between.hidden;
  };
  const applySentence = () => {
    if (!tellSentence()) {
      return; // the picture stays while the reader is between two sentences
    }
    const tokens = parseTokens(sentence.value);
    const row = Array.isArray(tokens) ? Math.max(0, Math.min(shown.row, tokens.length - 1)) : shown.row;
    change({ tokens: /** @type {string[]} */ (tokens), row });
  };

  const seed = h('input', {
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    size: 10,
    part: 'seed',
    input: () => change({ seed: /** @type {any} */ (seed.value) }),
  });
  const seedDefault = button(messages.seedDefault, () => change({ seed: defaultSeed }), {
    title: messages.seedDefaultTitle,
  });
  const heads = h(
    'select',
    { part: 'heads-choice', change: () => change({ heads: Number(heads.value), head: 0 }) },
    ...Array.from({ length: settings.heads.most }, (_, index) => h('option', {}, String(index + 1))),
  );
  const inputs = h(
    'div',
    { class: 'inputs' },
    h('label', { class: 'sentence' }, messages.sentence, sentence),
    between,
    contextLabel,
    h('span', { class: 'seed' }, h('label', {}, messages.seed, seed), seedDefault),
    h('span', { class: 'seed' }, h('label', {}, messages.heads, heads)),
  );

  const root = h(
    'div',
    { class: 'controls', part: 'controls', role: 'group', 'aria-label': messages.controls },
    inputs,
    h('div', { class: 'strip' }, toggle, widths, causal, chips.root, window.root, padding.root),
  );

  /** Text that the reader is in the middle of typing stays as it is. @param {HTMLInputElement} input @param {string} text */
  const setValue = (input, text) => {
    if (input.value !== text && !input.matches(':focus')) {
      input.value = text;
    }
  };

  return {
    root,

    /** @param {import('../engine/lesson-state.js').LessonState} state  the last state that was computed */
    update(state) {
      const presetChanged = shown?.preset !== state.preset;
      const seedIsOwn = shown !== undefined && shown.seed !== state.seed && state.seed === defaultSeed;
      shown = state;
      const isFixed = state.preset === 'four-token';

      setAttribute(toggle, 'aria-pressed', state.divisor === 'none' ? 'false' : 'true');
      setMath(toggleName, state.divisor === 'dk' ? messages.divideByWidth : messages.divide);
      setText(toggleState, { sqrt: messages.on, none: messages.off, dk: messages.mistake }[state.divisor]);

      const locked = (/** @type {string} */ name) => isLocked(state, name);
      const ruler = decides(state, 'dK');
      const isStill = locked('dK') || ruler !== undefined;
      width.update(!isFixed, isStill, state.dK, dKSliderRange.least, dKSliderRange.most);
      asked = 0;
      sweep.button.disabled = isStill;
      setHidden(rests, ruler === undefined);
      setMath(rests, ruler === undefined ? '' : messages.rests(symbolOfMatrix(ruler)));
      setHidden(widths, isFixed);
      chips.update(state);
      window.update(state.mask === 'window', locked('window'), state.window, 1, state.tokens.length);
      hadPadding ||= state.padding > 0; // once there was some it can come back
      padding.update(hadPadding, locked('padding'), state.padding, 0, keysOf(state).length - 1);

      if (state.mask === 'causal' || state.mask === 'window') {
        masked = state.mask;
      }
      setAttribute(causal, 'aria-pressed', state.mask === 'none' ? 'false' : 'true');
      setText(causal, state.mask === 'late' ? messages.late : messages[masked === 'window' ? 'sliding' : masked]);

      setValue(sentence, formatTokens(state.tokens));
      setValue(context, formatTokens(state.context));
      contextLabel.hidden &&= state.context.length === 0;
      tellSentence();
      if (seedIsOwn || presetChanged) {
        seed.value = String(state.seed);
      } else {
        setValue(seed, String(state.seed));
      }
      heads.value = String(state.heads);
      toggle.disabled = locked('divisor');
      causal.disabled = locked('mask');
      sentence.disabled = locked('tokens');
      context.disabled = locked('context');
      seed.disabled = locked('seed');
      heads.disabled =
        state.projections === 'identity' || locked('heads') || givenMatrices(state).some((name) => name !== 'X');
      seedDefault.disabled = state.seed === defaultSeed || locked('seed');
      setHidden(inputs, isFixed);
    },

    /** Shows this seed at every width. @param {import('../engine/lesson-engine.js').LessonEngine} engine */
    updateCurves(engine) {
      const { projections, dModel, tokens, row, dK } = shown;
      const width = projections === 'identity' ? 0 : dModel; // else it goes along with d_k
      const key = JSON.stringify({ ...shown, ...besideWidths, dModel: width });
      if (key !== widthsShown) {
        widthsShown = key;
        const isShort = Math.max(tokens.length, keysOf(shown).length) <= maxTokensOfCurves;
        found = isShort ? engine.widths(shown) : noWidths;
      }
      curves.update(found, dK, tokenName(tokens, row), isLocked(shown, 'dK'), hasOwnNumbers(shown));
    },

    /** Puts what was last computed back into fields that hold something else. */
    restore() {
      sentence.value = formatTokens(shown.tokens);
      context.value = formatTokens(shown.context);
      seed.value = String(shown.seed);
    },
  };
}

/**
 * A field for words; what is being composed, as Chinese is, is applied when it is done.
 *
 * @param {{part: string}} attributes
 * @param {(text: string) => void} apply
 */
function createSentence(attributes, apply) {
  /** @type {HTMLInputElement} */
  const field = h('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    dir: 'auto',
    ...attributes,
    input: (/** @type {InputEvent} */ event) => {
      if (!event.isComposing) {
        apply(field.value);
      }
    },
    compositionend: () => apply(field.value),
  });
  return field;
}

/**
 * A slider that is built when it is first wanted: two of three seldom are, and each would delay the first picture by 1 %.
 *
 * @param {{part: string}} attributes
 * @param {string} name
 * @param {string} title
 * @param {(value: number) => void} change
 */
function createSlider(attributes, name, title, change) {
  const root = h('label', { class: 'slider', hidden: true });
  /** @type {HTMLInputElement} */
  let range;
  // A screen reader hears both from the slider itself.
  const output = h('output', { class: 'width', 'aria-hidden': 'true' });
  return {
    root,

    /**
     * @param {boolean} isWanted
     * @param {boolean} isLocked
     * @param {number} value  which may lie beyond both ends
     * @param {number} least
     * @param {number} most
     */
    update(isWanted, isLocked, value, least, most) {
      setHidden(root, !isWanted);
      if (!isWanted) {
        return;
      }
      if (range === undefined) {
        const input = () => change(range.valueAsNumber);
        range = h('input', { type: 'range', step: 1, ...attributes, 'aria-label': plainText(title), input });
        root.append(h('span', { 'aria-hidden': 'true' }, math(name)), range, output);
      }
      range.disabled = isLocked;
      range.min = String(Math.min(least, value));
      range.max = String(Math.max(most, value));
      if (range.valueAsNumber !== value) {
        range.value = String(value);
      }
      setText(output, String(value));
    },
  };
}

/**
 * The settings that give queries and keys another width. Without projections the embeddings are as wide as they.
 *
 * @param {import('../engine/lesson-state.js').LessonState} state
 * @param {number} dK
 */
function widthChange({ projections }, dK) {
  return projections === 'identity' ? { dK, dModel: dK } : { dK };
}
