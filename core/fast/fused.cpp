#include "fused.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "attention.hpp"
#include "fused_tiles.hpp"
#include "platform.hpp"

namespace attention {
namespace {

FusedInstructionSet const*& chosen_set() {
    static FusedInstructionSet const* chosen = &supported_instruction_sets().front();
    return chosen;
}

template <class T> FusedTiles<T> const& tiles() {
    if constexpr (std::is_same_v<T, float>) {
        return chosen_set()->float32;
    } else {
        return chosen_set()->float64;
    }
}

/// Whether every number that the tiles read is finite, and none is so large that a score or an unfinished output could
/// overflow.
template <class T> bool is_ordinary(FusedCall<T> const& call) {
    HeadCall<T> const& head = call.head;
    std::ptrdiff_t const n_query = static_cast<std::ptrdiff_t>(head.query.rows);
    KeyRange const keys = {keys_of(call.band, 0).begin, keys_of(call.band, n_query - 1).end};
    double const query = static_cast<double>(tiles<T>().magnitude(head.query, {0, n_query}));
    double const key = static_cast<double>(tiles<T>().magnitude(head.key, keys));
    double const value = static_cast<double>(tiles<T>().magnitude(head.value, keys));
    double const score = query * key * static_cast<double>(head.query.columns);
    double const scaled = score * std::fabs(static_cast<double>(call.scale));
    double const output = value * static_cast<double>(head.key.rows);
    // A NaN fails every comparison.
    constexpr double limit = static_cast<double>(std::numeric_limits<T>::max()) / 4;
    return score <= limit && scaled <= limit && output <= limit && holds_softcap<T>(head.options.softcap);
}

/// Below this many queries, keys and values are not read often enough.
constexpr std::size_t fewest_queries_to_pack = 64;

/// Whether rows lie a multiple of a kibibyte apart, as those of heads side by side do where widths are powers of two:
/// they then share a few places of the caches, and push each other out of them.
template <class T> bool thrashes(StridedMatrix<T const> const& matrix) {
    constexpr std::size_t apart = 1024 / sizeof(T);
    auto const stride = static_cast<std::size_t>(matrix.stride < 0 ? -matrix.stride : matrix.stride);
    return stride != matrix.columns && stride % apart == 0 && matrix.rows >= fewest_queries_to_pack;
}

/// A copy whose rows lie one behind the other.
template <class T> StridedMatrix<T const> packed_into(std::vector<T>& memory, StridedMatrix<T const> const& matrix) {
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        std::copy_n(matrix.row(i), matrix.columns, memory.data() + i * matrix.columns);
    }
    return {memory.data(), matrix.rows, matrix.columns, static_cast<std::ptrdiff_t>(matrix.columns)};
}

} // namespace

Band band_of(VisibilityRule const& rule, std::size_t n_key) {
    // Further than any key is from any query, and far enough from overflow that a position can be added.
    constexpr std::ptrdiff_t far = std::numeric_limits<std::ptrdiff_t>::max() / 2;
    Band band = {-far, far, static_cast<std::ptrdiff_t>(rule.key_length.value_or(n_key))};
    if (rule.left_window >= 0) {
        band.first = rule.query_offset - std::min(rule.left_window, far);
    }
    if (rule.right_window >= 0) {
        band.last = rule.query_offset + std::min(rule.right_window, far) + 1;
    }
    if (rule.is_causal) {
        band.last = std::min(band.last, rule.query_offset + 1);
    }
    return band;
}

template <class T>
bool attend_in_tiles(HeadCall<T> const& head, StridedMatrix<T> const& output, FusedWorkspace<T>* workspaces,
                     Threads const& threads) {
    if constexpr (!is_page) {
        if (head.query.rows >= fewest_queries_to_pack && (thrashes(head.key) || thrashes(head.value))) {
            std::vector<T> keys(head.key.size());
            std::vector<T> values(head.value.size());
            HeadCall<T> packed = head;
            packed.key = packed_into(keys, head.key);
            packed.value = packed_into(values, head.value);
            return attend_in_tiles(packed, output, workspaces, threads);
        }
    }
    FusedCall<T> call{head, output, scale_of(head.options, head.query.columns),
                      band_of(head.options.rule, head.key.rows)};
    if (auto const* allowed = std::get_if<StridedMask<std::uint8_t>>(&head.options.mask)) {
        call.allowed = *allowed;
    } else if (auto const* added = std::get_if<StridedMask<T>>(&head.options.mask)) {
        call.added = *added;
    }
    if (!is_ordinary(call)) {
        return false;
    }
    std::size_t const scratch_size = tiles<T>().scratch_size(head.query.columns, head.value.columns);
    std::size_t const n_query = head.query.rows;
    auto const fails = [&](std::size_t task, std::size_t thread) {
        std::size_t const first = task * queries_of_a_task;
        return !tiles<T>().attend(call, {first, std::min(n_query, first + queries_of_a_task)},
                                  workspaces[thread].reserve(scratch_size));
    };
    return !threads.first_found((n_query + queries_of_a_task - 1) / queries_of_a_task, fails);
}

template <class T> DecodingTiles<T> const& decoding_tiles() {
    return tiles<T>().decoding;
}

std::vector<FusedInstructionSet> const& supported_instruction_sets() {
    static std::vector<FusedInstructionSet> const sets = [] {
        std::vector<FusedInstructionSet> found;
#ifdef ATTENTION_X86_TILES
        bool const has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
            found.push_back(avx512::fused_tiles());
        }
        if (has_avx2) {
            found.push_back(avx2::fused_tiles());
        }
#endif
        found.push_back(baseline::fused_tiles());
        return found;
    }();
    return sets;
}

void use_instruction_set(FusedInstructionSet const& set) {
    chosen_set() = &set;
}

template bool attend_in_tiles(HeadCall<float> const&, StridedMatrix<float> const&, FusedWorkspace<float>*,
                              Threads const&);
template bool attend_in_tiles(HeadCall<double> const&, StridedMatrix<double> const&, FusedWorkspace<double>*,
                              Threads const&);
template DecodingTiles<float> const& decoding_tiles();
template DecodingTiles<double> const& decoding_tiles();

} // namespace attention
