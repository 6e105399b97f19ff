#include "lesson.hpp"

#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState state_with(LessonMask mask, SoftmaxAxis axis, SoftmaxForm form) {
    LessonState state;
    state.tokens = {"no", "two", "of", "these", "are", "alike", "at all"};
    state.d_model = 5;
    state.d_k = 3;
    state.d_v = 2;
    state.mask = mask;
    state.softmax_axis = axis;
    state.softmax = form;
    if (form == SoftmaxForm::naive) {
        // Scores so large that the naive form overflows, in some rows or columns, whatever the mask.
        state.seed = 2958;
        state.d_k = 64;
        state.divisor = Divisor::none;
    }
    return state;
}

template <class M> M rows_from(M const& matrix, std::size_t first, std::size_t count) {
    M some = M::from_shape({count, matrix.shape(1)});
    std::copy_n(row_of(matrix, first), some.size(), some.data());
    return some;
}

/// What a lesson computes of some of its queries; what comes before them is given by `before`.
LessonRows part_of(Lesson const& whole, LessonState const& state, std::size_t first, std::size_t count,
                   LessonRows const& before) {
    LessonRows part;
    part.Q = rows_from(whole.Q, first, count);
    part.K = whole.K;
    part.spread_so_far = before.spread_so_far;
    if (state.softmax_axis == SoftmaxAxis::queries) {
        part.softmax.reference = whole.softmax.reference;
        part.softmax.total = whole.softmax.total;
    }
    complete_rows(part, whole.V, static_cast<std::ptrdiff_t>(first), state, whole.divisor);
    return part;
}

} // namespace

TEST_CASE("a lesson in parts is the whole, bit for bit") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
            for (SoftmaxForm const form : {SoftmaxForm::stable, SoftmaxForm::naive}) {
                LessonState state = state_with(mask, axis, form);
                state.dropout = mask == LessonMask::late ? 0 : 0.3;
                Lesson const whole = lesson(state);
                REQUIRE(all_finite(whole.weights) == (form == SoftmaxForm::stable));
                LessonRows part;
                for (std::size_t first = 0; first < 7; first += 3) {
                    std::size_t const count = first == 6 ? 1 : 3;
                    part = part_of(whole, state, first, count, part);
                    require_equal(part.scores, rows_from(whole.scores, first, count));
                    require_equal(part.scaled, rows_from(whole.scaled, first, count));
                    require_equal(part.masked, rows_from(whole.masked, first, count));
                    require_close_around_nan(part.weights, rows_from(whole.weights, first, count), 0, 0);
                    require_close_around_nan(part.output, rows_from(whole.output, first, count), 0, 0);
                    CHECK((part.visible == rows_from(whole.visible, first, count)));
                    require_close_around_nan(Vector<double>{part.rows.jacobian(count - 1)},
                                             Vector<double>{whole.rows.jacobian(first + count - 1)}, 0, 0);
                    CHECK(part.rows.state[count - 1] == whole.rows.state[first + count - 1]);
                    CHECK(part.rows.gradient[count - 1] == whole.rows.gradient[first + count - 1]);
                }
                CHECK(part.spread_so_far.deviation() == whole.spread);
            }
        }
    }
}

TEST_CASE("the columns of a softmax along the queries are computed of some keys at a time") {
    LessonState const state = state_with(LessonMask::causal, SoftmaxAxis::queries, SoftmaxForm::stable);
    Lesson const whole = lesson(state);
    LessonRows part;
    part.Q = whole.Q;
    part.K = rows_from(whole.K, 2, 4);
    complete_rows(part, rows_from(whole.V, 2, 4), -2, state, whole.divisor);
    for (std::size_t j = 0; j < 4; ++j) {
        CHECK(part.softmax.reference(j) == whole.softmax.reference(j + 2));
        CHECK(part.softmax.total(j) == whole.softmax.total(j + 2));
    }
}

TEST_CASE("the spread of scores is the same however they are parted, and does not cancel far from zero") {
    Matrix<double> scores = {{1e8 + 1, 1e8 + 2, 1e8 + 9}, {1e8 - 4, 1e8, 1e8 + 3}, {1e8 + 7, 1e8 + 1, 1e8 - 5}};
    Visibility const visible = {{1, 1, 0}, {1, 1, 1}, {1, 0, 1}};
    // 1, 2, -4, 0, 3, 7, -5 have mean 4/7 and squares 104.
    double const expected = std::sqrt(104.0 / 7 - 16.0 / 49);
    CHECK(is_close(score_spread(scores, visible), expected, 0, 1e-7));
    ScoreSpread spread = add_rows({}, rows_from(scores, 0, 1), rows_from(visible, 0, 1));
    spread = add_rows(spread, rows_from(scores, 1, 2), rows_from(visible, 1, 2));
    CHECK(spread.deviation() == score_spread(scores, visible));
    CHECK(spread.scores == 7);
    CHECK(ScoreSpread{}.deviation() == 0);
}
