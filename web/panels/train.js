// The training race: one sentence, one start, one learning rate, and a run for each divisor. Every step is the core's;
// this file only says when to take one.

import { dKSliderRange } from '../engine/lesson-state.js';
import { decides } from '../engine/own-matrices.js';
import { workThrough } from '../platform/work-through.js';
import { maxGridTokens } from '../views/cells.js';
import { h, math, mathNodes, setMath, setText, windowOf } from '../views/dom.js';
import { format, localised, plainText, readNumber } from '../views/format.js';
import { explain } from '../views/problem.js';
import { createSmallMap } from '../views/small-map.js';
import chartStyles from './chart.css';
import { createChart } from './chart.js';
import { createNumber } from './panel-numbers.js';
import styles from './train.css';
import { deadBelow, verdictOn } from './verdict.js';

/** @typedef {import('../engine/lesson-engine.js').Training} Training */

const lastStep = 200;
const defaultRate = '1.5';

const roles = /** @type {const} */ ({ sqrt: 'scaled', none: 'unscaled', dk: 'overscaled' });
const norms = /** @type {const} */ (['WqNorm', 'WkNorm', 'WvNorm', 'meanJacobian']);

const sweptRates = [0.03, 0.1, 0.3, 1, 3, 10, 30, 100];
const sweptWidths = [4, 16, 64];

/** @type {import('./panel.js').PanelDefinition} */
export const train = { name: 'train', styles: [chartStyles, styles], create: createTrain };

