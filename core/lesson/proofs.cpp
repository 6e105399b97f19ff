#include "proofs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attention.hpp"
#include "elementary.hpp"

namespace attention {
namespace {

constexpr double exact = 0;
constexpr double rounding = 1e-12;
constexpr double factor_of_two = 1; // in powers of two

constexpr std::size_t law_count = static_cast<std::size_t>(Law::gradient_is_alive) + 1;

/// What the laws are checked on.
struct Evidence {
    LessonState const& state;
    Lesson const& lesson;
    Lesson other_last;      // with another token in the last place: one whose embedding points the other way
    Lesson reversed;        // with the tokens in reverse
    Lesson scaled;          // with the divisor sqrt(d_k)
    Matrix<double> blended; // A V
};

struct Item {
    double found;
    double expected;
    double residual;
};

Item equal(double found, double expected) {
    return {found, expected, std::fabs(found - expected)};
}

Item at_least(double found, double expected) {
    double const missing = expected - found;
    return {found, expected, missing < 0 ? 0 : missing}; // NaN stays
}

/// Found and expected are the first numbers of the rows; the residual is over all of them.
Item equal_rows(Matrix<double> const& found, std::size_t found_row, Matrix<double> const& expected, std::size_t row) {
    double const* const left = row_of(found, found_row);
    double const* const right = row_of(expected, row);
    double const apart = found.shape(1) == expected.shape(1) ? largest_difference(left, right, found.shape(1))
                                                             : std::numeric_limits<double>::infinity();
    return {left[0], right[0], apart};
}

double count_not_finite(double const* weights, std::size_t n) {
    double count = 0;
    for (std::size_t j = 0; j < n; ++j) {
        count += std::isfinite(weights[j]) ? 0 : 1;
    }
    return count;
}

/// max|S - Sᵀ|
double asymmetry(Matrix<double> const& scores) {
    double largest = 0;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            largest = maximum(largest, std::fabs(row_of(scores, i)[j] - row_of(scores, j)[i]));
        }
    }
    return largest;
}

double parameters(LessonState const& state, Lesson const& lesson) {
    std::size_t const count = state.projections == ProjectionMode::identity ? 0
                              : state.projections == ProjectionMode::shared
                                  ? lesson.W_q.size()
                                  : lesson.W_q.size() + lesson.W_k.size() + lesson.W_v.size();
    return static_cast<double>(count);
}

std::size_t visible_keys(Visibility const& visible, std::size_t row) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < visible.shape(1); ++j) {
        count += row_of(visible, row)[j];
    }
    return count;
}

/// What a law compares in one place, numbered from 0.
Item item_of(Law law, Evidence const& evidence, std::size_t i) {
    Lesson const& lesson = evidence.lesson;
    double const* const weights = row_of(lesson.weights, i);
    std::size_t const n = lesson.weights.shape(1);
    switch (law) {
    case Law::weights_are_finite:
        return equal(count_not_finite(weights, n), 0);
    case Law::rows_sum_to_one:
        // A row that sees no key is 0 by rule.
        return equal(lesson.rows.row_sum.data()[i], lesson.rows.state[i] == SoftmaxState::no_visible_key ? 0 : 1);
    case Law::future_is_hidden: {
        double largest = 0;
        for (std::size_t j = i + 1; j < n; ++j) {
            largest = maximum(largest, weights[j]);
        }
        return equal(largest, 0);
    }
    case Law::past_is_untouched:
        return equal_rows(evidence.other_last.output, i, lesson.output, i);
    case Law::order_does_not_count:
        return equal_rows(evidence.reversed.output, n - 1 - i, lesson.output, i);
    case Law::output_has_shape:
        return equal(static_cast<double>(lesson.output.shape(i)),
                     static_cast<double>(i == 0 ? evidence.state.tokens.size() : evidence.state.d_v));
    case Law::values_are_blended:
        return equal_rows(lesson.output, i, evidence.blended, i);
    case Law::roles_differ:
        return at_least(asymmetry(lesson.scores), 1e-9); // below it there is only rounding
    case Law::something_can_learn:
        return at_least(parameters(evidence.state, lesson), 1);
    case Law::spread_is_kept:
        return {lesson.spread, 1, std::fabs(natural_logarithm(lesson.spread) / natural_logarithm(2))};
    case Law::entropy_is_kept:
        return at_least(lesson.rows.entropy.data()[i], evidence.scaled.rows.entropy.data()[i]);
    case Law::gradient_is_alive:
        return at_least(lesson.rows.jacobian.data()[i], gradient_dead_below(visible_keys(lesson.visible, i)));
    }
    return {};
}

