// Any bytes as a file or a pasted text: the readers either refuse with a sentence or give finite numbers in the shape that they
// said, the same by rows as at once; every role that is suggested can be taken; what is written is read back bit for bit.
//
//   node tests/fuzz/readers-fuzz.mjs [-seed=1] [-runs=10000] [-seconds=600] [file …]
//
// Without files it changes small files of every format by chance, which the seed decides. An input that fails is written to the
// file fuzz-failure in the working folder. `fuzz` takes what a fuzzer of another make gives: bytes.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../web/engine/engine-error.js';
import {
  findInText,
  findTensors,
  matrixOf,
  roles,
  suggestRoles,
  toCsv,
  toJson,
  toNpy,
  toNpz,
  toSafetensors,
} from '../../web/readers/readers.js';
import { sourceOf } from '../web/readers/support.mjs';
import { seedFiles } from './reader-files.mjs';

/** @typedef {import('../../web/readers/formats.js').Found} Found */
/** @typedef {import('../../web/readers/tensors.js').Matrix} Matrix */

const names = ['w.npy', 'w.npz', 'w.safetensors', 'w.csv', 'w.tsv', 'w.json', 'w'];

/** Tensors of one input that are read. */
const mostTensors = 8;

/** What a call gives, or null where it refuses as it should. @template T @param {() => T | Promise<T>} call @returns {Promise<T | null>} */
async function unlessRefused(call) {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof EngineError) || error.message === '' || error.message.length > 1000) {
      throw error;
    }
    return null;
  }
}

/** @param {Matrix} matrix @param {number[]} expected  its shape */
function assertFills({ data, shape }, expected) {
  assert.deepEqual(shape, expected);
  assert.equal(
    data.length,
    shape.reduce((count, length) => count * length, 1),
  );
  assert.ok(data.every(Number.isFinite), 'a number is not finite');
}

/** @param {Float64Array} data */
const bitsOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** @param {Found} found @param {number} choice  decides what is asked of it */
async function useFound({ tensors }, choice) {
  const some = tensors.slice(0, mostTensors);
  for (const tensor of some) {
    const whole = await unlessRefused(() => tensor.read());
    if (whole === null) {
      continue;
    }
    assertFills(whole, tensor.shape);
    const height = tensor.shape[0] ?? 0;
    const rows = height > 0 ? [height - 1, 0, choice % height] : [];
    const part = tensor.shape.length > 0 ? await unlessRefused(() => tensor.read({ rows })) : null;
    if (part !== null) {
      const width = whole.data.length / Math.max(1, height);
      const expected = rows.flatMap((row) => [...whole.data.subarray(row * width, (row + 1) * width)]);
      assert.deepEqual(bitsOf(part.data), bitsOf(Float64Array.from(expected)));
    }
    await assertComesBack(whole);
  }
  const known = [null, 1, 2, 3, 6];
  const [tokens, dModel, queries, values] = [0, 3, 6, 9].map((shift) => known[(choice >> shift) % known.length]);
  const target = choice & 1 ? roles[choice % roles.length] : null;
  const { assignments, unused } = suggestRoles(some, { tokens, dModel, queries, values }, { target });
  assert.equal(new Set(assignments.map(({ role }) => role)).size, assignments.length);
  assert.equal(new Set([...assignments, ...unused].map(({ tensor }) => tensor)).size, some.length);
  for (const assignment of assignments) {
    const matrix = await unlessRefused(() => matrixOf(some[assignment.tensor], assignment));
    if (matrix !== null) {
      assertFills(matrix, assignment.shape);
    }
  }
}

/** In every format, bit for bit. @param {Matrix} matrix */
async function assertComesBack(matrix) {
  const isFull = matrix.data.length > 0;
  const isTable = isFull && matrix.shape.length === 2;
  const written = [
    toNpy(matrix),
    toNpz({ W: matrix }),
    toSafetensors({ W: matrix }),
    ...(isFull && matrix.shape.length > 0 ? [toJson(matrix)] : []),
    ...(isTable ? [toCsv(matrix)] : []),
  ];
  for (const content of written) {
    const { tensors } = await findTensors(sourceOf('w', content));
    const again = await tensors[0].read();
    assertFills(again, matrix.shape);
    assert.deepEqual(bitsOf(again.data), bitsOf(matrix.data));
  }
}

/**
 * One input: the first byte chooses the name, the next two what is asked, the rest is the content.
 *
 * @param {Uint8Array} data
 */
