// A lesson's state: what its keys are, how attributes write them, what they are when nobody says.
// Pure: no element, no engine. The core checks ranges again, for those who call it directly.

import { describe } from './engine-error.js';
import { isNumber } from './number-text.js';
import {
  decidedWidths,
  editsProblem,
  editsText,
  keptMatrix,
  keptRows,
  matrixNames,
  matrixProblem,
  matrixText,
  parseEdits,
  parseMatrix,
} from './own-matrices.js';
import { defaultSeed, fourTokenDefaults, lessonSettings, panelNames, sentenceDefaults } from './settings.generated.js';
import { formatTokens, parseTokens } from './tokens.js';

/** @typedef {typeof panelNames[number]} PanelName */
/** @typedef {typeof lessonSettings[keyof typeof lessonSettings]['attribute'] | 'step'} LockableName */

/**
 * What only the page looks at. These stay here, out of the core's table: the core knows of no panels and no themes.
 *
 * @typedef {object} PageSettings
 * @property {number} step  of the walk from x to z, 1 to 8; 0: everything at once
 * @property {'none' | 'divisor'} beside  a second map beside the first, with the other divisor
 * @property {PanelName[] | null} panels  which panels show, in order, opened; null: groups of them, closed
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {LockableName[] | null} locked  attributes of settings that the reader may not change
 */

/**
 * Everything that decides what a widget shows, as plain JSON.
 *
 * @typedef {import('./settings.generated.js').LessonSettings & PageSettings} LessonState
 */

/** @typedef {import('./engine-error.js').Problem} Problem */

/**
 * @typedef {{kind: 'choice', attribute: string, choices: readonly string[]}
 *         | {kind: 'whole', attribute: string, least: number, most: number, follows?: keyof import('./settings.generated.js').LessonSettings}
 *         | {kind: 'number', attribute: string, least: number, below: number}
 *         | {kind: 'tokens', attribute: string}
 *         | {kind: 'matrix', attribute: string, lengths: readonly (string | number)[]}
 *         | {kind: 'edits', attribute: string}
 *         | {kind: 'names', attribute: string, choices: readonly string[]}} Setting
 */

export { defaultSeed, formatTokens, parseTokens };

export const dKSliderRange = { least: 2, most: 64 };

/** The settings that the core computes from, in the order in which they cross: what a reader may be kept from. */
export const lessonSettingNames = /** @type {(keyof typeof lessonSettings)[]} */ (Object.keys(lessonSettings));

/** Every setting, by its property's name. */
export const settings = /** @type {const} @satisfies {Record<string, Setting>} */ ({
  ...lessonSettings,
  step: { kind: 'whole', attribute: 'step', least: 0, most: 8 },
  beside: { kind: 'choice', attribute: 'beside', choices: ['none', 'divisor'] },
  panels: { kind: 'names', attribute: 'panels', choices: panelNames },
  theme: { kind: 'choice', attribute: 'theme', choices: ['auto', 'light', 'dark'] },
  locked: {
    kind: 'names',
    attribute: 'locked',
    choices: [...lessonSettingNames.map((name) => lessonSettings[name].attribute), 'step'],
  },
});

/** @typedef {keyof typeof settings} SettingName */

export const settingNames = /** @type {SettingName[]} */ (Object.keys(settings));

/** @type {PageSettings} */
const pageDefaults = { step: 0, beside: 'none', panels: null, theme: 'auto', locked: null };

/**
 * The whole state that some settings stand for: what they leave out is the preset's default. Given matrices decide the
 * widths.
 *
 * @param {Partial<LessonState>} [chosen]
 * @returns {LessonState}
 */
export function completeState(chosen = {}) {
  const defaults = { ...sentenceDefaults, ...(chosen.preset === 'four-token' && fourTokenDefaults), ...pageDefaults };
  const state = { ...defaults, tokens: [...defaults.tokens], edits: [...defaults.edits], ...defined(chosen) };
  state.context = chosen.context ?? [];
  for (const name of matrixNames) {
    state[name] = keptMatrix(name, state[name]);
  }
  for (const [name, { width }] of decidedWidths(state)) {
    state[name] = width;
  }
  if (chosen.tokens === undefined && Array.isArray(state.X) && state.X.length !== state.tokens.length) {
    state.tokens = state.X.map((_, row) => `x${row + 1}`);
  }
  if (chosen.row === undefined && Array.isArray(state.tokens) && state.tokens.length < 2) {
    state.row = 0; // a single token is its own and only row
  }
  return state;
}

