// An axis of a chart: where its ticks stand, and where on the picture a value lies. Pure.

import { localised } from '../views/format.js';

/** About how many ticks an axis carries. */
const wanted = 5;

/**
 * Ticks at round values, from just below the least of the values to just above the largest: multiples of 1, 2 or 5 times
 * a power of ten, or powers of the base of a logarithmic axis. What is not finite has no place on an axis.
 *
 * @param {number[]} values
 * @param {number} [base]
 * @returns {number[]}
 */
export function ticksAround(values, base) {
  const finite = values.filter((value) => Number.isFinite(value) && (base === undefined || value > 0));
  const least = Math.min(...finite);
  const largest = Math.max(...finite);
  if (finite.length === 0) {
    return [1, base ?? 2];
  }
  if (base !== undefined) {
    const first = Math.floor(logarithm(least, base));
    const last = Math.max(first + 1, Math.ceil(logarithm(largest, base)));
    const step = Math.ceil((last - first) / (wanted + 2));
    return range(first, last, step).map((power) => base ** power);
  }
  const rough = (largest - least || Math.abs(largest) || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((multiple) => multiple * power >= rough) ?? 10);
  return range(Math.floor(least / step), Math.ceil(largest / step), 1).map((multiple) => multiple * step);
}

/**
 * The whole numbers from the first to the last, or just past it, in steps.
 *
 * @param {number} first @param {number} last @param {number} step
 */
function range(first, last, step) {
  return Array.from({ length: Math.max(1, Math.ceil((last - first) / step)) + 1 }, (_, index) => first + index * step);
}

/**
 * Where a value lies between two places of the picture.
 *
 * @param {number[]} ticks  the first stands at `from`, the last at `to`
 * @param {number} from
 * @param {number} to
 * @param {number} [base]
 * @returns {(value: number) => number}  NaN for a value that has no place on the axis
 */
export function placeOn(ticks, from, to, base) {
  const along = (/** @type {number} */ value) => (base === undefined ? value : logarithm(value, base));
  const start = along(ticks[0]);
  const share = (to - from) / (along(ticks[ticks.length - 1]) - start);
  return (value) => {
    const place = from + (along(value) - start) * share;
    return Number.isFinite(place) ? Math.round(10 * place) / 10 : Number.NaN;
  };
}

/** Rounded, so that a power of the base counts as one. @param {number} value @param {number} base */
function logarithm(value, base) {
  return Math.round((1e9 * Math.log(value)) / Math.log(base)) / 1e9;
}

/**
 * A tick's number, as short as it can be.
 *
 * @param {number} value
 * @param {import('../views/format.js').Language} language
 */
export function formatTick(value, language) {
  const rounded = Number(value.toPrecision(6));
  const size = Math.abs(rounded);
  const text = size !== 0 && (size < 0.001 || size >= 1e5) ? rounded.toExponential() : String(rounded);
  return localised(text, language);
}
