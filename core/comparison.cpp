#include "comparison.hpp"

#include <cmath>

namespace attention {

Problem find_problem(LessonState const& first, LessonState const& second) {
    if (Problem problem = find_problem(first)) {
        return problem;
    }
    if (Problem problem = find_problem(second)) {
        return problem;
    }
    Requirements requirements;
    requirements.require(first.tokens.size() == second.tokens.size(), "tokens",
                         {"holds ", second.tokens.size(), " tokens"},
                         {"the state to compare with has ", first.tokens.size()});
    return requirements.first_problem();
}

Comparison compare(LessonState const& first, LessonState const& second) {
    require_none([&] { return find_problem(first, second); });
    Comparison comparison;
    comparison.first = lesson(first).weights;
    comparison.second = lesson(second).weights;
    comparison.difference = comparison.second;
    for (std::size_t i = 0; i < comparison.first.shape(0); ++i) {
        double* const difference = row_of(comparison.difference, i);
        double const* const before = row_of(comparison.first, i);
        for (std::size_t j = 0; j < comparison.first.shape(1); ++j) {
            difference[j] -= before[j];
            double const size = std::fabs(difference[j]);
            // Written so that NaN stays once it is there.
            comparison.largest =
                size <= comparison.largest || std::isnan(comparison.largest) ? comparison.largest : size;
        }
    }
    return comparison;
}

JacobianComparison compare_jacobians(LessonState const& state) {
    LessonState scaled_state = state;
    scaled_state.divisor = Divisor::sqrt;
    LessonState unscaled_state = state;
    unscaled_state.divisor = Divisor::none;
    Lesson const scaled = lesson(scaled_state);
    Lesson const unscaled = lesson(unscaled_state);
    return {softmax_jacobian(scaled.weights, state.row), softmax_jacobian(unscaled.weights, state.row),
            scaled.rows.jacobian(state.row), unscaled.rows.jacobian(state.row)};
}

} // namespace attention
