// Runs every test, cheapest first: style and types, the core natively under sanitizers, the core as WebAssembly, then
// the JavaScript and the real page. Stops at the first suite that fails. Node's runner comes last and prints its count.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} title @param {string} command @param {string[]} options */
function step(title, command, options) {
  console.log(`\n${title}`);
  const { status, error } = spawnSync(command, options, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`${title}: failed${error ? ` (${error.message})` : ''}.`);
    process.exit(status ?? 1);
  }
}

/** @param {string} preset */
function testCore(preset) {
  step(`Core, ${preset}: configure`, 'cmake', ['--preset', preset, '--log-level=WARNING']);
  step(`Core, ${preset}: build`, 'cmake', ['--build', '--preset', preset]);
  step(`Core, ${preset}: test`, 'ctest', ['--preset', preset, '--progress']);
}

/** @param {string} folder */
function testFiles(folder) {
  return readdirSync(`${project}/tests/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.mjs') && !name.includes('node_modules'))
    .map((name) => `tests/${folder}/${name}`);
}

step('Style and types', process.execPath, ['tests/lint.mjs']);
testCore('sanitize');
testCore('wasm');
step('Widget: build', process.execPath, ['web/build/build.mjs']);
step('Widget with stock embind: build', 'cmake', ['--build', '--preset', 'stock-embind']);
step('Program, widget and page: test', process.execPath, [
  '--test',
  ...['program', 'web', 'browser', 'hosts', 'bench'].flatMap(testFiles),
]);
