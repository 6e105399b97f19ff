// Builds dist/: the WebAssembly modules by CMake, one JavaScript file for each way in, with the module's bytes in it, and
// what the package tells tools about them: types, a manifest and a schema of lessons.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { minify } from 'terser';
import { buildDeclarations } from './declarations.mjs';
import { buildLessonPages, supplyLessons } from './lessons.mjs';
import { bundledLicences, packagesNoted } from './licences.mjs';
import { writeSettings } from './settings.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Each file of dist/ that a page or a program may import, and the source it starts from. */
const entryPoints = {
  'attention-widget': 'web/element/define.js',
  element: 'web/element/attention-widget.js',
  engine: 'web/engine/engine.js',
  models: 'web/models/models.js',
};

/** The style sheet becomes a text for the element to adopt. */
const styleSheetAsText = {
  name: 'style-sheet-as-text',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

/**
 * The module's bytes become a text that web/engine/module-bytes.js unpacks. They are compressed before they become
 * base64: gzip brings base64 of compressed bytes back to about their size, but leaves that of the module a third larger.
 */
const engineAsText = {
  name: 'engine-as-text',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      // Shorter blocks than by default suit it: 40 bytes less.
      contents: deflateSync(readFileSync(path), { level: 9, memLevel: 7 }).toString('base64'),
      loader: 'text',
    }));
  },
};

/**
 * Emscripten's minimal runtime waits for ever where a module does not fit its glue, as one of another version: nobody
 * hears of the failure. It is told to whoever waits.
 */
const failuresHeard = {
  name: 'failures-heard',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\/attention_\w+\.mjs$/ }, ({ path }) => {
      const glue = readFileSync(path, 'utf8');
      const contents = glue.replace(/ready\(\)\s*\}\s*\);/, 'ready()}).catch(readyPromiseReject);');
      if (contents === glue) {
        throw new Error(`${path} starts in another way than the build knows`);
      }
      return { contents, loader: 'js' };
    });
  },
};

/** Every language but English: the files beside its own. */
export const languages = readdirSync(`${project}/web/language/messages`)
  .map((file) => file.replace(/\.js$/, ''))
  .filter((name) => name !== 'en');

/** The languages' files, as `new URL(…, import.meta.url)`: bundlers recognise this form and copy the files. */
const languageFiles = {
  name: 'language-files',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    const files = languages.map((name) => `'${name}': () => new URL('./messages/${name}.js', import.meta.url).href`);
    build.onResolve({ filter: /^#languages$/ }, ({ path }) => ({ path, namespace: 'generated' }));
    build.onLoad({ filter: /./, namespace: 'generated' }, () => ({ contents: `export default { ${files} }` }));
  },
};

/** What is seldom asked for, as scripts beside the widget, which web/export/load-sibling.js loads; and their sources. */
export const siblings = {
  picture: 'export/picture.js',
  snippets: 'panels/snippets.js',
  panels: 'panels/beside.js',
  'try-and-take': 'panels/try-and-take.js',
  numbers: 'numbers/beside.js',
  exchange: 'exchange/beside.js',
  'read-lesson': 'exchange/read-lesson.js',
};

/** The siblings' hashes, for pages that hold scripts to them. The siblings are built first. */
const siblingHashes = {
  name: 'sibling-hashes',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^#hashes$/ }, ({ path }) => ({ path, namespace: 'hashes' }));
    build.onLoad({ filter: /./, namespace: 'hashes' }, () => {
      const names = [...Object.keys(siblings), ...languages.map((name) => `messages/${name}`)];
      const hashes = names
        .map((name) => `${name}.js`)
        .map((file) => [
          file,
          `sha256-${createHash('sha256')
            .update(readFileSync(`${project}/dist/${file}`))
            .digest('base64')}`,
        ]);
      return { contents: `export default ${JSON.stringify(Object.fromEntries(hashes))}` };
    });
  },
};

/** @type {esbuild.BuildOptions} */
export const options = {
  absWorkingDir: project,
  alias: {
    '#lesson/module': `${project}/build/page/attention_lesson.mjs`,
    '#lesson/bytes': `${project}/build/page/attention_lesson.wasm`,
    '#engine/module': `${project}/build/page/attention_engine.mjs`,
    '#engine/bytes': `${project}/build/page/attention_engine.wasm`,
    '#model/bytes': `${project}/build/page/attention_model.wasm`,
  },
  entryPoints,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  // Names are left to terser, which makes 200 bytes less of the widget where it finds them whole.
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [styleSheetAsText, engineAsText, failuresHeard, languageFiles, siblingHashes, packagesNoted],
  logLevel: 'warning',
};

/**
 * Removes a CMake build folder that was configured for another source folder, as in a copy of the project: CMake refuses
 * to use it.
 *
 * @param {string} folder
 * @param {string} source
 */
export function removeForeignBuild(folder, source) {
  const cache = `${folder}/CMakeCache.txt`;
  if (existsSync(cache)) {
    const [, home] = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8')) ?? [];
    if (home === undefined || !existsSync(home) || realpathSync(home) !== realpathSync(source)) {
      rmSync(folder, { recursive: true });
    }
  }
}

