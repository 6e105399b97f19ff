// WebKit, as Debian packages it for GTK: a window on a screen that nobody sees, driven through WebDriver.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { Builder, Capabilities, Key, Origin } from 'selenium-webdriver';

const keyCodes = /** @type {Record<string, string>} */ ({
  Tab: Key.TAB,
  Enter: Key.ENTER,
  Space: Key.SPACE,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
  Home: Key.HOME,
  End: Key.END,
  Shift: Key.SHIFT,
});

/**
 * Starts a program that ends with this one at the latest.
 *
 * @param {string} command
 * @param {string[]} options
 * @param {import('node:child_process').SpawnOptions} settings
 */
function startProgram(command, options, settings) {
  const program = spawn(command, options, settings);
  const end = () => program.kill();
  process.once('exit', end);
  program.once('exit', () => process.off('exit', end));
  return program;
}

/** @returns {Promise<import('./engines.mjs').Engine>} */
export async function startWebKit() {
  const screen = startProgram('Xvfb', ['-displayfd', '3', '-screen', '0', '1200x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await new Promise((resolve, reject) => {
    screen.once('error', reject);
    screen.once('exit', (status) => reject(new Error(`Xvfb ended with ${status}`)));
    screen.stdio?.[3]?.once('data', (number) => resolve(String(number).trim()));
  });
  const port = await freePort();
  const service = startProgram('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11' },
    stdio: 'ignore',
  });
  await answered(`http://127.0.0.1:${port}/status`);
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(new Capabilities().setBrowserName('MiniBrowser'))
    .build();
  await driver.manage().window().setRect({ x: 0, y: 0, width: 1000, height: 940 });
  return {
    async visit(address) {
      await driver.get(address);
    },
    async run(program) {
      const { value, problem } = await driver.executeAsyncScript(
        `const [answer] = arguments;
         Promise.resolve().then(() => ${program})
           .then((value) => answer({ value }), (problem) => answer({ problem: String(problem) }));`,
      );
      if (problem !== undefined) {
        throw new Error(problem);
      }
      return value ?? undefined;
    },
    async press(key) {
      const [last, ...held] = key
        .split('+')
        .map((each) => keyCodes[each] ?? each)
        .reverse();
      const actions = driver.actions();
      for (const each of held) {
        actions.keyDown(each);
      }
      actions.keyDown(last).keyUp(last);
      for (const each of held) {
        actions.keyUp(each);
      }
      await actions.perform();
    },
    async drag([[x, y], ...others]) {
      const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
        x: Math.round(x),
        y: Math.round(y),
        origin: Origin.VIEWPORT,
        duration: 0,
      });
      const actions = driver.actions().move(at(x, y)).press();
      for (const [x, y] of others) {
        actions.move(at(x, y));
      }
      await actions.release().perform();
    },
    async stop() {
      await driver.quit();
      service.kill();
      screen.kill();
    },
  };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** Waits until somebody answers there. @param {string} address */
async function answered(address) {
  for (let turn = 0; turn < 300; turn++) {
    const isThere = await fetch(address).then(
      () => true,
      () => false,
    );
    if (isThere) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nobody answers at ${address}`);
}
