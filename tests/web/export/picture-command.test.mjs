// The command that writes a picture.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
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
