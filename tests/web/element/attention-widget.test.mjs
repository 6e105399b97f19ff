// The element where there is no document.

import assert from 'node:assert/strict';
import { test } from 'node:test';

test('importing the widget where there is no document registers nothing and touches nothing', async () => {
  assert.equal('document' in globalThis, false);
  assert.equal('customElements' in globalThis, false);
  const before = Object.getOwnPropertyNames(globalThis);
  for (const path of ['attention-widget', 'attention-widget/element']) {
    const { AttentionWidget } = await import(path);
    assert.equal(typeof AttentionWidget, 'function');
    assert.ok(AttentionWidget.observedAttributes.includes('d-k'));
  }
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), before);
});
