// What is known of each family of models: one table a family. A tensor's name is what stands after the model's prefix.

/**
 * @typedef {object} Family
 * @property {string} name  as its makers write it
 * @property {string} type  config.json's model_type
 * @property {string[]} prefixes  that files put before every name; the bare model has none
 * @property {Record<'dModel' | 'heads' | 'vocabulary' | 'positions', string>} widths  config.json's words for them
 * @property {[key: string, initial: number]} epsilon  config.json's word, and what the family's makers take where it is missing
 * @property {Record<string, {key: string, only: (string | boolean)[]}>} requirements  settings under which layer 0 would be another
 *   computation, by what they are about; a config that says nothing has the first of `only`
 * @property {{words: string, positions: string, types?: string}} embeddings  tables that are added, a row for each token; of the
 *   types the first row, the first sentence's
 * @property {{gain: string[], bias: string[]}} norm  between the embeddings and the heads; older files have the second name
 * @property {{weight: string, bias: string} | {weight: string, bias: string}[]} projections  one tensor of Q, K and V side by side,
 *   or three
 * @property {'in-out' | 'out-in'} orientation  how a projection's matrix is stored
 * @property {boolean} isCausal  whether a query sees the tokens up to its own, or all
 */

/** @type {Family[]} */
export const families = [
  {
    name: 'GPT-2',
    type: 'gpt2',
    prefixes: ['', 'transformer.'],
    widths: { dModel: 'n_embd', heads: 'n_head', vocabulary: 'vocab_size', positions: 'n_positions' },
    epsilon: ['layer_norm_epsilon', 1e-5],
    requirements: {
      scale: { key: 'scale_attn_weights', only: [true] },
    },
    embeddings: { words: 'wte.weight', positions: 'wpe.weight' },
    norm: { gain: ['h.0.ln_1.weight'], bias: ['h.0.ln_1.bias'] },
    projections: { weight: 'h.0.attn.c_attn.weight', bias: 'h.0.attn.c_attn.bias' },
    orientation: 'in-out',
    isCausal: true,
  },
  {
    name: 'BERT',
    type: 'bert',
    prefixes: ['', 'bert.'],
    widths: {
      dModel: 'hidden_size',
      heads: 'num_attention_heads',
      vocabulary: 'vocab_size',
      positions: 'max_position_embeddings',
    },
    epsilon: ['layer_norm_eps', 1e-12],
    requirements: {
      positions: { key: 'position_embedding_type', only: ['absolute'] },
      causality: { key: 'is_decoder', only: [false] },
    },
    embeddings: {
      words: 'embeddings.word_embeddings.weight',
      positions: 'embeddings.position_embeddings.weight',
      types: 'embeddings.token_type_embeddings.weight',
    },
    norm: {
      gain: ['embeddings.LayerNorm.weight', 'embeddings.LayerNorm.gamma'],
      bias: ['embeddings.LayerNorm.bias', 'embeddings.LayerNorm.beta'],
    },
    projections: ['query', 'key', 'value'].map((role) => ({
      weight: `encoder.layer.0.attention.self.${role}.weight`,
      bias: `encoder.layer.0.attention.self.${role}.bias`,
    })),
    orientation: 'out-in',
    isCausal: false,
  },
];
