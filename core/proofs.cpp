#include "proofs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "attention.hpp"
#include "elementary.hpp"

namespace attention {
namespace {

constexpr double exact = 0;
constexpr double rounding = 1e-12;
constexpr double factor_of_two = 1; // in powers of two

/// Gathers the items of one law.
class Comparing {
  public:
    void item(double found, double expected, double residual) {
        found_.push_back(found);
        expected_.push_back(expected);
        residuals_.push_back(residual);
        // Written so that NaN stays once it is there.
        worst_ = residual <= worst_ || std::isnan(worst_) ? worst_ : residual;
    }

    void item(double found, double expected) { item(found, expected, std::fabs(found - expected)); }

    Proof prove(Law law, double tolerance, bool is_claimed = true) {
        Outcome const outcome = !is_claimed           ? Outcome::not_claimed
                                : worst_ <= tolerance ? Outcome::holds
                                                      : Outcome::fails;
        return {law, outcome, worst_, tolerance, std::move(found_), std::move(expected_), std::move(residuals_)};
    }

  private:
    std::vector<double> found_;
    std::vector<double> expected_;
    std::vector<double> residuals_;
    double worst_ = 0;
};

/// The largest distance between two rows of the same length.
double distance(Matrix<double> const& left, std::size_t left_row, Matrix<double> const& right, std::size_t right_row) {
    double largest = 0;
    for (std::size_t c = 0; c < left.shape(1); ++c) {
        double const apart = std::fabs(row_of(left, left_row)[c] - row_of(right, right_row)[c]);
        largest = apart <= largest || std::isnan(largest) ? largest : apart;
    }
    return largest;
}

bool has_mask(LessonState const& state) {
    return state.mask != LessonMask::none;
}

/// The four tokens are a causal lesson, whose claims stand when the mask is taken off; the sentence claims with a mask.
bool is_causal_lesson(LessonState const& state) {
    return has_mask(state) || state.preset == Preset::four_token;
}

std::size_t visible_keys(Visibility const& visible, std::size_t row) {
    std::uint8_t const* const keys = row_of(visible, row);
    return std::accumulate(keys, keys + visible.shape(1), std::size_t(0));
}

Proof weights_are_finite(Lesson const& lesson) {
    Comparing rows;
    for (std::size_t i = 0; i < lesson.weights.shape(0); ++i) {
        double not_finite = 0;
        for (std::size_t j = 0; j < lesson.weights.shape(1); ++j) {
            not_finite += std::isfinite(lesson.weights(i, j)) ? 0 : 1;
        }
        rows.item(not_finite, 0);
    }
    return rows.prove(Law::weights_are_finite, exact);
}

Proof rows_sum_to_one(Lesson const& lesson) {
    Comparing rows;
    for (std::size_t i = 0; i < lesson.weights.shape(0); ++i) {
        // A row that sees no key is 0 by rule.
        rows.item(lesson.rows.row_sum(i), lesson.rows.state[i] == SoftmaxState::no_visible_key ? 0 : 1);
    }
    return rows.prove(Law::rows_sum_to_one, rounding);
}

Proof future_is_hidden(LessonState const& state, Lesson const& lesson) {
    Comparing rows;
    for (std::size_t i = 0; i < lesson.weights.shape(0); ++i) {
        double largest = 0;
        for (std::size_t j = i + 1; j < lesson.weights.shape(1); ++j) {
            double const weight = lesson.weights(i, j);
            largest = weight <= largest || std::isnan(largest) ? largest : weight;
        }
        rows.item(largest, 0);
    }
    return rows.prove(Law::future_is_hidden, exact, is_causal_lesson(state));
}

/// Every output before the last, with another token in the last place: one whose embedding points the other way. Found
/// and expected are the first numbers of each output; residuals are over all of them.
Proof past_is_untouched(LessonState const& state, Lesson const& lesson) {
    Matrix<double> X = lesson.X;
    double* const last = row_of(X, X.shape(0) - 1);
    for (std::size_t c = 0; c < X.shape(1); ++c) {
        last[c] = -last[c];
    }
    Lesson const other = lesson_on(X, state);
    Comparing rows;
    for (std::size_t i = 0; i + 1 < lesson.output.shape(0); ++i) {
        rows.item(other.output(i, 0), lesson.output(i, 0), distance(other.output, i, lesson.output, i));
    }
    return rows.prove(Law::past_is_untouched, exact, is_causal_lesson(state));
}

Proof order_does_not_count(LessonState const& state, Lesson const& lesson) {
    std::size_t const n = lesson.X.shape(0);
    Matrix<double> X = lesson.X;
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(row_of(lesson.X, i), X.shape(1), row_of(X, n - 1 - i));
    }
    Lesson const other = lesson_on(X, state);
    Comparing rows;
    for (std::size_t i = 0; i < n; ++i) {
        rows.item(other.output(n - 1 - i, 0), lesson.output(i, 0), distance(other.output, n - 1 - i, lesson.output, i));
    }
    return rows.prove(Law::order_does_not_count, rounding, !has_mask(state));
}

Proof output_has_shape(LessonState const& state, Lesson const& lesson) {
    Comparing lengths;
    lengths.item(static_cast<double>(lesson.output.shape(0)), static_cast<double>(state.tokens.size()));
    lengths.item(static_cast<double>(lesson.output.shape(1)), static_cast<double>(state.d_v));
    return lengths.prove(Law::output_has_shape, exact);
}

Proof values_are_blended(Lesson const& lesson) {
    Matrix<double> const blended = blend_values(lesson.weights, lesson.V, lesson.visible);
    bool const same_width = blended.shape(1) == lesson.output.shape(1);
    Comparing rows;
    for (std::size_t i = 0; i < blended.shape(0); ++i) {
        double const apart =
            same_width ? distance(lesson.output, i, blended, i) : std::numeric_limits<double>::infinity();
        rows.item(lesson.output(i, 0), blended(i, 0), apart);
    }
    return rows.prove(Law::values_are_blended, rounding);
}

/// Found is the largest |s_ij - s_ji|. The law fails where that is only rounding, so the residual is what is missing.
Proof roles_differ(LessonState const& state, Lesson const& lesson) {
    std::size_t const n = lesson.scores.shape(0);
    double asymmetry = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            asymmetry = std::max(asymmetry, std::fabs(lesson.scores(i, j) - lesson.scores(j, i)));
        }
    }
    Comparing whole;
    double const least = 1e-9;
    whole.item(asymmetry, least, std::max(0.0, least - asymmetry));
    return whole.prove(Law::roles_differ, exact, state.tokens.size() > 1);
}

