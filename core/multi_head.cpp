#include "multi_head.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "attention.hpp"
#include "decode.hpp"
#include "fused.hpp"
#include "fused_tiles.hpp"
#include "heads.hpp"
#include "platform.hpp"
#include "precision.hpp"
#include "threads.hpp"

namespace attention {
namespace {

/// Where one head of one batch is written. A stage is (n_query, n_key), or null where it is not wanted.
template <class T> struct HeadPlaces {
    bool want_stages() const {
        return scores != nullptr || capped != nullptr || masked != nullptr || weights != nullptr;
    }

    StridedMatrix<T> output; // (n_query, d_v)
    T* scores = nullptr;
    T* capped = nullptr;
    T* masked = nullptr;
    T* weights = nullptr;
};

template <class T> void copy_stage(Matrix<T> const& stage, T* place, std::size_t first) {
    if (place != nullptr) {
        std::copy(stage.begin(), stage.end(), place + first * stage.shape(1));
    }
}

/// One head by attention.hpp, in float64 and some queries at a time.
template <class T>
std::optional<Overflow<T>> attend_readably(HeadCall<T> const& call, HeadPlaces<T> const& places, std::size_t at_once,
                                           Threads const& threads) {
    Matrix<double> const key = matrix_from(call.key, 0, call.key.rows);       // (n_key, d_k)
    Matrix<double> const value = matrix_from(call.value, 0, call.value.rows); // (n_key, d_v)
    auto const attend_to = [&](std::size_t block, std::size_t /*thread*/) -> std::optional<Overflow<T>> {
        std::size_t const first = block * at_once;
        std::size_t const count = std::min(at_once, call.query.rows - first);
        Attention<T> const stages =
            narrowed<T>(attend(matrix_from(call.query, first, count), key, value, options_for(call, first, count)));
        if (std::optional<Overflow<T>> overflow = first_overflow(stages)) {
            overflow->query += first;
            return overflow;
        }
        copy_stage(stages.scores, places.scores, first);
        copy_stage(stages.capped, places.capped, first);
        copy_stage(stages.masked, places.masked, first);
        copy_stage(stages.weights, places.weights, first);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(row_of(stages.output, i), places.output.columns, places.output.row(first + i));
        }
        return {};
    };
    return threads.first_found((call.query.rows - 1) / at_once + 1, attend_to);
}

/// A copy of the rows of which `is_used` is true, with zeros in place of the others.
template <class T, class IsUsed> Matrix<T> used_rows(StridedMatrix<T const> const& rows, IsUsed is_used) {
    Matrix<T> copy = make_matrix<T>(rows.rows, rows.columns);
    for (std::size_t row = 0; row < rows.rows; ++row) {
        if (is_used(row)) {
            std::copy_n(rows.row(row), rows.columns, row_of(copy, row));
        }
    }
    return copy;
}

/// One head in tiles that read zeros in place of queries that see no key, and of keys and values that no query sees.
template <class T>
bool attend_used_rows_in_tiles(HeadCall<T> call, StridedMatrix<T> const& output, FusedWorkspace<T>* workspaces,
                               Threads const& threads) {
    std::vector<std::uint8_t> seen(call.key.rows);
    for (std::size_t key = 0; key < call.key.rows; ++key) {
        seen[key] = is_seen(call, key) ? 1 : 0;
    }
    auto const is_seen_key = [&seen](std::size_t key) { return seen[key] != 0; };
    Matrix<T> const query = used_rows(call.query, [&call](std::size_t row) { return sees_any(call, row); });
    Matrix<T> const key = used_rows(call.key, is_seen_key);
    Matrix<T> const value = used_rows(call.value, is_seen_key);
    call.query = strided(query);
    call.key = strided(key);
    call.value = strided(value);
    return attend_in_tiles(call, output, workspaces, threads);
}

/// One head that the tiles do not do, or whose stages are wanted. Every number that a query sees is finite. It is slow
/// only where such numbers are near the end of T's range: hidden rows of any contents cost a copy.
template <class T>
std::optional<Overflow<T>> attend_with_care(HeadCall<T> const& call, HeadPlaces<T> const& places,
                                            FusedWorkspace<T>* workspaces, Threads const& threads) {
    if (places.want_stages()) {
        return attend_readably(call, places, queries_at_once(call), threads);
    }
    if (attend_used_rows_in_tiles(call, places.output, workspaces, threads)) {
        return {};
    }
    // Query by query, so that memory grows with the number of keys alone.
    return attend_readably(call, places, 1, threads);
}

template <class T> T* stage_at(T* stage, std::size_t offset) {
    return stage == nullptr ? nullptr : stage + offset;
}

/// The head's output and stages, or what is wrong. The tiles find by themselves that a number is not finite; what they
/// refuse, the readable path decides: its sums are of another order, and it tells the place of what overflows.
///
/// @param numbers_are_known  to be finite where they are seen, in all of the calls; brought up to date
template <class T>
Problem attend_head(HeadCalls<T> const& calls, std::size_t batch, std::size_t head, HeadPlaces<T> const& places,
                    FusedWorkspace<T>* workspaces, Threads const& threads, std::atomic<bool>& numbers_are_known) {
    HeadCall<T> const call = calls.at(batch, head);
    // Where the output alone is wanted, no (n_query, n_key) matrix is held.
    if (!places.want_stages() && attend_in_tiles(call, places.output, workspaces, threads)) {
        return {};
    }
    if (!numbers_are_known) {
        if (Problem number = find_number_problem(calls)) {
            return number;
        }
        numbers_are_known = true;
    }
    std::optional<Overflow<T>> const overflow = attend_with_care(call, places, workspaces, threads);
    return overflow ? Problem(describe_overflow(*overflow, batch, head, calls.query.rank)) : Problem();
}

template <class T>
Problem attend_heads(HeadCalls<T> const& calls, MultiHeadPlaces<T> const& places, FusedWorkspace<T>* workspaces,
                     Threads const& threads) {
    Heads<T> output(places.output, calls.query.rank, calls.query.batches, calls.query.heads, calls.query.rows,
                    calls.value.width);
    if constexpr (!is_page) {
        if (places.output_strides != nullptr) {
            output.take_strides(places.output_strides);
        }
    }
    std::size_t const stage_size = calls.query.rows * calls.key.rows;
    std::atomic<bool> numbers_are_known = false;
    auto const places_of = [&](std::size_t index) -> HeadPlaces<T> {
        std::size_t const offset = index * stage_size;
        return {output.matrix_of(index / calls.query.heads, index % calls.query.heads), stage_at(places.scores, offset),
                stage_at(places.capped, offset), stage_at(places.masked, offset), stage_at(places.weights, offset)};
    };
    if constexpr (has_decoding) {
        if (is_for_decoding(calls.at(0, 0)) && !places_of(0).want_stages() &&
            decode(calls, output, workspaces[0], threads)) {
            return {};
        }
    }
    return threads.first_found(calls.query.batches * calls.query.heads, [&](std::size_t index, std::size_t /*thread*/) {
        return attend_head(calls, index / calls.query.heads, index % calls.query.heads, places_of(index), workspaces,
                           threads, numbers_are_known);
    });
}

template <class T> MultiHeadShapes result_shapes(HeadCalls<T> const& calls) {
    Heads<T const> const& q = calls.query;
    std::size_t const d_v = calls.value.width;
    std::size_t const n_key = calls.key.rows;
    switch (q.rank) {
    case 2:
        return {{q.rows, d_v}, {q.rows, n_key}};
    case 3:
        return {{q.batches, q.rows, q.heads * d_v}, {q.batches, q.heads, q.rows, n_key}};
    default:
        return {{q.batches, q.heads, q.rows, d_v}, {q.batches, q.heads, q.rows, n_key}};
    }
}

/// What is wrong with a call of one head but for its numbers and the entries of its mask.
template <class T> Problem find_form_problem(HeadCall<T> const& call, StridedMatrix<T> const& output) {
    if (Problem shapes = find_shape_problem(call.query, call.key, call.value)) {
        return shapes;
    }
    if (output.rows != call.query.rows || output.columns != call.value.columns) {
        return describe_problem("output", {"has shape ", shape_of(output)},
                                {"(n_query, d_v) = ", MessagePart(call.query.rows, call.value.columns)});
    }
    if (Problem option = find_problem<T>(call.options, call.query.columns)) {
        return option;
    }
    return find_problem(call.options.rule, call.key.rows);
}

/// What is wrong with an entry of an additive mask that the rule leaves visible.
template <class T> Problem find_visible_mask_problem(HeadCall<T> const& call) {
    auto const* const added = std::get_if<StridedMask<T>>(&call.options.mask);
    for (std::size_t i = 0; added != nullptr && i < call.query.rows; ++i) {
        for (std::size_t j = 0; j < call.key.rows; ++j) {
            Problem problem = is_visible(call, i, j) ? find_mask_problem<T>(added->at(i, j), i, j) : Problem();
            if (problem) {
                return problem;
            }
        }
    }
    return {};
}

} // namespace

