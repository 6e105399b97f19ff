// The colours of a scale as pixels. They are read from the style sheet, so that canvases and elements share one scale, and
// read again when the theme changes: a transition on the probe's colour tells of any change, whatever its cause.

import { h } from './dom.js';

/** Steps of the colour scale; more than a reader or an 8-bit screen can tell apart. */
export const shades = 256;

/** Steps of the signed scale, zero in its middle. */
const signedShades = 129;

/**
 * @param {HTMLElement} parent
 * @param {() => void} changed
 * @param {string} kind  of the probe: a class that gives it three colours and one of what is no number
 * @param {(styles: CSSStyleDeclaration) => string[]} coloursOf
 */
function createPixels(parent, changed, kind, coloursOf) {
  const probe = h('span', { class: `colour-probe ${kind}`, 'aria-hidden': 'true', transitionend: () => changed() });
  parent.append(probe);
  let key = '';
  let pixels = new Uint32Array();

  return {
    read() {
      const styles = getComputedStyle(probe);
      const { color, backgroundColor, outlineColor } = styles;
      if (key !== `${color} ${backgroundColor} ${outlineColor}`) {
        key = `${color} ${backgroundColor} ${outlineColor}`;
        const colours = coloursOf(styles);
        const strip = document.createElement('canvas');
        strip.width = colours.length;
        strip.height = 1;
        const context = /** @type {CanvasRenderingContext2D} */ (strip.getContext('2d', { willReadFrequently: true }));
        colours.forEach((colour, x) => {
          context.fillStyle = colour;
          context.fillRect(x, 0, 1, 1);
        });
        pixels = new Uint32Array(context.getImageData(0, 0, strip.width, 1).data.buffer);
      }
      return pixels;
    },
  };
}

/** @param {string} from @param {string} to @param {number} share */
const mixed = (from, to, share) => `color-mix(in oklab, ${to} ${100 * share}%, ${from})`;

/**
 * The pixels of weights, from 0 to 1, between that of a hidden cell and that of no number.
 *
 * @param {HTMLElement} parent
 * @param {() => void} changed
 */
export const createWeightPixels = (parent, changed) =>
  createPixels(parent, changed, '', ({ color: none, backgroundColor: full, outlineColor: invalid }) => [
    'transparent',
    ...Array.from({ length: shades }, (_, shade) => mixed(none, full, shade / (shades - 1))),
    invalid,
  ]);

/**
 * The pixels of signed numbers, from the least to the largest of the scale, and that of no number behind them.
 *
 * @param {HTMLElement} parent
 * @param {() => void} changed
 */
export const createSignedPixels = (parent, changed) =>
  createPixels(parent, changed, 'signed', (styles) => {
    const { color: zero, backgroundColor: plus, outlineColor: minus, textDecorationColor: invalid } = styles;
    const middle = (signedShades - 1) / 2;
    return [
      ...Array.from({ length: signedShades }, (_, shade) =>
        mixed(zero, shade < middle ? minus : plus, Math.abs(shade - middle) / middle),
      ),
      invalid,
    ];
  });
