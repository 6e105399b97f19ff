// The colour scale of weights, as style rules: one class for each hundredth. A class costs the browser a quarter of what
// a colour computed from a custom property does, and a cell shows hundredths anyway.

/** At this weight black and white text are equally readable on the scale, in both themes. */
export const inkTurnsAt = 0.58;

/** The rules of all shades. The scale's ends and the inks are in widget.css. */
export function shadeRules() {
  const rules = [];
  for (let hundredth = 0; hundredth <= 100; hundredth++) {
    const ink = hundredth < 100 * inkTurnsAt ? '--ink-on-none' : '--ink-on-full';
    const mix = `color-mix(in oklab, var(--weight-full) ${hundredth}%, var(--weight-none))`;
    rules.push(`.shade-${hundredth} { background: ${mix}; color: var(${ink}) }`);
  }
  return rules.join('\n');
}

/**
 * The class of the shade nearest to a weight.
 *
 * @param {number} weight
 */
export function shadeOf(weight) {
  return `shade-${Math.round(100 * Math.max(0, Math.min(1, weight)))}`;
}
