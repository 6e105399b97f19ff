// The state as a program that stands alone: its numbers, the computation with every mistake that the state makes, and
// assertions of the laws that hold in spite of it. Pure: state -> text.
//
// In a template a line that starts with words and a "?" is there only in states with all of these words. What stands
// between the lines "head {" and "head }" is done for each head: with several, what a head has of its own is an array.

import { namesOf, rowOf } from '../views/format.js';
import { makes, mistakes } from '../views/mistakes.js';

/** @typedef {'numpy' | 'torch' | 'cpp'} Language */
/** @typedef {import('../engine/lesson-engine.js').Tensor} Tensor */

/** What keys are made of, which places (i, j) are hidden, all of them and those that are before the softmax, and a product with its bias, if there is one. @typedef {{source: string, hidden: string, early: string, biased: (product: string, bias: string) => string}} Keys */

/** @param {string} numbers @param {Keys} keys */
const cpp = (numbers, { source, hidden, early, biased }) => `#undef NDEBUG
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <valarray>
#include <vector>

using Matrix = std::vector<std::valarray<double>>;

${numbers}
Matrix product(Matrix const& a, Matrix const& b) {
    Matrix c(a.size(), std::valarray<double>(b[0].size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            c[i] += a[i][j] * b[j];
    return c;
}

biased?// Adds a bias to each row.
biased?Matrix sum(Matrix a, Matrix const& bias) {
biased?    for (auto& row : a)
biased?        row += bias[0];
biased?    return a;
biased?}
biased?
Matrix transposed(Matrix const& a) {
    Matrix c(a[0].size(), std::valarray<double>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < c.size(); ++j)
            c[j][i] = a[i][j];
    return c;
}

void check(Matrix const& a, Matrix const& b) {
    assert(a.size() == b.size() && a[0].size() == b[0].size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b[0].size(); ++j)
            assert(std::isnan(b[i][j]) ? std::isnan(a[i][j]) : std::abs(a[i][j] - b[i][j]) < 1e-9);
}

heads?// Puts a head's output beside those before it.
heads?void append(Matrix& joined, Matrix const& output) {
heads?    for (std::size_t i = 0; i < output.size(); ++i) {
heads?        std::valarray<double> row(joined[i].size() + output[i].size());
heads?        std::copy(std::begin(joined[i]), std::end(joined[i]), std::begin(row));
heads?        std::copy(std::begin(output[i]), std::end(output[i]), std::begin(row) + joined[i].size());
heads?        joined[i].swap(row);
heads?    }
heads?}

int main() {
heads?    Matrix joined(X.size());
head {
identity?    Matrix const Q = X, K = ${source}, V = K;
separate?    Matrix const Q = ${biased('product(X, W_q)', 'b_q')};
separate?    Matrix const K = ${biased(`product(${source}, W_k)`, 'b_k')};
separate?    Matrix const V = ${biased(`product(${source}, W_v)`, 'b_v')};
shared?    Matrix const Q = ${biased('product(X, W_q)', 'b_q')};
shared?    Matrix const K = ${biased(`product(${source}, W_q)`, 'b_q')}, V = K;
    Matrix A = product(Q, transposed(K));
sqrt?    for (auto& row : A)
sqrt?        row /= std::sqrt(K[0].size());
dk?    for (auto& row : A)
dk?        row /= K[0].size();
early?    for (std::size_t i = 0; i < A.size(); ++i)
early?        for (std::size_t j = 0; j < K.size(); ++j)
early?            if (${early})
early?                A[i][j] = -INFINITY;
queries?    A = transposed(A);
    for (auto& row : A) {
blind?        if (row.max() == -INFINITY) {
blind?            row = 0;
blind?            continue;
blind?        }
stable?        row = std::exp(row - row.max());
naive?        row = std::exp(row);
naive?        for (double& e : row)
naive?            e = e > 65504 ? INFINITY : e < 0x1p-25 ? 0 : e;
        row /= row.sum();
    }
queries?    A = transposed(A);
late?    for (std::size_t i = 0; i < A.size(); ++i)
late?        for (std::size_t j = i + 1; j < K.size(); ++j)
late?            A[i][j] = 0;
dropout?    for (std::size_t i = 0; i < A.size(); ++i)
dropout?        for (std::size_t j = 0; j < K.size(); ++j)
dropout?            A[i][j] = kept[i][j] > 0 ? A[i][j] / (1 - dropout) : 0;
    for (auto const& row : A) {
        for (double a : row)
            std::printf("%.17g ", a);
        std::puts("");
    }
    check(A, expected_A);
values heads?    append(joined, product(A, V));
embeddings heads?    append(joined, product(A, ${source}));
values?    check(product(A, V), expected_Z);
embeddings?    check(product(A, ${source}), expected_Z);
summed keys?    for (auto const& row : A)
summed queries?    for (auto const& row : transposed(A))
summed?        assert(std::abs(row.sum() - 1) < 1e-9);
hides?    for (std::size_t i = 0; i < A.size(); ++i)
hides?        for (std::size_t j = 0; j < K.size(); ++j)
hides?            assert(!(${hidden}) || A[i][j] == 0);
head }
heads?    check(joined, expected_joined);
}
`;

