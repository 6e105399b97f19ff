// The panel of own numbers: what each matrix is, a place to paste, files to choose or drop, examples, and matrices to save.

import { EngineError } from '../engine/engine-error.js';
import { matricesIn, matrixNames, symbolOfMatrix } from '../engine/own-matrices.js';
import { saveFile } from '../platform/save-file.js';
import { findInText, findTensors, toCsv, toJson, toNpy, toNpz, toSafetensors } from '../readers/readers.js';
import { button, h, math, setHidden, setText } from '../views/dom.js';
import textbook from './examples/textbook.json';
import trainedWords from './examples/trained-words.json';
import { createFoundDialog } from './found-dialog.js';

/** @typedef {import('../panels/panel.js').PanelContext} PanelContext */
/** @typedef {import('../engine/own-matrices.js').MatrixName} MatrixName */

/** How one matrix, and all of them, are written. @type {Record<string, (matrix: any) => BlobPart>} */
const writers = { npy: toNpy, csv: toCsv, json: toJson };
const archives = /** @type {Record<string, (matrices: any) => BlobPart>} */ ({
  npz: toNpz,
  safetensors: toSafetensors,
});

/** Once the page has drawn what stands in it now. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * What the panel asks of the widget.
 *
 * @typedef {import('../panels/panel.js').PanelActions & {say: (error: unknown) => string}} ExchangeActions  `say`: what is
 *   wrong, in one sentence of the reader's language
 */

/**
 * @param {import('../language/language.js').Messages} messages
 * @param {ExchangeActions} actions
 * @returns {import('../panels/panel.js').Panel}
 */
