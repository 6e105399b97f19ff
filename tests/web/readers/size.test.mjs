// What the readers weigh in a script beside the widget.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { minified, options } from '../../../web/build/build.mjs';

/** Bytes, gzipped. Raise it only for something that is worth as much. */
const most = 16_000;

test('readers, roles and writers travel in less than 16 kB', async (context) => {
  const { outputFiles = [] } = await esbuild.build({
    ...options,
    entryPoints: ['web/readers/readers.js'],
    write: false,
  });
  const size = gzipSync(await minified(outputFiles[0].text), { level: 9 }).length;
  context.diagnostic(`gzipped: ${size} bytes`);
  assert.ok(size > most / 2, 'something is left out');
  assert.ok(size < most, `they take ${size} bytes`);
});
