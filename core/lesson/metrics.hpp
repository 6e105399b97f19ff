// What the figures beside the heatmap say: how spread the scores are, how peaked each row is, whether it can learn.
#pragma once

#include <vector>

#include "tensor.hpp"

namespace attention {

/// The larger of two numbers; NaN where either is. std::max drops a NaN or keeps it, by its place.
double maximum(double left, double right);

/// max |left_i - right_i|, NaN where a difference is; 0 of no numbers.
///
/// @param left, right  arrays of `count` numbers
double largest_difference(double const* left, double const* right, std::size_t count);

/// What a row of weights looks like. states.def says of each when.
enum class SoftmaxState {
#define SOFTMAX_STATE(state, words) state,
#include "states.def"
};

/// What is left of a gradient that comes back through the softmax of a row, by the Frobenius norm of its Jacobian.
enum class GradientState {
#define GRADIENT_STATE(state, words) state,
#include "states.def"
};

/// The words that the widget shows.
char const* name_of(SoftmaxState state);
char const* name_of(GradientState state);

constexpr double peaked_from = 0.75;
constexpr double saturated_from = 0.95;

/// Below 0.05 a gradient is dead, below 0.15 it fades. A long row that is spread evenly has a small Jacobian too, of
/// norm sqrt(n - 1) / n, and is not to blame for it: the limits are at most a half and three quarters of that.
double gradient_dead_below(std::size_t visible_keys);
double gradient_fading_below(std::size_t visible_keys);

/// A row counts as a distribution when its sum is this close to 1.
constexpr double row_sum_tolerance = 1e-9;

/// How many scores there are, their mean, and the sum of their squared distances from it. Long sentences are measured
/// part by part.
struct ScoreSpread {
    double scores = 0;
    double mean = 0;
    double squares = 0;

    /// Their population standard deviation; 0 of no scores.
    double deviation() const;
};

/// Adds the visible scores of further rows to what was found of the rows before them, a row at a time.
///
/// @param scores, visible  (n_query, n_key)
/// @throws ArgumentError  if the shapes differ
/// Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
ScoreSpread add_rows(ScoreSpread before, Matrix<double> const& scores, Visibility const& visible);

/// How far the scores lie apart: their population standard deviation, all visible ones of all rows together.
/// Dimensionless; about sqrt(d_k) for raw dot products of entries with variance 1, about 1 after division by sqrt(d_k).
///
/// @param scores  (n_query, n_key), as the softmax is given them
/// @param visible (n_query, n_key), what the softmax looks at
/// @return        0 where nothing is visible
/// @throws ArgumentError  if the shapes differ
double score_spread(Matrix<double> const& scores, Visibility const& visible);

/// One figure for each query.
struct RowMetrics {
    Vector<double> peak;            // the largest weight of the row
    Vector<double> entropy;         // -sum a ln a, in nats
    Vector<double> maximum_entropy; // ln of the number of visible keys, in nats
    Vector<double> jacobian;        // Frobenius norm of diag(a) - a aᵀ
    Vector<double> row_sum;
    std::vector<SoftmaxState> state;
    std::vector<GradientState> gradient;
};

/// Measures each row of a table of attention weights.
///
/// @param weights (n_query, n_key); may hold infinities or NaN where a naive softmax overflowed
/// @param visible (n_query, n_key)
/// @throws ArgumentError  if the shapes differ
/// Source: the softmax Jacobian, da_i/ds_j = a_i (delta_ij - a_j), Goodfellow et al., "Deep Learning", section 6.2.2.3.
RowMetrics row_metrics(Matrix<double> const& weights, Visibility const& visible);

/// The softmax Jacobian of one row of weights, J = diag(a) - a aᵀ: J_jl = da_j / ds_l.
///
/// @return (n_key, n_key); symmetric, and its rows sum to 0 where the weights sum to 1
/// Source: the same.
Matrix<double> softmax_jacobian(Matrix<double> const& weights, std::size_t row);

} // namespace attention
