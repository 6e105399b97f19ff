// A trained model's first layer, from files on the reader's disk: every head's Q, K and V for a sentence of the reader's.
//
// Layer 0 only: what goes into it is known from the tables of embeddings, while a deeper layer sees the output of the ones
// before it. Nothing leaves the page.

import { EngineError } from '../engine/engine-error.js';
import { refuse } from '../readers/refusal.js';
import { openModel } from './model.js';
import { loadCore } from './module.js';
import { openTokenizer } from './tokenizer.js';

/** @typedef {import('../readers/source.js').Source} Source */
/** @typedef {import('../readers/tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('../engine/engine.js').Tensor<Float64Array>} Matrix */
/** @typedef {import('./model.js').Model} Model */

/**
 * What one sentence is in layer 0. n tokens; heads stand side by side.
 *
 * @typedef {object} FirstLayer
 * @property {number[]} ids  (n)
 * @property {string[]} labels  (n), no two alike
 * @property {Matrix} embedded  (n, d_model); words + positions, and types where the family has them
 * @property {Float64Array} mean  (n); layer norm's
 * @property {Float64Array} variance  (n)
 * @property {Matrix} X  (n, d_model); normalised: what the heads see
 * @property {Matrix} Q  (n, heads * d_head)
 * @property {Matrix} K  (n, heads * d_head)
 * @property {Matrix} V  (n, heads * d_head)
 */

/**
 * @typedef {object} TrainedLayer
 * @property {string} family  as its makers write it
 * @property {number} dModel
 * @property {number} heads
 * @property {number} dHead
 * @property {boolean} isCausal
 * @property {number} longest  sentence, in tokens
 * @property {(text: string) => Promise<FirstLayer>} compute  a sentence; words that were seen are not read again
 * @property {(ids: number[], labels?: string[]) => Promise<FirstLayer>} computeIds  the same of rows of the table of words
 * @property {(layer: FirstLayer, head: number) => HeadState} headState  one head as a widget's properties
 * @property {() => number} memory  bytes of the module's that hold the layer
 */

/**
 * A head as `Object.assign(widget, state)` shows it.
 *
 * @typedef {{tokens: string[], Q: Matrix, K: Matrix, V: Matrix, mask: 'causal' | 'none'}} HeadState
 */

/** Rows of a matrix that are read at once, so that a file's bytes are never held beside the whole layer. */
const rowsAtOnce = 64;

/** @param {AbortSignal} [signal] */
const stopIfAsked = (signal) => signal?.throwIfAborted();

/**
 * Opens a model and reads its layer 0.
 *
 * @param {Source[]} files  config.json, tokenizer.json, and model.safetensors or its parts and their index
 * @param {{signal?: AbortSignal, onProgress?: (part: number) => void}} [options]  progress from 0 to 1
 * @returns {Promise<TrainedLayer>}
 * @throws {EngineError}  where a file is missing, broken, or not of one model with the others
 */