export async function fuzz(data) {
  const content = Uint8Array.from(data.subarray(3));
  const [name, choice] = [names[(data[0] ?? 0) % names.length], (data[1] ?? 0) + 256 * (data[2] ?? 0)];
  const source = sourceOf(name, content);
  const found = await unlessRefused(() => findTensors(source));
  // A member's header is read once or twice, and a text once.
  assert.ok(source.bytesRead <= 2 ** 17 + 4 * source.size, `${source.bytesRead} bytes of ${source.size} were read`);
  if (found !== null) {
    await useFound(found, choice);
  }
  if (content.length < 2 ** 16) {
    const pasted = await unlessRefused(() => findInText(new TextDecoder().decode(content), 'the pasted text'));
    if (pasted !== null) {
      await useFound(pasted, choice);
    }
  }
  assert.deepEqual(Reflect.ownKeys(Object.prototype).length, ownKeys, 'the prototype of objects has changed');
}

const ownKeys = Reflect.ownKeys(Object.prototype).length;

/** Whole numbers below a limit, the same ones for a seed. @param {number} seed @returns {(below: number) => number} */
function randomNumbers(seed) {
  let state = (seed * 2654435769 + 1) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/** Bytes and words that formats care about. */
const words = [
  ...[
    '__proto__',
    '1e999',
    '-0',
    '...',
    '"',
    "'",
    ',',
    ';',
    '\t',
    '\n',
    '\r',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    ' ',
    '0',
    '9',
  ],
  ...[
    'nan',
    '1e-400',
    '9007199254740993',
    'False',
    'True',
    'F8_E4M3',
    'BF16',
    '<f2',
    '>i8',
    '|O',
    '1,234',
    '0,5',
    '\ufeff',
  ],
].map((word) => Buffer.from(word));
const edges = [0n, 1n, 0x7fn, 0xffn, 0xffffn, 0x7fffffffn, 0xffffffffn, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];

/** @param {Buffer} bytes @param {Buffer} other @param {(below: number) => number} random @returns {Buffer} */
function changed(bytes, other, random) {
  const at = random(bytes.length + 1);
  const end = Math.min(bytes.length, at + random(1 + random(64)));
  const [before, inside, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random(7)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, inside, inside, after]);
    case 2:
      return Buffer.concat([before, words[random(words.length)], bytes.subarray(at + random(2))]);
    case 3:
      return Buffer.concat([before, other.subarray(random(other.length + 1))]);
    case 4: {
      const edge = Buffer.alloc(8);
      edge.writeBigUInt64LE(edges[random(edges.length)]);
      const width = [1, 2, 4, 8][random(4)];
      return Buffer.concat([before, edge.subarray(0, width), bytes.subarray(at + width)]);
    }
    default: {
      const copy = Buffer.from(bytes);
      copy[at % bytes.length] = random(2) ? copy[at % bytes.length] ^ (1 << random(8)) : random(256);
      return copy;
    }
  }
}

/**
 * Runs the target on files of every format, changed by chance.
 *
 * @param {{seed?: number, runs?: number, seconds?: number, fail?: (input: Uint8Array) => void}} [options]
 * @returns {Promise<number>} how many inputs were tried
 */
export async function fuzzByChance({
  seed = 1,
  runs = Number.POSITIVE_INFINITY,
  seconds = Number.POSITIVE_INFINITY,
  fail,
} = {}) {
  const files = seedFiles();
  const random = randomNumbers(seed);
  const end = performance.now() + 1000 * seconds;
  let run = 0;
  for (; run < runs && performance.now() < end; run++) {
    const { name, content } = files[random(files.length)];
    /** @type {Buffer} */
    let bytes = Buffer.from(content);
    for (let change = random(6); change > 0; change--) {
      bytes = changed(bytes, Buffer.from(files[random(files.length)].content), random);
    }
    const named = random(8) === 0 ? random(names.length) : names.indexOf(name);
    const input = Buffer.concat([Buffer.from([named, random(256), random(256)]), bytes]);
    try {
      await fuzz(input);
    } catch (error) {
      fail?.(input);
      throw error;
    }
  }
  return run;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2);
  /** @param {string} name */
  const option = (name) => {
    const text = given.find((one) => one.startsWith(`-${name}=`))?.slice(name.length + 2);
    return text === undefined ? undefined : Number(text);
  };
  const files = given.filter((one) => !one.startsWith('-'));
  for (const file of files) {
    await fuzz(readFileSync(file));
  }
  if (files.length === 0) {
    const fail = (/** @type {Uint8Array} */ input) => {
      writeFileSync('fuzz-failure', input);
      console.error('The input is in fuzz-failure.');
    };
    console.log(
      `${await fuzzByChance({ seed: option('seed'), runs: option('runs'), seconds: option('seconds'), fail })} inputs, no finding.`,
    );
  }
}
