// The packed package as its users get it: `npm pack`, unpacked into the node_modules of a folder of its own, and served.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

export const project = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} command @param {string[]} options @param {string} [folder] */
export function run(command, options, folder = project) {
  const { status, stdout, stderr } = spawnSync(command, options, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${options.join(' ')} fails:\n${stdout}${stderr}`);
  return stdout;
}

/** A lesson's folder, with the package and nothing else in its node_modules. */
export const folder = mkdtempSync(join(tmpdir(), 'attention-hosts-'));

/** The unpacked package. */
export const installed = join(folder, 'node_modules/attention-widget');

mkdirSync(installed, { recursive: true });
const [{ filename }] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]));

/** The packed package. */
export const tarball = join(folder, filename);

run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);

export const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

/** Finds the package's files as a program in the folder would. */
export const { resolve } = createRequire(join(folder, 'lesson.js'));

/** @param {string} path  in the folder @param {string} text */
export function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Puts a package of tests/hosts/ beside the widget. @param {string} name */
export function addPackage(name) {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) {
    symlinkSync(fileURLToPath(new URL(`node_modules/${name}`, import.meta.url)), place);
  }
}

/** @param {string} title @param {string} head @param {string} body */
export function html(title, head, body) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;
}

const contentTypes = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
});

/** Headers of some files, by path. @type {Map<string, Record<string, string>>} */
export const headers = new Map();

function startServer() {
  return createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      const type = contentTypes[extname(path)] ?? 'application/octet-stream';
      const body = await readFile(join(folder, path));
      response.writeHead(200, { 'content-type': type, ...headers.get(path) }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
}

const servers = [startServer(), startServer()];

/** Where the folder is served: twice, so that a page can meet a stranger. @type {string[]} */
export const origins = [];

before(async () => {
  for (const server of servers) {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    origins.push(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`);
  }
});

after(() => {
  for (const server of servers) {
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

/**
 * There is a widget, it shows its picture, and its toggle works.
 *
 * @param {Page | Frame} page
 */
export async function expectWorkingWidget(page) {
  const widget = page.locator('attention-widget').first();
  const state = () =>
    widget.evaluate(async (element) => {
      const { updated } = /** @type {any} */ (element);
      await updated;
      const { state, result } = /** @type {any} */ (element);
      return { divisor: state.divisor, dK: state.dK, peak: result?.metrics.peak[state.row] };
    });
  await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
  const before = await state();
  assert.equal(before.divisor, 'sqrt');
  await widget.locator('[part="toggle"]').click();
  const after = await state();
  assert.equal(after.divisor, 'none');
  assert.ok(after.dK === before.dK && after.peak > before.peak, 'without the divisor the peak is higher');
  assert.ok(await widget.locator('.cell').first().isVisible());
}
