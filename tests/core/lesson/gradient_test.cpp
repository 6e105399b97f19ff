#include "gradient.hpp"

#include <functional>

#include "differences.hpp"
#include "lesson_states.hpp"
#include "references.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

struct TestedLayer {
    Matrix<double> X;
    ProjectionWeights weights;
    Matrix<double> output_gradient;
    LayerSettings settings;
};

Matrix<double> columns_of(Matrix<double> const& matrix, std::size_t first, std::size_t count) {
    Matrix<double> columns = make_matrix<double>(matrix.shape(0), count);
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        std::copy_n(row_of(matrix, i) + first, count, row_of(columns, i));
    }
    return columns;
}

Matrix<double> unit_matrix(std::size_t size) {
    Matrix<double> unit = make_matrix<double>(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        unit(i, i) = 1;
    }
    return unit;
}

TestedLayer layer_from(nlohmann::json const& reference, nlohmann::json const& each) {
    LayerSettings settings;
    settings.divisor = each.at("divisor");
    settings.mask = parse_mask(each.at("mask"));
    settings.projections = parse_projections(each.at("projections"));
    settings.softmax_axis = parse_softmax_axis(each.at("softmax_axis"));
    settings.softmax = parse_softmax(each.at("softmax"));
    settings.blend = parse_blend(each.at("blend"));
    settings.heads = each.at("heads");
    std::size_t const keys = settings.heads * each.at("d_k").get<std::size_t>();
    std::size_t const values = settings.heads * each.at("d_v").get<std::size_t>();
    Matrix<double> const X = matrix_from(reference.at("X"));
    Matrix<double> const W = matrix_from(reference.at("W"));
    ProjectionWeights weights = {columns_of(W, 0, keys), columns_of(W, keys, keys), columns_of(W, 2 * keys, values)};
    if (settings.projections == ProjectionMode::shared) {
        weights.W_k = weights.W_v = weights.W_q;
    }
    if (settings.projections == ProjectionMode::identity) {
        weights.W_q = weights.W_k = weights.W_v = unit_matrix(X.shape(1));
    }
    std::size_t const width = settings.blend == Blend::values ? values : settings.heads * X.shape(1);
    return {X, weights, columns_of(matrix_from(reference.at("H")), 0, width), settings};
}

void for_each_reference_layer(std::function<void(TestedLayer const&, nlohmann::json const&)> const& use) {
    nlohmann::json const reference = read_reference("gradient_reference.json");
    std::size_t cases = 0;
    for (nlohmann::json const& each : reference.at("layers")) {
        nlohmann::json settings = each;
        settings.erase("gradients");
        CAPTURE(settings.dump());
        use(layer_from(reference, each), each.at("gradients"));
        ++cases;
    }
    REQUIRE(cases == 21);
}

struct GradientsOfLayer {
    LayerGradients layer;
    Matrix<double> X;
};

GradientsOfLayer gradients_of(TestedLayer const& layer) {
    LayerPass const pass = layer_pass(layer.X, layer.weights, layer.settings);
    REQUIRE(sentence_of(find_overflow(pass)) == "");
    LayerGradients const gradients =
        layer_gradients(layer.X, layer.weights, pass, layer.output_gradient, layer.settings);
    return {gradients, embedding_gradient(gradients, layer.weights)};
}

} // namespace

TEST_CASE("a layer's forward pass with one head is the lesson, bit for bit") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
            for (Divisor const divisor : {Divisor::sqrt, Divisor::none, Divisor::dk}) {
                LessonState state = five_words(2, 3);
                state.mask = mask;
                state.softmax_axis = axis;
                state.divisor = divisor;
                state.blend = divisor == Divisor::dk ? Blend::embeddings : Blend::values;
                Lesson const expected = lesson(state);
                LayerPass const pass =
                    layer_pass(expected.X, {expected.W_q, expected.W_k, expected.W_v}, layer_settings(state));
                REQUIRE(pass.heads.size() == 1);
                require_equal(pass.heads[0].masked, expected.masked);
                require_equal(pass.heads[0].weights, expected.weights);
                require_equal(pass.output, expected.output);
                require_equal(pass.visible, expected.visible);
            }
        }
    }
}

