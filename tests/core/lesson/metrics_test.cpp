#include "metrics.hpp"

#include "mask.hpp"
#include "softmax.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

RowMetrics measure(Matrix<double> const& weights) {
    return row_metrics(weights, visibility(weights.shape(0), weights.shape(1)));
}

/// diag(a) - a aᵀ built entry by entry. Its norm, for rows in which nothing cancels.
double explicit_jacobian_norm(Matrix<double> const& weights, std::size_t row) {
    double sum_of_squares = 0;
    for (std::size_t i = 0; i < weights.shape(1); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            double const entry = (i == j ? weights(row, i) : 0) - weights(row, i) * weights(row, j);
            sum_of_squares += entry * entry;
        }
    }
    return std::sqrt(sum_of_squares);
}

/// Of weights that a softmax over all keys left.
Matrix<double> jacobian_of(Matrix<double> const& weights, std::size_t row) {
    Visibility const all = visibility(weights.shape(0), weights.shape(1));
    return softmax_jacobian({weights, all, all}, row);
}

} // namespace

TEST_CASE("the figures of a row can be checked by hand") {
    RowMetrics const rows = measure(Matrix<double>{{0.5, 0.5, 0, 0}, {0.25, 0.25, 0.25, 0.25}});
    require_equal(rows.peak, Vector<double>{0.5, 0.25});
    require_close(rows.entropy, Vector<double>{std::log(2.0), std::log(4.0)}, 0, 1e-15);
    require_close(rows.maximum_entropy, Vector<double>{std::log(4.0), std::log(4.0)}, 0, 1e-15);
    require_equal(rows.row_sum, Vector<double>{1, 1});
    // Row 0: two diagonal entries of 1/4, two others of -1/4. Row 1: 4 (3/16)² + 12 (1/16)² = 3/16.
    require_close(rows.jacobian, Vector<double>{0.5, std::sqrt(3.0 / 16)}, 0, 1e-15);
}

TEST_CASE("the Jacobian's norm agrees with the matrix built entry by entry") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        Matrix<double> weights = scattered(3, 2 + seed % 7, seed);
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < weights.shape(1); ++j) {
                weights(i, j) = std::exp(weights(i, j));
                sum += weights(i, j);
            }
            for (std::size_t j = 0; j < weights.shape(1); ++j) {
                weights(i, j) /= sum;
            }
        }
        RowMetrics const rows = measure(weights);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(rows.jacobian(i) == Approx(explicit_jacobian_norm(weights, i)).epsilon(1e-13));
        }
    }
}

TEST_CASE("the Jacobian's norm agrees on rows that do not sum to 1") {
    Matrix<double> const weights = {{0.9, 0.7, 0.1}, {0.1, 0, 0.2}, {1, 1, 1}};
    RowMetrics const rows = measure(weights);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(rows.jacobian(i) == Approx(explicit_jacobian_norm(weights, i)).epsilon(1e-14));
    }
}

TEST_CASE("the Jacobian of a nearly one-hot row keeps its digits") {
    // For the row (1 - e, e) all four entries are e (1 - e) in size, so that the norm is 2 e (1 - e).
    for (int power = 1; power <= 52; ++power) {
        double const e = std::ldexp(1.0, -power); // 1 - e is exact
        CAPTURE(power);
        require_close(measure(Matrix<double>{{1 - e, e}}).jacobian, Vector<double>{2 * e * (1 - e)}, 0, 1e-15);
    }
}

TEST_CASE("a one-hot row has entropy 0 and a Jacobian of 0") {
    RowMetrics const rows = measure(Matrix<double>{{0, 1, 0}});
    CHECK(rows.peak(0) == 1);
    CHECK(rows.entropy(0) == 0);
    CHECK_FALSE(std::signbit(rows.entropy(0)));
    CHECK(rows.jacobian(0) == 0);
    CHECK(rows.state[0] == SoftmaxState::saturated);
    CHECK(rows.gradient[0] == GradientState::dead);
}

