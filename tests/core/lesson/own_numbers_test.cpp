// Lessons on embeddings and weights of one's own: every stage comes from them, and what is only true of seeds is not
// said.
#include <cmath>

#include "gradient.hpp"
#include "lesson_states.hpp"
#include "testing.hpp"
#include "training.hpp"
#include "widths.hpp"

using namespace attention;
using namespace testing;

namespace {

/// A state whose seeded numbers are given as its own.
LessonState with_own_numbers(LessonState state) {
    Layer const seeded = layer(state);
    state.X = seeded.X;
    state.W_q = seeded.weights.W_q;
    state.W_k = seeded.weights.W_k;
    state.W_v = seeded.weights.W_v;
    return state;
}

/// Three tokens of width 2, no two sizes alike but for these: d_k = 4, d_v = 1.
LessonState three_words() {
    LessonState state(std::vector<std::string>{"a", "b", "c"});
    state.d_model = 2;
    state.d_k = 4;
    state.d_v = 1;
    state.X = {{0.5, -2}, {1.25, 3}, {-0.75, 0.125}};
    state.W_q = {{1, -0.5, 0, 2}, {0.25, 1, -1, 0.5}};
    state.W_k = {{-1, 0.75, 2, 0}, {0.5, 0, 1, -0.25}};
    state.W_v = {{2}, {-3}};
    return state;
}

/// softmax(X W_q (X W_k)^T / 2) X W_v, sum by sum.
Matrix<double> expected_output(LessonState const& state) {
    auto const entry = [](Matrix<double> const& left, std::size_t i, Matrix<double> const& right, std::size_t c) {
        return left(i, 0) * right(0, c) + left(i, 1) * right(1, c);
    };
    Matrix<double> output = make_matrix<double>(3, 1);
    for (std::size_t i = 0; i < 3; ++i) {
        double total = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            double score = 0;
            for (std::size_t c = 0; c < 4; ++c) {
                score += entry(state.X, i, state.W_q, c) * entry(state.X, j, state.W_k, c);
            }
            double const exponential = std::exp(score / 2);
            total += exponential;
            output(i, 0) += exponential * entry(state.X, j, state.W_v, 0);
        }
        output(i, 0) /= total;
    }
    return output;
}

} // namespace

TEST_CASE("Q, K and V at once are the lesson's own to the bit, head by head") {
    Matrix<double> const Q{{0.1, -2, 3, 0.25}, {1.0 / 3, 0, 1e-300, -0.5}, {7, 1, -1, 2}};
    Matrix<double> const K{{1, 2, -3, 4}, {0.7, 0.2, 0.1, -1e200}, {-1, 0, 5, 1e-9}};
    Matrix<double> const V{{10, 0.1}, {20, 0.2}, {-30, 0.3}};
    LessonState state(std::vector<std::string>{"a", "b", "c"});
    state.heads = 2;
    state.b_q = {{1, 2, 3, 4}};
    set_projections(state, Q, K, V);
    CHECK((state.d_model == 10 && state.d_k == 2 && state.d_v == 1));
    Layer const whole = layer(state);
    Projections const made = project(whole.X, whole.weights);
    CHECK(made.Q == Q);
    CHECK(made.K == K);
    CHECK(made.V == V);
}

TEST_CASE("Q, K and V that cannot be one layer's are refused by name") {
    LessonState state;
    Matrix<double> const Q{{1, 2}, {3, 4}};
    Matrix<double> const V{{1}, {2}};
    CHECK_THROWS_WITH(set_projections(state, {}, Q, V), "Q is empty, but Q, K and V are given together");
    CHECK_THROWS_WITH(set_projections(state, Q, {}, V), "K is empty, but Q, K and V are given together");
    CHECK_THROWS_WITH(set_projections(state, Q, V, V), "K has 1 columns, but must have as many as Q, 2");
    CHECK_THROWS_WITH(set_projections(state, Q, Q, {{1}}), "V has 1 rows, but must have as many as Q, 2");
}

TEST_CASE("one changed weight of the four tokens gives scores that can be checked by hand") {
    LessonState state = four_token_state();
    state.mask = LessonMask::none;
    state.W_q = {{3, 1}, {0, 1}}; // W_q is ((1, 1), (0, 1))
    Lesson const found = lesson(state);
    require_equal(found.Q, Matrix<double>{{3, 1}, {0, 1}, {3, 2}, {3, 0}});
    require_equal(found.K, lesson(four_token_state()).K);
    require_equal(found.scores, Matrix<double>{{3, 4, 7, -1}, {0, 1, 1, -1}, {3, 5, 8, -2}, {3, 3, 6, 0}});
}

TEST_CASE("the output of own embeddings and weights is what the formula says, sum by sum") {
    LessonState const state = three_words();
    require_close(lesson(state).output, expected_output(state), 1e-14, 1e-14);
    require_equal(layer(state).weights.W_q, state.W_q);
}

