// The operator Attention of onnxruntime-web, on WebAssembly and one thread.

import * as ort from 'onnxruntime-web/wasm';
import { attentionModel } from '../onnx-model.mjs';

export const version = ort.env.versions.web;

/**
 * @param {import('./peers.js').Heads & {isCausal: boolean}} workload
 * @returns {Promise<import('./peers.js').Prepared>}
 */
export async function onnxruntime({ query, key, value, length, width, isCausal }) {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = '/peers/';
  const model = attentionModel({ length, width, isCausal });
  const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
  const shape = [1, 1, length, width];
  /** @param {Float32Array} data */
  const tensor = (data) => new ort.Tensor('float32', data, shape);
  const call = async () => {
    const { output } = await session.run({ query: tensor(query), key: tensor(key), value: tensor(value) });
    return /** @type {Float32Array} */ (output.data);
  };
  return { call, dispose: () => session.release() };
}
