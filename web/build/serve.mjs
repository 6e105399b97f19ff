// Serves the lesson page, and builds it again when a source changes.

import { readdirSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { build, buildEngine, buildLanguages, copyPages, options } from './build.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const context = await esbuild.context(options);
await context.watch();

/** @param {() => void} action */
function reportingErrors(action) {
  try {
    action();
  } catch {
    // The compiler has printed what is wrong; the next change tries again.
  }
}
watch(`${project}/web/language/messages`, () => buildLanguages().catch(console.error));
for (const folder of ['core', 'web/bindings']) {
  watch(`${project}/${folder}`, (_, file) => {
    if (/\.([ch]pp|def)$/.test(file ?? '') && readdirSync(`${project}/${folder}`).includes(file ?? '')) {
      reportingErrors(buildEngine);
    } else if (/^(index\.html|page\.css)$/.test(file ?? '')) {
      reportingErrors(copyPages);
    }
  });
}

const port = process.env.PORT === undefined ? undefined : Number(process.env.PORT);
const { port: chosen } = await context.serve({ servedir: `${project}/dist`, host: '127.0.0.1', port });
console.log(`The lesson page is at http://localhost:${chosen}/ (stop with Ctrl+C)`);
