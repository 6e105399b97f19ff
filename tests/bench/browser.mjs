// Chromium, and a small server of the pages and files that are measured in it.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { options } from '../../web/build/build.mjs';
import { launchChromium } from '../browser/engines/chromium.mjs';

export const project = fileURLToPath(new URL('../../', import.meta.url));

const packages = `${project}/tests/bench/node_modules`;

/** @type {Record<string, string>} the folder or file that each path of the server stands for */
const places = {
  '/dist/': `${project}/dist/`,
  '/peers/ort': `${packages}/onnxruntime-web/dist/ort`,
  '/peers/tfjs': `${packages}/@tensorflow/tfjs-backend-wasm/dist/tfjs`,
  '/peak.wasm': `${project}/build/wasm/tests/attention_peak.wasm`,
};

/** @type {Record<string, string>} */
const contentTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** @type {Map<string, string>} pages and scripts that are in no file, by path */
const served = new Map();

const server = createServer(async ({ url = '/' }, response) => {
  const type = contentTypes[extname(url)] ?? contentTypes['.html'];
  const place = Object.keys(places).find((prefix) => url.startsWith(prefix));
  try {
    const body =
      served.get(url) ?? (await readFile(place === undefined ? '' : places[place] + url.slice(place.length)));
    response.writeHead(200, { 'content-type': type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});

/** A text under a path of its own. @param {string} path @param {string} text */
export function serve(path, text) {
  served.set(path, text);
}

/**
 * Serves a page around some markup.
 *
 * @param {string} path
 * @param {string} markup
 */
export function servePage(path, markup) {
  serve(path, `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>${markup}</html>`);
}

/**
 * A script of the folder page/ with all that it imports.
 *
 * @param {string} name
 * @param {string} [first]  what runs before everything else
 */
export async function bundle(name, first = '') {
  const { outputFiles } = await esbuild.build({
    ...options,
    alias: { ...options.alias, 'attention-widget/engine': `${project}/dist/engine.js` },
    entryPoints: [`${project}/tests/bench/page/${name}.js`],
    banner: { js: first },
    write: false,
  });
  return outputFiles[0].text;
}

/**
 * A browser for as long as the body takes.
 *
 * @param {(browser: import('playwright-core').Browser, origin: string) => Promise<void>} body
 */
export async function withBrowser(body) {
  // It would start a process for the page after this one, beside it: of two cores that takes one.
  const browser = await launchChromium('--disable-features=SpareRendererForSitePerProcess');
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    await body(browser, `http://127.0.0.1:${port}`);
  } finally {
    await browser.close();
    server.close();
  }
}
