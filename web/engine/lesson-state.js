// A lesson's state: what its keys are, how attributes write them, what they are when nobody says.
// Pure: no element, no engine. The core checks ranges again, for those who call it directly.

/**
 * Everything that decides what a widget shows, as plain JSON.
 *
 * @typedef {object} LessonState
 * @property {'sentence' | 'four-token'} preset
 * @property {string[]} tokens
 * @property {number} dModel
 * @property {number} dK
 * @property {number | null} dV  null: as wide as d_k
 * @property {'sqrt' | 'none' | 'dk'} divisor
 * @property {'none' | 'causal' | 'late'} mask
 * @property {'separate' | 'shared' | 'identity'} projections
 * @property {'keys' | 'queries'} softmaxAxis
 * @property {'stable' | 'naive'} softmax
 * @property {'values' | 'embeddings'} blend
 * @property {number} heads
 * @property {number} head  the one that the picture shows, 0-based
 * @property {number} row  the highlighted query, 0-based
 * @property {number} seed
 * @property {string[] | null} panels  which panels show, in order; null: all of them, closed
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {string[] | null} locked  attributes of settings that the reader may not change
 */

/**
 * Why a value cannot be used: "<argument> <found>, but <expected>".
 *
 * @typedef {{argument: string, found: string, expected: string}} Problem
 */

/**
 * @typedef {{kind: 'choice', attribute: string, choices: readonly string[], view?: boolean}
 *         | {kind: 'whole', attribute: string, least: number, most: number, nullable?: boolean, view?: boolean}
 *         | {kind: 'tokens', attribute: string, view?: boolean}
 *         | {kind: 'names', attribute: string, choices: readonly string[], view?: boolean}} Setting
 */

export const slider = { least: 2, most: 64 };

const widest = 512;

/** A table of tokens by tokens has 4 million entries then. */
export const mostTokens = 2048;

const panelNames = [
  'break',
  'proofs',
  'shapes',
  'worksheet',
  'jacobian',
  'compare',
  'gradients',
  'train',
  'law',
  'checkpoints',
  'code',
  'share',
];

/** What `locked` may name: the attributes of what the engine computes from. */
const lockable = [
  'preset',
  'tokens',
  'd-model',
  'd-k',
  'd-v',
  'divisor',
  'mask',
  'projections',
  'softmax-axis',
  'softmax',
  'blend',
  'heads',
  'head',
  'row',
  'seed',
];

/** Every setting, by its property's name. `view` marks those that the engine has no use for. */
export const settings = /** @type {const} @satisfies {Record<string, Setting>} */ ({
  preset: { kind: 'choice', attribute: 'preset', choices: ['sentence', 'four-token'] },
  tokens: { kind: 'tokens', attribute: 'tokens' },
  dModel: { kind: 'whole', attribute: 'd-model', least: 1, most: widest },
  dK: { kind: 'whole', attribute: 'd-k', least: 1, most: widest },
  dV: { kind: 'whole', attribute: 'd-v', least: 1, most: widest, nullable: true },
  divisor: { kind: 'choice', attribute: 'divisor', choices: ['sqrt', 'none', 'dk'] },
  mask: { kind: 'choice', attribute: 'mask', choices: ['none', 'causal', 'late'] },
  projections: { kind: 'choice', attribute: 'projections', choices: ['separate', 'shared', 'identity'] },
  softmaxAxis: { kind: 'choice', attribute: 'softmax-axis', choices: ['keys', 'queries'] },
  softmax: { kind: 'choice', attribute: 'softmax', choices: ['stable', 'naive'] },
  blend: { kind: 'choice', attribute: 'blend', choices: ['values', 'embeddings'] },
  heads: { kind: 'whole', attribute: 'heads', least: 1, most: 8 },
  head: { kind: 'whole', attribute: 'head', least: 0, most: 7 },
  row: { kind: 'whole', attribute: 'row', least: 0, most: mostTokens - 1 },
  seed: { kind: 'whole', attribute: 'seed', least: 0, most: 0xffffffff },
  panels: { kind: 'names', attribute: 'panels', choices: panelNames, view: true },
  theme: { kind: 'choice', attribute: 'theme', choices: ['auto', 'light', 'dark'], view: true },
  locked: { kind: 'names', attribute: 'locked', choices: lockable, view: true },
});

/** @typedef {keyof typeof settings} SettingName */

export const settingNames = /** @type {SettingName[]} */ (Object.keys(settings));

/** The seed at which the default sentence shows what the law says, at every d_k of the slider; the core vets it. */
export const defaultSeed = 2958;

/** @type {LessonState} */
const sentenceDefaults = {
  preset: 'sentence',
  tokens: ['Your', 'journey', 'starts', 'with', 'one', 'step'],
  dModel: 16,
  dK: 16,
  dV: null,
  divisor: 'sqrt',
  mask: 'none',
  projections: 'separate',
  softmaxAxis: 'keys',
  softmax: 'stable',
  blend: 'values',
  heads: 1,
  head: 0,
  row: 1,
  seed: defaultSeed,
  panels: null,
  theme: 'auto',
  locked: null,
};

/** @type {LessonState} */
const fourTokenDefaults = {
  ...sentenceDefaults,
  preset: 'four-token',
  tokens: ['one', 'two', 'three', 'four'],
  dModel: 2,
  dK: 2,
  mask: 'causal',
};

