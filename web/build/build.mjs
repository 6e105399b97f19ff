// Builds dist/: the WebAssembly modules by CMake, one JavaScript file for each way in, with the module's bytes in it, and
// what the package tells tools about them: types and a manifest.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { minify } from 'terser';
import { buildDeclarations } from './declarations.mjs';
import { writeSettings } from './settings.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Each file of dist/ that a page or a program may import, and the source it starts from. */
const entryPoints = {
  'attention-widget': 'web/element/define.js',
  element: 'web/element/attention-widget.js',
  engine: 'web/engine/engine.js',
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
 * The module's bytes become a text that engine.js unpacks. Compressed before they are written as text they travel at
 * about their compressed size; as plain base64 a server's gzip would leave them a third larger.
 */
const engineAsText = {
  name: 'engine-as-text',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, ({ path }) => {
      const { status, stdout, stderr } = spawnSync('zopfli', ['--zlib', '--i15', '-c', path], { maxBuffer: 2 ** 24 });
      if (status !== 0) {
        throw new Error(`zopfli could not compress the module: ${stderr}`);
      }
      return { contents: stdout.toString('base64'), loader: 'text' };
    });
  },
};

/** Every language but English: the files beside its own. */
export const languages = readdirSync(`${project}/web/language/messages`)
  .map((file) => file.replace(/\.js$/, ''))
  .filter((name) => name !== 'en');

/** Where the languages' files are, written so that bundlers that know such addresses take them along. */
const languageFiles = {
  name: 'language-files',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    const files = languages.map((name) => `'${name}': () => new URL('./messages/${name}.js', import.meta.url).href`);
    build.onResolve({ filter: /^#languages$/ }, ({ path }) => ({ path, namespace: 'generated' }));
    build.onLoad({ filter: /./, namespace: 'generated' }, () => ({ contents: `export default { ${files} }` }));
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
  },
  entryPoints,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  plugins: [styleSheetAsText, engineAsText, languageFiles],
  logLevel: 'warning',
};

/** In the widget what is not code comes first: gzip packs it and the code better for keeping them apart. */
export const textsFirst = { inject: ['web/language/language.js', 'web/element/styles.js'] };

/** Writes the table of settings and compiles the engine. CMake does nothing where nothing changed, and what it says is shown only when it fails. */
export function buildEngine() {
  writeSettings();
  for (const step of [
    ['--preset', 'page'],
    ['--build', '--preset', 'page'],
  ]) {
    const { status, stdout, stderr } = spawnSync('cmake', step, { cwd: project, encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`The engine does not compile:\n${stdout}${stderr}`);
    }
  }
}

/** What needs no building, and its place in dist/: the lesson page and the page for frames. */
export const pages = {
  'web/page/index.html': 'index.html',
  'web/page/page.css': 'page.css',
  'web/hosts/embed/embed.html': 'embed/embed.html',
};

/** Copies the pages that need no building. */
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

/** The files that wrap the widget take it as it is in dist/ already. */
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
 * A classic script has no import.meta: what lies in dist/ is found from its script element.
 *
 * @param {string} address  JavaScript: an address in dist/, given the script's own
 * @returns {esbuild.BuildOptions}
 */
const findingBeside = (address) => ({
  define: { 'import.meta.url': 'besideAddress' },
  banner: { js: `const scriptAddress=globalThis.document?.currentScript?.src,besideAddress=${address};` },
});

/** None of the code reads a property for what that does beside. */
export const compress = { passes: 3, unsafe_arrows: true, pure_getters: true, lhs_constants: false };

/** The bytes of a module in a script. */
const packedModule = /"[\w+/=]{9000,}"/;

/**
 * Minifies again what esbuild has minified: terser looks further and finds another 3 %. A module's bytes move to the end:
 * elsewhere gzip writes them and the code around them in one code of lengths, which fits neither.
 *
 * @param {string} name  of a file in dist/, without its extension
 * @param {boolean} [module]  whether it is one; else a classic script, which a page of another encoding reads as UTF-8
 *   for the mark at its start
 */
async function squeeze(name, module = true) {
  const path = `${project}/dist/${name}.js`;
  const options = { module, ecma: /** @type {const} */ (2020), compress };
  const source = readFileSync(path, 'utf8');
  const [bytes] = packedModule.exec(source) ?? [];
  const { code = '' } = await minify(source.replace(packedModule, '(packedModule())'), options);
  const whole = bytes === undefined ? code : `${code}function packedModule(){return${bytes}}`;
  writeFileSync(path, module ? whole : `\ufeff(()=>{${whole}})();`);
}

/** The widget without its module's bytes, and the module beside it. */
async function buildExternal() {
  const plugins = [engineBeside, styleSheetAsText, languageFiles];
  await esbuild.build({ ...options, ...textsFirst, entryPoints: { external: 'web/element/define.js' }, plugins });
  await squeeze('external');
  copyFileSync(`${project}/build/page/attention_lesson.wasm`, `${project}/dist/attention_lesson.wasm`);
}

/**
 * A script beside the widget's, classic and module alike, which leaves something on a shelf of the page's.
 *
 * @param {string} name  of the file in dist/, without its extension
 * @param {string} contents
 */
async function buildBeside(name, contents) {
  const stdin = { contents, resolveDir: `${project}/web` };
  const outfile = `dist/${name}.js`;
  await esbuild.build({ ...options, entryPoints: undefined, outdir: undefined, stdin, outfile, format: 'iife' });
  await squeeze(name, false);
  writeFileSync(`${project}/dist/${name}.d.ts`, 'export {};\n');
}

/**
 * A language as a script that is classic and module alike: it leaves its texts where every widget of the page looks for
 * them.
 */
export async function buildLanguages() {
  for (const name of languages) {
    const shelf = "(globalThis[Symbol.for('attention-widget.messages')] ??= {})";
    await buildBeside(
      `messages/${name}`,
      `import texts from './language/messages/${name}.js'; ${shelf}['${name}'] = texts;`,
    );
  }
}

/** What draws pictures as files, likewise. */
async function buildPicture() {
  const shelf = "globalThis[Symbol.for('attention-widget.picture')]";
  await buildBeside('picture', `import * as picture from './export/picture.js'; ${shelf} = picture;`);
}

/** The command, which is for Node alone. */
async function buildCommand() {
  await esbuild.build({
    ...options,
    entryPoints: { 'picture-command': 'web/export/picture-command.js' },
    platform: 'node',
  });
}

/** What has the whole widget inside, in another form. */
async function buildForms() {
  const wrapped = { ...options, plugins: [builtWidget] };
  await esbuild.build({ ...wrapped, entryPoints: { anywidget: 'web/hosts/anywidget.js' } });
  await squeeze('anywidget');
  for (const [name, { source, beside }] of Object.entries(classicScripts)) {
    await esbuild.build({ ...wrapped, ...findingBeside(beside), format: 'iife', entryPoints: { [name]: source } });
    await squeeze(name, false);
  }
}

export async function build() {
  buildEngine();
  rmSync(`${project}/dist`, { recursive: true, force: true });
  mkdirSync(`${project}/dist`);
  await esbuild.build({ ...options, ...textsFirst });
  for (const name of Object.keys(entryPoints)) {
    await squeeze(name);
  }
  await buildExternal();
  await buildForms();
  await buildCommand();
  await buildLanguages();
  await buildPicture();
  copyPages();
  buildDeclarations();
  // It imports what has been written above.
  const { customElementsManifest } = await import('./manifest.mjs');
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