export function createExchange(messages, actions) {
  const texts = messages.exchange;
  /** @type {PanelContext} */
  let now;
  const problem = h('p', { class: 'broken', role: 'alert' });
  const busy = h('p', { role: 'status' });
  /** @type {ExchangeActions['change']} */
  const change = (settings) => {
    if (!actions.change(settings)) {
      throw new EngineError(texts.locked);
    }
    return true;
  };
  const dialog = createFoundDialog(messages, () => now, { ...actions, change });

  /** @param {() => unknown} act  a text that it returns is said when it is done */
  const attempt = async (act) => {
    setText(problem, '');
    setText(busy, texts.reading);
    let said;
    try {
      said = await act();
    } catch (error) {
      setText(problem, actions.say(error));
    }
    setText(busy, typeof said === 'string' ? said : '');
  };

  const area = h('textarea', {
    rows: 3,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: texts.pasteHint,
    dir: 'ltr',
  });
  const target = h('select', {});
  const look = () =>
    attempt(async () => {
      await painted(); // that it is being read
      const found = findInText(area.value, texts.pasted);
      dialog.open(texts.pasted, found, /** @type {any} */ (target.value) || null);
    });
  area.addEventListener('paste', () => setTimeout(look));
  area.addEventListener('keydown', (event) => event.stopPropagation());

  /** @param {ArrayLike<File>} files */
  const open = (files) =>
    attempt(async () => {
      const { lessonIn } = /** @type {typeof import('./read-lesson.js')} */ (await actions.loadSibling('read-lesson'));
      const lesson = await lessonIn(files[0]);
      if (lesson !== null) {
        now.engine.lesson(lesson);
        change(lesson);
        return texts.opened(files[0].name);
      }
      const found = await Promise.all(Array.from(files, (file) => findTensors(file)));
      const names = Array.from(files, ({ name }) => name).join(', ');
      const all = { tensors: found.flatMap(({ tensors }) => tensors), notes: found.flatMap(({ notes }) => notes) };
      dialog.open(names, all, null);
      return undefined;
    });
  const chooser = h('input', {
    type: 'file',
    multiple: true,
    accept: '.npy,.npz,.safetensors,.csv,.tsv,.txt,.json',
    change: () => {
      if (chooser.files?.length) {
        open(Array.from(chooser.files)).then(() => {
          chooser.value = ''; // the same file may be chosen again
        });
      }
    },
  });

  const rows = h('tbody', {});
  /** @param {{tokens: string[], X: number[][]} & Record<string, unknown>} example @param {object} [others] */
  const show = ({ version, ...example }, others) =>
    change(
      /** @type {any} */ ({
        ...{ preset: 'sentence', context: [], padding: 0, heads: 1, head: 0, divisor: 'sqrt', edits: [] },
        ...{ Wq: null, Wk: null, Wv: null, bq: null, bk: null, bv: null, row: 1 },
        ...example,
        ...others,
      }),
    );
  const examples = [
    button(texts.textbook, () => attempt(() => show(textbook))),
    button(texts.words, () => attempt(() => show(trainedWords))),
    button(texts.trainable, () => attempt(() => show(trainedWords, { projections: 'separate', dK: 16, dV: null }))),
  ];

  /** The whole matrices and biases that there are, all heads of them. @returns {Record<string, {data: Float64Array, shape: number[]}>} */
  const wholeMatrices = () => {
    const whole = now.engine.lesson(now.state);
    return Object.fromEntries(
      matricesIn(now.state).flatMap((name) => {
        const matrix = whole[name];
        return matrix === undefined ? [] : [[name, matrix]];
      }),
    );
  };
  const which = h('select', { 'aria-label': texts.save });
  const saves = [...Object.keys(writers), ...Object.keys(archives)].map((extension) =>
    button(`.${extension}`, () =>
      attempt(() => {
        const all = wholeMatrices();
        const isOne = which.value !== '';
        const part = isOne ? { [which.value]: all[which.value] } : all;
        const bytes = isOne && extension in writers ? writers[extension](all[which.value]) : archives[extension](part);
        saveFile(new Blob([bytes]), `${which.value || 'matrices'}.${extension}`);
      }),
    ),
  );
  const fit = () => {
    saves.forEach((each, index) => {
      each.disabled = which.value === '' && index < Object.keys(writers).length;
    });
  };
  which.addEventListener('change', fit);

  const root = h(
    'div',
    { class: 'exchange' },
    h('p', {}, texts.introduction, ' ', texts.privacy),
    h('table', {}, rows),
    h('label', {}, texts.paste, area),
    h('p', { class: 'strip' }, h('label', {}, texts.into, ' ', target), button(texts.look, look)),
    h('label', {}, texts.files, chooser),
    ...[busy, problem],
    h('h4', {}, texts.examples),
    h('p', { class: 'strip' }, ...examples),
    h('p', {}, h('small', {}, texts.source)),
    h('h4', {}, texts.save),
    h('p', { class: 'strip' }, which, ...saves),
    dialog.root,
  );
  for (const type of ['dragover', 'drop']) {
    root.addEventListener(type, (event) => {
      const { dataTransfer } = /** @type {DragEvent} */ (event);
      if (dataTransfer?.types.includes('Files')) {
        event.preventDefault();
        if (type === 'drop') {
          open(dataTransfer.files);
        }
      }
    });
  }

  /** @param {HTMLSelectElement} select @param {string} first @param {readonly MatrixName[]} names */
  const offer = (select, first, names) => {
    const { value } = select;
    select.replaceChildren(
      h('option', { value: '' }, first),
      ...names.map((name) => h('option', { value: name }, symbolOfMatrix(name))),
    );
    select.value = names.some((name) => name === value) ? value : '';
  };

  return {
    root,

    update(context) {
      now = context;
      const { state, result } = now;
      const names = matricesIn(state);
      rows.replaceChildren(
        ...names.map((name) => {
          const shape = result[name]?.shape;
          const edited = state.edits.filter(({ matrix }) => matrix === name).length;
          const isBias = name[0] === 'b';
          const isOwn = state[name] !== null || edited > 0;
          const origin = texts.origins[state[name] !== null ? 'given' : isBias ? 'none' : 'seeded'];
          const others = state.edits.filter(({ matrix }) => matrix !== name);
          // A bias of zeros is one entry that is said to be 0: it decides no width.
          const add = button(texts.add, () =>
            attempt(() => change({ edits: [...others, { matrix: name, row: 0, column: 0, value: 0 }] })),
          );
          const back = button(isBias ? texts.remove : texts.back, () =>
            attempt(() => change({ [name]: null, edits: others })),
          );
          for (const each of [add, back]) {
            each.setAttribute('aria-label', `${each.textContent}: ${symbolOfMatrix(name)}`);
          }
          setHidden(add, !isBias || isOwn);
          setHidden(back, !isOwn);
          return h(
            'tr',
            {},
            h('th', { scope: 'row' }, math(symbolOfMatrix(name))),
            h('td', {}, shape?.join(' × ') ?? '–'),
            h('td', {}, `${origin}${edited > 0 ? texts.edited(edited) : ''}`),
            h('td', {}, add, back),
          );
        }),
      );
      offer(target, texts.anywhere, matrixNames);
      offer(which, texts.all, names);
      fit();
    },
  };
}
