// The schema of a lesson's document against what the engine takes. Covers web/build/schema.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { formatLesson, parseLesson } from '../../../web/engine/lesson-document.js';
import { completeState, findProblem, settingNames, settings } from '../../../web/engine/lesson-state.js';
import { matrixNames } from '../../../web/engine/own-matrices.js';
import { loadEngine } from '../support.mjs';

const schema = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('attention-widget/lesson.schema.json')), 'utf8'),
);
// Strict: a word of the schema that the draft does not know is an error.
const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);
const engine = await loadEngine();

/** @param {string} text */
const isValid = (text) => validate(JSON.parse(text));

/** Why no lesson comes of a document, or null. @param {string} text */
function refusal(text) {
  try {
    engine.lesson(checkedState(parseLesson(text)));
    return null;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** A whole state, in which the page's own check finds nothing. @param {Partial<import('../../../web/engine/lesson-state.js').LessonState>} said */
function checkedState(said) {
  const state = completeState(said);
  const problem = findProblem(state);
  if (problem !== null) {
    throw new Error(`${problem.argument} ${problem.found}, but ${problem.expected}`);
  }
  return state;
}

/** @param {string} text @param {string} setting */
const documentOf = (text, setting) => `{"version": 1, ${JSON.stringify(setting)}: ${text}}`;

/** A document in which a setting that needs others has them. @type {Record<string, string>} */
const beside = { head: '"heads": 8, ', row: `"tokens": ${JSON.stringify(Array(7).fill('a'))}, `, padding: '' };

/** Values of every type, near every edge, and near misses of what settings take. */
const values = [
  ...[
    'null',
    'true',
    '0',
    '-0',
    '1',
    '1.0',
    '2',
    '3',
    '5',
    '6',
    '7',
    '8',
    '9',
    '64',
    '512',
    '513',
    '2047',
    '2048',
    '2049',
  ],
  ...['0.5', '0.9999999999999999', '1e-7', '-1', '-0.1', '4294967295', '4294967296', '1e999', '-1e999', '1e300'],
  ...[
    '""',
    '" "',
    '"a"',
    '"a b"',
    '"1"',
    '"none"',
    '"sqrt"',
    '"four-token"',
    '"causal"',
    '"dark"',
    '"divisor"',
    '{}',
    '[]',
  ],
  ...[
    '[1]',
    '[null]',
    '["a"]',
    '["a", 1]',
    '["a", ""]',
    '["proofs"]',
    '["proofs", "nothing"]',
    '["seed"]',
    '["step", "d-k"]',
  ],
  ...['[[]]', '[[1]]', '[[1, -0.5]]', '[[1, null]]', '[[1, "2"]]', '[[[1]]]', '[[1], 2]', '[[1e999]]'],
  '{"data": [1], "shape": [1, 1]}',
  ...['{"data": [1], "shape": [1]}', '{"data": [], "shape": [0, 0]}', '{"data": [1]}', '{"shape": [1, 1]}'],
  ...['{"data": "1", "shape": [1, 1]}', '{"data": [null], "shape": [1, 1]}', '{"data": [1], "shape": [1, 1, 1]}'],
  ...['{"data": [1], "shape": [1, 1], "dtype": "f8"}', '{"data": [1], "shape": [-1, -1]}', '[null, [1]]'],
  '[{"matrix": "Wq", "row": 0, "column": 1, "value": -0}]',
  '[{"matrix": "X", "row": 5, "column": 15, "value": 2.5, "head": 0}]',
  ...['[{"matrix": "Wz", "row": 0, "column": 1, "value": 1}]', '[{"matrix": "Wq", "row": 0, "column": 1}]'],
  ...[
    '[{"matrix": "Wq", "row": -1, "column": 1, "value": 1}]',
    '[{"matrix": "Wq", "row": 0.5, "column": 1, "value": 1}]',
  ],
  ...[
    '[{"matrix": "Wq", "row": 0, "column": 1, "value": "1"}]',
    '[{"matrix": "Wq", "row": 0, "column": 1, "value": null}]',
  ],
  ...['[{"matrix": "Wq", "row": 0, "column": 1, "value": 1, "heads": 1}]', '[[]]', '[{}]'],
  '[{"matrix": "Wq", "row": 0, "column": 1, "value": 1, "head": null}]',
];

/** What only the engine can say: that settings fit each other, or memory. */
const contradiction =
  /, but (the state asks for|must be a whole number from 0 to [0-6]$|(with|the preset|attention without) )|^edits change .* has shape /;

for (const name of settingNames) {
  test(`schema and engine agree on what ${name} can be`, () => {
    /** @type {import('../../../web/engine/lesson-state.js').Setting} */
    const setting = settings[name];
    const choices = setting.kind === 'choice' ? setting.choices.map((choice) => JSON.stringify(choice)) : [];
    let accepted = 0;
    for (const value of [...values, ...choices]) {
      const text = documentOf(value, name).replace('{', `{${beside[name] ?? ''}`);
      const reason = refusal(text);
      const isContradiction = reason !== null && contradiction.test(reason);
      assert.equal(isValid(text), reason === null || isContradiction, `${text}: ${reason}`);
      accepted += Number(isValid(text));
    }
    assert.ok(accepted > 0 && accepted < values.length, 'some values are accepted and some are not');
  });
}

test('whole states of every kind are valid, as the page writes them', () => {
  for (const state of [
    completeState(),
    completeState({ preset: 'four-token' }),
    completeState({ X: [[1, -0, 5e-324]], Wv: [[1], [2], [3]], tokens: ['a "word"'], dropout: 0.5 }),
    completeState({ heads: 8, head: 7, edits: [{ matrix: 'Wk', row: 0, column: 15, value: 1e-300, head: 7 }] }),
    completeState({
      panels: ['proofs'],
      locked: ['seed', 'x'],
      theme: 'dark',
      step: 8,
      beside: 'divisor',
      context: ['a'],
    }),
  ]) {
    const text = formatLesson(state);
    assert.equal(refusal(text), null);
    assert.ok(isValid(text), JSON.stringify(validate.errors));
  }
});

test('keys that no document has, other versions, and what is no object are refused by both', () => {
  for (const text of [
    ...['{"dQ": 4}', '{"d_k": 4}', '{"__proto__": {}}', '{"version": 2}', '{"version": "1"}', '{"version": null}'],
    ...['{"": 1}', '[]', 'null', '7', '"dK"'],
  ]) {
    assert.notEqual(refusal(text), null, text);
    assert.equal(isValid(text), false, text);
  }
  for (const text of ['{}', '{"version": 1}', '{"version": 1.0}']) {
    assert.equal(refusal(text), null, text);
    assert.ok(isValid(text), text);
  }
});

test('Q, K and V at once are valid, and one of them alone is for the engine to refuse', () => {
  const text = '{"Q": [[1, 2]], "K": {"data": [3, 4], "shape": [1, 2]}, "V": [[5]]}';
  assert.deepEqual([refusal(text), isValid(text)], [null, true]);
  assert.deepEqual(
    [refusal('{"K": [[1]]}'), isValid('{"K": [[1]]}')],
    ['Q is null, but must be rows of numbers', true],
  );
  assert.equal(isValid('{"Q": [["1"]]}'), false);
});

test('rows that are not equally long, and data that do not fit their shape, are for the engine to refuse', () => {
  for (const text of ['{"X": [[1, 2], [3]]}', '{"X": {"data": [1, 2, 3], "shape": [2, 2]}}']) {
    assert.notEqual(refusal(text), null, text);
    assert.ok(isValid(text), text);
  }
});

test('the schema describes every setting, with the default that the engine completes a state by', () => {
  assert.deepEqual(Object.keys(schema.properties), ['version', ...settingNames, 'Q', 'K', 'V']);
  for (const name of settingNames) {
    assert.deepEqual(schema.properties[name].default, completeState()[name], name);
  }
  assert.equal(schema.properties.dK.description, 'width of queries and keys');
  assert.deepEqual(schema.$defs.edit.properties.matrix.enum, matrixNames);
  assert.equal(settings.dK.most, schema.properties.dK.maximum);
});
