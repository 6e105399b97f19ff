#include "lesson.hpp"

#include "proofs.hpp"
#include "testing.hpp"
#include "training.hpp"

using namespace attention;
using namespace testing;

namespace {

/// No two of its sizes are equal.
LessonState state_with_heads() {
    LessonState state;
    state.tokens = {"no", "two", "rows", "are", "alike"};
    state.d_model = 7;
    state.d_k = 3;
    state.d_v = 2;
    state.heads = 4;
    return state;
}

Matrix<double> columns(Matrix<double> const& matrix, std::size_t first, std::size_t count) {
    Matrix<double> some = make_matrix<double>(matrix.shape(0), count);
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t c = 0; c < count; ++c) {
            some(i, c) = matrix(i, first + c);
        }
    }
    return some;
}

} // namespace

TEST_CASE("a head of a layer is the lesson of that head, bit for bit") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        LessonState state = state_with_heads();
        state.mask = mask;
        Layer const all = layer(state);
        REQUIRE(all.pass.heads.size() == 4);
        for (state.head = 0; state.head < state.heads; ++state.head) {
            Lesson const one = lesson(state);
            HeadPass const& head = all.pass.heads[state.head];
            require_equal(head.Q, one.Q);
            require_equal(head.K, one.K);
            require_equal(head.V, one.V);
            require_equal(head.scores, one.scores);
            require_equal(head.scaled, one.scaled);
            require_equal(head.weights, one.weights);
            require_equal(columns(all.weights.W_q, 3 * state.head, 3), one.W_q);
            require_equal(columns(all.weights.W_k, 3 * state.head, 3), one.W_k);
            require_equal(columns(all.weights.W_v, 2 * state.head, 2), one.W_v);
            require_equal(columns(all.pass.output, 2 * state.head, 2), one.output);
        }
    }
}

TEST_CASE("with several heads the matrices and the output hold every head's columns side by side") {
    Layer const all = layer(state_with_heads());
    CHECK(all.weights.W_q.shape() == std::array<std::size_t, 2>{7, 12});
    CHECK(all.weights.W_k.shape() == std::array<std::size_t, 2>{7, 12});
    CHECK(all.weights.W_v.shape() == std::array<std::size_t, 2>{7, 8});
    CHECK(all.pass.output.shape() == std::array<std::size_t, 2>{5, 8});
    LessonState blending_embeddings = state_with_heads();
    blending_embeddings.blend = Blend::embeddings;
    CHECK(layer(blending_embeddings).pass.output.shape() == std::array<std::size_t, 2>{5, 28});
}

TEST_CASE("the first head is the lesson of one head, and no head moves when d_k grows or another head comes") {
    LessonState state = state_with_heads();
    LessonState alone = state;
    alone.heads = 1;
    require_equal(lesson(state).weights, lesson(alone).weights);
    LessonState wider = state;
    wider.d_k = 5;
    wider.heads = 5;
    for (state.head = 0; state.head < state.heads; ++state.head) {
        wider.head = state.head;
        require_equal(columns(lesson(wider).W_q, 0, 3), lesson(state).W_q);
    }
}

TEST_CASE("no two heads are alike") {
    Layer const all = layer(state_with_heads());
    for (std::size_t one = 0; one < 4; ++one) {
        for (std::size_t other = 0; other < one; ++other) {
            CHECK(all.pass.heads[one].weights(1, 2) != all.pass.heads[other].weights(1, 2));
        }
    }
}

TEST_CASE("every head is divided by the root of its own width, not of the layer's") {
    LessonState state = state_with_heads();
    CHECK(lesson(state).divisor == std::sqrt(3.0));
    state.d_k = 16;
    state.d_v = 16;
    state.d_model = 64;
    for (state.head = 0; state.head < state.heads; ++state.head) {
        Lesson const one = lesson(state);
        CHECK(one.divisor == 4);
        CHECK(one.expected_spread == 1.0);
        CHECK(one.spread > 0.5);
        CHECK(one.spread < 2);
    }
}

TEST_CASE("the average of the heads is their mean, and its rows sum to 1") {
    Layer const all = layer(state_with_heads());
    for (std::size_t i = 0; i < 5; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 5; ++j) {
            double mean = 0;
            for (HeadPass const& head : all.pass.heads) {
                mean += head.weights(i, j) / 4;
            }
            CHECK(is_close(all.average(i, j), mean, 1e-15, 0));
            sum += all.average(i, j);
        }
        CHECK(is_close(sum, 1, 1e-14, 0));
    }
}

TEST_CASE("the laws are proven of the head that the lesson shows") {
    LessonState state = state_with_heads();
    std::vector<Proof> const first = prove(state);
    state.head = 2;
    std::vector<Proof> const third = prove(state);
    bool differ = false;
    for (std::size_t law = 0; law < first.size(); ++law) {
        differ = differ || first[law].residual != third[law].residual;
    }
    CHECK(differ);
}

TEST_CASE("a layer of several heads trains all of them") {
    LessonState state = state_with_heads();
    TrainingOptions options;
    options.steps = 1;
    ProjectionWeights const start = layer(state).weights;
    Training const training = train(state, options);
    CHECK(training.trained.W_q.shape() == start.W_q.shape());
    for (std::size_t head = 0; head < 4; ++head) {
        CHECK(training.trained.W_q(0, 3 * head) != start.W_q(0, 3 * head));
        CHECK(training.trained.W_k(6, 3 * head + 2) != start.W_k(6, 3 * head + 2));
    }
    state.head = 3;
    CHECK(train(state, options).points.front().loss == training.points.front().loss);
    CHECK(train(state, options).weights(1, 0) != training.weights(1, 0));
}

TEST_CASE("what cannot have several heads says so") {
    LessonState state = state_with_heads();
    state.heads = 0;
    CHECK(sentence_of(find_problem(state)) == "heads is 0, but must be a whole number from 1 to 8");
    state.heads = 9;
    CHECK(sentence_of(find_problem(state)) == "heads is 9, but must be a whole number from 1 to 8");
    state.heads = 2;
    state.head = 2;
    CHECK(sentence_of(find_problem(state)) == "head is 2, but must be a whole number from 0 to 1");
    state.head = 0;
    state.projections = ProjectionMode::identity;
    state.d_k = state.d_v = state.d_model;
    CHECK(sentence_of(find_problem(state)) == "heads is 2, but attention without projections has 1");
    LessonState four = four_token_state();
    four.heads = 2;
    CHECK(sentence_of(find_problem(four)) == "heads is 2, but the preset four-token has 1");
}
