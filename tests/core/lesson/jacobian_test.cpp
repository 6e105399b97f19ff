// How a row's weights move with its own scores, in every mode: by central differences of a softmax of the test's own.
#include "comparison.hpp"

#include <functional>
#include <vector>

#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

/// The weights that a mode makes of scaled scores, written from the definitions of its settings.
///
/// @param kept  (T, T) of a lesson with dropout; empty without
Matrix<double> weights_of(Matrix<double> const& scores, LessonState const& state, Visibility const& kept) {
    std::size_t const n = scores.shape(0);
    bool const is_row = state.softmax_axis == SoftmaxAxis::keys;
    Matrix<double> weights = make_matrix<double>(n, n);
    for (std::size_t line = 0; line < n; ++line) {
        std::vector<double> raised(n);
        double largest = -infinity;
        auto const at = [&](std::size_t m) { return is_row ? scores(line, m) : scores(m, line); };
        auto const sees = [&](std::size_t m) {
            std::size_t const query = is_row ? line : m;
            std::size_t const key = is_row ? m : line;
            bool const is_open = state.mask == LessonMask::none || state.mask == LessonMask::late;
            bool const is_near = state.mask != LessonMask::window || query < key + state.window;
            return is_open || (key <= query && is_near);
        };
        for (std::size_t m = 0; m < n; ++m) {
            largest = sees(m) && state.softmax == SoftmaxForm::stable ? std::max(largest, at(m)) : largest;
        }
        double total = 0;
        for (std::size_t m = 0; m < n; ++m) {
            double e = sees(m) ? std::exp(at(m) - (state.softmax == SoftmaxForm::stable ? largest : 0)) : 0;
            if (state.softmax == SoftmaxForm::naive) {
                e = e > 65504 ? infinity : e < 0x1p-25 ? 0 : e;
            }
            total += raised[m] = e;
        }
        for (std::size_t m = 0; m < n; ++m) {
            (is_row ? weights(line, m) : weights(m, line)) = raised[m] / total;
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            bool const is_cleared = state.mask == LessonMask::late && j > i;
            bool const is_dropped = state.dropout > 0 && kept(i, j) == 0;
            weights(i, j) = is_cleared || is_dropped ? 0 : weights(i, j) / (1 - state.dropout);
        }
    }
    return weights;
}

/// da_j / ds_l of one row, by central differences of two widths.
Matrix<double> differences_of_row(Matrix<double> scores, LessonState const& state, Visibility const& kept) {
    std::size_t const n = scores.shape(0);
    Matrix<double> slopes = make_matrix<double>(n, n);
    for (std::size_t l = 0; l < n; ++l) {
        double const at = scores(state.row, l);
        auto const weights_at = [&](double score) {
            scores(state.row, l) = score;
            Matrix<double> weights = weights_of(scores, state, kept);
            scores(state.row, l) = at;
            return weights;
        };
        double const width = 0x1p-11;
        Matrix<double> const far[] = {weights_at(at + width), weights_at(at - width)};
        Matrix<double> const near[] = {weights_at(at + width / 2), weights_at(at - width / 2)};
        for (std::size_t j = 0; j < n; ++j) {
            auto const slope = [&](Matrix<double> const(&sides)[2], double apart) {
                return (sides[0](state.row, j) - sides[1](state.row, j)) / apart;
            };
            slopes(j, l) = (4 * slope(near, width) - slope(far, 2 * width)) / 3;
        }
    }
    return slopes;
}

double norm_of(Matrix<double> const& matrix) {
    double squares = 0;
    for (double const entry : matrix) {
        squares += entry * entry;
    }
    return std::sqrt(squares);
}

void for_each_mode(std::function<void(LessonState const&)> const& check) {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::window, LessonMask::late}) {
        for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
            for (SoftmaxForm const form : {SoftmaxForm::stable, SoftmaxForm::naive}) {
                for (double const dropout : {0.0, 0.25}) {
                    for (std::size_t const d_k : {std::size_t(6), std::size_t(64)}) { // at 64 the naive form overflows
                        LessonState state;
                        state.mask = mask;
                        state.softmax_axis = axis;
                        state.softmax = form;
                        state.dropout = dropout;
                        state.d_k = state.d_v = d_k;
                        INFO("mask " << static_cast<int>(mask) << ", axis " << static_cast<int>(axis) << ", form "
                                     << static_cast<int>(form) << ", dropout " << dropout << ", d_k " << d_k);
                        check(state);
                    }
                }
            }
        }
    }
}

} // namespace

