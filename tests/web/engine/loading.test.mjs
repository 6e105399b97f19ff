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
