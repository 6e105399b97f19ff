// The backward pass of attention over batches and heads. What one head of one batch does is in gradient.hpp.
#pragma once

#include "multi_head.hpp"

namespace attention {

/// Where the gradients of a call are written, row-major.
template <class T> struct MultiHeadGradientPlaces {
    T* query;  // as query
    T* key;    // as key
    T* value;  // as value
    T* scores; // the shape of a stage
};

/// What is wrong with a call, as far as its arguments show: what is wrong with the forward pass, or an output gradient
/// of another shape than the output or not finite. For a query that sees no key it may hold anything.
///
/// @param output_gradient the shape of the output; dL/dz for each of its entries
template <class T>
Problem find_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     TensorView<T> const& output_gradient, MultiHeadOptions<T> const& options);

/// The gradients of a call that has no problem, into the places. What is left to find is a visible score or a gradient
/// that overflows; what the places hold then is of no use.
template <class T>
Problem differentiate_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                            TensorView<T> const& output_gradient, MultiHeadOptions<T> const& options,
                            MultiHeadGradientPlaces<T> const& places);

/// The gradients of a loss L, one for each entry of what went in.
template <class T> struct MultiHeadGradients {
    Tensor<T> query;  // as query
    Tensor<T> key;    // as key
    Tensor<T> value;  // as value
    Tensor<T> scores; // (batches, heads, n_query, n_key), or (n_query, n_key) where query has rank 2
};

/// The gradients of multi-head attention, dL/dQ, dL/dK, dL/dV and dL/dS, given G = dL/dZ. For each head of each batch,
/// with A its weights, S = scale Q Kᵀ its scores before softcap and mask, and c the softcap:
///
///     dV = Aᵀ G,  dA = G Vᵀ,  ds_ij = (1 - tanh²(s_ij / c)) a_ij (dA_ij - sum_l a_il dA_il)
///     dQ = scale dS K,  dK = scale dSᵀ Q
///
/// where the factor with tanh is 1 without a softcap. A head of key and value that several heads of query share gets
/// the sum of what reaches it through each. Hidden cells, and queries that see no key, pass on exactly 0, whatever they
/// hold.
///
/// @param query           (n_query, d_k), (batches, n_query, heads * d_k) or (batches, heads, n_query, d_k)
/// @param key             as query, with n_key rows and key_value_heads heads
/// @param value           as key, with d_v in place of d_k
/// @param output_gradient G, as query, with d_v in place of d_k
/// @throws ArgumentError  if the call has a problem, or a visible score or a gradient overflows
/// Source: the chain rule, as in `attention_gradients`.
template <class T>
MultiHeadGradients<T> multi_head_gradients(TensorView<T> const& query, TensorView<T> const& key,
                                           TensorView<T> const& value, TensorView<T> const& output_gradient,
                                           MultiHeadOptions<T> const& options = {});

/// The same for containers of numbers, whose type is deduced.
template <class Query, class Key, class Value, class Gradient, class T = typename Query::value_type>
MultiHeadGradients<T> multi_head_gradients(Query const& query, Key const& key, Value const& value,
                                           Gradient const& output_gradient,
                                           MultiHeadOptions<typename Query::value_type> const& options = {}) {
    return multi_head_gradients<T>(TensorView<T>(query), TensorView<T>(key), TensorView<T>(value),
                                   TensorView<T>(output_gradient), options);
}

} // namespace attention