TEST_CASE("seeded numbers given as one's own are the same lesson to the last bit, in every mode") {
    LessonState plain = five_words(3, 2);
    LessonState heads = five_words(3, 3);
    heads.heads = 3;
    heads.head = 2;
    heads.mask = LessonMask::causal;
    LessonState shared = five_words(3, 3);
    shared.projections = ProjectionMode::shared;
    shared.dropout = 0.4;
    LessonState identity = five_words(4, 4);
    identity.projections = ProjectionMode::identity;
    LessonState context = five_words(3, 2);
    context.context = {"le", "chat"};
    context.blend = Blend::embeddings;
    for (LessonState const& state : {plain, heads, shared, identity, context, four_token_state()}) {
        LessonState const own = with_own_numbers(state);
        require_equal(lesson(own).weights, lesson(state).weights);
        require_equal(lesson(own).output, lesson(state).output);
        require_equal(layer(own).pass.output, layer(state).pass.output);
    }
    LessonState trained = with_own_numbers(plain);
    TrainingOptions options;
    options.steps = 5;
    require_equal(train(trained, options).trained.W_q, train(plain, options).trained.W_q);
}

TEST_CASE("an edited entry is a matrix given with that entry, in seeded matrices as in given ones and in every head") {
    LessonState given = with_own_numbers(five_words(3, 2));
    given.W_q(1, 2) = 0.75;
    given.X(4, 3) = -8;
    LessonState edited = five_words(3, 2);
    edited.edits = {{OwnMatrix::W_q, 0, 1, 2, 9}, {OwnMatrix::X, 0, 4, 3, -8}, {OwnMatrix::W_q, 0, 1, 2, 0.75}};
    require_equal(layer(edited).weights.W_q, given.W_q);
    require_equal(lesson(edited).output, lesson(given).output);
    LessonState heads = five_words(3, 3);
    heads.heads = 2;
    heads.edits = {{OwnMatrix::W_v, 1, 0, 2, 5.5}};
    Matrix<double> const edited_heads = layer(heads).weights.W_v;
    heads.edits.clear();
    Matrix<double> expected = layer(heads).weights.W_v;
    expected(0, 5) = 5.5; // the third of head 1
    require_equal(edited_heads, expected);
    LessonState onto_given = three_words();
    onto_given.edits = {{OwnMatrix::W_k, 0, 1, 3, 6}};
    CHECK(layer(onto_given).weights.W_k(1, 3) == 6);
    CHECK(layer(onto_given).weights.W_k(1, 2) == 1);
}

TEST_CASE("an edit keeps its place in its head as d_k grows") {
    for (std::size_t const d_k : {std::size_t{3}, std::size_t{5}}) {
        LessonState state = five_words(d_k, d_k);
        state.heads = 2;
        state.edits = {{OwnMatrix::W_k, 1, 2, 1, -7}};
        CHECK(layer(state).weights.W_k(2, d_k + 1) == -7);
    }
}

TEST_CASE("edits of places that a matrix has not are refused by matrix, place and shape") {
    LessonState state = three_words();
    auto const told = [&](MatrixEdit const& edit) {
        state.edits = {{OwnMatrix::W_q, 0, 0, 0, 1}, edit};
        return thrown_by([&] { lesson(state); });
    };
    CHECK(told({OwnMatrix::W_q, 0, 2, 1, 1}) == "edits change W_q at (2, 1), but W_q has shape (2, 4)");
    CHECK(told({OwnMatrix::X, 0, 1, 2, 1}) == "edits change X at (1, 2), but X has shape (3, 2)");
    CHECK(told({OwnMatrix::W_v, 1, 0, 0, 1}) == "edits change W_v of head 1, but W_v has 1 of them");
    CHECK(told({OwnMatrix::W_k, 0, 1, 3, not_a_number}) ==
          "edits change W_k at (1, 3) to NaN, but must be finite numbers");
}

TEST_CASE("each head of own weights has its own columns") {
    LessonState state = three_words();
    state.heads = 2;
    state.d_k = 2;
    state.head = 1;
    state.d_v = 1;
    state.W_v = {{2, 7}, {-3, 5}};
    Lesson const found = lesson(state);
    require_equal(found.W_q, Matrix<double>{{0, 2}, {-1, 0.5}});
    require_equal(found.W_k, Matrix<double>{{2, 0}, {1, -0.25}});
    require_equal(found.W_v, Matrix<double>{{7}, {5}});
}

TEST_CASE("the matrices that are not given are seeded, and a shared W_q is all three") {
    LessonState state = five_words(3, 3);
    Lesson const seeded = lesson(state);
    state.W_q = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    Lesson found = lesson(state);
    require_equal(found.X, seeded.X);
    require_equal(found.W_k, seeded.W_k);
    require_equal(found.W_v, seeded.W_v);
    state.projections = ProjectionMode::shared;
    found = lesson(state);
    require_equal(found.W_k, state.W_q);
    require_equal(found.W_v, state.W_q);
}

