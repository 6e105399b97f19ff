#include "metrics.hpp"

#include <algorithm>
#include <cmath>

#include "elementary.hpp"

namespace attention {
namespace {

void require_same_shape(char const* name, Matrix<double> const& matrix, Visibility const& visible) {
    throw_if_problem([&] {
        return problem_unless(matrix.shape() == visible.shape(), name, {"has shape ", shape_of(matrix)},
                              {"visible has shape ", shape_of(visible)});
    });
}

SoftmaxState softmax_state(std::size_t visible_keys, double row_sum, double peak) {
    if (visible_keys == 0) {
        return SoftmaxState::no_visible_key;
    }
    if (!(std::fabs(row_sum - 1) <= row_sum_tolerance)) { // also true for NaN
        return SoftmaxState::not_a_distribution;
    }
    return peak >= saturated_from ? SoftmaxState::saturated
           : peak >= peaked_from  ? SoftmaxState::peaked
                                  : SoftmaxState::diffuse;
}

GradientState gradient_state(double even_norm, double jacobian) {
    if (!std::isfinite(jacobian)) {
        return GradientState::undefined;
    }
    if (even_norm == 0) {
        return GradientState::no_choice;
    }
    return jacobian < gradient_dead_below(even_norm)     ? GradientState::dead
           : jacobian < gradient_fading_below(even_norm) ? GradientState::fading
                                                         : GradientState::alive;
}

/// The norm of `visible_keys` rows of diag(p) - p pᵀ where every p is 1 / seen_keys.
double even_norm(std::size_t visible_keys, std::size_t seen_keys) {
    auto const n = static_cast<double>(seen_keys);
    return seen_keys < 2               ? 0
           : visible_keys == seen_keys ? std::sqrt(n - 1) / n
                                       : std::sqrt(static_cast<double>(visible_keys) * (n - 1) / n) / n;
}

struct Norms {
    double jacobian;
    double even;
};

/// ||J||² = sum over j that stay of (p_j (1 - p_j))² + sum over seen l other than j of p_j² p_l²: sums of squares, and
/// 1 - p_j is exact near 1, so nothing cancels when a row is nearly one-hot.
Norms norms_along_keys(SoftmaxRows const& softmax, std::size_t row) {
    double const* const weights = row_of(softmax.weights, row);
    double diagonal = 0;
    double off_diagonal = 0;
    double staying_squares = 0;
    double cleared_squares = 0;
    std::size_t visible_keys = 0;
    std::size_t seen_keys = 0;
    for (std::size_t j = 0; j < softmax.weights.shape(1); ++j) {
        if (row_of(softmax.softmax_sees, row)[j] == 0) {
            continue;
        }
        ++seen_keys;
        double const square = weights[j] * weights[j];
        visible_keys += row_of(softmax.visible, row)[j] != 0 ? 1 : 0;
        if (!softmax.stays(row, j)) {
            cleared_squares += square;
            continue;
        }
        diagonal += square * (1 - weights[j]) * (1 - weights[j]);
        off_diagonal += square * staying_squares;
        staying_squares += square;
    }
    // A weight of exactly 0 is 0 whatever the overflow beside it.
    double const crossing = staying_squares == 0 ? 0 : staying_squares * cleared_squares;
    return {softmax.scale * std::sqrt(diagonal + 2 * off_diagonal + crossing), even_norm(visible_keys, seen_keys)};
}

/// @param line_lengths  (n_key); how many queries see each key
Norms norms_along_queries(SoftmaxRows const& softmax, std::size_t row, std::vector<double> const& line_lengths) {
    double const* const weights = row_of(softmax.weights, row);
    double squares = 0;
    double even_squares = 0;
    for (std::size_t j = 0; j < softmax.weights.shape(1); ++j) {
        if (row_of(softmax.visible, row)[j] != 0 && row_of(softmax.softmax_sees, row)[j] != 0) {
            double const slope = weights[j] * (1 - weights[j]);
            double const even_slope = (line_lengths[j] - 1) / (line_lengths[j] * line_lengths[j]);
            squares += softmax.stays(row, j) ? slope * slope : 0;
            even_squares += even_slope * even_slope;
        }
    }
    return {softmax.scale * std::sqrt(squares), std::sqrt(even_squares)};
}

} // namespace

double maximum(double left, double right) {
    return right <= left || std::isnan(left) ? left : right;
}

double largest_difference(double const* left, double const* right, std::size_t count) {
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        largest = maximum(largest, std::fabs(left[i] - right[i]));
    }
    return largest;
}

double gradient_dead_below(double even_norm) {
    return std::min(0.05, 0.5 * even_norm);
}

double gradient_fading_below(double even_norm) {
    return std::min(0.15, 0.75 * even_norm);
}

