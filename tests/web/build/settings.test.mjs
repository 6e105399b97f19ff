// Covers web/build/settings.mjs: what the build makes of the core's tables.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { coreSettings, settingsModule, tableLines, withSettingsTable } from '../../../web/build/settings.mjs';

/** @param {string} path */
const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('a line of a table is a macro and its arguments, of which a text may hold commas and parentheses', () => {
  const text =
    '// NOT(a line)\n#define LAW(law, items)\nLAW(rows_sum_to_one, each_row)   // why (so)\nSOME(a, "b, (c)", 3)\n';
  assert.deepEqual(tableLines(text), [
    { macro: 'LAW', values: ['rows_sum_to_one', 'each_row'] },
    { macro: 'SOME', values: ['a', 'b, (c)', '3'] },
  ]);
});

test('an empty note of a choice is a text too', () => {
  assert.deepEqual(tableLines('CHOICE(Blend, values, "")'), [{ macro: 'CHOICE', values: ['Blend', 'values', ''] }]);
});

test('every line of the core’s tables is read', () => {
  for (const name of ['settings', 'laws', 'states']) {
    const text = read(`core/lesson/${name}.def`);
    const lines = text.split('\n').filter((line) => /^[A-Z_]+\(/.test(line));
    assert.ok(lines.length > 0);
    assert.deepEqual(
      tableLines(text).map(({ macro }) => macro),
      lines.map((line) => line.slice(0, line.indexOf('('))),
    );
  }
});

test('a setting has its range, its default and its meaning from its line', () => {
  const table = `LIMIT(std::size_t, widest, 9)
SETTING_WHOLE(d_k, std::size_t, 1, widest, 4, "width of queries")
SETTING_FOLLOWING(d_v, d_k, 1, widest, "width of values")
SETTING_PLACE(row, widest, 1, "the query")
SETTING_CHOICE(which_one, Which, second_one, "which")
CHOICE(Which, first, "")
CHOICE(Which, second_one, "the mistake")
`;
  const [dK, dV, row, which] = coreSettings(tableLines(table));
  assert.deepEqual(dK.setting, { kind: 'whole', attribute: 'd-k', least: 1, most: 9 });
  assert.equal(dK.initial, 4);
  assert.deepEqual(dV.setting, { kind: 'whole', attribute: 'd-v', least: 1, most: 9, follows: 'dK' });
  assert.equal(dV.initial, null);
  assert.deepEqual(row.setting, { kind: 'whole', attribute: 'row', least: 0, most: 8 });
  assert.deepEqual(which, {
    name: 'whichOne',
    attribute: 'which-one',
    meaning: 'which',
    type: "'first' | 'second-one'",
    setting: { kind: 'choice', attribute: 'which-one', choices: ['first', 'second-one'] },
    initial: 'second-one',
    values: '`first` · `second-one` (the mistake)',
    usual: 'second-one',
  });
});

test('the generated module is the present table’s', () => {
  assert.equal(read('web/engine/settings.generated.js'), settingsModule());
});

test('the README’s table of attributes is the present one: npm run readme writes it again', () => {
  const readme = read('README.md');
  assert.equal(withSettingsTable(readme), readme);
  assert.match(readme, /<!-- settings -->\n\| attribute [\s\S]+\| `seed` \|[\s\S]+\n<!-- \/settings -->/);
});

test('the panels that a page may list are those of the registry, in its order, each with a title and what it answers', async () => {
  const { panelNames } = await import('../../../web/engine/settings.generated.js');
  const { default: messages } = await import('../../../web/language/messages/en.js');
  const scripts = ['panels', 'try-and-take'];
  await Promise.all(scripts.map((name) => import(new URL(`../../../dist/${name}.js`, import.meta.url).href)));
  const panels = scripts.flatMap(
    (name) => /** @type {any} */ (globalThis)[Symbol.for(`attention-widget.${name}`)].panels,
  );
  const inside = /inside = \[([^\]]*)\]/.exec(read('web/panels/registry.js'))?.[1].match(/\w+/g) ?? [];
  assert.equal(panelNames.length, panels.length + inside.length);
  assert.deepEqual(Object.keys(messages.panels).sort(), [...panelNames].sort());
  assert.deepEqual(Object.keys(messages.answers).sort(), [...panelNames].sort());
});
