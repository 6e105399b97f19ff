#include "softmax.hpp"

#include "mask.hpp"
#include "metrics.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

template <class T> Visibility everything(Matrix<T> const& scores) {
    return visibility(scores.shape(0), scores.shape(1));
}

template <class T> Matrix<T> weights_of(Matrix<T> const& scores) {
    return softmax(scores, everything(scores)).weights;
}

template <class T> double row_sum(Matrix<T> const& weights, std::size_t row) {
    double sum = 0;
    for (std::size_t j = 0; j < weights.shape(1); ++j) {
        sum += static_cast<double>(weights(row, j));
    }
    return sum;
}

} // namespace

TEST_CASE("weights are exponentials over their sum, row by row") {
    // exp 0 = 1, exp ln 2 = 2, exp ln 5 = 5.
    Matrix<double> const scores = {{0, std::log(2.0), std::log(5.0)}, {std::log(3.0), 0, 0}};
    require_close(weights_of(scores), Matrix<double>{{1.0 / 8, 2.0 / 8, 5.0 / 8}, {3.0 / 5, 1.0 / 5, 1.0 / 5}}, 0,
                  1e-15);
}

TEST_CASE("what is read after the function has ended is what it computed") {
    Softmax<double> const result = softmax(Matrix<double>{{1, 2, 3}, {0, 0, 0}}, visibility(2, 3));
    double const third = 1.0 / 3;
    require_close(result.weights,
                  Matrix<double>{{0.09003057317038043, 0.24472847105479767, 0.6652409557748218}, {third, third, third}},
                  0, 1e-15);
    require_equal(result.reference, Vector<double>{3, 0});
    require_close(result.exponentials, Matrix<double>{{0.1353352832366127, 0.36787944117144233, 1}, {1, 1, 1}}, 0,
                  1e-15);
    require_close(result.total, Vector<double>{1.5032147244080551, 3}, 0, 1e-15);
}

TEST_CASE("every row sums to 1 and holds no negative weight, at 1 to 512 keys") {
    for (std::size_t const n_key : {std::size_t(1), std::size_t(2), std::size_t(64), std::size_t(512)}) {
        for (double const factor : {1e-3, 1.0, 30.0, 1e4}) {
            Matrix<double> scores = scattered(5, n_key, 3);
            for (double& score : scores) {
                score *= factor;
            }
            Matrix<double> const weights = weights_of(scores);
            CAPTURE(n_key, factor);
            for (std::size_t i = 0; i < 5; ++i) {
                CHECK(std::fabs(row_sum(weights, i) - 1) <= 1e-12);
            }
            CHECK(std::all_of(weights.begin(), weights.end(), [](double weight) { return weight >= 0; }));
        }
    }
}

TEST_CASE("a constant added to a row changes nothing but the rounding") {
    Matrix<double> const scores = scattered(3, 7, 5);
    for (double const constant : {-1e4, -700.0, 700.0, 1e4}) {
        Matrix<double> moved = scores;
        for (double& score : moved) {
            score += constant;
        }
        require_close(weights_of(moved), weights_of(scores), 0, 1e-11);
    }
}

TEST_CASE("scores of ten thousand, of minus ten thousand and both at once stay finite") {
    require_close(weights_of(Matrix<double>{{1e4, 1e4 - 1}, {-1e4, -1e4 - 1}}),
                  Matrix<double>{{0.7310585786300049, 0.2689414213699951}, {0.7310585786300049, 0.2689414213699951}}, 0,
                  1e-15);
    require_equal(weights_of(Matrix<double>{{1e4, -1e4, 0}}), Matrix<double>{{1, 0, 0}});
    require_equal(weights_of(Matrix<float>{{1e4f, -1e4f, 0}}), Matrix<float>{{1, 0, 0}});
    require_equal(weights_of(Matrix<double>{{-1e4, -2e4, -3e4}}), Matrix<double>{{1, 0, 0}});
}

TEST_CASE("a row of negative scores only, and one with a single large score, sum to 1") {
    require_close(weights_of(Matrix<double>{{-250.5, -424, -460, 378, -292}}), Matrix<double>{{0, 0, 0, 1, 0}}, 1e-15);
    require_equal(weights_of(Matrix<double>{{800, 1, 1}}), Matrix<double>{{1, 0, 0}});
    require_close(weights_of(Matrix<double>{{-1000, -1001}}), Matrix<double>{{0.7310585786300049, 0.2689414213699951}},
                  0, 1e-15);
}

