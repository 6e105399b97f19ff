#include "fused.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "attention.hpp"
#include "fused_tiles.hpp"

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

/// The band of a rule that has no problem.
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
Problem find_problem(StridedMatrix<T const> const& query, StridedMatrix<T const> const& key,
                     StridedMatrix<T const> const& value, FusedOptions<T> const& options,
                     StridedMatrix<T> const& output) {
    if (Problem shapes = find_shape_problem(query, key, value)) {
        return shapes;
    }
    if (output.rows != query.rows || output.columns != value.columns) {
        return describe_problem("output", {"has shape ", shape_of(output)},
                                {"(n_query, d_v) = ", Part(query.rows, value.columns)});
    }
    if (Problem option = find_option_problem(scale_of(options.scale, query.columns), options.softcap)) {
        return option;
    }
    return find_problem(options.rule, key.rows);
}

template <class T> bool sees(FusedCall<T> const& call, std::size_t query, std::size_t key) {
    KeyRange const range = keys_of(call.band, static_cast<std::ptrdiff_t>(query));
    auto const position = static_cast<std::ptrdiff_t>(key);
    return range.begin <= position && position < range.end &&
           (call.allowed.data == nullptr || call.allowed.at(query, key) != 0) &&
           (call.added.data == nullptr || !(call.added.at(query, key) <= call.hiding));
}

/// Which queries see a key, and which keys are seen.
struct Use {
    std::vector<std::uint8_t> queries;
    std::vector<std::uint8_t> keys;
};

template <class T> Use find_use(FusedCall<T> const& call) {
    Use use{std::vector<std::uint8_t>(call.query.rows), std::vector<std::uint8_t>(call.key.rows)};
    // Twice, because each search ends early where most is visible.
    for (std::size_t i = 0; i < call.query.rows; ++i) {
        for (std::size_t j = 0; j < call.key.rows && use.queries[i] == 0; ++j) {
            use.queries[i] = sees(call, i, j) ? 1 : 0;
        }
    }
    for (std::size_t j = 0; j < call.key.rows; ++j) {
        for (std::size_t i = 0; i < call.query.rows && use.keys[j] == 0; ++i) {
            use.keys[j] = sees(call, i, j) ? 1 : 0;
        }
    }
    return use;
}

/// Whether the tiles may be trusted with the call: every number that they read is finite, and none is so large that a
/// score or an unfinished output could overflow.
template <class T> bool is_ordinary(FusedCall<T> const& call) {
    std::ptrdiff_t const n_query = static_cast<std::ptrdiff_t>(call.query.rows);
    KeyRange const keys = {keys_of(call.band, 0).begin, keys_of(call.band, n_query - 1).end};
    double const query = static_cast<double>(tiles<T>().magnitude(call.query, {0, n_query}));
    double const key = static_cast<double>(tiles<T>().magnitude(call.key, keys));
    double const value = static_cast<double>(tiles<T>().magnitude(call.value, keys));
    double const score = query * key * static_cast<double>(call.query.columns);
    double const scaled = score * std::fabs(static_cast<double>(call.scale));
    double const output = value * static_cast<double>(call.key.rows);
    // A NaN fails every comparison.
    constexpr double limit = static_cast<double>(std::numeric_limits<T>::max()) / 4;
    return score <= limit && scaled <= limit && output <= limit;
}

template <class T> bool attend_in_tiles(FusedCall<T> const& call, FusedWorkspace<T>& workspace) {
    T* const scratch = workspace.reserve(tiles<T>().scratch_size(call.query.columns, call.value.columns));
    return tiles<T>().attend(call, scratch);
}

/// A visible entry that is not finite, in the order in which the readable path looks.
template <class T> Problem find_visible_problem(FusedCall<T> const& call, Use const& use) {
    for (std::size_t i = 0; call.added.data != nullptr && i < call.query.rows; ++i) {
        for (std::size_t j = 0; j < call.key.rows; ++j) {
            Problem problem = sees(call, i, j) ? find_mask_problem<T>(call.added.at(i, j), i, j) : Problem();
            if (problem) {
                return problem;
            }
        }
    }
    for (std::size_t i = 0; i < call.query.rows; ++i) {
        if (use.queries[i] != 0) {
            if (Problem problem = find_non_finite("query", call.query.row(i), call.query.columns, i)) {
                return problem;
            }
        }
    }
    for (std::size_t j = 0; j < call.key.rows; ++j) {
        if (use.keys[j] != 0) {
            if (Problem problem = find_non_finite("key", call.key.row(j), call.key.columns, j)) {
                return problem;
            }
            if (Problem problem = find_non_finite("value", call.value.row(j), call.value.columns, j)) {
                return problem;
            }
        }
    }
    return {};
}