Proof something_can_learn(LessonState const& state, Lesson const& lesson) {
    double parameters = static_cast<double>(lesson.W_q.size() + lesson.W_k.size() + lesson.W_v.size());
    if (state.projections == ProjectionMode::shared) {
        parameters = static_cast<double>(lesson.W_q.size());
    } else if (state.projections == ProjectionMode::identity) {
        parameters = 0;
    }
    Comparing whole;
    whole.item(parameters, 1, std::max(0.0, 1 - parameters));
    return whole.prove(Law::something_can_learn, exact);
}

Proof spread_is_kept(LessonState const& state, Lesson const& lesson) {
    Comparing whole;
    whole.item(lesson.spread, 1, std::fabs(natural_logarithm(lesson.spread) / natural_logarithm(2)));
    return whole.prove(Law::spread_is_kept, factor_of_two,
                       lesson.expected_spread.has_value() && state.tokens.size() > 1);
}

Proof entropy_is_kept(LessonState const& state, Lesson const& lesson) {
    LessonState scaled = state;
    scaled.divisor = Divisor::sqrt;
    Lesson const other = lesson_on(lesson.X, scaled);
    Comparing rows;
    for (std::size_t i = 0; i < lesson.rows.entropy.size(); ++i) {
        double const missing = other.rows.entropy(i) - lesson.rows.entropy(i);
        rows.item(lesson.rows.entropy(i), other.rows.entropy(i),
                  std::isnan(missing) ? missing : std::max(0.0, missing));
    }
    return rows.prove(Law::entropy_is_kept, rounding);
}

Proof gradient_is_alive(Lesson const& lesson) {
    Comparing rows;
    for (std::size_t i = 0; i < lesson.rows.jacobian.size(); ++i) {
        double const norm = lesson.rows.jacobian(i);
        double const least = gradient_dead_below(visible_keys(lesson.visible, i));
        double const missing = least - norm;
        rows.item(norm, least, std::isnan(missing) ? missing : std::max(0.0, missing));
    }
    return rows.prove(Law::gradient_is_alive, exact);
}

} // namespace

char const* name_of(Law law) {
    switch (law) {
    case Law::weights_are_finite:
        return "weights_are_finite";
    case Law::rows_sum_to_one:
        return "rows_sum_to_one";
    case Law::future_is_hidden:
        return "future_is_hidden";
    case Law::past_is_untouched:
        return "past_is_untouched";
    case Law::order_does_not_count:
        return "order_does_not_count";
    case Law::output_has_shape:
        return "output_has_shape";
    case Law::values_are_blended:
        return "values_are_blended";
    case Law::roles_differ:
        return "roles_differ";
    case Law::something_can_learn:
        return "something_can_learn";
    case Law::spread_is_kept:
        return "spread_is_kept";
    case Law::entropy_is_kept:
        return "entropy_is_kept";
    case Law::gradient_is_alive:
        return "gradient_is_alive";
    }
    return "";
}

char const* name_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::holds:
        return "holds";
    case Outcome::fails:
        return "fails";
    case Outcome::not_claimed:
        return "not_claimed";
    }
    return "";
}

std::vector<Proof> prove(LessonState const& state) {
    Lesson const lesson = attention::lesson(state);
    return {
        weights_are_finite(lesson),          rows_sum_to_one(lesson),
        future_is_hidden(state, lesson),     past_is_untouched(state, lesson),
        order_does_not_count(state, lesson), output_has_shape(state, lesson),
        values_are_blended(lesson),          roles_differ(state, lesson),
        something_can_learn(state, lesson),  spread_is_kept(state, lesson),
        entropy_is_kept(state, lesson),      gradient_is_alive(lesson),
    };
}

} // namespace attention
