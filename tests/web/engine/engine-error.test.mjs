// The error that every refusal is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../support.mjs';

test('an EngineError is an Error with a name, one sentence and its three parts', () => {
  const parts = { argument: 'dK', found: 'is 0', expected: 'must be a whole number from 1 to 512' };
  const error = new EngineError(parts);
  assert.ok(error instanceof Error);
  assert.equal(error.name, 'EngineError');
  assert.equal(error.message, 'dK is 0, but must be a whole number from 1 to 512');
  assert.deepEqual(error.problem, parts);
  const other = new EngineError('WebAssembly could not start');
  assert.equal(other.message, 'WebAssembly could not start');
  assert.equal(other.problem, null);
});
