// Formatters, linters and types. `npm run format` mends what the formatters would write otherwise.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));

const sources = ['core', 'web', 'tests/core'].flatMap((folder) =>
  readdirSync(`${project}/${folder}`)
    .filter((name) => /\.[ch]pp$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** @type {[string, string[]][]} */
const checks = [
  ['clang-format', ['--dry-run', '--Werror', ...sources]],
  ['npx', ['--no-install', 'biome', 'check', '--error-on-warnings', '.']],
  ['npx', ['--no-install', 'tsc', '-p', '.']],
];

let failed = 0;
for (const [command, options] of checks) {
  const { status } = spawnSync(command, options, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
  failed += status === 0 ? 0 : 1;
}
process.exit(failed === 0 ? 0 : 1);
