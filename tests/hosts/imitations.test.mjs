// The element in jsdom, the imitation of a browser that unit tests run in: parts of one are missing there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { resolve } from './support.mjs';

const { JSDOM, VirtualConsole } = createRequire(import.meta.url)('jsdom'); // it has no types

const script = readFileSync(
  resolve('attention-widget').replace('attention-widget.js', 'attention-widget.classic.js'),
  'utf8',
);

/**
 * A page with a widget, and what it says.
 *
 * @param {string} page
 * @param {string} [before]  a script that runs before the widget's
 */
async function open(page, before = '') {
  /** @type {unknown[]} */
  const problems = [];
  const virtualConsole = new VirtualConsole().on('jsdomError', (/** @type {unknown} */ error) => problems.push(error));
  const { window } = new JSDOM(page, { runScripts: 'outside-only', virtualConsole });
  /** @type {any[]} */
  const heard = [];
  window.addEventListener('attention-error', (/** @type {CustomEvent} */ event) => heard.push(event.detail));
  window.eval(before);
  window.eval(script);
  const widget = /** @type {any} */ (window.document.querySelector('attention-widget'));
  await widget.updated;
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { window, widget, heard, problems };
}

test('jsdom: connecting throws nothing; the element says what is missing, keeps its state, and tells the page', async () => {
  for (const head of ['<html lang="en">', '']) {
    const { window, widget, heard, problems } = await open(
      `${head}<attention-widget d-k="24" row="2"></attention-widget>`,
    );
    assert.deepEqual(problems, []);
    const sentence = 'There is no picture here, because CSSStyleSheet.replaceSync is missing.';
    assert.equal(widget.shadowRoot.textContent, sentence);
    assert.deepEqual(
      heard.map(({ message, state }) => ({ message, dK: state.dK })),
      [{ message: sentence, dK: 24 }],
    );
    assert.equal(widget.error.message, sentence);
    assert.equal(widget.result, null);
    widget.tokens = 'a b c';
    widget.remove();
    window.document.body.append(widget);
    await widget.updated;
    assert.deepEqual([widget.state.tokens.join(' '), widget.state.row], ['a b c', 2]);
    assert.deepEqual(problems, []);
    window.close();
  }
});

/** Stands for the parts that jsdom lacks, as a test's setup does. */
const observers = `
  CSSStyleSheet.prototype.replaceSync = function () {};
  window.IntersectionObserver = window.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} };`;

test('jsdom, with what it lacks put in its place: without WebAssembly the element says so', async () => {
  const page = '<html lang="en"><attention-widget></attention-widget>';
  const { widget, heard, problems, window } = await open(page, `${observers} delete globalThis.WebAssembly;`);
  assert.deepEqual(problems, []);
  assert.match(widget.shadowRoot.querySelector('[part="problem"]').textContent, /WebAssembly/);
  assert.equal(heard.length, 1);
  window.close();
});

test('jsdom without an IntersectionObserver: the sentence names it', async () => {
  const page = '<html lang="en"><attention-widget></attention-widget>';
  const { widget, window } = await open(page, 'CSSStyleSheet.prototype.replaceSync = function () {};');
  assert.match(widget.shadowRoot.textContent, /because IntersectionObserver is missing/);
  window.close();
});
