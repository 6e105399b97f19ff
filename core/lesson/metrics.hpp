// What the figures beside the heatmap say: how spread the scores are, how peaked each row is, whether it can learn.
#pragma once

#include <vector>

#include "softmax.hpp"
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

/// Below 0.05 a gradient is dead, below 0.15 it fades. A long row that is spread evenly has a small Jacobian too and is
/// not to blame for it: the limits are at most a half and three quarters of its norm.
///
/// @param even_norm  of the row's Jacobian if its softmax were even; sqrt(n - 1) / n over n keys; 0 without a choice
double gradient_dead_below(double even_norm);
double gradient_fading_below(double even_norm);

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
    Vector<double> jacobian;        // Frobenius norm of da_j / ds_l over the row's keys
    Vector<double> dead_below;      // a Jacobian of a smaller norm lets no gradient through; 0 without a choice
    Vector<double> row_sum;
    std::vector<SoftmaxState> state;
    std::vector<GradientState> gradient;
};

/// Measures each row of a table of attention weights, each of them a softmax over what is visible.
///
/// @param weights (n_query, n_key); may hold infinities or NaN where a naive softmax overflowed
/// @param visible (n_query, n_key)
/// @throws ArgumentError  if the shapes differ
/// Source: the softmax Jacobian, da_i/ds_j = a_i (delta_ij - a_j), Goodfellow et al., "Deep Learning", section 6.2.2.3.
RowMetrics row_metrics(Matrix<double> const& weights, Visibility const& visible);

/// A softmax and what becomes of its weights: they are cleared where `visible` or `kept` is 0, and scaled.
struct SoftmaxRows {
    Matrix<double> const& weights;  // (n_query, n_key); as the softmax leaves them
    Visibility const& visible;      // (n_query, n_key); where they stay
    Visibility const& softmax_sees; // (n_query, n_key); where the softmax looks
    SoftmaxAxis axis = SoftmaxAxis::keys;
    Visibility const* kept = nullptr; // (n_query, n_key); what dropout leaves; all of it where absent
    double scale = 1;                 // 1 / (1 - p) with dropout

    /// Whether a weight is other than a constant 0.
    bool stays(std::size_t row, std::size_t key) const {
        return row_of(visible, row)[key] != 0 && (kept == nullptr || row_of(*kept, row)[key] != 0);
    }
};

/// How a row's weights move with the row's own scores: J_jl = da_j / ds_l, of what was computed.
///
/// Along the keys J = diag(p) - p pᵀ, p the row of the softmax. Where weights are cleared after it (a late mask,
/// dropout) the rows of these are 0, but not the columns: a hidden score still moves the visible weights. Along the
/// queries J is diagonal, p_j (1 - p_j): a row's weights do not move with each other's scores, but with those of other
/// rows, -p_ij p_mj.
///
/// @return (n_key, n_key)
/// Source: the same.
Matrix<double> softmax_jacobian(SoftmaxRows const& softmax, std::size_t row);

/// Measures `jacobian`, `dead_below` and `gradient` on a softmax that `row_metrics` cannot know from the weights alone.
///
/// @param line_lengths  how many queries see each key, these rows' queries and all others; read along the queries alone
void measure_jacobians(RowMetrics& metrics, SoftmaxRows const& softmax, std::vector<double> const& line_lengths = {});

} // namespace attention
