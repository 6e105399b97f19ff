// The lessons as a reader opens them: with and without a script, on paper, from a file, by the keyboard, in each theme. Covers
// lessons/*.html, lesson.css and lesson.js.

import assert from 'node:assert/strict';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { eventually, pageTest, settled } from '../support.mjs';
import { folder, lessonPolicy, lessons, openLessonAt, servedAt, translations } from './support.mjs';

/** @typedef {import('../support.mjs').Page} Page */

const axe = fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url));

/** Bytes that a lesson may cost its readers, gzipped, but for the editor. */
const mostTransferred = 130_000;

const strict = servedAt('/elsewhere/strict', { 'content-security-policy': lessonPolicy });
const plain = servedAt('/elsewhere/plain', {});

/** Waits until panels and their charts have come: until then everything below them moves. @param {Page} page */
async function stands(page) {
  await page.waitForLoadState('networkidle');
  const law = page.locator('attention-widget [data-panel="law"]');
  if ((await law.count()) > 0) {
    await eventually(async () => (await law.locator('svg').count()) >= 4, true);
  }
  for (let [height, turns] = [0, 0]; turns < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await page.evaluate(() => document.documentElement.scrollHeight);
    turns = now === height ? turns + 1 : 0;
    height = now;
  }
}

/**
 * What shuts a reader out: what axe finds, and targets of less than 24 px. axe's own rule on targets counts what a closed panel of
 * the widget hides as lying over what follows.
 *
 * @param {Page} page
 */
async function barriers(page) {
  await stands(page);
  await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run();
    const own = Array.from(
      document.querySelectorAll('main button, main input, main summary, .contents a, .choices a, .way a'),
    );
    return [
      ...violations.flatMap((/** @type {any} */ { id, nodes }) =>
        nodes.map((/** @type {any} */ { target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
      ),
      ...own.flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width > 0 && (width < 24 || height < 24)
          ? [`${target.outerHTML.slice(0, 80)}: ${width} × ${height}`]
          : [];
      }),
    ];
  });
}

