// Names for the containers of the core, and checks of their shapes that explain themselves.
//
// Containers are xtensor's, row-major and owning. No function of the core returns or keeps a lazy expression:
// xtensor's expressions refer to their operands, and a returned one would outlive them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <xtensor/xtensor.hpp>

#include "error.hpp"

namespace attention {

// The allocator is said, as it is another where a project defines XTENSOR_USE_XSIMD.
template <class T> using Vector = xt::xtensor<T, 1, xt::layout_type::row_major, std::allocator<T>>;
template <class T> using Matrix = xt::xtensor<T, 2, xt::layout_type::row_major, std::allocator<T>>;

/// (n_query, n_key): 1 where this query may look at this key, 0 where the key is hidden from it.
using Visibility = Matrix<std::uint8_t>;

/// Refuses a table of more bytes than a size can count, whose product of lengths would wrap to a small one.
///
/// @throws std::bad_alloc
template <class T> void require_countable(std::size_t rows, std::size_t columns) {
    std::size_t entries = 0;
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(rows, columns, &entries) || __builtin_mul_overflow(entries, sizeof(T), &bytes)) {
        throw_no_memory();
    }
}

template <class T> Vector<T> make_vector(std::size_t size, T fill = T(0)) {
    require_countable<T>(size, 1);
    Vector<T> vector = Vector<T>::from_shape({size});
    vector.fill(fill);
    return vector;
}

template <class T> Matrix<T> make_matrix(std::size_t rows, std::size_t columns, T fill = T(0)) {
    require_countable<T>(rows, columns);
    Matrix<T> matrix = Matrix<T>::from_shape({rows, columns});
    matrix.fill(fill);
    return matrix;
}

/// The entries of one row, as a plain array: inner loops run over these. xtensor's call operator is a chain of calls
/// that a build for size does not inline, which made a lesson twenty times slower in WebAssembly.
template <class T> T* row_of(Matrix<T>& matrix, std::size_t row) {
    return matrix.data() + row * matrix.shape(1);
}

template <class T> T const* row_of(Matrix<T> const& matrix, std::size_t row) {
    return matrix.data() + row * matrix.shape(1);
}

/// A matrix's shape, as a part of a message.
template <class M> MessagePart shape_of(M const& matrix) {
    return {matrix.shape(0), matrix.shape(1)};
}

/// The first entry that is NaN or infinite, or nothing. Where `visible` is given, hidden entries may be anything.
template <class T>
Problem find_non_finite(Matrix<T> const& matrix, char const* name, char const* verb, char const* expected,
                        Visibility const* visible = nullptr) {
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        T const* const row = row_of(matrix, i);
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            if (!std::isfinite(row[j]) && (visible == nullptr || row_of(*visible, i)[j] != 0)) {
                return describe_problem(name, {verb, row[j], " at ", MessagePart(i, j)}, {expected});
            }
        }
    }
    return {};
}

/// Whether query (n_query, d_k), key (n_key, d_k) and value (n_key, d_v) belong together; a problem names the tensor
/// that does not fit and both shapes, or an empty axis. For matrices of any class that tell their shape.
template <class M> Problem find_shape_problem(M const& query, M const& key, M const& value) {
    Requirements shapes;
    shapes.require(query.size() != 0, "query", {"has shape ", shape_of(query)}, {"every axis must be at least 1"});
    shapes.require(key.size() != 0, "key", {"has shape ", shape_of(key)}, {"every axis must be at least 1"});
    shapes.require(value.size() != 0, "value", {"has shape ", shape_of(value)}, {"every axis must be at least 1"});
    shapes.require(key.shape(1) == query.shape(1), "key", {"has shape ", shape_of(key)},
                   {"query has d_k = ", query.shape(1)});
    shapes.require(value.shape(0) == key.shape(0), "value", {"has shape ", shape_of(value)},
                   {"key has ", key.shape(0), " rows"});
    return shapes.first_problem();
}

} // namespace attention