TEST_CASE("the Jacobian of every row is the derivative of its weights, in every mode") {
    std::size_t overflowed = 0;
    std::size_t moved = 0;
    for_each_mode([&](LessonState state) {
        for (state.row = 0; state.row < 6; ++state.row) {
            JacobianComparison const pair = compare_jacobians(state);
            for (bool const is_scaled : {true, false}) {
                LessonState own = state;
                own.divisor = is_scaled ? Divisor::sqrt : Divisor::none;
                Lesson const actual = lesson(own);
                CAPTURE(state.row, is_scaled);
                require_close_around_nan(weights_of(actual.scaled, state, actual.kept), actual.weights, 1e-13, 0);
                Matrix<double> const slopes = differences_of_row(actual.scaled, state, actual.kept);
                Matrix<double> const& jacobian = is_scaled ? pair.scaled : pair.unscaled;
                double const norm = is_scaled ? pair.scaled_norm : pair.unscaled_norm;
                CHECK((norm == actual.rows.jacobian(state.row) ||
                       (std::isnan(norm) && std::isnan(actual.rows.jacobian(state.row)))));
                for (std::size_t j = 0; j < 6; ++j) {
                    for (std::size_t l = 0; l < 6; ++l) {
                        CAPTURE(j, l);
                        CHECK(std::isnan(jacobian(j, l)) == std::isnan(slopes(j, l)));
                        if (!std::isnan(slopes(j, l))) {
                            CHECK(jacobian(j, l) == Approx(slopes(j, l)).margin(1e-9));
                            moved += std::fabs(slopes(j, l)) > 1e-3 ? 1 : 0;
                        }
                    }
                }
                if (std::isnan(norm)) {
                    ++overflowed;
                    CHECK(std::isnan(norm_of(slopes)));
                    CHECK(actual.rows.gradient[state.row] == GradientState::undefined);
                } else {
                    CHECK(norm == Approx(norm_of(jacobian)).epsilon(1e-13).margin(1e-300));
                }
            }
        }
    });
    CHECK(overflowed > 10);
    CHECK(moved > 1000);
}

TEST_CASE("a score that a late mask hides still moves the weights that stay") {
    LessonState state;
    state.mask = LessonMask::late;
    JacobianComparison const pair = compare_jacobians(state); // row 1
    for (std::size_t l = 2; l < 6; ++l) {
        CHECK(pair.scaled(0, l) < -0.004);
        CHECK(pair.scaled(1, l) < -0.01);
        CHECK(pair.scaled(l, 0) == 0);
        CHECK(pair.scaled(l, l) == 0);
    }
}

TEST_CASE("with the softmax down the columns a row's weights move each with its own score alone") {
    LessonState state;
    state.softmax_axis = SoftmaxAxis::queries;
    JacobianComparison const pair = compare_jacobians(state);
    Matrix<double> const weights = lesson(state).weights;
    for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t l = 0; l < 6; ++l) {
            double const a = weights(1, j);
            CHECK(pair.scaled(j, l) == Approx(j == l ? a * (1 - a) : 0).margin(1e-16));
        }
    }
}

TEST_CASE("a row has no choice only where its softmax looks at one place") {
    LessonState state;
    state.row = 0;
    auto const gradient_of = [&](LessonMask mask, SoftmaxAxis axis, std::size_t row) {
        state.mask = mask;
        state.softmax_axis = axis;
        return lesson(state).rows.gradient[row];
    };
    CHECK(gradient_of(LessonMask::causal, SoftmaxAxis::keys, 0) == GradientState::no_choice);
    // A late mask leaves one weight of six, which the five hidden scores move.
    CHECK(gradient_of(LessonMask::late, SoftmaxAxis::keys, 0) == GradientState::alive);
    // Down the columns six queries share the one key that query 0 sees.
    CHECK(gradient_of(LessonMask::causal, SoftmaxAxis::queries, 0) == GradientState::alive);
    state.tokens = {"alone"};
    CHECK(gradient_of(LessonMask::late, SoftmaxAxis::queries, 0) == GradientState::no_choice);
}
