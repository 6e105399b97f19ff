// A state in the page's own address: kept where the page asks for it, and nowhere else; and what is the page's of the address
// stays the page's.

import assert from 'node:assert/strict';
import { eventually, openPage, pageTest, serve, set, settled, stateOf, widgetScript } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const widget = (/** @type {Page} */ page) => page.locator('attention-widget').first();
const dK = async (/** @type {Page} */ page) => (await stateOf(widget(page))).dK;
const hash = (/** @type {Page} */ page) => page.evaluate(() => location.hash);
const address = (/** @type {Page} */ page) => page.evaluate(() => location.href.slice(location.origin.length));
const target = (/** @type {Page} */ page) => page.evaluate(() => document.querySelector(':target')?.id ?? null);
const scrolled = (/** @type {Page} */ page) => page.evaluate(() => Math.round(scrollY));
const only = (/** @type {Page} */ page) => page.locator('attention-widget');

/** What the console says of a state that cannot be read. */
const unreadable = /^warning: attention-widget: the address holds a state that cannot be read/;
const sentence = (/** @type {Page} */ page) => page.getByText('The address holds a state that cannot be read');

/** Turns the slider by a key. @param {Page} page @param {string} key */
async function pressOnSlider(page, key) {
  await widget(page).getByRole('slider').focus();
  await page.keyboard.press(key);
  await settled(page);
}

/** Puts the slider to its end, and waits until the address says so. @param {Page} page */
async function changeByReader(page) {
  await pressOnSlider(page, 'End');
  await eventually(async () => (await address(page)).includes('~d-k~64'), true);
}

/** Opens an address afresh. @param {Page} page @param {string} hash */
async function openAt(page, hash) {
  const there = `${page.url().split('#')[0]}${hash}`;
  await page.goto('about:blank');
  await page.goto(there);
  await settled(page);
}

/** Sections far below each other, of which the second stands far down. */
const sections =
  '<nav><a href="#one">one</a> <a href="#two">two</a> <a href="#">up</a></nav>' +
  '<section id="one"><h2>One</h2><div style="height: 3000px"></div></section>' +
  '<section id="two"><h2>Two</h2><div style="height: 3000px"></div></section>';

pageTest('a page that does not ask for it keeps its address', async (page) => {
  await openPage(page, '<attention-widget id="w1"></attention-widget>');
  await pressOnSlider(page, 'End');
  await page.waitForTimeout(900);
  assert.equal(await hash(page), '');
});

pageTest('a linked widget keeps its state in the address, and Back takes a change back', async (page) => {
  const body = '<attention-widget id="w1" linked d-k="8"></attention-widget><attention-widget></attention-widget>';
  await openPage(page, body);
  await page.evaluate(() => history.replaceState({ own: 1 }, '', '#section-2'));
  await pressOnSlider(page, 'End');
  await eventually(() => hash(page), '#section-2~att~w1~d-k~64~end');
  await widget(page)
    .getByRole('button', { name: /^÷ √dk/ })
    .click();
  await eventually(() => hash(page), '#section-2~att~w1~d-k~64~divisor~none~end');
  await page.goBack();
  await eventually(async () => (await stateOf(widget(page))).divisor, 'sqrt');
  assert.equal(await dK(page), 64);
  await page.goBack();
  await eventually(() => dK(page), 8);
  assert.equal(await hash(page), '#section-2~att~w1~end');
  await page.goForward();
  await eventually(() => dK(page), 64);
  assert.deepEqual(await page.evaluate(() => history.state), { own: 1 }, 'the page’s state of the entry goes along');
});

pageTest(
  'a widget that is linked opens in the state of its address, and passes over what it cannot read',
  async (page) => {
    const body = '<attention-widget id="w1" linked seed="3"></attention-widget>';
    await openPage(page, body);
    for (const part of [
      '#w2:v=1&d-k=3;w1:v=1&d-k=40&divisor=none&colour=red&row=-1',
      '#~att~w2~d-k~3~att~w1~d-k~40~divisor~none~colour~red~row~-1~end',
      '#%7Eatt%7Ew1%7Ed-k%7E40%7Edivisor%7Enone%7Eend',
      '#%257Eatt%257Ew1%257Ed-k%257E40%257Edivisor%257Enone%257Eend.',
    ]) {
      await openAt(page, part);
      const { dK: width, divisor, seed, row } = await stateOf(widget(page));
      assert.deepEqual([width, divisor, seed, row], [40, 'none', 3, 1], part);
    }
  },
);

