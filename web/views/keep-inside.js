// What the page around the widget does not get to hear: keys and drags that the widget itself uses.

/**
 * A slide deck or a page's shortcuts must not act on keys that the widget's own fields use. Others pass.
 *
 * @param {KeyboardEvent} event
 */
export function keepKeysInside(event) {
  const target = /** @type {Element} */ (event.target);
  const typing = target.matches('input[type="text"], select') && event.key !== 'Escape' && event.key !== 'Tab';
  const moving = target.matches('input, select, [tabindex="0"]') && /^(Arrow|Home|End|Page)/.test(event.key);
  const pressing = target.matches('button, input, select, summary') && (event.key === 'Enter' || event.key === ' ');
  if (typing || moving || pressing) {
    event.stopPropagation();
  }
}

/**
 * Nor may it take for a swipe what drags a slider or a chart's cursor, or scrolls a table, a text or a large map.
 *
 * @param {Event} event
 */
export function keepDragsInside(event) {
  if (/** @type {Element} */ (event.target).closest('input, [role="slider"], [role="region"], .canvas-map')) {
    event.stopPropagation();
  }
}
