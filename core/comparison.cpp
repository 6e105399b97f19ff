#include "comparison.hpp"

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
    double const* const before = comparison.first.data();
    double const* const after = comparison.second.data();
    std::size_t const count = comparison.first.size();
    for (std::size_t i = 0; i < count; ++i) {
        comparison.difference.data()[i] = after[i] - before[i];
    }
    comparison.largest = largest_difference(after, before, count);
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
