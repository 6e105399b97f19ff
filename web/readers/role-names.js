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

const end = '(?:[._/]?(?<weight>weight|kernel|w)|[._/]?(?<bias>bias|b))?$';

/** Queries, keys and values in one tensor. GPT-2's c_attn is a layer of [in, 3·out]; the others are PyTorch's, [3·out, in]. */
const fused = new RegExp(`^(?<prefix>.*?)(?:(?<columns>c_attn)|in_proj|w?qkv(?:_proj)?|to_qkv)${end}`, 'i');

/** Those of BLOOM, Falcon and GPT-NeoX, whose heads take turns. */
const interleaved = new RegExp(`^(?<prefix>.*?)query_key_value${end}`, 'i');

const words = { q: 'q|query|queries', k: 'k|key|keys', v: 'v|value|values' };

/** One matrix of a layer: q_proj.weight, attention.self.query.bias, W_q, wk, b_v, to_k, linear_q. */
const separate = /** @type {const} */ (['q', 'k', 'v']).map((part) => ({
  part,
  layer: new RegExp(
    `^(?<prefix>.*?)(?<![a-z])(?:(?:${words[part]})(?:_?(?:proj|projection|lin|linear))|(?:to_|linear_|lin_|proj_)(?:${words[part]}))${end}`,
    'i',
  ),
  weight: new RegExp(`^(?<prefix>.*?)(?<![a-z])(?:w_?(?:${words[part]}))$`, 'i'),
  ofLayer: new RegExp(
    `^(?<prefix>.*?)(?<![a-z])(?:${words[part]})(?:[._/](?:(?<weight>weight|kernel|w)|(?<bias>bias|b))|_(?<bias2>bias))$`,
    'i',
  ),
  bias: new RegExp(`^(?<prefix>.*?)(?<![a-z])b_?(?:${words[part]})$`, 'i'),
  projected: new RegExp(`^(?<prefix>(?:.*[./])?)(?:${words[part]})$`, 'i'),
}));

const embeddings =
  /^(?<prefix>(?:.*[./])?)(?:x|wte|emb|embd|(?:word_|token_|tok_|input_)?(?:embeddings?|embed|embs?)(?:_tokens|_table)?|inputs?|hidden_states|input_embeds|inputs_embeds)(?:[./]weight)?$/i;

/**
 * What a name says, or null where it says nothing.
 *
 * @param {string} name
 * @returns {NameReading | null}
 */
export function readName(name) {
  /** @param {NameReading['kind']} kind @param {NameReading['part']} part @param {RegExpExecArray} match @param {Orientation} orientation @returns {NameReading} */
  const reading = (kind, part, match, orientation) => ({ kind, part, prefix: match.groups?.prefix ?? '', orientation });
  /** @param {RegExpExecArray} match */
  const kindOf = ({ groups }) => (groups?.bias || groups?.bias2 ? 'bias' : 'weight');

  const turns = interleaved.exec(name);
  if (turns) {
    return reading(kindOf(turns), 'interleaved', turns, 'out-in');
  }
  const whole = fused.exec(name);
  if (whole) {
    return reading(kindOf(whole), 'all', whole, whole.groups?.columns ? 'in-out' : 'out-in');
  }
  for (const { part, layer, weight, ofLayer, bias, projected } of separate) {
    const match = layer.exec(name) ?? ofLayer.exec(name);
    if (match) {
      // Flax and Keras call theirs kernels, and store them as [in, out].
      return reading(kindOf(match), part, match, /kernel$/i.test(name) ? 'in-out' : 'out-in');
    }
    const own = weight.exec(name);
    if (own) {
      return reading('weight', part, own, 'in-out');
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
