// Biases: q = x W_q + b_q, and likewise keys and values. A layer with them is held against one without, of embeddings
// with a column of ones and matrices with the bias as their last row, which computes the same by other steps.
#include <cmath>

#include "comparison.hpp"
#include "gradient.hpp"
#include "lesson_states.hpp"
#include "proofs.hpp"
#include "testing.hpp"
#include "training.hpp"
#include "widths.hpp"

using namespace attention;
using namespace testing;

namespace {

/// No two entries alike, nor of two matrices.
Matrix<double> uneven(std::size_t rows, std::size_t columns, double phase) {
    Matrix<double> matrix = make_matrix<double>(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            matrix(i, j) = std::sin(phase + 1.7 * static_cast<double>(i) + 0.6 * static_cast<double>(j));
        }
    }
    return matrix;
}

LessonState with_biases(LessonState state) {
    state.b_q = uneven(1, state.heads * state.d_k, 1);
    state.b_k = uneven(1, state.heads * state.d_k, 2);
    state.b_v = uneven(1, state.heads * state.d_v, 3);
    return state;
}

/// Below the matrix the row, or zeros where there is none.
Matrix<double> with_row(Matrix<double> const& matrix, Matrix<double> const& row) {
    std::size_t const rows = matrix.shape(0);
    Matrix<double> longer = make_matrix<double>(rows + 1, matrix.shape(1));
    std::copy_n(matrix.data(), matrix.size(), longer.data());
    std::copy_n(row.data(), row.size(), row_of(longer, rows));
    return longer;
}

Matrix<double> with_ones(Matrix<double> const& X) {
    if (X.size() == 0) {
        return {};
    }
    Matrix<double> wider = make_matrix<double>(X.shape(0), X.shape(1) + 1, 1.0);
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        std::copy_n(row_of(X, i), X.shape(1), row_of(wider, i));
    }
    return wider;
}

ProjectionWeights without_biases(ProjectionWeights const& weights) {
    return {with_row(weights.W_q, weights.b_q), with_row(weights.W_k, weights.b_k), with_row(weights.W_v, weights.b_v)};
}

Matrix<double> last_row(Matrix<double> const& matrix) {
    Matrix<double> row = make_matrix<double>(1, matrix.shape(1));
    std::copy_n(row_of(matrix, matrix.shape(0) - 1), matrix.shape(1), row.data());
    return row;
}

/// Every wiring that has biases.
std::vector<LessonState> biased_states() {
    LessonState plain = five_words(3, 2);
    LessonState heads = five_words(3, 2);
    heads.heads = 3;
    heads.head = 2;
    heads.mask = LessonMask::causal;
    heads.dropout = 0.3;
    LessonState shared = five_words(3, 3);
    shared.projections = ProjectionMode::shared;
    shared.heads = 2;
    LessonState context = five_words(3, 2);
    context.context = {"le", "chat"};
    LessonState late = five_words(3, 2);
    late.mask = LessonMask::late;
    late.softmax_axis = SoftmaxAxis::queries;
    std::vector<LessonState> states;
    for (LessonState const& state : {plain, heads, shared, context, late, four_token_state()}) {
        states.push_back(with_biases(state));
    }
    return states;
}

} // namespace

TEST_CASE("biases of the four tokens give scores that can be checked by hand") {
    LessonState state = four_token_state();
    state.mask = LessonMask::none;
    state.b_q = {{1, -1}};
    state.b_k = {{0, 2}};
    state.b_v = {{-3, 0.5}};
    Lesson const plain = lesson(four_token_state());
    Lesson const found = lesson(state);
    // Q was ((1, 1), (0, 1), (1, 2), (1, 0)), K ((1, 0), (1, 1), (2, 1), (0, -1)), V ((0, 2), (1, 0), (1, 2), (-1, 2)).
    require_equal(plain.V, Matrix<double>{{0, 2}, {1, 0}, {1, 2}, {-1, 2}});
    require_equal(found.Q, Matrix<double>{{2, 0}, {1, 0}, {2, 1}, {2, -1}});
    require_equal(found.K, Matrix<double>{{1, 2}, {1, 3}, {2, 3}, {0, 1}});
    require_equal(found.V, Matrix<double>{{-3, 2.5}, {-2, 0.5}, {-2, 2.5}, {-4, 2.5}});
    require_equal(found.scores, Matrix<double>{{2, 2, 4, 0}, {1, 1, 2, 0}, {4, 5, 7, 1}, {0, -1, 1, -1}});
    require_equal(found.b_k, state.b_k);
}