for (const name of lessons) {
  for (const [look, media, viewport] of /** @type {const} */ ([
    ['light', { colorScheme: 'light' }, { width: 1400, height: 9000 }],
    ['dark', { colorScheme: 'dark' }, { width: 1400, height: 9000 }],
    ['forced colours', { forcedColors: 'active' }, { width: 1400, height: 9000 }],
    ['narrow', { colorScheme: 'light' }, { width: 360, height: 9000 }],
  ])) {
    pageTest(
      `${name}, ${look}: no barrier, and nothing wider than the window`,
      async (page) => {
        // Policies of the page would refuse axe.
        await page.emulateMedia(media);
        await openLessonAt(page, plain(name));
        assert.deepEqual(await barriers(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      },
      { viewport, bypassCSP: true },
    );
  }

  pageTest(`${name}: each link puts its widget into the state that it names, whatever came before`, async (page) => {
    await openLessonAt(page, plain(name));
    const faults = await page.evaluate(async () => {
      const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
      /** @type {HTMLElement[]} */
      const links = Array.from(document.querySelectorAll('[data-attention-for]'));
      const found = links.length < 10 ? [`there are ${links.length} links`] : [];
      let last = '';
      for (const link of [...links, ...links.toReversed()]) {
        const id = link.dataset.attentionFor ?? '';
        if (id !== last) {
          await pause(700); // a reader reads on from one picture to the next
          last = id;
        }
        const widget = /** @type {any} */ (document.getElementById(id));
        link.click();
        await widget.updated;
        for (let turn = 0; turn < 100 && !link.hasAttribute('data-shown'); turn++) {
          await pause(20);
        }
        if (widget.error !== null || !link.hasAttribute('data-shown')) {
          found.push(`"${link.textContent}": ${widget.error?.message ?? JSON.stringify(widget.state)}`);
        }
      }
      return found;
    });
    assert.deepEqual(faults, []);
  });

  pageTest(
    `${name}: in a wide window the widget stays in sight beside its text`,
    async (page) => {
      await openLessonAt(page, plain(name));
      const sections = await page.locator('section.shown').evaluateAll((all) => all.map(({ id }) => id));
      assert.ok(sections.length >= 5);
      for (const id of sections) {
        const seen = await page.locator(`#${id}`).evaluate(async (section) => {
          section.scrollIntoView({ behavior: 'instant' });
          scrollBy({ top: (section.getBoundingClientRect().height - innerHeight) / 2, behavior: 'instant' });
          await new Promise(requestAnimationFrame);
          const [stage, text] = ['.stage', '.said'].map((each) =>
            /** @type {Element} */ (section.querySelector(each)).getBoundingClientRect(),
          );
          return { top: stage.top, bottom: stage.bottom, isBeside: stage.left >= text.right, height: innerHeight };
        });
        assert.ok(seen.isBeside, `#${id}: beside`);
        assert.ok(seen.top >= -1 && seen.bottom <= seen.height + 60, `#${id}: ${JSON.stringify(seen)}`);
      }
    },
    { viewport: { width: 1400, height: 900 } },
  );

  pageTest(
    `${name}: on a phone the widget stands under the paragraph that it belongs to`,
    async (page) => {
      await openLessonAt(page, plain(name));
      const places = await page.locator('section.shown').evaluateAll((all) =>
        all.map((section) => {
          const [first, stage, ...rest] = Array.from(section.children, (each) => each.getBoundingClientRect());
          return stage.top >= first.bottom && rest.every(({ top }) => top >= stage.bottom);
        }),
      );
      assert.ok(places.length >= 5 && places.every(Boolean), JSON.stringify(places));
    },
    { viewport: { width: 360, height: 740 } },
  );

  pageTest(`${name}: the way to another section keeps what the reader changed, and so does a reload`, async (page) => {
    await openLessonAt(page, plain(name));
    const link = page.locator('[data-attention-for]:not([data-shown]):visible').first();
    const id = await link.getAttribute('data-attention-for');
    const state = () => page.locator(`#${id}`).evaluate((widget) => /** @type {any} */ (widget).link);
    const before = await state();
    await link.click();
    await settled(page);
    const after = await state();
    assert.notEqual(after, before);
    await eventually(async () => page.url().includes('~att~'), true);
    await page.locator('.contents a').nth(3).click();
    await eventually(async () => /#\w+~att~/.test(page.url()), true);
    await page.reload();
    await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
    await settled(page);
    assert.equal(await state(), after);
    const target = await page.evaluate(() => location.hash.slice(1).split('~')[0]);
    await eventually(
      () =>
        page.evaluate((section) => {
          const { top } = /** @type {Element} */ (document.getElementById(section)).getBoundingClientRect();
          return top > -5 && top < innerHeight / 2;
        }, target),
      true,
    );
  });

  pageTest(
    `${name}: without a script there are the text and the pictures`,
    async (page) => {
      await page.goto(plain(name));
      const pictures = page.locator('.paper img');
      const count = await pictures.count();
      assert.ok(count >= 5);
      for (let at = 0; at < count; at++) {
        await pictures.nth(at).scrollIntoViewIfNeeded();
        await eventually(
          () => pictures.nth(at).evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth > 300),
          true,
        );
      }
      assert.equal(await page.locator('attention-widget:visible').count(), 0);
      assert.ok((await page.locator('main p:visible').count()) > 20);
      assert.equal(await page.locator('.box:visible').count(), 0);
    },
    { javaScriptEnabled: false },
  );

  pageTest(
    `${name}: on paper there are the pictures and boxes to write in, and no answers and controls`,
    async (page) => {
      await openLessonAt(page, plain(name));
      await page.pdf();
      await page.emulateMedia({ media: 'print' });
      const images = await page
        .locator('.paper img')
        .evaluateAll((all) => all.map((image) => /** @type {HTMLImageElement} */ (image).naturalWidth));
      assert.ok(
        images.length >= 5 && images.every((width) => width > 300),
        `pictures are in the printed page: ${images}`,
      );
      assert.equal(await page.locator('.paper:visible').count(), await page.locator('.paper').count());
      assert.equal(
        await page.locator('attention-widget:visible, .way:visible, .contents:visible, .editor:visible').count(),
        0,
      );
      assert.ok((await page.locator('.box:visible').count()) >= 8);
      assert.equal(await page.locator('details > p:visible, #solution:visible').count(), 0);
    },
  );

  pageTest(`${name}: opened as a file it computes, and says nothing wrong`, async (page) => {
    await openLessonAt(page, pathToFileURL(`${folder}${name}.html`).href);
    const results = await page
      .locator('attention-widget')
      .evaluateAll((widgets) => widgets.map((widget) => /** @type {any} */ (widget).result?.weights.data[0]));
    assert.ok(results.length >= 5 && results.every(Number.isFinite));
  });

  pageTest(`${name}: it works from any folder, under a strict policy of the server`, async (page) => {
    await openLessonAt(page, strict(name));
    const panels = await page
      .locator('attention-widget')
      .evaluateAll((widgets) => widgets.map((widget) => /** @type {any} */ (widget).error));
    assert.ok(panels.length >= 5 && panels.every((error) => error === null));
    for (const id of await page.locator('main > section').evaluateAll((all) => all.map((each) => each.id))) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    }
  });

  pageTest(`${name}: the text is on the screen before the widget's script has come`, async (page) => {
    /** @type {() => void} */
    let release = () => {};
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route('**/attention-widget.classic.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(plain(name), { waitUntil: 'commit' });
    await page.locator('h1').waitFor();
    await eventually(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length), 1);
    assert.equal(await page.evaluate(() => customElements.get('attention-widget') === undefined), true);
    release();
    await page.waitForFunction(() => customElements.get('attention-widget') !== undefined);
  });
}

for (const name of [...lessons, ...translations]) {
  pageTest(`${name}: the page takes its readers less than 130 kB, but for the editor`, async (page) => {
    /** @type {Map<string, Promise<Buffer>>} */
    const bodies = new Map();
    page.on('response', (response) => {
      if (!response.url().includes('workbench')) {
        bodies.set(response.url(), response.body());
      }
    });
    await openLessonAt(page, plain(name));
    for (const id of await page.locator('main > section').evaluateAll((all) => all.map((each) => each.id))) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    }
    await page.waitForLoadState('networkidle');
    const sizes = new Map();
    for (const [address, body] of bodies) {
      sizes.set(address.split('/').at(-1), gzipSync(await body, { level: 9 }).length);
    }
    const total = Array.from(sizes.values()).reduce((sum, size) => sum + size, 0);
    assert.ok(total > 80_000, 'the widget is among them');
    assert.ok(total <= mostTransferred, `${total} bytes: ${JSON.stringify(Object.fromEntries(sizes))}`);
  });
}