/**
 * The whole state that some settings stand for: what they leave out is the preset's default.
 *
 * @param {Partial<LessonState>} [chosen]
 * @returns {LessonState}
 */
export function completeState(chosen = {}) {
  const defaults = chosen.preset === 'four-token' ? fourTokenDefaults : sentenceDefaults;
  const state = { ...defaults, tokens: [...defaults.tokens], ...defined(chosen) };
  if (chosen.row === undefined && Array.isArray(state.tokens) && state.tokens.length < 2) {
    state.row = 0; // a single token is its own and only row
  }
  return state;
}

/**
 * Whether the reader may not change a setting.
 *
 * @param {Partial<LessonState>} state
 * @param {string} name
 */
export function isLocked({ locked }, name) {
  return Array.isArray(locked) && locked.includes(settings[/** @type {SettingName} */ (name)]?.attribute);
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
 * @param {SettingName} name
 * @param {unknown} value
 * @returns {Problem | null}
 */
function settingProblem(name, value) {
  /** @type {Setting} */
  const setting = settings[name];
  const problem = (/** @type {string} */ expected) => ({ argument: name, found: `is ${describe(value)}`, expected });
  switch (setting.kind) {
    case 'choice':
      return setting.choices.includes(/** @type {string} */ (value))
        ? null
        : problem(`must be ${either(setting.choices)}`);
    case 'whole': {
      if (value === null && setting.nullable) {
        return null;
      }
      const fits = Number.isInteger(value) && Number(value) >= setting.least && Number(value) <= setting.most;
      return fits ? null : problem(`must be a whole number from ${setting.least} to ${setting.most}`);
    }
    case 'names': {
      const fits = value === null || (Array.isArray(value) && value.every((name) => setting.choices.includes(name)));
      return fits ? null : problem(`must list names out of ${setting.choices.join(', ')}`);
    }
    case 'tokens':
      return Array.isArray(value) && Array.from(value).every((token) => typeof token === 'string')
        ? null
        : problem('must be words or an array of strings');
  }
}

/** @param {readonly string[]} choices */
function either(choices) {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/**
 * A value as an error message quotes it: short, and never as markup.
 *
 * @param {unknown} value
 */
export function describe(value) {
  if (typeof value === 'string') {
    return value.length > 40 ? `"${[...value].slice(0, 40).join('')}…"` : `"${value}"`;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) {
    return String(value);
  }
  if (typeof value === 'bigint') {
    return `the BigInt ${value}`;
  }
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
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
  switch (setting.kind) {
    case 'tokens':
      return parseTokens(text);
    case 'whole':
      return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text;
    case 'names':
      return text.trim() === '' ? [] : text.trim().split(/\s+/);
    case 'choice':
      return text.trim();
  }
}

/**
 * Words parted by white space, or a JSON array of strings for tokens that hold white space themselves.
 *
 * @param {string} text
 * @returns {string[] | string}  the text itself where it is an object that a framework wrote into the attribute
 */
export function parseTokens(text) {
  const trimmed = text.trim();
  if (/^\[object \w+\]$/.test(trimmed)) {
    return trimmed;
  }
  if (trimmed.startsWith('[') && trimmed.endsWith(']')) {
    try {
      const parsed = JSON.parse(trimmed);
      return parsed.every((/** @type {unknown} */ token) => typeof token === 'string') ? parsed : trimmed;
    } catch {
      // Words that happen to stand in brackets, such as "[CLS] hello [SEP]".
    }
  }
  return trimmed === '' ? [] : trimmed.split(/\s+/u);
}

/**
 * The text that `parseTokens` reads back as these tokens.
 *
 * @param {readonly string[]} tokens
 */
export function formatTokens(tokens) {
  const words = tokens.join(' ');
  const reread = parseTokens(words);
  const same =
    Array.isArray(reread) && reread.length === tokens.length && reread.every((word, i) => word === tokens[i]);
  return same ? words : JSON.stringify(tokens);
}

/**
 * The attributes that stand for a state, those of which are left out that a widget has by itself.
 *
 * @param {LessonState} state
 * @returns {[attribute: string, text: string][]}
 */
export function stateAttributes(state) {
  const defaults = completeState({ preset: state.preset, tokens: state.tokens });
  const { tokens } = completeState({ preset: state.preset });
  return settingNames.flatMap((name) => {
    const value = state[name];
    const usual = { ...defaults, tokens, preset: sentenceDefaults.preset }[name];
    return value === null || String(value) === String(usual) ? [] : [[settings[name].attribute, attributeText(value)]];
  });
}

/** The text that `parseAttribute` reads back as this value. @param {unknown} value */
function attributeText(value) {
  return Array.isArray(value) ? formatTokens(value) : String(value);
}

/** The version of links: what a later one means by its names may differ. */
const linkVersion = '1';

/**
 * A state as the query of an address: "v=1&d-k=64&divisor=none".
 *
 * @param {LessonState} state
 */
export function formatLink(state) {
  return String(new URLSearchParams([['v', linkVersion], ...stateAttributes(state)]));
}

/**
 * The settings that a link holds. A name that it does not know, and a value that no setting can have, it passes over.
 *
 * @param {string} link
 * @returns {Partial<LessonState>}
 */
export function parseLink(link) {
  const parameters = new URLSearchParams(link);
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = parameters.get(settings[name].attribute);
      const value = text === null ? undefined : parseAttribute(name, text);
      return value === undefined || settingProblem(name, value) !== null ? [] : [[name, value]];
    }),
  );
}
