// The licences of the npm packages that are bundled into dist/: whoever passes those scripts on passes these on with them.

import { readdirSync, readFileSync } from 'node:fs';

/** The folders of the packages that builds have met. @type {Set<string>} */
const folders = new Set();

/** Notes which packages a build bundles. */
export const packagesNoted = {
  name: 'packages-noted',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\/node_modules\// }, ({ path }) => {
      const [folder] = /.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder !== undefined) {
        folders.add(folder);
      }
      return undefined; // the file is loaded as ever
    });
  },
};

/** Name, version and licence of every package that has been noted. */
export function bundledLicences() {
  const texts = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) {
      throw new Error(`${name} is bundled, and has no file of its licence`);
    }
    return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
  });
  return `Scripts beside the widget contain these packages. The widget itself contains none.\n\n${texts.join('\n\n')}`;
}