TEST_CASE("close scores of eight thousand keep the precision of float64") {
    // 1 / (1 + exp 0.01); in float32 the difference would come out as 0.00976…
    require_close(weights_of(Matrix<double>{{7999.99, 8000, 2, 1}}), Matrix<double>{{0.4975000208, 0.5024999792, 0, 0}},
                  1e-10);
}

TEST_CASE("equal scores get equal weights") {
    for (double const score : {0.0, 1e4, -1e4, 3.25}) {
        require_equal(weights_of(make_matrix<double>(2, 4, score)), make_matrix<double>(2, 4, 0.25));
    }
}

TEST_CASE("a single key gets weight 1, whatever its score") {
    require_equal(weights_of(Matrix<double>{{-3}, {1e300}, {0}}), Matrix<double>{{1}, {1}, {1}});
}

TEST_CASE("weights are normalised along the keys, so each query's row sums to 1") {
    Matrix<double> const scores = {{2, 0}, {0, 0}};
    require_close(softmax(scores, visibility(2, 2), SoftmaxAxis::keys).weights,
                  Matrix<double>{{0.8807970779778823, 0.1192029220221176}, {0.5, 0.5}}, 0, 1e-14);
    require_close(weights_of(Matrix<double>{{2, 0, 1}}),
                  Matrix<double>{{0.6652409557748218, 0.09003057317038043, 0.24472847105479767}}, 0, 1e-15);
}

TEST_CASE("the wrong axis normalises each key's column") {
    require_close(softmax(Matrix<double>{{2, 0}, {0, 0}}, visibility(2, 2), SoftmaxAxis::queries).weights,
                  Matrix<double>{{0.8807970779778823, 0.5}, {0.1192029220221176, 0.5}}, 0, 1e-14);
    require_equal(softmax(Matrix<double>{{2, 0, 1}}, visibility(1, 3), SoftmaxAxis::queries).weights,
                  Matrix<double>{{1, 1, 1}});
}

TEST_CASE("the wrong axis is the right one on the transposed table, masks included") {
    for (SoftmaxForm const form : {SoftmaxForm::stable, SoftmaxForm::naive}) {
        Matrix<double> const scores = scattered(3, 5, 11);
        Visibility const visible = {{1, 0, 1, 0, 1}, {1, 1, 0, 0, 1}, {0, 1, 1, 0, 1}};
        Softmax<double> const wrong = softmax(scores, visible, SoftmaxAxis::queries, form);
        Softmax<double> const right = softmax(transposed(scores), transposed(visible), SoftmaxAxis::keys, form);
        require_equal(wrong.weights, transposed(right.weights));
        require_equal(wrong.exponentials, transposed(right.exponentials));
        require_equal(wrong.reference, right.reference);
        require_equal(wrong.total, right.total);
        REQUIRE(wrong.total.size() == 5);
        CHECK(wrong.total(3) == 0); // nobody sees key 3
    }
}

TEST_CASE("a hidden key gets weight exactly 0 and no say in the others, whatever its score") {
    Visibility const visible = {{1, 1, 0}, {0, 1, 1}};
    for (double const hidden : {not_a_number, infinity, -infinity, 1e308, 0.0}) {
        Softmax<double> const result = softmax(Matrix<double>{{1, 2, hidden}, {hidden, 0, 0}}, visible);
        require_close(result.weights, Matrix<double>{{0.2689414213699951, 0.7310585786300049, 0}, {0, 0.5, 0.5}}, 0,
                      1e-15);
        CHECK(result.weights(0, 2) == 0);
        CHECK(result.weights(1, 0) == 0);
        CHECK(result.exponentials(0, 2) == 0);
        require_equal(result.reference, Vector<double>{2, 0});
    }
}

TEST_CASE("a mask reads 1 as visible, and inside out it gives other weights") {
    Matrix<double> const scores = {{1, 5}, {1, 2}};
    require_close(softmax(scores, Visibility{{1, 0}, {1, 1}}).weights,
                  Matrix<double>{{1, 0}, {0.2689414213699951, 0.7310585786300049}}, 0, 1e-15);
    require_equal(softmax(scores, Visibility{{0, 1}, {0, 0}}).weights, Matrix<double>{{0, 1}, {0, 0}});
}