TEST_CASE("a layer with biases is one without, of embeddings with a column of ones, in every wiring") {
    for (LessonState const& state : biased_states()) {
        Layer const biased = layer(state);
        LayerSettings const settings = layer_settings(state);
        LayerPass const other =
            layer_pass(with_ones(biased.X), without_biases(biased.weights), settings, with_ones(biased.context));
        require_close(biased.pass.output, other.output, 1e-14, 1e-14);
        Lesson const of_head = lesson(state);
        require_close(of_head.Q, other.heads[state.head].Q, 1e-14, 1e-14);
        require_close(of_head.weights, other.heads[state.head].weights, 1e-14, 1e-14);
        require_equal(of_head.output, split_head(biased.pass.output, state.heads, state.head));
        require_equal(of_head.b_v, split_head(biased.weights.b_v, state.heads, state.head));
        LessonState plain = state;
        plain.b_q = plain.b_k = plain.b_v = Matrix<double>();
        CHECK(compare(plain, state).largest > 1e-3);
    }
}

TEST_CASE("the gradients of biases are those of the last rows of matrices in a layer without, and reach X alike") {
    for (LessonState const& state : biased_states()) {
        Layer const biased = layer(state);
        LayerSettings const settings = layer_settings(state);
        Matrix<double> const X = with_ones(biased.X);
        Matrix<double> const context = with_ones(biased.context);
        ProjectionWeights const weights = without_biases(biased.weights);
        LayerPass const pass = layer_pass(X, weights, settings, context);
        Matrix<double> const H = uneven(pass.output.shape(0), pass.output.shape(1), 4);
        LayerGradients const expected = layer_gradients(X, weights, pass, H, settings, context);
        LessonGradients const found = lesson_gradients(state, H);
        require_close(found.layer.b_q, last_row(expected.W_q), 1e-13, 1e-13);
        require_close(found.layer.b_k, last_row(expected.W_k), 1e-13, 1e-13);
        require_close(found.layer.b_v, last_row(expected.W_v), 1e-13, 1e-13);
        require_close(with_row(found.layer.W_q, found.layer.b_q), expected.W_q, 1e-13, 1e-13);
        if (state.projections == ProjectionMode::shared) {
            require_close(with_row(found.layer.W_shared, found.layer.b_shared), expected.W_shared, 1e-13, 1e-13);
        }
        Matrix<double> const ones_too = embedding_gradient(expected, weights);
        for (std::size_t i = 0; i < found.X.shape(0); ++i) {
            CHECK(is_close(found.X(i, 1), ones_too(i, 1), 1e-13, 1e-13));
        }
    }
}

TEST_CASE("a bias that is not there has no gradient, and the others theirs") {
    LessonState state = five_words(3, 2);
    state.b_k = uneven(1, 3, 2);
    LessonGradients const found = lesson_gradients(state, uneven(5, 2, 4));
    CHECK(found.layer.b_q.size() == 0);
    CHECK(found.layer.b_v.size() == 0);
    CHECK(found.layer.b_k.size() == 3);
}

TEST_CASE("what is added to every key moves no row of a softmax along the keys, so that its gradient is 0") {
    LessonState state = five_words(3, 2);
    state.b_k = uneven(1, 3, 2);
    Matrix<double> const gradient = lesson_gradients(state, uneven(5, 2, 4)).layer.b_k;
    require_close(gradient, make_matrix<double>(1, 3), 1e-14, 0);
    state.b_k = Matrix<double>();
    Matrix<double> const plain = lesson(state).weights;
    state.b_k = {{3, -1, 2}};
    require_close(lesson(state).weights, plain, 1e-13, 1e-13);
}

