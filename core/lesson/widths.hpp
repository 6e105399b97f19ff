// One seed along the slider of d_k: what a state's figures are at every width, divided by sqrt(d_k) and not divided.
#pragma once

#include <cstddef>

#include "lesson.hpp"

namespace attention {

constexpr std::size_t smallest_shown_width = 2;
constexpr std::size_t largest_shown_width = 64;

/// The `spread` and the highlighted row's `peak` of the lessons that differ from a state's in d_k and divisor alone,
/// bit for bit; with NaN for a peak where a naive softmax overflows. d_v follows, which neither figure reads; so does
/// d_model where there are no projections.
///
/// Matrices are nested in d_k: scores grow by one column of Q and K from each width to the next, in the order in which
/// `dot_products` adds them. A call costs as much as the scores of one lesson at the largest width, and 126 softmaxes
/// of one row, or of the whole table where the softmax runs along the queries.
///
/// @return (widths, 5); of each d_k from `smallest_shown_width` to `largest_shown_width`: d_k, spread and peak with the
///         divisor sqrt(d_k), spread and peak without. No rows for the preset four-token, nor for embeddings, W_q or
///         W_k of one's own, which have one width
/// @throws ArgumentError  if the state has a problem
Matrix<double> widths(LessonState const& state);

} // namespace attention
