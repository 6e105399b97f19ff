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
    requirements.require(key_count(first) == key_count(second), "context", {"gives ", key_count(second), " keys"},
                         {"the state to compare with has ", key_count(first)});
    return requirements.first_problem();
}

Comparison compare(LessonState const& first, LessonState const& second) {
    throw_if_problem([&] { return find_problem(first, second); });
    std::size_t const n = first.tokens.size();
    std::size_t const n_key = key_count(first);
    Comparison comparison{lesson(first).weights, lesson(second).weights, make_matrix<double>(n, n_key), 0};
    double const* const before = comparison.first.data();
    double const* const after = comparison.second.data();
    std::size_t const count = n * n_key;
    for (std::size_t i = 0; i < count; ++i) {
        comparison.difference.data()[i] = after[i] - before[i];
    }
    comparison.largest = largest_difference(after, before, count);
    return comparison;
}

JacobianComparison compare_jacobians(LessonState const& state) {
    throw_if_problem([&] { return find_problem(state); });
    Matrix<double> const X = embeddings_for(state);
    Lesson const scaled = lesson_on(X, state, Divisor::sqrt);
    Lesson const unscaled = lesson_on(X, state, Divisor::none);
    Visibility const softmax_sees = sight_of(layer_settings(state), state.tokens.size(), key_count(state)).softmax_sees;
    auto const jacobian_of = [&](Lesson const& lesson) {
        return softmax_jacobian(softmax_rows(lesson, lesson.visible, softmax_sees, layer_settings(state)), state.row);
    };
    auto const norm_of = [&](Lesson const& lesson) { return lesson.rows.jacobian.data()[state.row]; };
    Lesson const third = state.divisor == Divisor::dk ? lesson_on(X, state, Divisor::dk) : Lesson{};
    Lesson const& own = state.divisor == Divisor::sqrt ? scaled : state.divisor == Divisor::none ? unscaled : third;
    return {jacobian_of(scaled), jacobian_of(unscaled), jacobian_of(own),
            norm_of(scaled),     norm_of(unscaled),     norm_of(own)};
}

} // namespace attention
