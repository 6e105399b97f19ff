// Formatters, linters and types. `npm run format` mends what the formatters would write otherwise.

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { removeForeignBuild } from '../web/build/build.mjs';
import { writeSettings } from '../web/build/settings.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));

const sources = ['core', 'web/bindings', 'tests'].flatMap((folder) =>
  readdirSync(`${project}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[ch]pp$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
);

// clang-tidy reads how each file is compiled, and knows nothing of some of GCC's options.
const analysed = sources.filter((source) => /^core\/(?!program\/).*\.cpp$/.test(source));
const analysis = ['--quiet', '-p', 'build/sanitize', '--extra-arg=-Wno-unknown-warning-option'];

/** @type {[string, string[]][]} the longest first */
const checks = [
  ...analysed.map((source) => /** @type {[string, string[]]} */ (['clang-tidy', [...analysis, source]])),
  ['npx', ['--no-install', 'tsc', '-p', '.']],
  ['npx', ['--no-install', 'biome', 'check', '--error-on-warnings', '.']],
  ['clang-format', ['--dry-run', '--Werror', ...sources]],
];

/** Runs a check, and says what it says only if it fails. @param {[string, string[]]} check @returns {Promise<boolean>} */
async function passes([command, options]) {
  try {
    await promisify(execFile)(command, options, { cwd: project, maxBuffer: 2 ** 26 });
    return true;
  } catch (error) {
    const { message, stdout, stderr } = /** @type {Error & {stdout?: string, stderr?: string}} */ (error);
    console.error(stdout || stderr ? `${stdout}${stderr}` : message);
    return false;
  }
}

writeSettings();
removeForeignBuild(`${project}/build/sanitize`, project);
let isClean = await passes(['cmake', ['--preset', 'sanitize', '--log-level=WARNING']]);
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let check = checks.shift(); check !== undefined; check = checks.shift()) {
      isClean = (await passes(check)) && isClean;
    }
  }),
);
process.exit(isClean ? 0 : 1);
