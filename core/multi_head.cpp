#include "multi_head.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "attention.hpp"
#include "fused.hpp"
#include "heads.hpp"

namespace attention {
namespace {

/// Where one head of one batch is written. A stage is (n_query, n_key), or null where it is not wanted.
template <class T> struct HeadPlaces {
    Rows<T> output; // (n_query, d_v)
    T* scores = nullptr;
    T* capped = nullptr;
    T* masked = nullptr;
    T* weights = nullptr;
};

/// A copy of some of a head's rows.
template <class T> Matrix<T> matrix_from(Rows<T const> const& rows, std::size_t first, std::size_t count) {
    Matrix<T> matrix = Matrix<T>::from_shape({count, rows.width});
    for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(rows.row(first + i), rows.width, row_of(matrix, i));
    }
    return matrix;
}

/// Rule and mask of some of a head's queries, as the one mask that they amount to.
template <class T> AttentionOptions<T> options_for(HeadCall<T> const& call, std::size_t first, std::size_t count) {
    std::size_t const n_key = call.key.count;
    AttentionOptions<T> options;
    options.scale = call.scale;
    options.softcap = call.softcap;
    if (call.mask.additive == nullptr) {
        Visibility visible = make_matrix<std::uint8_t>(count, n_key);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < n_key; ++j) {
                visible(i, j) = is_visible(call, first + i, j) ? 1 : 0;
            }
        }
        options.mask = std::move(visible);
    } else {
        Matrix<T> added = make_matrix<T>(count, n_key, -std::numeric_limits<T>::infinity());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < n_key; ++j) {
                if (is_visible(call, first + i, j)) {
                    added(i, j) = call.mask.additive[call.mask.place(first + i, j)];
                }
            }
        }
        options.mask = std::move(added);
    }
    return options;
}

template <class T> void copy_stage(Matrix<T> const& stage, T* place, std::size_t first) {
    if (place != nullptr) {
        std::copy(stage.begin(), stage.end(), place + first * stage.shape(1));
    }
}

/// One head by attention.hpp, some queries at a time.
template <class T>
std::optional<Overflow<T>> attend_readably(HeadCall<T> const& call, HeadPlaces<T> const& places,
                                           std::size_t queries_at_once) {
    Matrix<T> const key = matrix_from(call.key, 0, call.key.count);       // (n_key, d_k)
    Matrix<T> const value = matrix_from(call.value, 0, call.value.count); // (n_key, d_v)
    for (std::size_t first = 0; first < call.query.count; first += queries_at_once) {
        std::size_t const count = std::min(queries_at_once, call.query.count - first);
        Attention<T> const stages =
            attend(matrix_from(call.query, first, count), key, value, options_for(call, first, count));
        if (std::optional<Overflow<T>> overflow = first_overflow(stages)) {
            overflow->query += first;
            return overflow;
        }
        copy_stage(stages.scores, places.scores, first);
        copy_stage(stages.capped, places.capped, first);
        copy_stage(stages.masked, places.masked, first);
        copy_stage(stages.weights, places.weights, first);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(row_of(stages.output, i), places.output.width, places.output.row(first + i));
        }
    }
    return {};
}

/// One head whose stages are wanted. Those of the readable path take less than 64 KiB each beside what is asked for,
/// or one row.
template <class T>
std::optional<Overflow<T>> attend_head_with_stages(HeadCall<T> const& call, HeadPlaces<T> const& places) {
    std::size_t const numbers_at_once = (std::size_t(1) << 16) / sizeof(T);
    return attend_readably(call, places, std::max<std::size_t>(1, numbers_at_once / call.key.count));
}

template <class T> StridedMatrix<T> matrix_of(Rows<T> const& rows) {
    return {rows.first, rows.count, rows.width, static_cast<std::ptrdiff_t>(rows.stride)};
}

template <class T> FusedOptions<T> fused_options(HeadCall<T> const& call) {
    FusedOptions<T> options;
    options.scale = call.scale;
    options.softcap = call.softcap;
    options.rule = call.rule;
    auto const row_stride = static_cast<std::ptrdiff_t>(call.mask.query_stride);
    auto const column_stride = static_cast<std::ptrdiff_t>(call.mask.key_stride);
    if (call.mask.boolean != nullptr) {
        options.mask = StridedMask<std::uint8_t>{call.mask.boolean, row_stride, column_stride};
    } else if (call.mask.additive != nullptr) {
        options.mask = StridedMask<T>{call.mask.additive, row_stride, column_stride};
    }
    return options;
}