pageTest('a drag of the slider is one step of the history', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked></attention-widget>');
  const before = await page.evaluate(() => history.length);
  await widget(page).getByRole('slider').focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
  }
  await eventually(() => hash(page), '#~att~w1~d-k~20~end');
  assert.equal(await page.evaluate(() => history.length), before + 1);
});

pageTest('the address and the history are left alone', async (page) => {
  await openPage(page, '<attention-widget></attention-widget>');
  await page.evaluate(() => history.replaceState(null, '', '#/3'));
  const before = await page.evaluate(() => [location.href, history.length]);
  for (let dK = 2; dK < 30; dK++) {
    await set(only(page), { dK });
  }
  assert.deepEqual(await page.evaluate(() => [location.href, history.length]), before);
});

pageTest('a reload keeps what differs from the author’s state, defaults and null among it', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked d-k="64" d-v="7" divisor="none"></attention-widget>');
  await widget(page)
    .getByRole('button', { name: /^÷ √dk/ })
    .click();
  await set(only(page), { dV: null, tokens: ['~end', 'a+b %7E', '🦉'], row: 2 });
  await eventually(async () => /~tokens~.*~divisor~sqrt/.test(await hash(page)), true);
  assert.match(await hash(page), /^#[\w.~-]+$/);
  const state = await stateOf(widget(page));
  assert.deepEqual([state.divisor, state.dV, state.row], ['sqrt', null, 2]);
  await page.reload();
  await settled(page);
  assert.deepEqual(await stateOf(widget(page)), state);
});

pageTest('what a base element says does not matter', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked></attention-widget>', {
    head: `<base href="/assets/">${widgetScript}`,
  });
  await changeByReader(page);
  assert.equal(await address(page), '/test.html#~att~w1~d-k~64~end');
  await page.reload();
  await settled(page);
  assert.equal(await dK(page), 64);
  await openAt(page, '#there~att~w1~d-k~9~end');
  assert.equal(await address(page), '/test.html#there~att~w1~d-k~9~end');
  assert.equal(await dK(page), 9);
});

pageTest('two linked widgets that change one after the other keep both changes', async (page) => {
  await openPage(
    page,
    '<attention-widget id="w1" linked></attention-widget><attention-widget id="w2" linked></attention-widget>',
  );
  await set(page.locator('#w1'), { dK: 64 });
  await page.waitForTimeout(300); // less than an address waits for a further change
  await set(page.locator('#w2'), { mask: 'causal' });
  await eventually(() => hash(page), '#~att~w1~d-k~64~att~w2~mask~causal~end');
  assert.equal((await stateOf(page.locator('#w1'))).dK, 64);
  assert.equal((await stateOf(page.locator('#w2'))).mask, 'causal');
});

pageTest('an anchor of the page scrolls and is the target, and every widget keeps its state', async (page) => {
  await openPage(
    page,
    `${sections}<attention-widget id="w1" linked></attention-widget><attention-widget id="w2" linked></attention-widget>`,
  );
  await page.getByRole('link', { name: 'one' }).click();
  assert.equal(await hash(page), '#one', 'an address that holds no state gets none');
  await changeByReader(page);
  assert.equal(await hash(page), '#one~att~w1~d-k~64~att~w2~end');
  await set(page.locator('#w2'), { mask: 'causal' });
  await eventually(() => hash(page), '#one~att~w1~d-k~64~att~w2~mask~causal~end');
  await page.getByRole('link', { name: 'two' }).click();
  await eventually(() => hash(page), '#two~att~w1~d-k~64~att~w2~mask~causal~end');
  assert.equal(await target(page), 'two');
  assert.ok((await scrolled(page)) > 2000);
  await page.waitForTimeout(100);
  assert.equal(await dK(page), 64);
  assert.equal((await stateOf(page.locator('#w2'))).mask, 'causal');
  await page.getByRole('link', { name: 'up' }).click();
  await eventually(() => hash(page), '#~att~w1~d-k~64~att~w2~mask~causal~end');
  await eventually(() => scrolled(page), 0);
  for (const [width, mask] of [
    [64, 'causal'],
    [64, 'causal'],
    [64, 'none'],
    [16, 'none'],
    [16, 'none'],
  ]) {
    await page.goBack();
    await eventually(
      async () => [(await stateOf(page.locator('#w1'))).dK, (await stateOf(page.locator('#w2'))).mask],
      [width, mask],
    );
  }
  assert.equal(await address(page), '/test.html');
});

