// Inside of decode.cpp: few queries on their way along the keys. decode_tiles.cpp is compiled for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "band.hpp"
#include "platform.hpp"
#include "strided.hpp"

namespace attention {

constexpr bool has_decoding = !is_page;

/// One query of one head.
template <class T> struct DecodedQuery {
    T const* query = nullptr; // (d_k)
    KeyRange keys;            // which it sees by position
    std::uint8_t const* allowed = nullptr;
    T const* added = nullptr;
    std::ptrdiff_t mask_stride = 0; // from one key's entry of either mask to the next
};

/// Queries that look at the same keys and values: of every head that shares them.
template <class T> struct DecodedQueries {
    StridedMatrix<T const> key;   // (n_key, d_k)
    StridedMatrix<T const> value; // (n_key, d_v)
    DecodedQuery<T> const* queries = nullptr;
    std::size_t count = 0;
    T scale = T(1);
    T softcap = T(0);
};

/// The functions of decode_tiles.cpp for one instruction set and one type.
template <class T> struct DecodingTiles {
    /// With more queries than this in a head, panels of them are faster. 0 where there are no such functions.
    std::size_t most_queries = 0;

    /// How many numbers of scratch `attend` needs.
    std::size_t (*scratch_size)(std::size_t d_k) = nullptr;

    /// Writes what is known of each query after the given keys, (count, d_v + 2): the output that is to be divided by
    /// the total, then the largest score and the total. Gives false, with the states of no use, if a number that
    /// was read is not finite, or a score or an unfinished output overflows; hidden keys and values count.
    bool (*attend)(DecodedQueries<T> const& queries, KeyRange keys, T* states, T* scratch) = nullptr;
};

namespace baseline {
template <class T> DecodingTiles<T> decoding_tiles();
}
namespace avx2 {
template <class T> DecodingTiles<T> decoding_tiles();
}
namespace avx512 {
template <class T> DecodingTiles<T> decoding_tiles();
}

} // namespace attention
