// The core's tables of settings, laws and states (core/lesson/*.def) and the names of the panels as JavaScript, and the
// settings as the README's table of attributes. Needs Node's own modules alone: it runs before anything is installed.
//
//   node web/build/settings.mjs           writes web/engine/settings.generated.js, which is not committed
//   node web/build/settings.mjs --keep    and puts the table into the README

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** @typedef {{macro: string, values: string[]}} Line */

/**
 * A setting of the core. `type` is its property's in TypeScript; `values` and `usual` are what the README says of it.
 *
 * @typedef {{name: string, attribute: string, meaning: string, type: string, setting: Record<string, unknown>,
 *   initial: unknown, values: string, usual: string}} CoreSetting
 */

/**
 * The lines of a table: macro(argument, ...).
 *
 * @param {string} text
 * @returns {Line[]}
 */
export function tableLines(text) {
  return Array.from(text.matchAll(/^([A-Z_]+)\((.*?)\)(?: *\/\/.*)?$/gm), ([, macro, list]) => ({
    macro,
    values: Array.from(list.matchAll(/"([^"]*)"|([^,\s][^,]*)/g), ([, quoted, plain]) => quoted ?? plain.trim()),
  }));
}

/** @param {string} name  of a table */
function read(name) {
  return tableLines(readFileSync(`${project}/core/lesson/${name}.def`, 'utf8'));
}

/** The lines of a macro. @param {Line[]} lines @param {string} wanted */
const linesOf = (lines, wanted) => lines.filter(({ macro }) => macro === wanted).map(({ values }) => values);

/** "d_k" as a property, dK; a matrix keeps its case, W_q is Wq. @param {string} field */
const asProperty = (field) =>
  isMatrix(field) ? field.replace('_', '') : field.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Whether a field is a matrix or a bias by its name. @param {string} field */
const isMatrix = (field) => /^([A-Z]|b_)/.test(field);

/** "four_token" as an attribute writes it. @param {string} name */
const withDashes = (name) => name.replaceAll('_', '-');

/**
 * What a length of a matrix is in C++, in JavaScript: a number, or what it is the number of.
 *
 * @param {string} expression  such as state.d_k
 */
function lengthOf(expression) {
  const [, field, isCount] = /^(?:state\.)?(\w+)(\(state\)|\.size\(\))?$/.exec(expression) ?? [];
  if (field === undefined) {
    throw new Error(`A matrix is ${expression} long, which is neither a number nor a field.`);
  }
  return /^\d+$/.test(field) ? Number(field) : isCount && field === 'key_count' ? 'keys' : asProperty(field);
}

/** @param {Line[]} lines @returns {Record<string, number>} */
const limitsOf = (lines) => Object.fromEntries(linesOf(lines, 'LIMIT').map(([, name, value]) => [name, Number(value)]));

/** The core's limits, by their names. */
export const coreLimits = () => limitsOf(read('settings'));

/**
 * The settings, in the order of the table.
 *
 * @param {Line[]} lines
 * @returns {CoreSetting[]}
 */
export function coreSettings(lines = read('settings')) {
  const limits = limitsOf(lines);
  const number = (/** @type {string} */ text) => limits[text] ?? Number(text);
  const choices = linesOf(lines, 'CHOICE').map(([type, enumerator, note]) => ({
    type,
    choice: withDashes(enumerator),
    note,
  }));
  const range = (/** @type {number} */ least, /** @type {number} */ most) => ({
    setting: { kind: 'whole', least, most },
    type: 'number',
    values: `a whole number from ${least} to ${most}`,
  });
  /** @type {Record<string, (...values: string[]) => {meaning: string, type: string, setting: Record<string, unknown>, initial: unknown, values: string, usual?: string}>} */
  const kinds = {
    SETTING_CHOICE(_, type, initial, meaning) {
      const own = choices.filter((each) => each.type === type);
      return {
        meaning,
        setting: { kind: 'choice', choices: own.map(({ choice }) => choice) },
        type: own.map(({ choice }) => `'${choice}'`).join(' | '),
        initial: withDashes(initial),
        values: own.map(({ choice, note }) => `\`${choice}\`${note && ` (${note})`}`).join(' · '),
      };
    },
    SETTING_TOKENS: (_, initial, meaning) => ({
      meaning,
      setting: { kind: 'tokens' },
      type: 'string[]',
      initial: initial === '' ? [] : initial.split(' '),
      values: `or a JSON array of strings, at most ${limits.maximum_tokens}, with several heads ${limits.maximum_tokens} divided by √heads`,
      usual: initial || 'those of tokens',
    }),
    SETTING_WHOLE: (_, _type, least, most, initial, meaning) => ({
      meaning,
      ...range(number(least), number(most)),
      initial: number(initial),
    }),
    SETTING_NUMBER: (_, least, below, initial, meaning) => ({
      meaning,
      setting: { kind: 'number', least: Number(least), below: Number(below) },
      type: 'number',
      initial: Number(initial),
      values: `a number from ${least} to less than ${below}`,
    }),
    SETTING_FOLLOWING(_, leader, least, most, meaning) {
      const { setting, values } = range(number(least), number(most));
      return {
        meaning,
        setting: { ...setting, follows: asProperty(leader) },
        type: 'number | null',
        initial: null,
        values,
        usual: `that of ${withDashes(leader)}`,
      };
    },
    SETTING_MATRIX: (_, shape, rows, heads, width, meaning) => ({
      meaning,
      setting: { kind: 'matrix', lengths: [rows, heads, width].map(lengthOf) },
      type: 'readonly (readonly number[])[] | null',
      initial: null,
      values: rows === '1' ? `numbers, ${shape}` : `numbers, rows parted by semicolons, ${shape}`,
      usual: rows === '1' ? 'none' : 'seeded',
    }),
    SETTING_EDITS: (_, meaning) => ({
      meaning,
      setting: { kind: 'edits' },
      type: `readonly import('./own-matrices.js').MatrixEdit[]`,
      initial: [],
      values: 'matrix, row, column and value of each, such as `Wq 0 1 3.5`; after them a head other than 0',
      usual: 'none',
    }),
    SETTING_PLACE: (_, count, initial, meaning) => ({
      meaning,
      ...range(0, number(count) - 1),
      initial: Number(initial),
    }),
  };
  return lines
    .filter(({ macro }) => macro in kinds)
    .map(({ macro, values: [field, ...rest] }) => {
      const attribute = isMatrix(field) ? asProperty(field).toLowerCase() : withDashes(field);
      const { setting, usual, ...others } = kinds[macro](field, ...rest);
      const { kind, ...details } = setting;
      return {
        name: asProperty(field),
        attribute,
        ...others,
        setting: { kind, attribute, ...details },
        usual: usual ?? String(others.initial),
      };
    });
}

