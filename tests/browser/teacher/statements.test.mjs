// What a frame tells a learning platform of an answer. Covers hosts/embed/embed.js.

import assert from 'node:assert/strict';
import { openPage, pageTest } from '../support.mjs';

pageTest('a frame tells each answer as a statement of xAPI, for the platform to name the actor', async (page) => {
  await openPage(page, '<iframe src="/embed/embed.html?v=1&panels=checkpoints" width="900" height="3000"></iframe>', {
    head: '',
  });
  await page.evaluate(() => {
    const told = /** @type {any} */ (window);
    told.statements = [];
    addEventListener(
      'message',
      ({ data }) => data?.type === 'attention-widget.statement' && told.statements.push(data),
    );
  });
  const frame = page.frameLocator('iframe');
  await frame.locator('[data-exercise="peak"]').getByText('about 0.3').click();
  await frame.locator('button[part="toggle"]').click();
  await frame.locator('[part="slider"]').press('End');
  await frame.locator('[data-exercise="peak"][data-outcome="fails"]').waitFor();
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).statements), [
    {
      type: 'attention-widget.statement',
      statement: {
        verb: { id: 'http://adlnet.gov/expapi/verbs/answered', display: { en: 'answered' } },
        object: { objectType: 'Activity', id: 'urn:attention-widget:checkpoint:peak' },
        result: { success: false, response: 'low' },
      },
    },
  ]);
});