TEST_CASE("training moves biases as it moves matrices, and goes on from where it was") {
    TrainingOptions options;
    options.learning_rate = 0.5;
    options.matrices = TrainedMatrices::all;
    for (LessonState const& state : biased_states()) {
        if (!state.context.empty() || state.softmax_axis == SoftmaxAxis::queries) {
            continue; // has no task, or overflows in none of these
        }
        Layer const biased = layer(state);
        TaskLoss const task = task_loss(biased.pass.output, biased.pass.blended);
        LayerGradients const gradients =
            layer_gradients(biased.X, biased.weights, biased.pass, task.output_gradient, layer_settings(state));
        bool const is_shared = state.projections == ProjectionMode::shared;
        options.steps = 1;
        options.start.reset();
        Training const first = train(state, options);
        for (std::size_t c = 0; c < biased.weights.b_q.size(); ++c) {
            double const slope = (is_shared ? gradients.b_shared : gradients.b_q)(0, c);
            CHECK(first.trained.b_q(0, c) == biased.weights.b_q(0, c) - 0.5 * slope);
            double const slope_of_key = is_shared ? slope : gradients.b_k(0, c);
            CHECK(first.trained.b_k(0, c) == biased.weights.b_k(0, c) - 0.5 * slope_of_key);
        }
        for (std::size_t c = 0; c < biased.weights.b_v.size(); ++c) {
            double const slope = (is_shared ? gradients.b_shared : gradients.b_v)(0, c);
            CHECK(first.trained.b_v(0, c) == biased.weights.b_v(0, c) - 0.5 * slope);
        }
        options.steps = 3;
        Training const whole = train(state, options);
        options.steps = 2;
        options.start = first.trained;
        Training const resumed = train(state, options);
        require_equal(resumed.trained.b_q, whole.trained.b_q);
        require_equal(resumed.trained.b_v, whole.trained.b_v);
        require_equal(resumed.weights, whole.weights);
        CHECK(whole.points[3].loss < whole.points[0].loss);
    }
}

TEST_CASE("what is trained together has one norm, biases in it, and the others stay where they are") {
    LessonState const state = with_biases(five_words(3, 2));
    Layer const biased = layer(state);
    TaskLoss const task = task_loss(biased.pass.output, biased.pass.blended);
    LayerGradients const gradients =
        layer_gradients(biased.X, biased.weights, biased.pass, task.output_gradient, layer_settings(state));
    TrainingOptions options;
    options.steps = 1;
    options.matrices = TrainedMatrices::value;
    Training const run = train(state, options);
    require_equal(run.trained.b_q, biased.weights.b_q);
    CHECK(run.trained.b_v(0, 1) != biased.weights.b_v(0, 1));
    double const W = frobenius_norm(gradients.W_v);
    double const b = frobenius_norm(gradients.b_v);
    CHECK(is_close(run.points[0].trained_norm, std::sqrt(W * W + b * b), 0, 1e-14));
    CHECK(run.points[0].W_v_norm == W);
    options.matrices = TrainedMatrices::query_and_key;
    require_equal(train(state, options).trained.b_v, biased.weights.b_v);
}

TEST_CASE("a start has the biases that the state has") {
    LessonState const state = with_biases(five_words(3, 2));
    TrainingOptions options;
    options.start = layer(state).weights;
    options.start->b_k = Matrix<double>();
    CHECK(thrown_by([&] { train(state, options); }) == "start.b_k has shape (0, 0), but the state asks for (1, 3)");
    options.start->b_k = {{1, 2}};
    CHECK(thrown_by([&] { train(state, options); }) == "start.b_k has shape (1, 2), but the state asks for (1, 3)");
    options.start = layer(state).weights;
    CHECK(thrown_by([&] { train(five_words(3, 2), options); }) ==
          "start.b_q has shape (1, 3), but the state asks for (0, 0)");
    LessonState shared = five_words(3, 3);
    shared.projections = ProjectionMode::shared;
    shared.b_q = uneven(1, 3, 1);
    options.start = layer(shared).weights;
    options.start->b_v(0, 1) += 1;
    CHECK(thrown_by([&] { train(shared, options); }) == "start.b_v differs from start.b_q, but one matrix is shared");
}