/** What the preset four-token has otherwise than the sentence. @param {Line[]} lines @returns {Record<string, unknown>} */
function fourTokenDefaults(lines) {
  return Object.fromEntries([
    ['preset', 'four-token'],
    ...linesOf(lines, 'FOUR_TOKEN').map(([field, value]) => [asProperty(field), Number(value)]),
    ...linesOf(lines, 'FOUR_TOKEN_CHOICE').map(([field, value]) => [asProperty(field), withDashes(value)]),
    ...linesOf(lines, 'FOUR_TOKEN_TOKENS').map(([field, value]) => [asProperty(field), value.split(' ')]),
  ]);
}

/**
 * The names of the panels, in the registry's order: the setting `panels` lists them, and the engine, which checks it, must
 * not import the panels' code.
 */
export function panelNames() {
  const registry = readFileSync(`${project}/web/panels/registry.js`, 'utf8');
  const [, groups] = /^export const groups = \{(.*?)^\};/ms.exec(registry) ?? ['', ''];
  return Array.from(groups.matchAll(/'([\w-]+)'/g), ([, name]) => name);
}

/** @param {string} name @param {unknown} value @param {string} [type] */
const constant = (name, value, type = 'const') =>
  `export const ${name} = /** @type {${type}} */ (${JSON.stringify(value)});\n`;

/** The generated module. */
export function settingsModule() {
  const lines = read('settings');
  const settings = coreSettings(lines);
  const limits = limitsOf(lines);
  const laws = read('laws');
  const states = read('states');
  const properties = settings.map(({ name, type, meaning }) => ` * @property {${type}} ${name}  ${meaning}\n`).join('');
  return [
    '// Written by web/build/settings.mjs from core/lesson/*.def and web/panels/registry.js.\n\n',
    `/**\n * What the core computes a lesson from.\n *\n * @typedef {object} LessonSettings\n${properties} */\n\n`,
    constant('lessonSettings', Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))),
    constant(
      'sentenceDefaults',
      Object.fromEntries(settings.map(({ name, initial }) => [name, initial])),
      'LessonSettings',
    ),
    constant('fourTokenDefaults', fourTokenDefaults(lines), 'Partial<LessonSettings>'),
    constant('panelNames', panelNames()),
    `export const defaultSeed = ${limits.default_seed};\n`,
    constant(
      'laws',
      linesOf(laws, 'LAW').map(([law]) => asProperty(law)),
    ),
    constant(
      'outcomes',
      linesOf(laws, 'OUTCOME').map(([outcome]) => asProperty(outcome)),
    ),
    constant(
      'softmaxStates',
      linesOf(states, 'SOFTMAX_STATE').map(([, words]) => words),
    ),
    constant(
      'gradientStates',
      linesOf(states, 'GRADIENT_STATE').map(([, words]) => words),
    ),
  ].join('');
}

/** Writes the generated module, where it is not as it should be. */
export function writeSettings() {
  const path = `${project}/web/engine/settings.generated.js`;
  const text = settingsModule();
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    writeFileSync(path, text);
  }
}

/** The README's table of the settings. */
export function settingsTable() {
  const rows = coreSettings().map(
    ({ attribute, meaning, values, usual }) => `| \`${attribute}\` | ${meaning} | ${values} | \`${usual}\` |`,
  );
  return ['| attribute | meaning | values | default |', '|---|---|---|---|', ...rows].join('\n');
}

/** A page with the table between its marks. @param {string} page */
export function withSettingsTable(page) {
  const marks = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/;
  return page.replace(marks, (_, start, end) => `${start}${settingsTable()}\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeSettings();
  if (process.argv.includes('--keep')) {
    const readme = `${project}/README.md`;
    writeFileSync(readme, withSettingsTable(readFileSync(readme, 'utf8')));
  }
}
