// The state as a program that stands alone: its numbers, the computation with every mistake that the state makes, and
// assertions of the laws that hold in spite of it. Pure: state -> text.
//
// In a template a line that starts with words and a "?" is there only in states with all of these words.

/** @typedef {'numpy' | 'torch' | 'cpp'} Language */

const cppHead = `#undef NDEBUG
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

using Matrix = std::vector<std::vector<double>>;
`;

const cppFunctions = `Matrix product(Matrix const& a, Matrix const& b) {
    Matrix c(a.size(), std::vector<double>(b[0].size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t m = 0; m < b.size(); ++m)
            for (std::size_t j = 0; j < b[0].size(); ++j)
                c[i][j] += a[i][m] * b[m][j];
    return c;
}

void check(Matrix const& a, Matrix const& b) {
    assert(a.size() == b.size() && a[0].size() == b[0].size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b[0].size(); ++j)
            assert(std::isnan(b[i][j]) ? std::isnan(a[i][j]) : std::abs(a[i][j] - b[i][j]) < 1e-9);
}
`;

/** @param {string} at  where a cell stands along the lines of the softmax */
const cppMain = (at) => `
int main() {
    std::size_t const T = X.size();
identity?    Matrix const Q = X, K = X, V = X;
separate?    Matrix const Q = product(X, W_q), K = product(X, W_k), V = product(X, W_v);
shared?    Matrix const Q = product(X, W_q), K = Q, V = Q;
    Matrix A(T, std::vector<double>(T));  // scores, then weights
    for (std::size_t i = 0; i < T; ++i)
        for (std::size_t j = 0; j < T; ++j) {
            for (std::size_t c = 0; c < K[0].size(); ++c)
                A[i][j] += Q[i][c] * K[j][c];
sqrt?            A[i][j] /= std::sqrt(K[0].size());
dk?            A[i][j] /= K[0].size();
causal?            if (j > i)
causal?                A[i][j] = -INFINITY;
        }
    for (std::size_t i = 0; i < T; ++i) {
        double sum = 0;
stable?        double largest = -INFINITY;
stable?        for (std::size_t j = 0; j < T; ++j)
stable?            largest = std::fmax(largest, A${at});
        for (std::size_t j = 0; j < T; ++j) {
stable?            double const e = std::exp(A${at} - largest);
naive?            double e = std::exp(A${at});
naive?            e = e > 65504 ? INFINITY : e < 0x1p-25 ? 0 : e;
            sum += A${at} = e;
        }
        for (std::size_t j = 0; j < T; ++j)
            A${at} /= sum;
    }
late?    for (std::size_t i = 0; i < T; ++i)
late?        for (std::size_t j = i + 1; j < T; ++j)
late?            A[i][j] = 0;
values?    Matrix const Z = product(A, V);
embeddings?    Matrix const Z = product(A, X);

    for (std::size_t i = 0; i < T; ++i) {
summed?        double sum = 0;
        for (std::size_t j = 0; j < T; ++j) {
            std::printf("%.17g ", A[i][j]);
summed?            sum += A${at};
masked?            assert(j <= i || A[i][j] == 0);
        }
        std::puts("");
summed?        assert(std::abs(sum - 1) < 1e-9);
    }
    check(A, expected_A);
    check(Z, expected_Z);
}
`;

const pythonHead = `numpy?import numpy as np
torch?import torch
torch?torch.set_default_dtype(torch.float64)
`;