/**
 * The settings that only have values below another's: the highlighted query is one of the tokens, some of the keys but not
 * all are padding, the head is one of the heads.
 *
 * @param {LessonState} state
 * @returns {[name: 'row' | 'padding' | 'head', most: number][]}  those that are too large, with what they can be at most
 */
export function tooLarge({ tokens, context, heads, row, padding, head }) {
  const last = (/** @type {string[]} */ words) =>
    Array.isArray(words) && words.length > 0 ? words.length - 1 : Number.POSITIVE_INFINITY;
  const most = /** @type {const} */ ([
    ['row', row, last(tokens)],
    ['padding', padding, last(keysOf({ tokens, context }))],
    ['head', head, Number.isInteger(heads) && heads > 0 ? heads - 1 : Number.POSITIVE_INFINITY],
  ]);
  return most.flatMap(([name, value, limit]) => (Number.isInteger(value) && value > limit ? [[name, limit]] : []));
}

/**
 * The words that keys and values are made of.
 *
 * @param {Pick<LessonState, 'tokens' | 'context'>} state
 */
export function keysOf({ tokens, context }) {
  return context.length > 0 ? context : tokens;
}

/**
 * Whether the reader may not change a setting.
 *
 * @param {Partial<LessonState>} state
 * @param {string} name
 */
export function isLocked({ locked }, name) {
  return (
    Array.isArray(locked) &&
    locked.includes(/** @type {LockableName} */ (settings[/** @type {SettingName} */ (name)]?.attribute))
  );
}

/**
 * Whether edits change an entry of a matrix that the reader may not change.
 *
 * @param {LessonState} state
 * @param {readonly import('./own-matrices.js').MatrixEdit[]} [edits]
 */
export function changesLocked(state, edits = state.edits) {
  const locked = matrixNames.filter((name) => isLocked(state, name));
  const of = (/** @type {LessonState['edits']} */ some) =>
    editsText(some.filter(({ matrix }) => locked.includes(matrix)));
  return of(edits) !== of(state.edits);
}

/** @param {Partial<LessonState>} chosen */
function defined(chosen) {
  return /** @type {Partial<LessonState>} */ (
    Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
  );
}

/**
 * The first thing in a state that no lesson can be computed from, or null.
 *
 * @param {LessonState} state
 * @returns {Problem | null}
 */
export function findProblem(state) {
  for (const name of settingNames) {
    const problem = settingProblem(name, state[name]);
    if (problem !== null) {
      return problem;
    }
  }
  return null;
}

/**
 * Why a setting cannot have a value, whatever the others are.
 *
 * @param {SettingName} name
 * @param {unknown} value
 * @returns {Problem | null}
 */
export function settingProblem(name, value) {
  /** @type {Setting} */
  const setting = settings[name];
  const problem = (/** @type {string} */ expected) => ({ argument: name, found: `is ${describe(value)}`, expected });
  switch (setting.kind) {
    case 'choice':
      return setting.choices.includes(/** @type {string} */ (value))
        ? null
        : problem(`must be ${either(setting.choices)}`);
    case 'whole': {
      if (value === null && setting.follows) {
        return null;
      }
      const fits = Number.isInteger(value) && Number(value) >= setting.least && Number(value) <= setting.most;
      return fits ? null : problem(`must be a whole number from ${setting.least} to ${setting.most}`);
    }
    case 'number': {
      const fits = typeof value === 'number' && value >= setting.least && value < setting.below;
      return fits ? null : problem(`must be at least ${setting.least} and less than ${setting.below}`);
    }
    case 'names':
      return value === null
        ? null
        : listProblem(
            name,
            value,
            (each) => setting.choices.includes(/** @type {string} */ (each)),
            `must list names out of ${setting.choices.join(', ')}`,
          );
    case 'matrix':
      return value === null ? null : matrixProblem(name, value);
    case 'edits':
      return editsProblem(name, value);
    case 'tokens':
      return listProblem(name, value, (each) => typeof each === 'string', 'must be words or an array of strings');
  }
}

