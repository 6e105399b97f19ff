// Elements, texts and symbols.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { h, mathNodes, setAttribute, setMath, setText } from '../../../web/views/dom.js';
import { every, textOf } from './support.mjs';

test('a child that is a text is text, and an attribute that is false is left out', () => {
  const element = h(
    'p',
    { class: 'x', hidden: true, title: false, 'data-n': 0 },
    '<b>',
    h('i', {}, '&'),
    null,
    undefined,
  );
  assert.equal(element.innerHTML, '&lt;b&gt;<i>&amp;</i>');
  assert.deepEqual(
    ['class', 'hidden', 'title', 'data-n'].map((name) => element.getAttribute(name)),
    ['x', '', null, '0'],
  );
});

test('an attribute that is a function listens', () => {
  let clicks = 0;
  const button = h('button', { click: () => clicks++ });
  button.click();
  assert.equal(clicks, 1);
  assert.equal(button.hasAttribute('click'), false);
});

test('symbols are set as symbols, and markup in a formula stays text', () => {
  const root = h('p', {}, ...mathNodes('÷ √d_k of <b>d_k</b>'));
  assert.equal(textOf(root), '÷ √dk of <b>dk</b>');
  assert.equal(every(root, 'sub').length, 2);
  assert.equal(every(root, 'b').length, 0);
  const power = h('p', {}, ...mathNodes('e^{−0.30}'));
  assert.equal(textOf(power.querySelector('sup') ?? power), '−0.30');
  assert.equal(every(h('p', {}, ...mathNodes('one^{two} d_K ad_k')), 'sub, sup').length, 0, 'words are left alone');
});

test('what did not change is not written', () => {
  const element = h('p', {}, 'text');
  const node = element.firstChild;
  setText(element, 'text');
  assert.equal(element.firstChild, node);
  setText(element, 'other');
  assert.equal(textOf(element), 'other');
  assert.equal(element.firstChild, node, 'in the same node, which need not be styled anew');
  setText(element, '');
  assert.equal(textOf(element), '');
  element.replaceChildren('a', h('b', {}, 'c'));
  setText(element, 'ac');
  assert.equal(element.innerHTML, 'ac');
  setMath(element, 'd_k');
  const symbol = element.firstElementChild;
  setMath(element, 'd_k');
  assert.equal(element.firstElementChild, symbol);
  setAttribute(element, 'data-x', true);
  assert.equal(element.getAttribute('data-x'), '');
  setAttribute(element, 'data-x', null);
  assert.equal(element.hasAttribute('data-x'), false);
});
