// The tag in templates that a type checker reads: what is right compiles, strictly, and what is misspelt does not.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addPackage, folder, project, run, write } from './support.mjs';

for (const name of ['react', '@types/react', 'csstype', 'preact', 'solid-js', 'vue', 'svelte']) {
  addPackage(name);
}

const compilerOptions = {
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
  ...{ types: [], strict: true, noEmit: true, skipLibCheck: true },
};

const bin = fileURLToPath(new URL('node_modules/.bin/', import.meta.url));

/** @type {Record<string, {jsxImportSource: string, listener: string}>} */
const jsx = {
  react: { jsxImportSource: 'react', listener: 'onattention-change' },
  preact: { jsxImportSource: 'preact', listener: 'onattention-change' },
  solid: { jsxImportSource: 'solid-js', listener: 'on:attention-change' },
};

for (const [name, { jsxImportSource, listener }] of Object.entries(jsx)) {
  test(`${name}: the tag, its attributes and its events are typed in .tsx`, () => {
    const tag = (/** @type {string} */ attributes) => `<attention-widget ${attributes} />`;
    const wrong = ['d-k="wide"', 'divisor="half"', 'panels="profs"', 'panels="proofs profs"', 'locked="sed"', 'dv="2"'];
    const source = `
      import 'attention-widget';
      export const right = [
        ${tag('tokens="a b c" row="2" heads="2" seed="7" panels="proofs shapes code" locked="seed d-k" dropout="0.1"')},
        ${tag('tokens={["a", "b"]} d-k={24} dK="24" softmax-axis="queries" panels={["proofs"]} linked id="w" lang="es"')},
        ${tag('row={null} linked="false" theme={undefined} panels=""')},
        ${tag(`${listener}={({ detail }) => detail.metrics.spread.toFixed(2)}`)},
      ];
      export const wrong = [${wrong.map((attributes) => `\n        // @ts-expect-error\n        ${tag(attributes)},`).join('')}
        // @ts-expect-error
        ${tag(`${listener}={({ detail }) => detail.colour}`)},
      ];`;
    write(`types-${name}/lesson.tsx`, source);
    const options = { ...compilerOptions, jsx: name === 'solid' ? 'preserve' : 'react-jsx', jsxImportSource };
    write(`types-${name}/tsconfig.json`, JSON.stringify({ compilerOptions: options, files: ['lesson.tsx'] }));
    write(`types-${name}/package.json`, '{"type": "module"}');
    run(join(project, 'node_modules/.bin/tsc'), ['-p', '.'], join(folder, `types-${name}`));
  });
}

/**
 * The problems that a checker finds in two files, one right and one wrong.
 *
 * @param {string} name  of the folder
 * @param {{Right: string, Wrong: string}} sources
 * @param {string} extension
 * @param {string} program
 * @param {string[]} words
 * @param {object} [tsconfig]
 */
function problemsOfTwo(name, sources, extension, program, words, tsconfig = {}) {
  for (const [file, source] of Object.entries(sources)) {
    write(`${name}/${file}.${extension}`, source);
  }
  write(`${name}/package.json`, '{"type": "module"}');
  const include = [`*.${extension}`];
  write(`${name}/tsconfig.json`, JSON.stringify({ compilerOptions, include, ...tsconfig }));
  const { stdout, stderr } = spawnSync(join(bin, program), words, { cwd: join(folder, name), encoding: 'utf8' });
  const lines = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => /\berror\b/i.test(line) && /\.(vue|svelte)/.test(line));
  const [right, wrong] = ['Right', 'Wrong'].map((file) =>
    lines.filter((line) => line.includes(`${file}.${extension}`)),
  );
  return { right, wrong };
}

test('vue: the tag, its attributes and its events are typed in strict templates', () => {
  const tag = (/** @type {string} */ attributes) => `<attention-widget ${attributes} />`;
  const script = `<script setup lang="ts">
import 'attention-widget';
import type { LessonState, Metrics } from 'attention-widget';
const hear = (event: CustomEvent<{ state: LessonState; metrics: Metrics }>) => event.detail.metrics.spread.toFixed(2);
</script>`;
  const right = `${script}
<template>
  ${tag('tokens="a b c" row="2" :heads="2" d-k="24" panels="proofs shapes code" locked="seed" dropout="0.1" id="w" class="x"')}
  ${tag(':tokens="[\'a\']" :d-k="24" softmax-axis="queries" :row="null" linked @attention-change="hear"')}
</template>`;
  const mistakes = ['d-k="wide"', 'divisor="half"', 'panels="profs"', 'locked="sed"', 'softmaxaxes="keys"'];
  const wrong = `${script}\n<template>\n${mistakes.map(tag).join('\n')}\n</template>`;
  const found = problemsOfTwo('types-vue', { Right: right, Wrong: wrong }, 'vue', 'vue-tsc', ['-p', '.'], {
    compilerOptions: { ...compilerOptions, jsx: 'preserve' },
    vueCompilerOptions: { strictTemplates: true },
  });
  assert.deepEqual(found.right, []);
  assert.equal(found.wrong.length, mistakes.length, found.wrong.join('\n'));
});

test('svelte: the tag, its attributes and its events are typed', () => {
  const tag = (/** @type {string} */ attributes) => `<attention-widget ${attributes}></attention-widget>`;
  const script = '<script lang="ts">\nimport \'attention-widget\';\n</script>\n';
  const right = [
    'tokens="a b c" row="2" heads={2} d-k="24" panels="proofs shapes code" locked="seed" dropout="0.1" id="w"',
    'tokens={["a"]} softmax-axis="queries" row={null} linked onattention-change={({ detail }) => detail.metrics.spread.toFixed(2)}',
  ];
  const mistakes = [
    ...['d-k="wide"', 'divisor="half"', 'panels="profs"', 'locked="sed"'],
    'onattention-change={({ detail }) => detail.colour}',
  ];
  const sources = { Right: script + right.map(tag).join('\n'), Wrong: script + mistakes.map(tag).join('\n') };
  const words = ['--workspace', '.', '--tsconfig', './tsconfig.json', '--output', 'machine'];
  const found = problemsOfTwo('types-svelte', sources, 'svelte', 'svelte-check', words);
  assert.deepEqual(found.right, []);
  assert.equal(found.wrong.length, mistakes.length, found.wrong.join('\n'));
});