/** @type {import('./panel.js').CreatePanel} */
function createTrain(messages) {
  const texts = messages.train;
  /** @type {import('./panel.js').PanelContext} */
  let now;
  let racing = '';
  let isPlaying = false;

  const lanes = /** @type {const} */ (['sqrt', 'none', 'dk']).map((divisor) => {
    const map = createSmallMap(messages);
    const losses = h('p', {});
    const figures = norms.map((name) => ({ name, value: createNumber(messages, texts.norms[name]) }));
    map.root.append(
      losses,
      h(
        'dl',
        { class: 'norms' },
        ...figures.flatMap(({ name, value }) => [h('dt', {}, math(texts.norms[name])), h('dd', {}, value.root)]),
      ),
    );
    return {
      divisor,
      map,
      losses,
      figures,
      points: /** @type {Training['points']} */ ([]),
      run: /** @type {Training | undefined} */ (undefined),
    };
  });
  const isIn = (/** @type {typeof lanes[number]} */ { divisor }) => divisor !== 'dk' || third.checked;

  const button = (/** @type {string} */ text, /** @type {() => void} */ click) =>
    h('button', { type: 'button', click }, text);
  const play = button(texts.play, () => (isPlaying ? stop() : start()));
  const step = button(texts.step, () => {
    stop();
    advance(1);
  });
  const reset = button(texts.reset, () => restart());
  const rate = h('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    size: 6,
    value: localised(defaultRate, messages),
    input: () => restart(),
  });
  const matrices = h(
    'select',
    { change: () => restart() },
    ...Object.entries(texts.matrices).map(([value, text]) => h('option', { value }, text)),
  );
  const width = h('span', { 'aria-hidden': 'true' });
  const range = h('input', {
    type: 'range',
    min: dKSliderRange.least,
    max: dKSliderRange.most,
    'aria-label': plainText(messages.widthTitle),
    value: dKSliderRange.most,
    input: () => restart(),
  });
  const padded = h('p', {}, texts.padded);
  const biased = h('p', {}, texts.biased);
  const otherWidth = h('p', {}, ...mathNodes(texts.otherWidth));
  const third = h('input', { type: 'checkbox', change: () => restart() });
  const counter = h('p', { class: 'step-counter' });
  const problem = h('p', { class: 'broken', role: 'alert' });
  const maps = h('div', { class: 'tiles' });
  const verdict = h('p', { role: 'status' });
  const chart = createChart(messages, {
    title: texts.lossChart,
    x: { label: texts.stepAxis },
    y: { label: texts.loss },
  });

  const sweepChart = createChart(messages, {
    title: texts.sweepChart,
    x: { label: texts.rate, base: 10 },
    y: { label: texts.finalLoss, base: 10 },
  });
  const progress = h('progress', { max: 1, value: 0, hidden: true });
  const sweepButton = button(texts.sweep, () => sweep());
  /** @type {import('../platform/work-through.js').Work | null} */
  let sweeping = null;
  const giveUp = () => {
    if (sweeping !== null) {
      sweeping.isAborted = true;
    }
  };

  const root = h(
    'div',
    { class: 'train' },
    h('p', {}, ...mathNodes(texts.task)),
    padded,
    biased,
    otherWidth,
    h(
      'div',
      { class: 'strip' },
      play,
      step,
      reset,
      h('label', {}, texts.rate, rate),
      h('label', {}, texts.trained, matrices),
      h('label', { class: 'slider' }, math(messages.width), range, width),
      h('label', {}, third, math(texts.third)),
    ),
    problem,
    counter,
    maps,
    verdict,
    h('p', {}, ...mathNodes(texts.sweepMeaning)),
    h('div', { class: 'strip' }, sweepButton, progress),
    sweepChart.root,
  );
  sweepChart.root.hidden = true;

  /** Whether the lesson can have other widths than its own. */
  const hasWidths = () => now.state.preset === 'sentence' && decides(now.state, 'dK') === undefined;

  /** What decides a race, less the divisor. A width of the state's own stays where it may not be chosen. */
  const setup = () => {
    const { projections, dK, dV } = now.state;
    return {
      ...now.state,
      dK: hasWidths() && projections !== 'identity' ? range.valueAsNumber : dK,
      dV: projections === 'shared' ? null : dV, // one matrix has one width
    };
  };

  const tellWidth = () => {
    otherWidth.hidden = setup().dK === now.state.dK;
  };

  /** @param {typeof lanes[number]} lane @param {number} steps */
  const run = (lane, steps) => {
    lane.run = now.engine.train(
      { ...setup(), divisor: lane.divisor },
      {
        steps,
        learningRate: /** @type {number} */ (readNumber(rate.value, messages)),
        matrices: /** @type {any} */ (matrices.value),
        start: lane.run?.trained,
      },
    );
    lane.points.push(...lane.run.points.slice(lane.points.length === 0 ? 0 : 1));
  };

  /** @param {number} steps */
  const advance = (steps) => {
    try {
      for (const lane of lanes.filter(isIn)) {
        const left = lastStep - Math.max(0, lane.points.length - 1);
        if (lane.run === undefined || (lane.run.stoppedAt === null && left > 0)) {
          run(lane, Math.min(steps, left));
        }
      }
      setMath(problem, '');
    } catch (error) {
      stop();
      setMath(problem, explain(messages, error).sentence);
    }
    render();
  };

  const isOver = () =>
    lanes.filter(isIn).every(({ points, run }) => points.length > lastStep || run?.stoppedAt != null);

  const restart = () => {
    stop();
    for (const lane of lanes) {
      lane.points = [];
      lane.run = undefined;
    }
    setText(width, String(setup().dK));
    tellWidth();
    advance(0);
  };

  const start = () => {
    if (isOver()) {
      restart();
    }
    if (windowOf(root).matchMedia('(prefers-reduced-motion: reduce)').matches) {
      advance(lastStep);
      return;
    }
    isPlaying = true;
    render();
    windowOf(root).requestAnimationFrame(frame);
  };
  /** A closed panel, one that rests and a removed widget do not run. */
  const mayRun = () => root.isConnected && root.closest('details')?.open;
  const frame = () => {
    if (isPlaying && mayRun()) {
      advance(1);
      if (isOver()) {
        stop();
      }
      windowOf(root).requestAnimationFrame(frame);
    } else {
      stop();
    }
  };
  const stop = () => {
    isPlaying = false;
    render();
  };

  const render = () => {
    const running = lanes.filter(isIn);
    const taken = Math.max(0, ...running.map(({ points }) => points.length - 1));
    setText(play, isPlaying ? texts.pause : texts.play);
    setText(counter, texts.steps(taken, lastStep));
    const steps = Array.from({ length: taken + 1 }, (_, index) => index);
    const hasRun = running.every(({ run }) => run !== undefined);
    for (const part of [maps, counter]) {
      part.hidden = !hasRun;
    }
    for (const control of [play, step]) {
      control.disabled = !hasRun;
    }
    setMath(verdict, hasRun && !isPlaying ? judge() : '');
    if (!hasRun) {
      return;
    }
    chart.update(
      steps,
      running.map(({ divisor, points }) => ({
        name: messages.stepDivide[divisor],
        role: roles[divisor],
        y: steps.map((index) => points[index]?.loss ?? Number.NaN),
      })),
      { reach: lastStep },
    );
    const { tokens } = now.state;
    const places = tokens.map((_, place) => place).slice(0, maxGridTokens);
    if (maps.childElementCount !== running.length + 1) {
      maps.replaceChildren(chart.root, ...running.map(({ map }) => map.root));
    }
    for (const { divisor, map, losses, figures, points, run } of running) {
      const last = points[points.length - 1];
      const { weights } = /** @type {Training} */ (run);
      map.update(messages.stepDivide[divisor], weights, { tokens, places, visible: now.result.visible.data });
      setText(losses, texts.losses(format(points[0].loss, messages), format(last.loss, messages)));
      for (const { name, value } of figures) {
        value.update(last[name]);
      }
    }
  };

  /** What the runs show, in words. */
  const judge = () => {
    const stopped = lanes.filter(isIn).find(({ run }) => run?.stoppedAt != null);
    if (stopped !== undefined) {
      return texts.stopped(messages.stepDivide[stopped.divisor], Number(stopped.run?.stoppedAt));
    }
    const running = lanes.filter(isIn);
    if (running.some(({ points }) => points.length <= lastStep)) {
      return '';
    }
    const verdicts = running.map(({ points }) => verdictOn(points));
    const first = Math.min(...verdicts.map(({ learntAt }) => learntAt ?? Number.POSITIVE_INFINITY));
    return running
      .map(({ divisor }, index) => {
        const { fate, loss, learntAt, diedAt, gradient, jacobian } = verdicts[index];
        const write = (/** @type {number} */ value) => format(value, messages);
        const [from, to] = [loss.first, loss.last].map(write);
        const isLater = learntAt !== null && learntAt > first;
        const told = {
          learnt: () => texts.verdicts[isLater ? 'slower' : 'learnt'](from, to, Number(learntAt)),
          settled: () => texts.verdicts.settled(from, to, write(gradient.last)),
          slow: () => texts.verdicts.slow(from, to, write(gradient.last)),
          frozen: () => texts.verdicts.frozen(from, to, write(jacobian.first)),
          died: () =>
            texts.verdicts.died(from, to, write(gradient.first), write(gradient.most), write(gradient.last), diedAt),
          stuck: () => texts.verdicts.stuck(from, to, write(gradient.last)),
        }[fate]();
        const isFinished = fate === 'learnt' && jacobian.last < deadBelow;
        return `${messages.stepDivide[divisor]}: ${told}${isFinished ? texts.verdicts.finished : ''}`;
      })
      .join(' ');
  };

  const sweep = async () => {
    if (sweeping !== null) {
      giveUp();
      return;
    }
    sweeping = { isAborted: false };
    const base = setup();
    const widths = hasWidths() ? sweptWidths : [base.dK];
    const runs = /** @type {const} */ (['sqrt', 'none']).flatMap((divisor) =>
      widths.map((dK) => ({ divisor, dK, finalLoss: sweptRates.map(() => Number.NaN) })),
    );
    setText(sweepButton, texts.cancel);
    progress.hidden = false;
    function* work() {
      let done = 0;
      for (const { divisor, dK, finalLoss } of runs) {
        for (const [place, learningRate] of sweptRates.entries()) {
          const { points, stoppedAt } = now.engine.train(
            { ...base, divisor, dK },
            { steps: lastStep, learningRate, matrices: /** @type {any} */ (matrices.value) },
          );
          finalLoss[place] = stoppedAt === null ? points[lastStep].loss : Number.NaN;
          done++;
          if (!mayRun()) {
            giveUp();
          }
          yield done / (runs.length * sweptRates.length);
        }
      }
    }
    try {
      const isWhole = await workThrough(work(), sweeping, (share) => {
        progress.value = share;
      });
      if (isWhole) {
        sweepChart.root.hidden = false;
        sweepChart.update(
          sweptRates,
          runs.map(({ divisor, dK, finalLoss }, index) => ({
            name: `${messages.stepDivide[divisor]}${messages.comma}d_k ${dK}`,
            role: `${roles[divisor]} weight-${index % widths.length}`,
            y: finalLoss,
          })),
        );
      }
    } catch (error) {
      setMath(problem, explain(messages, error).sentence);
    }
    sweeping = null;
    progress.hidden = true;
    setText(sweepButton, texts.sweep);
  };

  return {
    root,

    update(context) {
      now = context;
      padded.hidden = now.state.padding === 0;
      const { bq, bk, bv } = now.result;
      biased.hidden = [bq, bk, bv].every((bias) => bias === undefined);
      tellWidth();
      const { row, panels, theme, locked, step, beside, divisor, ...deciding } = setup();
      const key = JSON.stringify(deciding);
      if (key !== racing) {
        racing = key;
        giveUp();
        sweepChart.root.hidden = true;
        restart();
      }
    },
  };
}
