// Two panels of small maps: the softmax Jacobian, and a pinned state beside the present one.

import assert from 'node:assert/strict';
import { numberIn, openPage, pageTest, resultShown, set, settled, stateOf } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const only = (/** @type {Page} */ page) => page.locator('attention-widget');
const panel = (/** @type {Page} */ page, /** @type {string} */ name) => only(page).locator(`.${name}`);

/** @param {Page} page @param {string} name @param {string} [attributes] */
const open = (page, name, attributes = '') =>
  openPage(page, `<attention-widget panels="${name}" ${attributes}></attention-widget>`);

/** The maps of a panel: their texts, and their numbers in full precision. @param {Page} page @param {string} name */
function readMaps(page, name) {
  return panel(page, name).evaluate((root) =>
    Array.from(root.querySelectorAll('.small-map'), (map) => {
      const all = (/** @type {string} */ role) => Array.from(map.querySelectorAll(`[role=${role}]`));
      const n = all('rowheader').length;
      const rows = (/** @type {any[]} */ list) => Array.from({ length: n }, (_, i) => list.slice(i * n, (i + 1) * n));
      const cells = /** @type {HTMLElement[]} */ (all('gridcell'));
      return {
        label: all('grid')[0].getAttribute('aria-label'),
        rowLabels: all('rowheader').map(({ textContent }) => textContent),
        columnLabels: all('columnheader').map(({ textContent }) => textContent),
        texts: rows(cells.map(({ textContent }) => textContent)),
        kinds: rows(cells.map(({ dataset }) => dataset.kind)),
        numbers: rows(
          cells.map(({ ariaLabel }) => Number(ariaLabel?.match(/[^ ()]+(?=\)?$)/)?.[0].replaceAll('−', '-'))),
        ),
        backgrounds: rows(cells.map((cell) => getComputedStyle(cell).backgroundColor)),
      };
    }),
  );
}

const press = async (/** @type {Page} */ page, /** @type {string} */ name) => {
  await panel(page, 'compare').getByRole('button', { name, exact: true }).click();
  await settled(page);
};
const said = (/** @type {Page} */ page) => panel(page, 'compare').getByRole('status').textContent();

