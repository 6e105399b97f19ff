// A lesson's prose and the engine: reads the numbers and claims out of a page, and finds where the two disagree.
//
//   <data value="8.6" data-claim="lesson --d-k 64 --divisor none; spread">8.6</data>   what the program `attention` gives
//   <data value="2981" data-formula="exp(8)" data-rounded>2981</data>                   plain arithmetic
//   <span data-given>64</span>                                                          chosen by the text, not found
//
// A number is right when the engine's rounds to it at the digits that are written. A whole number is meant exactly, unless
// `data-rounded` says otherwise. Words are compared as they are.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadEngine } from 'attention-widget/engine';
import { parseHTML } from 'linkedom';
import { completeState, lessonSettingNames, readSettings, settings } from '../../web/engine/lesson-state.js';

const program = fileURLToPath(new URL('../../build/sanitize/attention', import.meta.url));

/** @param {string} html @returns {Document} */
export const pageOf = (html) => /** @type {any} */ (parseHTML(html).document);

/** What stands in a text: whole words in quotes, or without. @param {string} text */
const wordsOf = (text) => Array.from(text.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare);

/**
 * A number as prose writes it: with a minus, thin or no-break spaces between thousands, a decimal comma or point.
 *
 * @param {string} text
 */
const plainNumber = (text) =>
  text
    .trim()
    .replaceAll(/[\s\u00a0\u202f\u2009]/g, '')
    .replace('−', '-')
    .replace(',', '.');

/** How far a number may lie from the written one: half of its last digit. @param {string} value @param {boolean} isRounded */
function tolerance(value, isRounded) {
  const [, decimals = ''] = value.split('.');
  return decimals === '' && !isRounded ? 1e-9 : 0.5 * 10 ** -decimals.length * (1 + 1e-9);
}

/** Numbers, the four operations, powers, brackets, exp and sqrt: nothing else. @param {string} formula */
export function calculated(formula) {
  if (!/^(\d+(\.\d+)?|exp|sqrt|[-+*/^() ])+$/.test(formula)) {
    throw new Error(`"${formula}" is no formula`);
  }
  const code = formula.replaceAll('^', '**').replaceAll(/exp|sqrt/g, (name) => `Math.${name}`);
  return Number(new Function(`return ${code}`)());
}

/**
 * What a claim asks of the program.
 *
 * @param {Element} data
 * @returns {{call: string[], expected: string[]}}
 */
