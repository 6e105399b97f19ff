/**
 * Texts of a language, and English ones where its file is of another version and lacks some.
 *
 * @param {Record<string, any>} texts
 * @param {Record<string, any>} all
 * @returns {any}  what `texts` has, and what of all it has not
 */
export function completed(texts, all) {
  const parts = Object.entries(all).map(([key, text]) => [
    key,
    text.constructor === Object ? completed(texts[key] ?? {}, text) : (texts[key] ?? text),
  ]);
  return { ...texts, ...Object.fromEntries(parts) };
}
