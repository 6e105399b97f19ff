// Views of numbers that belong to someone else and may lie apart in memory.
#pragma once

#include <cstddef>

namespace attention {

/// A matrix that belongs to someone else, and whose rows may lie apart: entry (i, c) is data[i * stride + c]. One head
/// of a (T, heads * d) tensor is such a matrix, with d columns and stride heads * d.
template <class T> struct StridedMatrix {
    T* data = nullptr;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::ptrdiff_t stride = 0;

    std::size_t shape(std::size_t axis) const noexcept { return axis == 0 ? rows : columns; }
    std::size_t size() const noexcept { return rows * columns; }
    T* row(std::size_t i) const noexcept { return data + static_cast<std::ptrdiff_t>(i) * stride; }
};

/// A mask of (n_query, n_key) entries: (i, j) is data[i * row_stride + j * column_stride]. A stride of 0 repeats.
template <class M> struct StridedMask {
    M const* data = nullptr;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t column_stride = 0;

    M at(std::size_t i, std::size_t j) const noexcept {
        return data[static_cast<std::ptrdiff_t>(i) * row_stride + static_cast<std::ptrdiff_t>(j) * column_stride];
    }
};

} // namespace attention
