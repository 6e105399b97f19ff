// How an engine starts, once for all who ask for it. Covers engine/loading.js and lesson-module.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();

test('the engine is loaded once, however often and by however many it is asked for', async () => {
  assert.equal(loadEngine(), loadEngine());
  assert.equal(await loadEngine(), engine);
});

test('an engine that could not start is started when it is next asked for', async () => {
  const { Module } = WebAssembly;
  const again = await import(new URL('../../../dist/engine.js?again', import.meta.url).href);
  try {
    WebAssembly.Module = /** @type {any} */ (
      class {
        constructor() {
          throw new Error('forbidden');
        }
      }
    );
    await assert.rejects(again.loadEngine(), /^EngineError: WebAssembly could not start \(forbidden\)/);
  } finally {
    WebAssembly.Module = Module;
  }
  assert.equal((await again.loadEngine()).lesson().tokens.length, 6);
});

test('what is said of a refusal is what the browser said, and a policy is blamed where the browser blames it', async () => {
  const { Module } = WebAssembly;
  const other = await import(new URL('../../../dist/engine.js?refused', import.meta.url).href);
  const refusals = /** @type {const} */ ([
    ['out of memory', /^EngineError: WebAssembly could not start \(out of memory\)$/],
    ['blocked by CSP', /\(blocked by CSP\); a Content-Security-Policy must allow 'wasm-unsafe-eval'$/],
  ]);
  try {
    for (const [said, expected] of refusals) {
      WebAssembly.Module = /** @type {any} */ (
        class {
          constructor() {
            throw new Error(said);
          }
        }
      );
      await assert.rejects(other.loadEngine(), expected);
    }
  } finally {
    WebAssembly.Module = Module;
  }
});

test('a module that does not start is a failure, and nobody waits for ever', async () => {
  const { instantiate } = WebAssembly;
  const other = await import(new URL('../../../dist/engine.js?unfit', import.meta.url).href);
  try {
    WebAssembly.instantiate = async () => {
      throw new WebAssembly.LinkError('import a.a is no function');
    };
    await assert.rejects(other.loadEngine(), /^EngineError: .*\(import a\.a is no function\)$/);
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  assert.equal((await other.loadEngine()).lesson().tokens.length, 6);
});
