// The numbers of a region that writes them otherwise than its language: Mexico has 0.5 where Spain has 0,5.

/** @typedef {import('./language.js').Messages} Messages */

/** @type {WeakMap<Messages, Record<string, Messages>>} by texts and tag */
const known = new WeakMap();

/** @param {string} locale */
const separatorOf = (locale) => (0.5).toLocaleString(locale, { numberingSystem: 'latn' })[1];

/**
 * The texts as a region writes their numbers, or the texts themselves where that is no other way.
 *
 * @param {Messages} messages
 * @param {string} [tag]  of the place: "es-MX"
 * @returns {Messages}
 */
export function inRegion(messages, tag = messages.locale) {
  const texts = known.get(messages) ?? {};
  known.set(messages, texts);
  texts[tag] ??= withNumbersOf(messages, tag.replaceAll('_', '-'));
  return texts[tag];
}

/** @param {Messages} messages @param {string} tag @returns {Messages} */
function withNumbersOf(messages, tag) {
  try {
    const isAlike = tag === messages.locale || separatorOf(tag) === separatorOf(messages.locale);
    return isAlike ? messages : { ...rewritten(messages), locale: tag };
  } catch {
    return messages; // no tag of a language
  }
}

/** Points for commas between digits, and commas for points. @param {string} text */
const swapped = (text) => text.replace(/(?<=\d)[.,](?=\d)/g, (sign) => (sign === '.' ? ',' : '.'));

/**
 * What a text is given is written for the region already: its points and commas are put aside meanwhile.
 *
 * @param {any} text
 * @returns {any}
 */
function rewritten(text) {
  if (typeof text === 'string') {
    return swapped(text);
  }
  if (typeof text === 'function') {
    return (/** @type {unknown[]} */ ...given) => {
      const aside = given.map((each) =>
        typeof each === 'string' ? each.replace(/[.,]/g, (sign) => (sign === '.' ? '\ue000' : '\ue001')) : each,
      );
      return swapped(text(...aside)).replace(/[\ue000\ue001]/g, (sign) => (sign === '\ue000' ? '.' : ','));
    };
  }
  if (Array.isArray(text)) {
    return text.map(rewritten);
  }
  return typeof text === 'object' && text !== null
    ? Object.fromEntries(Object.entries(text).map(([key, each]) => [key, rewritten(each)]))
    : text;
}
