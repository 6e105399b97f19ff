import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Bytes that a page may cost its readers. Raise it only for something that is worth as much. */
const most = 60_000;

/** @param {string} entry  a package export */
const travels = (entry) => gzipSync(readFileSync(fileURLToPath(import.meta.resolve(entry))), { level: 9 }).length;

test('the widget, engine and style sheet and all, travels in less than 60 kB', (context) => {
  const sizes = ['attention-widget', 'attention-widget/element', 'attention-widget/engine'].map(travels);
  context.diagnostic(`gzipped: widget ${sizes[0]}, element ${sizes[1]}, engine ${sizes[2]} bytes`);
  assert.ok(sizes[0] < most, `the widget takes ${sizes[0]} bytes`);
  assert.ok(sizes[1] < most && sizes[2] < 0.7 * sizes[0], 'each way in carries no more than it needs');
});

test('the shipped files build no code from text', () => {
  for (const entry of ['attention-widget', 'attention-widget/element', 'attention-widget/engine']) {
    const source = readFileSync(fileURLToPath(import.meta.resolve(entry)), 'utf8');
    assert.doesNotMatch(source, /\bnew Function\b|[^.\w]Function\(|[^.\w]eval\(/);
  }
});
