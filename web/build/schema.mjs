// The JSON schema of a lesson's document, which web/engine/lesson-document.js and core/program/lesson_document.cpp read.
// Its sources: the table of settings, and the JSDoc of what the page adds to it.
//
// It says what each setting can be by itself. What no schema can say the engine says: that rows are equally long, data as
// many as their shape asks for, and that settings fit each other.

import { documentVersion } from '../engine/lesson-document.js';
import { completeState, settingNames, settings } from '../engine/lesson-state.js';
import { matrixNames } from '../engine/own-matrices.js';
import { stateProperties } from './manifest.mjs';
import { coreLimits } from './settings.mjs';

/** @typedef {Record<string, unknown>} Schema */

/** @param {Schema} schema @returns {Schema} */
const orNull = (schema) => ({ anyOf: [schema, { type: 'null' }] });

/** @param {Schema} items @param {number} [least] @returns {Schema} */
const listOf = (items, least = 1) => ({ type: 'array', items, minItems: least });

/** An object of these keys and no others. @param {Record<string, Schema>} properties @param {string[]} required @returns {Schema} */
const objectOf = (properties, required) => ({ type: 'object', properties, required, additionalProperties: false });

const number = { type: 'number' };
const length = { type: 'integer', minimum: 1 };
const place = { type: 'integer', minimum: 0 };

/** What a setting can be. @param {import('../engine/lesson-state.js').SettingName} name @returns {Schema} */
function valueSchema(name) {
  /** @type {import('../engine/lesson-state.js').Setting} */
  const setting = settings[name];
  switch (setting.kind) {
    case 'choice':
      return { enum: setting.choices };
    case 'whole': {
      const whole = { type: 'integer', minimum: setting.least, maximum: setting.most };
      return setting.follows ? orNull(whole) : whole;
    }
    case 'number':
      return { type: 'number', minimum: setting.least, exclusiveMaximum: setting.below };
    case 'tokens': {
      const canBeNone = completeState()[/** @type {'tokens' | 'context'} */ (name)].length === 0;
      const words = { type: 'string', ...(!canBeNone && { pattern: '\\S' }) };
      const list = { ...listOf({ type: 'string' }, canBeNone ? 0 : 1), maxItems: coreLimits().maximum_tokens };
      return canBeNone ? orNull({ anyOf: [list, words] }) : { anyOf: [list, words] };
    }
    case 'matrix': {
      const isOneRow = setting.lengths[0] === 1;
      return isOneRow ? { anyOf: [{ $ref: '#/$defs/matrix' }, listOf(number)] } : { $ref: '#/$defs/matrix' };
    }
    case 'edits':
      return listOf({ $ref: '#/$defs/edit' }, 0);
    case 'names':
      return orNull(listOf({ enum: setting.choices }, 0));
  }
}

/** The schema, in the draft 2020-12 of JSON Schema. @returns {Schema} */
export function lessonSchema() {
  const meanings = stateProperties();
  const defaults = completeState();
  const properties = settingNames.map((name) => {
    const { description } = meanings.get(name) ?? {};
    return [name, { ...(description && { description }), default: defaults[name], ...valueSchema(name) }];
  });
  const ofLayer = { description: 'Q, K and V at once, in place of X and the weights', $ref: '#/$defs/matrix' };
  const shape = { type: 'array', prefixItems: [length, length], minItems: 2, maxItems: 2 };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A lesson of attention-widget',
    description:
      'What element.state holds. Whatever is left out is the default of the preset, here of the preset sentence.',
    ...objectOf(
      { version: { const: documentVersion }, ...Object.fromEntries(properties), Q: ofLayer, K: ofLayer, V: ofLayer },
      [],
    ),
    $defs: {
      matrix: {
        anyOf: [
          { type: 'null' },
          { description: 'rows of equally many numbers', ...listOf(listOf(number)) },
          {
            description: 'the numbers row by row, and how many rows and columns they are',
            ...objectOf({ data: listOf(number), shape }, ['data', 'shape']),
          },
        ],
      },
      edit: {
        description: 'an entry that is changed; its column is counted within its head',
        ...objectOf({ matrix: { enum: matrixNames }, row: place, column: place, value: number, head: place }, [
          ...['matrix', 'row', 'column', 'value'],
        ]),
      },
    },
  };
}
