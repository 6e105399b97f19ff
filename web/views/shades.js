// The colour scale of weights, as style rules: one class for each hundredth. A class costs the browser a quarter of what
// a colour computed from a custom property does, and a cell shows hundredths anyway.

/** At this weight black and white text are equally readable on the scale, in both themes. */
export const inkTurnsAt = 0.58;

/**
 * The rules of all shades. The scales' ends and the inks are in widget.css; signed numbers have a scale for each sign,
 * with one ink.
 */
export function shadeRules() {
  const rules = [];
  for (let hundredth = 0; hundredth <= 100; hundredth++) {
    const ink = hundredth < 100 * inkTurnsAt ? '--ink-on-none' : '--ink-on-full';
    const mix = (/** @type {string} */ full, /** @type {string} */ none) =>
      `background: color-mix(in oklab, var(${full}) ${hundredth}%, var(${none}))`;
    rules.push(
      `.shade-${hundredth} { ${mix('--weight-full', '--weight-none')}; color: var(${ink}) }`,
      `.plus-${hundredth} { ${mix('--plus', '--zero')}; color: var(--ink-on-none) }`,
      `.minus-${hundredth} { ${mix('--minus', '--zero')}; color: var(--ink-on-none) }`,
    );
  }
  return rules.join('\n');
}

/**
 * The class of the shade nearest to a weight, or to a part of a signed scale.
 *
 * @param {number} share  from 0 to 1
 * @param {'shade' | 'plus' | 'minus'} scale
 */
export function shadeOf(share, scale = 'shade') {
  return `${scale}-${Math.round(100 * Math.max(0, Math.min(1, share)))}`;
}
