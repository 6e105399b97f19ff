// Masks, as visibility: which query may look at which key.
#pragma once

#include <cstddef>

#include "score_rule.hpp"
#include "tensor.hpp"

namespace attention {

/// Beyond this, sums of positions could overflow where std::ptrdiff_t has 32 bits.
constexpr std::ptrdiff_t farthest_offset = std::ptrdiff_t(1) << 29;

/// What is wrong with a rule: a window below -1, query_offset too far or key_length above n_key.
Problem find_problem(VisibilityRule const& rule, std::size_t n_key);

/// Whether a rule that has no problem lets this query look at this key.
bool is_visible(VisibilityRule const& rule, std::size_t query, std::size_t key);

/// The visibility that a rule describes.
///
/// @return (n_query, n_key); 1 is visible.
/// @throws ArgumentError  if the rule has a problem
Visibility visibility(std::size_t n_query, std::size_t n_key, VisibilityRule const& rule = {});

/// What is wrong with a mask: it does not broadcast to `visible`, or an additive entry is NaN or +infinity.
Problem find_mask_problem(Visibility const& mask, Visibility const& visible);
template <class T> Problem find_mask_problem(Matrix<T> const& mask, Visibility const& visible);

/// What is wrong with one entry of an additive mask, for this query and key.
template <class T> Problem find_mask_problem(T entry, std::size_t query, std::size_t key);

/// Hides further keys: those where a boolean mask is 0.
///
/// @param mask  1 = may look; (n_query, n_key), or 1 in place of either, which is then repeated.
/// @throws ArgumentError  if the mask has a problem
void hide_by_mask(Visibility& visible, Visibility const& mask);

/// Adds an additive mask to the scores, and hides the keys whose entry is at or below `hidden_below`.
///
/// @param mask    (n_query, n_key), or 1 in place of either, which is then repeated.
/// @param scores  (n_query, n_key), dimensionless; changed in place.
/// @throws ArgumentError  if the mask has a problem
template <class T> void add_mask(Visibility& visible, Matrix<T>& scores, Matrix<T> const& mask);

/// Puts -infinity where a key is hidden, so that its exponential is exactly 0.
///
/// @return (n_query, n_key)
template <class T> Matrix<T> hide_scores(Matrix<T> const& scores, Visibility const& visible);

/// Puts 0 where a key is hidden, whatever stood there.
///
/// @return (n_query, n_key)
template <class T> Matrix<T> clear_hidden(Matrix<T> table, Visibility const& visible);

} // namespace attention
