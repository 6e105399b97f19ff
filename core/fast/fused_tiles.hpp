// What fused.cpp, compiled once, and fused_tiles.cpp, compiled for each instruction set, know of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strided.hpp"

namespace attention {

/// Query i sees the keys from i + first up to, but without, i + last, as far as they are among the `valid` first keys.
struct Band {
    std::ptrdiff_t first = 0;
    std::ptrdiff_t last = 0;
    std::ptrdiff_t valid = 0;
};

struct KeyRange {
    std::ptrdiff_t begin = 0;
    std::ptrdiff_t end = 0;
};

inline KeyRange keys_of(Band const& band, std::ptrdiff_t query) {
    auto const limited = [&](std::ptrdiff_t key) { return key < 0 ? 0 : key < band.valid ? key : band.valid; };
    return {limited(query + band.first), limited(query + band.last)};
}

/// A call whose shapes and options are in order.
template <class T> struct FusedCall {
    StridedMatrix<T const> query; // (n_query, d_k)
    StridedMatrix<T const> key;   // (n_key, d_k)
    StridedMatrix<T const> value; // (n_key, d_v)
    StridedMatrix<T> output;      // (n_query, d_v)
    T scale = T(1);
    T softcap = T(0);
    Band band;
    StridedMask<std::uint8_t> allowed; // without data where there is none, and so is the other
    StridedMask<T> added;
    T hiding = T(0); // entries of `added` at or below this hide their key
};

/// The functions of fused_tiles.cpp for one instruction set and one type.
template <class T> struct FusedTiles {
    /// How many numbers of scratch `attend` needs.
    std::size_t (*scratch_size)(std::size_t d_k, std::size_t d_v);

    /// The largest |entry| of rows [begin, end); infinity or NaN if any of them is not finite.
    T (*magnitude)(StridedMatrix<T const> const& matrix, KeyRange rows);

    /// Computes the output from finite entries, of which no score overflows to -infinity. Gives false, with the output
    /// of no use, if a score or a mask entry is NaN or +infinity.
    bool (*attend)(FusedCall<T> const& call, T* scratch);
};

struct FusedInstructionSet {
    char const* name;
    FusedTiles<float> float32;
    FusedTiles<double> float64;
};

/// The instruction sets that this build has tiles for and this machine runs, best first. The last is the baseline.
std::vector<FusedInstructionSet> const& supported_instruction_sets();

/// Makes later calls use one of them in place of the best. For tests and measurements, before threads start.
void use_instruction_set(FusedInstructionSet const& set);

namespace baseline {
FusedInstructionSet fused_tiles();
}
namespace avx2 {
FusedInstructionSet fused_tiles();
}
namespace avx512 {
FusedInstructionSet fused_tiles();
}

} // namespace attention
