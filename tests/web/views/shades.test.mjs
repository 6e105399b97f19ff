// The colours of the style sheet, computed: text must be readable on them, and weights must be ordered by lightness.
// Covers views/shades.js and element/widget.css.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shadeOf, shadeRules } from '../../../web/views/shades.js';
import { readProjectFile } from '../support.mjs';

const styleSheet = readProjectFile('web/element/widget.css');

/** @typedef {[number, number, number]} Colour  OKLab */

/** @param {string} name  of a custom property @param {number} theme  0 light, 1 dark */
function declared(name, theme) {
  const [, own, author] =
    styleSheet.match(
      new RegExp(`--${name}: (?:light-dark\\((.+)\\)|var\\(--attention-${name}, light-dark\\((.+)\\)\\));`),
    ) ?? [];
  const value = own ?? author;
  assert.ok(value !== undefined, `--${name} has a light and a dark value`);
  return parse(value.split(/,\s*(?![^(]*\))/)[theme]);
}

/** @param {string} text @returns {Colour} */
function parse(text) {
  const oklch = text.match(/^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/);
  if (oklch !== null) {
    const [lightness, chroma, hue] = oklch.slice(1).map(Number);
    const angle = (hue * Math.PI) / 180;
    return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
  }
  assert.match(text, /^#([0-9a-f]{3}|[0-9a-f]{6})$/);
  const digits = text.length === 4 ? text.slice(1).replace(/./g, '$&$&') : text.slice(1);
  const linear = [0, 2, 4].map((at) => expand(Number.parseInt(digits.slice(at, at + 2), 16) / 255));
  const [l, m, s] = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]));
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {number} channel  sRGB, 0 to 1 */
function expand(channel) {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** The linear channels that a screen shows. @param {Colour} colour */
function channels([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
}

/** Relative luminance as WCAG 2 defines it. @param {Colour} colour */
function luminance(colour) {
  const [red, green, blue] = channels(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {Colour} one @param {Colour} other */
function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param {Colour} from @param {Colour} to @param {number} share @returns {Colour} */
function mixed(from, to, share) {
  return /** @type {Colour} */ (from.map((entry, index) => entry + share * (to[index] - entry)));
}

const weights = Array.from({ length: 201 }, (_, index) => index / 200);

/**
 * What a weight's cell is painted with.
 *
 * @param {number} weight
 * @param {number} theme
 */
function painted(weight, theme) {
  const name = shadeOf(weight);
  const [, share, ink] =
    shadeRules()
      .join('\n')
      .match(
        new RegExp(
          `\\.${name} \\{ background: color-mix\\(in oklab, var\\(--weight-full\\) ([\\d.]+)%, ` +
            'var\\(--weight-none\\)\\); color: var\\(--([\\w-]+)\\) \\}',
        ),
      ) ?? [];
  assert.ok(share !== undefined && ink !== undefined, `${name} has a rule`);
  const colour = mixed(declared('weight-none', theme), declared('weight-full', theme), Number(share) / 100);
  return { share: Number(share) / 100, colour, ink: declared(ink, theme) };
}

const themes = ['light', 'dark'];

test('colours are read as a browser reads them', () => {
  assert.ok(Math.abs(contrast(parse('#000'), parse('#fff')) - 21) < 1e-6);
  assert.ok(Math.abs(contrast(parse('#777777'), parse('#ffffff')) - 4.478) < 1e-3);
  channels(parse('#2f4bb8')).forEach((channel, index) => {
    assert.ok(Math.abs(channel - expand([0x2f, 0x4b, 0xb8][index] / 255)) < 1e-6);
  });
});

themes.forEach((theme, index) => {
  test(`the number in a cell can be read on every weight's colour in the ${theme} theme`, () => {
    for (const weight of weights) {
      const { share, colour, ink } = painted(weight, index);
      assert.ok(Math.abs(share - weight) <= 0.00501, `weight ${weight} is painted as ${share}`);
      const ratio = contrast(colour, ink);
      assert.ok(ratio >= 4.5, `weight ${weight}: contrast ${ratio.toFixed(2)}`);
    }
  });

  test(`more weight is a step of the same size away from the ground in the ${theme} theme, in greyscale too`, () => {
    const away = index === 0 ? -1 : 1;
    const ramp = Array.from({ length: 101 }, (_, hundredth) => painted(hundredth / 100, index).colour);
    const steps = ramp.slice(1).map((colour, at) => away * (colour[0] - ramp[at][0]));
    for (const step of steps) {
      assert.ok(Math.abs(step - steps[0]) < 1e-12 && step > 0.004, `a step of ${step}`);
    }
    const greys = ramp.map((colour) => away * luminance(colour));
    greys.slice(1).forEach((grey, at) => {
      assert.ok(grey > greys[at], `luminance turns at hundredth ${at + 1}`);
    });
    const none = contrast(ramp[0], declared('ground', index));
    assert.ok(none < 1.25, `no weight nearly is the ground, contrast ${none.toFixed(2)}`);
  });

  test(`text can be read in the ${theme} theme`, () => {
    for (const [text, ground] of [
      ['ink', 'ground'],
      ['faint', 'ground'],
      ['accent', 'ground'],
      ['warning', 'ground'],
      ['query', 'ground'],
      ['key', 'ground'],
      ['value', 'ground'],
      ['on-accent', 'accent'],
    ]) {
      const ratio = contrast(declared(text, index), declared(ground, index));
      assert.ok(ratio >= 4.5, `${text} on ${ground}: contrast ${ratio.toFixed(2)}`);
    }
  });

  test(`the stripes of a hidden cell can be told from their ground in the ${theme} theme`, () => {
    const ratio = contrast(declared('hidden-stripe', index), declared('hidden', index));
    assert.ok(ratio >= 2, `contrast ${ratio.toFixed(2)}`);
  });
});
