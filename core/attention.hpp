// Scaled dot-product attention with every stage kept. Read this first.
#pragma once

#include <cmath>
#include <optional>
#include <variant>

#include "mask.hpp"
#include "score_rule.hpp"
#include "softmax.hpp"
#include "tensor.hpp"

namespace attention {

/// The score of every query on every key: s_ij = q_i . k_j = sum_c q_ic k_jc.
///
/// @param query (n_query, d_k)
/// @param key   (n_key, d_k)
/// @return      (n_query, n_key). With entries of mean 0 and variance 1, a score has mean 0 and variance d_k.
template <class T> Matrix<T> dot_products(Matrix<T> const& query, Matrix<T> const& key);

/// Every entry times one factor.
template <class T> Matrix<T> scaled_by(Matrix<T> const& scores, T factor);

/// Every entry divided by one number: a division, not a product with the reciprocal, so that a lesson's quotients hold
/// to the last digit.
Matrix<double> divided_by(Matrix<double> matrix, double divisor);

/// The outputs: z_i = sum_j a_ij v_j over the visible keys. A hidden key's value is not read, so that a NaN in it
/// cannot reach the output by way of 0 * NaN.
///
/// @param weights (n_query, n_key)
/// @param value   (n_key, d_v)
/// @param visible (n_query, n_key)
/// @return        (n_query, d_v); a query that sees no key has output exactly 0.
template <class T> Matrix<T> blend_values(Matrix<T> const& weights, Matrix<T> const& value, Visibility const& visible);

/// A score rule that holds its own mask.
template <class T> using AttentionOptions = ScoreRule<T, std::variant<std::monostate, Visibility, Matrix<T>>>;

/// The factor on q . k that a rule asks for.
template <class T> T scale_of(ScoreTransform<T> const& transform, std::size_t d_k) {
    return transform.scale.value_or(T(1) / std::sqrt(static_cast<T>(d_k)));
}

/// Every stage between the query and the output.
template <class T> struct Attention {
    Visibility visible; // (n_query, n_key)
    Matrix<T> scores;   // (n_query, n_key); scale * q . k
    Matrix<T> capped;   // (n_query, n_key); after the softcap
    Matrix<T> masked;   // (n_query, n_key); mask added, -infinity where hidden
    Matrix<T> weights;  // (n_query, n_key); each row sums to 1, or is 0 where it sees no key
    Matrix<T> output;   // (n_query, d_v)
};

/// What is wrong with a call, as far as its arguments show: shapes that do not belong together, an option out of range,
/// a visible number that is NaN or infinite. Hidden keys and values may hold anything.
template <class T>
Problem find_problem(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                     AttentionOptions<T> const& options = {});

/// A visible score that overflowed although what went into it was finite.
template <class T> struct Overflow {
    std::size_t query;
    std::size_t key;
    T score; // infinite or NaN
};

/// The first visible score that overflowed, row by row, or nothing.
template <class T> std::optional<Overflow<T>> first_overflow(Attention<T> const& stages);

/// The same as a sentence.
template <class T> Problem find_overflow(Attention<T> const& stages);

/// A scale or softcap out of range.
template <class T> Problem find_problem(ScoreTransform<T> const& transform, std::size_t d_k);

/// Every stage of a call that has no problem, in order. Where a visible score overflows, the stages end there:
/// `find_overflow` tells, and weights and output stay empty.
template <class T>
Attention<T> attend(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                    AttentionOptions<T> const& options = {});

/// Attention(Q, K, V) = softmax(mask(Q Kᵀ / sqrt(d_k))) V.
///
/// @param query (n_query, d_k)
/// @param key   (n_key, d_k)
/// @param value (n_key, d_v); d_v need not be d_k, n_key need not be n_query
/// @throws ArgumentError  if the call has a problem or a visible score overflows
/// Source: Vaswani et al. 2017, equation 1; options as in the ONNX operator Attention.
template <class T>
Attention<T> scaled_dot_product_attention(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                          AttentionOptions<T> const& options = {});

} // namespace attention
