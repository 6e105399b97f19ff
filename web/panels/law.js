// The law of √d_k: many seeds, and how the spread of q·k grows with d_k over all of them.

import { hasOwnNumbers } from '../engine/own-matrices.js';
import { workThrough } from '../platform/work-through.js';
import { h, mathNodes, setMath, setText } from '../views/dom.js';
import { format } from '../views/format.js';
import { explain } from '../views/problem.js';
import chartStyles from './chart.css';
import { createChart } from './chart.js';

/** @typedef {import('../engine/lesson-engine.js').Statistics} Statistics */

const seedCounts = [200, 1000, 10_000];
const largestDK = 64;

/** How many scores one slice of the sampling computes. */
const scoresAtOnce = 20_000;

/** @type {import('./panel.js').PanelDefinition} */
export const law = { name: 'law', styles: [chartStyles], create: createLaw };

/** @type {import('./panel.js').CreatePanel} */
function createLaw(messages) {
  const texts = messages.law;
  const x = { label: 'd_k', base: 2 };
  const spread = createChart(messages, { title: texts.spread, x, y: { label: texts.spreadAxis, base: 2 } });
  const others = /** @type {const} */ (['peak', 'jacobian', 'saturated']).map((name) => ({
    name,
    chart: createChart(messages, { title: texts[name], x, y: { label: texts.axes[name] } }),
  }));
  const variances = h('dl', { class: 'norms' });
  const counts = h(
    'select',
    { change: () => run() },
    ...seedCounts.map((count) => h('option', { value: count }, texts.seeds(count.toLocaleString(messages.locale)))),
  );
  const cancel = h('button', { type: 'button', click: () => giveUp() }, messages.train.cancel);
  const progress = h('progress', { max: 1, 'aria-label': texts.progress });
  const said = h('p', { role: 'status' });
  const charts = h('div', { class: 'charts' }, spread.root, ...others.map(({ chart }) => chart.root));
  const drawing = h(
    'div',
    {},
    h('p', {}, ...mathNodes(texts.derivation)),
    variances,
    h('div', { class: 'strip' }, h('label', {}, texts.sample, counts), progress, cancel),
  );
  const own = h('p', {});
  const root = h('div', { class: 'law' }, drawing, said, own, charts);

  /** @type {import('./panel.js').PanelContext} */
  let now;
  /** @type {Statistics | undefined} */
  let statistics;
  /** @type {Statistics | undefined} what the charts show that the picture has no part in */
  let drawn;
  /** @type {import('./chart.js').Series[]} */
  let spreads = [];
  let sampled = '';
  /** @type {import('../platform/work-through.js').Work | null} */
  let running = null;
  const giveUp = () => {
    if (running !== null) {
      running.isAborted = true;
    }
  };

  const run = async () => {
    giveUp();
    const own = { isAborted: false };
    running = own;
    const { engine, state } = now;
    const options = { tokens: state.tokens, dModel: state.dModel, largestDK };
    const seeds = Number(counts.value);
    const atOnce = Math.max(1, Math.floor(scoresAtOnce / (state.tokens.length ** 2 * largestDK)));
    /** @type {import('../engine/lesson-engine.js').Sample[]} */
    const samples = [];
    function* work() {
      for (let first = 0; first < seeds; first += atOnce) {
        samples.push(engine.sample(options, first, Math.min(atOnce, seeds - first), samples[samples.length - 1]));
        yield Math.min(1, (first + atOnce) / seeds);
      }
    }
    progress.hidden = cancel.hidden = false;
    progress.value = 0;
    try {
      const isWhole = await workThrough(work(), own, (share) => {
        progress.value = share;
      });
      if (running === own) {
        statistics = engine.summarise(options, samples);
        setMath(said, isWhole ? '' : texts.cancelled(statistics.seeds.toLocaleString(messages.locale)));
        render();
      }
    } catch (error) {
      statistics = undefined; // the charts show another sentence
      charts.hidden = variances.hidden = true;
      setMath(said, explain(messages, error).sentence);
    }
    if (running === own) {
      running = null;
      progress.hidden = cancel.hidden = true;
    }
  };

  const render = () => {
    if (statistics === undefined) {
      return;
    }
    charts.hidden = variances.hidden = false;
    const { dK, scaled, unscaled } = statistics;
    const { state, result } = now;
    const names = messages.stepDivide;
    if (drawn !== statistics) {
      drawn = statistics;
      spreads = [
        { name: texts.theory.none, role: 'theory', y: unscaled.expected },
        { name: texts.theory.sqrt, role: 'theory', y: scaled.expected },
        { name: names.none, role: 'unscaled', y: unscaled.spread, band: [unscaled.low, unscaled.high] },
        { name: names.sqrt, role: 'scaled', y: scaled.spread, band: [scaled.low, scaled.high] },
      ];
      for (const { name, chart } of others) {
        chart.update(dK, [
          { name: names.none, role: 'unscaled', y: unscaled[name] },
          { name: names.sqrt, role: 'scaled', y: scaled[name] },
        ]);
      }
    }
    const { expectedSpread, spread: ofState } = result.metrics;
    setMath(own, expectedSpread === null && hasOwnNumbers(state) ? texts.own : '');
    const point = { name: texts.here, x: state.dK, y: ofState };
    spread.update(dK, spreads, expectedSpread === null ? {} : { point });
    const place = dK.indexOf(state.dK);
    const { query, key, product, score } = statistics.variances;
    const terms = { query, key, product, score };
    const shown = place < 0 ? [] : Object.entries(terms);
    if (variances.childElementCount !== 2 * shown.length) {
      variances.replaceChildren(...shown.flatMap(() => [h('dt', {}), h('dd', {})]));
    }
    shown.forEach(([name, values], index) => {
      const [term, number] = Array.from(variances.children).slice(2 * index);
      setMath(term, texts.variances[/** @type {keyof typeof terms} */ (name)](state.dK));
      setText(number, format(values[place], messages));
    });
  };

  return {
    root,

    update(context) {
      now = context;
      drawing.hidden = context.state.preset === 'four-token';
      if (drawing.hidden) {
        giveUp();
        sampled = '';
        statistics = undefined;
        charts.hidden = true;
        setText(said, texts.fixed);
        return;
      }
      const { tokens, dModel } = context.state;
      const key = JSON.stringify([tokens, dModel]);
      if (key !== sampled) {
        sampled = key;
        run();
      } else {
        render();
      }
    },
  };
}
