// The backward pass: how much a loss changes with each number that went into attention, or into the layer around it.
#pragma once

#include <vector>

#include "attention.hpp"
#include "layer.hpp"
#include "lesson.hpp"

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

/// The gradients of a loss L with respect to everything in a layer but X.
struct LayerGradients {
    std::vector<Matrix<double>>
        scores;       // for each head (T, T); dL/d(q . k / divisor), 0 where the softmax does not look
    Matrix<double> Q; // (T, heads * d_k)
    Matrix<double> K; // (T, heads * d_k)
    Matrix<double> V; // (T, heads * d_v); 0 where X is blended

    // By role. W_q and W_k are reached through the softmax alone, W_v past it. Without parameters they are empty.
    Matrix<double> W_q; // (d_model, heads * d_k)
    Matrix<double> W_k; // (d_model, heads * d_k)
    Matrix<double> W_v; // (d_model, heads * d_v)

    Matrix<double> W_shared;  // the three roles' sum where one matrix plays them all; otherwise empty
    Matrix<double> X_blended; // (T, d_model); what reaches X by being blended in V's place; otherwise empty
};

/// The backward pass of a layer.
///
/// @param pass            what `layer_pass` gave for the same X, weights and settings, without an overflow
/// @param output_gradient the shape of `pass.output`; dL/dz for each entry of the output
/// @throws ArgumentError  if the output gradient has another shape
LayerGradients layer_gradients(Matrix<double> const& X, ProjectionWeights const& weights, LayerPass const& pass,
                               Matrix<double> const& output_gradient, LayerSettings const& settings);

/// dL/dX = dQ W_qᵀ + dK W_kᵀ + dV W_vᵀ, and what reaches X by being blended.
///
/// @return (T, d_model)
Matrix<double> embedding_gradient(LayerGradients const& gradients, ProjectionWeights const& weights);

/// The root of the sum of squares of all entries; 0 of an empty matrix.
double frobenius_norm(Matrix<double> const& matrix);

/// The gradients of a lesson, X's included, and how much of them reaches each matrix.
struct LessonGradients {
    LayerGradients layer;
    Matrix<double> X; // (T, d_model)

    // Frobenius norms, of the role where one matrix is shared. 0 without parameters.
    double W_q_norm = 0; // through the softmax
    double W_k_norm = 0; // through the softmax
    double W_v_norm = 0; // past it
};

/// Why a lesson has no gradients: its state has a problem, its naive softmax overflows, or the output gradient does not
/// fit.
///
/// @param output_gradient (T, d_v); (T, d_model) where X is blended
Problem find_problem(LessonState const& state, Matrix<double> const& output_gradient);

/// The gradients at a lesson's own X and matrices.
///
/// @throws ArgumentError  if there is a problem
LessonGradients lesson_gradients(LessonState const& state, Matrix<double> const& output_gradient);

} // namespace attention
