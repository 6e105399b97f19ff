// The picture without a page. Covers export/picture.js and picture-limit.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxTokensPictured } from '../../../web/export/picture-limit.js';
import { toCSV } from '../../../web/export/tables.js';
import { loadEngine } from '../support.mjs';
import { pictured } from './support.mjs';

const engine = await loadEngine();

/** How light a colour like #1b2030 is, as the sum of its bytes. @param {string} colour */
const lightness = (colour) => [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16), 0);

test('a picture holds every weight as its cell shows it, row by row', () => {
  const { result, texts } = pictured({ dK: 5, divisor: 'none' });
  const weights = Array.from(result.weights.data, (weight) =>
    weight === 0 || weight === 1 ? String(weight) : weight.toFixed(2),
  );
  assert.deepEqual(texts.slice(0, 36), weights);
});

test('more attention is darker', () => {
  const { result, document } = pictured({ tokens: ['a', 'b', 'c'], dK: 3, row: 0 });
  const paths = [...document.querySelectorAll('path')].filter((path) => path.getAttribute('stroke') === 'none');
  const cells = paths.flatMap((path) => {
    const starts = (path.getAttribute('d') ?? '').matchAll(/M([\d.]+) ([\d.]+)/g);
    return Array.from(starts, ([, x, y]) => ({
      x: Number(x),
      y: Number(y),
      colour: path.getAttribute('fill') ?? '',
    })).filter(
      ({ x }) => x >= 656 && x < 848, // the map's, not the matrices' before and behind it
    );
  });
  cells.sort((first, second) => first.y - second.y || first.x - second.x);
  assert.equal(cells.length, 9);
  const byWeight = cells
    .map(({ colour }, cell) => ({ weight: result.weights.data[cell], light: lightness(colour) }))
    .sort((first, second) => first.weight - second.weight);
  byWeight.slice(1).forEach(({ weight, light }, index) => {
    const before = byWeight[index];
    assert.ok(light <= before.light, `${weight} is at least as dark as ${before.weight}`);
  });
  assert.ok(byWeight[8].light < byWeight[0].light - 50);
});

test('a hidden cell has no number and a stroke through it', () => {
  const { texts, document } = pictured({ preset: 'four-token', row: 2 });
  const numbers = texts.filter((text) => /^[01](\.\d\d)?$/.test(text));
  assert.equal(numbers.length, 10);
  const strokes = [...document.querySelectorAll('path')].find((path) => path.getAttribute('stroke') === '#9aa1b1');
  assert.equal(strokes?.getAttribute('d')?.match(/M/g)?.length, 6);
});

test('a window and padding stand among the figures, and padded labels are struck through', () => {
  const { texts, document } = pictured({ mask: 'window', window: 2, padding: 1 });
  assert.ok(texts.includes('dₖ = 16 · ÷ √dₖ · sliding window 2 · padding 1 · Seed 50721255'));
  const struck = [...document.querySelectorAll('[text-decoration="line-through"]')];
  assert.deepEqual(
    struck.map(({ textContent }) => textContent),
    ['step', 'step'],
  );
  const strokes = [...document.querySelectorAll('path')].find((path) => path.getAttribute('stroke') === '#9aa1b1');
  assert.equal(
    strokes?.getAttribute('d')?.match(/M/g)?.length,
    26,
    'of 36 cells 11 are in the band, and one is padded',
  );
});

test('a picture across two sentences has a row for each query and a column for each key', () => {
  const { result, texts, document } = pictured({
    tokens: ['one', 'two'],
    context: ['a', 'b', 'c', 'd', 'e'],
    padding: 1,
  });
  const shown = Array.from(result.weights.data, (weight) => weight.toFixed(2));
  assert.deepEqual(
    texts.slice(0, 8),
    shown.filter((_, cell) => cell % 5 !== 4),
  );
  assert.deepEqual(texts.slice(8, 15), ['one', 'two', 'a', 'b', 'c', 'd', 'e']);
  const struck = [...document.querySelectorAll('[text-decoration="line-through"]')];
  assert.deepEqual(
    struck.map(({ textContent }) => textContent),
    ['e'],
  );
  assert.match(document.querySelector('title')?.textContent ?? '', /2 queries by 5 keys/);
});

test('the figures under a picture are those of its state', () => {
  const { texts, result } = pictured({ dK: 64, divisor: 'none', mask: 'causal' });
  const { spread, peak } = result.metrics;
  assert.ok(texts.includes('dₖ = 64 · not divided · causal mask · Seed 50721255'));
  assert.ok(texts.includes(`score spread ${spread.toFixed(2)} · peak weight, “journey” ${peak[1].toFixed(2)}`));
});

