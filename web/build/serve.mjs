// Serves the lessons and the lesson page, and builds them again when a source changes.

import { readdirSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import {
  build,
  buildClassic,
  buildEngine,
  buildLanguages,
  buildSiblings,
  buildTeacherScripts,
  copyPages,
  options,
  pages,
  siblings,
} from './build.mjs';
import { buildLessonPages, supplyLessons } from './lessons.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Between two looks at the sources. */
const pauseMilliseconds = 200;

/**
 * When each source was last written, by path. Asked again and again, as esbuild does it: Node's recursive `watch` loses on
 * Linux the files that an editor replaces by renaming.
 */
function lastWrites() {
  const files = ['core', 'web'].flatMap((folder) =>
    readdirSync(`${project}/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return new Map(
    ['CMakeLists.txt', ...files].map((file) => [
      file,
      statSync(`${project}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ]),
  );
}

/** @param {Map<string, number>} before @param {Map<string, number>} now @returns {string[]} */
const changesBetween = (before, now) =>
  [...new Set([...before.keys(), ...now.keys()])].filter((file) => before.get(file) !== now.get(file));

/** The rooms whose scripts go into files beside the widget. */
const rooms = {
  siblings: /^web\/(engine|export|exchange|language|numbers|panels|platform|readers|views)\//,
  teacher: /^web\/(engine|language|platform|teacher|views)\//,
};

/** Builds what some sources go into. @param {string[]} changed */
async function rebuild(changed) {
  if (changed.some((file) => /^(core|web\/bindings)\/|^CMakeLists\.txt$/.test(file))) {
    buildEngine();
  }
  if (changed.some((file) => file in pages)) {
    copyPages();
  }
  if (changed.some((file) => file.startsWith('web/language/'))) {
    await buildLanguages();
  }
  if (changed.some((file) => rooms.siblings.test(file))) {
    await buildSiblings(); // before the widget, which holds them to their hashes
  }
  if (changed.some((file) => rooms.teacher.test(file))) {
    await buildTeacherScripts();
  }
  await context.rebuild();
  if (changed.some((file) => file.startsWith('web/lessons/'))) {
    await buildLessonPages();
  }
  if (changed.some((file) => !file.startsWith('web/lessons/') || file.endsWith('.html'))) {
    await buildClassic('attention-widget.classic');
    supplyLessons(Object.keys(siblings));
  }
}

/** @type {Map<string, number>} */
let built = lastWrites();
try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const context = await esbuild.context(options);
await context.rebuild();
const port = process.env.PORT === undefined ? undefined : Number(process.env.PORT);
const { port: chosen } = await context.serve({ servedir: `${project}/dist`, host: '127.0.0.1', port });
console.log(`The lessons are at http://localhost:${chosen}/lessons/ (stop with Ctrl+C)`);
console.log(`One page with every control is at http://localhost:${chosen}/`);

for (;;) {
  await delay(pauseMilliseconds);
  const now = lastWrites();
  const changed = changesBetween(built, now);
  if (changed.length > 0) {
    built = now;
    // What does not compile is told, and the next change tries again.
    await rebuild(changed).catch((error) => console.error(error instanceof Error ? error.message : error));
  }
}
