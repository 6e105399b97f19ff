// What people run attention on in a page, each as a function that prepares a call: numbers in, numbers out, the copies
// into and out of the runtime's memory included.

import * as tfjsWasm from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { loadEngine } from 'attention-widget/engine';
import { onnxruntime, version as onnxruntimeVersion } from './onnxruntime.js';

/** @typedef {{query: Float32Array, key: Float32Array, value: Float32Array, length: number, width: number}} Heads */
/** @typedef {() => Float32Array | Promise<Float32Array>} Call */
/** @typedef {{call: Call, dispose?: () => unknown}} Prepared */

/** @param {Heads & {isCausal: boolean, scale?: number}} workload @returns {Promise<Prepared>} */
async function ours({ query, key, value, length, width, isCausal, scale }) {
  const engine = await loadEngine();
  const shape = [length, width];
  const output = { data: new Float32Array(length * width), shape };
  const call = () =>
    /** @type {Float32Array} */ (
      engine.attention({
        query: { data: query, shape },
        key: { data: key, shape },
        value: { data: value, shape },
        isCausal,
        scale,
        returns: [],
        output,
      }).output.data
    );
  return { call };
}

/** @param {Heads} workload @returns {Promise<Prepared>} */
async function tensorflow({ query, key, value, length, width }) {
  tfjsWasm.setWasmPaths('/peers/');
  await tf.setBackend('wasm');
  tfjsWasm.setThreadsCount(1);
  /** @param {Float32Array} data */
  const tensor = (data) => tf.tensor2d(data, [length, width]);
  const call = () =>
    tf.tidy(() => {
      const scores = tf.mul(tf.matMul(tensor(query), tf.transpose(tensor(key))), 1 / Math.sqrt(width));
      return tf.matMul(tf.softmax(scores), tensor(value)).dataSync();
    });
  return { call };
}

/** JavaScript as it is written first, into arrays that are kept. @param {Heads} workload @returns {Promise<Prepared>} */
async function plain({ query, key, value, length, width }) {
  const output = new Float32Array(length * width);
  const weights = new Float32Array(length);
  const call = () => {
    output.fill(0);
    for (let i = 0; i < length; i++) {
      let largest = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < length; j++) {
        let score = 0;
        for (let c = 0; c < width; c++) {
          score += query[i * width + c] * key[j * width + c];
        }
        weights[j] = score / Math.sqrt(width);
        largest = Math.max(largest, weights[j]);
      }
      let total = 0;
      for (let j = 0; j < length; j++) {
        weights[j] = Math.exp(weights[j] - largest);
        total += weights[j];
      }
      for (let j = 0; j < length; j++) {
        for (let c = 0; c < width; c++) {
          output[i * width + c] += (weights[j] / total) * value[j * width + c];
        }
      }
    }
    return output;
  };
  return { call };
}

export const runtimes = { ours, onnxruntime, tensorflow, plain };

export const versions = () => ({ onnxruntime: onnxruntimeVersion, tensorflow: tf.version_core });