pageTest('the Jacobian is diag(a) − aaᵀ: symmetric, rows sum to 0, and its norm is the widget’s', async (page) => {
  await open(page, 'jacobian');
  for (const settings of [{}, { divisor: 'none' }, { mask: 'causal', row: 3 }, { dK: 64, row: 2, divisor: 'sqrt' }]) {
    await set(only(page), settings);
    const { weights, metrics } = await resultShown(only(page));
    const { row, divisor } = await stateOf(only(page));
    const maps = await readMaps(page, 'jacobian');
    assert.equal(maps.length, 2);
    for (const { numbers } of maps) {
      numbers.forEach((entries, j) => {
        assert.ok(Math.abs(entries.reduce((sum, entry) => sum + entry, 0)) < 1e-12, `row ${j} sums to 0`);
        entries.forEach((entry, l) => {
          assert.equal(entry, numbers[l][j]);
        });
      });
    }
    const own = divisor === 'sqrt' ? 0 : 1;
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

pageTest('up to 8 tokens every entry is readable in its cell, with its sign', async (page) => {
  await open(page, 'jacobian');
  for (const tokens of [['a', 'b'], [...'abcdefgh']]) {
    await set(only(page), { tokens, row: 1 });
    for (const { texts, numbers, rowLabels, columnLabels } of await readMaps(page, 'jacobian')) {
      assert.deepEqual([rowLabels, columnLabels], [tokens, tokens]);
      texts.flat().forEach((text, index) => {
        const number = numbers.flat()[index];
        assert.ok(Math.abs(numberIn(text) - number) <= 0.0050001, `${text} is ${number}`);
        assert.equal(text[0], number === 0 ? '0' : number > 0 ? '+' : '−');
      });
    }
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
  assert.match((await note.textContent()) ?? '', /do not sum to 1/);
});

pageTest('keys and the pointer read a cell out in full precision', async (page) => {
  await open(page, 'jacobian');
  const map = panel(page, 'jacobian').locator('.small-map').first();
  const reading = panel(page, 'jacobian').locator('.reading').first();
  const cells = map.getByRole('gridcell');
  await cells.nth(8).hover();
  assert.match((await reading.textContent()) ?? '', /^journey, starts: −0\.\d\d \(−0\.\d{6,}\)$/);
  await cells.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.ok(await cells.nth(7).evaluate((cell) => cell.matches(':focus')));
  assert.match((await reading.textContent()) ?? '', /^journey, journey: \+0\.\d\d \(0\.\d{6,}\)$/);
  assert.equal(await map.locator('[tabindex="0"]').count(), 1);
});

pageTest('pin, then change: A stays, B is now, and B − A is their difference', async (page) => {
  await open(page, 'compare');
  assert.equal(await panel(page, 'compare').locator('.small-map').first().isVisible(), false);
  const before = (await resultShown(only(page))).weights;
  await press(page, 'Pin as A');
  assert.equal(await said(page), 'A and B are the same state.');
  await set(only(page), { dK: 64, divisor: 'none' });
  const after = (await resultShown(only(page))).weights;
  const [a, b, difference] = await readMaps(page, 'compare');
  assert.deepEqual(a.numbers, before);
  assert.deepEqual(b.numbers, after);
  const expected = after.map((row, i) => row.map((weight, j) => weight - before[i][j]));
  assert.deepEqual(difference.numbers, expected);
  assert.equal(await said(page), 'From A to B: dk 16 → 64, divisor sqrt → none.');
  const largest = panel(page, 'compare').locator('details.number');
  assert.equal(Number(await largest.locator('small').textContent()), Math.max(...expected.flat().map(Math.abs)));

  await press(page, 'Swap');
  const { dK, divisor } = await stateOf(only(page));
  assert.deepEqual([dK, divisor], [16, 'sqrt']);
  const swapped = (await readMaps(page, 'compare'))[2].numbers;
  assert.deepEqual(
    swapped,
    expected.map((row) => row.map((value) => -value)),
  );

  await press(page, 'Unpin');
  assert.match((await said(page)) ?? '', /^Pin this state/);
  assert.equal(await panel(page, 'compare').locator('.small-map').first().isVisible(), false);
});

pageTest('the scaled / unscaled pair is one click, whatever the divisor was', async (page) => {
  for (const divisor of ['sqrt', 'none', 'dk']) {
    await open(page, 'compare', `divisor="${divisor}" d-k="9"`);
    await press(page, 'Scaled / unscaled');
    assert.equal((await stateOf(only(page))).divisor, 'none');
    assert.equal(await said(page), 'From A to B: divisor sqrt → none.');
    const [a, b] = await readMaps(page, 'compare');
    assert.deepEqual(b.numbers, (await resultShown(only(page))).weights);
    await set(only(page), { divisor: 'sqrt' });
    assert.deepEqual(a.numbers, (await resultShown(only(page))).weights);
  }
});

pageTest('states of different lengths are not compared, and are again when they match', async (page) => {
  await open(page, 'compare');
  await press(page, 'Pin as A');
  await set(only(page), { tokens: ['only', 'three', 'words'] });
  assert.equal(await said(page), 'A has 6 tokens and B has 3: they cannot be compared.');
  assert.equal(await panel(page, 'compare').locator('.small-map').first().isVisible(), false);
  await set(only(page), { tokens: ['Your', 'trip', 'starts', 'with', 'one', 'step'] });
  const maps = await readMaps(page, 'compare');
  assert.equal(maps[0].rowLabels[1], 'journey');
  assert.equal(maps[1].rowLabels[1], 'trip');
  assert.match((await said(page)) ?? '', /tokens “Your journey .*” → “Your trip/);
  assert.ok(await panel(page, 'compare').locator('.small-map').first().isVisible());
});

pageTest('hidden cells are hatched, and what is not a number is marked, not coloured', async (page) => {
  await open(page, 'compare', 'mask="causal" softmax="naive" d-k="64"');
  await press(page, 'Scaled / unscaled');
  const { weights } = await resultShown(only(page));
  assert.ok(weights.flat().some(Number.isNaN), 'a softmax overflowed');
  const [, b, difference] = await readMaps(page, 'compare');
  weights.forEach((row, i) => {
    row.forEach((weight, j) => {
      const kind = j > i ? 'hidden' : Number.isNaN(weight) ? 'invalid' : undefined;
      assert.equal(b.kinds[i][j], kind);
      assert.equal(difference.kinds[i][j], kind);
      if (kind === 'invalid') {
        assert.equal(difference.texts[i][j], 'NaN');
        assert.equal(difference.backgrounds[i][j], 'rgb(255, 255, 255)');
      }
    });
  });
  assert.equal(await panel(page, 'compare').locator('details.number summary').textContent(), 'NaN');
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  pageTest(
    `equal sizes of both signs are equally dark, and their numbers readable, in a ${colorScheme} theme`,
    async (page) => {
      await open(page, 'jacobian', `theme="${colorScheme}" d-k="2" tokens="a b"`);
      const found = await panel(page, 'jacobian')
        .locator('.small-map')
        .first()
        .evaluate((map) => {
          const context = /** @type {CanvasRenderingContext2D} */ (
            document.createElement('canvas').getContext('2d', { willReadFrequently: true })
          );
          const luminance = (/** @type {string} */ colour) => {
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            const [red, green, blue] = Array.from(context.getImageData(0, 0, 1, 1).data, (channel) => {
              const share = channel / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const cell = /** @type {HTMLElement} */ (map.querySelector('[role=gridcell]'));
          return ['minus', 'plus'].flatMap((sign) =>
            [0, 50, 100].map((share) => {
              cell.className = `cell ${sign}-${share}`;
              const { backgroundColor, color } = getComputedStyle(cell);
              const [low, high] = [luminance(backgroundColor), luminance(color)].sort((x, y) => x - y);
              const lightness = Number(backgroundColor.match(/^oklab\(([\d.]+)/)?.[1]);
              return { sign, share, backgroundColor, lightness, contrast: (high + 0.05) / (low + 0.05) };
            }),
          );
        });
      for (const each of found) {
        assert.ok(each.contrast >= 4.5, JSON.stringify(each));
      }
      const [minus, plus] = [found.slice(0, 3), found.slice(3)];
      minus.forEach(({ lightness, backgroundColor }, index) => {
        assert.ok(
          Math.abs(lightness - plus[index].lightness) < 0.002,
          `${backgroundColor} ${plus[index].backgroundColor}`,
        );
      });
      assert.ok(Math.abs(minus[0].lightness - minus[2].lightness) > 0.25, 'the scale can be seen');
      assert.notEqual(minus[2].backgroundColor, plus[2].backgroundColor);
    },
  );
}

pageTest('a closed panel computes nothing', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await set(only(page), { dK: 20 });
  assert.equal(await only(page).locator('.small-map, .worksheet').count(), 0);
});
