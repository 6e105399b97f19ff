// The laws of self-attention, checked on a lesson's own numbers: each proof runs, and passes or fails with a residual.
#pragma once

#include <cstddef>
#include <vector>

#include "lesson.hpp"
#include "tensor.hpp"

namespace attention {

/// laws.def says of each what it asks for.
enum class Law {
#define LAW(law, items, tolerance, claim) law,
#include "laws.def"
};

enum class Outcome {
#define OUTCOME(outcome) outcome,
#include "laws.def"
};

/// The enumerators' own names, such as "rows_sum_to_one".
char const* name_of(Law law);
char const* name_of(Outcome outcome);

/// What a law compares, item by item (an item is a row of the picture, or the one number of a law about the whole).
struct Proof {
    Law law{};
    Outcome outcome = Outcome::not_claimed;
    double residual = 0;          // the worst of `residuals`; NaN where something is not a number
    double tolerance = 0;         // the law holds where every residual is at most this
    std::vector<double> found;    // what the state gives
    std::vector<double> expected; // what the law asks for
    std::vector<double> residuals;
};

/// Runs every proof on a state. Some of them compute further lessons: with another last token, with other padding, with
/// the tokens in reverse, and with the divisor sqrt(d_k).
///
/// @throws ArgumentError  if the state has a problem
std::vector<Proof> prove(LessonState const& state);

/// The same on a lesson that is given: what does not follow from the state breaks the laws that it breaks.
///
/// @param lesson  of the state's shapes
/// @throws ArgumentError  if the state has a problem
std::vector<Proof> prove(LessonState const& state, Lesson const& lesson);

} // namespace attention
