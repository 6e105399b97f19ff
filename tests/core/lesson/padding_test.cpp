// Padding at the end of a sentence: who sees it, what is said of it, and that nothing learns from it.
#include "differences.hpp"
#include "gradient.hpp"
#include "lesson_states.hpp"
#include "testing.hpp"
#include "training.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState padded(std::size_t padding) {
    LessonState state = five_words(3, 2);
    state.padding = padding;
    return state;
}

/// The last query's window holds padding alone.
LessonState with_blind_query() {
    LessonState state = padded(2);
    state.mask = LessonMask::window;
    state.window = 2;
    state.row = 4;
    return state;
}

} // namespace

TEST_CASE("no query sees a padded key, whatever else the mask hides") {
    LessonState state = padded(2);
    require_equal(lesson(state).visible,
                  Visibility{{1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}});
    for (LessonMask const mask : {LessonMask::causal, LessonMask::late}) {
        state.mask = mask;
        require_equal(lesson(state).visible,
                      Visibility{{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}});
    }
    require_equal(lesson(with_blind_query()).visible,
                  Visibility{{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {0, 1, 1, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 0}});
}

TEST_CASE("a late mask comes after the softmax, padding does not") {
    LessonState state = padded(1);
    state.mask = LessonMask::late;
    Lesson const late = lesson(state);
    CHECK(late.masked(0, 3) == late.scaled(0, 3));
    CHECK(late.masked(0, 4) == -infinity);
}

TEST_CASE("the rows of a padded sentence are those of the sentence without its padding") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        LessonState state = padded(2);
        state.mask = mask;
        LessonState alone = state;
        alone.padding = 0;
        alone.tokens.resize(3);
        Lesson const whole = lesson(state);
        Lesson const part = lesson(alone);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(whole.rows.jacobian(i) == part.rows.jacobian(i));
            for (std::size_t j = 0; j < 3; ++j) {
                CHECK(whole.weights(i, j) == part.weights(i, j));
            }
            for (std::size_t c = 0; c < 2; ++c) {
                CHECK(whole.output(i, c) == part.output(i, c));
            }
        }
    }
}

TEST_CASE("a query whose window holds padding alone has weights, output and worksheet of exactly 0, and no choice") {
    Lesson const blind = lesson(with_blind_query());
    require_equal(only_row(blind.weights, 4), make_matrix<double>(1, 5));
    require_equal(only_row(blind.output, 4), make_matrix<double>(1, 2));
    CHECK(blind.rows.state[4] == SoftmaxState::no_visible_key);
    CHECK(blind.rows.gradient[4] == GradientState::no_choice);
    CHECK(blind.rows.row_sum(4) == 0);
    require_equal(blind.worksheet.exponentials, make_vector<double>(5));
    require_equal(blind.worksheet.contributions, make_matrix<double>(5, 2));
    require_equal(blind.worksheet.shifted, make_vector<double>(5, -infinity));
}

TEST_CASE("some queries, or all of them and some keys, see what they see of the whole") {
    LayerSettings settings;
    settings.key_length = 5;
    for (LessonMask const mask : {LessonMask::none, LessonMask::window}) {
        settings.mask = mask;
        settings.window = 4;
        Visibility const whole = sight_of(settings, 7, 7).visible;
        Visibility const rows = sight_of(settings, 2, 7, 4).visible;
        Visibility const columns = sight_of(settings, 7, 3, -3).visible;
        Visibility const end = sight_of(settings, 7, 1, -6).visible;
        for (std::size_t j = 0; j < 7; ++j) {
            CHECK(rows(0, j) == whole(4, j));
            CHECK(rows(1, j) == whole(5, j));
            CHECK(end(j, 0) == 0);
            for (std::size_t k = 0; k < 3; ++k) {
                CHECK(columns(j, k) == whole(j, k + 3));
            }
        }
    }
}

TEST_CASE("a padded lesson claims the laws of padding and no order of its tokens") {
    for (LessonState state : {padded(1), padded(2), padded(4), with_blind_query()}) {
        CAPTURE(state.padding);
        for (Law const law : {Law::padding_is_hidden, Law::padding_does_not_count, Law::rows_sum_to_one}) {
            CHECK(proof_of(law, state).outcome == Outcome::holds);
        }
        CHECK(proof_of(Law::padding_does_not_count, state).found.size() == 5 - state.padding);
        CHECK(proof_of(Law::order_does_not_count, state).outcome == Outcome::not_claimed);
        CHECK(proof_of(Law::padding_does_not_count, state).residual == 0);
    }
    for (Law const law : {Law::padding_is_hidden, Law::padding_does_not_count}) {
        CHECK(proof_of(law, padded(0)).outcome == Outcome::not_claimed);
    }
}

TEST_CASE("a softmax down the columns lets padded queries change the others") {
    LessonState state = padded(2);
    state.softmax_axis = SoftmaxAxis::queries;
    CHECK(proof_of(Law::padding_is_hidden, state).outcome == Outcome::holds);
    Proof const proof = proof_of(Law::padding_does_not_count, state);
    CHECK(proof.outcome == Outcome::fails);
    CHECK(proof.residual > 0.01);
}

