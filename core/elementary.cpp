#include "elementary.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

// CMakeLists.txt undoes what a surrounding project asks for; other builds have to do so themselves.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "-ffast-math gives wrong numbers: compile the core with -fno-fast-math"
#endif

namespace attention {
namespace {

// ln 2 in two parts: the first has 32 zero bits at its end, so that its product with any exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double log2_e = 0x1.71547652b82fep+0;

/// 1/n! for n from 0 to 14, the coefficients of the exponential series.
constexpr std::array<double, 15> make_inverse_factorials() {
    std::array<double, 15> inverses{};
    double factorial = 1;
    for (std::size_t n = 0; n < inverses.size(); ++n) {
        factorial *= n == 0 ? 1 : static_cast<double>(n);
        inverses[n] = 1 / factorial;
    }
    return inverses;
}

constexpr std::array<double, 15> inverse_factorials = make_inverse_factorials();

/// 2^exponent, for exponents from -1022 to 1023.
double power_of_two(int exponent) {
    auto const bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
    double power = 0;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}

} // namespace

double exponential(double x) {
    if (!(x < 709.79)) {
        return std::isnan(x) ? x : std::numeric_limits<double>::infinity();
    }
    if (x < -745.2) {
        return 0;
    }
    double const k = std::nearbyint(x * log2_e);
    double const r = (x - k * ln2_high) - k * ln2_low;
    double series = 0;
    for (int term = 14; term >= 0; --term) {
        series = series * r + inverse_factorials[static_cast<std::size_t>(term)];
    }
    // The power is applied in halves: 2^k alone leaves float64's range at both ends.
    int const half = static_cast<int>(k) / 2;
    return series * power_of_two(half) * power_of_two(static_cast<int>(k) - half);
}

void exponentials_of_negatives(std::size_t count, double* numbers) {
    // Added to a number of less than 2^51, this leaves the nearest whole number in the sum's lowest bits. As in
    // `exponential`, but without a branch or a call, which would keep a compiler from doing several numbers at once.
    double const rounding = 0x1.8p52;
    for (std::size_t index = 0; index < count; ++index) {
        double const x = numbers[index] < -708 ? -708 : numbers[index];
        double const shifted = x * log2_e + rounding;
        double const k = shifted - rounding;
        double const r = (x - k * ln2_high) - k * ln2_low;
        double series = 0;
        for (int term = 14; term >= 0; --term) {
            series = series * r + inverse_factorials[static_cast<std::size_t>(term)];
        }
        std::uint64_t bits = 0;
        std::memcpy(&bits, &shifted, sizeof bits);
        bits = (bits + 1023) << 52; // of 2^k; what k's own bits stand behind is shifted out
        double power = 0;
        std::memcpy(&power, &bits, sizeof power);
        numbers[index] = numbers[index] < -708 ? 0 : series * power;
    }
}

float exponential(float x) {
    return static_cast<float>(exponential(static_cast<double>(x)));
}

double natural_logarithm(double x) {
    if (!(x > 0)) {
        return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    if (std::isinf(x)) {
        return x;
    }
    int exponent = 0;
    double m = std::frexp(x, &exponent); // 1/2 <= m < 1
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        --exponent;
    }
    double const s = (m - 1) / (m + 1);
    double const square = s * s;
    double series = 0;
    for (int term = 11; term > 0; --term) {
        series = square * (1.0 / (2 * term + 1) + series);
    }
    double const e = exponent;
    return e * ln2_high + (2 * s + (2 * s * series + e * ln2_low));
}

double hyperbolic_tangent(double x) {
    double const doubled = 2 * x;
    if (doubled > 44) { // the quotient rounds to 1
        return 1;
    }
    double less_one = exponential(doubled) - 1;
    if (std::fabs(doubled) < 0.35) {
        double series = 0;
        for (int term = 14; term > 0; --term) {
            series = (series + inverse_factorials[static_cast<std::size_t>(term)]) * doubled;
        }
        less_one = series;
    }
    return less_one / (less_one + 2);
}

} // namespace attention