TEST_CASE("a layer's gradients agree with automatic differentiation within 1e-12 of the largest") {
    for_each_reference_layer([](TestedLayer const& layer, nlohmann::json const& expected) {
        GradientsOfLayer const gradients = gradients_of(layer);
        std::pair<char const*, Matrix<double> const*> const named[] = {
            {"Q", &gradients.layer.Q},     {"K", &gradients.layer.K},
            {"V", &gradients.layer.V},     {"W_q", &gradients.layer.W_q},
            {"W_k", &gradients.layer.W_k}, {"W_v", &gradients.layer.W_v},
            {"X", &gradients.X},           {"W_shared", &gradients.layer.W_shared}};
        for (auto const& [name, gradient] : named) {
            CAPTURE(name);
            if (expected.contains(name)) {
                CHECK(largest_error(*gradient, matrix_from(expected.at(name))) <= 1e-12);
            } else {
                CHECK(gradient->size() == 0);
            }
        }
        REQUIRE(gradients.layer.scores.size() == layer.settings.heads);
        for (std::size_t h = 0; h < layer.settings.heads; ++h) {
            CHECK(largest_error(gradients.layer.scores[h], matrix_from(expected.at("scores")[h])) <= 1e-12);
        }
    });
}

TEST_CASE("a layer's gradients agree with central differences in every mode") {
    for_each_reference_layer([](TestedLayer const& reference, nlohmann::json const&) {
        TestedLayer layer = reference;
        GradientsOfLayer const gradients = gradients_of(layer);
        auto const loss_now = [&] {
            return loss(layer_pass(layer.X, layer.weights, layer.settings).output, layer.output_gradient);
        };
        CHECK(largest_error(gradients.X, differences(layer.X, loss_now)) <= difference_tolerance);
        if (layer.settings.projections == ProjectionMode::identity) {
            return;
        }
        CHECK(largest_error(gradients.layer.W_q, differences(layer.weights.W_q, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.layer.W_k, differences(layer.weights.W_k, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.layer.W_v, differences(layer.weights.W_v, loss_now)) <= difference_tolerance);
        if (layer.settings.projections == ProjectionMode::shared) {
            Matrix<double> W = layer.weights.W_q;
            auto const shared_loss_now = [&] {
                return loss(layer_pass(layer.X, {W, W, W}, layer.settings).output, layer.output_gradient);
            };
            CHECK(largest_error(gradients.layer.W_shared, differences(W, shared_loss_now)) <= difference_tolerance);
        }
    });
}

TEST_CASE("gradients through a sliding window agree with differences, along either axis") {
    for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
        TestedLayer layer = {
            scattered(5, 4, 1), {scattered(4, 3, 2), scattered(4, 3, 3), scattered(4, 2, 4)}, scattered(5, 2, 5), {}};
        layer.settings.mask = LessonMask::window;
        layer.settings.window = 2;
        layer.settings.softmax_axis = axis;
        GradientsOfLayer const gradients = gradients_of(layer);
        auto const loss_now = [&] {
            return loss(layer_pass(layer.X, layer.weights, layer.settings).output, layer.output_gradient);
        };
        CHECK(largest_error(gradients.layer.W_q, differences(layer.weights.W_q, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.layer.W_k, differences(layer.weights.W_k, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.layer.W_v, differences(layer.weights.W_v, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.X, differences(layer.X, loss_now)) <= difference_tolerance);
        for (std::size_t i = 0; i < 5; ++i) {
            for (std::size_t j = 0; j < 5; ++j) {
                bool const is_seen = j <= i && i < j + 2;
                CHECK((gradients.layer.scores[0](i, j) != 0) ==
                      (is_seen && !(axis == SoftmaxAxis::keys && i == 0) && !(axis == SoftmaxAxis::queries && j == 4)));
            }
        }
    }
}

TEST_CASE("each head's gradients are those of a layer of its own") {
    TestedLayer const layer = {scattered(5, 4, 1),
                               {scattered(4, 6, 2), scattered(4, 6, 3), scattered(4, 4, 4)},
                               scattered(5, 4, 5),
                               {std::sqrt(3.0), LessonMask::causal, ProjectionMode::separate, SoftmaxAxis::keys,
                                SoftmaxForm::stable, Blend::values, 2}};
    GradientsOfLayer const both = gradients_of(layer);
    for (std::size_t h = 0; h < 2; ++h) {
        TestedLayer one = layer;
        one.settings.heads = 1;
        one.weights = {columns_of(layer.weights.W_q, 3 * h, 3), columns_of(layer.weights.W_k, 3 * h, 3),
                       columns_of(layer.weights.W_v, 2 * h, 2)};
        one.output_gradient = columns_of(layer.output_gradient, 2 * h, 2);
        GradientsOfLayer const alone = gradients_of(one);
        require_equal(columns_of(both.layer.W_q, 3 * h, 3), alone.layer.W_q);
        require_equal(columns_of(both.layer.W_k, 3 * h, 3), alone.layer.W_k);
        require_equal(columns_of(both.layer.W_v, 2 * h, 2), alone.layer.W_v);
        require_equal(both.layer.scores[h], alone.layer.scores[0]);
    }
}

TEST_CASE("a late mask still lets hidden keys' scores have a gradient, as the softmax saw them") {
    LessonState state = five_words(2, 3);
    state.mask = LessonMask::late;
    LessonGradients const late = lesson_gradients(state, scattered(5, 3, 8));
    CHECK(late.layer.scores[0](0, 4) != 0);
    state.mask = LessonMask::causal;
    LessonGradients const causal = lesson_gradients(state, scattered(5, 3, 8));
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = i + 1; j < 5; ++j) {
            CHECK(causal.layer.scores[0](i, j) == 0);
        }
    }
}

TEST_CASE("a lesson's gradients are the layer's at its own X and matrices, with their norms by role") {
    LessonState const state = five_words(2, 3);
    Lesson const at = lesson(state);
    Matrix<double> const output_gradient = scattered(5, 3, 9);
    LessonGradients const gradients = lesson_gradients(state, output_gradient);
    GradientsOfLayer const expected =
        gradients_of({at.X, {at.W_q, at.W_k, at.W_v}, output_gradient, layer_settings(state)});
    require_equal(gradients.layer.W_q, expected.layer.W_q);
    require_equal(gradients.X, expected.X);
    CHECK(gradients.W_q_norm == frobenius_norm(expected.layer.W_q));
    CHECK(gradients.W_k_norm == frobenius_norm(expected.layer.W_k));
    CHECK(gradients.W_v_norm == frobenius_norm(expected.layer.W_v));
    CHECK(frobenius_norm(Matrix<double>{{1, -2, 0}, {2, 4, 12}}) == 13);
    AttentionGradients<double> const plain = attention_gradients(at.Q, at.K, at.V, output_gradient);
    require_close(gradients.layer.Q, plain.query, 1e-15, 1e-13);
    require_close(gradients.layer.K, plain.key, 1e-15, 1e-13);
    require_close(gradients.layer.V, plain.value, 1e-15, 1e-13);
}

TEST_CASE("without the divisor a wide lesson's softmax lets next to nothing through, and the path past it stays") {
    LessonState state;
    state.d_k = state.d_v = 64;
    Matrix<double> const output_gradient = scattered(6, 64, 10);
    LessonGradients const scaled = lesson_gradients(state, output_gradient);
    state.divisor = Divisor::none;
    LessonGradients const unscaled = lesson_gradients(state, output_gradient);
    double const reaching_scores = frobenius_norm(scaled.layer.scores[0]);
    CHECK(frobenius_norm(unscaled.layer.scores[0]) < 0.1 * reaching_scores);
    CHECK(unscaled.W_v_norm > scaled.W_v_norm);
}

TEST_CASE("without parameters norms are 0 and X alone has a gradient, and where X is blended W_v has none") {
    LessonState state = five_words(2, 3);
    state.projections = ProjectionMode::identity;
    state.d_k = state.d_v = state.d_model;
    LessonGradients const identity = lesson_gradients(state, scattered(5, 4, 11));
    CHECK(identity.W_q_norm + identity.W_k_norm + identity.W_v_norm == 0);
    CHECK(frobenius_norm(identity.X) > 0);
    state = five_words(2, 3);
    state.blend = Blend::embeddings;
    LessonGradients const embeddings = lesson_gradients(state, scattered(5, 4, 11));
    CHECK(embeddings.W_q_norm > 0);
    CHECK(embeddings.W_v_norm == 0);
    require_equal(embeddings.layer.W_v, make_matrix<double>(4, 3));
}

TEST_CASE("a lesson without gradients says why") {
    LessonState state = five_words(2, 3);
    auto const sentence = [&](Matrix<double> const& output_gradient) {
        std::string const found = sentence_of(find_problem(state, output_gradient));
        CHECK(thrown_by([&] { lesson_gradients(state, output_gradient); }) == found);
        return found;
    };
    CHECK(sentence(make_matrix<double>(5, 3)) == "");
    CHECK(sentence(make_matrix<double>(5, 4)) == "output_gradient has shape (5, 4), but the output has shape (5, 3)");
    CHECK(sentence(make_matrix<double>(5, 3, not_a_number)) ==
          "output_gradient is NaN at (0, 0), but it must be finite");
    state.row = 5;
    CHECK(sentence(make_matrix<double>(5, 3)) == "row is 5, but must be a whole number from 0 to 4");
    state = LessonState();
    state.d_k = state.d_v = 64;
    state.divisor = Divisor::none;
    state.softmax = SoftmaxForm::naive;
    CHECK_THAT(sentence(make_matrix<double>(6, 64)), Catch::StartsWith("softmax overflows to NaN at "));
}

TEST_CASE("a layer whose scores overflow has NaN for output, and says where") {
    TestedLayer layer = {scattered(3, 2, 12),
                         {scattered(2, 2, 13), scattered(2, 2, 14), scattered(2, 1, 15)},
                         make_matrix<double>(3, 1),
                         {}};
    layer.weights.W_q(0, 0) = 1e308;
    layer.weights.W_k(0, 0) = 1e308;
    LayerPass const pass = layer_pass(layer.X, layer.weights, layer.settings);
    CHECK(std::isnan(pass.output(2, 0)));
    CHECK_THAT(sentence_of(find_overflow(pass)), Catch::StartsWith("scores overflow to "));
}

TEST_CASE("a layer whose parts do not belong together is refused with both shapes") {
    auto const sentence = [](auto const& change) {
        TestedLayer layer = {scattered(3, 2, 12),
                             {scattered(2, 6, 13), scattered(2, 6, 14), scattered(2, 4, 15)},
                             make_matrix<double>(3, 4),
                             {}};
        change(layer);
        std::string const found = sentence_of(find_problem(layer.X, layer.weights, layer.settings));
        CHECK(thrown_by([&] { layer_pass(layer.X, layer.weights, layer.settings); }) == found);
        return found;
    };
    CHECK(sentence([](TestedLayer&) {}) == "");
    CHECK(sentence([](TestedLayer& layer) { layer.X = make_matrix<double>(0, 2); }) ==
          "X has shape (0, 2), but every axis must be at least 1");
    CHECK(sentence([](TestedLayer& layer) { layer.X = make_matrix<double>(3, 5); }) ==
          "W_q has shape (2, 6), but X has d_model = 5");
    CHECK(sentence([](TestedLayer& layer) { layer.weights.W_k = make_matrix<double>(2, 5); }) ==
          "W_k has shape (2, 5), but W_q has shape (2, 6)");
    CHECK(sentence([](TestedLayer& layer) { layer.weights.W_v = make_matrix<double>(3, 4); }) ==
          "W_v has shape (3, 4), but X has d_model = 2");
    CHECK(sentence([](TestedLayer& layer) { layer.settings.projections = ProjectionMode::shared; }) ==
          "W_v has shape (2, 4), but one matrix is shared, and W_q has shape (2, 6)");
    CHECK(sentence([](TestedLayer& layer) { layer.settings.heads = 3; }) ==
          "heads is 3, but must share out 6 and 4 columns evenly");
    CHECK(sentence([](TestedLayer& layer) { layer.settings.heads = 0; }) ==
          "heads is 0, but must share out 6 and 4 columns evenly");
    CHECK(sentence([](TestedLayer& layer) { layer.settings.divisor = 0; }) ==
          "divisor is not above 0, but must be positive and finite");
    CHECK(sentence([](TestedLayer& layer) { layer.settings.divisor = not_a_number; }) ==
          "divisor is not finite, but must be positive and finite");
}
