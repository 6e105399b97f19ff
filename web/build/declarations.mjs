// Writes the declarations of every file of dist/ that can be imported. TypeScript makes them from the sources' JSDoc; this
// file adds what JSDoc cannot express.

import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Each file's types, over the sources' own. @type {Record<string, string>} */
const entries = {
  'attention-widget': `export * from './types/element/define.js';\n${registered}`,
  external: `export * from './types/element/define.js';\n${registered}`,
  element: `export * from './types/element/attention-widget.js';\n`,
  engine: `export * from './types/engine/engine.js';\n`,
  anywidget: `export { default } from './types/hosts/anywidget.js';\nexport type { Model } from './types/hosts/anywidget.js';\n`,
  'embed/host': `export {};\n`,
};

/** The element's properties for settings, which are made in a loop, and its events, which bubble to any listener. */
const element = `
import type { AttentionWidgetEventMap } from './events.js';

export type { AttentionWidgetEventMap };

export interface AttentionWidget extends LessonState {}

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
  copyFileSync(join(project, 'web/element/events.d.ts'), join(types, 'element/events.d.ts'));
  rewrite(join(types, 'element/attention-widget.d.ts'), (text) => text.replace(/\nexport \{\};\s*$/, element));
  for (const [name, text] of Object.entries(entries)) {
    writeFileSync(join(project, `dist/${name}.d.ts`), text);
  }
  const emitted = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  for (const name of emitted) {
    // The generated modules stay inside the built files, and so do their types.
    rewrite(join(types, name), (text) => text.replaceAll(/import\(['"]#\w+\/module['"]\)\.\w+(<\w+>)?/g, 'object'));
  }
  const reached = follow(join(project, 'dist'), Object.values(entries).join('\n'), new Set());
  for (const name of emitted) {
    if (!reached.has(join(types, name))) {
      rmSync(join(types, name));
    }
  }
}
