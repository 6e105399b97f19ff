#include "axpy.hpp"

namespace attention {

void axpy(std::size_t count, double a, double const* __restrict x, double* __restrict y) {
    for (std::size_t c = 0; c < count; ++c) {
        y[c] += a * x[c];
    }
}

void axpy(std::size_t count, std::array<double, rows_at_once> const& factors,
          std::array<double const*, rows_at_once> const& x, double* __restrict y) {
    static_assert(rows_at_once == 1 || rows_at_once == 4);
    std::array<double, rows_at_once> const a = factors; // which y is known not to change
    if constexpr (rows_at_once == 4) {
        double const* __restrict const x0 = x[0];
        double const* __restrict const x1 = x[1];
        double const* __restrict const x2 = x[2];
        double const* __restrict const x3 = x[3];
        for (std::size_t c = 0; c < count; ++c) {
            y[c] = (((y[c] + a[0] * x0[c]) + a[1] * x1[c]) + a[2] * x2[c]) + a[3] * x3[c];
        }
    }
}

} // namespace attention
