// The backward pass of attention: how much a loss changes with each number that went into one head's query, key and
// value.
#pragma once

#include "attention.hpp"

namespace attention {

/// The gradients of a loss L, one for each entry of what went in.
template <class T> struct AttentionGradients {
    Matrix<T> query;  // (n_query, d_k)
    Matrix<T> key;    // (n_key, d_k)
    Matrix<T> value;  // (n_key, d_v)
    Matrix<T> scores; // (n_query, n_key); with respect to scale * q . k, before the softcap; 0 where hidden
};

/// What is wrong with a call, as far as its arguments show: what is wrong with the forward pass, or an output gradient
/// of another shape than the output or not finite. A query that sees no key may have any output gradient.
///
/// @param output_gradient (n_query, d_v); dL/dz for each entry of the output
template <class T>
Problem find_problem(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                     Matrix<T> const& output_gradient, AttentionOptions<T> const& options = {});

/// A gradient that overflowed although what went into it was finite, or nothing.
template <class T> Problem find_overflow(AttentionGradients<T> const& gradients);

/// The gradients of a call that has no problem, from the stages that `attend` gave for it without an overflow.
template <class T>
AttentionGradients<T> differentiate(Attention<T> const& stages, Matrix<T> const& query, Matrix<T> const& key,
                                    Matrix<T> const& value, Matrix<T> const& output_gradient,
                                    AttentionOptions<T> const& options = {});

/// The gradients of attention, dL/dQ, dL/dK, dL/dV and dL/dS, given G = dL/dZ. With A the weights:
///
///     dV = Aᵀ G,  dA = G Vᵀ,  ds_ij = a_ij (dA_ij - sum_l a_il dA_il),  dQ = scale dS K,  dK = scale dSᵀ Q
///
/// and where scores are capped, dS is once more times 1 - tanh²(s / c). Hidden cells have a_ij = 0 and pass on exactly
/// 0, whatever their key and value hold; so do queries that see no key.
///
/// @param output_gradient (n_query, d_v)
/// @throws ArgumentError  if the call has a problem, or a visible score or a gradient overflows
/// Source: the chain rule; the softmax Jacobian as in `softmax_jacobian`.
template <class T>
AttentionGradients<T> attention_gradients(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                          Matrix<T> const& output_gradient, AttentionOptions<T> const& options = {});

/// tableᵀ rows, that is sum_i table_ij rows_i for each j. An entry that is exactly 0 leaves its row unread, so that a
/// NaN in what is hidden cannot come through as 0 * NaN.
///
/// @param table (n, m)
/// @param rows  (n, d)
/// @return      (m, d)
template <class T> Matrix<T> transposed_product(Matrix<T> const& table, Matrix<T> const& rows);

/// Back through the softmax, line by line: ds_j = p_j (dp_j - sum_l p_l dp_l).
///
/// The gradient at the line's largest weight is subtracted from all of them first, which changes nothing as the weights
/// sum to 1; but where one weight is nearly 1, the difference above would cancel to noise.
///
/// @param weights  (n_query, n_key); each line sums to 1, or is all 0
/// @param gradient (n_query, n_key); 0 where the weight can only be 0
template <class T> Matrix<T> softmax_gradient(Matrix<T> const& weights, Matrix<T> gradient, SoftmaxAxis axis);

/// Why an output gradient does not fit an output of the given shape: it has another one, or is not finite.
template <class T>
Problem find_output_gradient_problem(Matrix<T> const& output_gradient, std::size_t rows, std::size_t columns);

} // namespace attention
