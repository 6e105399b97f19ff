// Runs every test, cheapest first: style and types, the core natively under sanitizers, the core as WebAssembly, then
// the JavaScript and the real page. Stops at the first suite that fails. Node's runner comes last and prints its count.
//
// With words it runs the test files whose path has a name that begins with one of them, and nothing else:
//
//   npm test -- state                   tests/web/engine/lesson-state.test.mjs
//   npm test -- core/softmax panels/law tests/core/softmax_test.cpp, tests/browser/panels/law.test.mjs

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeForeignBuild } from '../web/build/build.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));

/** As many tests at once as there are processors: by itself Node's runner leaves one of them idle. */
const atOnce = String(availableParallelism());

/** @param {string} title @param {string} command @param {string[]} options */
function step(title, command, options) {
  console.log(`\n${title}`);
  const { status, error } = spawnSync(command, options, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`${title}: failed${error ? ` (${error.message})` : ''}.`);
    process.exit(status ?? 1);
  }
}

/** @param {string} preset @param {...string} options  such as the one target that is needed */
function buildCore(preset, ...options) {
  removeForeignBuild(`${project}/build/${preset}`, project);
  step(`Core, ${preset}: configure`, 'cmake', ['--preset', preset, '--log-level=WARNING']);
  step(`Core, ${preset}: build`, 'cmake', ['--build', '--preset', preset, ...options]);
}

/** @param {string} preset */
function testCore(preset) {
  buildCore(preset);
  step(`Core, ${preset}: test`, 'ctest', ['--preset', preset, '--progress', '--parallel', atOnce]);
}

/** @param {string} folder @param {string} [ending] */
function testFiles(folder, ending = '.test.mjs') {
  return readdirSync(`${project}/tests/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => `tests/${folder}/${name}`)
    .sort();
}

const nodeFolders = ['program', 'web', 'browser', 'hosts', 'bench'];

/** @param {string[]} files */
function testWithNode(files) {
  step('Program, widget and page: test', process.execPath, ['--test', `--test-concurrency=${atOnce}`, ...files]);
}

function buildWidget() {
  step('Widget: build', process.execPath, ['web/build/build.mjs']);
}

/** When something in a folder was last written, its folders included: they are when a file comes or goes. @param {string} folder */
function lastWrite(folder) {
  const names = existsSync(`${project}/${folder}`)
    ? readdirSync(`${project}/${folder}`, { recursive: true, encoding: 'utf8' })
    : [];
  return Math.max(0, ...names.map((name) => statSync(`${project}/${folder}/${name}`).mtimeMs));
}

/** Whether dist/ was built, as a whole, after all of its sources. The build writes the manifest last. */
function isWidgetBuilt() {
  const wholeSince = statSync(`${project}/dist/custom-elements.json`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = ['CMakeLists.txt', 'CMakePresets.json', 'package-lock.json'];
  const sources = [lastWrite('core'), lastWrite('web'), ...files.map((name) => statSync(`${project}/${name}`).mtimeMs)];
  return Math.max(...sources) < wholeSince && lastWrite('dist') <= wholeSince;
}

/** How much two words look alike: the share of their pairs of neighbouring letters that is in both. @param {string} one @param {string} other */
function likeness(one, other) {
  const pairs = (/** @type {string} */ word) =>
    new Set(Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2)));
  const [first, second] = [pairs(one), pairs(other)];
  return (2 * [...first].filter((pair) => second.has(pair)).length) / (first.size + second.size);
}

/**
 * The test files that a word means.
 *
 * @param {string} word  "law", "browser/panels/law", or a whole path
 * @param {string[]} files
 */
function filesNamed(word, files) {
  const start = new RegExp(`(^|[/_-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
  const found = files.filter((file) => start.test(file));
  if (found.length === 0) {
    const nameOf = (/** @type {string} */ file) => basename(file).replace(/(\.test\.mjs|_test\.cpp)$/, '');
    const closeness = (/** @type {string} */ file) => likeness(basename(word), nameOf(file));
    const nearest = files.toSorted((one, other) => closeness(other) - closeness(one)).slice(0, 5);
    console.error(`No test file has a name that begins with "${word}". The nearest are:\n  ${nearest.join('\n  ')}`);
    process.exit(1);
  }
  return found;
}

/** @param {string[]} words */
function runParts(words) {
  const coreFiles = testFiles('core', '_test.cpp');
  const all = [...coreFiles, ...nodeFolders.flatMap((folder) => testFiles(folder))];
  const files = [...new Set(words.flatMap((word) => filesNamed(word, all)))];
  console.log(`${files.length} of ${all.length} test files:\n  ${files.join('\n  ')}`);

  const ofCore = files.filter((file) => coreFiles.includes(file));
  if (ofCore.length > 0) {
    // Whoever has built the tests under sanitizers keeps them; without them it is quicker to compile.
    const preset = existsSync(`${project}/build/sanitize/tests/core_tests`) ? 'sanitize' : 'native';
    buildCore(preset, '--target', 'core_tests');
    const tags = ofCore.map((file) => `[#${basename(file, '.cpp')}]`).join();
    step(`Core, ${preset}: test`, `${project}/build/${preset}/tests/core_tests`, ['-#', '-w', 'NoTests', tags]);
  }
  const ofNode = files.filter((file) => !coreFiles.includes(file));
  if (ofNode.some((file) => file.startsWith('tests/program/'))) {
    buildCore('sanitize', '--target', 'attention_program');
  }
  if (ofNode.length > 0) {
    if (!isWidgetBuilt()) {
      buildWidget();
    }
    testWithNode(ofNode);
  }
}

function runEverything() {
  step('Style and types', process.execPath, ['tests/lint.mjs']);
  testCore('sanitize');
  testCore('wasm');
  buildWidget();
  step('Widget with stock embind: build', 'cmake', ['--build', '--preset', 'stock-embind']);
  testWithNode(nodeFolders.flatMap((folder) => testFiles(folder)));
}

const words = process.argv.slice(2);
if (words.length > 0) {
  runParts(words);
} else {
  runEverything();
}