TEST_CASE("the softmax Jacobian of a row can be checked by hand") {
    Matrix<double> const weights = {{1, 0, 0}, {0.5, 0.25, 0.25}};
    require_equal(jacobian_of(weights, 1),
                  Matrix<double>{{0.25, -0.125, -0.125}, {-0.125, 0.1875, -0.0625}, {-0.125, -0.0625, 0.1875}});
    require_equal(jacobian_of(weights, 0), make_matrix<double>(3, 3));
    CHECK(shape_text(jacobian_of(Matrix<double>{{1}}, 0)) == "(1, 1)");
}

TEST_CASE("the softmax Jacobian says how weights move when a score moves") {
    Matrix<double> const scores = scattered(2, 5, 31);
    Visibility const all = visibility(2, 5);
    Matrix<double> const jacobian = jacobian_of(softmax(scores, all).weights, 1);
    double const step = 1e-5;
    for (std::size_t l = 0; l < 5; ++l) {
        Matrix<double> up = scores;
        Matrix<double> down = scores;
        up(1, l) += step;
        down(1, l) -= step;
        for (std::size_t j = 0; j < 5; ++j) {
            double const slope = (softmax(up, all).weights(1, j) - softmax(down, all).weights(1, j)) / (2 * step);
            CHECK(jacobian(j, l) == Approx(slope).margin(1e-9));
        }
    }
}

TEST_CASE("the entries of a nearly one-hot row's Jacobian keep their digits") {
    for (int power = 1; power <= 52; ++power) {
        double const e = std::ldexp(1.0, -power);
        double const entry = e * (1 - e);
        require_equal(jacobian_of(Matrix<double>{{1 - e, e}}, 0), Matrix<double>{{entry, -entry}, {-entry, entry}});
    }
}

TEST_CASE("the order of a row's weights does not matter") {
    RowMetrics const rows = measure(Matrix<double>{{0.1, 0.6, 0.3}, {0.3, 0.1, 0.6}});
    CHECK(rows.peak(0) == rows.peak(1));
    CHECK(rows.entropy(0) == Approx(rows.entropy(1)).epsilon(1e-15));
    CHECK(rows.jacobian(0) == Approx(rows.jacobian(1)).epsilon(1e-15));
}

TEST_CASE("a row is peaked from 0.75 and saturated from 0.95, both included") {
    auto const state_at = [](double peak) { return measure(Matrix<double>{{1 - peak, peak}}).state[0]; };
    CHECK(state_at(0.5) == SoftmaxState::diffuse);
    CHECK(state_at(std::nextafter(0.75, 0.0)) == SoftmaxState::diffuse);
    CHECK(state_at(0.75) == SoftmaxState::peaked);
    CHECK(state_at(std::nextafter(0.95, 0.0)) == SoftmaxState::peaked);
    CHECK(state_at(0.95) == SoftmaxState::saturated);
    CHECK(state_at(1) == SoftmaxState::saturated);
}

TEST_CASE("a row counts as a distribution while its sum is within 1e-9 of 1") {
    auto const state_at = [](double sum) { return measure(Matrix<double>{{0.5, sum - 0.5}}).state[0]; };
    CHECK(state_at(1 + 0.9e-9) == SoftmaxState::diffuse);
    CHECK(state_at(1 - 0.9e-9) == SoftmaxState::diffuse);
    CHECK(state_at(1 + 1.1e-9) == SoftmaxState::not_a_distribution);
    CHECK(state_at(1 - 1.1e-9) == SoftmaxState::not_a_distribution);
    CHECK(measure(Matrix<double>{{0, 0}}).state[0] == SoftmaxState::not_a_distribution);
}