/** @param {string} numbers @param {string} np  the library @param {number} axis @param {string} sight  as an argument @param {Keys} keys */
const python = (numbers, np, axis, sight, { source, hidden, early, biased }) => `numpy?import numpy as np
torch?import torch
torch?torch.set_default_dtype(torch.float64)

${numbers}
def check(a, b):
    assert a.shape == b.shape and ${np}.allclose(a, b, 1e-9, 1e-9, equal_nan=True)

heads?outputs = []
head {
identity?Q, K, V = X, ${source}, ${source}
separate?Q, K, V = ${biased('X @ W_q', 'b_q')}, ${biased(`${source} @ W_k`, 'b_k')}, ${biased(`${source} @ W_v`, 'b_v')}
shared?Q, K, V = ${biased('X @ W_q', 'b_q')}, ${biased(`${source} @ W_q`, 'b_q')}, ${biased(`${source} @ W_q`, 'b_q')}
S = Q @ K.T
sqrt?S = S / K.shape[1] ** 0.5
dk?S = S / K.shape[1]
hides?i, j = ${np}.meshgrid(${np}.arange(len(Q)), ${np}.arange(len(K)), indexing="ij")
hides?hidden = ${hidden}
early?S = ${np}.where(${early}, -${np}.inf, S)
blind?sees = (S > -${np}.inf).sum(${axis}, keepdims=True) > 0  # elsewhere no key is visible
blind?S = ${np}.where(sees, S, 0.0)
stable?E = ${np}.exp(S - ${np}.amax(S, ${axis}, keepdims=True))
naive?E = ${np}.exp(S)
naive?E = ${np}.where(E > 65504, ${np}.inf, ${np}.where(E < 2**-25, 0.0, E))
A = E / E.sum(${axis}, keepdims=True)
blind?A = ${np}.where(sees, A, 0.0)
late?A = ${np}.where(j > i, 0.0, A)
dropout?A = ${np}.where(kept > 0, A / (1 - dropout), 0.0)
values?Z = A @ V
embeddings?Z = A @ ${source}
print(*A.tolist(), sep="\\n")
check(A, expected_A)
check(Z, expected_Z)
summed?check(A.sum(${axis}), ${np}.ones(A.shape[${1 - axis}]))
hides?assert (A[hidden] == 0).all()
fused?if hasattr(torch.nn.functional, "scaled_dot_product_attention"):  # PyTorch 2
fused?    check(torch.nn.functional.scaled_dot_product_attention(Q, K, V, ${sight}), expected_Z)
heads?outputs.append(Z)
head }
heads numpy?check(np.concatenate(outputs, 1), expected_joined)
heads torch?check(torch.cat(outputs, 1), expected_joined)
`;

/**
 * @param {Language} language
 * @param {import('../engine/lesson-state.js').LessonState} state
 * @param {import('../engine/lesson-engine.js').LessonResult} result  what the engine gave for the state, all heads of it
 * @param {import('../language/language.js').Messages} messages
 */
