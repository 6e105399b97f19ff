// Two lessons side by side.
#pragma once

#include "lesson.hpp"
#include "tensor.hpp"

namespace attention {

struct Comparison {
    Matrix<double> first;      // (T, T); the first lesson's weights
    Matrix<double> second;     // (T, T)
    Matrix<double> difference; // (T, T); second - first
    double largest = 0;        // the largest |difference|; NaN where a weight is not a number
};

/// Why two states cannot be compared: either has a problem, or they have different numbers of queries or keys.
Problem find_problem(LessonState const& first, LessonState const& second);

/// @throws ArgumentError  if the states have a problem
Comparison compare(LessonState const& first, LessonState const& second);

/// How the highlighted row's weights move with its own scores, as `softmax_jacobian` has it, with the divisor
/// sqrt(d_k), with none, and with the state's own, which may be either of them or d_k.
struct JacobianComparison {
    Matrix<double> scaled;   // (T, T)
    Matrix<double> unscaled; // (T, T)
    Matrix<double> own;      // (T, T)
    double scaled_norm;      // Frobenius norms
    double unscaled_norm;
    double own_norm;
};

/// @throws ArgumentError  if the state has a problem
JacobianComparison compare_jacobians(LessonState const& state);

} // namespace attention
