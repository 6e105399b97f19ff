// The fast path: softmax(mask(scale * Q Kᵀ)) V of one head without a table of scores. attention.hpp is the readable
// path, which says what is computed; fused_tiles.cpp says how this one goes about it.
#pragma once

#include <cstddef>
#include <memory>

#include "error.hpp"
#include "score_rule.hpp"
#include "strided.hpp"

namespace attention {

/// A score rule whose mask is a view.
template <class T> using FusedOptions = ScoreRule<T, MaskView<T>>;

/// Memory that the fast path works in. It grows with d_k + d_v, not with the number of queries or keys. Pass the same
/// one to call after call and only the first allocates. Not to be shared by threads.
template <class T> class FusedWorkspace {
  public:
    /// Room for that many numbers, at the start of a cache line.
    ///
    /// @throws std::bad_alloc
    T* reserve(std::size_t numbers) {
        constexpr std::size_t per_line = sizeof(Line) / sizeof(T);
        std::size_t const needed = numbers / per_line + (numbers % per_line != 0 ? 1 : 0);
        if (count_ < needed) {
            count_ = 0;                     // should there be no memory
            lines_.reset();                 // first, so that both are never held
            lines_.reset(new Line[needed]); // left as it is: zeros would take as long as a short call
            count_ = needed;
        }
        return reinterpret_cast<T*>(lines_.get());
    }

  private:
    struct alignas(64) Line {
        T numbers[64 / sizeof(T)];
    };
    std::unique_ptr<Line[]> lines_;
    std::size_t count_ = 0;
};

/// output = softmax(mask(softcap(scale * Q Kᵀ))) V for one head, on one thread.
///
/// @param query  (n_query, d_k)
/// @param key    (n_key, d_k)
/// @param value  (n_key, d_v)
/// @param output (n_query, d_v); overlaps none of the others. A query that sees no key gets exact zeros.
/// @return       what is wrong with the call, in the words of the readable path, or nothing. If something is, the
///               output means nothing. Hidden queries, keys and values may hold anything. Of an additive mask, only
///               entries that the rule leaves visible are looked at.
/// @throws std::bad_alloc  if there is no memory for the workspace, or for what hidden rows and large numbers take
///
/// Float32 is within 1e-5 of the readable path, relative to the row's largest entry, float64 within 1e-13. Weights
/// below 2^-60 of the row's largest count as 0, which shows where values are further apart than that: ask for a stage
/// of `multi_head_attention` there, whose output is of all weights.
template <class T>
[[nodiscard]] Problem fused_attention(StridedMatrix<T const> const& query, StridedMatrix<T const> const& key,
                                      StridedMatrix<T const> const& value, FusedOptions<T> const& options,
                                      StridedMatrix<T> const& output, FusedWorkspace<T>& workspace);

} // namespace attention
