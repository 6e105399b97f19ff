// The attention layer's parameters: W_q, W_k, W_v, which turn embeddings into queries, keys and values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor.hpp"

namespace attention {

/// Three matrices in three roles. q = x W_q + b_q asks "what am I looking for", k = x W_k + b_k says "what do I offer",
/// v = x W_v + b_v is "what I pass on". A bias that is empty is none.
struct ProjectionWeights {
    Matrix<double> W_q;      // (d_model, d_k)
    Matrix<double> W_k;      // (d_model, d_k)
    Matrix<double> W_v;      // (d_model, d_v)
    Matrix<double> b_q = {}; // (1, d_k)
    Matrix<double> b_k = {}; // (1, d_k)
    Matrix<double> b_v = {}; // (1, d_v)
};

/// The parts of the weights, for what treats all of them alike: matrices, then biases.
constexpr Matrix<double> ProjectionWeights::*weight_parts[] = {
    &ProjectionWeights::W_q, &ProjectionWeights::W_k, &ProjectionWeights::W_v,
    &ProjectionWeights::b_q, &ProjectionWeights::b_k, &ProjectionWeights::b_v,
};

struct Projections {
    Matrix<double> Q; // (T, d_k)
    Matrix<double> K; // (T, d_k)
    Matrix<double> V; // (T, d_v)
};

/// The embedding of each token: d_model normal numbers, scaled so that their mean square is exactly 1.
/// A row depends on the seed, d_model and the token's own text alone, so editing a word moves one row.
///
/// @param is_context  whether they are of the second sentence, in which the same word has other numbers
/// @return (T, d_model)
Matrix<double> seeded_embeddings(std::vector<std::string> const& tokens, std::size_t d_model, std::uint32_t seed,
                                 bool is_context = false);

/// W_q, W_k, W_v with entries from N(0, 1/d_model), so that an entry of q or k has variance 1 when the embedding has
/// unit mean square. Column c of a head depends on seed, role, d_model, the head and c alone: a larger d_k adds columns
/// and moves none, and so does another head.
ProjectionWeights seeded_weights(std::size_t d_model, std::size_t d_k, std::size_t d_v, std::uint32_t seed,
                                 std::size_t head = 0);

/// Which weights dropout keeps. Each query of each head has a stream of its own, with a uniform number u for each key
/// in order; a weight is kept where u >= dropout. So nothing but seed, head, query's place and key's place decides: no
/// width, divisor, word or length of the sentence; and a higher probability drops more of the same weights.
///
/// @param dropout       the probability that a weight is dropped, at least 0 and less than 1
/// @param query_offset  how many places the first query stands ahead of the first key; one of the two is at place 0
/// @return              (n_query, n_key); 1 where kept
Visibility kept_weights(std::size_t n_query, std::size_t n_key, double dropout, std::uint32_t seed,
                        std::size_t head = 0, std::ptrdiff_t query_offset = 0);

/// (n, m) times (m, p) gives (n, p).
Matrix<double> matrix_product(Matrix<double> const& left, Matrix<double> const& right);

/// X W + b; X W where the bias is empty.
///
/// @param b (1, d)
/// @return  (T, d)
Matrix<double> projected(Matrix<double> const& X, Matrix<double> const& W, Matrix<double> const& b);

/// Q = X W_q + b_q, K = X W_k + b_k, V = X W_v + b_v.
///
/// @param X (T, d_model)
Projections project(Matrix<double> const& X, ProjectionWeights const& weights);

/// The same with K and V of a second sentence's embeddings.
///
/// @param context (T_k, d_model)
Projections project(Matrix<double> const& X, Matrix<double> const& context, ProjectionWeights const& weights);

/// What keys and values are made of: the context, or X where there is none.
inline Matrix<double> const& keys_source(Matrix<double> const& X, Matrix<double> const& context) {
    return context.size() == 0 ? X : context;
}

/// One head's share of a matrix whose columns the heads share out evenly: columns head d up to (head + 1) d - 1.
///
/// @param joined (T, heads * d)
/// @return       (T, d)
/// @throws ArgumentError  if the columns cannot be shared out evenly, or there is no such head
Matrix<double> split_head(Matrix<double> const& joined, std::size_t heads, std::size_t head);

/// Puts one head's matrix where `split_head` takes it from.
///
/// @param part (T, d)
/// @throws ArgumentError  the same, or if the part has another shape
void join_head(Matrix<double>& joined, std::size_t heads, std::size_t head, Matrix<double> const& part);

} // namespace attention
