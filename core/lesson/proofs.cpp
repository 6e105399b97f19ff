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

/// What the laws are checked on.
struct Evidence {
    LessonState const& state;
    Lesson const& lesson;
    // The outputs with another token in the last place, one whose embedding points the other way; with the tokens in
    // reverse, with a context its tokens alone; with other tokens in place of the padded ones; and A V.
    Matrix<double> other_last;
    Matrix<double> reversed;
    Matrix<double> other_padding;
    Matrix<double> blended;
    Vector<double> scaled_entropy; // of the rows, with the divisor sqrt(d_k)
};

bool has_context(Evidence const& evidence) {
    return !evidence.state.context.empty();
}

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
    std::size_t const n = std::min(scores.shape(0), scores.shape(1));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            largest = maximum(largest, std::fabs(row_of(scores, i)[j] - row_of(scores, j)[i]));
        }
    }
    return largest;
}

double parameters(LessonState const& state, Lesson const& lesson) {
    std::size_t const of_query = lesson.W_q.size() + lesson.b_q.size();
    std::size_t const count =
        state.projections == ProjectionMode::identity ? 0
        : state.projections == ProjectionMode::shared
            ? of_query
            : of_query + lesson.W_k.size() + lesson.b_k.size() + lesson.W_v.size() + lesson.b_v.size();
    return static_cast<double>(count);
}

// What each law compares in one place, numbered from 0.

Item weights_are_finite(Evidence const& evidence, std::size_t i) {
    Matrix<double> const& weights = evidence.lesson.weights;
    return equal(count_not_finite(row_of(weights, i), weights.shape(1)), 0);
}

Item rows_sum_to_one(Evidence const& evidence, std::size_t i) {
    RowMetrics const& rows = evidence.lesson.rows;
    // A row that sees no key is 0 by rule.
    return equal(rows.row_sum.data()[i], rows.state[i] == SoftmaxState::no_visible_key ? 0 : 1);
}

Item future_is_hidden(Evidence const& evidence, std::size_t i) {
    Matrix<double> const& weights = evidence.lesson.weights;
    double largest = 0;
    for (std::size_t j = i + 1; j < weights.shape(1); ++j) {
        largest = maximum(largest, row_of(weights, i)[j]);
    }
    return equal(largest, 0);
}

Item window_is_kept(Evidence const& evidence, std::size_t i) {
    Matrix<double> const& weights = evidence.lesson.weights;
    double largest = 0;
    for (std::size_t j = 0; j + evidence.state.window <= i && j < weights.shape(1); ++j) {
        largest = maximum(largest, row_of(weights, i)[j]);
    }
    return equal(largest, 0);
}

Item padding_is_hidden(Evidence const& evidence, std::size_t i) {
    Matrix<double> const& weights = evidence.lesson.weights;
    double largest = 0;
    for (std::size_t j = weights.shape(1) - evidence.state.padding; j < weights.shape(1); ++j) {
        largest = maximum(largest, row_of(weights, i)[j]);
    }
    return equal(largest, 0);
}

Item padding_does_not_count(Evidence const& evidence, std::size_t i) {
    return equal_rows(evidence.other_padding, i, evidence.lesson.output, i);
}

Item past_is_untouched(Evidence const& evidence, std::size_t i) {
    return equal_rows(evidence.other_last, i, evidence.lesson.output, i);
}

Item order_does_not_count(Evidence const& evidence, std::size_t i) {
    Matrix<double> const& output = evidence.lesson.output;
    return equal_rows(evidence.reversed, has_context(evidence) ? i : output.shape(0) - 1 - i, output, i);
}

Item output_has_shape(Evidence const& evidence, std::size_t i) {
    return equal(static_cast<double>(evidence.lesson.output.shape(i)),
                 static_cast<double>(i == 0 ? evidence.state.tokens.size() : evidence.state.d_v));
}

Item values_are_blended(Evidence const& evidence, std::size_t i) {
    return equal_rows(evidence.lesson.output, i, evidence.blended, i);
}

Item roles_differ(Evidence const& evidence, std::size_t) {
    return at_least(asymmetry(evidence.lesson.scores), 1e-9); // below it there is only rounding
}

Item something_can_learn(Evidence const& evidence, std::size_t) {
    return at_least(parameters(evidence.state, evidence.lesson), 1);
}

Item spread_is_kept(Evidence const& evidence, std::size_t) {
    double const spread = evidence.lesson.spread;
    return {spread, 1, std::fabs(natural_logarithm(spread) / natural_logarithm(2))};
}

Item entropy_is_kept(Evidence const& evidence, std::size_t i) {
    return at_least(evidence.lesson.rows.entropy.data()[i], evidence.scaled_entropy.data()[i]);
}

Item gradient_is_alive(Evidence const& evidence, std::size_t i) {
    return at_least(evidence.lesson.rows.jacobian.data()[i], evidence.lesson.rows.dead_below.data()[i]);
}

// How many places a law is checked in.

std::size_t each_row(LessonState const& state) {
    return state.tokens.size();
}

