// The figures and what they are compared with.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeState } from '../../../web/engine/lesson-state.js';
import messages from '../../../web/language/messages/en.js';
import { createFigures } from '../../../web/views/figures.js';
import { formatFigure } from '../../../web/views/format.js';
import { engine, every, textOf } from './support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} Settings */

test('the figures say what the result says, and name what they compare it with', () => {
  const shown = (/** @type {Settings} */ settings) => {
    const figures = createFigures(messages);
    const state = completeState(settings);
    figures.update(engine.lesson(settings), state);
    return Object.fromEntries(
      every(figures.root, '[data-figure]').map((figure) => [
        figure.getAttribute('data-figure'),
        ['.figure-name', '.figure-value', '.figure-note'].map((part) => textOf(figure.querySelector(part) ?? figure)),
      ]),
    );
  };
  const { metrics } = engine.lesson({ dK: 64, divisor: 'none' });
  const unscaled = shown({ dK: 64, divisor: 'none' });
  assert.deepEqual(unscaled.spread, ['score spread', formatFigure(metrics.spread, messages), 'theory √64 = 8.00']);
  assert.deepEqual(unscaled.peak, ['peak weight, “journey”', '1.00', 'on “step”']);
  assert.deepEqual(unscaled.state, ['softmax', 'saturated (one-hot)', 'row sums to 1.00']);
  assert.deepEqual(unscaled.entropy, ['entropy', formatFigure(metrics.entropy[1], messages), 'max ln 6 = 1.79']);
  assert.deepEqual(unscaled.gradient, [
    'this row’s gradient',
    'dead',
    `Jacobian ${formatFigure(metrics.jacobian[1], messages)}`,
  ]);
  assert.equal(shown({}).spread[2], 'theory 1');
  assert.equal(shown({ divisor: 'dk' }).spread[2], 'theory 1/√16 = 0.25');
  assert.equal(shown({ projections: 'shared' }).spread[2], 'no law here');
  assert.equal(shown({ mask: 'late' }).state[1], 'not a distribution');
  assert.match(shown({ mask: 'causal' }).entropy[2], /^max ln 2 = 0\.69$/);
  assert.deepEqual(shown({ tokens: ['alone'] }).gradient[1], 'no choice');
});