test('what overflows is called so, and no colour or place is NaN', () => {
  const { svg, texts } = pictured({ dK: 512, divisor: 'none', softmax: 'naive' });
  assert.ok(texts.includes('overflow'));
  assert.doesNotMatch(svg, /="[^"]*(NaN|Infinity)/);
});

test('a token that looks like markup is text, and what XML cannot hold is marked', () => {
  const { svg, texts } = pictured({ tokens: ['<b>&"', 'a\u0000b', '\ud800'] });
  assert.doesNotMatch(svg, /<b>/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  assert.doesNotMatch(svg, /[\u0000-\u0008]/);
  assert.ok(texts.includes('\u2068<b>&"\u2069'), 'isolated: its direction is its own');
  assert.ok(texts.includes('\u2068a\ufffdb\u2069'));
});

test('many tokens make a picture of areas, without labels and numbers', () => {
  const { svg, texts } = pictured({ tokens: Array.from({ length: 200 }, (_, place) => `t${place}`), dK: 4 });
  assert.ok(texts.length < 40);
  assert.ok(svg.length < 2_000_000, `${svg.length} characters`);
});

test('a picture holds the whole layer: each matrix with its shape and its reach, the gates in order, and what is broken', () => {
  const { texts, result, document } = pictured({
    dK: 5,
    dModel: 7,
    dV: 3,
    divisor: 'none',
    mask: 'late',
    dropout: 0.5,
  });
  const names = ['X 6×7', 'Wq 7×5', 'Wk 7×5', 'Wv 7×3', 'Q 6×5', 'K 6×5', 'V 6×3', 'S 6×6', 'Z 6×3'];
  assert.deepEqual(
    texts.filter((text) => /^[A-Z][qkv]? \d+×\d+$/.test(text)),
    names,
  );
  const reach = Math.max(...Array.from(result.V.data, Math.abs));
  assert.equal(texts[texts.indexOf('V 6×3') + 1], `±${reach.toFixed(2)}`);
  const gates = ['not divided', 'softmax → along the keys', 'late mask', 'dropout p = 0.50'];
  assert.deepEqual(
    texts.filter((text) => gates.includes(text)),
    gates,
  );
  assert.ok(texts.includes('✗ No divisor · Mask after the softmax · Dropout after the softmax'));
  const wires = [...document.querySelectorAll('path')].filter((path) => /[CV]/.test(path.getAttribute('d') ?? ''));
  assert.equal(wires.length, 11);
});

test('the wires of a picture are the state’s', () => {
  const wires = (/** @type {any} */ settings) =>
    [...pictured(settings).document.querySelectorAll('path')].flatMap((path) => {
      const d = path.getAttribute('d') ?? '';
      return /[CV]/.test(d) ? [`${path.getAttribute('stroke')} ${d.match(/[-\d.]+/)?.[0]}`] : [];
    });
  const usual = wires({});
  assert.equal(wires({ projections: 'identity' }).length, usual.length - 3, 'no matrix between x and its roles');
  assert.equal(usual.at(-1), '#7439ad 328', 'the values pass under the map');
  assert.equal(wires({ blend: 'embeddings' }).at(-1), '#5a6072 64', 'X passes under the map');
  const { texts } = pictured({ context: ['a', 'b'] });
  assert.ok(texts.includes('C 2×16') && texts.includes('K 2×16') && texts.includes('S 6×2'));
});

test('more tokens than a picture has pixels for are refused by name, and their numbers are not', () => {
  const numbered = (/** @type {number} */ count) => Array.from({ length: count }, (_, place) => `t${place}`);
  assert.match(pictured({ tokens: numbered(maxTokensPictured), dK: 2 }).svg, /^<svg/);
  const tokens = numbered(maxTokensPictured + 1);
  assert.throws(() => pictured({ tokens, dK: 2 }), /tokens holds 513, but a picture as a file must hold at most 512$/);
  assert.equal(toCSV(engine.lesson({ tokens, dK: 2 })).split('\r\n').length, 513 ** 2 + 2);
});

test('an edited entry has a corner in the picture, in the head that is shown alone', () => {
  const corners = (/** @type {any} */ settings) =>
    [...pictured(settings).document.querySelectorAll('path')].filter((path) =>
      /h5v5z$/.test(path.getAttribute('d') ?? ''),
    ).length;
  const edits = [
    { matrix: 'X', row: 5, column: 15, value: 2 },
    { matrix: 'Wk', row: 0, column: 1, value: -1 },
    { matrix: 'Wk', row: 0, column: 1, value: 3, head: 1 },
  ];
  assert.equal(corners({}), 0);
  assert.equal(corners({ edits: edits.slice(0, 2) }), 2);
  assert.equal(corners({ edits, heads: 2, head: 1 }), 2);
});
