// What the tests of models share: models of random weights that Python writes, and their layer by the independent program.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceOf } from '../readers/support.mjs';

const program = fileURLToPath(new URL('../../reference/model_layer.py', import.meta.url));

/** @param {string[]} options */
function run(...options) {
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [program, ...options], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

/**
 * @param {string} folder
 * @param {{family: 'gpt2' | 'bert', dModel?: number, heads?: number, dtype?: string, seed?: number}} model
 */
export function makeModel(folder, { family, dModel = 48, heads = 4, dtype = 'F32', seed = 7 }) {
  run('make', folder, family, ...[dModel, heads].map(String), dtype, String(seed));
}

/** Every head of layer 0 by the independent program. @param {string} folder @param {number[]} ids */
export const referenceLayer = (folder, ids) => JSON.parse(run('compute', folder, ...ids.map(String)));

/** A file of a folder, or of other content under its name. @param {string} path @param {Uint8Array | string} [content] */
export const fileOf = (path, content = readFileSync(path)) => sourceOf(basename(path), content);

/** @param {string} folder */
export const filesOf = (folder) => ['config.json', 'model.safetensors'].map((name) => fileOf(join(folder, name)));

/**
 * A model's tensors as they stand in its file.
 *
 * @param {string} folder
 * @returns {{header: Record<string, {dtype: string, shape: number[], data_offsets: [number, number]}>, data: Buffer}}
 */
export function tensorsOf(folder) {
  const bytes = readFileSync(join(folder, 'model.safetensors'));
  const end = 8 + Number(bytes.readBigUInt64LE(0));
  return { header: JSON.parse(bytes.toString('utf8', 8, end)), data: bytes.subarray(end) };
}

/** A tensor's own bytes, one after another, with a header for them. @param {ReturnType<typeof tensorsOf>} tensors @param {(name: string) => string | null} named  null: left out */
export function rewritten({ header, data }, named) {
  /** @type {Record<string, object>} */
  const entries = {};
  const parts = [];
  let at = 0;
  for (const [name, entry] of Object.entries(header)) {
    const own = named(name);
    if (own !== null) {
      const part = data.subarray(...entry.data_offsets);
      entries[own] = { ...entry, data_offsets: [at, at + part.length] };
      parts.push(part);
      at += part.length;
    }
  }
  return { header: entries, data: Buffer.concat(parts) };
}
