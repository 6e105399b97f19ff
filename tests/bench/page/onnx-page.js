// A page that computes what a widget shows, by onnxruntime-web: the heads are in the page.

import { onnxruntime } from './onnxruntime.js';

const { started, heads } = /** @type {any} */ (globalThis);
const [query, key, value] = [heads.query, heads.key, heads.value].map((entries) => Float32Array.from(entries));
const { call } = await onnxruntime({ ...heads, isCausal: false, query, key, value });
const output = await call();
console.log({ toResult: performance.now() - started, output: Array.from(output) });