template <class T>
MultiHeadShapes result_shapes(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                              MultiHeadOptions<T> const& options) {
    return result_shapes(HeadCalls<T>(query, key, value, options));
}

template <class T>
Problem attend_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options, MultiHeadPlaces<T> const& places,
                     MultiHeadWorkspace<T>& workspace) {
    Threads const threads(options.threads);
    return attend_heads(HeadCalls<T>(query, key, value, options), places, workspace.of_threads(threads.count()),
                        threads);
}

template <class T>
Problem attend_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options, MultiHeadPlaces<T> const& places) {
    MultiHeadWorkspace<T> workspace;
    return attend_heads(query, key, value, options, places, workspace);
}

// Of fused.hpp, and here, where the tiles have what they fall back to.
template <class T>
Problem fused_attention(StridedMatrix<T const> const& query, StridedMatrix<T const> const& key,
                        StridedMatrix<T const> const& value, FusedOptions<T> const& options,
                        StridedMatrix<T> const& output, FusedWorkspace<T>& workspace) {
    HeadCall<T> const call{query, key, value, options};
    if (Problem form = find_form_problem(call, output)) {
        return form;
    }
    Threads const threads(1);
    if constexpr (has_decoding) {
        if (is_for_decoding(call) && decode(HeadCalls<T>(call), Heads<T>(output), workspace, threads)) {
            return {};
        }
    }
    if (attend_in_tiles(call, output, &workspace, threads)) {
        return {};
    }
    if (Problem mask = find_visible_mask_problem(call)) {
        return mask;
    }
    if (Problem number = find_number_problem(HeadCalls<T>(call))) {
        return number;
    }
    std::optional<Overflow<T>> const overflow = attend_with_care(call, HeadPlaces<T>{output}, &workspace, threads);
    return overflow ? Problem(describe_overflow(*overflow, 0, 0, 2)) : Problem();
}

