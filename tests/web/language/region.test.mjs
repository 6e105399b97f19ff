// A region's numbers in the texts of its language. Covers language/region.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import spanish from '../../../web/language/messages/es.js';
import { inRegion } from '../../../web/language/region.js';

test('a region that writes a point has it in every text, and what a text is given stays as it is', () => {
  const mexican = inRegion(spanish, 'es-MX');
  assert.equal(mexican.locale, 'es-MX');
  assert.match(mexican.proofs.laws.gradientIsAlive.method, /al menos 0\.05,/);
  assert.equal(mexican.checkpoints.exercises.peak.choices[0], 'cerca de 0.3');
  assert.match(mexican.shapes.cost('6 × 6', '144 bytes', '64.5 GiB'), /131,072 tokens .* ocupa 64\.5 GiB/);
  assert.match(mexican.break.mistakes.noMaximum.consequence('12.34', ''), /es 12\.34; .* de 11\.09\.$/);
  assert.equal(inRegion(spanish, 'es_MX').locale, 'es-MX');
  assert.equal(inRegion(spanish, 'es-MX'), mexican, 'made once');
});

test('a region that writes as its language does has the texts themselves', () => {
  for (const tag of ['es', 'es-AR', 'es-ES', 'no tag', '', undefined]) {
    assert.equal(inRegion(spanish, tag), spanish);
  }
});
