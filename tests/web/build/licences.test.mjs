// What others wrote and dist/ holds says whose it is. Covers build/licences.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { options } from '../../../web/build/build.mjs';

const built = fileURLToPath(new URL('../../../dist/', import.meta.url));
const text = readFileSync(`${built}third-party-licences.txt`, 'utf8');

test('the licence of every package in a script lies beside the scripts, and beside the lessons', async () => {
  const entries = {
    models: 'web/models/models.js',
    command: 'web/teacher/lesson-command.js',
    editor: 'web/lessons/workbench/workbench.js',
    worker: 'web/lessons/workbench/worker.js',
  };
  const { metafile } = await esbuild.build({
    ...options,
    entryPoints: entries,
    platform: 'node', // of which the command is
    write: false,
    metafile: true,
  });
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  assert.ok(packages.has('@huggingface/tokenizers') && packages.has('fflate') && packages.has('@codemirror/view'));
  for (const name of packages) {
    assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n.*licen[cs]e`, 'ims'), name);
  }
  assert.match(text, /Apache License\s+Version 2\.0/);
  assert.equal(readFileSync(`${built}lessons/third-party-licences.txt`, 'utf8'), text);
});

test('the widget contains no package of others', async () => {
  const { metafile } = await esbuild.build({
    ...options,
    write: false,
    metafile: true,
    entryPoints: ['web/element/define.js'],
  });
  assert.deepEqual(
    Object.keys(metafile.inputs).filter((path) => path.includes('node_modules')),
    [],
  );
});
