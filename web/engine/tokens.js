// A sentence's tokens as text. Apart from the settings, so that a notebook's file, which needs this alone, stays small.

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
