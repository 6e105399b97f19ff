// Formatters, linters and types. `npm run format` mends what the formatters would write otherwise.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
const analysis = ['--quiet', '-p', 'build/sanitize', '--extra-arg=-Wno-unknown-warning-option', ...analysed];

/** @type {[string, string[]][]} */
const checks = [
  ['cmake', ['--preset', 'sanitize', '--log-level=WARNING']],
  ['clang-tidy', analysis],
  ['clang-format', ['--dry-run', '--Werror', ...sources]],
  ['npx', ['--no-install', 'biome', 'check', '--error-on-warnings', '.']],
  ['npx', ['--no-install', 'tsc', '-p', '.']],
];

writeSettings();
removeForeignBuild(`${project}/build/sanitize`, project);
let failed = 0;
for (const [command, options] of checks) {
  const { status } = spawnSync(command, options, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
  failed += status === 0 ? 0 : 1;
}
process.exit(failed === 0 ? 0 : 1);