/**
 * What is wrong with a list: that it is none, or the first entry that cannot be in it.
 *
 * @param {string} argument
 * @param {unknown} value
 * @param {(entry: unknown) => boolean} fits
 * @param {string} expected
 * @returns {Problem | null}
 */
function listProblem(argument, value, fits, expected) {
  if (!Array.isArray(value)) {
    return { argument, found: `is ${describe(value)}`, expected };
  }
  const wrong = Array.from(value).findIndex((entry) => !fits(entry));
  return wrong < 0 ? null : { argument, found: `holds ${describe(value[wrong])}`, expected };
}

/** @param {readonly string[]} choices */
function either(choices) {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/**
 * What an attribute's text says. Text that does not say it is kept as it is, for `findProblem` to report.
 *
 * @param {SettingName} name
 * @param {string} text
 * @returns {unknown}
 */
export function parseAttribute(name, text) {
  /** @type {Setting} */
  const setting = settings[name];
  switch (setting?.kind) {
    case 'tokens':
      return parseTokens(text);
    case 'whole':
    case 'number': {
      const number = isNumber(text.trim()) ? Number(text) : text;
      // What is refused is quoted as it was typed: 99999999999999999999 is no number of JavaScript.
      return String(number) !== text.trim() && settingProblem(name, number) !== null ? text : number;
    }
    case 'matrix':
      return parseMatrix(text);
    case 'edits':
      return parseEdits(text);
    case 'names':
      return text.trim() === '' ? [] : text.trim().split(/\s+/);
    case 'choice':
      return text.trim();
    default:
      return text; // no setting: the engine says so
  }
}

/**
 * What a property is set to. Frameworks write properties as they would write attributes, so text says what the
 * attribute's text says, and null says that there is none.
 *
 * @param {SettingName} name
 * @param {unknown} value
 * @returns {unknown}  undefined stands for the default
 */
export function parseProperty(name, value) {
  const isText = typeof value === 'string' || typeof value === 'bigint';
  const isWord = typeof value === 'number' && settings[name]?.kind === 'tokens';
  return isText || isWord ? parseAttribute(name, String(value)) : (kept(name, value) ?? undefined);
}

/** @param {SettingName} name @param {unknown} value */
function kept(name, value) {
  return settings[name]?.kind === 'matrix' ? keptMatrix(name, value) : name === 'edits' ? keptRows(value) : value;
}

/**
 * The settings that some attributes say.
 *
 * @param {(attribute: string) => string | null | undefined} textOf  an attribute's text, or nothing where it is absent
 * @returns {import('./setting-values.js').SettingChanges}
 */
export function readSettings(textOf) {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = textOf(settings[name].attribute);
      return typeof text === 'string' ? [[name, parseAttribute(name, text)]] : [];
    }),
  );
}

/**
 * The attributes that stand for a state, those of which are left out that a widget has by itself, or that cannot be used.
 *
 * @param {LessonState} state
 * @returns {[attribute: string, text: string][]}
 */
export function stateAttributes(state) {
  const own = Object.fromEntries(matrixNames.map((name) => [name, state[name]]));
  const none = Object.fromEntries(matrixNames.map((name) => [name, null]));
  const defaults = completeState({ ...own, preset: state.preset, tokens: state.tokens });
  const { tokens } = completeState({ ...own, preset: state.preset });
  return settingNames.flatMap((name) => {
    const value = state[name];
    const usual = { ...defaults, ...none, tokens, preset: sentenceDefaults.preset }[name];
    const isLeftOut =
      value === null ||
      settingProblem(name, value) !== null ||
      attributeText(name, value) === attributeText(name, usual);
    return isLeftOut ? [] : [[settings[name].attribute, attributeText(name, value)]];
  });
}

/** The text that `parseAttribute` reads back as this value. @param {SettingName} name @param {any} value */
export function attributeText(name, value) {
  const { kind } = settings[name];
  if (kind === 'matrix' && value !== null) {
    return matrixText(value);
  }
  return kind === 'edits' ? editsText(value) : Array.isArray(value) ? formatTokens(value) : String(value);
}
