#include "metrics.hpp"

#include <algorithm>
#include <cmath>

#include "elementary.hpp"

namespace attention {
namespace {

void require_same_shape(char const* name, Matrix<double> const& matrix, Visibility const& visible) {
    require_none([&] {
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

GradientState gradient_state(std::size_t visible_keys, double jacobian) {
    if (!std::isfinite(jacobian)) {
        return GradientState::undefined;
    }
    if (visible_keys < 2) {
        return GradientState::no_choice;
    }
    return jacobian < gradient_dead_below(visible_keys)     ? GradientState::dead
           : jacobian < gradient_fading_below(visible_keys) ? GradientState::fading
                                                            : GradientState::alive;
}

/// The norm of diag(a) - a aᵀ where every a is 1 / n.
double even_norm(std::size_t n) {
    return std::sqrt(static_cast<double>(n) - 1) / static_cast<double>(n);
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

double gradient_dead_below(std::size_t visible_keys) {
    return visible_keys < 2 ? 0 : std::min(0.05, 0.5 * even_norm(visible_keys));
}

double gradient_fading_below(std::size_t visible_keys) {
    return visible_keys < 2 ? 0 : std::min(0.15, 0.75 * even_norm(visible_keys));
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
                       make_vector<double>(n_query),       std::vector<SoftmaxState>(n_query),
                       std::vector<GradientState>(n_query)};
    for (std::size_t i = 0; i < n_query; ++i) {
        std::size_t visible_keys = 0;
        double row_sum = 0;
        double peak = 0;
        double entropy = 0;
        // ||diag(a) - a aᵀ||² = sum_j (a_j (1 - a_j))² + 2 sum_{j<l} a_j² a_l²: sums of squares, and 1 - a_j is exact
        // near 1, so nothing cancels when a row is nearly one-hot.
        double diagonal = 0;
        double off_diagonal = 0;
        double squares_so_far = 0;
        for (std::size_t j = 0; j < n_key; ++j) {
            if (row_of(visible, i)[j] == 0) {
                continue;
            }
            double const weight = row_of(weights, i)[j];
            double const square = weight * weight;
            ++visible_keys;
            row_sum += weight;
            peak = maximum(peak, weight);
            entropy -= weight == 0 ? 0 : weight * natural_logarithm(weight);
            diagonal += square * (1 - weight) * (1 - weight);
            off_diagonal += square * squares_so_far;
            squares_so_far += square;
        }
        double const jacobian = std::sqrt(diagonal + 2 * off_diagonal);
        metrics.row_sum.data()[i] = row_sum;
        metrics.peak.data()[i] = peak;
        metrics.entropy.data()[i] = entropy;
        metrics.maximum_entropy.data()[i] =
            visible_keys == 0 ? 0 : natural_logarithm(static_cast<double>(visible_keys));
        metrics.jacobian.data()[i] = jacobian;
        metrics.state[i] = softmax_state(visible_keys, row_sum, peak);
        metrics.gradient[i] = gradient_state(visible_keys, jacobian);
    }
    return metrics;
}

Matrix<double> softmax_jacobian(Matrix<double> const& weights, std::size_t row) {
    std::size_t const n_key = weights.shape(1);
    double const* const a = row_of(weights, row);
    Matrix<double> jacobian = make_matrix<double>(n_key, n_key);
    for (std::size_t j = 0; j < n_key; ++j) {
        double* const entries = row_of(jacobian, j);
        for (std::size_t l = 0; l < n_key; ++l) {
            entries[l] = j == l ? a[j] * (1 - a[j]) : -a[j] * a[l];
        }
    }
    return jacobian;
}

} // namespace attention
