// The built engine. This folder is a package of its own, which the surrounding one's name does not resolve in.

import { project } from './browser.mjs';

/** @type {typeof import('attention-widget/engine')} */
export const { loadEngine } = await import(`${project}/dist/engine.js`);