std::size_t all_rows_but_last(LessonState const& state) {
    return state.tokens.size() - 1;
}

/// With a context the keys are padded and no query is.
std::size_t all_but_padding(LessonState const& state) {
    return state.tokens.size() - (state.context.empty() ? state.padding : 0);
}

std::size_t both_lengths(LessonState const&) {
    return 2;
}

std::size_t the_whole(LessonState const&) {
    return 1;
}

// Whether a state claims a law.

bool always(Evidence const&) {
    return true;
}

bool without_mask(Evidence const& evidence) {
    return evidence.state.mask == LessonMask::none;
}

/// The four tokens are a causal lesson, whose claims stand when the mask is taken off; the sentence claims with a mask.
bool in_causal_lessons(Evidence const& evidence) {
    return !without_mask(evidence) || evidence.state.preset == Preset::four_token;
}

/// Padding stands at the end, whatever stands there.
bool in_any_order(Evidence const& evidence) {
    return without_mask(evidence) && evidence.state.padding == 0;
}

bool with_padding(Evidence const& evidence) {
    return evidence.state.padding != 0;
}

bool with_window(Evidence const& evidence) {
    return evidence.state.mask == LessonMask::window;
}

/// A query of one sentence and a key of another have no past between them.
bool with_a_past(Evidence const& evidence) {
    return in_causal_lessons(evidence) && !has_context(evidence);
}

bool between_tokens(Evidence const& evidence) {
    return evidence.state.tokens.size() > 1 && !has_context(evidence);
}

bool with_expected_spread(Evidence const& evidence) {
    return evidence.lesson.expected_spread.has_value();
}

struct Rule {
    Law law;
    std::size_t (*items)(LessonState const&);
    double tolerance;
    bool (*is_claimed)(Evidence const&);
    Item (*item)(Evidence const&, std::size_t i);
};

constexpr Rule rules[] = {
#define LAW(law, items, tolerance, claim) {Law::law, items, tolerance, claim, law},
#include "laws.def"
};

Matrix<double> outputs_on(Matrix<double> const& X, Matrix<double> const& context, LessonState const& state) {
    return lesson_on(X, context, state, state.divisor).output;
}

/// The same embeddings, from one on pointing the other way.
Matrix<double> turned(Matrix<double> X, std::size_t first) {
    for (double* entry = row_of(X, first); entry != X.data() + X.size(); ++entry) {
        *entry *= -1;
    }
    return X;
}

Proof prove_law(Rule const& rule, Evidence const& evidence) {
    std::size_t const items = rule.items(evidence.state);
    Proof proof{rule.law,
                Outcome::not_claimed,
                0,
                rule.tolerance,
                std::vector<double>(items),
                std::vector<double>(items),
                std::vector<double>(items)};
    for (std::size_t i = 0; i < items; ++i) {
        Item const item = rule.item(evidence, i);
        proof.found[i] = item.found;
        proof.expected[i] = item.expected;
        proof.residuals[i] = item.residual;
        proof.residual = maximum(proof.residual, item.residual);
    }
    if (rule.is_claimed(evidence)) {
        proof.outcome = proof.residual <= proof.tolerance ? Outcome::holds : Outcome::fails; // NaN fails
    }
    return proof;
}

} // namespace

char const* name_of(Law law) {
    switch (law) {
#define LAW(law, items, tolerance, claim)                                                                              \
    case Law::law:                                                                                                     \
        return #law;
#include "laws.def"
    }
    return "";
}

char const* name_of(Outcome outcome) {
    switch (outcome) {
#define OUTCOME(outcome)                                                                                               \
    case Outcome::outcome:                                                                                             \
        return #outcome;
#include "laws.def"
    }
    return "";
}

std::vector<Proof> prove(LessonState const& state, Lesson const& lesson) {
    bool const is_self = state.context.empty();
    Matrix<double> const& X = lesson.X;
    Matrix<double> const& keys = keys_source(X, lesson.context);
    std::size_t const n_key = keys.shape(0);
    Matrix<double> in_reverse = keys;
    for (std::size_t j = 0; j < n_key; ++j) {
        std::copy_n(row_of(keys, j), keys.shape(1), row_of(in_reverse, n_key - 1 - j));
    }
    // A second sentence's in the place of the first's, where there is one.
    auto const on_keys = [&](Matrix<double> const& other) {
        return outputs_on(is_self ? other : X, is_self ? lesson.context : other, state);
    };
    Evidence const evidence{state,
                            lesson,
                            outputs_on(turned(X, X.shape(0) - 1), lesson.context, state),
                            on_keys(in_reverse),
                            state.padding == 0 ? lesson.output : on_keys(turned(keys, n_key - state.padding)),
                            blend_values(lesson.weights, lesson.V, lesson.visible),
                            lesson_on(X, lesson.context, state, Divisor::sqrt).rows.entropy};
    std::vector<Proof> proofs;
    for (Rule const& rule : rules) {
        proofs.push_back(prove_law(rule, evidence));
    }
    return proofs;
}

std::vector<Proof> prove(LessonState const& state) {
    return prove(state, lesson(state));
}

} // namespace attention