TEST_CASE("an edited bias is one given with that entry, and zeros elsewhere where none is given") {
    LessonState given = five_words(3, 2);
    given.heads = 2;
    given.b_v = {{0, 0, 0, 4.5}};
    LessonState edited = five_words(3, 2);
    edited.heads = 2;
    edited.edits = {{OwnMatrix::b_v, 1, 0, 1, 4.5}};
    require_equal(layer(edited).weights.b_v, given.b_v);
    require_equal(layer(edited).pass.output, layer(given).pass.output);
    given.edits = {{OwnMatrix::b_v, 0, 0, 1, -1}};
    require_equal(layer(given).weights.b_v, Matrix<double>{{0, -1, 0, 4.5}});
}

TEST_CASE("one shared bias is added to all three roles, and without projections there is none") {
    LessonState shared = five_words(3, 3);
    shared.projections = ProjectionMode::shared;
    shared.b_q = uneven(1, 3, 1);
    shared.b_k = uneven(2, 9, 1); // has no part
    require_equal(layer(shared).weights.b_k, shared.b_q);
    require_equal(lesson(shared).b_v, shared.b_q);
    LessonState identity = five_words(4, 4);
    identity.projections = ProjectionMode::identity;
    Matrix<double> const plain = lesson(identity).output;
    identity.b_q = identity.b_v = uneven(1, 4, 1);
    identity.edits = {{OwnMatrix::b_k, 0, 0, 2, 7}};
    require_equal(lesson(identity).output, plain);
}

TEST_CASE("biases are parameters, and what seeds decide alone is not claimed of them") {
    auto const parameters = [](LessonState const& state) { return proof_of(Law::something_can_learn, state).found[0]; };
    LessonState state = five_words(3, 2);
    CHECK(parameters(state) == 4 * (3 + 3 + 2));
    CHECK(parameters(with_biases(state)) == 5 * (3 + 3 + 2));
    state.b_v = uneven(1, 2, 3);
    CHECK(lesson(state).expected_spread.has_value()); // scores know nothing of values
    CHECK(widths(state).shape(0) > 0);
    for (OwnMatrix const own : {OwnMatrix::b_q, OwnMatrix::b_k}) {
        LessonState edited = five_words(3, 2);
        edited.edits = {{own, 0, 0, 1, 0.5}};
        CHECK(!lesson(edited).expected_spread.has_value());
        CHECK(widths(edited).shape(0) == 0);
    }
    state = five_words(3, 2);
    state.b_q = uneven(1, 3, 3);
    CHECK(!lesson(state).expected_spread.has_value());
}

TEST_CASE("biases of another shape and numbers that are not finite are refused by name, place and shape") {
    auto const told = [](Matrix<double> const& b_v) {
        LessonState state = five_words(3, 2);
        state.heads = 2;
        state.b_v = b_v;
        return thrown_by([&] { lesson(state); });
    };
    CHECK(told({{1, 2}}) == "b_v has shape (1, 2), but the state asks for (1, heads * d_v) = (1, 4)");
    CHECK(told({{1, 2, 3, 4}, {1, 2, 3, 4}}) ==
          "b_v has shape (2, 4), but the state asks for (1, heads * d_v) = (1, 4)");
    CHECK(told({{1, 2, infinity, 4}}) == "b_v is not finite at (0, 2), but must hold finite numbers");
    LessonState edited = five_words(3, 2);
    edited.edits = {{OwnMatrix::b_q, 0, 1, 0, 2}};
    CHECK(thrown_by([&] { lesson(edited); }) == "edits change b_q at (1, 0), but b_q has shape (1, 3)");
    Layer const plain = layer(five_words(3, 2));
    ProjectionWeights weights = plain.weights;
    weights.b_k = {{1, 2}};
    CHECK(thrown_by([&] { layer_pass(plain.X, weights, layer_settings(five_words(3, 2))); }) ==
          "b_k has shape (1, 2), but its matrix asks for (1, 3)");
}
