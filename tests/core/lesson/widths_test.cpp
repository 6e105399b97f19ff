#include "widths.hpp"

#include "lesson_states.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

// Where a divisor's spread stands in a row, before its peak.
constexpr std::size_t divided = 1;
constexpr std::size_t undivided = 3;

/// Equal to the last bit, so that NaN equals NaN and nothing else does.
bool is_same(double found, double expected) {
    return std::isnan(expected) ? std::isnan(found) : found == expected;
}

LessonState at_width(LessonState state, std::size_t d_k, Divisor divisor) {
    state.d_k = state.d_v = d_k;
    if (state.projections == ProjectionMode::identity) {
        state.d_model = d_k;
    }
    state.divisor = divisor;
    return state;
}

/// Where the figures are other than those of the lesson at that width; empty where they are the same at every width.
std::string first_difference(LessonState const& state) {
    Matrix<double> const found = widths(state);
    if (shape_text(found) != "(63, 5)") {
        return "the shape is " + shape_text(found);
    }
    for (std::size_t index = 0; index < 63; ++index) {
        std::size_t const d_k = index + 2;
        if (found(index, 0) != static_cast<double>(d_k)) {
            return "d_k at " + std::to_string(d_k);
        }
        for (std::size_t const column : {divided, undivided}) {
            Lesson const expected = lesson(at_width(state, d_k, column == divided ? Divisor::sqrt : Divisor::none));
            std::string const place = " at " + std::to_string(d_k) + (column == divided ? ", divided" : "");
            if (!is_same(found(index, column), expected.spread)) {
                return "spread" + place;
            }
            if (!is_same(found(index, column + 1), expected.rows.peak(state.row))) {
                return "peak" + place;
            }
        }
    }
    return "";
}

/// Sizes of which no two are alike, and a row that a mistaken order of axes would miss.
LessonState asymmetric() {
    LessonState state = five_words(7, 7);
    state.row = 3;
    return state;
}

LessonState across() {
    LessonState state = asymmetric();
    state.context = {"other", "words", "and", "some", "more", "of", "them"};
    return state;
}

} // namespace

TEST_CASE("at every width from 2 to 64 spread and peak are those of the lesson, whatever row is highlighted") {
    CHECK(first_difference(LessonState()) == "");
    LessonState state = asymmetric();
    for (state.row = 0; state.row < 5; ++state.row) {
        CAPTURE(state.row);
        CHECK(first_difference(state) == "");
    }
}

TEST_CASE("the figures of all widths are the lessons' in every mode") {
    std::vector<LessonState> states;
    for (LessonState const& start : {asymmetric(), across()}) {
        for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
            for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
                LessonState state = start;
                state.mask = mask;
                state.softmax_axis = axis;
                state.window = 2;
                state.padding = 1;
                state.dropout = 0.3;
                state.heads = 3;
                state.head = 2;
                states.push_back(state);
                state.dropout = 0;
                state.padding = 0;
                state.softmax = SoftmaxForm::naive;
                state.projections = ProjectionMode::shared;
                states.push_back(state);
                state.heads = 1;
                state.head = 0;
                state.d_k = state.d_v = state.d_model;
                state.projections = ProjectionMode::identity;
                states.push_back(state);
            }
        }
    }
    for (std::size_t index = 0; index < states.size(); ++index) {
        CAPTURE(index);
        CHECK(first_difference(states[index]) == "");
    }
}

TEST_CASE("the peak of a row whose naive softmax overflows is not a number, at the widths where it does") {
    LessonState state;
    state.softmax = SoftmaxForm::naive;
    state.row = 4;
    Matrix<double> const found = widths(state);
    CHECK(std::isfinite(found(0, undivided + 1)));
    CHECK(std::isnan(found(62, undivided + 1)));
    CHECK(std::isfinite(found(62, undivided)));
    CHECK(std::isfinite(found(62, divided + 1)));
    CHECK(first_difference(state) == "");
}

TEST_CASE("neither the state's own width nor its divisor, d_v or blend moves the figures") {
    LessonState state;
    state.d_k = 200;
    state.d_v = 3;
    state.divisor = Divisor::dk;
    state.blend = Blend::embeddings;
    require_equal(widths(state), widths(LessonState()));
}

TEST_CASE("one token has a spread of 0 and a peak of 1 at every width") {
    LessonState state;
    state.tokens = {"alone"};
    state.row = 0;
    Matrix<double> const found = widths(state);
    for (std::size_t index = 0; index < 63; ++index) {
        CHECK(found(index, undivided) == 0);
        CHECK(found(index, undivided + 1) == 1);
    }
}

TEST_CASE("the four-token preset has one width, so there is nothing to show along d_k") {
    CHECK(shape_text(widths(four_token_state())) == "(0, 5)");
}

TEST_CASE("a state with a problem has no widths, and the problem is said") {
    LessonState state;
    state.row = 6;
    CHECK(thrown_by([&] { widths(state); }) == "row is 6, but must be a whole number from 0 to 5");
    state = LessonState();
    state.d_k = 513;
    CHECK(thrown_by([&] { widths(state); }) == "d_k is 513, but must be a whole number from 1 to 512");
}
