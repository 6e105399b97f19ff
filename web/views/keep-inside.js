// Keys and drags that the widget uses do not reach the page around it.

/**
 * A slide deck or a page's shortcuts must not act on keys that the widget's own fields use. Others pass.
 *
 * @param {KeyboardEvent} event
 */
export function keepKeysInside(event) {
  const target = /** @type {Element} */ (event.target);
  const typing = target.matches('input[type="text"], select') && event.key !== 'Escape' && event.key !== 'Tab';
  const moving = target.matches('input, select, [tabindex="0"]') && /^(Arrow|Home|End|Page)/.test(event.key);
  const pressing =
    target.matches('button, input, select, summary, .entry') && (event.key === 'Enter' || event.key === ' ');
  if (typing || moving || pressing) {
    event.stopPropagation();
  }
}

/**
 * A slide deck must not take a drag for a swipe when it moves a slider or a cursor, or scrolls a table, a text or a map.
 *
 * @param {Event} event
 */
export function keepDragsInside(event) {
  if (/** @type {Element} */ (event.target).closest('input, [role="slider"], [role="region"], .canvas-map')) {
    event.stopPropagation();
  }
}
