// What the name of a tensor says of its part in attention, as PyTorch, TensorFlow, Flax, GPT-2, BERT, LLaMA and people by hand
// write names.

/** @typedef {import('./roles.js').Orientation} Orientation */

/**
 * What a name says.
 *
 * @typedef {object} NameReading
 * @property {'X' | 'weight' | 'bias' | 'projected'} kind  projected: Q, K or V themselves
 * @property {'q' | 'k' | 'v' | 'all' | 'interleaved' | null} part  of a layer's three; all: one after another; interleaved: by turns
 * @property {string} prefix  what stands before, which the tensors of one layer share
 * @property {Orientation} orientation  in which such a matrix is usually stored
 */

const end = '(?:[._/]?(?<weight>weight|kernel|w)|[._/]?(?:bias|b))?$';

/** Queries, keys and values in one tensor. GPT-2's c_attn is a layer of [in, 3·out]; the others are PyTorch's, [3·out, in]. */
const fused = new RegExp(`^(?<prefix>.*?)(?:(?<columns>c_attn)|in_proj|w?qkv(?:_proj)?|to_qkv)${end}`, 'i');

/** Those of BLOOM, Falcon and GPT-NeoX, whose heads take turns. */
const interleaved = new RegExp(`^(?<prefix>.*?)query_key_value${end}`, 'i');

const words = { q: 'q|query|queries', k: 'k|key|keys', v: 'v|value|values' };

/** One of the three: q_proj.weight, W_q, wk.weight, to_k, linear_q; query.bias, q.weight; b_v; and Q, keys, value themselves. */
const separate = /** @type {const} */ (['q', 'k', 'v']).map((part) => {
  const start = '^(?<prefix>.*?)(?<![a-z])';
  const word = `(?:${words[part]})`;
  const layer = `(?:(?<own>w_?${word})|${word}_?(?:proj|projection|lin|linear)|(?:to|linear|lin|proj)_${word})`;
  return {
    part,
    ofLayer: new RegExp(`${start}(?:${layer}${end}|${word}(?:[._/](?:weight|kernel|w|b)|[._/]?bias)$)`, 'i'),
    bias: new RegExp(`${start}b_?${word}$`, 'i'),
    projected: new RegExp(`^(?<prefix>(?:.*[./])?)${word}$`, 'i'),
  };
});

const embeddings =
  /^(?<prefix>(?:.*[./])?)(?:x|wte|emb|embd|(?:word_|token_|tok_|input_)?(?:embeddings?|embed|embs?)(?:_tokens|_table)?|inputs?|hidden_states|input_embeds|inputs_embeds)(?:[./]weight)?$/i;

/**
 * What a name says, or null where it says nothing.
 *
 * @param {string} name
 * @returns {NameReading | null}
 */
export function readName(name) {
  /** @param {NameReading['kind']} its @param {NameReading['part']} part @param {RegExpExecArray} match @param {Orientation} orientation @returns {NameReading} */
  const reading = (its, part, match, orientation) => ({
    kind: its,
    part,
    prefix: match.groups?.prefix ?? '',
    orientation,
  });
  const kind = /(?:bias|[._/]b)$/i.test(name) ? 'bias' : 'weight';

  const turns = interleaved.exec(name);
  if (turns) {
    return reading(kind, 'interleaved', turns, 'out-in');
  }
  const whole = fused.exec(name);
  if (whole) {
    return reading(kind, 'all', whole, whole.groups?.columns ? 'in-out' : 'out-in');
  }
  for (const { part, ofLayer, bias, projected } of separate) {
    const match = ofLayer.exec(name);
    if (match) {
      // Flax and Keras call theirs kernels, and store them as [in, out]; so does who writes the letter of the formula.
      const isOwn = match.groups?.own && !match.groups.weight;
      return reading(kind, part, match, isOwn || /kernel$/i.test(name) ? 'in-out' : 'out-in');
    }
    const shift = bias.exec(name);
    if (shift) {
      return reading('bias', part, shift, 'in-out');
    }
    const result = projected.exec(name);
    if (result) {
      return reading('projected', part, result, 'in-out');
    }
  }
  const table = embeddings.exec(name);
  return table && reading('X', null, table, 'in-out');
}
