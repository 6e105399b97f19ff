#include "layer_norm.hpp"

#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

Vector<double> const ones{1, 1, 1, 1};
Vector<double> const zeros{0, 0, 0, 0};

Matrix<double> scaled(Matrix<double> x, int exponent) {
    for (double& entry : x) {
        entry = std::ldexp(entry, exponent);
    }
    return x;
}

} // namespace

// Expected numbers come from Python's decimal module with 60 digits.
TEST_CASE("each token is centred and divided by its own spread, then stretched by the gain and moved by the bias") {
    LayerNorm const result =
        layer_norm({{2, -1, 0.5, 7}, {1e-3, 2e-3, -4e-3, 0.125}}, {1.5, -2, 0.25, 1}, {0, 0.5, -1, 3}, 1e-5);
    require_close(result.mean, Vector<double>{2.125, 0.031}, 0, 1e-15);
    require_close(result.variance, Vector<double>{9.046875, 0.0029505}, 0, 1e-15);
    require_close(result.output,
                  Matrix<double>{{-0.062337838166572006, 2.5779279388857335, -1.1350653160275728, 4.620783792330872},
                                 {-0.8270466008962524, 1.565971174488503, -1.160814616840938, 4.727608455205505}},
                  0, 1e-14);
}

TEST_CASE("a spread of 3 on top of a hundred million keeps its digits") {
    LayerNorm const result = layer_norm({{1e8, 1e8 + 1, 1e8 + 3, 1e8 - 2}}, ones, zeros, 1e-12);
    CHECK(result.mean(0) == 1e8 + 0.5);
    CHECK(result.variance(0) == 3.25);
    require_close(result.output,
                  Matrix<double>{{-0.2773500981125719, 0.2773500981125719, 1.3867504905628594, -1.3867504905628594}}, 0,
                  1e-15);
}

TEST_CASE("a constant token has no spread: what is left of it is the bias") {
    LayerNorm const result = layer_norm({{-7, -7, -7, -7}}, {2, 3, 4, 5}, {0.5, 0, -1, 2}, 1e-5);
    CHECK(result.mean(0) == -7);
    CHECK(result.variance(0) == 0);
    require_equal(result.output, Matrix<double>{{0.5, 0, -1, 2}});
}

TEST_CASE("numbers whose squares overflow or vanish are normalised as any others, with or without an epsilon") {
    Matrix<double> const expected{{0.058621038176054914, -1.3482838780492632, 1.465525954401373, -0.17586311452816475}};
    Matrix<double> const x{{1, -2, 4, 0.5}};
    for (int const exponent : {-1072, -1000, -100, 100, 1000, 1021}) {
        CAPTURE(exponent);
        // 0.5 * 2^-1072 is still a number: the smallest but one.
        require_close(layer_norm(scaled(x, exponent), ones, zeros, 0).output, expected, 0, 1e-15);
    }
    require_close(layer_norm(scaled(x, 1000), ones, zeros, 1e-5).output, expected, 0, 1e-15);
    CHECK(layer_norm(scaled(x, 1000), ones, zeros, 0).variance(0) == infinity);
    // Beside an epsilon, a tiny spread is nothing.
    Matrix<double> const tiny = layer_norm(scaled(x, -1000), ones, zeros, 1e-4).output;
    require_close(tiny, scaled({{12.5, -287.5, 312.5, -37.5}}, -1000), 0, 1e-14);
}

TEST_CASE("opposite ends of float64's range are one above and one below their mean") {
    double const largest = std::numeric_limits<double>::max();
    require_close(layer_norm({{largest, -largest}}, {1, 3}, {0, 1}, 1e-5).output, Matrix<double>{{1, -2}}, 0, 1e-15);
}

TEST_CASE("one number for each token is its own mean") {
    require_equal(layer_norm({{4}, {-3}}, {2}, {0.25}, 1e-12).output, Matrix<double>{{0.25}, {0.25}});
}

TEST_CASE("what layer norm cannot use is named") {
    Matrix<double> const x{{1, 2, 3, 4}, {5, 5, 5, 5}};
    auto const refused = [](Matrix<double> const& input, Vector<double> const& gain, Vector<double> const& bias,
                            double epsilon) {
        try {
            layer_norm(input, gain, bias, epsilon);
        } catch (ArgumentError const& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    CHECK(refused(make_matrix<double>(0, 4), ones, zeros, 1e-5) ==
          "x has shape (0, 4), but every axis must be at least 1");
    CHECK(refused({{1, 2, 3, 4}, {5, not_a_number, 5, 5}}, ones, zeros, 1e-5) ==
          "x is NaN at (1, 1), but every number must be finite");
    CHECK(refused(x, {1, 1, 1}, zeros, 1e-5) == "gain has 3 numbers, but x has d_model = 4");
    CHECK(refused(x, ones, {0, 0, 0, 0, 0}, 1e-5) == "bias has 5 numbers, but x has d_model = 4");
    CHECK(refused(x, {1, 1, infinity, 1}, zeros, 1e-5) == "gain is infinity at 2, but every number must be finite");
    CHECK(refused(x, ones, {0, -infinity, 0, 0}, 1e-5) == "bias is -infinity at 1, but every number must be finite");
    CHECK(refused(x, ones, zeros, -1e-5) == "epsilon is below 0, but must be a finite number, at least 0");
    CHECK(refused(x, ones, zeros, not_a_number) == "epsilon is NaN, but must be a finite number, at least 0");
    CHECK(refused(x, ones, zeros, 0) ==
          "epsilon is 0 and row 1 of x is constant, but must be above 0 where a row has no variance");
    CHECK(refused(x, {1, 1, 1, 1e308}, {0, 0, 0, 1e308}, 1e-5) ==
          "gain makes the output infinity at (0, 3), but gain and bias must leave every output within float64's range");
}
