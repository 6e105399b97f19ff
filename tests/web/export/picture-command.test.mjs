// The command that writes a picture.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatLesson } from '../../../web/engine/lesson-document.js';
import { completeState } from '../../../web/engine/lesson-state.js';
import { pictured } from './support.mjs';

const command = fileURLToPath(new URL('../../../dist/picture-command.js', import.meta.url));

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

test('the command takes every attribute of the element, and writes its texts in the language that is asked for', () => {
  const { svg } = pictured({ dK: 64, panels: [], locked: ['seed'], theme: 'dark' });
  const attributes = ['--d-k', '64', '--panels', '', '--locked', 'seed', '--theme', 'dark', '--linked'];
  assert.equal(run(attributes).stdout, svg);
  assert.equal(run([...attributes, '--lang', 'xx']).stdout, svg, 'English where there are no texts');
  const spanish = run(['--lang', 'es-MX', '--d-k', '64']);
  assert.deepEqual([spanish.status, spanish.stderr], [0, '']);
  assert.match(spanish.stdout, />Pesos de atención</);
  assert.match(run(['--lang', 'zh_CN']).stdout, />注意力权重</);
  assert.match(run(['--lang', 'zh_TW']).stdout, />注意力權重</);
  const wrong = run(['--panels', 'proofs nonsense', '--lang', 'es']);
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /panels .*"nonsense"/);
});

test('the command says what is wrong, and tells a bad state from a bad option', () => {
  const state = run(['--d-k', 'many']);
  assert.equal(state.status, 1);
  assert.match(state.stderr, /^attention-picture: d-k is "many", but must be a whole number from 1 to 512\.\n$/);
  assert.equal(state.stdout, '');
  const option = run(['--d-q', '3']);
  assert.equal(option.status, 2);
  assert.match(option.stderr, /^attention-picture: .*--d-q/);
  assert.match(run(['--help']).stdout, /^Usage: attention-picture /);
});

test('the command draws the picture of a document, over which attributes stand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  const file = join(folder, 'lesson.json');
  try {
    const chosen = {
      X: [
        [0.5, -2],
        [1.25, 3],
        [-0.75, 0.125],
      ],
      Wq: [
        [1, -0],
        [5e-324, 2],
      ],
      edits: [{ matrix: /** @type {const} */ ('Wk'), row: 1, column: 0, value: 1 / 3 }],
    };
    writeFileSync(file, formatLesson(completeState(chosen)));
    const { status, stdout, stderr } = run(['--state', file]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, pictured(chosen).svg);
    assert.equal(
      run(['--state', file, '--mask', 'causal', '--row', '2']).stdout,
      pictured({ ...chosen, mask: 'causal', row: 2 }).svg,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a document that no picture can be drawn of is refused by name, and an attribute beside it by its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  const file = join(folder, 'lesson.json');
  try {
    for (const [text, sentence] of /** @type {[string | Uint8Array, string][]} */ ([
      ['', 'state is no JSON ('],
      ['{"dQ": 3}', 'state has a key "dQ", but nothing there has that name.'],
      ['{"dK": "64"}', 'd-k is "64", but must be a whole number from 1 to 512.'],
      ['{"X": [[1, 1e999]]}', 'x holds Infinity at (0, 1), but must hold finite numbers.'],
      ['{"X": [[1, 2]], "Wq": [[1]]}', 'wq has shape (1, 1), but '],
      [Buffer.from('{"tokens": ["\xff"]}', 'latin1'), 'state cannot be read ('],
    ])) {
      writeFileSync(file, text);
      const { status, stdout, stderr } = run(['--state', file]);
      assert.deepEqual([status, stdout], [1, ''], String(text));
      assert.equal(stderr.slice(0, -1).indexOf('\n'), -1, stderr);
      const start = `attention-picture: ${file}: ${sentence}`;
      assert.equal(stderr.slice(0, start.length), start);
    }
    for (const path of [folder, join(folder, 'nothing.json')]) {
      const { status, stderr } = run(['--state', path]);
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^attention-picture: .*: state cannot be read \(.*\), but must be a file that holds a lesson.s/,
      );
    }
    writeFileSync(file, '{"dK": 4}');
    assert.equal(
      run(['--state', file, '--d-k', 'many']).stderr,
      'attention-picture: d-k is "many", but must be a whole number from 1 to 512.\n',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
