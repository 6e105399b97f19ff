// CMakeLists.txt (ATTENTION_SLIM_EMBIND), web/bindings/slim-embind.js and web/build/build.mjs (removeForeignBuild).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { removeForeignBuild } from '../../../web/build/build.mjs';
import { LessonEngine } from '../../../web/engine/lesson-engine.js';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const page = join(project, 'build/page');

/** @param {string[]} options */
function cmake(...options) {
  const { status, stdout, stderr } = spawnSync('cmake', options, { cwd: project, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stderr.replaceAll(/\s+/g, ' ');
}

/** @param {import('node:test').TestContext} context */
function temporaryFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** @param {string} name  of a module in the build folder */
async function start(name) {
  const { default: create } = await import(join(page, `${name}.mjs`));
  const wasm = new Uint8Array(readFileSync(join(page, `${name}.wasm`))).buffer;
  return new LessonEngine(await create({ wasm }));
}

/** @type {Record<string, (engine: LessonEngine) => unknown>} each call of the module, in asymmetric shapes */
const calls = (() => {
  const state = { tokens: ['the', 'cät', '坐'], dModel: 5, dK: 4, dV: 3, row: 1, seed: 7 };
  const sampling = { tokens: ['a', 'bc', 'd'], largestDK: 5 };
  return {
    lesson: (engine) => engine.lesson(state),
    heads: (engine) => engine.lesson({ ...state, dModel: 8, heads: 2, head: 1, mask: 'causal' }),
    proofs: (engine) => engine.proofs(state),
    comparison: (engine) => engine.compare(state, { ...state, divisor: 'none' }),
    jacobians: (engine) => engine.jacobians(state),
    widths: (engine) => engine.widths(state),
    statistics: (engine) => engine.statistics({ ...sampling, firstSeed: 3, seeds: 4 }),
    training: (engine) => engine.train({ preset: 'four-token' }, { steps: 3 }),
    'gradients of the task': (engine) => engine.taskGradients({ preset: 'four-token' }),
  };
})();

test('the slim and the stock embind give the same results', async (context) => {
  cmake('--build', '--preset', 'stock-embind');
  const [slim, stock] = await Promise.all(['attention_lesson', 'attention_lesson_stock'].map(start));
  for (const [name, call] of Object.entries(calls)) {
    await context.test(name, () => {
      const result = call(slim);
      assert.ok(/\d\.\d{9}/.test(JSON.stringify(result)), 'it holds computed numbers');
      assert.deepEqual(result, call(stock));
    });
  }
});

test('the slim and the stock embind tell the same problem', async () => {
  cmake('--build', '--preset', 'stock-embind');
  const engines = await Promise.all(['attention_lesson', 'attention_lesson_stock'].map(start));
  for (const engine of engines) {
    assert.throws(() => engine.lesson({ dModel: 6, dK: 513 }), { name: 'EngineError', message: /dK.*513.*512/ });
  }
});

/** How ninja links a module. @param {string} folder  of the build @param {string} module */
function linkCommand(folder, module) {
  const { stdout } = spawnSync('ninja', ['-C', folder, '-t', 'commands', `${module}.mjs`], { encoding: 'utf8' });
  return stdout.trim().split('\n').at(-1) ?? '';
}

test('the slim embind is linked with the Emscripten that it was checked with, and with no other', (context) => {
  const folder = temporaryFolder(context);
  const configure = (/** @type {string[]} */ ...options) => cmake('--preset', 'page', '-B', folder, ...options);

  assert.equal(configure(), '');
  assert.match(linkCommand(folder, 'attention_lesson'), /slim-embind\.js/);
  assert.doesNotMatch(linkCommand(folder, 'attention_lesson_stock'), /slim-embind\.js/);
  assert.doesNotMatch(linkCommand(folder, 'attention_engine'), /slim-embind\.js/);

  assert.match(configure('-DEMSCRIPTEN_VERSION=3.1.7'), /checked with Emscripten 3\.1\.6 and this is 3\.1\.7/);
  assert.match(linkCommand(folder, 'attention_lesson'), /--bind/);
  assert.doesNotMatch(linkCommand(folder, 'attention_lesson'), /slim/);

  assert.equal(configure('-DEMSCRIPTEN_VERSION=3.1.6', '-DATTENTION_SLIM_EMBIND=OFF'), '');
  assert.doesNotMatch(linkCommand(folder, 'attention_lesson'), /slim/);
});

test('a copy of the project does not use the build folder of the original', (context) => {
  const folder = temporaryFolder(context);
  const [original, copy] = ['original', 'copy'].map((name) => join(folder, name));
  mkdirSync(join(original, 'build'), { recursive: true });
  writeFileSync(
    join(original, 'build/CMakeCache.txt'),
    `A:STRING=b\nCMAKE_HOME_DIRECTORY:INTERNAL=${original}\nC:BOOL=ON\n`,
  );
  cpSync(original, copy, { recursive: true });

  removeForeignBuild(join(original, 'build'), original);
  removeForeignBuild(join(copy, 'build'), copy);
  removeForeignBuild(join(copy, 'none'), copy);
  assert.ok(existsSync(join(original, 'build/CMakeCache.txt')));
  assert.ok(!existsSync(join(copy, 'build')));
});