TEST_CASE("no theory and no curve along d_k is told of own embeddings, queries or keys, and values move neither") {
    for (Matrix<double> LessonState::*const own : {&LessonState::X, &LessonState::W_q, &LessonState::W_k}) {
        LessonState state = five_words(3, 2);
        state.*own = with_own_numbers(state).*own;
        CHECK(!lesson(state).expected_spread);
        CHECK(widths(state).shape(0) == 0);
        CHECK(proof_of(Law::spread_is_kept, state).outcome == Outcome::not_claimed);
    }
    for (OwnMatrix const edited : {OwnMatrix::X, OwnMatrix::W_q, OwnMatrix::W_k}) {
        LessonState state = five_words(3, 2);
        state.edits = {{edited, 0, 1, 1, 2}};
        CHECK(!lesson(state).expected_spread);
        CHECK(widths(state).shape(0) == 0);
    }
    LessonState values = five_words(3, 2);
    values.W_v = with_own_numbers(values).W_v;
    CHECK(lesson(values).expected_spread == 1);
    require_equal(widths(values), widths(five_words(3, 2)));
    values = five_words(3, 2);
    values.edits = {{OwnMatrix::W_v, 0, 1, 1, 2}};
    CHECK(lesson(values).expected_spread == 1);
}

TEST_CASE("the laws of attention hold on own numbers, and a causal lesson stays blind to what comes later") {
    LessonState state = three_words();
    state.mask = LessonMask::causal;
    for (Law const law : {Law::weights_are_finite, Law::rows_sum_to_one, Law::future_is_hidden, Law::past_is_untouched,
                          Law::output_has_shape, Law::values_are_blended, Law::roles_differ}) {
        INFO(name_of(law));
        CHECK(proof_of(law, state).outcome == Outcome::holds);
    }
    Matrix<double> const before = lesson(state).output;
    state.X(2, 0) = 41;
    Matrix<double> const after = lesson(state).output;
    CHECK(after(0, 0) == before(0, 0));
    CHECK(after(1, 0) == before(1, 0));
    CHECK(after(2, 0) != before(2, 0));
}

TEST_CASE("gradients of own weights are slopes of the loss") {
    LessonState state = three_words();
    Lesson const at = lesson(state);
    Matrix<double> const gradient = lesson_gradients(state, task_loss(at.output, at.V).output_gradient).layer.W_q;
    auto const loss = [&](double step) {
        LessonState moved = state;
        moved.W_q(1, 2) += step;
        return task_loss(lesson(moved).output, at.V).loss;
    };
    double const step = 1e-6;
    double const slope = (loss(step) - loss(-step)) / (2 * step);
    CHECK(std::fabs(gradient(1, 2)) > 1e-3);
    CHECK(is_close(gradient(1, 2), slope, 1e-8, 1e-6));
}

TEST_CASE("matrices that have no part in a lesson may be of any shape, and change nothing") {
    LessonState state = three_words();
    state.projections = ProjectionMode::identity;
    state.d_k = state.d_v = 2;
    state.edits = {{OwnMatrix::W_q, 0, 1, 3, 6}};
    require_equal(lesson(state).Q, state.X);
    state.projections = ProjectionMode::shared;
    state.W_q = {{1, 2}, {3, 4}};
    state.W_k = {{7}};
    state.edits = {{OwnMatrix::W_v, 0, 8, 9, 1}, {OwnMatrix::W_v, 0, 2, 0, 1}}; // the second just behind the last entry
    require_equal(lesson(state).W_k, state.W_q);
    state.projections = ProjectionMode::separate;
    CHECK(thrown_by([&] { lesson(state); }) ==
          "W_k has shape (1, 1), but the state asks for (d_model, heads * d_k) = (2, 2)");
}

TEST_CASE("own numbers of another shape, or without a value, are refused by name and place") {
    LessonState state = three_words();
    state.X = {{1, 2}, {3, 4}};
    CHECK(thrown_by([&] { lesson(state); }) == "X has shape (2, 2), but the state asks for (T, d_model) = (3, 2)");
    state = three_words();
    state.heads = 3;
    CHECK(thrown_by([&] { layer(state); }) ==
          "W_q has shape (2, 4), but the state asks for (d_model, heads * d_k) = (2, 12)");
    for (double const wrong : {not_a_number, infinity, -infinity}) {
        state = three_words();
        state.W_k(1, 2) = wrong;
        CHECK(thrown_by([&] { lesson(state); }) == "W_k is not finite at (1, 2), but must hold finite numbers");
    }
    state = three_words();
    state.W_v = make_matrix<double>(2, 2);
    CHECK(thrown_by([&] { prove(state); }) ==
          "W_v has shape (2, 2), but the state asks for (d_model, heads * d_v) = (2, 1)");
}
