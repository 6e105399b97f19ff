#include "comparison.hpp"

#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState changed(void (*change)(LessonState&)) {
    LessonState state;
    change(state);
    return state;
}

/// diag(a) - a aᵀ of one row, by its definition.
Matrix<double> explicit_jacobian(Matrix<double> const& weights, std::size_t row) {
    std::size_t const n = weights.shape(1);
    Matrix<double> jacobian = make_matrix<double>(n, n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t l = 0; l < n; ++l) {
            jacobian(j, l) = (j == l ? weights(row, j) : 0) - weights(row, j) * weights(row, l);
        }
    }
    return jacobian;
}

double norm(Matrix<double> const& matrix) {
    double sum_of_squares = 0;
    for (double const entry : matrix) {
        sum_of_squares += entry * entry;
    }
    return std::sqrt(sum_of_squares);
}

Lesson with_divisor(LessonState state, Divisor divisor) {
    state.divisor = divisor;
    return lesson(state);
}

} // namespace

TEST_CASE("a comparison holds both lessons' weights and the second's less the first's") {
    LessonState const first;
    LessonState const second = changed([](LessonState& state) { state.divisor = Divisor::none; });
    Comparison const comparison = compare(first, second);
    require_equal(comparison.first, lesson(first).weights);
    require_equal(comparison.second, lesson(second).weights);
    double largest = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
            double const apart = comparison.second(i, j) - comparison.first(i, j);
            CHECK(comparison.difference(i, j) == apart);
            largest = std::max(largest, std::fabs(apart));
        }
    }
    CHECK(comparison.largest == largest);
    CHECK(largest > 0.3);
}

TEST_CASE("a comparison the other way round has every difference with the other sign and the same largest") {
    LessonState const first;
    LessonState const second = changed([](LessonState& state) { state.mask = LessonMask::causal; });
    Comparison const there = compare(first, second);
    Comparison const back = compare(second, first);
    require_equal(back.first, there.second);
    require_equal(back.second, there.first);
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
            CHECK(back.difference(i, j) == -there.difference(i, j));
        }
    }
    CHECK(back.largest == there.largest);
    CHECK(there.difference(0, 0) > 0); // under the mask the first token keeps its weight to itself
}

TEST_CASE("the largest difference counts what a weight loses as much as what it gains") {
    // The first of three alike tokens: a third each without the mask, everything for itself with it.
    LessonState const even = changed([](LessonState& state) { state.tokens = {"a", "a", "a"}; });
    LessonState causal = even;
    causal.mask = LessonMask::causal;
    Comparison const comparison = compare(even, causal);
    require_close(only_row(comparison.difference, 0), Matrix<double>{{2.0 / 3, -1.0 / 3, -1.0 / 3}}, 0, 1e-14);
    CHECK(comparison.largest == Approx(2.0 / 3).epsilon(1e-14));
    CHECK(compare(causal, even).largest == Approx(2.0 / 3).epsilon(1e-14));
}

TEST_CASE("equal states differ by exactly 0") {
    LessonState const state = changed([](LessonState& one) { one.mask = LessonMask::late; });
    Comparison const comparison = compare(state, state);
    require_equal(comparison.difference, make_matrix<double>(6, 6));
    CHECK(comparison.largest == 0);
}

TEST_CASE("what does not decide the weights makes no difference") {
    LessonState const second = changed([](LessonState& state) {
        state.d_v = 3;
        state.row = 4;
        state.blend = Blend::embeddings;
    });
    CHECK(compare(LessonState(), second).largest == 0);
}

TEST_CASE("lessons of different presets and widths are compared where they have as many tokens") {
    LessonState const words = changed([](LessonState& state) {
        state.tokens = {"a", "b", "c", "d"};
        state.d_k = 64;
    });
    Comparison const comparison = compare(four_token_state(), words);
    require_equal(comparison.first, lesson(four_token_state()).weights);
    require_equal(comparison.second, lesson(words).weights);
}

TEST_CASE("a weight that is not a number makes its difference and the largest one not a number, wherever it stands") {
    LessonState const whole = changed([](LessonState& state) {
        state.d_k = 64;
        state.divisor = Divisor::none;
    });
    LessonState broken = whole;
    broken.softmax = SoftmaxForm::naive;
    Visibility const nan = nan_places(lesson(broken).weights);
    REQUIRE(nan(0, 4) == 1);
    REQUIRE(nan(5, 5) == 0);
    for (Comparison const& comparison : {compare(whole, broken), compare(broken, whole)}) {
        require_equal(nan_places(comparison.difference), nan);
        CHECK(std::isnan(comparison.largest));
        CHECK(std::isfinite(comparison.difference(5, 5)));
    }
}

TEST_CASE("states with different numbers of tokens are not compared, and both numbers are said") {
    LessonState const six;
    LessonState const four = four_token_state();
    CHECK_THROWS_WITH(compare(six, four), "tokens holds 4 tokens, but the state to compare with has 6");
    CHECK_THROWS_WITH(compare(four, six), "tokens holds 6 tokens, but the state to compare with has 4");
    CHECK(sentence_of(find_problem(six, four)) == "tokens holds 4 tokens, but the state to compare with has 6");
}

