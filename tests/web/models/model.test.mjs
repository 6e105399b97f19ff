// Covers models/model.js: names with and without prefixes, models in parts, and files that do not belong together.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openModel } from '../../../web/models/model.js';
import { assertRejects, safetensorsFile, temporaryFolder } from '../readers/support.mjs';
import { fileOf, filesOf, makeModel, rewritten, tensorsOf } from './support.mjs';

/** @param {import('node:test').TestContext} context @param {'gpt2' | 'bert'} family */
function modelIn(context, family) {
  const folder = temporaryFolder(context);
  makeModel(folder, { family });
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  /** The model with other settings, or with tensors of other names; null leaves one out. @param {object} settings @param {(name: string) => string | null} [named] */
  const opened = (settings, named = (name) => name) => {
    const { header, data } = rewritten(tensorsOf(folder), named);
    const text = JSON.stringify({ ...config, ...settings });
    return openModel([fileOf('config.json', text), fileOf('model.safetensors', safetensorsFile(header, data))]);
  };
  return { folder, opened };
}

test('names are found without the usual prefix, and the older names of layer norm too', async (context) => {
  const { opened } = modelIn(context, 'bert');
  const plain = await opened({}, (name) => name.replace('bert.', ''));
  assert.equal(plain.embeddings.words.name, 'embeddings.word_embeddings.weight');
  const older = await opened({}, (name) => name.replace('Norm.weight', 'Norm.gamma').replace('Norm.bias', 'Norm.beta'));
  assert.equal(older.norm.gain.name, 'bert.embeddings.LayerNorm.gamma');
  assert.deepEqual([older.epsilon, older.heads, older.dHead], [1e-12, 4, 12]);
});

test('a model in parts is read by its index, and only the parts that layer 0 lies in', async (context) => {
  const { folder } = modelIn(context, 'gpt2');
  const tensors = tensorsOf(folder);
  const isFirst = (/** @type {string} */ name) => name.includes('.wte.') || name.includes('.h.1.');
  const part = (/** @type {boolean} */ first, /** @type {string} */ file) => {
    const { header, data } = rewritten(tensors, (name) => (isFirst(name) === first ? name : null));
    return fileOf(file, safetensorsFile(header, data));
  };
  const [one, two] = ['model-00001-of-00003.safetensors', 'model-00002-of-00003.safetensors'];
  const places = Object.keys(tensors.header).map((name) => [name, isFirst(name) ? one : two]);
  const index = (/** @type {unknown} */ map) =>
    fileOf('model.safetensors.index.json', JSON.stringify({ weight_map: map }));
  const [config] = filesOf(folder);
  const whole = index({ ...Object.fromEntries(places), 'transformer.ln_f.weight': 'model-00003-of-00003.safetensors' });
  const model = await openModel([config, part(true, one), whole, part(false, two)]);
  assert.deepEqual(model.projections[0].weight.shape, [48, 144]);

  await assertRejects(
    openModel([config, whole, part(true, one)]),
    `model.safetensors.index.json names the file "${two}", but it is not among the files given`,
  );
  await assertRejects(openModel([config, index(3)]), /weight_map is 3, but must be an object of the tensors' files$/);
  await assertRejects(
    openModel([config, part(true, one), part(false, two)]),
    'model.safetensors is 2 files, but a model in parts has model.safetensors.index.json too',
  );
});

test('another family is refused by name, with those that are known', async (context) => {
  const { opened } = modelIn(context, 'gpt2');
  const known = 'the families that are known are gpt2 (GPT-2) and bert (BERT)';
  await assertRejects(opened({ model_type: 'llama' }), `config.json, model_type is "llama", but ${known}`);
  await assertRejects(opened({ model_type: undefined }), `config.json, model_type is missing, but ${known}`);
  await assertRejects(
    opened({ model_type: 'bert', hidden_size: 48, num_attention_heads: 4, max_position_embeddings: 64 }),
    'model.safetensors has no embeddings.word_embeddings.weight or bert.embeddings.word_embeddings.weight, but config.json says that it is a BERT',
  );
});

test('a config that contradicts the tensors or itself is refused with both numbers', async (context) => {
  const { opened } = modelIn(context, 'gpt2');
  const shape = 'model.safetensors, transformer.wte.weight has shape (300, 48), but config.json and GPT-2 make it';
  await assertRejects(opened({ n_embd: 64 }), `${shape} (300, 64)`);
  await assertRejects(opened({ vocab_size: 301 }), `${shape} (301, 48)`);
  await assertRejects(opened({ n_head: 5 }), 'config.json, n_head is 5, but must divide n_embd = 48');
  await assertRejects(
    opened({ n_embd: 1664 }),
    'config.json, n_embd is 1664, but must be a whole number from 1 to 1600',
  );
  await assertRejects(opened({ n_head: 48 }), 'config.json, n_head is 48, but must be a whole number from 1 to 32');
  await assertRejects(opened({ n_head: '4' }), 'config.json, n_head is "4", but must be a whole number from 1 to 32');
  await assertRejects(opened({ layer_norm_epsilon: -1 }), /layer_norm_epsilon is -1, but must be a number from 0/);
  await assertRejects(
    opened({ scale_attn_weights: false }),
    'config.json, scale_attn_weights is false, but of GPT-2 only true is read',
  );
});

test('a missing bias, weights of whole numbers and missing files are named', async (context) => {
  const { folder, opened } = modelIn(context, 'gpt2');
  const bias = 'transformer.h.0.attn.c_attn.bias';
  await assertRejects(
    opened({}, (name) => (name === bias ? null : name)),
    `model.safetensors has no ${bias}, but GPT-2 needs it`,
  );
  const [config, weights] = filesOf(folder);
  await assertRejects(openModel([weights]), "config.json is missing, but it says the model's family and widths");
  await assertRejects(
    openModel([config]),
    'model.safetensors is missing, but a model has its weights in model.safetensors',
  );
  await assertRejects(openModel([fileOf('config.json', '[]'), weights]), /^config\.json is .*, but must be an object$/);
  const { header, data } = tensorsOf(folder);
  const gain = header['transformer.h.0.ln_1.weight'];
  gain.dtype = 'I32';
  await assertRejects(
    openModel([config, fileOf('model.safetensors', safetensorsFile(header, data))]),
    'model.safetensors, transformer.h.0.ln_1.weight dtype is i32, but weights are F64, F32, F16 or BF16',
  );
});
