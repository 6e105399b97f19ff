#include "training.hpp"

#include "lesson_states.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState wide_state(Divisor divisor) {
    LessonState state;
    state.d_k = state.d_v = 64;
    state.divisor = divisor;
    return state;
}

/// No two of T, d_model, d_k, d_v are alike.
TrainingOptions steps_of(std::size_t steps, double learning_rate = default_learning_rate,
                         TrainedMatrices matrices = TrainedMatrices::query_and_key) {
    TrainingOptions options;
    options.steps = steps;
    options.learning_rate = learning_rate;
    options.matrices = matrices;
    return options;
}

void require_same_weights(ProjectionWeights const& actual, ProjectionWeights const& expected) {
    require_equal(actual.W_q, expected.W_q);
    require_equal(actual.W_k, expected.W_k);
    require_equal(actual.W_v, expected.W_v);
}

Matrix<double> stepped(Matrix<double> W, Matrix<double> const& gradient, double learning_rate) {
    for (std::size_t entry = 0; entry < W.size(); ++entry) {
        W.data()[entry] -= learning_rate * gradient.data()[entry];
    }
    return W;
}

/// The gradients of the task at the start of a lesson.
LessonGradients gradients_at_start(LessonState const& state) {
    Lesson const at = lesson(state);
    return lesson_gradients(state, task_loss(at.output, state.blend == Blend::values ? at.V : at.X).output_gradient);
}

double last_loss_share(Training const& training) {
    return training.points.back().loss / training.points.front().loss;
}

} // namespace

TEST_CASE("the task's loss and gradient can be checked by hand") {
    // Errors of rows 1 and 2 against rows 0 and 1: (1, -2), (0, 3); the mean of their squares is 14 / 4.
    TaskLoss const task = task_loss({{9, 9}, {2, 0}, {3, 7}}, {{1, 2}, {3, 4}, {5, 6}});
    CHECK(task.loss == 3.5);
    require_equal(task.output_gradient, Matrix<double>{{0, 0}, {0.5, -1}, {0, 1.5}});
}

