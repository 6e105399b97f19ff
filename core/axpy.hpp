// y := a x + y, the one loop in which most of the core's time goes: products of matrices add multiples of rows.
#pragma once

#include <array>
#include <cstddef>

namespace attention {

/// Adds a multiple of one row to another: y_c += a x_c. Several entries at once where the processor can; each is still
/// one product and one sum, so that every build computes the same bits.
///
/// @param x, y  `count` entries each, which do not overlap
/// Source: the name is BLAS's; Lawson, Hanson, Kincaid, Krogh, "Basic linear algebra subprograms", 1979.
void axpy(std::size_t count, double a, double const* x, double* y);

/// How many rows are added while y is in registers. A module whose bytes count more sets 1.
#ifndef ATTENTION_ROWS_AT_ONCE
#define ATTENTION_ROWS_AT_ONCE 4
#endif
constexpr std::size_t rows_at_once = ATTENTION_ROWS_AT_ONCE;

/// Adds multiples of several rows, one after the other: y_c := (y_c + a_0 x_0c) + a_1 x_1c, and so on.
void axpy(std::size_t count, std::array<double, rows_at_once> const& a,
          std::array<double const*, rows_at_once> const& x, double* y);

/// A row to which multiples of others are added: the bits of one `axpy` for each of them, in their order.
class RowSum {
  public:
    [[gnu::always_inline]] RowSum(std::size_t count, double* sum) : count_(count), sum_(sum) {}

    [[gnu::always_inline]] void add(double a, double const* x) {
        if constexpr (rows_at_once == 1) {
            axpy(count_, a, x, sum_);
        } else {
            factors_[waiting_] = a;
            rows_[waiting_] = x;
            if (++waiting_ == rows_at_once) {
                axpy(count_, factors_, rows_, sum_);
                waiting_ = 0;
            }
        }
    }

    /// To be called after the last.
    [[gnu::always_inline]] void finish() {
        if constexpr (rows_at_once > 1) {
            for (std::size_t row = 0; row < waiting_; ++row) {
                axpy(count_, factors_[row], rows_[row], sum_);
            }
            waiting_ = 0;
        }
    }

  private:
    std::size_t count_;
    double* sum_;
    std::size_t waiting_ = 0;
    std::array<double, rows_at_once> factors_;
    std::array<double const*, rows_at_once> rows_;
};

} // namespace attention
