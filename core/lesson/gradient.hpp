// The backward pass of a layer, and of a lesson: how much a loss changes with each number that went in.
#pragma once

#include <vector>

#include "attention_gradient.hpp"
#include "layer.hpp"
#include "lesson.hpp"

namespace attention {

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
    bool has_context = false; // whether K, V and X_blended are of a second sentence's T_k tokens

    // Of the biases that the layer has, by role: dL/db is the sum of the rows of dL/dQ, dL/dK or dL/dV, and `b_shared`
    // the three roles' sum where one matrix and one bias play them all.
    Matrix<double> b_q = {};      // (1, heads * d_k)
    Matrix<double> b_k = {};      // (1, heads * d_k)
    Matrix<double> b_v = {};      // (1, heads * d_v)
    Matrix<double> b_shared = {}; // (1, heads * d_k)
};

/// The backward pass of a layer.
///
/// @param pass            what `layer_pass` gave for the same X, weights and settings, without an overflow
/// @param output_gradient the shape of `pass.output`; dL/dz for each entry of the output
/// @param context         what `layer_pass` was given
/// @throws ArgumentError  if the output gradient has another shape
LayerGradients layer_gradients(Matrix<double> const& X, ProjectionWeights const& weights, LayerPass const& pass,
                               Matrix<double> const& output_gradient, LayerSettings const& settings,
                               Matrix<double> const& context = {});

/// dL/dX = dQ W_qᵀ + dK W_kᵀ + dV W_vᵀ, and what reaches X by being blended; dQ W_qᵀ alone with a context.
///
/// @return (T, d_model)
Matrix<double> embedding_gradient(LayerGradients const& gradients, ProjectionWeights const& weights);

/// dK W_kᵀ + dV W_vᵀ, and what reaches the context by being blended.
///
/// @return (T_k, d_model)
Matrix<double> context_gradient(LayerGradients const& gradients, ProjectionWeights const& weights);

/// The root of the sum of squares of all entries; 0 of an empty matrix.
double frobenius_norm(Matrix<double> const& matrix);

/// The gradients of a lesson, X's included, and how much of them reaches each matrix.
struct LessonGradients {
    LayerGradients layer;
    Matrix<double> X;       // (T, d_model)
    Matrix<double> context; // (T_k, d_model); empty in self-attention

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
