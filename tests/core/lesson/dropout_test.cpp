// Dropout after the softmax: which weights are dropped, what it does to the figures, the laws and the gradients.
#include "comparison.hpp"
#include "differences.hpp"
#include "gradient.hpp"
#include "layer.hpp"
#include "lesson_states.hpp"
#include "testing.hpp"
#include "training.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState dropping(double dropout) {
    LessonState state = five_words(3, 2);
    state.dropout = dropout;
    return state;
}

double row_sum(Matrix<double> const& matrix, std::size_t row) {
    double sum = 0;
    for (std::size_t j = 0; j < matrix.shape(1); ++j) {
        sum += matrix(row, j);
    }
    return sum;
}

std::size_t kept_of(Visibility const& kept) {
    return static_cast<std::size_t>(std::count(kept.begin(), kept.end(), 1));
}

} // namespace

TEST_CASE("without dropout nothing is dropped, and no table says what") {
    Lesson const plain = lesson(dropping(0));
    CHECK(plain.kept.size() == 0);
    require_equal(plain.weights, plain.softmax.weights);
}

TEST_CASE("a kept weight is the softmax's divided by 1 - p, a dropped one exactly 0") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        LessonState state = dropping(0.25);
        state.mask = mask;
        Lesson const actual = lesson(state);
        std::size_t dropped = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            for (std::size_t j = 0; j < 5; ++j) {
                double const before = actual.visible(i, j) != 0 ? actual.softmax.weights(i, j) : 0;
                CHECK(actual.weights(i, j) == (actual.kept(i, j) != 0 ? before / 0.75 : 0));
                dropped += actual.kept(i, j) == 0 ? 1 : 0;
            }
        }
        CHECK(dropped > 0);
        CHECK(dropped < 25);
    }
}

TEST_CASE("which weights are kept is decided by seed, head and places alone") {
    Visibility const kept = lesson(dropping(0.4)).kept;
    LessonState other = dropping(0.4);
    other.d_model = other.d_k = other.d_v = 7;
    other.divisor = Divisor::none;
    other.mask = LessonMask::causal;
    other.softmax_axis = SoftmaxAxis::queries;
    other.tokens[2] = "elsewhere";
    require_equal(lesson(other).kept, kept);
    other.tokens.emplace_back("longer");
    Visibility const longer = lesson(other).kept;
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 5; ++j) {
            CHECK(longer(i, j) == kept(i, j));
        }
    }
    other = dropping(0.4);
    other.heads = 2;
    Layer const both = layer(other);
    require_equal(both.pass.heads[0].kept, kept);
    CHECK(difference(both.pass.heads[1].kept, kept) != "");
    other.head = 1;
    require_equal(lesson(other).kept, both.pass.heads[1].kept);
    require_equal(lesson(other).weights, both.pass.heads[1].weights);
    other = dropping(0.4);
    ++other.seed;
    CHECK(difference(lesson(other).kept, kept) != "");
}

TEST_CASE("a higher probability drops more, and everything that a lower one drops") {
    Visibility before = kept_weights(30, 20, 0, 9);
    CHECK(kept_of(before) == 600);
    for (double const dropout : {0.1, 0.5, 0.9}) {
        Visibility const kept = kept_weights(30, 20, dropout, 9);
        // Five standard deviations of 600 draws.
        CHECK(std::fabs(static_cast<double>(kept_of(kept)) / 600 - (1 - dropout)) <
              5 * std::sqrt(dropout * (1 - dropout) / 600));
        for (std::size_t entry = 0; entry < kept.size(); ++entry) {
            CHECK(kept.data()[entry] <= before.data()[entry]);
        }
        before = kept;
    }
}

TEST_CASE("some queries, or all of them and some keys, are dropped as the whole is") {
    Visibility const whole = kept_weights(7, 7, 0.5, 3, 2);
    Visibility const rows = kept_weights(2, 7, 0.5, 3, 2, 4);
    Visibility const columns = kept_weights(7, 3, 0.5, 3, 2, -2);
    for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            CHECK(columns(i, j) == whole(i, j + 2));
        }
    }
    for (std::size_t j = 0; j < 7; ++j) {
        CHECK(rows(0, j) == whole(4, j));
        CHECK(rows(1, j) == whole(5, j));
    }
}

TEST_CASE("a row with dropped weights is no distribution, and over many seeds its sum is 1 on average") {
    Lesson const actual = lesson(dropping(0.5));
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(actual.rows.row_sum(i) == row_sum(actual.weights, i));
        CHECK(actual.rows.state[i] == SoftmaxState::not_a_distribution);
    }
    double mean = 0;
    for (std::uint32_t seed = 0; seed < 4000; ++seed) {
        Matrix<double> weights = {{0.1, 0.6, 0.25, 0.05}};
        apply_dropout(weights, kept_weights(1, 4, 0.3, seed), 0.3);
        mean += row_sum(weights, 0) / 4000;
    }
    // Five standard deviations: of a sum p / (1 - p) sum a², of the mean a 4000th of that.
    CHECK(std::fabs(mean - 1) < 5 * std::sqrt(0.3 / 0.7 * (0.01 + 0.36 + 0.0625 + 0.0025) / 4000));
}

