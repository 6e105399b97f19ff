// The vector functions of the fast path against the standard library's.
#include "simd.hpp"

#include <algorithm>
#include <cmath>

#include "testing.hpp"

using namespace attention;
using namespace testing;

TEST_CASE("the vector exponential keeps its error bound over its whole range, in float32 and float64") {
    double worst32 = 0;
    double worst64 = 0;
    // Every one of a million steps from 0 to the last argument whose exponential is not 0.
    for (int step = 0; step <= 1000000; ++step) {
        double const x = baseline::negligible_below<double> * step / 1000000;
        auto const narrow = static_cast<float>(x);
        double const exact32 = std::exp(static_cast<double>(narrow));
        double const found32 = static_cast<double>(baseline::exponential<float>(baseline::splat(narrow))[0]);
        double const found64 = baseline::exponential<double>(baseline::splat(x))[0];
        worst32 = std::max(worst32, std::fabs(found32 - exact32) / exact32);
        worst64 = std::max(worst64, std::fabs(found64 - std::exp(x)) / std::exp(x));
    }
    CHECK(worst32 <= 3e-7);
    CHECK(worst64 <= 5e-16);
}

TEST_CASE("the vector exponential is exact at 0, and 0 from 2^-60 down to -infinity, and NaN stays NaN") {
    auto const raised = [](float x) { return baseline::exponential<float>(baseline::splat(x))[0]; };
    CHECK(raised(0.0F) == 1.0F);
    CHECK(raised(-0.0F) == 1.0F);
    CHECK(raised(-41.58F) > 0x1p-60F);
    for (float const x : {-41.6F, -100.0F, -1e10F, -3e38F, static_cast<float>(-infinity)}) {
        CHECK(raised(x) == 0.0F);
    }
    CHECK(std::isnan(raised(static_cast<float>(not_a_number))));
    CHECK(baseline::exponential<double>(baseline::splat(0.0))[0] == 1.0);
    CHECK(baseline::exponential<double>(baseline::splat(-infinity))[0] == 0.0);
}

TEST_CASE("the vector tanh is odd, keeps its error bound and reaches 1") {
    double worst32 = 0;
    double worst64 = 0;
    for (int step = 1; step <= 200000; ++step) {
        double const x = 1e-6 * std::pow(1e8, step / 200000.0); // from a millionth to a hundred
        auto const narrow = static_cast<float>(-x);
        double const exact32 = std::tanh(static_cast<double>(narrow));
        double const found32 = static_cast<double>(baseline::hyperbolic_tangent<float>(baseline::splat(narrow))[0]);
        double const found64 = baseline::hyperbolic_tangent<double>(baseline::splat(x))[0];
        worst32 = std::max(worst32, std::fabs((found32 - exact32) / exact32));
        worst64 = std::max(worst64, std::fabs((found64 - std::tanh(x)) / std::tanh(x)));
    }
    CHECK(worst32 <= 6e-7);
    CHECK(worst64 <= 1e-15);
    CHECK(baseline::hyperbolic_tangent<float>(baseline::splat(0.0F))[0] == 0.0F);
    CHECK(baseline::hyperbolic_tangent<float>(baseline::splat(1e30F))[0] == 1.0F);
    CHECK(baseline::hyperbolic_tangent<float>(baseline::splat(static_cast<float>(-infinity)))[0] == -1.0F);
}
