// The three engines that readers use, each behind the same few verbs.

import { startChromium } from './chromium.mjs';
import { startFirefox } from './firefox.mjs';
import { startWebKit } from './webkit.mjs';

/**
 * A browser with one page, whose keys and pointer are real.
 *
 * @typedef {object} Engine
 * @property {(address: string) => Promise<void>} visit  settles when the page has loaded
 * @property {(program: string) => Promise<any>} run  the value of an expression in the page, as JSON; promises awaited
 * @property {(key: string) => Promise<void>} press  by its name, or with others held: Shift+Tab
 * @property {(places: [number, number][]) => Promise<void>} drag  the button goes down at the first place and up at the
 *   last, in pixels of the window; one place is a click
 * @property {() => Promise<void>} stop
 */

/** @type {Record<string, () => Promise<Engine>>} */
export const engines = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };
