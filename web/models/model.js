// A model on the reader's disk: what its config.json says, and where layer 0's tensors lie in its weights. Nothing is read but
// the config, the headers and, when they are asked for, the slices that one sentence needs. Nothing leaves the page.

import { describe } from '../engine/engine-error.js';
import { parseJson } from '../readers/json-text.js';
import { refuse, shapeText } from '../readers/refusal.js';
import { readSafetensors } from '../readers/safetensors.js';
import { textOf } from '../readers/source.js';
import { families } from './families.js';

/** @typedef {import('../readers/source.js').Source} Source */
/** @typedef {import('../readers/tensors.js').FoundTensor} FoundTensor */
/** @typedef {import('./families.js').Family} Family */

/** Limits of what is drawn, and so of what is read. */
export const widest = 1600;
export const mostHeads = 32;

/**
 * @typedef {object} Model
 * @property {Family} family
 * @property {number} dModel
 * @property {number} heads
 * @property {number} dHead  d_model / heads
 * @property {number} vocabulary
 * @property {number} positions  the longest sentence, in tokens
 * @property {number} epsilon  layer norm's
 * @property {{words: FoundTensor, positions: FoundTensor, types?: FoundTensor}} embeddings
 * @property {{gain: FoundTensor, bias: FoundTensor}} norm
 * @property {{weight: FoundTensor, bias: FoundTensor}[]} projections  one of Q, K and V side by side, or three
 */

/** The object in a file of JSON. @param {Source} source @returns {Promise<import('../readers/json-text.js').JsonObject>} */
async function objectIn(source) {
  const value = parseJson(await textOf(source), source.name);
  return value instanceof Map ? value : refuse(source.name, '', `is ${describe(value)}`, 'must be an object');
}

/**
 * The family that a config names.
 *
 * @param {import('../readers/json-text.js').JsonObject} config
 * @param {string} file
 */
function familyOf(config, file) {
  const type = config.get('model_type');
  const known = families.map((family) => `${family.type} (${family.name})`).join(' and ');
  return (
    families.find((family) => family.type === type) ??
    refuse(
      file,
      'model_type',
      type === undefined ? 'is missing' : `is ${describe(type)}`,
      `the families that are known are ${known}`,
    )
  );
}

/** @param {import('../readers/json-text.js').JsonObject} config @param {Family} family @param {string} file */
function settingsOf(config, family, file) {
  /** @param {string} key @param {number} [most] */
  const whole = (key, most = Number.MAX_SAFE_INTEGER) => {
    const value = config.get(key);
    const isRight = Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
    const range = most === Number.MAX_SAFE_INTEGER ? 'at least 1' : `from 1 to ${most}`;
    const found = value === undefined ? 'is missing' : `is ${describe(value)}`;
    return isRight ? Number(value) : refuse(file, key, found, `must be a whole number ${range}`);
  };
  const { widths } = family;
  const dModel = whole(widths.dModel, widest);
  const heads = whole(widths.heads, mostHeads);
  if (dModel % heads !== 0) {
    refuse(file, widths.heads, `is ${heads}`, `must divide ${widths.dModel} = ${dModel}`);
  }
  for (const { key, only } of Object.values(family.requirements)) {
    const value = config.get(key) ?? only[0];
    if (!only.includes(/** @type {string | boolean} */ (value))) {
      refuse(file, key, `is ${describe(value)}`, `of ${family.name} only ${only.map(describe).join(' or ')} is read`);
    }
  }
  const [key, initial] = family.epsilon;
  const epsilon = config.get(key) ?? initial;
  if (typeof epsilon !== 'number' || !(epsilon >= 0 && epsilon < 1)) {
    return refuse(file, key, `is ${describe(epsilon)}`, 'must be a number from 0 to less than 1');
  }
  const [vocabulary, positions] = [whole(widths.vocabulary), whole(widths.positions)];
  return { dModel, heads, dHead: dModel / heads, vocabulary, positions, epsilon };
}

/**
 * The tensors of one file, or of the shards that an index names and that hold what is looked for.
 *
 * @param {Source[]} files
 * @param {(name: string) => boolean} isWanted
 * @returns {Promise<{tensors: Map<string, FoundTensor>, file: string}>}
 */
async function tensorsIn(files, isWanted) {
  const index = files.find(({ name }) => name.endsWith('.safetensors.index.json'));
  const shards = files.filter(({ name }) => name.endsWith('.safetensors'));
  const tensors = new Map();
  if (index === undefined) {
    if (shards.length !== 1) {
      const found = shards.length === 0 ? 'is missing' : `is ${shards.length} files`;
      const expected =
        shards.length === 0
          ? 'a model has its weights in model.safetensors'
          : 'a model in parts has model.safetensors.index.json too';
      refuse('model.safetensors', '', found, expected);
    }
    for (const tensor of (await readSafetensors(shards[0])).tensors) {
      tensors.set(tensor.name, tensor);
    }
    return { tensors, file: shards[0].name };
  }
  const places = (await objectIn(index)).get('weight_map');
  if (!(places instanceof Map)) {
    return refuse(index.name, 'weight_map', `is ${describe(places)}`, "must be an object of the tensors' files");
  }
  for (const name of new Set([...places].filter(([tensor]) => isWanted(tensor)).map(([, file]) => file))) {
    const shard = shards.find((file) => file.name === name);
    if (shard === undefined) {
      return refuse(index.name, '', `names the file ${describe(name)}`, 'it is not among the files given');
    }
    for (const tensor of (await readSafetensors(shard)).tensors) {
      if (places.get(tensor.name) === name) {
        tensors.set(tensor.name, tensor);
      }
    }
  }
  return { tensors, file: index.name };
}

/** The names of all tensors that layer 0 needs. @param {Family} family */
const namesOf = ({ embeddings, norm, projections }) => [
  ...Object.values(embeddings),
  ...[norm.gain, norm.bias].flat(),
  ...[projections].flat().flatMap(({ weight, bias }) => [weight, bias]),
];

/**
 * Opens a model: reads its config and the header of its weights, and holds one against the other.
 *
 * @param {Source[]} files  config.json, model.safetensors or its parts and their index; others are left alone
 * @returns {Promise<Model>}
 * @throws {EngineError}  where a file is missing or broken, the family is none that is known, or config and tensors disagree
 */
export async function openModel(files) {
  const configFile = files.find(({ name }) => name === 'config.json');
  if (configFile === undefined) {
    return refuse('config.json', '', 'is missing', "it says the model's family and widths");
  }
  const config = await objectIn(configFile);
  const family = familyOf(config, configFile.name);
  const settings = settingsOf(config, family, configFile.name);
  const { dModel, vocabulary, positions } = settings;
  const names = namesOf(family);
  const wanted = new Set(family.prefixes.flatMap((prefix) => names.map((name) => prefix + name)));
  const { tensors, file } = await tensorsIn(files, (name) => wanted.has(name));
  const { words } = family.embeddings;
  const prefix = family.prefixes.find((before) => tensors.has(before + words));
  if (prefix === undefined) {
    const looked = family.prefixes.map((before) => before + words).join(' or ');
    return refuse(file, '', `has no ${looked}`, `config.json says that it is a ${family.name}`);
  }

  /**
   * @param {string[]} choices  of the name
   * @param {(number | null)[]} shape  null: of any length
   */
  const take = (choices, shape) => {
    const tensor = choices.map((name) => tensors.get(prefix + name)).find(Boolean);
    if (tensor === undefined) {
      return refuse(file, '', `has no ${choices.map((name) => prefix + name).join(' or ')}`, `${family.name} needs it`);
    }
    if (
      tensor.shape.length !== shape.length ||
      shape.some((length, axis) => length !== null && length !== tensor.shape[axis])
    ) {
      const expected = `(${shape.map((length) => length ?? 'any').join(', ')})`;
      return refuse(
        file,
        tensor.name,
        `has shape ${shapeText(tensor.shape)}`,
        `config.json and ${family.name} make it ${expected}`,
      );
    }
    if (tensor.problem !== null || !/^(bf16|f16|f32|f64)$/.test(tensor.dtype)) {
      return refuse(file, `${tensor.name} dtype`, `is ${tensor.dtype}`, 'weights are F64, F32, F16 or BF16');
    }
    return tensor;
  };
  const parts = [family.projections].flat();
  const width = (3 * dModel) / parts.length;
  const matrix = family.orientation === 'in-out' ? [dModel, width] : [width, dModel];
  return {
    family,
    ...settings,
    embeddings: {
      words: take([words], [vocabulary, dModel]),
      positions: take([family.embeddings.positions], [positions, dModel]),
      ...(family.embeddings.types && { types: take([family.embeddings.types], [null, dModel]) }),
    },
    norm: { gain: take(family.norm.gain, [dModel]), bias: take(family.norm.bias, [dModel]) },
    projections: parts.map(({ weight, bias }) => ({ weight: take([weight], matrix), bias: take([bias], [width]) })),
  };
}