/// One head of which the output alone is wanted: no (n_query, n_key) matrix is held. What the fast path refuses, the
/// readable one decides: its sums are of another order, and it tells the place of what overflows.
template <class T>
std::optional<Overflow<T>> attend_head(HeadCall<T> const& call, Rows<T> const& output, FusedWorkspace<T>& workspace) {
    bool const refused = fused_attention(matrix_of(call.query), matrix_of(call.key), matrix_of(call.value),
                                         fused_options(call), matrix_of(output), workspace)
                             .has_value();
    return refused ? attend_readably(call, HeadPlaces<T>{output}, 1) : std::nullopt;
}

template <class T> T* stage_at(T* stage, std::size_t offset) {
    return stage == nullptr ? nullptr : stage + offset;
}

} // namespace

template <class T>
MultiHeadShapes result_shapes(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                              MultiHeadOptions<T> const& options) {
    HeadCalls<T> const calls(query, key, value, options);
    Heads<T const> const& q = calls.query;
    std::size_t const d_v = calls.value.width;
    std::size_t const n_key = calls.key.rows;
    switch (query.rank) {
    case 2:
        return {{q.rows, d_v}, {q.rows, n_key}};
    case 3:
        return {{q.batches, q.rows, q.heads * d_v}, {q.batches, q.heads, q.rows, n_key}};
    default:
        return {{q.batches, q.heads, q.rows, d_v}, {q.batches, q.heads, q.rows, n_key}};
    }
}

template <class T>
Problem attend_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options, MultiHeadPlaces<T> const& places) {
    HeadCalls<T> const calls(query, key, value, options);
    Heads<T> const output{places.output,    calls.query.batches, calls.query.heads,
                          calls.query.rows, calls.value.width,   calls.query.is_packed};
    FusedWorkspace<T> workspace;
    std::size_t const stage_size = calls.query.rows * calls.key.rows;
    bool const wants_stages =
        places.scores != nullptr || places.capped != nullptr || places.masked != nullptr || places.weights != nullptr;
    for (std::size_t batch = 0; batch < calls.query.batches; ++batch) {
        for (std::size_t head = 0; head < calls.query.heads; ++head) {
            HeadCall<T> const call = calls.at(batch, head);
            Rows<T> const rows = output.rows_of(batch, head);
            std::size_t const offset = (batch * calls.query.heads + head) * stage_size;
            std::optional<Overflow<T>> const overflow =
                wants_stages
                    ? attend_head_with_stages(
                          call, HeadPlaces<T>{rows, stage_at(places.scores, offset), stage_at(places.capped, offset),
                                              stage_at(places.masked, offset), stage_at(places.weights, offset)})
                    : attend_head(call, rows, workspace);
            if (overflow) {
                std::array<std::size_t, 4> const place = {batch, head, overflow->query, overflow->key};
                bool const is_matrix = query.rank == 2;
                return describe_problem("scores",
                                        {"overflow to ", overflow->score, " at ",
                                         is_matrix ? Part::of(place.data() + 2, 2) : Part::of(place.data(), 4)},
                                        {"a visible score must be finite"});
            }
        }
    }
    return {};
}

template <class T>
MultiHeadAttention<T> multi_head_attention(TensorView<T> const& query, TensorView<T> const& key,
                                           TensorView<T> const& value, MultiHeadOptions<T> const& options,
                                           KeptStages const& keep) {
    require_none([&] { return find_problem(query, key, value, options); });
    MultiHeadShapes const shapes = result_shapes(query, key, value, options);
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

    if (Problem const overflow = attend_heads(query, key, value, options, places)) {
        raise(*overflow);
    }
    return result;
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template MultiHeadShapes result_shapes(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,           \
                                           MultiHeadOptions<T> const&);                                                \
    template Problem attend_heads(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,                    \
                                  MultiHeadOptions<T> const&, MultiHeadPlaces<T> const&);                              \
    template MultiHeadAttention<T> multi_head_attention(TensorView<T> const&, TensorView<T> const&,                    \
                                                        TensorView<T> const&, MultiHeadOptions<T> const&,              \
                                                        KeptStages const&);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
