// Puts in place what the project needs, and nothing that is there already: Debian packages, then npm packages.
// Called by the npm scripts before anything else, so it uses Node's own modules alone.
//
//   node .ci/prepare.mjs build    what it takes to build and serve the widget
//   node .ci/prepare.mjs test     and to run every test
//   node .ci/prepare.mjs bench    and to measure

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeSettings } from '../web/build/settings.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Each Debian package, with a file that is there once it is installed. */
const packages = {
  build: {
    cmake: '/usr/bin/cmake',
    'ninja-build': '/usr/bin/ninja',
    emscripten: '/usr/bin/em++',
    'libxtensor-dev': '/usr/include/xtensor/xtensor.hpp',
  },
  test: {
    'g++': '/usr/bin/g++',
    'libtbb-dev': '/usr/include/oneapi/tbb/parallel_for.h',
    catch2: '/usr/include/catch2/catch.hpp',
    'libcli11-dev': '/usr/include/CLI/CLI.hpp',
    'nlohmann-json3-dev': '/usr/include/nlohmann/json.hpp',
    'clang-format': '/usr/bin/clang-format',
    'clang-tidy': '/usr/bin/clang-tidy',
    'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
    'firefox-esr': '/usr/bin/firefox-esr',
    'webkit2gtk-driver': '/usr/bin/WebKitWebDriver',
    xvfb: '/usr/bin/Xvfb',
    mkdocs: '/usr/bin/mkdocs',
    'mkdocs-material': '/usr/share/mkdocs/themes/material/__init__.py',
    'python3-sphinx': '/usr/bin/sphinx-build',
    'python3-myst-parser': '/usr/lib/python3/dist-packages/myst_parser/__init__.py',
    'python3-numpy': '/usr/lib/python3/dist-packages/numpy/__init__.py',
  },
  bench: {
    'libopenblas0-pthread': '/usr/share/doc/libopenblas0-pthread/copyright',
    'python3-torch': '/usr/lib/python3/dist-packages/torch/__init__.py',
  },
};

/** @param {string} command @param {string[]} options */
function succeeds(command, options) {
  return spawnSync(command, options, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** @param {string} reason @returns {never} */
function giveUp(reason) {
  console.error(reason);
  process.exit(1);
}

/** @param {Record<string, string>} wanted */
function prepareDebianPackages(wanted) {
  const missing = Object.entries(wanted)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name);
  if (missing.length === 0) {
    return;
  }
  const command = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const isRoot = process.getuid?.() === 0;
  if (!existsSync('/usr/bin/apt-get') || !(isRoot || spawnSync('sudo', ['-n', 'true']).status === 0)) {
    giveUp(
      `Missing: ${missing.join(', ')}. They are Debian packages, and this account may not install them. As root:\n  ${command}`,
    );
  }
  console.log(`Installing ${missing.join(', ')} …`);
  const install = `export DEBIAN_FRONTEND=noninteractive; { ${command}; } > /dev/null`;
  if (!(isRoot ? succeeds('sh', ['-c', install]) : succeeds('sudo', ['-n', 'sh', '-c', install]))) {
    giveUp(`Could not install ${missing.join(', ')}. As root, with a network:\n  ${command}`);
  }
}

/**
 * npm leaves a copy of the lock file's packages in node_modules, which says whether the folder is up to date.
 *
 * @param {string} folder
 */
function npmPackagesAreInPlace(folder) {
  const wanted = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')).packages;
  const installed = `${folder}/node_modules/.package-lock.json`;
  if (!existsSync(installed)) {
    return false;
  }
  const found = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional === true || found[path]?.version === version,
  );
}

/** @param {string} folder */
function prepareNpmPackages(folder) {
  if (npmPackagesAreInPlace(folder)) {
    return;
  }
  console.log('Installing npm packages …');
  if (!succeeds('npm', ['ci', `--prefix=${folder}`, '--no-audit', '--no-fund', '--loglevel=error'])) {
    giveUp(`Could not install the npm packages. With a network:\n  npm ci --prefix ${folder}`);
  }
}

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  giveUp(`Node.js ${process.versions.node} is too old: version 20 or later is needed.`);
}
const purpose = process.argv[2];
prepareDebianPackages({
  ...packages.build,
  ...(purpose === 'build' ? {} : packages.test),
  ...(purpose === 'bench' ? packages.bench : {}),
});
prepareNpmPackages(project);
if (purpose === 'test') {
  prepareNpmPackages(`${project}/tests/browser`);
  prepareNpmPackages(`${project}/tests/hosts`);
} else if (purpose === 'bench') {
  prepareNpmPackages(`${project}/tests/bench`);
}
// The types and the unit tests of web/ read it, with or without a build.
writeSettings();
