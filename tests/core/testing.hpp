// Comparisons that a wrong number cannot slip through.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "tensor.hpp"

namespace testing {

inline std::string shape_text(std::size_t rows, std::size_t columns) {
    return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

template <class T> std::string shape_text(attention::Matrix<T> const& matrix) {
    return shape_text(matrix.shape(0), matrix.shape(1));
}

using attention::Matrix;
using attention::Vector;
using attention::Visibility;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline bool is_close(double actual, double expected, double absolute, double relative) {
    // Written so that NaN on either side is never close: every comparison with NaN is false.
    return actual == expected || std::fabs(actual - expected) <= absolute + relative * std::fabs(expected);
}

/// What sets two tables apart: "" where every entry is within absolute + relative * |expected|, otherwise the shapes or
/// the first entry that differs. NaN is close to nothing, an infinity only to itself. Both tolerances 0 demand
/// equality.
template <class T>
std::string difference(Matrix<T> const& actual, Matrix<T> const& expected, double absolute = 0, double relative = 0) {
    if (actual.shape() != expected.shape()) {
        return "shape " + shape_text(actual) + " instead of " + shape_text(expected);
    }
    for (std::size_t i = 0; i < expected.shape(0); ++i) {
        for (std::size_t j = 0; j < expected.shape(1); ++j) {
            double const found = static_cast<double>(actual(i, j));
            double const wanted = static_cast<double>(expected(i, j));
            // An infinite tolerance must not make an infinity close to a number.
            bool const finite = std::isfinite(found) && std::isfinite(wanted);
            if (finite ? !is_close(found, wanted, absolute, relative) : !(found == wanted)) {
                std::ostringstream text;
                text.precision(std::numeric_limits<double>::max_digits10);
                text << found << " instead of " << wanted << " at " << shape_text(i, j);
                return text.str();
            }
        }
    }
    return "";
}

template <class T> Matrix<T> as_row(Vector<T> const& vector) {
    Matrix<T> row = attention::make_matrix<T>(1, vector.size());
    std::copy(vector.begin(), vector.end(), row.begin());
    return row;
}

template <class T>
void require_close(Matrix<T> const& actual, Matrix<T> const& expected, double absolute = 0, double relative = 0,
                   int line = __builtin_LINE()) {
    INFO("require_close on line " << line);
    std::string const what_differs = difference(actual, expected, absolute, relative);
    REQUIRE(what_differs == "");
}

template <class T>
void require_close(Vector<T> const& actual, Vector<T> const& expected, double absolute = 0, double relative = 0,
                   int line = __builtin_LINE()) {
    require_close(as_row(actual), as_row(expected), absolute, relative, line);
}

template <class T> void require_equal(Matrix<T> const& actual, Matrix<T> const& expected, int line = __builtin_LINE()) {
    require_close(actual, expected, 0, 0, line);
}

template <class T> void require_equal(Vector<T> const& actual, Vector<T> const& expected, int line = __builtin_LINE()) {
    require_close(as_row(actual), as_row(expected), 0, 0, line);
}

template <class T> Visibility nan_places(Matrix<T> const& matrix) {
    Visibility places = attention::make_matrix<std::uint8_t>(matrix.shape(0), matrix.shape(1));
    std::transform(matrix.begin(), matrix.end(), places.begin(), [](T entry) { return std::isnan(entry) ? 1 : 0; });
    return places;
}

/// For numbers that are meant to break: NaN at exactly the same places, and everything else close.
inline void require_close_around_nan(Matrix<double> const& actual, Matrix<double> const& expected, double absolute,
                                     double relative, int line = __builtin_LINE()) {
    auto const without_nan = [](Matrix<double> matrix) {
        for (double& entry : matrix) {
            entry = std::isnan(entry) ? 0 : entry;
        }
        return matrix;
    };
    require_equal(nan_places(actual), nan_places(expected), line);
    require_close(without_nan(actual), without_nan(expected), absolute, relative, line);
}

inline void require_close_around_nan(Vector<double> const& actual, Vector<double> const& expected, double absolute,
                                     double relative, int line = __builtin_LINE()) {
    require_close_around_nan(as_row(actual), as_row(expected), absolute, relative, line);
}

/// The largest |actual - expected| / scale, where scale is the largest |expected| of the row: the error that rounding
/// leaves in a sum is relative to what was summed, not to what cancelled. Infinite for NaN and for different shapes.
template <class T> double largest_error_by_row(Matrix<T> const& actual, Matrix<double> const& expected) {
    if (actual.shape() != expected.shape()) {
        return infinity;
    }
    double largest = 0;
    for (std::size_t i = 0; i < expected.shape(0); ++i) {
        double scale = std::numeric_limits<double>::min();
        for (std::size_t j = 0; j < expected.shape(1); ++j) {
            scale = std::max(scale, std::fabs(expected(i, j)));
        }
        for (std::size_t j = 0; j < expected.shape(1); ++j) {
            double const error = std::fabs(static_cast<double>(actual(i, j)) - expected(i, j)) / scale;
            largest = std::isnan(error) ? infinity : std::max(largest, error);
        }
    }
    return largest;
}

template <class T> bool all_finite(Matrix<T> const& matrix) {
    return std::all_of(matrix.begin(), matrix.end(), [](T entry) { return std::isfinite(entry); });
}

template <class T> Matrix<T> transposed(Matrix<T> const& matrix) {
    Matrix<T> result = attention::make_matrix<T>(matrix.shape(1), matrix.shape(0));
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            result(j, i) = matrix(i, j);
        }
    }
    return result;
}

/// The first rows and columns of a matrix, as T.
template <class T = double>
Matrix<T> leading_block(Matrix<double> const& matrix, std::size_t rows, std::size_t columns) {
    Matrix<T> block = attention::make_matrix<T>(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            block(i, j) = static_cast<T>(matrix(i, j));
        }
    }
    return block;
}

template <class T> Matrix<T> only_row(Matrix<T> const& matrix, std::size_t index) {
    Matrix<T> row = attention::make_matrix<T>(1, matrix.shape(1));
    for (std::size_t j = 0; j < matrix.shape(1); ++j) {
        row(0, j) = matrix(index, j);
    }
    return row;
}

/// Numbers without a pattern, from a generator that is not the core's; mean 0, variance 1.
template <class T = double> Matrix<T> scattered(std::size_t rows, std::size_t columns, std::uint32_t seed) {
    Matrix<T> matrix = attention::make_matrix<T>(rows, columns);
    std::uint32_t state = seed * 2654435761u + 1u;
    for (T& entry : matrix) {
        double sum = 0; // of four uniform numbers
        for (int draw = 0; draw < 4; ++draw) {
            state = state * 1664525u + 1013904223u;
            sum += static_cast<double>(state >> 8) / 16777216.0;
        }
        entry = static_cast<T>((sum - 2.0) * std::sqrt(3.0));
    }
    return matrix;
}

/// The sentence of a problem, or "" where there is none.
inline std::string sentence_of(attention::Problem const& problem) {
    return problem ? problem->sentence() : "";
}

/// The sentence that a call throws, or "" where it throws nothing.
template <class Call> std::string thrown_by(Call const& call) {
    try {
        call();
    } catch (attention::ArgumentError const& error) {
        return error.what();
    }
    return "";
}

} // namespace testing
