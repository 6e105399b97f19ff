// The fast path inside of the core: one head in tiles. fused.cpp is compiled once, fused_tiles.cpp for each instruction
// set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "band.hpp"
#include "decode_tiles.hpp"
#include "score_rule.hpp"
#include "strided.hpp"
#include "threads.hpp"

namespace attention {

/// A call whose shapes and options are in order, and what its score rule amounts to for its numbers of rows and
/// columns.
template <class T> struct FusedCall {
    HeadCall<T> const& head;
    StridedMatrix<T> output; // (n_query, d_v)
    T scale = T(1);
    Band band;
    StridedMask<std::uint8_t> allowed = {}; // without data where there is none, and so is the other
    StridedMask<T> added = {};
};

/// Queries from `begin` up to, but without, `end`.
struct QueryRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// A task of a thread: a multiple of every panel, so that panels are the same however tasks are cut.
constexpr std::size_t queries_of_a_task = 64;

/// The functions of fused_tiles.cpp for one instruction set and one type.
template <class T> struct FusedTiles {
    /// How many numbers of scratch `attend` needs.
    std::size_t (*scratch_size)(std::size_t d_k, std::size_t d_v);

    /// The largest |entry| of rows [begin, end); infinity or NaN if any of them is not finite.
    T (*magnitude)(StridedMatrix<T const> const& matrix, KeyRange rows);

    /// Computes the output from finite entries, of which no score overflows to -infinity. Gives false, with the output
    /// of no use, if a score or a mask entry is NaN or +infinity.
    ///
    /// @param queries  which of them; the first is a multiple of `queries_of_a_task`
    bool (*attend)(FusedCall<T> const& call, QueryRange queries, T* scratch);

    /// The same for few queries.
    DecodingTiles<T> decoding;
};

template <class T> class FusedWorkspace;

/// The output of one head in tiles, as `fused_attention` describes it. For a call whose shapes and options are in
/// order.
///
/// @param workspaces  one for each thread
/// @return false, with the output of no use, if the tiles cannot be trusted with the call: a number that they read is
///         not finite, or so large that a score or an unfinished output could overflow. They read hidden rows too.
template <class T>
[[nodiscard]] bool attend_in_tiles(HeadCall<T> const& call, StridedMatrix<T> const& output,
                                   FusedWorkspace<T>* workspaces, Threads const& threads);

/// Whether T holds a softcap, and does not take it for none.
template <class T> bool holds_softcap(double softcap) {
    return softcap == 0 || static_cast<T>(softcap) != T(0);
}

/// The functions for few queries of the instruction set in use.
template <class T> DecodingTiles<T> const& decoding_tiles();

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
