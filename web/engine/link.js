// States in addresses, as the query of a link ("v=1&d-k=64") and as a block in the address of another page
// ("#section~att~w1~d-k~64~end"). Programs encode, escape and cut addresses on their way: what is written here holds only
// characters that they leave alone and a mark at its end, and what is read may have been encoded again.

import {
  attributeText,
  completeState,
  readSettings,
  settingNames,
  settingProblem,
  settings,
  stateAttributes,
} from './lesson-state.js';

/** @typedef {import('./lesson-state.js').LessonState} LessonState */
/** @typedef {import('./lesson-state.js').SettingName} SettingName */

/** Values that would be no text. A code point is hexadecimal, so no text is written like these. */
const noValue = '.null.';
const emptyText = '.empty.';

/** A tilde, encoded or not. */
const tilde = '(?:~|%(?:25)*7e)';

/** From the first block to the end of the last, or what a cut has left of the first mark. */
const blocks = new RegExp(`${tilde}att${tilde}([\\w.~%-]*)|${tilde}(?:a(?:tt?)?)?$`, 'i');

/**
 * Any text in letters, digits, "-", "_" and ".": a space is "_", any other character its code point, ".1f989.".
 *
 * @param {string} text
 */
export function escapeText(text) {
  const escaped = text
    .replaceAll(/[^A-Za-z0-9 -]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}.`)
    .replaceAll(' ', '_');
  // The marks of a block.
  return escaped === 'att' || escaped === 'end'
    ? `.${escaped.charCodeAt(0).toString(16)}.${escaped.slice(1)}`
    : escaped;
}

/**
 * The text that `escapeText` wrote, or null where it wrote no such thing.
 *
 * @param {string} escaped
 */
export function unescapeText(escaped) {
  if (!/^(?:[\w-]|\.(?:10|0?[0-9a-f])?[0-9a-f]{1,4}\.)*$/i.test(escaped)) {
    return null;
  }
  return escaped.replaceAll(/_|\.(\w+)\./g, (_, code) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : ' ',
  );
}

/**
 * Text without its percent-encoding, however often it was encoded.
 *
 * @param {string} text
 * @param {string} [until]  a character that says that it is decoded
 */
function decoded(text, until) {
  let last = text;
  try {
    for (let next = ''; next !== last && !(until && last.includes(until)); ) {
      next = last;
      last = decodeURIComponent(last);
    }
  } catch {
    // A cut encoding; what is left of it is no escaped text.
  }
  return last;
}

/**
 * A state as the query of an address: "v=1&d-k=64&divisor=none". Where a value needs more than plain characters, as a
 * sentence does, values are escaped and the link's end is marked: "v=2&tokens=the_cat_sat&end".
 *
 * @param {LessonState} state
 */
export function formatLink(state) {
  const attributes = stateAttributes(state);
  const isPlain = attributes.every(([, text]) => /^[\w.-]*$/.test(text));
  const pairs = attributes.map(([name, text]) => `&${name}=${isPlain ? text : escapeText(text)}`).join('');
  return isPlain ? `v=1${pairs}` : `v=2${pairs}&end`;
}

/**
 * The texts of attributes that a link holds.
 *
 * @param {string} link  of this version or the first, or written by hand as a query
 * @returns {{textOf: (attribute: string) => string | null, isWhole: boolean}}  not whole: something of it was cut off or
 *   damaged, and is left out
 */
export function readLink(link) {
  // In the second version every "%" was added on the way. In the first, "v=1%26" says that the separators were encoded.
  const { version, next } = /\bv(?:=|%(?:25)*3d)(?<version>\d+)(?<next>.?)/i.exec(link)?.groups ?? {};
  const isEscaped = version === '2';
  const query = decoded(link.replaceAll('&amp;', '&'), isEscaped ? '' : next === '%' ? '&' : '=');
  const parameters = new URLSearchParams(query);
  /** @type {Map<string, string | null>} */
  const texts = new Map(parameters);
  for (const name of settingNames) {
    const { attribute } = settings[name];
    const text = parameters.get(attribute);
    if (text !== null && isEscaped) {
      texts.set(attribute, unescapeText(decoded(text)));
    } else if (text !== null && name === 'tokens') {
      texts.set(attribute, rescuedTokens(text, query));
    }
  }
  const isWhole = (!isEscaped || texts.has('end')) && ![...texts.values()].includes(null);
  return { textOf: (attribute) => texts.get(attribute) ?? null, isWhole };
}

/**
 * The tokens of a link of the first version, which wrote spaces as "+" and all else in percent-encoding.
 *
 * @param {string} text  decoded once
 * @param {string} query
 * @returns {string | null}  null where it cannot be decoded
 */
function rescuedTokens(text, query) {
  let tokens = text;
  if (/^[^\s"]*$/.test(text)) {
    // Not one space: they were encoded once more, if there were any. A single word that holds such signs is rarer.
    tokens = decoded(/%[0-9a-f]{2}/i.test(text) || /[^+]\+[^+]/.test(text) ? text.replaceAll('+', ' ') : text);
  }
  const isDamaged = tokens.includes('\ufffd') && !/%(25)*EF%(25)*BF%(25)*BD/i.test(query);
  const isCut = tokens.startsWith('["') && !tokens.endsWith(']');
  return isDamaged || isCut ? null : tokens;
}

/**
 * The settings that a link holds. A name that it does not know, and a value that no setting can have, it passes over.
 *
 * @param {string} link
 * @returns {Partial<LessonState>}
 */
export function parseLink(link) {
  return usable(readSettings(readLink(link).textOf));
}

/** @param {Partial<Record<SettingName, unknown>>} read @returns {Partial<LessonState>} */
function usable(read) {
  return Object.fromEntries(
    Object.entries(read).filter(([name, value]) => settingProblem(/** @type {SettingName} */ (name), value) === null),
  );
}

/**
 * What differs between a state and its author's, as a block holds it: "~d-k~64~d-v~.null.", or nothing.
 *
 * @param {LessonState} state
 * @param {Partial<LessonState>} authored  what the author chose; the rest is the default of the state's preset
 */
export function formatChanges(state, authored) {
  const { preset, tokens } = state;
  const from = {
    ...completeState({ ...authored, preset, tokens }),
    preset: completeState(authored).preset,
    tokens: completeState({ ...authored, preset }).tokens,
  };
  return settingNames
    .filter((name) => settingProblem(name, state[name]) === null)
    .flatMap((name) => {
      const before = settingProblem(name, from[name]) === null ? valueText(name, from[name]) : undefined;
      const text = valueText(name, state[name]);
      return text === before ? [] : [`~${settings[name].attribute}~${text}`];
    })
    .join('');
}

/** @param {SettingName} name @param {unknown} value */
function valueText(name, value) {
  return value === null ? noValue : escapeText(attributeText(name, value)) || emptyText;
}

/**
 * The changes that a block holds.
 *
 * @param {string} changes
 * @returns {Partial<LessonState> | null}  null where they were damaged
 */
export function parseChanges(changes) {
  const [, ...segments] = changes.split('~');
  /** @type {Map<string, string | null>} */
  const texts = new Map();
  for (let i = 0; i < segments.length; i += 2) {
    const [name, value = '.'] = segments.slice(i, i + 2);
    const text = value === noValue || value === emptyText ? '' : unescapeText(value);
    if (name === '' || value === '' || text === null) {
      return null;
    }
    texts.set(name, value === noValue ? null : text);
  }
  const read = readSettings((attribute) => texts.get(attribute));
  const nulls = settingNames.filter((name) => texts.get(settings[name].attribute) === null);
  return usable({ ...read, ...Object.fromEntries(nulls.map((name) => [name, null])) });
}

/**
 * The blocks of a part of an address, a fragment or a query.
 *
 * @param {string} part  without its "#" or "?"
 * @returns {{before: string, after: string, changes: Map<string, string | null> | null, isCut: boolean}}  what stands
 *   around them; the changes by the names of widgets, null where the end is cut off; null where there are no blocks
 */
export function readBlocks(part) {
  const found = blocks.exec(part);
  if (found === null) {
    return { before: part, after: '', changes: null, isCut: false };
  }
  const body = decoded(found[1] ?? '').replace(/[._~-]+$/, '');
  const isCut = !/(^|~)end$/.test(body);
  /** @type {Map<string, string | null>} */
  const changes = new Map();
  const texts = `~${isCut ? body : body.slice(0, -3)}`.replace(/~$/, '').split(/~att(?=~)/);
  for (const [index, text] of texts.entries()) {
    const [, name, rest] = /^~([^~]*)(.*)$/s.exec(text) ?? [];
    if (name) {
      changes.set(unescapeText(name) ?? name, isCut && index === texts.length - 1 ? null : rest);
    }
  }
  // What a program takes for the end of a sentence belongs to nobody.
  const after = part.slice(found.index + found[0].length).replace(/^=(?=&|$)|^[^\w&;=/]+$/, '');
  return { before: part.slice(0, found.index), after, changes, isCut };
}

/**
 * The text that `readBlocks` reads.
 *
 * @param {Map<string, string>} changes  by the names of widgets
 */
export function formatBlocks(changes) {
  const texts = Array.from(changes, ([name, text]) => `~att~${escapeText(name)}${text}`);
  return texts.length === 0 ? '' : `${texts.join('')}~end`;
}

/**
 * A widget's state in a fragment of the first version, "#section;w1:v=1&d-k=64".
 *
 * @param {string} fragment
 * @param {string} name
 * @returns {{own: string, link: string | null}}  what else stands there, and the link
 */
export function readOldBlock(fragment, name) {
  const plain = fragment.replaceAll('&amp;', '&');
  const text = /%(25)*3d/i.test(plain) ? decoded(plain, '=') : plain;
  const mark = `${encodeURIComponent(name)}:`;
  const all = text.split(';');
  const link = all.find((each) => each.startsWith(mark) && /^[\w-]+=/.test(each.slice(mark.length)));
  return link === undefined
    ? { own: fragment, link: null }
    : { own: all.filter((each) => each !== link).join(';'), link: link.slice(mark.length) };
}
