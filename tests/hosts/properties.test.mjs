// The tag in the templates of frameworks, drawn in the page: they write properties, and write them as text.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { compile as compileSvelte } from 'svelte/compiler';
import { pageTest } from '../browser/support.mjs';
import { addPackage, folder, html, origins, write } from './support.mjs';

/** These two have no types. @type {(name: string) => any} */
const load = createRequire(import.meta.url);
const { transformAsync } = load('@babel/core');
const solid = load('babel-preset-solid');

for (const name of ['react', 'react-dom', 'preact', 'vue', 'svelte', 'solid-js', '@angular', 'rxjs']) {
  addPackage(name);
}

/** What each framework's template says as text. */
const text = 'tokens="a b c" row="2" heads="2" seed="7" panels="proofs" locked="seed" dropout="0.1" d-k="8"';

/** What the templates' variables are at first, and then. */
const first = { tokens: 'a b', row: '0', panels: '', linked: false };
const then = { tokens: 'c d e', row: '2', panels: 'shapes code', linked: 'false' };

/** The source of a page for each framework: it draws into #root and puts into `show` what changes the variables. */
const sources = /** @type {Record<string, () => Promise<string> | string>} */ ({
  react: () => `
    import { useState } from 'react';
    import { createRoot } from 'react-dom/client';
    import { flushSync } from 'react-dom';
    function Lesson() {
      const [v, set] = useState(${JSON.stringify(first)});
      window.show = (values) => flushSync(() => set(values));
      return <main>
        <attention-widget ${text} />
        <attention-widget id="w" tokens={v.tokens} row={v.row} panels={v.panels} linked={v.linked}
          onattention-change={({ detail }) => { window.heard = detail.state.row; }} />
      </main>;
    }
    createRoot(document.querySelector('#root')).render(<Lesson />);`,

  preact: () => `
    /** @jsxImportSource preact */
    import { render } from 'preact';
    const Lesson = (v) => <main>
      <attention-widget ${text} />
      <attention-widget id="w" tokens={v.tokens} row={v.row} panels={v.panels} linked={v.linked}
        onattention-change={({ detail }) => { window.heard = detail.state.row; }} />
    </main>;
    window.show = (values) => render(<Lesson {...values} />, document.querySelector('#root'));
    show(${JSON.stringify(first)});`,

  vue: () => {
    const template = `<main><attention-widget ${text} />
      <attention-widget id="w" :tokens="v.tokens" :row="v.row" :panels="v.panels" :linked="v.linked"
        @attention-change="hear" /></main>`;
    return `
    import { createApp, shallowRef } from 'vue/dist/vue.esm-bundler.js';
    const v = shallowRef(${JSON.stringify(first)});
    window.show = (values) => { v.value = values; };
    const app = createApp({
      template: ${JSON.stringify(template)},
      setup: () => ({ v, hear: ({ detail }) => { window.heard = detail.state.row; } }),
    });
    app.config.compilerOptions.isCustomElement = (tag) => tag === 'attention-widget';
    app.mount('#root');`;
  },

  svelte: () => {
    const { js } = compileSvelte(
      `<script>
        let v = $state.raw(${JSON.stringify(first)});
        window.show = (values) => { v = values; };
      </script>
      <main><attention-widget ${text}></attention-widget>
      <attention-widget id="w" tokens={v.tokens} row={v.row} panels={v.panels} linked={v.linked}
        onattention-change={({ detail }) => { window.heard = detail.state.row; }}></attention-widget></main>`,
      { name: 'Lesson', generate: 'client' },
    );
    write('properties/lesson.svelte.js', js.code);
    return `
    import { mount } from 'svelte';
    import Lesson from './lesson.svelte.js';
    mount(Lesson, { target: document.querySelector('#root') });`;
  },

  solid: async () => {
    const source = `
    import { createSignal } from 'solid-js';
    import { render } from 'solid-js/web';
    const [v, set] = createSignal(${JSON.stringify(first)});
    window.show = set;
    render(() => <main>
      <attention-widget ${text} />
      <attention-widget id="w" tokens={v().tokens} row={v().row} panels={v().panels} linked={v().linked}
        on:attention-change={({ detail }) => { window.heard = detail.state.row; }} />
    </main>, document.querySelector('#root'));`;
    const compiled = await transformAsync(source, { presets: [[solid, {}]], babelrc: false, configFile: false });
    return compiled?.code ?? '';
  },

  angular: () => `
    import '@angular/compiler';
    import { ApplicationRef, Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from '@angular/core';
    import { bootstrapApplication } from '@angular/platform-browser';
    const Lesson = Component({
      selector: '#root',
      schemas: [CUSTOM_ELEMENTS_SCHEMA],
      template: \`<attention-widget ${text} />
        <attention-widget id="w" [tokens]="v().tokens" [row]="v().row" [panels]="v().panels" [linked]="v().linked"
          (attention-change)="hear($event)" />\`,
    })(class {
      v = signal(${JSON.stringify(first)});
      constructor() { window.show = (values) => this.v.set(values); }
      hear({ detail }) { window.heard = detail.state.row; }
    });
    bootstrapApplication(Lesson, { providers: [provideZonelessChangeDetection()] }).then(() => { window.ready = true; });`,
});

