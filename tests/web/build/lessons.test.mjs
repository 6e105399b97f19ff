// The folder of the lessons is whole: it can be copied anywhere. Covers build/lessons.mjs.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseHTML } from 'linkedom';
import { siblings } from '../../../web/build/build.mjs';
import { picturesIn } from '../../../web/build/lessons.mjs';

const built = fileURLToPath(new URL('../../../dist/lessons/', import.meta.url));
const written = fileURLToPath(new URL('../../../web/lessons/', import.meta.url));
const pages = readdirSync(built).filter((name) => name.endsWith('.html'));

/** @param {string} name @returns {Document} */
const open = (name) => /** @type {any} */ (parseHTML(readFileSync(built + name, 'utf8')).document);

test('every file and section that a page names is in the folder', () => {
  const names = ['index', 'scaled-dot-product', 'self-attention'];
  assert.deepEqual(
    new Set(pages),
    new Set(names.flatMap((name) => ['', '.es', '.zh-CN'].map((language) => `${name}${language}.html`))),
  );
  for (const name of pages) {
    const page = open(name);
    for (const element of page.querySelectorAll('[src], [href], [data-workbench]')) {
      const address = ['src', 'href', 'data-workbench']
        .map((each) => element.getAttribute(each))
        .find((each) => each !== null);
      const [file, section] = String(address).split('#');
      assert.ok(!/^([a-z]+:|\/|\.\.)/.test(file), `${name} names ${address}, which is outside`);
      assert.ok(existsSync(built + (file || name)), `${name} names ${file}, which is not there`);
      if (section !== undefined) {
        assert.ok(open(file || name).getElementById(section), `${name} names ${address}`);
      }
    }
  }
});

test('whatever the widget may ask for lies beside the pages', () => {
  const asked = readFileSync(`${built}attention-widget.classic.js`, 'utf8').matchAll(/new URL\("\.\/([\w/-]+\.js)"/g);
  const files = Array.from(asked, ([, file]) => file);
  assert.ok(files.includes('exchange.js') && files.includes('messages/es.js'));
  for (const file of files) {
    assert.ok(existsSync(built + file), file);
  }
});

test('pages are those of web/lessons, and no script of the widget takes the name of one of theirs', () => {
  const own = readdirSync(written).filter((name) => /\.(html|css|js|svg)$/.test(name));
  assert.ok(own.includes('lesson.js'));
  for (const file of own) {
    assert.ok(!Object.keys(siblings).includes(file.replace(/\.js$/, '')), file);
    if (/\.(html|svg)$/.test(file)) {
      assert.ok(readFileSync(built + file).equals(readFileSync(written + file)), file);
    }
  }
});

test('a page holds no script and no style of its own, and asks for the strict policy', () => {
  for (const name of pages) {
    const page = open(name);
    assert.equal(page.querySelectorAll('style, [style], script:not([src])').length, 0, name);
    const policy = page.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? '';
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
  }
});

test('each picture is the one of the widget’s state, by the package’s command', () => {
  const all = pages.flatMap((name) => picturesIn(readFileSync(built + name, 'utf8')));
  assert.ok(all.length >= 36);
  assert.equal(new Set(all.map(({ file }) => file)).size, all.length, 'two pictures have one name');
  for (const name of pages) {
    assert.equal(
      picturesIn(readFileSync(built + name, 'utf8')).length,
      open(name).querySelectorAll('.paper img').length,
      name,
    );
  }
  for (const { file, options } of all) {
    const picture = readFileSync(built + file, 'utf8');
    assert.match(picture, /^<svg /);
    const width = options.indexOf('--d-k');
    assert.match(picture, new RegExp(`= ${width === -1 ? '(16|2)' : options[width + 1]} `), file);
    assert.equal(
      /not divided|sin dividir|不除/.test(picture),
      options.includes('none') && options.includes('--divisor'),
      file,
    );
  }
});

test('options of pictures are read with their quotes', () => {
  assert.deepEqual(
    picturesIn(`<img src="a.svg" data-picture="--tokens 'two words' --d-k 4"><img src="b.svg" data-picture="">`),
    [
      { file: 'a.svg', options: ['--tokens', 'two words', '--d-k', '4'] },
      { file: 'b.svg', options: [] },
    ],
  );
});
