// The core as other projects get it: installed, and found by CMake; or taken in from its sources.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const consumer = `${project}/tests/program/consumer`;
const folder = mkdtempSync(`${tmpdir()}/attention-package-`);
const prefix = `${folder}/prefix`;

before(() => run('cmake', '--install', `${project}/build/sanitize`, '--prefix', prefix));
after(() => rmSync(folder, { recursive: true }));

/** @param {...string} options */
function cmake(...options) {
  return spawnSync('cmake', ['-G', 'Ninja', ...options], { encoding: 'utf8' });
}

/** @param {string} command @param {...string} options */
function run(command, ...options) {
  const { status, stdout, stderr } = spawnSync(command, options, { encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${options.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** @param {string} build @param {...string} options */
function configure(build, ...options) {
  const { status, stderr } = cmake('-S', consumer, '-B', build, ...options);
  assert.equal(status, 0, stderr);
}

/** @param {string} build  of a consumer */
function assertConsumerRight(build) {
  const lines = run(`${build}/consumer`).split('\n');
  const numbers = lines.map((line) => line.match(/[-+.\de]*\d/g)?.map(Number) ?? []);
  // The second query's scores are 0 and 2 / sqrt(2).
  const second = 2 - 1 / (1 + Math.exp(Math.SQRT2));
  for (const [line, name, tolerance] of /** @type {const} */ ([
    [0, 'readable', 1e-15],
    [1, 'heads', 1e-15],
    [2, 'fused', 1e-6],
  ])) {
    assert.ok(lines[line].startsWith(`${name} `), lines[line]);
    assert.equal(numbers[line][0], 1);
    assert.ok(Math.abs(numbers[line][1] - second) <= tolerance, lines[line]);
  }
  assert.match(lines[2], / without a problem$/);
  assert.match(lines[3], /^lesson 0\.99\d+$/);
  assert.equal(lines[4], 'thrown d_k is 0, but must be a whole number from 1 to 512');
}

test('an installed core is found by CMake, and one header and one target are all that a project needs', () => {
  assert.deepEqual(
    readdirSync(`${prefix}/lib/cmake/attention`).filter((name) => !/Targets-\w+\.cmake$/.test(name)),
    ['attentionConfig.cmake', 'attentionConfigVersion.cmake', 'attentionTargets.cmake'],
  );
  assert.match(run(`${prefix}/bin/attention`, '--version'), /^\d+\.\d+\.\d+\n$/);

  const build = `${folder}/installed`;
  configure(build, `-DCMAKE_PREFIX_PATH=${prefix}`);
  run('cmake', '--build', build);
  assertConsumerRight(build);
});

test('a project may take in the sources, and builds neither the tests nor the program', () => {
  const build = `${folder}/sources`;
  configure(build, `-DATTENTION_SOURCES=${project}`);
  // To build it all would take a minute. The consumer's own source shows that the header is found.
  run('cmake', '--build', build, '--target', 'CMakeFiles/consumer.dir/consumer.cpp.o');
  assert.doesNotMatch(run('cmake', '--build', build, '--target', 'help'), /core_tests|attention_program/);
});

test('a project that asks for -ffast-math gets the core without it, and the same numbers', () => {
  const build = `${folder}/fast-math`;
  configure(build, `-DATTENTION_SOURCES=${project}`, '-DCONSUMER_OPTIONS=-O0;-ffast-math');
  run('cmake', '--build', build, '--target', 'consumer');
  assertConsumerRight(build);
});

test('a core that is compiled with -ffast-math by other means is refused', () => {
  for (const source of ['core/elementary.cpp', 'core/fast/fused_tiles.cpp']) {
    for (const option of ['-ffast-math', '-Ofast', '-ffinite-math-only']) {
      const { status, stderr } = spawnSync(
        'c++',
        [
          '-std=c++17',
          '-fsyntax-only',
          option,
          '-DATTENTION_INSTRUCTION_SET=baseline',
          '-I',
          `${project}/core`,
          `${project}/${source}`,
        ],
        { encoding: 'utf8' },
      );
      assert.notEqual(status, 0, `${source} ${option}`);
      assert.match(stderr, /#error "?-ffast-math gives wrong numbers/);
    }
  }
});

test('xtensor is found without its CMake files, and another version than the core was built with is not taken', () => {
  const options = [`-DCMAKE_PREFIX_PATH=${prefix}`, '-DCMAKE_DISABLE_FIND_PACKAGE_xtensor=ON'];
  configure(`${folder}/headers-alone`, ...options);

  const other = `${folder}/other/xtensor/xtensor_config.hpp`;
  mkdirSync(`${folder}/other/xtensor`, { recursive: true });
  const versions = { MAJOR: 0, MINOR: 25, PATCH: 1 };
  writeFileSync(
    other,
    Object.entries(versions)
      .map(([part, number]) => `#define XTENSOR_VERSION_${part} ${number}\n`)
      .join(''),
  );
  const build = `${folder}/other-xtensor`;
  const { status, stderr } = cmake('-S', consumer, '-B', build, ...options, `-Dattention_xtensor=${other}`);
  assert.equal(status, 1);
  assert.match(stderr.replace(/\s+/g, ' '), /attention was built with xtensor [\d.]+, but there is 0\.25\.1/);
});
