// What the widget takes from the browser, where a page or an imitation of a browser may have something else.

/** The language's own promises, whatever the page has put in their place. */
export const OwnPromise = /** @type {PromiseConstructor} */ ((async () => {})().constructor);

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