TEST_CASE("a gradient is dead below 0.05, fading below 0.15 and alive from there") {
    // The row (1 - e, e) has norm 2 e (1 - e), which is x at e = (1 - sqrt(1 - 2 x)) / 2.
    auto const gradient_at = [](double norm) {
        double const e = (1 - std::sqrt(1 - 2 * norm)) / 2;
        return measure(Matrix<double>{{1 - e, e}}).gradient[0];
    };
    CHECK(gradient_at(0.0499999) == GradientState::dead);
    CHECK(gradient_at(0.0500001) == GradientState::fading);
    CHECK(gradient_at(0.1499999) == GradientState::fading);
    CHECK(gradient_at(0.1500001) == GradientState::alive);
    CHECK(gradient_at(0.5) == GradientState::alive);
}

TEST_CASE("an evenly spread row is alive however long it is, and a one-hot one dead") {
    for (std::size_t const n : {2U, 6U, 64U, 400U, 512U, 2048U}) {
        Matrix<double> weights = make_matrix<double>(2, n, 1.0 / static_cast<double>(n));
        for (std::size_t j = 0; j < n; ++j) {
            weights(1, j) = j == 1 ? 1 : 0;
        }
        RowMetrics const rows = measure(weights);
        INFO(n);
        CHECK(rows.gradient[0] == GradientState::alive);
        CHECK(rows.gradient[1] == GradientState::dead);
        CHECK(rows.jacobian(0) == Approx(std::sqrt(static_cast<double>(n) - 1) / static_cast<double>(n)));
    }
}

TEST_CASE("a saturated row has a dead or a fading gradient, a diffuse one a living gradient") {
    for (std::size_t const keys : {std::size_t(2), std::size_t(3), std::size_t(10)}) {
        Matrix<double> weights = make_matrix<double>(2, keys, 0.05 / static_cast<double>(keys - 1));
        weights(0, 0) = 0.95;
        for (std::size_t j = 0; j < keys; ++j) {
            weights(1, j) = 1 / static_cast<double>(keys);
        }
        RowMetrics const rows = measure(weights);
        CHECK(rows.state[0] == SoftmaxState::saturated);
        CHECK(rows.gradient[0] == GradientState::fading);
        CHECK(rows.state[1] == SoftmaxState::diffuse);
        CHECK(rows.gradient[1] == GradientState::alive);
    }
}

TEST_CASE("hidden keys take no part, whatever their weights hold") {
    Matrix<double> const weights = {{0.25, not_a_number, 0.75}, {7, 0.5, 0.5}};
    RowMetrics const rows = row_metrics(weights, Visibility{{1, 0, 1}, {0, 1, 1}});
    require_equal(rows.peak, Vector<double>{0.75, 0.5});
    require_equal(rows.row_sum, Vector<double>{1, 1});
    require_close(rows.maximum_entropy, Vector<double>{std::log(2.0), std::log(2.0)}, 0, 1e-15);
    require_close(rows.jacobian, Vector<double>{0.375, 0.5}, 0, 1e-15);
    CHECK(rows.state[0] == SoftmaxState::peaked);
    CHECK(rows.state[1] == SoftmaxState::diffuse);
}

TEST_CASE("a row that sees no key is named so, with every figure 0") {
    RowMetrics const rows = row_metrics(Matrix<double>{{0, 0}, {1, 0}}, Visibility{{0, 0}, {1, 0}});
    CHECK(rows.state[0] == SoftmaxState::no_visible_key);
    CHECK(rows.gradient[0] == GradientState::no_choice);
    for (Vector<double> const* figure :
         {&rows.peak, &rows.entropy, &rows.maximum_entropy, &rows.jacobian, &rows.row_sum}) {
        CHECK((*figure)(0) == 0);
    }
    CHECK(rows.state[1] == SoftmaxState::saturated);
    CHECK(rows.gradient[1] == GradientState::no_choice); // a single key: its weight cannot change
    CHECK(rows.maximum_entropy(1) == 0);
}