for (const name of translations) {
  pageTest(
    `${name}: no barrier on a phone, widgets and numbers in the page’s language, and a way to the others`,
    async (page) => {
      await openLessonAt(page, plain(name));
      assert.deepEqual(await barriers(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      const language = name.split('.')[1];
      const widgets = await page
        .locator('attention-widget')
        .evaluateAll((all) => all.map(({ shadowRoot }) => shadowRoot?.querySelector('[part~="controls"]')?.ariaLabel));
      assert.ok(widgets.length >= 4);
      assert.deepEqual(new Set(widgets), new Set([{ es: 'Controles', 'zh-CN': '控制项' }[language]]));
      const languages = await page.locator('.languages > *').allTextContents();
      assert.deepEqual(languages, ['English', '简体中文', 'Español']);
      assert.equal(await page.locator('.languages [aria-current]').count(), 1);
    },
    { viewport: { width: 360, height: 9000 }, bypassCSP: true },
  );

  pageTest(`${name}: nothing is refused under the strict policy, and the editor speaks the language`, async (page) => {
    await openLessonAt(page, strict(name));
    const workbench = page.locator('[data-workbench]');
    if ((await workbench.count()) === 1) {
      await workbench.scrollIntoViewIfNeeded();
      const run = name.endsWith('.es') ? 'Ejecutar con diez filas' : '在十行上运行';
      await page.getByRole('button', { name: run }).click();
      const summary = name.endsWith('.es') ? 'de 10 filas se cumplen' : '10 行中有';
      await page.getByRole('status').filter({ hasText: summary }).waitFor();
    }
  });
}

pageTest(
  'by the keyboard alone: contents, a link that drives, the widget, and out of the editor again',
  async (page) => {
    await openLessonAt(page, plain('scaled-dot-product'));
    const focused = () =>
      page.evaluate(() => document.activeElement?.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 120) ?? '');
    /** @param {RegExp} wanted */
    const tabTo = async (wanted) => {
      for (let turn = 0; turn < 400; turn++) {
        await page.keyboard.press('Tab');
        if (wanted.test(await focused())) {
          return;
        }
      }
      assert.fail(`${wanted} is not reached; the focus is on ${await focused()}`);
    };
    await tabTo(/href="#jobs"/);
    await page.keyboard.press('Enter');
    await tabTo(/data-edits="Wv 0 1 5"/);
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(
      await page.locator('#jobs-widget').evaluate((widget) => /** @type {any} */ (widget).state.edits.length),
      1,
    );
    await tabTo(/^<attention-widget id="jobs-widget"/);
    await page.locator('[data-workbench]').scrollIntoViewIfNeeded();
    await page.locator('.cm-content').waitFor();
    await page.locator('#stable a[data-attention-for]').last().focus();
    await tabTo(/class="editor"/);
    await tabTo(/Run on ten rows/);
  },
);

pageTest('a task is ticked when its state was reached, and not before', async (page) => {
  await openLessonAt(page, plain('self-attention'));
  const done = () =>
    page.locator('.tasks > li').evaluateAll((all) => all.map((task) => task.hasAttribute('data-done')));
  assert.deepEqual(await done(), [false, false, false, false]);
  await page.locator('.tasks a').nth(0).click();
  await eventually(done, [true, false, false, false]);
  const slider = page.locator('#watch-widget [part="slider"]');
  await slider.focus();
  await page.keyboard.press('End');
  await eventually(done, [true, true, false, false]);
});

pageTest(
  'where the widget’s script does not come, the pictures take its place',
  async (page) => {
    await page.route('**/attention-widget.classic.js', (route) => route.abort());
    await page.goto(plain('self-attention'));
    await page.locator('.paper img').first().scrollIntoViewIfNeeded();
    await eventually(
      () =>
        page
          .locator('.paper img')
          .first()
          .evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth > 300),
      true,
    );
  },
  {},
  /attention-widget\.classic\.js|ERR_FAILED/,
);

pageTest('the index lists the lessons, and each is there', async (page) => {
  await page.goto(plain('index'));
  for (const [at, name] of lessons.entries()) {
    assert.equal(await page.locator('a.more').nth(at).getAttribute('href'), `${name}.html`);
  }
  await page.locator('a.more').first().click();
  await page.waitForURL(/self-attention\.html$/);
  assert.match(await page.title(), /trainable weights/);
});
