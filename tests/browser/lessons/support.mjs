// What the tests of the lessons share: the pages, and the folder served anywhere with any policy.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve, settled } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

export const folder = fileURLToPath(new URL('../../../dist/lessons/', import.meta.url));
export const lessons = ['self-attention', 'scaled-dot-product'];

/** The same in the other languages. */
export const translations = lessons.flatMap((name) => ['zh-CN', 'es'].map((language) => `${name}.${language}`));

/** What the pages' own policy says, and what a careful server would send with every file. */
export const lessonPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'";

/**
 * The folder of the lessons, served from another place, each file with the given headers.
 *
 * @param {string} at
 * @param {Record<string, string>} headers
 * @returns {(page: string) => string} the address of a page in it, once tests run
 */
export function servedAt(at, headers) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file))) {
    serve(`${at}/${name}`, readFileSync(folder + name, 'utf8'), headers);
  }
  return (page) => serve(`${at}/${page}.html`, readFileSync(`${folder}${page}.html`, 'utf8'), headers);
}

/** @param {Page} page @param {string} address */
export async function openLessonAt(page, address) {
  await page.goto(address);
  await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
  await settled(page);
}
