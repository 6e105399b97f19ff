// y := a x + y, the one loop in which most of the core's time goes: products of matrices add multiples of rows.
#pragma once

#include <cstddef>

namespace attention {

/// Adds a multiple of one row to another: y_c += a x_c. Several entries at once where the processor can; each is still
/// one product and one sum, so that every build computes the same bits.
///
/// @param x, y  `count` entries each, which do not overlap
/// Source: the name is BLAS's; Lawson, Hanson, Kincaid, Krogh, "Basic linear algebra subprograms", 1979.
template <class T> void axpy(std::size_t count, T a, T const* x, T* y);

} // namespace attention
