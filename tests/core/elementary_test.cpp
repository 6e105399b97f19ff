#include "elementary.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "random.hpp"
#include "testing.hpp"

using attention::exponential;
using attention::natural_logarithm;

namespace {

/// How many units in the last place of `expected` lie between it and `actual`; infinite where NaN is involved.
double units_apart(double actual, double expected) {
    double const size = std::fabs(expected);
    double const unit = std::nextafter(size, testing::infinity) - size;
    double const units = std::fabs(actual - expected) / unit;
    return std::isnan(units) ? testing::infinity : units;
}

} // namespace

TEST_CASE("exp is within one unit in the last place of the standard library's, over float64's whole range") {
    attention::RandomStream stream(11);
    double worst = 0;
    for (int draw = 0; draw < 200000; ++draw) {
        double const wide = -745 + 1454.7 * stream.next_uniform();
        for (double const x : {wide, wide / 500}) {
            worst = std::max(worst, units_apart(exponential(x), std::exp(x)));
        }
    }
    CHECK(worst <= 1);
}

TEST_CASE("ln is within two units in the last place of the standard library's, near 1 and far from it") {
    attention::RandomStream stream(12);
    double worst = 0;
    for (int draw = 0; draw < 200000; ++draw) {
        double const wide = std::exp(-740 + 1440 * stream.next_uniform());
        double const near_one = 0.5 + stream.next_uniform();
        for (double const x : {wide, near_one}) {
            if (std::log(x) != 0) {
                worst = std::max(worst, units_apart(natural_logarithm(x), std::log(x)));
            }
        }
    }
    CHECK(worst <= 2);
}

TEST_CASE("exp and ln are exact where they can be") {
    CHECK(exponential(0.0) == 1);
    CHECK(exponential(-0.0) == 1);
    CHECK(exponential(0.0F) == 1.0F);
    CHECK(natural_logarithm(1) == 0);
    CHECK(exponential(1.0) == Approx(2.718281828459045).epsilon(1e-15));
    CHECK(natural_logarithm(2) == Approx(0.6931471805599453).epsilon(1e-15));
}

TEST_CASE("exp reaches infinity, zero and the numbers just above zero at its ends") {
    CHECK(exponential(709.78) > 1e308);
    CHECK(std::isfinite(exponential(709.78)));
    CHECK(exponential(709.79) == testing::infinity);
    CHECK(exponential(testing::infinity) == testing::infinity);
    CHECK(exponential(-745.13) == std::numeric_limits<double>::denorm_min());
    CHECK(exponential(-746.0) == 0);
    CHECK(exponential(-testing::infinity) == 0);
    CHECK(std::isnan(exponential(testing::not_a_number)));
    CHECK(exponential(88.8F) == std::numeric_limits<float>::infinity());
}

TEST_CASE("ln of zero, of the smallest number, of infinity and of what has none") {
    CHECK(natural_logarithm(0) == -testing::infinity);
    CHECK(natural_logarithm(std::numeric_limits<double>::denorm_min()) == Approx(-744.4400719213812).epsilon(1e-15));
    CHECK(natural_logarithm(testing::infinity) == testing::infinity);
    CHECK(std::isnan(natural_logarithm(-1)));
    CHECK(std::isnan(natural_logarithm(testing::not_a_number)));
}

TEST_CASE("exp and ln have the same bits in every build") {
    CHECK(exponential(-1.659874101734427) == 0x1.8574230acedd8p-3);
    CHECK(exponential(8.99) == 0x1.f5674f71800acp+12);
    CHECK(natural_logarithm(0.3021) == -0x1.326e686afc5f4p+0);
}

TEST_CASE("exps of many numbers are those of each, and 0 below -708") {
    std::vector<double> numbers = {0,    -0.0,    -1e-300, -0.34657359027997264, -0.5,
                                   -708, -708.01, -1e9,    -testing::infinity};
    for (int step = 0; step < 4000; ++step) {
        numbers.push_back(-0.1771 * step);
    }
    std::vector<double> raised = numbers;
    attention::exponentials_of_negatives(raised.size(), raised.data());
    std::size_t different = 0;
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        different += raised[index] == (numbers[index] < -708 ? 0 : exponential(numbers[index])) ? 0 : 1;
    }
    CHECK(different == 0);
}