/** The states of the page's widgets, once they show them. @param {import('playwright-core').Page} page */
const states = (page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve)); // frameworks draw in a task or a microtask of their own
    const answers = [];
    for (const element of /** @type {NodeListOf<any>} */ (document.querySelectorAll('attention-widget'))) {
      await element.updated;
      const { tokens, row, heads, seed, panels, locked, dropout, dK } = element.state;
      answers.push({
        state: { tokens: tokens.join(' '), row, heads, seed, panels: panels?.join(' ') ?? null, locked, dropout, dK },
        linked: element.linked,
        error: element.error?.message ?? null,
      });
    }
    return answers;
  });

const usual = { heads: 1, seed: 50721255, locked: null, dropout: 0, dK: 16 };
const byText = {
  ...{ tokens: 'a b c', row: 2, heads: 2, seed: 7, panels: 'proofs', locked: ['seed'], dropout: 0.1, dK: 8 },
};

for (const [name, source] of Object.entries(sources)) {
  pageTest(
    `${name}: text in its templates sets properties, at first, when it changes, and when it is taken away`,
    async (page) => {
      write(`properties/${name}.jsx`, `import 'attention-widget';\n${await source()}`);
      await esbuild.build({
        absWorkingDir: join(folder, 'properties'),
        entryPoints: [`${name}.jsx`],
        outfile: join(folder, `properties/${name}.js`),
        bundle: true,
        jsx: 'automatic',
        conditions: ['browser', 'production'],
        define: { 'process.env.NODE_ENV': '"production"', ngDevMode: 'false' },
        logLevel: 'error',
      });
      write(`properties/${name}.html`, html(name, `<script src="${name}.js" defer></script>`, '<div id="root"></div>'));
      await page.goto(`${origins[0]}/properties/${name}.html`);
      await page.locator('#w .cell').first().waitFor();
      assert.deepEqual(await states(page), [
        { state: byText, linked: false, error: null },
        { state: { ...usual, tokens: 'a b', row: 0, panels: '' }, linked: false, error: null },
      ]);
      assert.equal(await page.evaluate(() => /** @type {any} */ (window).heard), 0, 'the listener in the template');

      /** @param {object} values */
      const show = async (values) => {
        await page.evaluate((values) => /** @type {any} */ (window).show(values), values);
        return (await states(page))[1];
      };
      const changed = { ...usual, tokens: 'c d e', row: 2, panels: 'shapes code' };
      assert.deepEqual(await show(then), { state: changed, linked: false, error: null });
      for (const [value, isLinked] of [
        [true, true],
        [false, false],
        ['', true],
        ['false', false],
        ['true', true],
      ]) {
        assert.equal((await show({ ...then, linked: value })).linked, isLinked, `linked is ${JSON.stringify(value)}`);
      }
      // Preact writes '' where others write null, and there are panels only where none is said: '' says none.
      const none = name === 'preact' ? '' : null;
      const start = { ...usual, tokens: 'Your journey starts with one step', row: 1, panels: none };
      for (const nothing of [null, undefined]) {
        const taken = { tokens: nothing, row: nothing, panels: nothing, linked: false };
        assert.deepEqual(await show(taken), { state: start, linked: false, error: null });
        await show(then);
      }
    },
  );
}
