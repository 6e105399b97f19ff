// What the widget takes from the browser, where a page or an imitation of a browser may have something else.

/** A promise of the language's own that is kept, whatever the page has put in the place of its class and its functions. */
export const kept = (async () => {})();

/** The language's own promises. */
export const OwnPromise = /** @type {PromiseConstructor} */ (kept.constructor);

/**
 * A part that the widget cannot do without and that some imitations of a browser lack.
 *
 * @returns {string | undefined}  its name; undefined where nothing is missing
 */
export function missingPart() {
  if (globalThis.CSSStyleSheet?.prototype.replaceSync === undefined) {
    return 'CSSStyleSheet.replaceSync';
  }
  return ['IntersectionObserver', 'ResizeObserver'].find((name) => !(name in globalThis));
}
