// The softmax Jacobian of the highlighted row.

import assert from 'node:assert/strict';
import { openPage, pageTest, resultShown, set, stateOf } from '../support.mjs';
import { readMaps } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`.${name}`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

pageTest('the Jacobian is diag(a) − aaᵀ: symmetric, rows sum to 0, and its norm is the widget’s', async (page) => {
  await open(page, 'jacobian');
  for (const settings of [
    {},
    { divisor: 'none' },
    { mask: 'causal', row: 3 },
    { dK: 64, row: 2, divisor: 'sqrt' },
    { divisor: 'dk' },
  ]) {
    await set(only(page), settings);
    const { weights, metrics } = await resultShown(only(page));
    const state = await stateOf(only(page));
    const { row, divisor } = state;
    const maps = await readMaps(page, 'jacobian');
    assert.equal(maps.length, divisor === 'dk' ? 3 : 2, 'the state’s own divisor is there');
    for (const { numbers, kinds } of maps) {
      kinds.forEach((line, j) => {
        line.forEach((kind, l) => {
          assert.equal(kind === 'hidden', state.mask === 'causal' && Math.max(j, l) > row);
          numbers[j][l] = kind === 'hidden' ? 0 : numbers[j][l]; // such a cell has no number
        });
      });
    }
    for (const { numbers } of maps) {
      numbers.forEach((entries, j) => {
        assert.ok(Math.abs(entries.reduce((sum, entry) => sum + entry, 0)) < 1e-12, `row ${j} sums to 0`);
        entries.forEach((entry, l) => {
          assert.equal(entry, numbers[l][j]);
        });
      });
    }
    const own = ['sqrt', 'none', 'dk'].indexOf(divisor);
    const a = weights[row];
    maps[own].numbers.forEach((entries, j) => {
      entries.forEach((entry, l) => {
        const expected = (j === l ? a[j] : 0) - a[j] * a[l];
        assert.ok(Math.abs(entry - expected) < 1e-12, `${entry} is ${expected}`);
      });
    });
    assert.match(maps[own].label ?? '', /now/);
    const norm = panel(page, 'jacobian').locator('details.number').nth(own);
    await norm.click();
    assert.equal(Number((await norm.locator('small').textContent())?.replace('−', '-')), metrics.jacobian[row]);
    const word = panel(page, 'jacobian').locator('strong').nth(own);
    assert.equal(await word.textContent(), metrics.gradient[row]);
  }
});

pageTest('at d_k 64 the unscaled Jacobian is dead and the scaled one is not', async (page) => {
  await open(page, 'jacobian', 'd-k="64"');
  const words = await panel(page, 'jacobian').locator('strong').allTextContents();
  assert.equal(words[1], 'dead');
  assert.equal(words[0], 'alive');
});

pageTest('with one key there is nothing to choose, and the panel says so', async (page) => {
  await open(page, 'jacobian', 'tokens="alone"');
  const note = panel(page, 'jacobian').locator('.note');
  assert.equal(await note.textContent(), 'One key: nothing to choose, the Jacobian is 0.');
  assert.equal(await panel(page, 'jacobian').locator('.small-map').first().isVisible(), false);
  await set(only(page), { tokens: ['two', 'tokens'] });
  assert.equal(await note.textContent(), '');
  assert.ok(await panel(page, 'jacobian').locator('.small-map').first().isVisible());
  await set(only(page), { row: 0, mask: 'causal' });
  assert.equal(await note.textContent(), 'One key: nothing to choose, the Jacobian is 0.');
  await set(only(page), { mask: 'late' });
  assert.match((await note.textContent()) ?? '', /hidden scores still move the weights that stay/);
  assert.ok(await panel(page, 'jacobian').locator('.small-map').first().isVisible());
});

pageTest('under a late mask the columns of hidden scores are not 0, and cleared weights are hatched', async (page) => {
  await open(page, 'jacobian', 'mask="late"');
  const { scaled, weights, metrics } = await resultShown(only(page));
  const p = scaled[1].map((score) => Math.exp(score));
  const total = p.reduce((sum, each) => sum + each, 0);
  const [{ kinds, numbers }] = await readMaps(page, 'jacobian');
  let squares = 0;
  for (let j = 0; j < 6; j++) {
    for (let l = 0; l < 6; l++) {
      assert.equal(kinds[j][l], j > 1 ? 'hidden' : undefined);
      if (j <= 1) {
        const expected = (p[j] / total) * ((j === l ? 1 : 0) - p[l] / total);
        assert.ok(Math.abs(numbers[j][l] - expected) < 1e-12, `${j}, ${l}`);
        squares += expected ** 2;
      }
    }
  }
  assert.ok(numbers[0][5] < -0.01 && weights[1][5] === 0);
  assert.ok(Math.abs(metrics.jacobian[1] - Math.sqrt(squares)) < 1e-12);
});

pageTest('down the columns a row has a diagonal, and a sentence says what the map cannot show', async (page) => {
  await open(page, 'jacobian', 'softmax-axis="queries"');
  const { weights } = await resultShown(only(page));
  const [{ numbers }] = await readMaps(page, 'jacobian');
  numbers.forEach((entries, j) => {
    entries.forEach((entry, l) => {
      const expected = j === l ? weights[1][j] * (1 - weights[1][j]) : 0;
      assert.ok(Math.abs(entry - expected) < 1e-15);
    });
  });
  assert.match(
    (await panel(page, 'jacobian').locator('.note').textContent()) ?? '',
    /scores of other rows in its column/,
  );
});

pageTest('what a causal mask hides is hatched in the Jacobian and in the gradients, not 0', async (page) => {
  await open(page, 'jacobian gradients', 'mask="causal" row="3"');
  const [jacobian] = await readMaps(page, 'jacobian');
  const [gradients] = await readMaps(page, 'gradients');
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      assert.equal(jacobian.kinds[i][j], i > 3 || j > 3 ? 'hidden' : undefined);
      assert.equal(gradients.kinds[i][j], j > i ? 'hidden' : undefined);
    }
  }
});
