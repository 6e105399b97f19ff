// Which of several languages a reader of another tag understands best: lookup as in BCP 47 (RFC 4647, section 3.4), and
// where no tag is a prefix of the other, the script and region that are likely for each.

/** @param {string} tag  "pt_BR" is read as "pt-BR" */
const subtags = (tag) => tag.replaceAll('_', '-').toLowerCase().split('-');

/**
 * Language, script and region of a tag, with the likely ones where it names none: "zh-TW" is "zh-hant-tw".
 *
 * @param {string} tag
 */
function likelySubtags(tag) {
  try {
    const { language, script, region } = new Intl.Locale(tag.replaceAll('_', '-')).maximize();
    return subtags(`${language}-${script}-${region}`);
  } catch {
    return subtags(tag); // no tag of a language
  }
}

/** How many subtags two lists have in common at their start. @param {string[]} one @param {string[]} other */
function commonStart(one, other) {
  const end = one.findIndex((subtag, index) => subtag !== other[index]);
  return end === -1 ? one.length : end;
}

/**
 * The name that is the tag; else, of the same language, the one in the same script; of these the longest prefix of the
 * tag; of these the one of the same region; and of equals the first.
 *
 * @param {string} tag  of the place, such as "zh-TW"
 * @param {string[]} names  of the languages that there are, each a tag
 * @returns {string | undefined}  undefined where none is of the same language
 */
export function closestLanguage(tag, names) {
  const wanted = subtags(tag);
  const sameLanguage = names.filter((name) => subtags(name)[0] === wanted[0]);
  if (sameLanguage.length < 2) {
    return sameLanguage[0]; // the first question to Intl, and every one that it refuses, would delay the first picture
  }
  const likely = likelySubtags(tag);
  /** One digit for each criterion, the first of them most. @param {string} name */
  const closeness = (name) => {
    const own = subtags(name);
    const prefix = commonStart(own, wanted) === own.length ? own.length : 0;
    const shared = commonStart(likelySubtags(name), likely);
    return 1000 * Number(prefix === wanted.length) + 100 * Number(shared > 1) + 10 * Math.min(prefix, 9) + shared;
  };
  return sameLanguage.sort((one, other) => closeness(other) - closeness(one))[0];
}