TEST_CASE("the Jacobian is that of the weights that dropout leaves, times what they are scaled by") {
    LessonState state = dropping(0.5);
    state.row = 3;
    LessonState without = dropping(0);
    without.row = 3;
    Lesson const actual = lesson(state);
    Matrix<double> expected = compare_jacobians(without).scaled;
    double squares = 0;
    for (std::size_t j = 0; j < expected.shape(0); ++j) {
        for (std::size_t l = 0; l < expected.shape(1); ++l) {
            expected(j, l) *= actual.kept(3, j) != 0 ? 2 : 0;
            squares += expected(j, l) * expected(j, l);
        }
    }
    JacobianComparison const pair = compare_jacobians(state);
    require_close(pair.scaled, expected, 0, 1e-15);
    CHECK(squares > 0);
    CHECK(pair.scaled_norm == Approx(std::sqrt(squares)).epsilon(1e-13));
    CHECK(actual.rows.jacobian(3) == pair.scaled_norm);
}

TEST_CASE("dropout breaks the sum of rows and the order of tokens, and hides the future and the past as before") {
    auto const broken = [](LessonState const& state) {
        std::string names;
        for (Proof const& proof : prove(state)) {
            names += proof.outcome == Outcome::fails ? std::string(name_of(proof.law)) + " " : "";
        }
        return names;
    };
    LessonState state;
    CHECK(broken(state) == "");
    state.dropout = 0.5;
    CHECK(broken(state) == "rows_sum_to_one order_does_not_count ");
    state.mask = LessonMask::causal;
    state.dropout = 0.8;
    // In this draw row 4 keeps none of its five weights, and no gradient comes back through it.
    REQUIRE(lesson(state).rows.row_sum(4) == 0);
    CHECK(broken(state) == "rows_sum_to_one gradient_is_alive ");
}

TEST_CASE("gradients go back through kept weights alone, as by hand and by central differences") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
            LessonState state = dropping(0.4);
            state.mask = mask;
            state.softmax_axis = axis;
            state.heads = 2;
            Layer at = layer(state);
            LayerSettings const settings = layer_settings(state);
            Matrix<double> const G = scattered(5, 4, 21);
            LayerGradients const gradients = layer_gradients(at.X, at.weights, at.pass, G, settings);
            auto const loss_now = [&] { return loss(layer_pass(at.X, at.weights, settings).output, G); };
            CHECK(largest_error(embedding_gradient(gradients, at.weights), differences(at.X, loss_now)) <=
                  difference_tolerance);
            CHECK(largest_error(gradients.W_q, differences(at.weights.W_q, loss_now)) <= difference_tolerance);
            CHECK(largest_error(gradients.W_k, differences(at.weights.W_k, loss_now)) <= difference_tolerance);
            CHECK(largest_error(gradients.W_v, differences(at.weights.W_v, loss_now)) <= difference_tolerance);
            for (std::size_t h = 0; h < 2; ++h) {
                HeadPass const& head = at.pass.heads[h];
                // dL/da_ij = G_i . v_j / (1 - p) where kept; dL/ds_ij = a_ij (dL/da_ij - sum of a dL/da of the line).
                Matrix<double> const& a = head.softmax.weights;
                auto const of_weight = [&](std::size_t i, std::size_t j) -> long double {
                    bool const is_used = head.kept(i, j) != 0 && at.pass.visible(i, j) != 0;
                    long double sum = 0;
                    for (std::size_t c = 0; c < 2; ++c) {
                        sum += static_cast<long double>(G(i, 2 * h + c)) * static_cast<long double>(head.V(j, c));
                    }
                    return is_used ? sum / 0.6L : 0;
                };
                Matrix<double> expected = make_matrix<double>(5, 5);
                for (std::size_t i = 0; i < 5; ++i) {
                    for (std::size_t j = 0; j < 5; ++j) {
                        long double line = 0;
                        for (std::size_t l = 0; l < 5; ++l) {
                            line += axis == SoftmaxAxis::keys ? static_cast<long double>(a(i, l)) * of_weight(i, l)
                                                              : static_cast<long double>(a(l, j)) * of_weight(l, j);
                        }
                        expected(i, j) =
                            static_cast<double>(static_cast<long double>(a(i, j)) * (of_weight(i, j) - line));
                    }
                }
                CHECK(largest_error(gradients.scores[h], expected) <= 1e-12);
            }
        }
    }
}

TEST_CASE("training with dropout descends the loss of the weights that are kept") {
    TrainingOptions options;
    options.steps = 40;
    options.matrices = TrainedMatrices::all;
    options.learning_rate = 0.1;
    Training const training = train(dropping(0.3), options);
    CHECK(training.points.front().loss == task_gradients(dropping(0.3)).point.loss);
    CHECK(training.points.back().loss < 0.9 * training.points.front().loss);
    double mean = 0;
    for (double const jacobian : lesson(dropping(0.3)).rows.jacobian) {
        mean += jacobian / 5;
    }
    CHECK(training.points.front().mean_jacobian == Approx(mean).epsilon(1e-14));
}

TEST_CASE("a probability from 0 to less than 1 is what dropout takes") {
    CHECK(sentence_of(find_problem(dropping(0.999))) == "");
    std::string const expected = ", but must be at least 0 and less than 1";
    CHECK(sentence_of(find_problem(dropping(1))) == "dropout is too large" + expected);
    CHECK(sentence_of(find_problem(dropping(-0.001))) == "dropout is too small" + expected);
    CHECK(sentence_of(find_problem(dropping(not_a_number))) == "dropout is NaN" + expected);
    CHECK(thrown_by([] { lesson(dropping(1.5)); }) == "dropout is too large" + expected);
    LayerSettings settings;
    settings.dropout = 1;
    CHECK(thrown_by([&] {
              layer_pass(scattered(3, 2, 1), {scattered(2, 2, 2), scattered(2, 2, 3), scattered(2, 2, 4)}, settings);
          }) == "dropout is no probability below 1" + expected);
}
