// The settings of a lesson: what is refused, by which name, and how modes are read. Covers settings.def and lesson.cpp.
#include "lesson.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

TEST_CASE("a state that cannot be used is refused by the name of its field") {
    LessonState state;
    // Looked for or thrown, it is the same sentence.
    auto const sentence_for = [](LessonState const& wrong) {
        std::string const sentence = sentence_of(find_problem(wrong));
        CHECK(thrown_by([&] { lesson(wrong); }) == sentence);
        CHECK(thrown_by([&] { lesson_on(make_matrix<double>(6, 16), wrong); }) == sentence);
        return sentence;
    };
    CHECK(sentence_for(state) == "");

    state.tokens.clear();
    CHECK(sentence_for(state) == "tokens is empty, but must hold at least one token");
    state.tokens.assign(2049, "x");
    CHECK(sentence_for(state) == "tokens holds 2049 tokens, but must hold at most 2048");
    state.tokens.assign(1025, "x");
    state.heads = 4;
    CHECK(sentence_for(state) == "heads is 4, but with 1025 tokens must be at most 3");
    state = LessonState();

    for (std::size_t const width : {std::size_t(0), std::size_t(513)}) {
        std::string const is_wrong = " is " + std::to_string(width) + ", but must be a whole number from 1 to 512";
        state = {};
        state.d_model = width;
        CHECK(sentence_for(state) == "d_model" + is_wrong);
        state = {};
        state.d_k = width;
        CHECK(sentence_for(state) == "d_k" + is_wrong);
        state = {};
        state.d_v = width;
        CHECK(sentence_for(state) == "d_v" + is_wrong);
    }

    state = {};
    state.row = 6;
    CHECK(sentence_for(state) == "row is 6, but must be a whole number from 0 to 5");
    state.tokens = {"one"};
    state.row = 1;
    CHECK(sentence_for(state) == "row is 1, but must be a whole number from 0 to 0");

    state = {};
    state.projections = ProjectionMode::shared;
    state.d_v = 5;
    CHECK(sentence_for(state) == "d_v is 5, but one shared matrix needs it to equal d_k = 16");

    state = {};
    state.projections = ProjectionMode::identity;
    state.d_k = 5;
    CHECK(sentence_for(state) == "d_k is 5, but attention without projections needs it to equal d_model = 16");
    state.d_k = 16;
    state.d_v = 7;
    CHECK(sentence_for(state) == "d_v is 7, but attention without projections needs it to equal d_model = 16");

    state = four_token_state();
    state.tokens.push_back("five");
    CHECK(sentence_for(state) == "tokens holds 5 tokens, but the preset four-token has exactly 4");
    state = four_token_state();
    state.d_model = 3;
    CHECK(sentence_for(state) == "d_model is 3, but the preset four-token has 2");
    state = four_token_state();
    state.d_k = 1;
    CHECK(sentence_for(state) == "d_k is 1, but the preset four-token has 2");
    state = four_token_state();
    state.d_v = 16;
    CHECK(sentence_for(state) == "d_v is 16, but the preset four-token has 2");
}

TEST_CASE("the limits themselves are allowed") {
    LessonState state;
    state.tokens = {"a", "b"};
    state.d_model = state.d_k = state.d_v = 1;
    CHECK(shape_text(lesson(state).output) == "(2, 1)");
    state.d_model = state.d_k = state.d_v = maximum_width;
    CHECK(shape_text(lesson(state).output) == "(2, 512)");
}

TEST_CASE("every mode is read from its name") {
    CHECK(parse_preset("sentence") == Preset::sentence);
    CHECK(parse_preset("four-token") == Preset::four_token);
    CHECK(parse_divisor("sqrt") == Divisor::sqrt);
    CHECK(parse_divisor("none") == Divisor::none);
    CHECK(parse_divisor("dk") == Divisor::dk);
    CHECK(parse_mask("none") == LessonMask::none);
    CHECK(parse_mask("causal") == LessonMask::causal);
    CHECK(parse_mask("window") == LessonMask::window);
    CHECK(parse_mask("late") == LessonMask::late);
    CHECK(parse_projections("separate") == ProjectionMode::separate);
    CHECK(parse_projections("shared") == ProjectionMode::shared);
    CHECK(parse_projections("identity") == ProjectionMode::identity);
    CHECK(parse_softmax_axis("keys") == SoftmaxAxis::keys);
    CHECK(parse_softmax_axis("queries") == SoftmaxAxis::queries);
    CHECK(parse_softmax("stable") == SoftmaxForm::stable);
    CHECK(parse_softmax("naive") == SoftmaxForm::naive);
    CHECK(parse_blend("values") == Blend::values);
    CHECK(parse_blend("embeddings") == Blend::embeddings);
}

TEST_CASE("any other name is refused with those that there are") {
    CHECK_THROWS_WITH(parse_preset("four"), "preset is \"four\", but must be sentence or four-token");
    CHECK_THROWS_WITH(parse_divisor("Sqrt"), "divisor is \"Sqrt\", but must be sqrt, none or dk");
    CHECK_THROWS_WITH(parse_mask(""), "mask is \"\", but must be none, causal, window or late");
    CHECK_THROWS_WITH(parse_projections("tied"), "projections is \"tied\", but must be separate, shared or identity");
    CHECK_THROWS_WITH(parse_softmax_axis("rows"), "softmax_axis is \"rows\", but must be keys or queries");
    CHECK_THROWS_WITH(parse_softmax("stable "), "softmax is \"stable \", but must be stable or naive");
    CHECK_THROWS_WITH(parse_blend("value"), "blend is \"value\", but must be values or embeddings");
}
