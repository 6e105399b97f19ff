// The gradients of the task, scaled beside unscaled.

import assert from 'node:assert/strict';
import { openPage, pageTest, set } from '../support.mjs';
import { digits, engineSays } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`[data-panel=${name}]`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

pageTest('the gradient view shows the norms that the core computes, scaled beside unscaled', async (page) => {
  await open(page, 'gradients', 'd-k="64"');
  const shown = await digits(panel(page, 'gradients').locator('.norms dd'));
  const expected = [];
  for (const divisor of ['sqrt', 'none']) {
    const { WqNorm, WkNorm, WvNorm } = await engineSays(page, 'taskGradients', { dK: 64, divisor });
    expected.push(WqNorm, WkNorm, WvNorm);
  }
  assert.deepEqual(shown, expected);
  const text = await panel(page, 'gradients').textContent();
  assert.match(text ?? '', /J is nearly 0/, 'the text says what dead means');
  const dead = await panel(page, 'gradients')
    .getByText(/of 6 rows is dead/)
    .allTextContents();
  assert.match(dead[0], /^The softmax of 0 of 6 rows is dead\. /);
  assert.match(dead[1], /^The softmax of [56] of 6 rows is dead\. /);
});

pageTest('beside its peak and its Jacobian each row has its share, and who carries most is named', async (page) => {
  await open(page, 'gradients', 'row="4"');
  for (const mask of /** @type {const} */ (['none', 'causal', 'late'])) {
    await set(only(page), { mask });
    const tables = panel(page, 'gradients').locator('.shares');
    const stories = await panel(page, 'gradients')
      .getByText(/^The softmax of/)
      .allTextContents();
    const factors = await panel(page, 'gradients')
      .getByText(/on to q·k/)
      .allTextContents();
    for (const [index, divisor] of /** @type {const} */ (['sqrt', 'none']).entries()) {
      const { shares, scoresNorm } = await engineSays(page, 'taskGradients', { mask, divisor });
      const { metrics, tokens } = await engineSays(page, 'lesson', { mask, divisor });
      const rows = await tables
        .nth(index)
        .locator('tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
      assert.deepEqual(
        rows.map(([token, , , , state]) => [token, state]),
        tokens.map((/** @type {string} */ token, /** @type {number} */ row) => [token, metrics.gradient[row]]),
      );
      rows.forEach((cells, row) => {
        const numbers = [shares[row], metrics.peak[row], metrics.jacobian[row]];
        numbers.forEach((number, column) => {
          const written = Number(cells[column + 1]?.replaceAll('−', '-'));
          assert.ok(Math.abs(written - number) <= 0.0051, `${mask}, ${divisor}, ${row}, ${column}`);
        });
      });
      const most = Math.max(...shares);
      const name = tokens[shares.indexOf(most)];
      const dead = metrics.gradient.filter((/** @type {string} */ row) => row === 'dead').length;
      assert.equal(
        stories[index],
        `The softmax of ${dead} of 6 rows is dead. “${name}” carries most: ${most.toFixed(2)} of all.`,
      );
      const divide = ['÷ √dk', 'not divided'][index];
      assert.equal(factors[index], `‖∂L/∂S‖ ${scoresNorm.toFixed(2)}, on to q·k: ${divide}`);
    }
  }
});

pageTest('where nothing moves the loss no row is said to carry it', async (page) => {
  await open(page, 'gradients', 'mask="window" window="1"');
  const stories = panel(page, 'gradients').getByText(/^The softmax of/);
  assert.deepEqual(await stories.allTextContents(), Array(2).fill('The softmax of 0 of 6 rows is dead.'));
});

pageTest('where the state divides by d_k its own gradients stand beside the pair', async (page) => {
  await open(page, 'gradients', 'divisor="dk"');
  const titles = panel(page, 'gradients').locator('h4');
  const all = ['÷ √dk', 'not divided', '÷ dk (now)'];
  assert.deepEqual(await titles.allTextContents(), all);
  const { WqNorm, WkNorm, WvNorm } = await engineSays(page, 'taskGradients', { divisor: 'dk' });
  const norms = await digits(panel(page, 'gradients').locator('.norms dd'));
  assert.deepEqual(norms.slice(6), [WqNorm, WkNorm, WvNorm]);
  await set(only(page), { divisor: 'none' });
  assert.deepEqual(await titles.allTextContents(), ['÷ √dk', 'not divided (now)']);
});

pageTest('a token alone has no task: the panels say so, and recover', async (page) => {
  await open(page, 'gradients train', 'tokens="alone"');
  for (const name of ['gradients', 'train']) {
    const alert = panel(page, name).getByRole('alert');
    assert.match((await alert.textContent()) ?? '', /^The task takes two tokens that are no padding\.$/);
  }
  await set(only(page), { tokens: ['not', 'alone'], context: ['ni', 'seul'] });
  for (const name of ['gradients', 'train']) {
    const alert = panel(page, name).getByRole('alert');
    assert.match((await alert.textContent()) ?? '', /^The task is about one sentence: /);
  }
  assert.equal(await panel(page, 'train').getByText('Rows of padding have no target').isVisible(), false);
  await set(only(page), { tokens: ['not', 'all', 'alone'], context: [], padding: 1 });
  assert.equal(await panel(page, 'train').getByText('Rows of padding have no target').isVisible(), true);
  for (const name of ['gradients', 'train']) {
    assert.equal(await panel(page, name).getByRole('alert').textContent(), '');
    assert.ok(await panel(page, name).locator('.small-map').first().isVisible());
  }
});