pageTest('a link to a section with a state scrolls to it, and a reload stays where the reader was', async (page) => {
  await openPage(page, `<attention-widget id="w1" linked></attention-widget>${sections}`);
  for (const part of ['#two~att~w1~d-k~9~end', '#two;w1:v=1&d-k=9']) {
    await openAt(page, part);
    assert.equal(await dK(page), 9);
    assert.equal(await hash(page), '#two~att~w1~d-k~9~end');
    assert.equal(await target(page), 'two');
    await eventually(
      () =>
        page.evaluate(
          () => Math.abs(/** @type {Element} */ (document.querySelector('#two')).getBoundingClientRect().top) < 2,
        ),
      true,
    );
  }
  await page.mouse.wheel(0, 500);
  await page.waitForTimeout(300);
  const before = await scrolled(page);
  await page.reload();
  await settled(page);
  await eventually(() => hash(page), '#two~att~w1~d-k~9~end');
  await page.waitForTimeout(300);
  assert.ok(Math.abs((await scrolled(page)) - before) < 5, `${await scrolled(page)} was ${before}`);
  assert.equal(await target(page), 'two');
  assert.equal(await dK(page), 9);
});

pageTest(
  'a state that was cut off says so in one sentence, and leaves the address alone until the reader changes something',
  async (page) => {
    await openPage(page, `<attention-widget id="w1" linked d-k="8"></attention-widget>${sections}`);
    const whole = '#two~att~w1~d-k~40~mask~causal~end';
    for (const part of [
      whole.slice(0, -1),
      whole.slice(0, -4),
      whole.slice(0, -14),
      '#two~att~w1~d-k~%4~end',
      '#two~at',
    ]) {
      await openAt(page, part);
      await sentence(page).waitFor();
      assert.equal(await hash(page), part);
      assert.equal(await target(page), 'two');
      assert.equal(await dK(page), 8);
    }
    await page.evaluate(() => document.documentElement.setAttribute('lang', 'es'));
    await page.getByText('no se puede leer').waitFor();
    await page.getByRole('button', { name: 'Cerrar' }).click();
    await page.getByText('no se puede leer').waitFor({ state: 'detached' });
    await page.reload();
    await sentence(page).waitFor();
    await changeByReader(page);
    assert.equal(await hash(page), '#two~att~w1~d-k~64~end');
    await sentence(page).waitFor({ state: 'detached' });
  },
  {},
  unreadable,
);

pageTest(
  'a link that was cut off says so where it is set, and once in the console',
  async (page) => {
    await openPage(page, '<attention-widget></attention-widget>');
    await set(only(page), { link: 'v=2&tokens=the_cat_sat&mask=causal&end' });
    assert.deepEqual((await stateOf(widget(page))).tokens, ['the', 'cat', 'sat']);
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => messages.push(message.text()));
    await set(only(page), { link: 'v=1&mask=causal&tokens=%5B%22New+York%22%2C%22i' });
    await sentence(page).waitFor();
    await set(only(page), { link: 'v=1&mask=causal&tokens=%E0%A4%A' });
    const { tokens, mask } = await stateOf(widget(page));
    assert.deepEqual([tokens.length, mask], [6, 'causal']);
    assert.equal(messages.length, 1);
    await set(only(page), { link: 'v=1&d-k=9' });
    await sentence(page).waitFor({ state: 'detached' });
  },
  {},
  unreadable,
);

/** A small router behind the #, as many pages have one. */
const hashRouter = `
  const views = { '/': 'Home', '/two': 'Two' };
  const show = () => {
    const path = location.hash.slice(1) || '/';
    document.querySelector('h1').textContent = views[path] ?? 'Not found';
  };
  addEventListener('hashchange', show);
  show();
`;

