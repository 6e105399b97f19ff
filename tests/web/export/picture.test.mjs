// The picture without a page, and the numbers for other programs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseHTML } from 'linkedom';
import { completeState } from '../../../web/engine/lesson-state.js';
import { pictureOf, toSVG } from '../../../web/export/picture.js';
import { maxTokensPictured } from '../../../web/export/picture-limit.js';
import { toCSV, toJSON } from '../../../web/export/tables.js';
import english from '../../../web/language/messages/en.js';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();
const command = fileURLToPath(new URL('../../../dist/picture-command.js', import.meta.url));

/** @param {Partial<import('../../../web/engine/lesson-state.js').LessonState>} settings */
function pictured(settings) {
  const state = completeState(settings);
  const result = engine.lesson(state);
  const svg = toSVG(pictureOf(state, result.head ?? result, english));
  const { document } = parseHTML(svg);
  const texts = [...document.querySelectorAll('text')].map((text) => text.textContent ?? '');
  return { state, result, svg, document, texts };
}

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
    return Array.from(starts, ([, x, y]) => ({ x: Number(x), y: Number(y), colour: path.getAttribute('fill') ?? '' }));
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

test('the figures under a picture are those of its state', () => {
  const { texts, result } = pictured({ dK: 64, divisor: 'none', mask: 'causal' });
  const { spread, peak } = result.metrics;
  assert.ok(texts.includes('dₖ = 64 · not divided · causal mask · Seed 2958'));
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
  assert.ok(texts.includes('<b>&"'));
  assert.ok(texts.includes('a\ufffdb'));
});

test('many tokens make a picture of areas, without labels and numbers', () => {
  const { svg, texts } = pictured({ tokens: Array.from({ length: 200 }, (_, place) => `t${place}`), dK: 4 });
  assert.ok(texts.length < 12);
  assert.ok(svg.length < 2_000_000, `${svg.length} characters`);
});

test('more tokens than a picture has pixels for are refused by name, and their numbers are not', () => {
  const numbered = (/** @type {number} */ count) => Array.from({ length: count }, (_, place) => `t${place}`);
  assert.match(pictured({ tokens: numbered(maxTokensPictured), dK: 2 }).svg, /^<svg/);
  const tokens = numbered(maxTokensPictured + 1);
  assert.throws(() => pictured({ tokens, dK: 2 }), /tokens holds 513, but a picture as a file must hold at most 512$/);
  assert.equal(toCSV(engine.lesson({ tokens, dK: 2 })).split('\r\n').length, 513 ** 2 + 2);
});

test('a table has a line for each query and key, with every digit', () => {
  const state = completeState({ tokens: ['a,"b"', 'c', '=1+1'], mask: 'causal', dK: 3 });
  const result = engine.lesson(state);
  const lines = toCSV(result).split('\r\n');
  assert.equal(lines.length, 11);
  assert.equal(lines[0], 'query,key,visible,score,scaled,weight');
  const { scores, scaled, weights } = result;
  assert.equal(lines[4], `c,"a,""b""",1,${scores.data[3]},${scaled.data[3]},${weights.data[3]}`);
  assert.equal(lines[3].split(',').at(-1), '0');
  assert.match(lines[9], /^"'=1\+1","'=1\+1",1,/);
});

test('JSON holds the state and all that was computed', () => {
  const state = completeState({ dK: 3 });
  const result = engine.lesson(state);
  const read = JSON.parse(toJSON(state, result));
  assert.deepEqual(read.state, state);
  assert.deepEqual(read.result.weights, { data: [...result.weights.data], shape: [6, 6] });
  assert.equal(read.result.metrics.spread, result.metrics.spread);
});

/** @param {string[]} options */
const run = (options) => spawnSync(process.execPath, [command, ...options], { encoding: 'utf8' });

test('the command writes the picture of its attributes', () => {
  const { svg } = pictured({ dK: 64, divisor: 'none' });
  const { status, stdout, stderr } = run(['--d-k', '64', '--divisor', 'none']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout, svg);
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  try {
    const file = join(folder, 'picture.svg');
    assert.equal(run(['--d-k', '64', '--divisor', 'none', '--output', file]).status, 0);
    assert.equal(readFileSync(file, 'utf8'), svg);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the command says what is wrong, and tells a bad state from a bad option', () => {
  const state = run(['--d-k', 'many']);
  assert.equal(state.status, 1);
  assert.match(state.stderr, /^attention-picture: dK is "many", but must be a whole number from 1 to 512\n$/);
  assert.equal(state.stdout, '');
  const option = run(['--d-q', '3']);
  assert.equal(option.status, 2);
  assert.match(option.stderr, /^attention-picture: .*--d-q/);
  assert.match(run(['--help']).stdout, /^Usage: attention-picture /);
});
