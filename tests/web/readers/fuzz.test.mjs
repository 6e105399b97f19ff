// A few thousand inputs of the fuzz target of the readers, tests/fuzz/readers-fuzz.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzByChance } from '../../fuzz/readers-fuzz.mjs';

test('files that chance has changed are refused or give finite numbers', async () => {
  assert.equal(await fuzzByChance({ seed: 1, runs: 4000 }), 4000);
});