for (const [title, mark, paths] of /** @type {const} */ ([
  ['#/', '', ['#/', '#/two']],
  ['an address that holds no route yet', '', ['', '#/two']],
])) {
  pageTest(`a router behind the # keeps its part, and the query holds the state: ${title}`, async (page) => {
    serve('/router.js', hashRouter);
    await openPage(
      page,
      `<h1>${mark}</h1><a href="#/">home</a> <a href="#/two">second</a><attention-widget id="w1" linked></attention-widget>
       <script src="/router.js"></script>`,
    );
    const view = () => page.locator('h1').textContent();
    await openAt(page, paths[0]);
    await changeByReader(page);
    assert.equal(await address(page), `/test.html?~att~w1~d-k~64~end${paths[0]}`);
    await page.getByRole('link', { name: 'second' }).click();
    await eventually(view, 'Two');
    assert.equal(await dK(page), 64);
    assert.equal(await address(page), '/test.html?~att~w1~d-k~64~end#/two');
    await widget(page)
      .getByRole('button', { name: /^÷ √dk/ })
      .click();
    await eventually(() => address(page), '/test.html?~att~w1~d-k~64~divisor~none~end#/two');
    await page.reload();
    await settled(page);
    assert.equal(await view(), 'Two');
    assert.deepEqual([await dK(page), (await stateOf(widget(page))).divisor], [64, 'none']);
    await page.goBack();
    await eventually(async () => (await stateOf(widget(page))).divisor, 'sqrt');
    assert.equal(await view(), 'Two');
    await page.goBack();
    await eventually(view, 'Home');
    assert.equal(await dK(page), 64);
    await page.goBack();
    await eventually(() => dK(page), 16);
    assert.equal(await view(), 'Home');
    await page.goForward();
    await page.goForward();
    await eventually(view, 'Two');
    assert.equal(await dK(page), 64);
  });
}

pageTest('a state behind a router’s part of the # moves into the query, and the router sees its own', async (page) => {
  serve('/router.js', hashRouter);
  await openPage(
    page,
    `<h1></h1><attention-widget id="w1" linked></attention-widget><script src="/router.js"></script>`,
  );
  for (const part of ['#/two;w1:v=1&d-k=9', '#/two~att~w1~d-k~9~end']) {
    await openAt(page, part);
    await eventually(() => page.locator('h1').textContent(), 'Two');
    assert.equal(await address(page), '/test.html?~att~w1~d-k~9~end#/two');
    assert.equal(await dK(page), 9);
  }
});

pageTest(
  'a router of the history that draws its page anew keeps its address, its entries’ states and the reader’s',
  async (page) => {
    serve(
      '/routes.js',
      `const draw = () => {
       const isTwo = new URLSearchParams(location.search).get('page') === 'two';
       document.querySelector('main').innerHTML = '<h1>' + (isTwo ? 'Two' : 'Home') + '</h1><h2 id="part">Part</h2>' +
         '<attention-widget id="' + (isTwo ? 'w2' : 'w1') + '" linked></attention-widget>';
     };
     addEventListener('popstate', (event) => {
       window.states.push(event.state);
       draw();
     });
     window.states = [];
     window.go = (address) => {
       history.pushState({ key: address }, '', address);
       draw();
     };
     history.replaceState({ key: 'first' }, '', location.href);
     draw();`,
    );
    await openPage(page, '<main></main><script src="/routes.js"></script>');
    await changeByReader(page);
    assert.equal(await address(page), '/test.html#~att~w1~d-k~64~end');
    assert.deepEqual(await page.evaluate(() => history.state), { key: 'first' });
    await page.evaluate(() => /** @type {any} */ (window).go('?page=two'));
    await settled(page);
    await page.waitForTimeout(100);
    assert.equal(await address(page), '/test.html?page=two');
    assert.equal(await dK(page), 16);
    await changeByReader(page);
    assert.equal(await address(page), '/test.html?page=two#~att~w2~d-k~64~end');
    await page.goBack();
    await eventually(() => dK(page), 16);
    assert.equal(await page.locator('h1').textContent(), 'Two');
    await page.goBack();
    await eventually(() => page.locator('h1').textContent(), 'Home');
    await eventually(() => dK(page), 64);
    await page.goBack();
    await eventually(() => dK(page), 16);
    await page.goForward();
    await page.goForward();
    await page.goForward();
    await eventually(() => page.locator('h1').textContent(), 'Two');
    await eventually(() => dK(page), 64);
    await page.reload();
    await settled(page);
    assert.equal(await dK(page), 64);
    const states = await page.evaluate(() => /** @type {any} */ (window).states);
    assert.ok(
      states.every((/** @type {any} */ state) => state !== null),
      JSON.stringify(states),
    );
  },
);

pageTest('a router’s link within the page keeps the state, and puts it back', async (page) => {
  await openPage(page, `<attention-widget id="w1" linked></attention-widget>${sections}`);
  await changeByReader(page);
  await page.evaluate(() => history.pushState({ key: 2 }, '', '#two'));
  await eventually(() => hash(page), '#two~att~w1~d-k~64~end');
  assert.deepEqual(await page.evaluate(() => history.state), { key: 2 });
  await page.evaluate(() => history.pushState(null, '', '/elsewhere'));
  await page.waitForTimeout(100);
  assert.equal(await address(page), '/elsewhere', 'another page is another page’s');
});

