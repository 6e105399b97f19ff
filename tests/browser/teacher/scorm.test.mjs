// Packages for learning platforms, run against a platform. Covers teacher/scorm.js, scorm-package.js and lesson-command.js. The
// platform is scorm-again, which answers, refuses and counts errors as the specification has it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { siblings } from '../../../web/build/build.mjs';
import { pageTest, serve } from '../support.mjs';

/** @typedef {import('../support.mjs').Page} Page */
/** @typedef {'1.2' | '2004'} Version */

const command = fileURLToPath(new URL('../../../dist/lesson-command.js', import.meta.url));
const platforms = fileURLToPath(new URL('../node_modules/scorm-again/dist/', import.meta.url));

/** @param {string[]} options */
const run = (...options) => spawnSync(process.execPath, [command, ...options], { encoding: 'utf8' });

/** The files of a package. @param {Version} version @param {string[]} options */
function packed(version, ...options) {
  const output = join(tmpdir(), `lesson-${process.pid}-${version}.zip`);
  const { status, stderr } = run('pack', '--scorm', version, '--output', output, ...options);
  assert.equal(status, 0, stderr);
  return unzipSync(new Uint8Array(readFileSync(output)));
}

/**
 * Opens a package in a frame of a platform, which notes every call.
 *
 * @param {Page} page
 * @param {Version} version
 * @param {object} [before]  what the platform kept of a visit before, of cmi
 */
async function openInPlatform(page, version, before) {
  const files = packed(version, '--exercises', '2', '--pass', '50', '--panels', 'checkpoints break');
  for (const [name, bytes] of Object.entries(files)) {
    serve(`/${version}/${name}`, strFromU8(bytes));
  }
  const [script, className, name] =
    version === '1.2' ? ['scorm12.js', 'Scorm12API', 'API'] : ['scorm2004.js', 'Scorm2004API', 'API_1484_11'];
  serve('/platform.js', readFileSync(join(platforms, script), 'utf8'));
  const address = serve(
    '/platform.html',
    '<!doctype html><link rel="icon" href="data:,"><script src="platform.js"></script><iframe width="900" height="3000"></iframe>',
  );
  await page.goto(address);
  const isWellFormed = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror') === null,
    strFromU8(files['imsmanifest.xml']),
  );
  assert.ok(isWellFormed, 'the manifest is XML');
  await page.evaluate(
    ([constructed, given, kept]) => {
      const view = /** @type {any} */ (window);
      const api = new view[constructed]({ autocommit: false, logLevel: 5 });
      if (kept !== undefined) {
        api.loadFromJSON({ cmi: kept });
      }
      view.calls = [];
      view[given] = new Proxy(api, {
        get: (target, call) =>
          typeof target[call] !== 'function'
            ? target[call]
            : (/** @type {string[]} */ ...values) => {
                const answer = target[call](...values);
                view.calls.push([call, ...values, String(answer)]);
                return answer;
              },
      });
    },
    /** @type {const} */ ([className, name, before]),
  );
  await page.evaluate((path) => {
    /** @type {HTMLIFrameElement} */ (document.querySelector('iframe')).src = path;
  }, `/${version}/index.html`);
  const frame = page.frameLocator('iframe');
  await frame.locator('[data-exercise="peak"]').waitFor();
  return frame;
}

/** @param {Page} page @returns {Promise<string[][]>} without the prefix of 1.2 */
const calls = (page) =>
  page.evaluate(() =>
    /** @type {any} */ (window).calls.map((/** @type {string[]} */ [name, ...rest]) => [
      name.replace(/^LMS/, '').replace('Finish', 'Terminate'),
      ...rest,
    ]),
  );

/** What is set in the end, by element. @param {string[][]} all */
const valuesSet = (all) =>
  Object.fromEntries(all.filter(([name]) => name === 'SetValue').map(([, element, value]) => [element, value]));