char const* name_of(SoftmaxState state) {
    switch (state) {
#define SOFTMAX_STATE(state, words)                                                                                    \
    case SoftmaxState::state:                                                                                          \
        return words;
#include "states.def"
    }
    return "";
}

char const* name_of(GradientState state) {
    switch (state) {
#define GRADIENT_STATE(state, words)                                                                                   \
    case GradientState::state:                                                                                         \
        return words;
#include "states.def"
    }
    return "";
}

double ScoreSpread::deviation() const {
    return scores == 0 ? 0 : std::sqrt(squares / scores);
}

ScoreSpread add_rows(ScoreSpread before, Matrix<double> const& scores, Visibility const& visible) {
    require_same_shape("scores", scores, visible);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double const* const score = row_of(scores, i);
        std::uint8_t const* const is_visible = row_of(visible, i);
        double count = 0;
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (is_visible[j] != 0) {
                sum += score[j];
                ++count;
            }
        }
        if (count == 0) {
            continue;
        }
        double const mean = sum / count;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (is_visible[j] != 0) {
                before.squares += (score[j] - mean) * (score[j] - mean);
            }
        }
        double const apart = mean - before.mean;
        double const share = count / (before.scores + count);
        before.squares += apart * apart * before.scores * share;
        before.mean += apart * share;
        before.scores += count;
    }
    return before;
}

double score_spread(Matrix<double> const& scores, Visibility const& visible) {
    return add_rows({}, scores, visible).deviation();
}

RowMetrics row_metrics(Matrix<double> const& weights, Visibility const& visible) {
    require_same_shape("weights", weights, visible);
    std::size_t const n_query = weights.shape(0);
    std::size_t const n_key = weights.shape(1);
    RowMetrics metrics{make_vector<double>(n_query),       make_vector<double>(n_query),
                       make_vector<double>(n_query),       make_vector<double>(n_query),
                       make_vector<double>(n_query),       make_vector<double>(n_query),
                       std::vector<SoftmaxState>(n_query), std::vector<GradientState>(n_query)};
    for (std::size_t i = 0; i < n_query; ++i) {
        std::size_t visible_keys = 0;
        double row_sum = 0;
        double peak = 0;
        double entropy = 0;
        for (std::size_t j = 0; j < n_key; ++j) {
            if (row_of(visible, i)[j] == 0) {
                continue;
            }
            double const weight = row_of(weights, i)[j];
            ++visible_keys;
            row_sum += weight;
            peak = maximum(peak, weight);
            entropy -= weight == 0 ? 0 : weight * natural_logarithm(weight);
        }
        metrics.row_sum.data()[i] = row_sum;
        metrics.peak.data()[i] = peak;
        metrics.entropy.data()[i] = entropy;
        metrics.maximum_entropy.data()[i] =
            visible_keys == 0 ? 0 : natural_logarithm(static_cast<double>(visible_keys));
        metrics.state[i] = softmax_state(visible_keys, row_sum, peak);
    }
    measure_jacobians(metrics, {weights, visible, visible});
    return metrics;
}

void measure_jacobians(RowMetrics& metrics, SoftmaxRows const& softmax, std::vector<double> const& line_lengths) {
    for (std::size_t i = 0; i < softmax.weights.shape(0); ++i) {
        Norms const norms = softmax.axis == SoftmaxAxis::keys ? norms_along_keys(softmax, i)
                                                              : norms_along_queries(softmax, i, line_lengths);
        metrics.jacobian.data()[i] = norms.jacobian;
        metrics.dead_below.data()[i] = gradient_dead_below(norms.even);
        metrics.gradient[i] = gradient_state(norms.even, norms.jacobian);
    }
}

Matrix<double> softmax_jacobian(SoftmaxRows const& softmax, std::size_t row) {
    std::size_t const n_key = softmax.weights.shape(1);
    double const* const p = row_of(softmax.weights, row);
    bool const is_row = softmax.axis == SoftmaxAxis::keys;
    Matrix<double> jacobian = make_matrix<double>(n_key, n_key);
    for (std::size_t j = 0; j < n_key; ++j) {
        double* const entries = row_of(jacobian, j);
        // A weight of exactly 0, beside an overflow too, does not move.
        for (std::size_t l = 0; l < n_key && softmax.stays(row, j) && p[j] != 0; ++l) {
            double const slope = j == l                                                ? p[j] * (1 - p[j])
                                 : is_row && row_of(softmax.softmax_sees, row)[l] != 0 ? -p[j] * p[l]
                                                                                       : 0 * p[j]; // NaN stays
            entries[l] = softmax.scale * slope;
        }
    }
    return jacobian;
}

} // namespace attention