TEST_CASE("NaN makes a row no distribution with undefined gradient, wherever it stands") {
    for (std::size_t place = 0; place < 3; ++place) {
        Matrix<double> weights = {{0.25, 0.5, 0.25}};
        weights(0, place) = not_a_number;
        RowMetrics const rows = measure(weights);
        CAPTURE(place);
        CHECK(std::isnan(rows.peak(0)));
        CHECK(std::isnan(rows.row_sum(0)));
        CHECK(rows.state[0] == SoftmaxState::not_a_distribution);
        CHECK(rows.gradient[0] == GradientState::undefined);
    }
    RowMetrics const infinite = measure(Matrix<double>{{infinity, 0}});
    CHECK(infinite.state[0] == SoftmaxState::not_a_distribution);
    CHECK(infinite.gradient[0] == GradientState::undefined);
}

TEST_CASE("states and gradients have the names that the widget shows") {
    CHECK(std::string(name_of(SoftmaxState::diffuse)) == "diffuse");
    CHECK(std::string(name_of(SoftmaxState::peaked)) == "peaked");
    CHECK(std::string(name_of(SoftmaxState::saturated)) == "saturated (one-hot)");
    CHECK(std::string(name_of(SoftmaxState::no_visible_key)) == "no visible key");
    CHECK(std::string(name_of(SoftmaxState::not_a_distribution)) == "not a distribution");
    CHECK(std::string(name_of(GradientState::alive)) == "alive");
    CHECK(std::string(name_of(GradientState::fading)) == "fading");
    CHECK(std::string(name_of(GradientState::dead)) == "dead");
    CHECK(std::string(name_of(GradientState::no_choice)) == "no choice");
    CHECK(std::string(name_of(GradientState::undefined)) == "undefined");
}

TEST_CASE("spread is the population standard deviation of the visible scores of all rows") {
    Matrix<double> const scores = {{2, 4, 4}, {4, 5, 5}, {7, 9, -100}};
    // 2 4 4 4 5 5 7 9 have mean 5 and variance 4.
    CHECK(score_spread(scores, Visibility{{1, 1, 1}, {1, 1, 1}, {1, 1, 0}}) == 2);
    CHECK(score_spread(scores, Visibility{{1, 1, 0}, {0, 0, 0}, {0, 0, 0}}) == 1);
    CHECK(score_spread(scores, Visibility{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}) == 0);
    CHECK(score_spread(scores, visibility(3, 3)) > 30);
}

TEST_CASE("spread ignores hidden scores that are not finite, and is 0 where nothing is visible") {
    Matrix<double> const scores = {{1, -infinity}, {not_a_number, 3}};
    CHECK(score_spread(scores, Visibility{{1, 0}, {0, 1}}) == 1);
    CHECK(score_spread(scores, Visibility{{0, 0}, {0, 0}}) == 0);
}

TEST_CASE("spread grows with the scores and does not move with their mean") {
    Matrix<double> const scores = scattered(4, 6, 8);
    double const spread = score_spread(scores, visibility(4, 6));
    Matrix<double> moved = scores;
    Matrix<double> stretched = scores;
    for (double& score : moved) {
        score += 1e6;
    }
    for (double& score : stretched) {
        score *= 8;
    }
    CHECK(score_spread(moved, visibility(4, 6)) == Approx(spread).epsilon(1e-9));
    CHECK(score_spread(stretched, visibility(4, 6)) == Approx(8 * spread).epsilon(1e-14));
}

TEST_CASE("visibility of another shape than the table is refused with both shapes") {
    CHECK_THROWS_WITH(row_metrics(make_matrix<double>(2, 3), visibility(3, 2)),
                      "weights has shape (2, 3), but visible has shape (3, 2)");
    CHECK_THROWS_WITH(score_spread(make_matrix<double>(2, 3), visibility(2, 4)),
                      "scores has shape (2, 3), but visible has shape (2, 4)");
}
