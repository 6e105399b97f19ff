// The page that reads homework back: codes in, a table and a file out. It sends nothing.

import { parseHomework, seedOfName } from '../engine/homework.js';
import { loadLessonEngine } from '../engine/lesson-module.js';
import { completeState } from '../engine/lesson-state.js';
import { parseLink } from '../engine/link.js';
import { saveFile } from '../platform/save-file.js';
import { h } from '../views/dom.js';
import { homeworkTable } from './table.js';
import { translate } from './texts.js';

/** @typedef {import('../engine/homework.js').Homework & {line: number, seed: number, isOwnSeed: boolean}} Row */

/** @param {Row} row @param {ReturnType<typeof translate>} reader */
function cells({ line, student, time, seconds, answers, seed, isOwnSeed, link }, { texts, language }) {
  const right = answers.filter(({ guess, answer }) => guess === answer).length;
  const done = answers.map(({ name, guess, answer, tries }) => {
    const isRight = guess === answer;
    const said = `${isRight ? '✓' : '✗'} ${name}${tries > 1 ? ` ×${tries}` : ''}`;
    return h('span', { class: isRight ? 'right' : 'wrong' }, `${said}  `);
  });
  return [
    h('td', { class: 'number' }, String(line)),
    h('th', { scope: 'row', dir: 'auto' }, student),
    h('td', {}, time.replace('T', ' ').replace('Z', '')),
    h('td', { class: 'number' }, (seconds / 60).toLocaleString(language, { maximumFractionDigits: 1 })),
    h('td', { class: 'number' }, `${right} / ${answers.length}`),
    h('td', {}, ...done),
    h('td', {}, `${seed} `, h('span', { class: 'quiet' }, isOwnSeed ? texts.ownSeed : texts.otherSeed)),
    h('td', {}, h('a', { href: `embed/embed.html?${link}`, target: '_blank', rel: 'noopener' }, texts.open)),
  ];
}

/** Why a line is refused, in the reader's language. @param {import('../engine/engine-error.js').EngineError} error @param {ReturnType<typeof translate>['texts']} texts */
function reason(error, texts) {
  const found = error.problem?.found ?? '';
  return found === 'is missing' ? texts.missing : found === 'is cut off' ? texts.cut : texts.changed;
}

/** Makes the page work. */
export async function start() {
  const reader = translate(document);
  const { texts } = reader;
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
  const codes = /** @type {HTMLTextAreaElement} */ (find('#codes'));
  const save = find('#save');
  const results = find('#results');
  results.role = 'region';
  results.tabIndex = 0; // it scrolls
  results.setAttribute('aria-label', texts.title);
  const engine = await loadLessonEngine();
  /** @type {Row[]} */
  let rows = [];

  const read = () => {
    const lines = codes.value.split(/\r\n|\r|\n/).map((text, index) => ({ text, line: index + 1 }));
    const written = lines.filter(({ text }) => text.trim() !== '');
    /** @type {HTMLElement[]} */
    const refused = [];
    rows = written.flatMap(({ text, line }) => {
      try {
        const homework = parseHomework(engine, text);
        const { seed } = completeState(parseLink(homework.link));
        return [{ ...homework, line, seed, isOwnSeed: seed === seedOfName(engine, homework.student) }];
      } catch (error) {
        refused.push(h('li', {}, `${texts.line(line)} ${reason(/** @type {any} */ (error), texts)}`));
        return [];
      }
    });
    find('#sum').textContent = written.length > 0 ? texts.read(rows.length, written.length) : '';
    find('#refused').replaceChildren(...refused);
    find('tbody').replaceChildren(...rows.map((row) => h('tr', {}, ...cells(row, reader))));
    results.hidden = rows.length === 0;
    save.hidden = results.hidden;
  };
  find('thead tr').replaceChildren(...Object.values(texts.columns).map((column) => h('th', { scope: 'col' }, column)));
  codes.addEventListener('input', read);
  save.addEventListener('click', () =>
    saveFile(new Blob(['\ufeff', homeworkTable(rows)], { type: 'text/csv' }), 'homework.csv'),
  );
  read();
}
