// The custom-elements manifest, which editors and documentation tools read. Its sources: the table of settings, the JSDoc
// of the state and the class, the events' types, the views' parts.
//
// @custom-elements-manifest/analyzer 0.11 cannot replace this file: it finds no attribute or property that is made in a
// loop, no type of an accessor, no event that a panel dispatches, and no part or custom property.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { completeState, formatTokens, settingNames, settings } from '../engine/lesson-state.js';
import { coreSettings } from './settings.mjs';

const web = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} name */
const read = (name) => readFileSync(web + name, 'utf8');

/** Every source of the element's views and styles, as one text. @param {RegExp} extension */
function sources(extension) {
  const names = readdirSync(web, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => extension.test(name) && !name.startsWith('hosts/embed'))
    .map(read)
    .join('\n');
}

/** @param {string} text @param {RegExp} pattern */
function distinct(text, pattern) {
  return [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name))].sort();
}

/** A comment's words on one line. @param {string} comment */
function unwrapped(comment) {
  return comment
    .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
    .replace(/^\*/, '')
    .trim();
}

/** The types and the meanings of a state's keys: the core's table, and what the page adds to it. */
export function stateProperties() {
  const [, typedef] = /@typedef \{object\} PageSettings\n(.*?)\*\//s.exec(read('engine/lesson-state.js')) ?? [];
  const lines = typedef.matchAll(/@property \{(.+)\} (\w+)(?: {2}(.+))?\n/g);
  /** @type {Map<string, {type: string, description?: string}>} */
  const properties = new Map();
  for (const { name, type, meaning } of coreSettings()) {
    properties.set(name, { type, description: meaning });
  }
  for (const [, type, name, description] of lines) {
    properties.set(name, { type, description });
  }
  return properties;
}

/** @param {unknown} value */
function asText(value) {
  return Array.isArray(value) ? formatTokens(value) : String(value);
}

function settingMembers() {
  const properties = stateProperties();
  const defaults = completeState();
  return settingNames.map((name) => {
    const { type, description } = properties.get(name) ?? {};
    if (type === undefined) {
      throw new Error(`LessonState says nothing of ${name}.`);
    }
    const { attribute } = settings[name];
    const shared = { type: { text: type }, ...(description && { description }) };
    const value = defaults[name];
    return {
      attribute: { name: attribute, fieldName: name, ...shared, ...(value !== null && { default: asText(value) }) },
      member: { kind: 'field', name, attribute, ...shared, default: JSON.stringify(value) },
    };
  });
}

/** Attributes that are no settings of the lesson. */
const otherAttributes = [
  {
    name: 'linked',
    fieldName: 'linked',
    type: { text: "'' | 'hash' | 'query'" },
    description: "Keeps the state in the page's address.",
  },
  {
    name: 'src',
    fieldName: 'src',
    type: { text: 'string' },
    description: 'The address of a lesson as JSON, of which attributes may say otherwise.',
  },
  { name: 'lang', type: { text: 'string' }, description: 'The language of the widget; without it, that of the page.' },
];

/** The class's accessors and methods, from its declaration. @param {string} declaration */
function classMembers(declaration) {
  const body = declaration.slice(declaration.indexOf('export declare class AttentionWidget'));
  return Array.from(body.matchAll(/\/\*\*(.+?)\*\/\s*(get )?(\w+)/gs)).flatMap(([, comment, get, name]) => {
    const description = unwrapped(comment.split('@')[0]).replace(/[\s*]*$/, '');
    if (description === '' || /^(private|protected|static)$|Callback$/.test(name)) {
      return []; // nothing that a page calls
    }
    if (get === undefined) {
      return [{ kind: 'method', name, description }];
    }
    const [, type] = new RegExp(`get ${name}\\(\\): (?:import\\("[^"]+"\\)\\.)?(.+);`).exec(body) ?? [];
    const isReadonly = !body.includes(`set ${name}(`);
    return [{ kind: 'field', name, type: { text: type }, description, ...(isReadonly && { readonly: true }) }];
  });
}

function events() {
  const described = read('element/events.d.ts').matchAll(/\/\*\* (.+?) \*\/\n\s*'([\w-]+)': (.+);/g);
  return Array.from(described, ([, description, name, type]) => ({ name, type: { text: type }, description }));
}

/** @param {string} declaration  the class's types */
export function customElementsManifest(declaration) {
  const members = settingMembers();
  const [, description] =
    /\/\*\*\n \* (`<attention-widget>`:.*?)\n \*\n/s.exec(read('element/attention-widget.js')) ?? [];
  const ownClass = { name: 'AttentionWidget', module: 'dist/element.js' };
  const exported = { kind: 'js', name: 'AttentionWidget', declaration: ownClass };
  const registration = { kind: 'custom-element-definition', name: 'attention-widget', declaration: ownClass };
  return {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: [
      {
        kind: 'javascript-module',
        path: 'dist/element.js',
        declarations: [
          {
            kind: 'class',
            customElement: true,
            name: 'AttentionWidget',
            tagName: 'attention-widget',
            description: unwrapped(description ?? ''),
            superclass: { name: 'HTMLElement' },
            attributes: [...members.map(({ attribute }) => attribute), ...otherAttributes],
            members: [...members.map(({ member }) => member), ...classMembers(declaration)],
            events: events(),
            cssParts: distinct(sources(/\.js$/), /\bpart: '([\w-]+)'/g).map((name) => ({ name })),
            cssProperties: distinct(sources(/\.css$/), /var\((--attention-[\w-]+)/g).map((name) => ({ name })),
          },
        ],
        exports: [exported],
      },
      ...['dist/attention-widget.js', 'dist/external.js'].map((path) => ({
        kind: 'javascript-module',
        path,
        exports: [exported, registration],
      })),
    ],
  };
}
