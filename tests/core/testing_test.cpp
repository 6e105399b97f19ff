#include "testing.hpp"

using namespace testing;

TEST_CASE("a comparison fails on NaN on either side, whatever the tolerance") {
    Matrix<double> const number = {{1, 2}};
    Matrix<double> const with_nan = {{1, not_a_number}};
    for (double const tolerance : {0.0, 1e-9, 1e300, infinity}) {
        CHECK(difference(with_nan, number, tolerance, tolerance) == "nan instead of 2 at (0, 1)");
        CHECK(difference(number, with_nan, tolerance, tolerance) == "2 instead of nan at (0, 1)");
        CHECK(difference(with_nan, with_nan, tolerance, tolerance) == "nan instead of nan at (0, 1)");
        CHECK_FALSE(is_close(not_a_number, 1, tolerance, tolerance));
        CHECK_FALSE(is_close(1, not_a_number, tolerance, tolerance));
    }
}

TEST_CASE("a comparison looks at shapes before it looks at entries") {
    Matrix<double> const wide = {{1, 2, 3}, {4, 5, 6}};
    CHECK(difference(transposed(wide), wide, infinity) == "shape (3, 2) instead of (2, 3)");
    CHECK(difference(only_row(wide, 0), wide, infinity) == "shape (1, 3) instead of (2, 3)");
}

TEST_CASE("a comparison names the first entry that differs") {
    Matrix<double> const expected = {{1, 2, 3}, {4, 5, 6}};
    Matrix<double> const actual = {{1, 2, 3}, {4, 5.5, 7}};
    CHECK(difference(actual, expected, 0.4) == "5.5 instead of 5 at (1, 1)");
    CHECK(difference(actual, expected, 0.6) == "7 instead of 6 at (1, 2)");
    CHECK(difference(actual, expected, 1) == "");
}

TEST_CASE("a comparison without tolerances demands equality") {
    Matrix<double> const third = {{1.0 / 3}};
    Matrix<double> const neighbour = {{std::nextafter(1.0 / 3, 1.0)}};
    CHECK(difference(third, third) == "");
    CHECK(difference(neighbour, third) != "");
    CHECK(difference(Matrix<double>{{5e-324}}, Matrix<double>{{0}}) != "");
    CHECK(difference(Matrix<double>{{1e-17}}, Matrix<double>{{0}}, 0, 1e-3) != "");
    CHECK(difference(Matrix<double>{{1e-17}}, Matrix<double>{{0}}, 1e-12) == "");
}

TEST_CASE("a relative tolerance is relative to the expected entry") {
    Matrix<double> const third = {{1.0 / 3}};
    CHECK(difference(Matrix<double>{{0.3333301}}, third, 0, 1e-6) != "");
    CHECK(difference(Matrix<double>{{0.3333301}}, third, 0, 1e-5) == "");
    CHECK(difference(Matrix<float>{{0.1f}}, Matrix<float>{{0.1f}}) == "");
}

TEST_CASE("an infinity is close to itself alone") {
    Matrix<double> const minus_infinity = {{-infinity}};
    CHECK(difference(minus_infinity, minus_infinity) == "");
    CHECK(difference(Matrix<double>{{infinity}}, minus_infinity, 1, 1) != "");
    CHECK(difference(Matrix<double>{{-1e308}}, minus_infinity, 1, 1) != "");
    CHECK(difference(minus_infinity, Matrix<double>{{-1e308}}, infinity, 1) != "");
}

TEST_CASE("a comparison around NaN wants NaN at the same places and everything else close") {
    Matrix<double> const broken = {{1, not_a_number}, {not_a_number, -infinity}};
    require_close_around_nan(broken, broken, 0, 0);
    require_close_around_nan(Matrix<double>{{1.5, not_a_number}, {not_a_number, -infinity}}, broken, 0.5, 0);
    require_equal(nan_places(broken), Visibility{{0, 1}, {1, 0}});
    require_equal(nan_places(Matrix<double>{{0, infinity}}), Visibility{{0, 0}});
}

TEST_CASE("an error by row is relative to the row's largest entry, and infinite for NaN") {
    Matrix<double> const expected = {{100, 0}, {1, 1}};
    CHECK(largest_error_by_row(Matrix<double>{{100, 1}, {1, 1}}, expected) == 0.01);
    CHECK(largest_error_by_row(Matrix<double>{{100, 0}, {1, 1.5}}, expected) == 0.5);
    CHECK(largest_error_by_row(Matrix<float>{{100, 0}, {1, 1}}, expected) == 0);
    CHECK(largest_error_by_row(Matrix<double>{{not_a_number, 0}, {1, 1}}, expected) == infinity);
    CHECK(largest_error_by_row(Matrix<double>{{100, 0}, {1, not_a_number}}, expected) == infinity);
    CHECK(largest_error_by_row(Matrix<double>{{100, 0}}, expected) == infinity);
    CHECK(largest_error_by_row(Matrix<double>{{1e-300}}, Matrix<double>{{0}}) > 1);
}
