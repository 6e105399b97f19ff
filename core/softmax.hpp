// Softmax along the keys, and the two ways of getting it wrong that lessons show on purpose.
#pragma once

#include "tensor.hpp"

namespace attention {

/// The axis along which weights sum to 1. Attention normalises along the keys: each query's row is a distribution.
/// Along the queries is the mistake: columns sum to 1, rows do not.
enum class SoftmaxAxis { keys, queries };

/// `stable` subtracts the largest visible score first, which changes nothing but the overflow. `naive` does not, and
/// keeps its exponentials within the range of half precision, in which networks are trained: above 65504 (a score of
/// 11.09) an exponential is infinite, below 2^-25 it is 0, and infinity over infinity is not a number.
enum class SoftmaxForm { stable, naive };

constexpr double half_precision_largest = 65504;
constexpr double half_precision_zero_below = 0x1p-25;

/// e^shifted as a form of the softmax raises it: the naive one keeps it within half precision's range.
template <class T> T exponential_in(SoftmaxForm form, T shifted);

/// Weights and what went into them. A line is a row (axis keys) or a column (axis queries).
template <class T> struct Softmax {
    Matrix<T> weights;      // (n_query, n_key)
    Matrix<T> exponentials; // (n_query, n_key); exp(s - reference of the line), 0 where hidden
    Vector<T> reference;    // (lines); what is subtracted: the line's largest visible score, or 0 when naive
    Vector<T> total;        // (lines); the sum of the line's exponentials; 0 where nothing is visible
};

/// Turns scores into weights, line by line: p_ij = exp(s_ij - m) / sum exp(s - m), m the line's largest visible score.
///
/// @param scores  (n_query, n_key), dimensionless.
/// @param visible (n_query, n_key); a hidden key gets weight exactly 0, whatever its score.
/// @return        each line sums to 1, or is all 0 where it sees no key. The naive form may hold infinities and NaN.
/// @throws ArgumentError  if the shapes differ or a visible score is not finite.
/// Source: Vaswani et al. 2017, section 3.2.1; the subtracted maximum: Goodfellow et al., "Deep Learning", section 4.1.
template <class T>
Softmax<T> softmax(Matrix<T> const& scores, Visibility const& visible, SoftmaxAxis axis = SoftmaxAxis::keys,
                   SoftmaxForm form = SoftmaxForm::stable);

} // namespace attention