/// A copy with zeros in place of the rows that are of no use.
template <class T> Matrix<T> used_rows(StridedMatrix<T const> const& matrix, std::vector<std::uint8_t> const& is_used) {
    Matrix<T> copy = make_matrix<T>(matrix.rows, matrix.columns);
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        if (is_used[row] != 0) {
            std::copy_n(matrix.row(row), matrix.columns, row_of(copy, row));
        }
    }
    return copy;
}

template <class T> StridedMatrix<T const> view_of(Matrix<T> const& matrix) {
    return {matrix.data(), matrix.shape(0), matrix.shape(1), static_cast<std::ptrdiff_t>(matrix.shape(1))};
}

/// The readable path, query by query, so that memory grows with the number of keys alone.
template <class T>
Problem attend_row_by_row(FusedCall<T> const& call, Matrix<T> const& query, Matrix<T> const& key,
                          Matrix<T> const& value) {
    for (std::size_t i = 0; i < call.query.rows; ++i) {
        Matrix<T> mask = make_matrix<T>(1, key.shape(0));
        for (std::size_t j = 0; j < key.shape(0); ++j) {
            mask(0, j) = !sees(call, i, j)            ? -std::numeric_limits<T>::infinity()
                         : call.added.data == nullptr ? T(0)
                                                      : call.added.at(i, j);
        }
        Matrix<T> row = make_matrix<T>(1, query.shape(1));
        std::copy_n(row_of(query, i), query.shape(1), row.begin());
        Attention<T> const stages = attend(row, key, value, {call.scale, call.softcap, {}, mask});
        if (Problem overflow = find_overflow(stages, i)) {
            return overflow;
        }
        std::copy(stages.output.begin(), stages.output.end(), call.output.row(i));
    }
    return {};
}

/// For calls that the tiles cannot be trusted with. It is slow only where numbers near the end of T's range are seen:
/// hidden rows of any contents cost a copy.
template <class T> Problem attend_with_care(FusedCall<T> call, FusedWorkspace<T>& workspace) {
    Use const use = find_use(call);
    if (Problem problem = find_visible_problem(call, use)) {
        return problem;
    }
    Matrix<T> const query = used_rows<T>(call.query, use.queries);
    Matrix<T> const key = used_rows<T>(call.key, use.keys);
    Matrix<T> const value = used_rows<T>(call.value, use.keys);
    call.query = view_of(query);
    call.key = view_of(key);
    call.value = view_of(value);
    if (is_ordinary(call) && attend_in_tiles(call, workspace)) {
        return {};
    }
    return attend_row_by_row(call, query, key, value);
}

} // namespace

template <class T>
Problem fused_attention(StridedMatrix<T const> const& query, StridedMatrix<T const> const& key,
                        StridedMatrix<T const> const& value, FusedOptions<T> const& options,
                        StridedMatrix<T> const& output, FusedWorkspace<T>& workspace) {
    if (Problem problem = find_problem(query, key, value, options, output)) {
        return problem;
    }
    FusedCall<T> call;
    call.query = query;
    call.key = key;
    call.value = value;
    call.output = output;
    call.scale = scale_of(options.scale, query.columns);
    call.softcap = options.softcap;
    call.band = band_of(options.rule, key.rows);
    call.hiding = static_cast<T>(hidden_below);
    if (auto const* allowed = std::get_if<StridedMask<std::uint8_t>>(&options.mask)) {
        call.allowed = *allowed;
    } else if (auto const* added = std::get_if<StridedMask<T>>(&options.mask)) {
        call.added = *added;
    }
    if (is_ordinary(call) && attend_in_tiles(call, workspace)) {
        return {};
    }
    return attend_with_care(call, workspace);
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

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template Problem fused_attention(StridedMatrix<T const> const&, StridedMatrix<T const> const&,                     \
                                     StridedMatrix<T const> const&, FusedOptions<T> const&, StridedMatrix<T> const&,   \
                                     FusedWorkspace<T>&);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