/** @param {string} np  the library @param {number} axis */
const python = (np, axis) => `identity?Q, K, V = X, X, X
separate?Q, K, V = X @ W_q, X @ W_k, X @ W_v
shared?Q, K, V = X @ W_q, X @ W_q, X @ W_q
S = Q @ K.T
sqrt?S = S / K.shape[1] ** 0.5
dk?S = S / K.shape[1]
masked?hidden = ${np}.triu(${np}.ones_like(S), 1) > 0
causal?S = ${np}.where(hidden, -${np}.inf, S)
stable numpy?E = np.exp(S - S.max(${axis}, keepdims=True))
naive?E = ${np}.exp(S)
naive?E = ${np}.where(E > 65504, ${np}.inf, ${np}.where(E < 2**-25, 0.0, E))
numpy?A = E / E.sum(${axis}, keepdims=True)
naive torch?A = E / E.sum(${axis}, keepdim=True)
stable torch?A = torch.softmax(S, ${axis})
late?A = ${np}.where(hidden, 0.0, A)
values?Z = A @ V
embeddings?Z = A @ X
print(*A.tolist(), sep="\\n")

def check(a, b):
    assert a.shape == b.shape and ${np}.allclose(a, b, 1e-9, 1e-9, equal_nan=True)

check(A, expected_A)
check(Z, expected_Z)
summed?check(A.sum(${axis}), ${np}.ones(len(A)))
masked?assert (A[hidden] == 0).all()
torch sqrt keys stable values open?if hasattr(torch.nn.functional, "scaled_dot_product_attention"):  # PyTorch 2
torch sqrt keys stable values open?    check(torch.nn.functional.scaled_dot_product_attention(Q, K, V), expected_Z)
torch sqrt keys stable values causal?if hasattr(torch.nn.functional, "scaled_dot_product_attention"):  # PyTorch 2
torch sqrt keys stable values causal?    check(torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=True), expected_Z)
`;

/** What a setting breaks, and with it the laws that are not asserted. */
const mistakes = `none?Not divided: the spread of the scores grows with d_k.
dk?Divided by d_k: the weights flatten as it grows.
shared?One matrix in three roles.
identity?No parameters: nothing to learn.
queries?Softmax over the queries: columns sum to 1, rows do not.
late?Masked after the softmax: the sums are below 1.
naive?No maximum subtracted: in half precision exp may be 0 or infinite, and a weight NaN.
embeddings?Embeddings are blended: W_v has no effect.`;

/**
 * @param {Language} language
 * @param {import('../state.js').LessonState} state
 * @param {import('../lesson-engine.js').LessonResult} result  what the engine gave for the state
 */
export function snippet(language, { divisor, mask, projections, softmaxAxis, softmax, blend }, result) {
  const isCpp = language === 'cpp';
  const np = language === 'torch' ? 'torch' : 'np';
  const comment = isCpp ? '// ' : '# ';
  const isSummed = mask !== 'late' && !result.weights.data.some(Number.isNaN);
  const words = [language, divisor, projections, softmaxAxis, softmax, blend, isSummed && 'summed'].concat(
    mask === 'none' ? 'open' : [mask, 'masked'],
  );

  /** @param {string} template @param {string} [prefix] */
  const fill = (template, prefix = '') =>
    template
      .split('\n')
      .map((line) => /^(?:([a-z ]+)\?)?(.*)$/.exec(line) ?? [])
      .filter(([, needed]) => !needed || needed.split(' ').every((word) => words.includes(word)))
      .map(([, , text]) => prefix + text)
      .join('\n');

  /** A number is the shortest text that reads back as the same float64. @param {number} value */
  const number = (value) =>
    Number.isNaN(value) ? (isCpp ? 'NAN' : `${np}.nan`) : Number.isInteger(value) ? value.toFixed(1) : value;

  /** @type {(name: string, tensor: import('../lesson-engine.js').Tensor, labels?: string[]) => string} */
  const matrix = (name, { data, shape: [rows, columns] }, labels) => {
    const lines = Array.from({ length: rows }, (_, row) => {
      const numbers = Array.from(data.subarray(row * columns, (row + 1) * columns), number).join(', ');
      const label = labels === undefined ? '' : `    ${comment}${quoted(labels[row])}\n`;
      return `${label}    ${isCpp ? `{${numbers}}` : `[${numbers}]`},\n`;
    }).join('');
    return isCpp
      ? `Matrix const ${name}{\n${lines}};\n`
      : `${name} = ${np}.${np === 'np' ? 'array' : 'tensor'}([\n${lines}])\n`;
  };

  const at = softmaxAxis === 'keys' ? '[i][j]' : '[j][i]';
  return [
    fill(mistakes, comment),
    fill(isCpp ? cppHead : pythonHead),
    matrix('X', result.X, result.tokens),
    projections !== 'identity' && matrix('W_q', result.Wq),
    projections === 'separate' && `${matrix('W_k', result.Wk)}\n${matrix('W_v', result.Wv)}`,
    matrix('expected_A', result.weights),
    matrix('expected_Z', result.output),
    fill(isCpp ? cppFunctions + cppMain(at) : python(np, softmaxAxis === 'keys' ? 1 : 0)),
  ]
    .filter(Boolean)
    .join('\n');
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
