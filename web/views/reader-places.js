// Which group of panels and which disclosures are open, and where the focus is: what a reader has done that the state does not hold.

/**
 * Remembers the open disclosures and the focus of one tree of elements, for another tree of the same shape.
 *
 * @param {Element} root
 * @returns {(other: Element) => void}  opens and focuses the same there
 */
export function placesIn(root) {
  /** @type {(element: Element, parent?: any) => number[]} */
  const placeOf = (element, parent = element.parentElement) =>
    element === root ? [] : [...placeOf(parent), [...parent.children].indexOf(element)];
  const opened = root.querySelectorAll('details[open], [data-group][aria-expanded=true]');
  const places = [...opened, ...root.querySelectorAll(':focus')].map((element) => placeOf(element));

  return (other) => {
    for (const place of places) {
      /** @type {any} */
      const found = place.reduce(
        (/** @type {Element | undefined} */ element, index) => element?.children[index],
        other,
      );
      if (found?.matches('details')) {
        found.open = true;
        found.dispatchEvent(new Event('toggle')); // the browser's own event comes too late to find what is inside
      } else if (found?.matches('[aria-expanded=false]')) {
        found.click();
        other.querySelector('details[open]')?.removeAttribute('open'); // the reader may have closed it
      } else {
        found?.focus({ preventScroll: true });
      }
    }
  };
}
