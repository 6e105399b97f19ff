// Build and verify: an editor for attention_row, and what the assertions say of it. Bundled for the page that has it.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { faultOf, movedOutput } from './assertions.js';
import chinese from './chinese.js';
import english from './english.js';
import { cases, lastTokenChanged, notDivided, rowFrom } from './rows.js';
import { limitMilliseconds, runProgram } from './run.js';
import spanish from './spanish.js';
import starter from './starter.js';

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./rows.js').Case} Case */
/** @typedef {import('./assertions.js').Answer} Answer */

/** The editor speaks the language of its page. */
const texts = { es: spanish, 'zh-CN': chinese }[document.documentElement.lang] ?? english;

const seconds = limitMilliseconds / 1000;
const storageKey = 'attention-lessons.attention_row';
const workerAddress = new URL('workbench-worker.js', /** @type {HTMLScriptElement} */ (document.currentScript).src)
  .href;

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
}

// What the page's own colours are, so that the editor follows its theme.
const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '0.9375rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'transparent', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--soft)' },
});
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--soft)' },
  { tag: [tags.number, tags.bool, tags.string], color: 'var(--good)' },
]);

/** The reader's program of the last visit; where the browser keeps nothing, none. */
function keptProgram() {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** @param {string} program */
function keep(program) {
  try {
    localStorage.setItem(storageKey, program);
  } catch {
    // It is lost with the page, and all else works.
  }
}

/**
 * The core's numbers for each case, from a widget that nobody sees.
 *
 * @param {Case[]} wanted
 * @returns {Promise<Row[]>}
 */
async function rowsFromCore(wanted) {
  const widget = /** @type {any} */ (h('attention-widget', { hidden: '', panels: '' }));
  document.body.append(widget);
  /** @type {Row[]} */
  const rows = [];
  try {
    for (const each of wanted) {
      widget.state = each.settings;
      await widget.updated;
      rows.push(rowFrom(each, widget.state, widget.result));
    }
  } finally {
    widget.remove();
  }
  return rows;
}

/** @param {Row} row @param {{answer: Answer} | {threw: string} | 'endless'} outcome @returns {string | null} */
function faultSentence(row, outcome) {
  if (outcome === 'endless') {
    return texts.endless(seconds);
  }
  if ('threw' in outcome) {
    return texts.threw(outcome.threw);
  }
  const fault = faultOf(row, outcome.answer);
  return fault === null ? null : texts.faults[fault.assertion](fault.values, row);
}

/**
 * Text typed over a selection: left to itself Chromium keeps the look of what was selected by an inline style, which a strict
 * policy forbids and reports.
 *
 * @param {InputEvent} event
 * @param {EditorView} view
 */
function replaceSelection({ inputType, data, isComposing }, view) {
  if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty) {
    return false;
  }
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type' });
  return true;
}

/** @param {Element} place */
function openWorkbench(place) {
  const summary = h('p', { role: 'status' });
  const verdicts = h('ol', { class: 'verdicts' });
  const conclusion = h('div', {});
  const runButton = /** @type {HTMLButtonElement} */ (h('button', { type: 'button' }, texts.run));
  const resetButton = h('button', { type: 'button', class: 'quiet' }, texts.reset);
  const host = h('div', { class: 'editor' });
  place.replaceChildren(
    host,
    h('p', { class: 'on-screen' }, texts.keys),
    h('div', { class: 'row-buttons' }, runButton, resetButton),
    summary,
    verdicts,
    conclusion,
  );

  const runByKey = () => {
    tryProgram();
    return true;
  };

  // In a shadow root the editor's styles are adopted, which a strict policy allows; in the page they would be inline.
  const root = host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: keptProgram() ?? starter,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: runByKey }, ...defaultKeymap, ...historyKeymap]),
        history(),
        lineNumbers(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        bracketMatching(),
        javascript(),
        theme,
        syntaxHighlighting(colours),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.contentAttributes.of({ 'aria-label': texts.label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && keep(state.doc.toString())),
      ],
    }),
  });

  /** @type {Promise<Row[]> | undefined} */
  let coreRows;
  let isRunning = false;

  async function tryProgram() {
    if (isRunning) {
      return;
    }
    isRunning = true;
    runButton.disabled = true;
    summary.textContent = texts.running;
    verdicts.replaceChildren();
    conclusion.replaceChildren();
    try {
      coreRows ??= rowsFromCore([...cases, ...lastTokenChanged, notDivided]);
      await report(await coreRows);
    } finally {
      isRunning = false;
      runButton.disabled = false;
    }
  }

  /** @param {Row[]} all */
  async function report(all) {
    const rows = all.slice(0, cases.length);
    const [before, after, undivided] = all.slice(cases.length);
    const earlier = [0, 1, 2];
    const both = [before, after].flatMap((row) => earlier.map((i) => ({ ...row, i })));
    const {
      answers,
      problem,
      text = '',
    } = await runProgram(workerAddress, view.state.doc.toString(), [...rows, ...both]);
    if (answers === undefined) {
      summary.textContent = texts.problems[/** @type {keyof typeof texts.problems} */ (problem)](text, seconds);
      return;
    }
    const sentences = rows.slice(0, answers.length).map((row, at) => faultSentence(row, answers[at]));
    const held = sentences.filter((sentence) => sentence === null).length;
    summary.textContent = held === rows.length ? texts.allHold(held) : texts.someFail(held, rows.length);
    verdicts.append(
      ...sentences.map((sentence, at) =>
        h(
          'li',
          { 'data-outcome': sentence === null ? 'holds' : 'fails' },
          h('b', {}, texts.rows[/** @type {keyof typeof texts.rows} */ (rows[at].name)]),
          h('p', {}, sentence ?? texts.holds),
        ),
      ),
    );
    const outputs = answers
      .slice(rows.length)
      .flatMap((each) => (each !== 'endless' && 'answer' in each ? [each.answer] : []));
    if (held === rows.length && outputs.length === both.length) {
      const moved = movedOutput(outputs.slice(0, earlier.length), outputs.slice(earlier.length));
      const lastRow = rows[cases.findIndex(({ name }) => name === 'lastRow')];
      conclusion.append(
        h('p', {}, moved === null ? texts.unmoved : texts.moved(moved)),
        h('p', {}, texts.entropies(lastRow.entropy, undivided.entropy)),
      );
    }
  }

  runButton.addEventListener('click', tryProgram);
  resetButton.addEventListener('click', () => {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: starter } });
    view.focus();
  });
}

const place = document.querySelector('[data-workbench]');
if (place !== null) {
  customElements.whenDefined('attention-widget').then(() => openWorkbench(place));
}