pageTest('an author chooses the place: the query beside the page’s own, or behind the # of a router', async (page) => {
  await openPage(page, '<attention-widget id="w1" linked="query"></attention-widget>');
  await page.evaluate(() => history.replaceState(null, '', '?page=3&x=a+b%20c#there'));
  await changeByReader(page);
  assert.equal(await address(page), '/test.html?page=3&x=a+b%20c&~att~w1~d-k~64~end#there');
  assert.deepEqual(await page.evaluate(() => [...new URLSearchParams(location.search)].slice(0, 2)), [
    ['page', '3'],
    ['x', 'a b c'],
  ]);
  await page.goto(`${page.url().split('?')[0]}?page=3&amp;%7Eatt%7Ew1%7Ed-k%7E64%7Eend=&utm=1#there`);
  await settled(page);
  assert.equal(await dK(page), 64);
  await pressOnSlider(page, 'Home');
  await eventually(() => address(page), '/test.html?page=3&utm=1&~att~w1~d-k~2~end#there');

  await openPage(page, '<attention-widget id="w1" linked="hash"></attention-widget>');
  await page.evaluate(() => history.replaceState(null, '', '#/slide'));
  await changeByReader(page);
  assert.equal(await hash(page), '#/slide~att~w1~d-k~64~end');
});

pageTest(
  'a widget that is moved, or taken away and put back, keeps its state and its place in the address',
  async (page) => {
    await openPage(page, '<main></main><attention-widget id="w1" linked d-k="8"></attention-widget>');
    await changeByReader(page);
    await widget(page)
      .getByRole('button', { name: /^÷ √dk/ })
      .click();
    await widget(page).evaluate((element) => document.querySelector('main')?.append(element));
    await eventually(() => hash(page), '#~att~w1~d-k~64~divisor~none~end');
    await widget(page).evaluate(async (element) => {
      element.remove();
      await new Promise((resolve) => setTimeout(resolve, 50));
      document.body.append(element);
    });
    await settled(page);
    const { dK: width, divisor } = await stateOf(widget(page));
    assert.deepEqual([width, divisor], [64, 'none']);
    await page.goBack();
    await page.goBack();
    await eventually(() => dK(page), 8);
    await page.waitForTimeout(700);
    assert.equal(await hash(page), '#~att~w1~end');
    await page.goForward();
    await eventually(() => dK(page), 64);
  },
);

pageTest('widgets without an id are known by their order', async (page) => {
  await openPage(page, '<attention-widget linked></attention-widget><attention-widget linked></attention-widget>');
  await set(only(page).nth(1), { dK: 9 });
  await eventually(() => hash(page), '#~att~attention~att~attention-2~d-k~9~end');
  await page.reload();
  await settled(page);
  assert.deepEqual([(await stateOf(only(page).nth(0))).dK, (await stateOf(only(page).nth(1))).dK], [16, 9]);
});

pageTest('properties that a framework sets after it has put the element in place are the author’s', async (page) => {
  await openPage(page, '');
  await page.evaluate(async () => {
    const element = /** @type {any} */ (document.createElement('attention-widget'));
    element.setAttribute('linked', '');
    document.body.append(element);
    element.dK = 40;
    await element.updated;
  });
  await page.waitForTimeout(700);
  assert.equal(await hash(page), '');
  assert.equal(await dK(page), 40);
});

pageTest('where a frame refuses the history, everything else works', async (page) => {
  await openPage(page, '<p></p>', { head: '' });
  const script = await page.evaluate(() => `${location.origin}/attention-widget.classic.js`);
  await page.evaluate((source) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.width = frame.height = '800';
    frame.srcdoc = `<!doctype html><attention-widget id="w1" linked></attention-widget><script src="${source}"></script>`;
    document.body.append(frame);
  }, script);
  const inside = page.frameLocator('iframe').locator('attention-widget');
  await inside.getByRole('slider').focus();
  await page.keyboard.press('End');
  await page.waitForTimeout(700);
  assert.equal((await stateOf(inside)).dK, 64);
  await inside.getByRole('button', { name: /^÷ √dk/ }).click();
  await page.waitForTimeout(700);
  assert.equal((await stateOf(inside)).divisor, 'none');
  assert.equal((await stateOf(inside)).dK, 64);
});
