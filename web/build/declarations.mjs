// Writes the declarations of every file of dist/ that can be imported. TypeScript makes them from the sources' JSDoc; this
// file adds what JSDoc cannot express.

import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingNames } from '../engine/lesson-state.js';

const project = fileURLToPath(new URL('../..', import.meta.url));
const types = join(project, 'dist/types');

/** The tag's name, for files that register it. */
const registered = `
import type { AttentionWidget } from './types/element/define.js';

declare global {
  interface HTMLElementTagNameMap {
    'attention-widget': AttentionWidget;
  }
}
`;

/** What the file that registers the tag exports, and the types that programs around it name. */
const widget = `export * from './types/element/define.js';
export type * from './types/element/attention-widget.js';
${registered}`;

/** Each file's types, over the sources' own. @type {Record<string, string>} */
const entries = {
  'attention-widget': widget,
  external: widget,
  element: `export * from './types/element/attention-widget.js';\n`,
  models: `export * from './types/models/models.js';\n`,
  engine: `export * from './types/engine/engine.js';
export type { LessonResult, Metrics } from './types/engine/lesson-engine.js';
export type { LessonState } from './types/engine/lesson-state.js';
export type {
  AttentionOptions,
  AttentionResult,
  GradientOptions,
  Gradients,
} from './types/engine/attention/options.js';
`,
  anywidget: `export { default } from './types/hosts/anywidget.js';\nexport type { Model } from './types/hosts/anywidget.js';\n`,
  'embed/host': `export {};\n`,
};

/** A setting's property, which gives its value and takes its attribute's text too. @param {string} name */
const accessors = (name) => `
  get ${name}(): LessonState['${name}'];
  set ${name}(value: SettingValue<'${name}'>);`;

/** The element's properties for settings, which are made in a loop, and its events, which bubble to any listener. */
const element = `
import type { SettingValue } from '../engine/setting-values.js';
import type { AttentionWidgetEventMap } from './events.js';

export type { AttentionWidgetAttributes, AttentionWidgetListeners } from './frameworks.js';
export type { AttentionWidgetEventMap };
export type Metrics = import('../engine/lesson-engine.js').Metrics;

export interface AttentionWidget {${settingNames.map(accessors).join('')}
}

declare global {
  interface GlobalEventHandlersEventMap extends AttentionWidgetEventMap {}
}
`;

/** @param {string} path @param {(text: string) => string} change */
function rewrite(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/**
 * The files that some text imports from, and those that they import from.
 *
 * @param {string} folder
 * @param {string} text
 * @param {Set<string>} found
 */
function follow(folder, text, found) {
  for (const [, path] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
    const file = join(folder, `${path}.d.ts`);
    if (!found.has(file)) {
      found.add(file);
      follow(dirname(file), readFileSync(file, 'utf8'), found);
    }
  }
  return found;
}

export function buildDeclarations() {
  const tsc = join(project, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, ['-p', 'web/build/declarations.json'], { cwd: project, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`The types cannot be written:\n${stdout}`);
  }
  for (const name of ['element/events', 'element/frameworks', 'engine/setting-values']) {
    copyFileSync(join(project, `web/${name}.d.ts`), join(types, `${name}.d.ts`));
  }
  rewrite(join(types, 'element/attention-widget.d.ts'), (text) => text.replace(/\nexport \{\};\s*$/, element));
  for (const [name, text] of Object.entries(entries)) {
    writeFileSync(join(project, `dist/${name}.d.ts`), text);
  }
  const emitted = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  for (const name of emitted) {
    rewrite(join(types, name), (text) =>
      text
        // The generated modules stay inside the built files, and so do their types.
        .replaceAll(/import\(['"]#\w+\/module['"]\)\.\w+(<\w+>)?/g, 'object')
        // What they declared is TypeScript by now, and what they imported for private parts is not in it.
        .replaceAll(/^\/\*\* @(import|typedef) .* \*\/\n/gm, ''),
    );
  }
  const reached = follow(join(project, 'dist'), Object.values(entries).join('\n'), new Set());
  for (const name of emitted) {
    if (!reached.has(join(types, name))) {
      rmSync(join(types, name));
    }
  }
}