export async function openFirstLayer(files, { signal, onProgress } = {}) {
  const model = await openModel(files);
  stopIfAsked(signal);
  const hasTokenizer = files.some(({ name }) => name === 'tokenizer.json');
  const tokenizer = hasTokenizer ? await openTokenizer(files) : null;
  stopIfAsked(signal);
  const core = await loadCore();
  const { family, dModel, heads, dHead, epsilon, embeddings } = model;
  const vector = async (/** @type {FoundTensor} */ tensor) => {
    const { data } = await tensor.read();
    const address = core.take(data.length);
    core.numbers(address, data.length).set(data);
    return address;
  };
  const gain = await vector(model.norm.gain);
  const bias = await vector(model.norm.bias);
  /** @type {{weight: number, bias: number, width: number}[]} */
  const projections = [];
  for (const part of model.projections) {
    const width = (3 * dModel) / model.projections.length;
    const weight = core.take(dModel * width);
    const [rows] = part.weight.shape;
    for (let first = 0; first < rows; first += rowsAtOnce) {
      const chosen = Array.from({ length: Math.min(rowsAtOnce, rows - first) }, (_, at) => first + at);
      stopIfAsked(signal);
      const { data } = await part.weight.read({ rows: chosen });
      const kept = core.numbers(weight, dModel * width);
      if (family.orientation === 'in-out') {
        kept.set(data, first * width);
      } else {
        for (let at = 0; at < data.length; at++) {
          kept[(at % dModel) * width + first + Math.floor(at / dModel)] = data[at];
        }
      }
      onProgress?.((projections.length + (first + chosen.length) / rows) / model.projections.length);
    }
    projections.push({ weight, bias: await vector(part.bias), width });
  }

  /** Rows that were read, by their index. */
  const stored = { words: new Map(), positions: new Map(), types: new Map() };
  /** @param {keyof typeof stored} table @param {number[]} indexes */
  const rowsOf = async (table, indexes) => {
    const rows = stored[table];
    const missing = [...new Set(indexes)].filter((row) => !rows.has(row)).sort((one, other) => one - other);
    if (missing.length > 0) {
      const { data } = await /** @type {FoundTensor} */ (embeddings[table]).read({ rows: missing });
      for (const [at, row] of missing.entries()) {
        rows.set(row, data.slice(at * dModel, (at + 1) * dModel));
      }
    }
    return indexes.map((row) => rows.get(row));
  };

  /** Room for a sentence, which grows with it. */
  let room = { tokens: 0, x: 0, mean: 0, variance: 0, y: 0 };
  const makeRoom = (/** @type {number} */ tokens) => {
    if (tokens > room.tokens) {
      // Twice as much as before, so that what is given up is never more than what is used.
      const enough = Math.min(model.positions, Math.max(32, 2 * room.tokens, tokens));
      const [x, mean, variance, y] = [dModel, 1, 1, 3 * dModel].map((width) => core.take(enough * width));
      room = { tokens: enough, x, mean, variance, y };
    }
    return room;
  };

  /** @type {TrainedLayer['computeIds']} */
  const computeIds = async (ids, labels = ids.map(String)) => {
    const n = ids.length;
    if (n < 1 || n > model.positions) {
      refuse('text', '', `is ${n} tokens`, `the model has room for 1 to ${model.positions}`);
    }
    const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0 || id >= model.vocabulary);
    if (wrong !== undefined) {
      refuse(
        'tokenizer.json',
        labels[ids.indexOf(wrong)],
        `has id ${wrong}`,
        `the model's table of words ends at ${model.vocabulary - 1}: is the tokenizer another model's?`,
      );
    }
    const tables = [await rowsOf('words', ids), await rowsOf('positions', [...ids.keys()])];
    if (embeddings.types) {
      tables.push(await rowsOf('types', Array(n).fill(0)));
    }
    // From here on nothing waits, so that two sentences asked for at once cannot share the room.
    const { x, mean, variance, y } = makeRoom(n);
    core.numbers(x, n * dModel).fill(0);
    for (const rows of tables) {
      const addend = core.numbers(y, n * dModel); // room that is not needed yet
      for (const [i, row] of rows.entries()) {
        addend.set(row, i * dModel);
      }
      core.add(n * dModel, y, x);
    }
    const embedded = { data: core.numbers(x, n * dModel).slice(), shape: [n, dModel] };
    core.normalise(x, n, dModel, gain, bias, epsilon, mean, variance);
    const X = { data: core.numbers(x, n * dModel).slice(), shape: [n, dModel] };
    /** @type {Matrix[]} */
    const parts = [];
    for (const { weight, bias: shift, width } of projections) {
      core.project(x, n, dModel, weight, shift, width, y);
      const rows = core.numbers(y, n * width);
      for (let part = 0; part < width / dModel; part++) {
        const data = new Float64Array(n * dModel);
        for (let i = 0; i < n; i++) {
          data.set(rows.subarray(i * width + part * dModel, i * width + (part + 1) * dModel), i * dModel);
        }
        if (!data.every(Number.isFinite)) {
          refuse(
            'model.safetensors',
            'layer 0',
            'makes a number that is not finite',
            'weights must leave float64 its range',
          );
        }
        parts.push({ data, shape: [n, dModel] });
      }
    }
    const [Q, K, V] = parts;
    const at = (/** @type {number} */ address) => core.numbers(address, n).slice();
    return { ids, labels, embedded, mean: at(mean), variance: at(variance), X, Q, K, V };
  };

  return {
    ...{ family: family.name, dModel, heads, dHead, isCausal: family.isCausal, longest: model.positions, computeIds },
    memory: core.memory,
    async compute(text) {
      if (tokenizer === null) {
        return refuse('tokenizer.json', '', 'is missing', "it makes the model's tokens of a sentence");
      }
      const { ids, labels } = tokenizer.tokens(text);
      return computeIds(ids, labels);
    },
    headState({ labels, Q, K, V }, head) {
      if (!Number.isInteger(head) || head < 0 || head >= heads) {
        throw new EngineError({ argument: 'head', found: `is ${head}`, expected: `must be from 0 to ${heads - 1}` });
      }
      const part = (/** @type {Matrix} */ { data }) => ({
        data: Float64Array.from({ length: labels.length * dHead }, (_, at) => {
          return data[Math.floor(at / dHead) * dModel + head * dHead + (at % dHead)];
        }),
        shape: [labels.length, dHead],
      });
      return { tokens: labels, Q: part(Q), K: part(K), V: part(V), mask: family.isCausal ? 'causal' : 'none' };
    },
  };
}