function claimOf(data) {
  const [, call, name] = /^(.*);\s*([^;']+)$/.exec(data.getAttribute('data-claim') ?? '') ?? [];
  if (name === undefined) {
    throw new Error(`the claim "${data.getAttribute('data-claim')}" is not "call; name"`);
  }
  const value = data.getAttribute('value') ?? '';
  if (!/^-?[\d.]+$/.test(value)) {
    return { call: wordsOf(call), expected: [`${name} == ${value}`] };
  }
  const [number, around] = [Number(value), tolerance(value, data.hasAttribute('data-rounded'))];
  const unit = data.getAttribute('data-unit') === '%' ? 0.01 : 1;
  const bounds = [`${name} >= ${(number - around) * unit}`, `${name} <= ${(number + around) * unit}`];
  return { call: wordsOf(call), expected: data.hasAttribute('data-exactly') ? [`${name} == ${value}`] : bounds };
}

/** @param {Element} element */
const quoted = (element) => `"${element.outerHTML.replaceAll(/\s+/g, ' ')}"`;

/**
 * What the core gives for claims on a state with matrices of its own, which the program has no option for: the same core in
 * WebAssembly, its answers in the program's words.
 *
 * @param {string[]} call
 * @param {string[]} claims
 */
async function failuresOfOwn(call, claims) {
  const given = optionsOf(call);
  const engine = await loadEngine();
  const result = /** @type {any} */ (
    engine.lesson(/** @type {any} */ (readSettings((name) => given.get(name) ?? null)))
  );
  return claims.flatMap((claim) => {
    const [, name, row, column, comparison, expected] =
      /^(\w+)\[(\d+)\](?:\[(\d+)\])? (==|>=|<=) (\S+)$/.exec(claim) ?? [];
    const { data, shape } = result[name] ?? {};
    const found =
      column === undefined ? result.metrics[name]?.[Number(row)] : data?.[Number(row) * shape[1] + Number(column)];
    const bound = Number(expected);
    const holds = comparison === '==' ? found === bound : comparison === '>=' ? found >= bound : found <= bound;
    return holds ? [] : [{ claim, found: String(found) }];
  });
}

/** Options of a call as names and values. @param {string[]} call @returns {Map<string, string>} */
function optionsOf(call) {
  const given = new Map();
  for (let at = 1; at < call.length; at += 2) {
    given.set(call[at].replace(/^--/, ''), call[at + 1]);
  }
  return given;
}

/**
 * How the widget says the program's words, such as "dead", in the language of a page: the text must say them alike.
 *
 * @param {string} lang
 * @returns {Promise<(word: string) => string>}
 */
async function wordsIn(lang) {
  if (lang === '' || lang === 'en') {
    return (word) => word;
  }
  const { default: messages } = await import(`../../web/language/messages/${lang}.js`);
  const known = { ...messages.state, ...messages.gradientState };
  return (word) => known[word] ?? word;
}

/** Where a number and what is said to prove it disagree. @param {Document} page @returns {Promise<string[]>} */
export async function disagreements(page) {
  const faults = [];
  const words = await wordsIn(page.documentElement.lang);
  /** @type {Map<string, {call: string[], claims: Map<string, Element>}>} by call: one run answers all of its claims */
  const calls = new Map();
  for (const data of page.querySelectorAll('[data-claim], [data-formula]')) {
    const value = data.getAttribute('value') ?? '';
    const text = data.textContent ?? '';
    if (/\d/.test(text) ? plainNumber(text) !== value : text.trim() !== words(value)) {
      faults.push(`the text is not the value of ${quoted(data)}`);
    }
    const formula = data.getAttribute('data-formula');
    if (formula !== null) {
      const found = calculated(formula);
      const around = tolerance(value, data.hasAttribute('data-rounded'));
      if (found !== Number(value) && !(Math.abs(found - Number(value)) <= around)) {
        faults.push(`${formula} is ${found}, not ${quoted(data)}`);
      }
      continue;
    }
    const { call, expected } = claimOf(data);
    const key = call.join('\n');
    const known = calls.get(key) ?? { call, claims: new Map() };
    for (const claim of expected) {
      known.claims.set(claim, data);
    }
    calls.set(key, known);
  }
  for (const { call, claims } of calls.values()) {
    if (call.some((word) => ['--edits', '--x', '--wq', '--wk', '--wv'].includes(word))) {
      for (const { claim, found } of await failuresOfOwn(call, Array.from(claims.keys()))) {
        faults.push(`it is ${found}, and the text says ${quoted(/** @type {Element} */ (claims.get(claim)))}`);
      }
      continue;
    }
    const options = Array.from(claims.keys()).flatMap((claim) => ['--expect', claim]);
    const { status, stdout, stderr } = spawnSync(program, [...call, ...options], { encoding: 'utf8' });
    if (status !== 0 && status !== 1) {
      faults.push(`attention ${call.join(' ')}: ${stderr.trim() || status}`);
    }
    for (const [, claim, found] of stdout.matchAll(/^FAILS: (.*) {2}\(it is (.*)\)$/gm)) {
      faults.push(`it is ${found}, and the text says ${quoted(/** @type {Element} */ (claims.get(claim)))}`);
    }
  }
  return faults;
}

/** What the text of a page may hold without proof: what is no prose, and what the author has chosen. */
const proven = '[data-claim], [data-formula], [data-given], code, pre, script, style';

/** Whether a link that drives a widget says a number because it sets it. @param {Element | null} link @param {string} number */
const isSetBy = (link, number) =>
  link !== null && Array.from(link.attributes).some(({ value }) => value.split(/\s+/).includes(number));

/** The numbers that nothing proves, in texts and in what stands for pictures. @param {Document} page @returns {string[]} */
export function unproven(page) {
  const faults = [];
  const walker = page.createTreeWalker(/** @type {Element} */ (page.querySelector('main')), 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = /** @type {Element} */ (node.parentElement);
    for (const [number] of (node.nodeValue ?? '').matchAll(/\d[\d.,]*/g)) {
      const plain = number.replace(/[.,]$/, '');
      if (parent.closest(proven) === null && !isSetBy(parent.closest('[data-attention-for]'), plain)) {
        faults.push(`"${plain}" in "${(node.nodeValue ?? '').trim().replaceAll(/\s+/g, ' ')}"`);
      }
    }
  }
  for (const image of page.querySelectorAll('[alt]')) {
    if (/\d/.test(image.getAttribute('alt') ?? '')) {
      faults.push(`a number in ${quoted(image)}`);
    }
  }
  return faults;
}

/** What does not change the numbers of a lesson. */
const looks = ['row'];

/** @param {(attribute: string) => string | null | undefined} read */
function numbersOf(read) {
  const state = completeState(/** @type {any} */ (readSettings((name) => read(name) ?? null)));
  return JSON.stringify(lessonSettingNames.filter((name) => !looks.includes(name)).map((name) => state[name]));
}

/** The numbers of the states that a section's widgets show, as they open and after each link. @param {Element | null} section */
function statesOf(section) {
  const shown = new Set();
  for (const widget of section?.querySelectorAll('attention-widget') ?? []) {
    shown.add(numbersOf((name) => widget.getAttribute(name)));
    for (const link of section?.querySelectorAll(`[data-attention-for="${widget.id}"]`) ?? []) {
      shown.add(numbersOf((name) => link.getAttribute(`data-${name}`) ?? widget.getAttribute(name)));
    }
  }
  return shown;
}

/**
 * The claims on a state that no widget and no link of their section shows, or of the section of another lesson that they name by
 * `data-elsewhere`.
 *
 * @param {Document} page
 * @param {(name: string) => Document} [open]  another lesson
 * @returns {string[]}
 */
export function unseen(page, open = () => page) {
  const faults = [];
  for (const section of page.querySelectorAll('section')) {
    const own = statesOf(section);
    for (const data of section.querySelectorAll('[data-claim^="lesson"]')) {
      const [file, id] = data.getAttribute('data-elsewhere')?.split('#') ?? [];
      const shown = file === undefined ? own : statesOf(open(file).getElementById(id));
      const given = optionsOf(wordsOf((data.getAttribute('data-claim') ?? '').replace(/;[^;']*$/, '')));
      if (!shown.has(numbersOf((name) => given.get(name)))) {
        faults.push(`nothing in #${section.id} shows ${quoted(data)}`);
      }
    }
  }
  return faults;
}

/** Every setting that a link may write, by its attribute. */
const attributes = Object.values(settings).map(({ attribute }) => attribute);

/**
 * Links whose state would depend on which link was followed before: each must set what another link of the same widget sets.
 *
 * @param {Document} page
 * @returns {string[]}
 */
export function dependent(page) {
  const faults = [];
  for (const widget of page.querySelectorAll('attention-widget')) {
    const links = Array.from(page.querySelectorAll(`[data-attention-for="${widget.id}"]`));
    const all = attributes.filter((name) => links.some((link) => link.hasAttribute(`data-${name}`)));
    for (const link of links) {
      const missing = all.filter((name) => !link.hasAttribute(`data-${name}`));
      if (missing.length > 0) {
        faults.push(`${quoted(link)} leaves ${missing.join(', ')} as it was`);
      }
    }
  }
  return faults;
}