export function snippet(language, state, result, messages) {
  const { projections, mask, window, padding, softmaxAxis, dropout, heads } = state;
  const isCpp = language === 'cpp';
  const np = language === 'torch' ? 'torch' : 'np';
  const comment = isCpp ? '//' : '#';
  const [left, right] = isCpp ? '{}' : '[]';
  const made = mistakes.filter((mistake) => makes(mistake, state));
  // A line of the softmax that sees nothing: a window without keys, or the column of a padded or later one.
  const [queries, keys] = result.visible.shape;
  const isBlind =
    softmaxAxis === 'queries'
      ? padding > 0 || (keys > queries && (mask === 'causal' || mask === 'window'))
      : mask === 'window' && queries - window >= keys - padding;
  const source = result.context ? 'X_c' : 'X';
  const isSummed = !isBlind && mask !== 'late' && dropout === 0 && !result.weights.data.some(Number.isNaN);
  const isFused = !isBlind && language === 'torch' && made.every(({ setting }) => setting === 'projections');
  const isPlain = mask !== 'window' && padding === 0 && !(result.context && mask === 'causal');
  const sight = isPlain ? `is_causal=${mask === 'causal' ? 'True' : 'False'}` : 'attn_mask=~hidden';
  const reasons = [
    mask !== 'none' && '(j > i)',
    mask === 'window' && '(i >= j + window)',
    padding > 0 && `(j >= ${isCpp ? 'K.size()' : 'len(K)'} - padding)`,
  ];
  const [hidden, early] = [reasons, reasons.slice(mask === 'late' ? 1 : 0)].map((some) =>
    some.filter(Boolean).join(isCpp ? ' || ' : ' | '),
  );
  // One that is shared is b_q in every role.
  const biases = /** @type {const} */ (['bq', 'bk', 'bv']).flatMap((name) => {
    const bias = projections === 'shared' && name !== 'bq' ? undefined : result[name];
    return bias === undefined ? [] : [{ name: name.replace('b', 'b_'), bias }];
  });
  const biased = (/** @type {string} */ product, /** @type {string} */ bias) =>
    !biases.some(({ name }) => name === bias) ? product : isCpp ? `sum(${product}, ${bias})` : `${product} + ${bias}`;
  /** @type {unknown[]} */
  const words = [
    ...[language, mask, state.divisor, projections, softmaxAxis, state.softmax, state.blend],
    ...[hidden && 'hides', early && 'early', isSummed && 'summed', isFused && 'fused', dropout > 0 && 'dropout'],
    isBlind && 'blind',
    biases.length > 0 && 'biased',
    heads > 1 && 'heads',
  ];

  /** A number is the shortest text that reads back as the same float64. @param {number} value */
  const number = (value) =>
    Number.isNaN(value) ? (isCpp ? 'NAN' : `${np}.nan`) : Number.isInteger(value) ? value.toFixed(1) : value;

  /** @type {(name: string, tensor: import('../engine/lesson-engine.js').Tensor, labels?: string[]) => string} */
  const matrix = (name, tensor, labels) => {
    const lines = Array.from({ length: tensor.shape[0] }, (_, row) => {
      const numbers = Array.from(rowOf(tensor, row), number).join(', ');
      return `${labels ? `    ${comment} ${labels[row]}\n` : ''}    ${left}${numbers}${right},\n`;
    }).join('');
    return isCpp
      ? `Matrix const ${name}{\n${lines}};\n`
      : `${name} = ${np}.${np === 'np' ? 'array' : 'tensor'}([\n${lines}])\n`;
  };

  const constant = (/** @type {string} */ name, /** @type {number} */ value) =>
    isCpp ? `std::size_t const ${name} = ${value};\n` : `${name} = ${value}\n`;

  /** What every head has of its own: a matrix, or an array of them. @param {string} name @param {Tensor[]} tensors */
  const ofHeads = (name, tensors) => {
    if (heads === 1) {
      return matrix(name, tensors[0]);
    }
    const all = tensors.map((tensor) => matrix('', tensor).replace(isCpp ? /^.*?\{/ : /^ = /, isCpp ? '{' : ''));
    const items = all.map((text) => text.replace(/;?\n$/, ',\n')).join('');
    return isCpp ? `Matrix const ${name}[]{\n${items}};\n` : `${name} = [\n${items}]\n`;
  };
  const { Wq, Wk, Wv, weights, output } = result;
  // A dropped weight is exactly 0; which are dropped is the engine's to say, whose random numbers no library has.
  const kept = { ...weights, data: Float64Array.from(weights.data, (weight) => (weight === 0 ? 0 : 1)) };
  const columns = (/** @type {Tensor} */ tensor) => split(tensor, heads, columnsOf);
  const tables = (/** @type {Tensor} */ tensor) => split(tensor, heads, tableOf);
  const numbers = [
    matrix('X', result.X, namesOf(result.tokens, quoted)),
    result.context ? matrix('X_c', result.context, namesOf(result.keyTokens, quoted)) : '',
    projections === 'identity' ? '' : ofHeads('W_q', columns(Wq)),
    projections === 'separate' ? ofHeads('W_k', columns(Wk)) + ofHeads('W_v', columns(Wv)) : '',
    ...biases.map(({ name, bias }) => ofHeads(name, columns(bias))),
    dropout > 0
      ? `${isCpp ? 'double const ' : ''}dropout = ${dropout}${isCpp ? ';' : ''}\n${ofHeads('kept', tables(kept))}`
      : '',
    mask === 'window' ? constant('window', window) : '',
    padding > 0 ? constant('padding', padding) : '',
    ofHeads('expected_A', tables(weights)),
    ofHeads('expected_Z', columns(output)),
    heads === 1 ? '' : matrix('expected_joined', output),
  ].join('');
  const titles = messages.break.mistakes;
  const { laws } = messages.proofs;
  return (
    made.map(({ name, law }) => `${comment} ${messages.code.mistake(titles[name].title, laws[law].claim)}\n`).join('') +
    (isCpp
      ? cpp(numbers, { source, hidden, early, biased })
      : python(numbers, np, softmaxAxis === 'keys' ? 1 : 0, sight, { source, hidden, early, biased })
    )
      .split('\n')
      .map((line) => /^(?:([a-z ]+)\?)?(.*)$/.exec(line) ?? [])
      .filter(([, needed]) => !needed || needed.split(' ').every((word) => words.includes(word)))
      .map(([, , text]) => text)
      .join('\n')
      .replace(/^head \{\n([\s\S]*)^head \}\n/m, (_, body) => (heads === 1 ? body : loop(body, heads, isCpp)))
  );
}

/**
 * The lines of one head, done for each.
 *
 * @param {string} body
 * @param {number} heads
 * @param {boolean} isCpp
 */
function loop(body, heads, isCpp) {
  const own = body.replace(/\b([Wb]_[qkv]|kept|expected_[AZ])\b/g, '$1[h]').replace(/^(?=.)/gm, '    ');
  return isCpp ? `    for (int h = 0; h < ${heads}; ++h) {\n${own}    }\n` : `for h in range(${heads}):\n${own}`;
}

/**
 * What each head has of a tensor.
 *
 * @param {Tensor} tensor
 * @param {number} heads
 * @param {(tensor: Tensor, head: number, heads: number) => Tensor} of
 */
function split(tensor, heads, of) {
  return Array.from({ length: heads }, (_, head) => (heads === 1 ? tensor : of(tensor, head, heads)));
}

/** @param {Tensor} tensor @param {number} head @param {number} heads @returns {Tensor} */
function columnsOf(tensor, head, heads) {
  const width = tensor.shape[1] / heads;
  const rows = Array.from({ length: tensor.shape[0] }, (_, row) =>
    Array.from(rowOf(tensor, row).subarray(head * width, (head + 1) * width)),
  );
  return { data: Float64Array.from(rows.flat()), shape: [tensor.shape[0], width] };
}

/** @param {Tensor} tensor  (heads, T, T) @param {number} head @returns {Tensor} */
function tableOf({ data, shape: [, ...shape] }, head) {
  const size = shape[0] * shape[1];
  return { data: data.subarray(head * size, (head + 1) * size), shape };
}

/**
 * A token that is safe in a comment of one line, whatever it holds: in quotes, with escapes for what would end the line,
 * turn the direction of the text or not show.
 *
 * @param {string} token
 */
function quoted(token) {
  return JSON.stringify(token).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
