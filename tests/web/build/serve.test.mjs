// The development server follows the sources: started on a copy of the project, whose files are edited. Compiling is not
// what is tested, so a script in CMake's place marks the compiled modules with the sources that it was given.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Appends a custom section, named by a hash of the core's sources, to the modules that CMake has built. */
const cmake = `#!${process.execPath}
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
const built = ${JSON.stringify(`${project}build/page/`)};
if (process.argv[2] === '--build') {
  const hash = createHash('sha1');
  for (const name of readdirSync('core', { recursive: true }).filter((name) => /\\.[ch]pp$/.test(name)).sort()) {
    hash.update(readFileSync('core/' + name));
  }
  const mark = hash.digest('hex');
  for (const name of ['attention_engine.wasm', 'attention_lesson.wasm', 'attention_model.wasm']) {
    const section = Buffer.from([0, mark.length + 1, mark.length]);
    writeFileSync('build/page/' + name, Buffer.concat([readFileSync(built + name), section, Buffer.from(mark)]));
  }
}
`;

/** A copy of what the server needs, in a folder of its own. */
function copyProject() {
  const copy = mkdtempSync(`${tmpdir()}/serve-`);
  for (const name of ['core', 'web', 'CMakeLists.txt', 'CMakePresets.json', 'package.json', 'tsconfig.json']) {
    cpSync(`${project}/${name}`, `${copy}/${name}`, { recursive: true });
  }
  for (const name of ['attention_lesson', 'attention_engine']) {
    cpSync(`${project}/build/page/${name}.mjs`, `${copy}/build/page/${name}.mjs`);
  }
  symlinkSync(`${project}/node_modules`, `${copy}/node_modules`);
  mkdirSync(`${copy}/bin`);
  writeFileSync(`${copy}/bin/cmake`, cmake, { mode: 0o755 });
  return copy;
}

/**
 * Starts the server on a copy, and stops it with all that it started.
 *
 * @param {(copy: string, served: (path: string) => Promise<string>) => Promise<void>} body
 */
async function serving(body) {
  const copy = copyProject();
  const server = spawn(process.execPath, ['web/build/serve.mjs'], {
    cwd: copy,
    env: { ...process.env, PORT: '0', PATH: `${copy}/bin:${process.env.PATH}` },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  try {
    let said = '';
    const address = await new Promise((resolve, reject) => {
      const listen = (/** @type {Buffer} */ text) => {
        said += text;
        // The lessons are named first.
        const [, found] = /(http:\/\/localhost:\d+\/)lessons\//.exec(said) ?? [];
        if (found !== undefined) {
          resolve(found);
        }
      };
      server.stdout.on('data', listen);
      server.stderr.on('data', listen);
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    });
    await body(copy, async (path) => (await fetch(address.replace('localhost', '127.0.0.1') + path)).text());
  } finally {
    if (server.exitCode === null && server.pid !== undefined) {
      process.kill(-server.pid, 'SIGKILL');
    }
    await exited;
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Waits for an answer that is new and fits. @param {() => Promise<string>} ask @param {(text: string) => boolean} fits @param {string} what */
async function becomes(ask, fits, what) {
  const end = Date.now() + 60_000;
  while (!fits(await ask())) {
    assert.ok(Date.now() < end, `${what} is not served`);
    await delay(100);
  }
}

test('the server follows pages, lessons, styles, languages, scripts and the core, in every folder', {
  timeout: 300_000,
}, async () => {
  await serving(async (copy, served) => {
    for (const [file, path] of [
      ['web/page/index.html', 'index.html'],
      ['web/page/page.css', 'page.css'],
      ['web/hosts/embed/embed.html', 'embed/embed.html'],
      ['web/lessons/self-attention.html', 'lessons/self-attention.html'],
      ['web/lessons/lesson.css', 'lessons/lesson.css'],
    ]) {
      // A comment that shortening a style sheet leaves.
      const mark = `/*! changed: ${file} */`;
      assert.ok(!(await served(path)).includes(mark));
      appendFileSync(`${copy}/${file}`, mark);
      await becomes(
        () => served(path),
        (text) => text.includes(mark),
        file,
      );
    }

    for (const [file, before, after, path] of [
      ['web/language/messages/es.js', 'direction:', "mark: 'texto nuevo', direction:", 'messages/es.js'],
      ['web/language/messages/en.js', 'Attention weights', 'Weights of attention', 'attention-widget.js'],
      ['web/panels/worksheet.css', '.worksheet table {', '.worksheet table { --changed-panel: 1;', 'panels.js'],
      ['web/teacher/present.js', "present: 'Present'", "present: 'Changed talk'", 'present.js'],
      ['web/element/widget.css', ':host {', ':host { --changed-style: 1;', 'attention-widget.js'],
    ]) {
      const source = readFileSync(`${copy}/${file}`, 'utf8');
      assert.ok(source.includes(before), `${file} says ${before}`);
      const [mark] = /texto nuevo|Weights of attention|--changed-style|changed-panel|Changed talk/.exec(after) ?? [
        after,
      ];
      assert.ok(!(await served(path)).includes(mark));
      // As editors do that never leave half a file: written beside, then put in its place.
      writeFileSync(`${copy}/${file}.new`, source.replace(before, after));
      renameSync(`${copy}/${file}.new`, `${copy}/${file}`);
      await becomes(
        () => served(path),
        (text) => text.includes(mark),
        file,
      );
    }

    for (const file of ['core/softmax.cpp', 'core/fast/simd.hpp', 'core/lesson/lesson.cpp', 'core/new/folder.cpp']) {
      const before = await served('attention-widget.js');
      mkdirSync(`${copy}/core/new`, { recursive: true });
      appendFileSync(`${copy}/${file}`, '\n// changed\n');
      await becomes(
        () => served('attention-widget.js'),
        (text) => text.length > 10_000 && text !== before,
        file,
      );
    }
  });
});
