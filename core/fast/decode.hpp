// The fast path where there are few queries for many keys, as when a text is continued word by word: native builds
// alone.
#pragma once

#include "decode_tiles.hpp"
#include "fused.hpp"
#include "fused_tiles.hpp"
#include "heads.hpp"
#include "threads.hpp"

namespace attention {

/// Whether so few queries look at so many keys that it is faster to decode. A softcap that T takes for none is left to
/// others.
template <class T> bool is_for_decoding(HeadCall<T> const& call) {
    constexpr std::size_t fewest_keys = 32; // with fewer there is nothing to win
    return has_decoding && call.key.rows >= fewest_keys && call.query.rows <= decoding_tiles<T>().most_queries &&
           holds_softcap<T>(call.options.softcap);
}

/// Attends to all heads of a call that is for decoding, reading each head of key and value once.
///
/// @return false, with the output of no use, where numbers are not to be trusted to tiles
template <class T>
[[nodiscard]] bool decode(HeadCalls<T> const& calls, Heads<T> const& output, FusedWorkspace<T>& workspace,
                          Threads const& threads);

} // namespace attention