/** Writes the table of settings and compiles the engine. CMake's warnings and errors are shown. */
export function buildEngine() {
  writeSettings();
  removeForeignBuild(`${project}/build/page`, project);
  for (const step of [
    ['--preset', 'page'],
    ['--build', '--preset', 'page'],
  ]) {
    const { status, stdout, stderr } = spawnSync('cmake', step, { cwd: project, encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`The engine does not compile:\n${stdout}${stderr}`);
    }
    if (stderr !== '') {
      console.warn(stderr.trim());
    }
  }
}

/** Files that are copied to dist/ as they are, and their names there: the lesson page, the page for frames, the teacher's. */
export const pages = {
  'web/page/index.html': 'index.html',
  'web/page/page.css': 'page.css',
  'web/hosts/embed/embed.html': 'embed/embed.html',
  'web/teacher/check.html': 'check.html',
  'web/teacher/teacher.css': 'teacher.css',
};

/** The scripts of the teacher's pages and of packages for platforms, each with a function `start`. */
const teacherScripts = { check: 'teacher/check.js', scorm: 'teacher/scorm.js' };

/**
 * The widget for a server component of React, as in Next: the directive makes webpack take it to the page, and without it
 * the page would stay empty. A file of its own, because bundlers warn about the directive.
 */
function writeClientEntry() {
  const names = 'AttentionWidget, EngineError, loadLessonEngine';
  writeFileSync(`${project}/dist/client.js`, `'use client';\nexport { ${names} } from './attention-widget.js';\n`);
}

/** Copies the pages to dist/. */
export function copyPages() {
  for (const [source, copy] of Object.entries(pages)) {
    mkdirSync(dirname(`${project}/dist/${copy}`), { recursive: true });
    copyFileSync(`${project}/${source}`, `${project}/dist/${copy}`);
  }
}

/** The widget that fetches its module from beside its script. */
const engineBeside = {
  name: 'engine-beside',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /\/module-bytes\.js$/ }, () => ({
      path: `${project}/web/engine/module-bytes-fetched.js`,
    }));
    build.onLoad({ filter: /\.wasm$/ }, () => ({ contents: '', loader: 'text' }));
  },
};

/** The files that wrap the widget include the built one from dist/. */
const builtWidget = {
  name: 'built-widget',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /\/define\.js$/ }, () => ({ path: `${project}/dist/attention-widget.js` }));
  },
};

/** Classic scripts, which also run as modules: they register, resize, and export nothing. */
const classicScripts = {
  'attention-widget.classic': { source: 'web/element/define.js', beside: 'scriptAddress' },
  'embed/embed': { source: 'web/hosts/embed/embed.js', beside: "scriptAddress&&new URL('..',scriptAddress)" },
  'embed/host': { source: 'web/hosts/embed/host.js', beside: 'scriptAddress' },
};

/**
 * A classic script has no import.meta: what lies in dist/ is found from its script element. The address of a package alone,
 * from which unpkg and jsDelivr serve it, has dist/ under it: beside it lie other people's packages, some called "messages".
 *
 * @param {string} address  JavaScript: an address in dist/, given the script's own
 * @returns {esbuild.BuildOptions}
 */
const findingBeside = (address) => ({
  define: { 'import.meta.url': 'besideAddress' },
  banner: {
    js: [
      'const ownAddress=globalThis.document?.currentScript?.src',
      "scriptAddress=!ownAddress||/\\.js([?#]|$)/.test(ownAddress)?ownAddress:ownAddress+'/dist/'",
      `besideAddress=${address};`,
    ].join(),
  },
});

/**
 * What terser makes of what esbuild has minified: it finds another 2 %.
 *
 * @param {string} source
 * @param {boolean} [module]  whether it is one; else a classic script
 */
export async function minified(source, module = true) {
  const { code = '' } = await minify(source, { module, ecma: 2020, compress: { passes: 2 } });
  return code;
}

/** The bytes of a WebAssembly module in a script. */
const moduleAsText = /"[\w+/=]{9000,}"/;

/**
 * Minifies a script once more, and moves the bytes of its WebAssembly module to its end. gzip compresses a file in blocks
 * with one Huffman table each: code and base64 in one block would share a table that suits neither, and the script would
 * be 1.5 kB larger.
 *
 * @param {string} name  of a file in dist/, without its extension
 * @param {boolean} [module]  whether it is one; else a classic script, with a mark at its start by which a page of another
 *   encoding reads it as UTF-8
 */
async function squeeze(name, module = true) {
  const path = `${project}/dist/${name}.js`;
  const source = readFileSync(path, 'utf8');
  const [bytes] = moduleAsText.exec(source) ?? [];
  const code = await minified(source.replace(moduleAsText, '(bytesAtTheEnd())'), module);
  const whole = bytes === undefined ? code : `${code}function bytesAtTheEnd(){return${bytes}}`;
  writeFileSync(path, module ? whole : `\ufeff(()=>{${whole}})();`);
}

