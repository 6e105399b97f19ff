// Matrices in JSON: nested arrays, {"data": […], "shape": […]}, or an object of such by name.

import { describe } from '../engine/engine-error.js';
import { parseJson } from './json-text.js';
import { countOf, placeText, refuse, shapeText } from './refusal.js';
import { heldTensor, mostAxes } from './tensors.js';

/** @typedef {import('./json-text.js').Json} Json */
/** @typedef {import('./json-text.js').JsonObject} JsonObject */
/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('./tensors.js').Matrix} Matrix */

/** @param {Json} value */
const kindOf = (value) => (value instanceof Map ? 'an object' : describe(value));

/**
 * Nested lists as a tensor. Every list of one depth is as long as the others.
 *
 * @param {any[]} lists
 * @param {string} file
 * @param {string} name
 * @param {number[]} [offset]  what the first indexes are counted from in the file: none
 * @returns {Matrix}
 */
export function tensorOfLists(lists, file, name, offset = []) {
  /** @type {number[]} */
  const shape = [];
  for (let level = lists; Array.isArray(level); level = level[0]) {
    shape.push(level.length);
    if (shape.length > mostAxes) {
      refuse(file, name, `has more than ${mostAxes} axes`, `at most ${mostAxes} are read`);
    }
  }
  if (shape.includes(0)) {
    refuse(file, `${name}${placeText([...offset, ...shape.slice(1).map(() => 0)])}`, 'is empty', 'must hold a number');
  }
  /** @type {number[]} */
  const numbers = [];
  /** @param {any} value @param {number[]} place */
  const gather = (value, place) => {
    const length = shape[place.length];
    const where = () => `${name}${placeText([...offset, ...place])}`;
    if (length === undefined) {
      if (typeof value !== 'number') {
        refuse(file, where(), `is ${kindOf(value)}`, 'must be a number');
      }
      numbers.push(value);
    } else if (!Array.isArray(value)) {
      refuse(file, where(), `is ${kindOf(value)}`, `must be an array of ${length}`);
    } else if (value.length !== length) {
      refuse(file, where(), `has ${value.length} values`, `must have ${length} as the first has`);
    } else {
      value.forEach((item, index) => {
        gather(item, [...place, index]);
      });
    }
  };
  gather(lists, []);
  return { data: Float64Array.from(numbers), shape };
}

/** @param {JsonObject} object @param {string} file @param {string} name @returns {Matrix} */
function tensorOfShape(object, file, name) {
  const [data, shape] = [object.get('data'), object.get('shape')];
  if (
    !Array.isArray(shape) ||
    shape.length > mostAxes ||
    !shape.every((part) => Number.isSafeInteger(part) && Number(part) > 0)
  ) {
    refuse(
      file,
      `${name} shape`,
      `is ${kindOf(shape ?? null)}`,
      `must be an array of whole numbers from 1, at most ${mostAxes}`,
    );
  }
  if (!Array.isArray(data)) {
    return refuse(file, `${name} data`, `is ${kindOf(data ?? null)}`, 'must be an array of numbers');
  }
  const lengths = /** @type {number[]} */ (shape);
  if (data.length !== countOf(lengths)) {
    refuse(file, `${name} data`, `has ${data.length} values`, `its shape is ${shapeText(lengths)}`);
  }
  const wrong = data.findIndex((value) => typeof value !== 'number');
  if (wrong >= 0) {
    refuse(file, `${name} data[${wrong}]`, `is ${kindOf(data[wrong])}`, 'must be a number');
  }
  return { data: Float64Array.from(/** @type {number[]} */ (data)), shape: lengths };
}

/** @param {Json} value */
const isOfShape = (value) => value instanceof Map && value.has('data') && value.has('shape');

/**
 * @param {string} text
 * @param {string} file
 * @param {string} name  of a tensor that has none of its own
 * @returns {{tensors: FoundTensor[], ignored: string[]}}
 */
export function readJson(text, file, name) {
  const value = parseJson(text, file);
  /** @param {Json} one @param {string} its */
  const tensor = (one, its) =>
    heldTensor(
      file,
      its,
      Array.isArray(one) ? tensorOfLists(one, file, its) : tensorOfShape(/** @type {JsonObject} */ (one), file, its),
    );

  if (Array.isArray(value) || isOfShape(value)) {
    return { tensors: [tensor(value, name)], ignored: [] };
  }
  const entries = value instanceof Map ? [...value] : [];
  // What else a program writes beside matrices, a list of words among it, is no matter of theirs.
  const isTensor = (/** @type {Json} */ one) => (Array.isArray(one) && typeof one[0] !== 'string') || isOfShape(one);
  const tensors = entries.filter(([, one]) => isTensor(one)).map(([its, one]) => tensor(one, its));
  if (tensors.length === 0) {
    refuse(
      file,
      '',
      `is ${kindOf(value)}${value instanceof Map ? ' without a matrix' : ''}`,
      'must be nested arrays, {"data": …, "shape": …} or an object of them',
    );
  }
  return { tensors, ignored: entries.filter(([, one]) => !isTensor(one)).map(([its]) => its) };
}
