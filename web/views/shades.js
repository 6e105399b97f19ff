// The colour scale of weights, as style rules: one class for each hundredth. A class costs the browser a quarter of what
// a colour computed from a custom property does, and a cell shows hundredths anyway.

/** At this weight black and white text are equally readable on the scale, in both themes. */
export const inkTurnsAt = 0.58;

/**
 * The rules of a scale. Its ends and the inks are in widget.css.
 *
 * @param {string} scale
 * @param {string} full
 * @param {string} none
 * @param {number} turn  the hundredth from which on the ink is the one on the full end
 */
function rulesOf(scale, full, none, turn) {
  return Array.from({ length: 101 }, (_, hundredth) => {
    const ink = hundredth < turn ? '--ink-on-none' : '--ink-on-full';
    const mix = `color-mix(in oklab, var(${full}) ${hundredth}%, var(${none}))`;
    return `.${scale}-${hundredth} { background: ${mix}; color: var(${ink}) }`;
  });
}

export const shadeRules = () => rulesOf('shade', '--weight-full', '--weight-none', 100 * inkTurnsAt);

/** Signed numbers have a scale for each sign, with one ink. */
export const signedShadeRules = () => [
  ...rulesOf('plus', '--plus', '--zero', 101),
  ...rulesOf('minus', '--minus', '--zero', 101),
];

/**
 * The class of the shade nearest to a weight, or to a part of a signed scale.
 *
 * @param {number} share  from 0 to 1
 * @param {'shade' | 'plus' | 'minus'} scale
 */
export function shadeOf(share, scale = 'shade') {
  return `${scale}-${Math.round(100 * Math.max(0, Math.min(1, share)))}`;
}