template <class T>
MultiHeadAttention<T> multi_head_attention(TensorView<T> const& query, TensorView<T> const& key,
                                           TensorView<T> const& value, MultiHeadOptions<T> const& options,
                                           KeptStages const& keep) {
    throw_if_problem([&] { return find_form_problem(query, key, value, options); });
    HeadCalls<T> const calls(query, key, value, options);
    MultiHeadShapes const shapes = result_shapes(calls);
    MultiHeadAttention<T> result;
    result.output = Tensor<T>::from_shape(shapes.output);
    MultiHeadPlaces<T> places{result.output.data()};
    auto const make_room = [&shapes](bool wanted, std::optional<Tensor<T>>& stage, T*& place) {
        if (wanted) {
            place = stage.emplace(Tensor<T>::from_shape(shapes.stage)).data();
        }
    };
    make_room(keep.scores, result.scores, places.scores);
    make_room(keep.capped, result.capped, places.capped);
    make_room(keep.masked, result.masked, places.masked);
    make_room(keep.weights, result.weights, places.weights);

    Threads const threads(options.threads);
    MultiHeadWorkspace<T> workspace;
    if (Problem const problem = attend_heads(calls, places, workspace.of_threads(threads.count()), threads)) {
        throw_problem(*problem);
    }
    return result;
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template MultiHeadShapes result_shapes(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,           \
                                           MultiHeadOptions<T> const&);                                                \
    template Problem attend_heads(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,                    \
                                  MultiHeadOptions<T> const&, MultiHeadPlaces<T> const&, MultiHeadWorkspace<T>&);      \
    template Problem attend_heads(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,                    \
                                  MultiHeadOptions<T> const&, MultiHeadPlaces<T> const&);                              \
    template Problem fused_attention(StridedMatrix<T const> const&, StridedMatrix<T const> const&,                     \
                                     StridedMatrix<T const> const&, FusedOptions<T> const&, StridedMatrix<T> const&,   \
                                     FusedWorkspace<T>&);                                                              \
    template MultiHeadAttention<T> multi_head_attention(TensorView<T> const&, TensorView<T> const&,                    \
                                                        TensorView<T> const&, MultiHeadOptions<T> const&,              \
                                                        KeptStages const&);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
