// Layer normalisation: what a trained layer does to each token's vector before, or after, its heads look at it.
#pragma once

#include "tensor.hpp"

namespace attention {

/// A normalised table and what each row was normalised by. The population's variance, not the sample's: the sum of
/// squares over d_model, not over d_model - 1.
struct LayerNorm {
    Matrix<double> output;   // (n_token, d_model)
    Vector<double> mean;     // (n_token)
    Vector<double> variance; // (n_token); infinite where it is above 1.8e308, while the output is still exact
};

/// What is wrong with a call of layer_norm, or nothing.
Problem find_layer_norm_problem(Matrix<double> const& x, Vector<double> const& gain, Vector<double> const& bias,
                                double epsilon);

/// Normalises each row: y_ij = gain_j (x_ij - mean_i) / sqrt(variance_i + epsilon) + bias_j, with
/// mean_i = sum_j x_ij / d_model and variance_i = sum_j (x_ij - mean_i)^2 / d_model. Two passes: a variance from sums
/// of squares would lose every digit where the mean is large beside the spread. Rows of any finite size have their
/// right output, though their squares would overflow. Weights stored as float32 are float64 numbers too, and computed
/// as such.
///
/// @param x       (n_token, d_model), finite
/// @param gain    (d_model), finite; stored as "weight" or "gamma"
/// @param bias    (d_model), finite; stored as "bias" or "beta"
/// @param epsilon finite, at least 0; a model's own (1e-5 in GPT-2, 1e-12 in BERT)
/// @throws ArgumentError  if x is empty, shapes differ, an argument or an output is not finite, or epsilon is 0 and
///                        a row of x is constant, which leaves 0 / 0
/// Source: Ba, Kiros and Hinton 2016, "Layer Normalization", equations 3 and 4; epsilon as in PyTorch's LayerNorm.
LayerNorm layer_norm(Matrix<double> const& x, Vector<double> const& gain, Vector<double> const& bias, double epsilon);

} // namespace attention