TEST_CASE("a state with a problem of its own is not compared, whichever of the two it is") {
    LessonState const good;
    LessonState const wide = changed([](LessonState& state) { state.d_k = 513; });
    LessonState const low = changed([](LessonState& state) { state.row = 6; });
    std::string const first_sentence = "d_k is 513, but must be a whole number from 1 to 512";
    std::string const second_sentence = "row is 6, but must be a whole number from 0 to 5";
    CHECK(sentence_of(find_problem(good, good)) == "");
    CHECK(sentence_of(find_problem(wide, good)) == first_sentence);
    CHECK(sentence_of(find_problem(good, low)) == second_sentence);
    CHECK(sentence_of(find_problem(wide, low)) == first_sentence);
    CHECK(thrown_by([&] { compare(wide, good); }) == first_sentence);
    CHECK(thrown_by([&] { compare(good, low); }) == second_sentence);
    CHECK(thrown_by([&] { compare_jacobians(low); }) == second_sentence);
    CHECK(thrown_by([&] { compare(good, good); }) == "");
}

TEST_CASE("the pair of Jacobians is diag(a) - aaᵀ of the highlighted row, with the divisor and without") {
    LessonState state;
    state.d_k = 64;
    for (state.row = 0; state.row < 6; ++state.row) {
        CAPTURE(state.row);
        JacobianComparison const pair = compare_jacobians(state);
        Lesson const scaled = with_divisor(state, Divisor::sqrt);
        Lesson const unscaled = with_divisor(state, Divisor::none);
        require_close(pair.scaled, explicit_jacobian(scaled.weights, state.row), 1e-16);
        require_close(pair.unscaled, explicit_jacobian(unscaled.weights, state.row), 1e-16);
        CHECK(pair.scaled_norm == scaled.rows.jacobian(state.row));
        CHECK(pair.unscaled_norm == unscaled.rows.jacobian(state.row));
        CHECK(pair.scaled_norm == Approx(norm(pair.scaled)).epsilon(1e-13));
        CHECK(pair.unscaled_norm == Approx(norm(pair.unscaled)).epsilon(1e-13));
        CHECK(pair.unscaled_norm < pair.scaled_norm); // what no divisor costs
        for (Matrix<double> const* jacobian : {&pair.scaled, &pair.unscaled}) {
            require_equal(*jacobian, transposed(*jacobian));
            for (std::size_t j = 0; j < 6; ++j) {
                double sum = 0;
                for (std::size_t l = 0; l < 6; ++l) {
                    sum += (*jacobian)(j, l);
                }
                CHECK(std::fabs(sum) <= 1e-15);
                CHECK((*jacobian)(j, j) >= 0);
            }
        }
    }
}

TEST_CASE("the pair of Jacobians is the same whatever divisor the state itself has") {
    LessonState state;
    JacobianComparison const expected = compare_jacobians(state);
    for (Divisor const divisor : {Divisor::none, Divisor::dk}) {
        state.divisor = divisor;
        JacobianComparison const pair = compare_jacobians(state);
        require_equal(pair.scaled, expected.scaled);
        require_equal(pair.unscaled, expected.unscaled);
        CHECK(pair.scaled_norm == expected.scaled_norm);
        CHECK(pair.unscaled_norm == expected.unscaled_norm);
    }
}

TEST_CASE("beside the pair stands the Jacobian with the state's own divisor") {
    LessonState state;
    state.row = 4;
    for (Divisor const divisor : {Divisor::sqrt, Divisor::none, Divisor::dk}) {
        state.divisor = divisor;
        JacobianComparison const found = compare_jacobians(state);
        Lesson const own = lesson(state);
        require_close(found.own, explicit_jacobian(own.weights, state.row), 1e-16);
        CHECK(found.own_norm == own.rows.jacobian(state.row));
    }
}

TEST_CASE("at d_k = 1 both divisors are 1, and both Jacobians the same") {
    LessonState state;
    state.d_k = 1;
    JacobianComparison const pair = compare_jacobians(state);
    require_equal(pair.scaled, pair.unscaled);
    CHECK(pair.scaled_norm == pair.unscaled_norm);
}

TEST_CASE("hidden keys have rows and columns of 0 in the Jacobian, and a lone key has nothing to change") {
    LessonState state = four_token_state();
    JacobianComparison const pair = compare_jacobians(state); // row 1 sees two keys
    double const a = 0.3302384506733431;
    double const entry = a * (1 - a);
    require_close(pair.scaled, Matrix<double>{{entry, -entry, 0, 0}, {-entry, entry, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                  0, 1e-13);
    CHECK(pair.scaled_norm == Approx(2 * entry).epsilon(1e-13));
    state.row = 0;
    require_equal(compare_jacobians(state).scaled, make_matrix<double>(4, 4));
    CHECK(compare_jacobians(state).scaled_norm == 0);
}

TEST_CASE("the Jacobian of a row that overflowed is not a number, in its norm too") {
    LessonState state;
    state.d_k = 64;
    state.softmax = SoftmaxForm::naive;
    state.row = 0;
    JacobianComparison const pair = compare_jacobians(state);
    CHECK(all_finite(pair.scaled));
    CHECK(std::isnan(pair.unscaled(4, 4)));
    CHECK(std::isnan(pair.unscaled_norm));
}
