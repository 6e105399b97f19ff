// The highlighted row and the figures. Covers views/row.js and views/figures.js.

import assert from 'node:assert/strict';
import { openPage, pageTest, read, resultShown, set, stateOf } from '../support.mjs';
import { format } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');

pageTest('figures and row are those of the result, whatever the settings', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  for (const settings of [
    { dK: 33, row: 4 },
    { divisor: 'none' },
    { projections: 'shared' },
    { mask: 'causal', row: 0 },
  ]) {
    await set(only(page), settings);
    const { metrics, scaled, visible } = await resultShown(only(page));
    const { row } = await stateOf(only(page));
    const { figures, list } = await read(only(page));
    assert.equal(figures.spread.value, metrics.spread.toFixed(2));
    assert.equal(figures.peak.value, metrics.peak[row].toFixed(2));
    const hasOneKey = visible[row].filter(Boolean).length === 1;
    assert.equal(figures.state.value, hasOneKey ? 'one key' : metrics.state[row]);
    assert.equal(figures.entropy.value, metrics.entropy[row].toFixed(2));
    assert.equal(figures.gradient.value, metrics.gradient[row]);
    assert.equal(
      figures.gradient.note,
      hasOneKey ? 'nothing to learn' : `Jacobian ${metrics.jacobian[row].toFixed(2)}`,
    );
    assert.deepEqual(
      list.lines.map((line) => line[2]),
      scaled[row].map((score, key) => (visible[row][key] ? format(score) : '−∞')),
    );
  }
});

pageTest('bars are as long as what they stand for, negative scores to the left', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const bars = await only(page).evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const measure = (/** @type {string} */ side) =>
      Array.from(root.querySelectorAll(`${side} .bar`), (bar) => {
        const whole = bar.getBoundingClientRect();
        const filled = /** @type {Element} */ (bar.firstElementChild).getBoundingClientRect();
        return {
          share: filled.width / whole.width,
          start: (filled.left - whole.left) / whole.width,
          end: (filled.right - whole.left) / whole.width,
        };
      });
    return { weights: measure('.weight-bar'), scores: measure('.score-bar') };
  });
  const { weights, scaled } = await resultShown(only(page));
  weights[1].forEach((weight, index) => {
    assert.ok(Math.abs(bars.weights[index].share - weight) < 0.01);
    assert.ok(Math.abs(bars.weights[index].start) < 0.01);
  });
  const [longest] = scaled[1].map((_, index) => index).sort((a, b) => Math.abs(scaled[1][b]) - Math.abs(scaled[1][a]));
  const unit = bars.scores[longest].share / Math.abs(scaled[1][longest]);
  scaled[1].forEach((score, index) => {
    const { share, start, end } = bars.scores[index];
    assert.ok(share <= 0.5 && Math.abs(share - unit * Math.abs(score)) < 0.02, `a score of ${score} fills ${share}`);
    assert.ok(Math.abs((score < 0 ? end : start) - 0.5) < 0.02);
  });
  assert.ok(bars.scores[longest].share > 0.05, 'scores are seen');
});

pageTest('the bars of scores have one labelled scale with and without the divisor, and shrink by it', async (page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' }); // else bars move to those of another divisor
  await openPage(page, '<attention-widget d-k="64"></attention-widget>');
  const measure = () =>
    only(page).evaluate((element) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      const ends = root.querySelector('.row thead bdi')?.textContent;
      const widths = Array.from(root.querySelectorAll('.score-bar .bar'), (bar) => {
        const filled = /** @type {Element} */ (bar.firstElementChild).getBoundingClientRect();
        return (2 * filled.width) / bar.getBoundingClientRect().width;
      });
      return { ends, widths };
    });
  const divided = await measure();
  await set(only(page), { divisor: 'none' });
  const undivided = await measure();
  const { scores } = await resultShown(only(page));
  const end = Math.ceil(Math.max(...scores[1].map(Math.abs)));
  assert.ok(end > 4, 'scores beyond the least scale');
  assert.equal(divided.ends, `−${end} … ${end}`);
  assert.equal(undivided.ends, divided.ends);
  scores[1].forEach((score, key) => {
    assert.ok(Math.abs(undivided.widths[key] - Math.abs(score) / end) < 0.02, `${score} of ${end}`);
    assert.ok(Math.abs(divided.widths[key] - Math.abs(score) / 8 / end) < 0.02, `${score} ÷ 8 of ${end}`);
  });
});

pageTest('the values of all figures stand on one line', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  const heights = await only(page).evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    return Array.from(root.querySelectorAll('.figure-value'), (value) => {
      const { top, bottom } = value.getBoundingClientRect();
      return [top, bottom];
    });
  });
  assert.equal(heights.length, 5);
  for (const [top, bottom] of heights) {
    assert.ok(Math.abs(top - heights[0][0]) < 0.5 && Math.abs(bottom - heights[0][1]) < 0.5, String(heights));
  }
});