TEST_CASE("a row that sees no key is exactly 0, whatever its scores") {
    for (double const score : {-infinity, not_a_number, -1000.0, 0.0}) {
        for (SoftmaxForm const form : {SoftmaxForm::stable, SoftmaxForm::naive}) {
            Matrix<double> const scores = {{score, score, score}, {0, 0, 0}};
            Softmax<double> const result = softmax(scores, Visibility{{0, 0, 0}, {1, 0, 1}}, SoftmaxAxis::keys, form);
            require_equal(result.weights, Matrix<double>{{0, 0, 0}, {0.5, 0, 0.5}});
            CHECK(result.total(0) == 0);
            CHECK(result.reference(0) == 0);
        }
    }
}

TEST_CASE("a row of very low scores is not taken for a hidden one") {
    require_equal(weights_of(Matrix<double>{{-1000, -2000, -3000}}), Matrix<double>{{1, 0, 0}});
    double const lowest = std::numeric_limits<double>::lowest();
    require_equal(weights_of(Matrix<double>{{lowest, lowest}}), Matrix<double>{{0.5, 0.5}});
}

TEST_CASE("a visible score that is not finite is refused, at whatever place it stands") {
    CHECK_THROWS_WITH(weights_of(Matrix<double>{{0, 0, 0}, {1, not_a_number, 3}}),
                      "scores is NaN for query 1, key 1, but a visible score must be finite");
    CHECK_THROWS_WITH(weights_of(Matrix<double>{{not_a_number, 2, 1}}),
                      "scores is NaN for query 0, key 0, but a visible score must be finite");
    CHECK_THROWS_WITH(weights_of(Matrix<double>{{1, 2, not_a_number}}),
                      "scores is NaN for query 0, key 2, but a visible score must be finite");
    CHECK_THROWS_WITH(weights_of(Matrix<double>{{1, infinity}}),
                      "scores is infinity for query 0, key 1, but a visible score must be finite");
    CHECK_THROWS_WITH(weights_of(Matrix<double>{{-infinity, -infinity}}),
                      "scores is -infinity for query 0, key 0, but a visible score must be finite");
}

TEST_CASE("visibility of another shape is refused with both shapes") {
    CHECK_THROWS_WITH(softmax(make_matrix<double>(2, 3), visibility(3, 2)),
                      "visible has shape (3, 2), but scores has shape (2, 3)");
}

TEST_CASE("the naive form gives the same weights where nothing overflows") {
    Matrix<double> const scores = scattered(4, 6, 17);
    Softmax<double> const naive = softmax(scores, visibility(4, 6), SoftmaxAxis::keys, SoftmaxForm::naive);
    require_close(naive.weights, weights_of(scores), 0, 1e-14);
    require_equal(naive.reference, make_vector<double>(4));
    CHECK(naive.exponentials(0, 0) == std::exp(scores(0, 0)));
}

TEST_CASE("the naive form breaks on large scores, and its rows are no distribution") {
    Matrix<double> const scores = {{800, 1, 1}, {-800, -801, -802}, {1, 2, 3}};
    Softmax<double> const naive = softmax(scores, visibility(3, 3), SoftmaxAxis::keys, SoftmaxForm::naive);
    CHECK(naive.exponentials(0, 0) == infinity);
    CHECK(naive.total(0) == infinity);
    CHECK(std::isnan(naive.weights(0, 0))); // infinity over infinity
    CHECK(naive.weights(0, 1) == 0);
    CHECK(naive.total(1) == 0);
    CHECK(std::isnan(naive.weights(1, 0))); // 0 over 0

    RowMetrics const rows = row_metrics(naive.weights, visibility(3, 3));
    CHECK(rows.state[0] == SoftmaxState::not_a_distribution);
    CHECK(rows.state[1] == SoftmaxState::not_a_distribution);
    CHECK(rows.state[2] == SoftmaxState::diffuse);
    CHECK(rows.gradient[0] == GradientState::undefined);
    CHECK(rows.gradient[1] == GradientState::undefined);
    CHECK(rows.gradient[2] == GradientState::alive);

    Matrix<double> const stable = weights_of(scores);
    CHECK(all_finite(stable));
    CHECK(stable(0, 0) == 1);
}

