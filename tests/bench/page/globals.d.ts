// What pages and evaluated functions see. The peers are installed for the bench alone; types are checked without them.

declare module '@tensorflow/tfjs-backend-wasm';
declare module '@tensorflow/tfjs-core';
declare module 'onnxruntime-web/wasm';

declare var bench: import('./measure.js').Bench;