for (const version of /** @type {const} */ (['1.2', '2004'])) {
  const core = version === '1.2' ? 'cmi.core.' : 'cmi.';

  pageTest(
    `SCORM ${version}: answers become score and completion, by calls that the platform takes in this order`,
    async (page) => {
      const frame = await openInPlatform(page, version);
      await frame.locator('[data-exercise="peak"]').getByText('about 0.3').click();
      await frame.locator('button[part="toggle"]').click();
      await frame.locator('[part="slider"]').press('End');
      await frame.locator('[data-exercise="peak"][data-outcome="fails"]').waitFor();
      const half = valuesSet(await calls(page));
      assert.equal(half[`${core}score.raw`], '0');
      assert.equal(half[version === '1.2' ? 'cmi.core.lesson_status' : 'cmi.completion_status'], 'incomplete');
      await frame.locator('[data-exercise="axis"] input').nth(2).click();
      await frame.locator('[data-mistake="wrongAxis"] button.toggle').first().click();
      await frame.locator('[data-exercise="axis"]:is([data-outcome="fails"], [data-outcome="holds"])').waitFor();
      const right = await frame.locator('[data-exercise="axis"]').getAttribute('data-outcome');
      await page.evaluate(() => {
        /** @type {HTMLIFrameElement} */ (document.querySelector('iframe')).src = 'about:blank';
      });
      await page.waitForFunction(() =>
        /** @type {any} */ (window).calls.some((/** @type {string[]} */ [name]) => /Finish|Terminate/.test(name)),
      );
      const all = await calls(page);
      const names = all.map(([name]) => name);
      assert.equal(names[0], 'Initialize');
      assert.equal(names.at(-1), 'Terminate');
      assert.equal(names.at(-2), 'Commit');
      assert.equal(names.filter((name) => name === 'Initialize').length, 1);
      assert.equal(names.filter((name) => name === 'Terminate').length, 1);
      const refused = all.filter(([name, ...rest]) => name !== 'GetValue' && rest.at(-1) !== 'true');
      assert.deepEqual(refused, [], 'the platform takes every element and every word');
      const set = valuesSet(all);
      const passed = right === 'holds' ? 'passed' : 'failed';
      assert.equal(set[`${core}score.raw`], right === 'holds' ? '50' : '0');
      if (version === '1.2') {
        assert.equal(set['cmi.core.lesson_status'], passed);
        assert.match(set['cmi.core.session_time'], /^\d{2,4}:\d\d:\d\d(\.\d{1,2})?$/);
      } else {
        assert.equal(set['cmi.completion_status'], 'completed');
        assert.equal(set['cmi.success_status'], passed);
        assert.equal(set['cmi.score.scaled'], right === 'holds' ? '0.5' : '0');
        assert.match(set['cmi.session_time'], /^PT\d+H\d+M\d+S$/);
      }
      assert.equal(set['cmi.suspend_data'], `peak=0 axis=${right === 'holds' ? 1 : 0}`);
    },
  );

  pageTest(`SCORM ${version}: a second visit goes on from the first`, async (page) => {
    const frame = await openInPlatform(page, version, { suspend_data: 'lateMask=1' });
    await frame.locator('[data-exercise="peak"]').getByText('about 1').click();
    await frame.locator('button[part="toggle"]').click();
    await frame.locator('[part="slider"]').press('End');
    await frame.locator('[data-exercise="peak"][data-outcome="holds"]').waitFor();
    const set = valuesSet(await calls(page));
    assert.equal(set[`${core}score.raw`], '100');
    assert.equal(set[version === '1.2' ? 'cmi.core.lesson_status' : 'cmi.success_status'], 'passed');
  });

  pageTest(`SCORM ${version}: what was complete stays so, though the platform lost the answers`, async (page) => {
    const status = version === '1.2' ? { core: { lesson_status: 'passed' } } : { completion_status: 'completed' };
    const frame = await openInPlatform(page, version, status);
    await frame.locator('[data-exercise="peak"]').getByText('about 1').click();
    await frame.locator('button[part="toggle"]').click();
    await frame.locator('[part="slider"]').press('End');
    await frame.locator('[data-exercise="peak"][data-outcome="holds"]').waitFor();
    assert.deepEqual(valuesSet(await calls(page)), { 'cmi.suspend_data': 'peak=1' });
  });

  test(`SCORM ${version}: the manifest lists every file of the package, and each once`, () => {
    const files = packed(version, '--title', 'A & B "<c>"');
    const manifest = strFromU8(files['imsmanifest.xml']);
    const listed = Array.from(manifest.matchAll(/<file href="([^"]+)"\/>/g), ([, name]) => name);
    assert.deepEqual(
      listed.sort(),
      Object.keys(files)
        .filter((name) => name !== 'imsmanifest.xml')
        .sort(),
    );
    const beside = Object.keys(siblings).map((sibling) => `${sibling}.js`);
    assert.deepEqual(
      beside.filter((file) => !listed.includes(file)),
      [],
      'all that the widget may ask for',
    );
    assert.match(manifest, version === '1.2' ? /adlcp:scormtype="sco"/ : /adlcp:scormType="sco"/);
    assert.match(manifest, version === '1.2' ? /<schemaversion>1\.2</ : /<schemaversion>2004 4th Edition</);
    assert.match(manifest, /<title>A &amp; B &quot;&lt;c&gt;&quot;<\/title>/);
    const [, page] = /identifierref="(\w+)"/.exec(manifest) ?? [];
    assert.match(manifest, new RegExp(`<resource identifier="${page}" .* href="index.html">`));
    const [, organization] = /<organizations default="(\w+)"/.exec(manifest) ?? [];
    assert.match(manifest, new RegExp(`<organization identifier="${organization}">`));
  });
}

test('what the command does not understand it says in a sentence', () => {
  const said = (/** @type {string[]} */ ...options) => {
    const { status, stderr } = run(...options);
    return [status, stderr.split('\n')[0]];
  };
  assert.deepEqual(said('pack'), [2, 'attention-lesson: --scorm is missing, but must be 1.2 or 2004']);
  assert.deepEqual(said('pack', '--scorm', '1.3'), [2, 'attention-lesson: --scorm is "1.3", but must be 1.2 or 2004']);
  assert.deepEqual(said('pack', '--scorm', '1.2', '--pass', '101'), [
    2,
    'attention-lesson: --pass is "101", but must be a whole number from 0 to 100',
  ]);
  assert.equal(said('pack', '--scorm', '1.2', '--d-k', '0')[0], 1);
  assert.equal(said('unpack')[0], 2);
});
