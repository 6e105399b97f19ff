// What decides a score on its way from q . k to the softmax: the one description that every path takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "strided.hpp"

namespace attention {

/// Who sees whom by position alone. Query i stands at position i + query_offset among the keys.
struct VisibilityRule {
    /// Key j is visible only where j <= i + query_offset.
    bool is_causal = false;
    /// Keys that come before the first query, as with a cache of earlier tokens. May be negative; at most
    /// `farthest_offset` either way.
    std::ptrdiff_t query_offset = 0;
    /// Keys visible to the left and right of the query's own position; -1 for no limit.
    std::ptrdiff_t left_window = -1;
    std::ptrdiff_t right_window = -1;
    /// Keys from this index on are padding and hidden; all keys are valid where it is absent.
    std::optional<std::size_t> key_length;
};

/// Additive mask entries at or below this hide their key outright. Masks in the wild write "hidden" as -infinity, as
/// the lowest float or as -1e9; added to a score, a finite one would turn a wholly hidden row into an even spread.
constexpr double hidden_below = -1e9;

/// What is done to q . k before masks: softcap(scale * q . k). Every options struct holds it, and all of it is copied
/// at once, so that one more number is a field here, a check and the formula.
template <class T> struct ScoreTransform {
    /// The factor on q . k; 1/sqrt(d_k) where it is absent. 0 and 1 are real values.
    std::optional<T> scale;
    /// Caps scores smoothly before masking, c * tanh(s / c); 0 leaves them alone. Of float64 for every T, so that a cap
    /// too small for float32 is not taken for none.
    double softcap = 0;
};

/// From q . k to what the softmax takes, for one head: mask(softcap(scale * q . k)).
///
/// @tparam Mask  how the mask is held: nothing, a boolean mask (1 = may look) or an additive one, of shape
///               (n_query, n_key) or broadcast to it
template <class T, class Mask> struct ScoreRule : ScoreTransform<T> {
    /// Causal order, windows and padding.
    VisibilityRule rule;
    Mask mask;
};

/// A mask of one head that belongs to someone else.
template <class T> using MaskView = std::variant<std::monostate, StridedMask<std::uint8_t>, StridedMask<T>>;

/// What one head computes with.
template <class T> struct HeadCall {
    StridedMatrix<T const> query; // (n_query, d_k)
    StridedMatrix<T const> key;   // (n_key, d_k)
    StridedMatrix<T const> value; // (n_key, d_v)
    ScoreRule<T, MaskView<T>> options;
};

} // namespace attention
