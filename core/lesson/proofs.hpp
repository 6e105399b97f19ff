// The laws of self-attention, checked on a lesson's own numbers: each proof runs, and passes or fails with a residual.
#pragma once

#include <cstddef>
#include <vector>

#include "lesson.hpp"
#include "tensor.hpp"

namespace attention {

enum class Law {
    weights_are_finite,   // no exponential overflowed
    rows_sum_to_one,      // each query's weights are a distribution over the keys
    future_is_hidden,     // in a causal lesson, weights on later keys are exactly 0
    past_is_untouched,    // in a causal lesson, changing the last token changes no earlier output, bit for bit
    order_does_not_count, // without a mask, reversing the tokens reverses the outputs
    output_has_shape,     // the output is (T, d_v)
    values_are_blended,   // the output is A V
    roles_differ,         // q_i . k_j and q_j . k_i are different questions: S is not symmetric
    something_can_learn,  // there are parameters
    spread_is_kept,       // the scores that the softmax sees have a spread within a factor of 2 of 1
    entropy_is_kept,      // no row is less even than division by sqrt(d_k) would leave it
    gradient_is_alive,    // the softmax Jacobian of every row that has a choice is at least `gradient_dead_below`
};

enum class Outcome {
    holds,
    fails,
    not_claimed, // the state does not claim this law: no mask hides the future, say; the residual is still measured
};

/// The enumerators' own names, such as "rows_sum_to_one".
char const* name_of(Law law);
char const* name_of(Outcome outcome);

/// What a law compares, item by item (an item is a row of the picture, or the one number of a law about the whole).
struct Proof {
    Law law = Law::weights_are_finite;
    Outcome outcome = Outcome::not_claimed;
    double residual = 0;          // the worst of `residuals`; NaN where something is not a number
    double tolerance = 0;         // the law holds where every residual is at most this
    std::vector<double> found;    // what the state gives
    std::vector<double> expected; // what the law asks for
    std::vector<double> residuals;
};

/// Runs every proof on a state. Three of them compute further lessons: with another last token, with the tokens in
/// reverse, and with the divisor sqrt(d_k).
///
/// @throws ArgumentError  if the state has a problem
std::vector<Proof> prove(LessonState const& state);

/// The same on a lesson that is given: what does not follow from the state breaks the laws that it breaks.
///
/// @param lesson  of the state's shapes
/// @throws ArgumentError  if the state has a problem
std::vector<Proof> prove(LessonState const& state, Lesson const& lesson);

} // namespace attention
