// Builds dist/: the WebAssembly module by CMake, then one JavaScript file for each way in, with the module's bytes in it.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { minify } from 'terser';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Each file of dist/ that a page or a program may import, and the source it starts from. */
const entryPoints = {
  'attention-widget': 'web/define.js',
  element: 'web/attention-widget.js',
  engine: 'web/engine.js',
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

/** @type {esbuild.BuildOptions} */
export const options = {
  absWorkingDir: project,
  entryPoints,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  plugins: [styleSheetAsText, engineAsText],
  logLevel: 'warning',
};

/** Compiles the engine. CMake does nothing where nothing changed, and what it says is shown only when it fails. */
export function buildEngine() {
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

/** Copies what the lesson page needs beside the widget. */
export function copyPage() {
  for (const file of ['index.html', 'page.css']) {
    copyFileSync(`${project}/web/${file}`, `${project}/dist/${file}`);
  }
}

/**
 * Minifies again what esbuild has minified: terser looks further and finds another 3 %.
 *
 * @param {string} path
 */
async function squeeze(path) {
  const options = { module: true, ecma: /** @type {const} */ (2020), compress: { passes: 3 } };
  const { code } = await minify(readFileSync(path, 'utf8'), options);
  writeFileSync(path, code ?? '');
}

export async function build() {
  buildEngine();
  rmSync(`${project}/dist`, { recursive: true, force: true });
  mkdirSync(`${project}/dist`);
  await esbuild.build(options);
  for (const name of Object.keys(entryPoints)) {
    await squeeze(`${project}/dist/${name}.js`);
  }
  copyPage();
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