/** The widget without its module's bytes, and the module beside it. */
async function buildExternal() {
  const plugins = [engineBeside, styleSheetAsText, failuresHeard, languageFiles, siblingHashes];
  await esbuild.build({ ...options, entryPoints: { external: 'web/element/define.js' }, plugins });
  await squeeze('external');
  copyFileSync(`${project}/build/page/attention_lesson.wasm`, `${project}/dist/attention_lesson.wasm`);
}

/**
 * A script that is both classic and module.
 *
 * @param {string} name  of the file in dist/, without its extension
 * @param {string} contents
 */
async function buildScript(name, contents) {
  const stdin = { contents, resolveDir: `${project}/web` };
  const outfile = `dist/${name}.js`;
  await esbuild.build({ ...options, entryPoints: undefined, outdir: undefined, stdin, outfile, format: 'iife' });
  await squeeze(name, false);
}

/**
 * A sibling script of the widget's, which stores something in a global registry of the page.
 *
 * @param {string} name  of the file in dist/, without its extension
 * @param {string} contents
 */
async function buildSibling(name, contents) {
  await buildScript(name, contents);
  writeFileSync(`${project}/dist/${name}.d.ts`, 'export {};\n');
}

/**
 * Each language as a script, both classic and module, which stores its messages in the registry that every widget of the
 * page reads.
 */
export async function buildLanguages() {
  for (const name of languages) {
    const registry = "(globalThis[Symbol.for('attention-widget.messages')] ??= {})";
    await buildSibling(
      `messages/${name}`,
      `import texts from './language/messages/${name}.js'; ${registry}['${name}'] = texts;
      import { inRegion } from './language/region.js'; globalThis[Symbol.for('attention-widget.region')] = inRegion;`,
    );
  }
}

export async function buildSiblings() {
  for (const [name, source] of Object.entries(siblings)) {
    const registry = `globalThis[Symbol.for('attention-widget.${name}')]`;
    await buildSibling(name, `import * as exported from './${source}'; ${registry} = exported;`);
  }
}

/** The scripts of talks, of the teacher's pages and of packages for learning platforms. */
export async function buildTeacherScripts() {
  await buildSibling('present', "import { start } from './teacher/present.js'; start();");
  for (const [name, source] of Object.entries(teacherScripts)) {
    await buildScript(name, `import { start } from './${source}'; start();`);
  }
}

/** The commands, which are for Node alone. */
async function buildCommands() {
  await esbuild.build({
    ...options,
    entryPoints: {
      'picture-command': 'web/export/picture-command.js',
      'lesson-command': 'web/teacher/lesson-command.js',
    },
    minify: true,
    platform: 'node',
  });
}

/** The scripts that contain the whole widget in another form. */
async function buildForms() {
  const wrapped = { ...options, minify: true, plugins: [builtWidget] };
  // A notebook runs this module out of a text: nothing lies beside it.
  const inject = Object.keys(siblings).map((name) => `dist/${name}.js`);
  await esbuild.build({ ...wrapped, inject, entryPoints: { anywidget: 'web/hosts/anywidget.js' } });
  await squeeze('anywidget');
  for (const name of /** @type {(keyof typeof classicScripts)[]} */ (Object.keys(classicScripts))) {
    await buildClassic(name);
  }
}

/** A classic script around the built widget. @param {keyof typeof classicScripts} name */
export async function buildClassic(name) {
  const { source, beside } = classicScripts[name];
  const wrapped = { ...options, minify: true, plugins: [builtWidget] };
  await esbuild.build({ ...wrapped, ...findingBeside(beside), format: 'iife', entryPoints: { [name]: source } });
  await squeeze(name, false);
}

export async function build() {
  buildEngine();
  rmSync(`${project}/dist`, { recursive: true, force: true });
  mkdirSync(`${project}/dist`);
  await buildLanguages();
  await buildSiblings();
  await esbuild.build(options);
  for (const name of Object.keys(entryPoints)) {
    await squeeze(name);
  }
  await buildExternal();
  await buildForms();
  await buildCommands();
  await buildTeacherScripts();
  copyPages();
  await buildLessonPages();
  supplyLessons(Object.keys(siblings));
  for (const folder of ['dist', 'dist/lessons']) {
    writeFileSync(`${project}/${folder}/third-party-licences.txt`, bundledLicences());
  }
  writeClientEntry();
  buildDeclarations();
  // They import what has been written above.
  const { lessonSchema } = await import('./schema.mjs');
  const { customElementsManifest } = await import('./manifest.mjs');
  writeFileSync(`${project}/dist/lesson.schema.json`, JSON.stringify(lessonSchema(), null, 2));
  const declaration = readFileSync(`${project}/dist/types/element/attention-widget.d.ts`, 'utf8');
  writeFileSync(`${project}/dist/custom-elements.json`, JSON.stringify(customElementsManifest(declaration), null, 2));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build();
    console.log('dist/ is built.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
