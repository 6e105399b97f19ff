// The sliding window: which keys it leaves to a query, and what is said of them.
#include "layer_pass.hpp"
#include "lesson_states.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState through_window(std::size_t window) {
    LessonState state = five_words(3, 2);
    state.mask = LessonMask::window;
    state.window = window;
    return state;
}

} // namespace

TEST_CASE("a query sees the last keys up to its own, as many as the window has") {
    require_equal(lesson(through_window(2)).visible,
                  Visibility{{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {0, 1, 1, 0, 0}, {0, 0, 1, 1, 0}, {0, 0, 0, 1, 1}});
    require_equal(lesson(through_window(1)).weights,
                  Matrix<double>{{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}});
    LessonState causal = through_window(3);
    causal.mask = LessonMask::causal;
    for (std::size_t const window : {std::size_t(5), maximum_tokens}) {
        require_equal(lesson(through_window(window)).weights, lesson(causal).weights);
    }
}

TEST_CASE("the window's width counts for the mask of that name alone") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::late}) {
        LessonState narrow = through_window(1);
        LessonState wide = through_window(4);
        narrow.mask = wide.mask = mask;
        require_equal(lesson(narrow).weights, lesson(wide).weights);
    }
}

TEST_CASE("some queries see through a window what they see of the whole") {
    LayerSettings settings;
    settings.mask = LessonMask::window;
    settings.window = 3;
    Visibility const whole = sight_of(settings, 7, 7).visible;
    Visibility const rows = sight_of(settings, 2, 7, 4).visible;
    Visibility const columns = sight_of(settings, 7, 3, -2).visible;
    for (std::size_t j = 0; j < 7; ++j) {
        CHECK(rows(0, j) == whole(4, j));
        CHECK(rows(1, j) == whole(5, j));
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(columns(j, k) == whole(j, k + 2));
        }
    }
}

TEST_CASE("a lesson with a window keeps the laws of a causal one, and that of its window") {
    for (std::size_t const window : {1u, 2u, 3u, 5u}) {
        CAPTURE(window);
        for (Proof const& proof : prove(through_window(window))) {
            INFO(name_of(proof.law));
            bool const is_claimed = proof.law != Law::order_does_not_count && proof.law != Law::padding_is_hidden &&
                                    proof.law != Law::padding_does_not_count;
            CHECK((proof.outcome != Outcome::not_claimed) == is_claimed);
            if (proof.law == Law::future_is_hidden || proof.law == Law::past_is_untouched ||
                proof.law == Law::window_is_kept) {
                CHECK(proof.outcome == Outcome::holds);
                CHECK(proof.residual == 0);
            }
        }
    }
}

TEST_CASE("the law of the window finds a weight before it, and no other") {
    LessonState const state = through_window(2);
    Lesson wrong = lesson(state);
    wrong.weights(4, 2) = 0.25;
    wrong.weights(1, 3) = 0.5; // of the future, which another law is about
    Proof const proof = prove(state, wrong).at(static_cast<std::size_t>(Law::window_is_kept));
    CHECK(proof.outcome == Outcome::fails);
    CHECK(proof.found == std::vector<double>{0, 0, 0, 0, 0.25});
    CHECK(proof.residual == 0.25);
}

TEST_CASE("a window has a key at least") {
    std::string const expected = "window is 0, but must be a whole number from 1 to 2048";
    CHECK(sentence_of(find_problem(through_window(0))) == expected);
    CHECK(sentence_of(find_problem(through_window(maximum_tokens))) == "");
    LayerSettings settings;
    settings.window = 0;
    CHECK(thrown_by([&] {
              layer_pass(scattered(3, 2, 1), {scattered(2, 2, 2), scattered(2, 2, 3), scattered(2, 2, 4)}, settings);
          }) == "window is 0, but a query must see its own key");
}
