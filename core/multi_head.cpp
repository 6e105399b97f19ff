#include "multi_head.hpp"

#include <algorithm>
#include <utility>

#include "attention.hpp"
#include "heads.hpp"

namespace attention {
namespace {

/// Where one head of one batch is written. A stage is (n_query, n_key), or null where it is not wanted.
template <class T> struct HeadPlaces {
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

/// One head by attention.hpp, some queries at a time.
template <class T>
std::optional<Overflow<T>> attend_readably(HeadCall<T> const& call, HeadPlaces<T> const& places, std::size_t at_once) {
    Matrix<T> const key = matrix_from(call.key, 0, call.key.rows);       // (n_key, d_k)
    Matrix<T> const value = matrix_from(call.value, 0, call.value.rows); // (n_key, d_v)
    for (std::size_t first = 0; first < call.query.rows; first += at_once) {
        std::size_t const count = std::min(at_once, call.query.rows - first);
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
            std::copy_n(row_of(stages.output, i), places.output.columns, places.output.row(first + i));
        }
    }
    return {};
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
    bool numbers_are_known = false; // to be finite where they are seen
    for (std::size_t batch = 0; batch < calls.query.batches; ++batch) {
        for (std::size_t head = 0; head < calls.query.heads; ++head) {
            HeadCall<T> const call = calls.at(batch, head);
            StridedMatrix<T> const rows = output.matrix_of(batch, head);
            // Where the output alone is wanted, no (n_query, n_key) matrix is held. The fast path finds by itself that
            // a number is not finite. What it refuses, the readable one decides: its sums are of another order, and it
            // tells the place of what overflows.
            if (!wants_stages && !fused_attention(call.query, call.key, call.value, call.options, rows, workspace)) {
                continue;
            }
            if (!numbers_are_known) {
                if (Problem number = find_number_problem(calls, query, key, value)) {
                    return number;
                }
                numbers_are_known = true;
            }
            std::size_t const offset = (batch * calls.query.heads + head) * stage_size;
            std::optional<Overflow<T>> const overflow =
                attend_readably(call,
                                HeadPlaces<T>{rows, stage_at(places.scores, offset), stage_at(places.capped, offset),
                                              stage_at(places.masked, offset), stage_at(places.weights, offset)},
                                wants_stages ? queries_at_once(call) : 1);
            if (overflow) {
                return describe_overflow(*overflow, batch, head, query.rank);
            }
        }
    }
    return {};
}

template <class T>
MultiHeadAttention<T> multi_head_attention(TensorView<T> const& query, TensorView<T> const& key,
                                           TensorView<T> const& value, MultiHeadOptions<T> const& options,
                                           KeptStages const& keep) {
    require_none([&] { return find_form_problem(query, key, value, options); });
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

    if (Problem const problem = attend_heads(query, key, value, options, places)) {
        raise(*problem);
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