std::size_t item_count(Law law, std::size_t n) {
    switch (law) {
    case Law::past_is_untouched:
        return n - 1;
    case Law::output_has_shape:
        return 2;
    case Law::roles_differ:
    case Law::something_can_learn:
    case Law::spread_is_kept:
        return 1;
    default:
        return n;
    }
}

double tolerance_of(Law law) {
    switch (law) {
    case Law::rows_sum_to_one:
    case Law::order_does_not_count:
    case Law::values_are_blended:
    case Law::entropy_is_kept:
        return rounding;
    case Law::spread_is_kept:
        return factor_of_two;
    default:
        return exact;
    }
}

bool is_claimed(Law law, LessonState const& state, Lesson const& lesson) {
    bool const has_mask = state.mask != LessonMask::none;
    bool const has_pairs = state.tokens.size() > 1;
    switch (law) {
    case Law::future_is_hidden:
    case Law::past_is_untouched:
        // The four tokens are a causal lesson, whose claims stand when the mask is taken off; the sentence claims with
        // a mask.
        return has_mask || state.preset == Preset::four_token;
    case Law::order_does_not_count:
        return !has_mask;
    case Law::roles_differ:
        return has_pairs;
    case Law::spread_is_kept:
        return lesson.expected_spread.has_value() && has_pairs;
    default:
        return true;
    }
}

Proof prove_law(Law law, Evidence const& evidence) {
    std::size_t const items = item_count(law, evidence.state.tokens.size());
    Proof proof{law,
                Outcome::not_claimed,
                0,
                tolerance_of(law),
                std::vector<double>(items),
                std::vector<double>(items),
                std::vector<double>(items)};
    for (std::size_t i = 0; i < items; ++i) {
        Item const item = item_of(law, evidence, i);
        proof.found[i] = item.found;
        proof.expected[i] = item.expected;
        proof.residuals[i] = item.residual;
        proof.residual = maximum(proof.residual, item.residual);
    }
    if (is_claimed(law, evidence.state, evidence.lesson)) {
        proof.outcome = proof.residual <= proof.tolerance ? Outcome::holds : Outcome::fails; // NaN fails
    }
    return proof;
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

std::vector<Proof> prove(LessonState const& state, Lesson const& lesson) {
    std::size_t const n = lesson.X.shape(0);
    Matrix<double> with_other_last = lesson.X;
    Matrix<double> in_reverse = lesson.X;
    for (std::size_t c = 0; c < lesson.X.shape(1); ++c) {
        row_of(with_other_last, n - 1)[c] *= -1;
    }
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(row_of(lesson.X, i), lesson.X.shape(1), row_of(in_reverse, n - 1 - i));
    }
    Evidence const evidence{state,
                            lesson,
                            lesson_on(with_other_last, state),
                            lesson_on(in_reverse, state),
                            lesson_on(lesson.X, state, Divisor::sqrt),
                            blend_values(lesson.weights, lesson.V, lesson.visible)};
    std::vector<Proof> proofs(law_count);
    for (std::size_t law = 0; law < law_count; ++law) {
        proofs[law] = prove_law(static_cast<Law>(law), evidence);
    }
    return proofs;
}

std::vector<Proof> prove(LessonState const& state) {
    return prove(state, lesson(state));
}

} // namespace attention
