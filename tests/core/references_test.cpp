#include "references.hpp"

#include <cmath>

#include "testing.hpp"

using namespace testing;

TEST_CASE("a matrix is read from rows of equal length, with minus infinity and NaN as texts") {
    Matrix<double> const expected = {{1, -infinity}, {2.5, 3}, {0, -1}};
    require_equal(matrix_from(reference_from(R"([[1, "-inf"], [2.5, 3], [0, -1]])")), expected);
    CHECK(std::isnan(number_from("nan")));
    CHECK_THROWS(number_from("NaN"));
    CHECK_THROWS(matrix_from(reference_from("[[1, 2], [3]]")));
    CHECK_THROWS(matrix_from(reference_from(R"([[1, "inf"]])")));
    CHECK_THROWS(matrix_from(reference_from("[[1, null]]")));
    CHECK_THROWS(read_reference("no such file.json"));
}
