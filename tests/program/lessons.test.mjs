// The lessons' prose against the engine: every number is claimed, every claim holds, every state can be seen. Covers
// web/lessons/*.html.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { calculated, dependent, disagreements, pageOf, unproven, unseen } from './prose.mjs';

const folder = new URL('../../web/lessons/', import.meta.url);
const lessons = readdirSync(folder).filter((name) => name.endsWith('.html') && !name.startsWith('index.'));

/** @param {string} name */
const open = (name) => pageOf(readFileSync(new URL(name, folder), 'utf8'));

test('there are lessons, and each makes claims', () => {
  assert.ok(lessons.length >= 2);
  for (const name of lessons) {
    const page = open(name);
    assert.ok(page.querySelectorAll('[data-claim]').length >= 20, name);
  }
});

/** What a page shows and claims, whatever its language: sections, links, widgets, pictures, claims, questions. @param {Document} page */
const bones = (page) =>
  Array.from(page.querySelectorAll('section'), (section) => ({
    id: section.id,
    claims: Array.from(
      section.querySelectorAll('[data-claim], [data-formula]'),
      (data) =>
        `${data.getAttribute('value')}: ${data.getAttribute('data-claim') ?? data.getAttribute('data-formula')}`,
    ).sort(),
    links: Array.from(section.querySelectorAll('[data-attention-for]'), (link) =>
      Array.from(link.attributes, ({ name, value }) => `${name}=${value.replaceAll(/\s+/g, ' ')}`)
        .filter((each) => each.startsWith('data-'))
        .sort()
        .join(),
    ).sort(),
    widgets: Array.from(section.querySelectorAll('attention-widget'), (widget) => widget.outerHTML),
    pictures: Array.from(section.querySelectorAll('[data-picture]'), (image) =>
      (image.getAttribute('data-picture') ?? '').replace(/ ?--lang \S+$/, ''),
    ),
    formulas: section.querySelectorAll('math').length,
    paragraphs: section.querySelectorAll('p, li, td, th, caption, figcaption, summary, h2, h3').length,
    boxes: section.querySelectorAll('.box').length,
  }));

test('every lesson is there in each language, with the same sections, states, numbers and questions', () => {
  for (const name of ['self-attention', 'scaled-dot-product']) {
    for (const language of ['es', 'zh-CN']) {
      const page = open(`${name}.${language}.html`);
      assert.equal(page.documentElement.lang, language);
      assert.deepEqual(bones(page), bones(open(`${name}.html`)), `${name}.${language}`);
      for (const image of page.querySelectorAll('[data-picture]')) {
        assert.ok(image.getAttribute('data-picture')?.endsWith(`--lang ${language}`), image.outerHTML);
      }
    }
  }
});

for (const name of lessons) {
  const page = open(name);

  test(`${name}: the engine gives every number that the prose writes`, async () => {
    assert.deepEqual(await disagreements(page), []);
  });

  test(`${name}: no number of the prose is without its claim`, () => {
    assert.deepEqual(unproven(page), []);
  });

  test(`${name}: every state that a number is of is shown by a widget or a link of its section`, () => {
    assert.deepEqual(unseen(page, open), []);
  });

  test(`${name}: what a link shows does not depend on the links that were followed before`, () => {
    assert.deepEqual(dependent(page), []);
  });
}

test('the paragraph that the README shows is held to the same', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, example] = /```html\n((?:(?!```)[\s\S])*data-claim(?:(?!```)[\s\S])*)```/.exec(readme) ?? [];
  const page = sectionOf(example ?? '');
  assert.equal(page.querySelectorAll('[data-claim]').length, 1);
  assert.deepEqual(await disagreements(page), []);
  assert.deepEqual([...unproven(page), ...unseen(page), ...dependent(page)], []);
});

/** @param {string} markup */
const sectionOf = (markup) =>
  pageOf(`<!doctype html><html><body><main><section id="s">${markup}</section></main></body></html>`);
