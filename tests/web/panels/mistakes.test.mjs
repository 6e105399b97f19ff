// Covers web/views/mistakes.js: each mistake as its button makes it, and mends it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import { makes, mistakes } from '../../../web/views/mistakes.js';
import { loadEngine } from '../support.mjs';

const engine = await loadEngine();

for (const mistake of mistakes) {
  const { name, setting, wrong, right, also, law } = mistake;

  test(`from any widths the mistake ${name} is a lesson, and so is the one that mends it`, () => {
    const before = { dK: 5, dV: 7, heads: 2, head: 1 };
    assert.equal(makes(mistake, completeState(before)), false);
    const made = { ...before, ...also?.(before.dK), [setting]: wrong };
    assert.ok(makes(mistake, completeState(made)));
    assert.equal(engine.lesson(made).tokens.length, 6);
    assert.ok(engine.proofs(made).some((proof) => proof.law === law));
    const mended = { ...made, ...also?.(), [setting]: right };
    assert.equal(makes(mistake, completeState(mended)), false);
    assert.equal(engine.lesson(mended).tokens.length, 6);
  });
}

test('a mistake that is a number is made by every number but the right one, one that is a name by that name', () => {
  const byName = (/** @type {string} */ wanted) => {
    const found = mistakes.find(({ name }) => name === wanted);
    assert.ok(found);
    return found;
  };
  assert.ok(makes(byName('dropout'), completeState({ dropout: 0.01 })));
  assert.equal(makes(byName('noDivisor'), completeState({ divisor: 'dk' })), false);
});