TEST_CASE("the naive form ends where half precision ends, at 65504 and at 2^-25, to the last bit of the score") {
    // The greatest double whose exponential is at most 65504, and the least whose exponential is at least 2^-25.
    double const highest = 11.089866488461015;
    double const lowest = -17.32867951399863;
    double const too_high = std::nextafter(highest, infinity);
    double const too_low = std::nextafter(lowest, -infinity);
    Softmax<double> const naive =
        softmax(Matrix<double>{{highest, 0}, {too_high, 0}, {lowest, lowest}, {too_low, 0}, {too_low, too_low}},
                visibility(5, 2), SoftmaxAxis::keys, SoftmaxForm::naive);
    CHECK(naive.exponentials(0, 0) == Approx(65504).epsilon(1e-14));
    CHECK(naive.exponentials(0, 0) <= half_precision_largest);
    CHECK(naive.weights(0, 0) == Approx(65504.0 / 65505).epsilon(1e-14));
    CHECK(naive.exponentials(1, 0) == infinity);
    CHECK(std::isnan(naive.weights(1, 0)));
    CHECK(naive.weights(1, 1) == 0);
    CHECK(naive.exponentials(2, 0) == Approx(std::ldexp(1.0, -25)).epsilon(1e-14));
    CHECK(naive.exponentials(2, 0) >= half_precision_zero_below);
    CHECK(naive.weights(2, 0) == 0.5);
    CHECK(naive.exponentials(3, 0) == 0);
    CHECK(naive.weights(3, 0) == 0);
    CHECK(naive.weights(3, 1) == 1);
    CHECK(std::isnan(naive.weights(4, 0))); // 0 over 0: nothing is left of the row
}

TEST_CASE("the naive form ends at the same scores in float32") {
    Softmax<float> const naive = softmax(Matrix<float>{{11.0898f, 11.0899f, -17.3286f, -17.3287f}}, visibility(1, 4),
                                         SoftmaxAxis::keys, SoftmaxForm::naive);
    CHECK(std::isfinite(naive.exponentials(0, 0)));
    CHECK(std::isinf(naive.exponentials(0, 1)));
    CHECK(naive.exponentials(0, 2) > 0);
    CHECK(naive.exponentials(0, 3) == 0);
}

TEST_CASE("the naive form's total is the sum of what half precision leaves, and may itself exceed 65504") {
    Softmax<double> const naive =
        softmax(Matrix<double>{{11, 11, -18}}, visibility(1, 3), SoftmaxAxis::keys, SoftmaxForm::naive);
    CHECK(naive.total(0) == Approx(2 * std::exp(11.0)).epsilon(1e-14));
    require_equal(naive.weights, Matrix<double>{{0.5, 0.5, 0}});
}

TEST_CASE("the stable form knows no half precision") {
    Softmax<double> const stable = softmax(Matrix<double>{{20, 0}, {0, -20}, {800, 799}}, visibility(3, 2));
    require_close(stable.exponentials, Matrix<double>{{1, std::exp(-20.0)}, {1, std::exp(-20.0)}, {1, std::exp(-1.0)}},
                  0, 1e-15);
    CHECK(stable.exponentials(0, 1) < half_precision_zero_below);
    CHECK(stable.weights(0, 1) == Approx(1 / (1 + std::exp(20.0))).epsilon(1e-14));
}

TEST_CASE("float32 scores are weighed in float32") {
    Matrix<float> const weights = weights_of(Matrix<float>{{1, 2, 3}, {89, 89, 89}});
    require_close(weights, Matrix<float>{{0.09003057f, 0.24472848f, 0.66524094f}, {1 / 3.f, 1 / 3.f, 1 / 3.f}}, 0,
                  3e-7);
    Softmax<float> const naive =
        softmax(Matrix<float>{{89, 0}}, visibility(1, 2), SoftmaxAxis::keys, SoftmaxForm::naive);
    CHECK(std::isnan(naive.weights(0, 0))); // exp 89 is beyond float32, not beyond float64
}