TEST_CASE("a weight on padding breaks its law, and one elsewhere does not") {
    LessonState const state = padded(2);
    Lesson wrong = lesson(state);
    wrong.weights(1, 3) = 0.25;
    wrong.weights(2, 2) = 0.5;
    Proof const proof = prove(state, wrong).at(static_cast<std::size_t>(Law::padding_is_hidden));
    CHECK(proof.outcome == Outcome::fails);
    CHECK(proof.found == std::vector<double>{0, 0.25, 0, 0, 0});
}

TEST_CASE("one visible score has no spread to keep") {
    LessonState state = padded(4);
    state.mask = LessonMask::window;
    state.window = 1;
    CHECK(proof_of(Law::spread_is_kept, state).outcome == Outcome::not_claimed);
    state.window = 2;
    CHECK(proof_of(Law::spread_is_kept, state).outcome != Outcome::not_claimed);
}

TEST_CASE("gradients of a padded lesson agree with differences, and padded keys and values get none") {
    for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
        LayerSettings settings;
        settings.mask = LessonMask::window;
        settings.window = 2;
        settings.key_length = 3;
        settings.softmax_axis = axis;
        Matrix<double> X = scattered(5, 4, 1);
        ProjectionWeights weights = {scattered(4, 3, 2), scattered(4, 3, 3), scattered(4, 2, 4)};
        Matrix<double> const output_gradient = scattered(5, 2, 5);
        LayerGradients const gradients =
            layer_gradients(X, weights, layer_pass(X, weights, settings), output_gradient, settings);
        auto const loss_now = [&] { return loss(layer_pass(X, weights, settings).output, output_gradient); };
        CHECK(largest_error(gradients.W_q, differences(weights.W_q, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.W_k, differences(weights.W_k, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.W_v, differences(weights.W_v, loss_now)) <= difference_tolerance);
        CHECK(largest_error(embedding_gradient(gradients, weights), differences(X, loss_now)) <= difference_tolerance);
        for (std::size_t j = 3; j < 5; ++j) {
            require_equal(only_row(gradients.K, j), make_matrix<double>(1, 3));
            require_equal(only_row(gradients.V, j), make_matrix<double>(1, 2));
        }
    }
}

TEST_CASE("training a padded sentence is training the sentence without its padding") {
    TrainingOptions options;
    options.steps = 5;
    options.matrices = TrainedMatrices::all;
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal}) {
        LessonState state = padded(2);
        state.mask = mask;
        LessonState alone = state;
        alone.padding = 0;
        alone.tokens.resize(3);
        Training const whole = train(state, options);
        Training const part = train(alone, options);
        for (std::size_t step = 0; step <= 5; ++step) {
            CHECK(whole.points[step].loss == Approx(part.points[step].loss).epsilon(1e-14));
            CHECK(whole.points[step].trained_norm == Approx(part.points[step].trained_norm).epsilon(1e-13));
        }
        require_close(whole.trained.W_q, part.trained.W_q, 1e-14, 1e-13);
        require_close(whole.trained.W_v, part.trained.W_v, 1e-14, 1e-13);
        CHECK(task_gradients(state).point.loss == whole.points[0].loss);
    }
}

TEST_CASE("the task's rows of padding have no loss and no gradient") {
    // Row 1 against row 0 alone: errors (1, -2), the mean of their squares 5 / 2.
    TaskLoss const task = task_loss({{9, 9}, {2, 0}, {3, 7}}, {{1, 2}, {3, 4}, {5, 6}}, 1);
    CHECK(task.loss == 2.5);
    require_equal(task.output_gradient, Matrix<double>{{0, 0}, {1, -2}, {0, 0}});
}

TEST_CASE("as many tokens are padding as the sentence has, but one") {
    CHECK(sentence_of(find_problem(padded(4))) == "");
    CHECK(sentence_of(find_problem(padded(5))) == "padding is 5, but must be a whole number from 0 to 4");
    std::string const task = " 1 token, but the task is to hand over the value of the token before";
    CHECK(sentence_of(find_problem(padded(3), TrainingOptions())) == "");
    CHECK(sentence_of(find_problem(padded(4), TrainingOptions())) == "padding leaves" + task);
    CHECK(sentence_of(find_task_problem(padded(4))) == "padding leaves" + task);
    LessonState alone = padded(0);
    alone.tokens.resize(1);
    alone.row = 0;
    CHECK(sentence_of(find_task_problem(alone)) == "tokens holds" + task);
}

TEST_CASE("the Jacobians of a run are those of the rows that are no padding") {
    LessonState state = padded(2);
    state.mask = LessonMask::causal;
    Vector<double> const jacobians = lesson(state).rows.jacobian;
    TrainingPoint const start = task_gradients(state).point;
    CHECK(start.mean_jacobian == Approx((jacobians(0) + jacobians(1) + jacobians(2)) / 3).epsilon(1e-14));
    CHECK(start.largest_jacobian == std::max({jacobians(0), jacobians(1), jacobians(2)}));
    REQUIRE(jacobians(3) + jacobians(4) > 0);
}