TEST_CASE("handing over exactly the value before leaves no loss") {
    TaskLoss const task = task_loss({{0, 0, 0}, {1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    CHECK(task.loss == 0);
    require_equal(task.output_gradient, make_matrix<double>(3, 3));
}

TEST_CASE("a task without a token before, or with values of another shape, is refused") {
    CHECK(thrown_by([] { task_loss(make_matrix<double>(1, 3), make_matrix<double>(1, 3)); }) ==
          "output has shape (1, 3), but the task needs at least two rows");
    CHECK(thrown_by([] { task_loss(make_matrix<double>(2, 3), make_matrix<double>(2, 4)); }) ==
          "value has shape (2, 4), but the output has shape (2, 3)");
}

TEST_CASE("at the defaults the scaled run learns and the unscaled run freezes") {
    for (double const learning_rate : {0.3, default_learning_rate, 3.0}) {
        CAPTURE(learning_rate);
        Training const scaled = train(wide_state(Divisor::sqrt), steps_of(200, learning_rate));
        REQUIRE(scaled.points.size() == 201);
        CHECK(last_loss_share(scaled) < 0.05);

        Training const unscaled = train(wide_state(Divisor::none), steps_of(200, learning_rate));
        REQUIRE(unscaled.points.size() == 201);
        double over_the_run = 0;
        std::size_t alive = 0;
        for (TrainingPoint const& point : unscaled.points) {
            CHECK(point.loss > 0.4 * unscaled.points.front().loss);
            over_the_run += point.mean_jacobian / 201;
            alive += point.mean_jacobian < 0.05 ? 0 : 1;
        }
        // A saturated row that jumps to another key is soft on its way for a step.
        CHECK(alive <= 3);
        CHECK(over_the_run < 0.01);
        CHECK(unscaled.points.front().mean_jacobian < 0.05);
        CHECK(unscaled.points.back().largest_jacobian < 0.05);
    }
}

TEST_CASE("the trained lesson looks at the token before") {
    Training const training = train(wide_state(Divisor::sqrt));
    for (std::size_t i = 1; i < 6; ++i) {
        CAPTURE(i);
        CHECK(training.weights(i, i - 1) > 0.9);
    }
}

TEST_CASE("the start is the lesson's own, and no steps measure it") {
    LessonState const state = five_words(2, 3);
    Lesson const at = lesson(state);
    Training const training = train(state, steps_of(0));
    REQUIRE(training.points.size() == 1);
    CHECK(training.points[0].loss == task_loss(at.output, at.V).loss);
    LessonGradients const gradients = gradients_at_start(state);
    CHECK(training.points[0].W_q_norm == gradients.W_q_norm);
    CHECK(training.points[0].W_k_norm == gradients.W_k_norm);
    CHECK(training.points[0].W_v_norm == gradients.W_v_norm);
    double sum = 0;
    double largest = 0;
    for (double const jacobian : at.rows.jacobian) {
        sum += jacobian;
        largest = std::max(largest, jacobian);
    }
    CHECK(training.points[0].mean_jacobian == Approx(sum / 5).epsilon(1e-14));
    CHECK(training.points[0].largest_jacobian == largest);
    require_same_weights(training.trained, {at.W_q, at.W_k, at.W_v});
    require_equal(training.masked, at.masked);
    require_equal(training.weights, at.weights);
    CHECK(!training.stopped_at);
}

TEST_CASE("a step takes the learning rate times the gradient off the chosen matrices and leaves the others") {
    LessonState state = five_words(2, 3);
    state.mask = GENERATE(LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late);
    state.softmax_axis = GENERATE(SoftmaxAxis::keys, SoftmaxAxis::queries);
    state.blend = GENERATE(Blend::values, Blend::embeddings);
    Lesson const at = lesson(state);
    LessonGradients const gradients = gradients_at_start(state);
    for (TrainedMatrices const matrices :
         {TrainedMatrices::query_and_key, TrainedMatrices::value, TrainedMatrices::all}) {
        bool const with_value = matrices != TrainedMatrices::query_and_key;
        bool const with_query = matrices != TrainedMatrices::value;
        Training const training = train(state, steps_of(1, 0.25, matrices));
        require_same_weights(training.trained, {with_query ? stepped(at.W_q, gradients.layer.W_q, 0.25) : at.W_q,
                                                with_query ? stepped(at.W_k, gradients.layer.W_k, 0.25) : at.W_k,
                                                with_value ? stepped(at.W_v, gradients.layer.W_v, 0.25) : at.W_v});
    }
}

TEST_CASE("a small enough step lowers the loss by the learning rate times the gradient squared") {
    LessonState const state = five_words(2, 3);
    double const learning_rate = 1e-5;
    Training const training = train(state, steps_of(1, learning_rate, TrainedMatrices::all));
    TrainingPoint const& start = training.points[0];
    double const slope =
        start.W_q_norm * start.W_q_norm + start.W_k_norm * start.W_k_norm + start.W_v_norm * start.W_v_norm;
    CHECK((start.loss - training.points[1].loss) / learning_rate == Approx(slope).epsilon(1e-3));
}

TEST_CASE("the gradient of a run is by all that is trained, and by one shared matrix once") {
    LessonState state = five_words(2, 3);
    auto const trained_norm = [&](TrainedMatrices matrices) {
        return train(state, steps_of(0, 0.25, matrices)).points[0].trained_norm;
    };
    auto const is_square_sum = [](double norm, std::initializer_list<double> parts) {
        double sum = 0;
        for (double const part : parts) {
            sum += part * part;
        }
        return norm * norm == Approx(sum).epsilon(1e-14);
    };
    LessonGradients const gradients = gradients_at_start(state);
    CHECK(is_square_sum(trained_norm(TrainedMatrices::query_and_key), {gradients.W_q_norm, gradients.W_k_norm}));
    CHECK(is_square_sum(trained_norm(TrainedMatrices::value), {gradients.W_v_norm}));
    CHECK(is_square_sum(trained_norm(TrainedMatrices::all),
                        {gradients.W_q_norm, gradients.W_k_norm, gradients.W_v_norm}));
    state.projections = ProjectionMode::shared;
    state.d_v = 2;
    double const shared = frobenius_norm(gradients_at_start(state).layer.W_shared);
    for (TrainedMatrices const matrices :
         {TrainedMatrices::query_and_key, TrainedMatrices::value, TrainedMatrices::all}) {
        CHECK(trained_norm(matrices) == shared);
    }
}

TEST_CASE("one shared matrix is trained by the sum of its three roles, whichever are chosen") {
    LessonState state = five_words(2, 3);
    state.projections = ProjectionMode::shared;
    state.d_v = 2;
    Lesson const at = lesson(state);
    Matrix<double> const W = stepped(at.W_q, gradients_at_start(state).layer.W_shared, 0.5);
    for (TrainedMatrices const matrices : {TrainedMatrices::query_and_key, TrainedMatrices::value}) {
        require_same_weights(train(state, steps_of(1, 0.5, matrices)).trained, {W, W, W});
    }
}

TEST_CASE("one step at a time gives the run at once, bit for bit") {
    LessonState state = wide_state(Divisor::sqrt);
    TrainedMatrices const matrices = GENERATE(TrainedMatrices::query_and_key, TrainedMatrices::all);
    Training const at_once = train(state, steps_of(20, 0.7, matrices));
    TrainingOptions one = steps_of(1, 0.7, matrices);
    for (std::size_t step = 0; step < 20; ++step) {
        Training const next = train(state, one);
        REQUIRE(next.points.size() == 2);
        CHECK(next.points[0].loss == at_once.points[step].loss);
        CHECK(next.points[1].loss == at_once.points[step + 1].loss);
        CHECK(next.points[1].W_q_norm == at_once.points[step + 1].W_q_norm);
        one.start = next.trained;
    }
    require_same_weights(*one.start, at_once.trained);
}

TEST_CASE("the target stays the start's value while W_v moves") {
    // Were it to move along, going on from W_v = 0 would find nothing left to learn.
    LessonState const state = five_words(2, 3);
    Lesson const at = lesson(state);
    TrainingOptions options = steps_of(0);
    options.start = ProjectionWeights{at.W_q, at.W_k, make_matrix<double>(4, 3)};
    CHECK(train(state, options).points[0].loss == task_loss(make_matrix<double>(5, 3), at.V).loss);
}

TEST_CASE("four tokens under a causal mask can be trained") {
    Training const training = train(four_token_state(), steps_of(200, 0.3));
    CHECK(last_loss_share(training) < 0.5);
    CHECK(training.weights(0, 1) == 0);
    CHECK(training.masked(0, 1) == -infinity);
}

TEST_CASE("a run stops at the first loss that is no number, and says when") {
    TrainingOptions const options = steps_of(200, 1e9, TrainedMatrices::all);
    Training const training = train(five_words(2, 3), options);
    REQUIRE(training.stopped_at);
    CHECK(training.points.size() == *training.stopped_at + 1);
    CHECK(training.points.size() < 201);
    CHECK_FALSE(std::isfinite(training.points.back().loss));
    CHECK(std::isnan(training.points.back().W_v_norm));
    CHECK(std::isfinite(training.points[training.points.size() - 2].loss));
    CHECK(shape_text(training.weights) == "(5, 5)");

    TrainingOptions further = options;
    further.start = training.trained;
    CHECK(train(five_words(2, 3), further).stopped_at == std::size_t(0));
}

TEST_CASE("a naive softmax that overflows stops a run before its first step") {
    LessonState state = wide_state(Divisor::none);
    state.softmax = SoftmaxForm::naive;
    Training const training = train(state);
    CHECK(training.stopped_at == std::size_t(0));
    REQUIRE(training.points.size() == 1);
    CHECK(std::isnan(training.points[0].loss));
    require_equal(training.trained.W_q, lesson(state).W_q);
}

TEST_CASE("what cannot be trained is refused in one sentence") {
    LessonState state = five_words(2, 3);
    TrainingOptions options;
    auto const sentence = [&] {
        std::string const found = sentence_of(find_problem(state, options));
        CHECK(thrown_by([&] { train(state, options); }) == found);
        return found;
    };
    auto const at_rate = [&](double rate) {
        options.learning_rate = rate;
        return sentence();
    };
    options.steps = 1;
    CHECK(at_rate(1e9) == "");
    CHECK(at_rate(1e-300) == "");
    CHECK(at_rate(0) == "learning_rate is 0, but must be positive and finite");
    CHECK(at_rate(-0.0) == "learning_rate is 0, but must be positive and finite");
    CHECK(at_rate(-0.5) == "learning_rate is negative, but must be positive and finite");
    CHECK(at_rate(not_a_number) == "learning_rate is NaN, but must be positive and finite");
    CHECK(at_rate(infinity) == "learning_rate is infinity, but must be positive and finite");
    CHECK(at_rate(-infinity) == "learning_rate is negative, but must be positive and finite");
    options = TrainingOptions();
    options.steps = 10001;
    CHECK(sentence() == "steps is 10001, but must be a whole number from 0 to 10000");
    options = TrainingOptions();
    state.tokens = {"alone"};
    state.row = 0;
    CHECK(sentence() == "tokens holds 1 token, but the task is to hand over the value of the token before");
    state = five_words(2, 3);
    state.projections = ProjectionMode::identity;
    state.d_k = state.d_v = 4;
    CHECK(sentence() == "projections is \"identity\", but training needs matrices to train");
    state.d_k = 3;
    CHECK(sentence() == "d_k is 3, but attention without projections needs it to equal d_model = 4");
}

TEST_CASE("matrices to go on from must fit the state") {
    LessonState state = five_words(2, 3);
    TrainingOptions options = steps_of(1);
    auto const sentence = [&] {
        std::string const found = sentence_of(find_problem(state, options));
        CHECK(thrown_by([&] { train(state, options); }) == found);
        return found;
    };
    options.start = ProjectionWeights{scattered(4, 2, 1), scattered(4, 2, 2), scattered(4, 3, 3)};
    CHECK(sentence() == "");
    options.start->W_q = scattered(2, 4, 1);
    CHECK(sentence() == "start.W_q has shape (2, 4), but the state asks for (4, 2)");
    options.start->W_q = scattered(4, 2, 1);
    options.start->W_k = make_matrix<double>(0, 0);
    CHECK(sentence() == "start.W_k has shape (0, 0), but the state asks for (4, 2)");
    options.start->W_k = scattered(4, 2, 2);
    options.start->W_v = scattered(4, 2, 3);
    CHECK(sentence() == "start.W_v has shape (4, 2), but the state asks for (4, 3)");
    state.d_v = 2;
    state.projections = ProjectionMode::shared;
    CHECK(sentence() == "start.W_k differs from start.W_q, but one matrix is shared");
    options.start->W_k = options.start->W_v = options.start->W_q;
    CHECK(sentence() == "");
}

TEST_CASE("what the task asks of a lesson is what its first training step sees") {
    for (ProjectionMode const projections : {ProjectionMode::separate, ProjectionMode::shared}) {
        LessonState state;
        state.tokens = {"a", "b", "c"};
        state.d_model = 5;
        state.d_k = state.d_v = 3;
        state.mask = LessonMask::causal;
        state.projections = projections;
        TaskGradients const asked = task_gradients(state);
        TrainingPoint const first = train(state, steps_of(0)).points.front();
        CHECK(asked.point.loss == first.loss);
        CHECK(asked.point.W_q_norm == first.W_q_norm);
        CHECK(asked.point.W_k_norm == first.W_k_norm);
        CHECK(asked.point.W_v_norm == first.W_v_norm);
        CHECK(asked.point.trained_norm == first.trained_norm);
        REQUIRE(asked.scores.shape(0) == 3);
        CHECK(asked.scores(0, 0) == 0);
        CHECK(asked.scores(1, 2) == 0);
        CHECK(asked.scores(2, 0) != 0);
        double largest = 0;
        for (double const score : asked.scores) {
            largest = std::max(largest, std::abs(score));
        }
        CHECK(asked.largest_score == largest);
    }
}

TEST_CASE("each row's share of the score gradient is that of its squares, and the row without a target has none") {
    LessonState state = wide_state(Divisor::none);
    state.d_k = 16;
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        state.mask = mask;
        TaskGradients const asked = task_gradients(state);
        CHECK(asked.scores_norm == Approx(frobenius_norm(asked.scores)).epsilon(1e-14));
        double sum = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            double squares = 0;
            for (std::size_t j = 0; j < 6; ++j) {
                squares += asked.scores(i, j) * asked.scores(i, j);
            }
            CHECK(asked.shares(i) == Approx(squares / (asked.scores_norm * asked.scores_norm)).epsilon(1e-13));
            sum += asked.shares(i);
        }
        CHECK(sum == Approx(1).epsilon(1e-14));
        CHECK(asked.shares(0) == 0);
        CHECK(asked.shares(4) > 0);
    }
}

TEST_CASE("where no score moves the loss every share is 0") {
    LessonState state = wide_state(Divisor::sqrt);
    state.mask = LessonMask::window;
    state.window = 1; // each query sees its own key alone
    TaskGradients const asked = task_gradients(state);
    CHECK(asked.scores_norm == 0);
    for (double const share : asked.shares) {
        CHECK(share == 0);
    }
}

TEST_CASE("the task needs a token before another, and a softmax that does not overflow") {
    LessonState alone;
    alone.tokens = {"alone"};
    alone.row = 0;
    CHECK(sentence_of(find_task_problem(alone)) ==
          "tokens holds 1 token, but the task is to hand over the value of the token before");
    LessonState overflowing;
    overflowing.softmax = SoftmaxForm::naive;
    overflowing.divisor = Divisor::none;
    overflowing.d_k = overflowing.d_v = 64;
    CHECK_FALSE(sentence_of(find_task_problem(overflowing)).empty());
    overflowing.softmax = SoftmaxForm::stable;
    CHECK(sentence_of(find_task_problem(overflowing)).empty());
}