const collapsed = 'lesson --d-k 64 --divisor none;';

test('a number that the engine does not round to is found, with what it is', async () => {
  const [fault, ...others] = await disagreements(
    sectionOf(`<data value="8.7" data-claim="${collapsed} spread">8.7</data>
      <data value="8.6" data-claim="${collapsed} spread">8.6</data>`),
  );
  assert.match(fault, /^it is 8\.59\d+, and the text says "<data value="8\.7"/);
  assert.deepEqual(others, []);
});

test('a text that is not its value, a wrong word, a whole number that is not whole and a wrong formula are found', async () => {
  for (const [markup, message] of /** @type {const} */ ([
    [`<data value="8.6" data-claim="${collapsed} spread">6.8</data>`, /^the text is not the value/],
    [
      `<data value="saturated (one-hot)" data-claim="${collapsed} state[1]">saturada</data>`,
      /^the text is not the value/,
    ],
    [`<data value="diffuse" data-claim="${collapsed} state[1]">diffuse</data>`, /^it is saturated \(one-hot\)/],
    [`<data value="9" data-claim="${collapsed} spread">9</data>`, /^it is 8\.59/],
    ['<data value="2980" data-formula="exp(8)" data-rounded>2980</data>', /^exp\(8\) is 2980\.95/],
    ['<data value="1" data-claim="lesson --d-k nine; spread">1</data>', /^attention lesson --d-k nine: /],
    ['<data value="1" data-claim="lesson; nothing[1]">1</data>', /names 'nothing'/],
  ])) {
    const faults = await disagreements(sectionOf(markup));
    assert.equal(faults.length, 1, markup);
    assert.match(faults[0], message);
  }
});

test('a number without a claim is found in text, formula and picture; given, driven and quoted ones are not', () => {
  const page = sectionOf(`<p>It is 7.25.</p> <math><mn>3</mn></math> <img alt="12 cells"> <span data-given>64</span>
    <code>exp(9)</code> <a data-attention-for="w" data-d-k="40">at 40, not at 41</a> <data value="5" data-formula="2+3">5</data>`);
  assert.deepEqual(
    unproven(page).map((fault) => /\d[\d.]*/.exec(fault)?.[0]),
    ['7.25', '3', '41', '12'],
  );
});

test('a claim on a state that nothing in its section shows is found', () => {
  const claim = `<data value="8.6" data-claim="${collapsed} spread">8.6</data>`;
  const link = '<a data-attention-for="w" data-d-k="64" data-divisor="none">collapse</a>';
  assert.equal(unseen(sectionOf(`${claim}<attention-widget id="w"></attention-widget>`)).length, 1);
  const there = claim.replace('<data', '<data data-elsewhere="other.html#s"');
  const other = sectionOf(`${link}<attention-widget id="w"></attention-widget>`);
  assert.deepEqual(
    unseen(sectionOf(there), () => other),
    [],
  );
  assert.equal(unseen(sectionOf(there), () => sectionOf('')).length, 1);
  assert.deepEqual(unseen(sectionOf(`${claim}${link}<attention-widget id="w"></attention-widget>`)), []);
  assert.deepEqual(
    unseen(sectionOf(`${claim}<attention-widget id="w" d-k="64" divisor="none"></attention-widget>`)),
    [],
  );
});

test('a link that leaves what another one changes is found', () => {
  const widget = '<attention-widget id="w"></attention-widget>';
  const both = '<a data-attention-for="w" data-d-k="64" data-divisor="none"></a>';
  assert.equal(dependent(sectionOf(`${widget}${both}<a data-attention-for="w" data-d-k="2"></a>`)).length, 1);
  assert.deepEqual(dependent(sectionOf(`${widget}${both}${both}`)), []);
});

test('formulas know powers and functions, and run no code', () => {
  assert.equal(calculated('2048*2048*4/2^20'), 16);
  assert.equal(calculated('sqrt(64)'), 8);
  assert.throws(() => calculated('process.exit()'), /is no formula/);
});
