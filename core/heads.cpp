#include "heads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "precision.hpp"

namespace attention {
namespace {

/// A mask for the first head of the first batch, and how far the entries for other heads are from it.
template <class T, class M> void take_mask(HeadCalls<T>& calls, TensorView<M> const& mask) {
    std::array<std::size_t, 4> strides{}; // over batches, heads, queries and keys
    std::size_t stride = 1;
    for (std::size_t back = 1; back <= std::min<std::size_t>(mask.rank, 4); ++back) { // other ranks are refused
        std::size_t const length = mask.shape[mask.rank - back];
        std::size_t const apart =
            mask.strides == nullptr ? stride : static_cast<std::size_t>(mask.strides[mask.rank - back]);
        strides[4 - back] = length == 1 ? 0 : apart;
        stride *= length;
    }
    calls.mask_batch_stride = strides[0];
    calls.mask_head_stride = strides[1];
    calls.options.mask =
        StridedMask<M>{mask.data, static_cast<std::ptrdiff_t>(strides[2]), static_cast<std::ptrdiff_t>(strides[3])};
}

/// A mask whose axes of length 1 are repeated.
template <class M> StridedMask<M> mask_view(Matrix<M> const& mask) {
    return {mask.data(), mask.shape(0) == 1 ? 0 : static_cast<std::ptrdiff_t>(mask.shape(1)),
            mask.shape(1) == 1 ? 0 : 1};
}

template <class T>
std::size_t packed_heads(TensorView<T> const& query, TensorView<T> const& key, MultiHeadOptions<T> const& options) {
    return query.rank == 3 ? packed_key_value_heads(query, key, options) : 1;
}

} // namespace

template <class T>
std::size_t packed_key_value_heads(TensorView<T> const& query, TensorView<T> const& key,
                                   MultiHeadOptions<T> const& options) {
    std::size_t const d_k = query.shape[2] / options.heads.value_or(1);
    return options.key_value_heads.value_or(key.shape[2] / d_k);
}

template <class T> bool is_visible(HeadCall<T> const& call, std::size_t query, std::size_t key) {
    auto const* const boolean = std::get_if<StridedMask<std::uint8_t>>(&call.options.mask);
    auto const* const additive = std::get_if<StridedMask<T>>(&call.options.mask);
    bool const shown = boolean != nullptr    ? boolean->at(query, key) != 0
                       : additive != nullptr ? !(additive->at(query, key) <= static_cast<T>(hidden_below))
                                             : true;
    return shown && is_visible(call.options.rule, query, key);
}

template <class T> bool sees_any(HeadCall<T> const& call, std::size_t query) {
    for (std::size_t key = 0; key < call.key.rows; ++key) {
        if (is_visible(call, query, key)) {
            return true;
        }
    }
    return false;
}

template <class T> bool is_seen(HeadCall<T> const& call, std::size_t key) {
    for (std::size_t query = 0; query < call.query.rows; ++query) {
        if (is_visible(call, query, key)) {
            return true;
        }
    }
    return false;
}

template <class T>
HeadCalls<T>::HeadCalls(TensorView<T> const& all_queries, TensorView<T> const& all_keys,
                        TensorView<T> const& all_values, MultiHeadOptions<T> const& call_options)
    : query(heads_of(all_queries, call_options.heads.value_or(1))),
      key(heads_of(all_keys, packed_heads(all_queries, all_keys, call_options))),
      value(heads_of(all_values, key.heads)) {
    static_cast<ScoreTransform<T>&>(options) = call_options;
    options.rule.is_causal = call_options.is_causal;
    options.rule.left_window = call_options.left_window;
    options.rule.right_window = call_options.right_window;
    if (auto const* offset = std::get_if<std::ptrdiff_t>(&call_options.query_offset)) {
        options.rule.query_offset = *offset;
    } else {
        query_offsets = std::get_if<std::vector<std::ptrdiff_t>>(&call_options.query_offset)->data();
    }
    if (call_options.key_lengths) {
        key_lengths = call_options.key_lengths->data();
    }
    if (auto const* boolean = std::get_if<TensorView<std::uint8_t>>(&call_options.mask)) {
        take_mask(*this, *boolean);
    } else if (auto const* additive = std::get_if<TensorView<T>>(&call_options.mask)) {
        take_mask(*this, *additive);
    }
}

template <class T>
HeadCalls<T>::HeadCalls(HeadCall<T> const& call)
    : query(call.query), key(call.key), value(call.value), options(call.options) {}

template <class T> VisibilityRule HeadCalls<T>::rule_of(std::size_t batch) const {
    VisibilityRule rule = options.rule;
    if (query_offsets != nullptr) {
        rule.query_offset = query_offsets[batch];
    }
    if (key_lengths != nullptr) {
        rule.key_length = key_lengths[batch];
    }
    return rule;
}

template <class T> HeadCall<T> HeadCalls<T>::at(std::size_t batch, std::size_t head) const {
    HeadCall<T> call{query.matrix_of(batch, head), key.matrix_of(batch, head / group()),
                     value.matrix_of(batch, head / group()), options};
    call.options.rule = rule_of(batch);
    std::size_t const offset = batch * mask_batch_stride + head * mask_head_stride;
    if (auto* boolean = std::get_if<StridedMask<std::uint8_t>>(&call.options.mask)) {
        boolean->data += offset;
    } else if (auto* additive = std::get_if<StridedMask<T>>(&call.options.mask)) {
        additive->data += offset;
    }
    return call;
}

template <class T>
HeadCall<T> head_call(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                      AttentionOptions<T> const& options) {
    HeadCall<T> call{strided(query), strided(key), strided(value), {options, options.rule, {}}};
    if (auto const* boolean = std::get_if<Visibility>(&options.mask)) {
        call.options.mask = mask_view(*boolean);
    } else if (auto const* additive = std::get_if<Matrix<T>>(&options.mask)) {
        call.options.mask = mask_view(*additive);
    }
    return call;
}

template <class T>
Matrix<double> matrix_from(StridedMatrix<T const> const& rows, std::size_t first, std::size_t count) {
    Matrix<double> matrix = Matrix<double>::from_shape({count, rows.columns});
    for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(rows.row(first + i), rows.columns, row_of(matrix, i));
    }
    return matrix;
}

template <class T> AttentionOptions<double> options_for(HeadCall<T> const& call, std::size_t first, std::size_t count) {
    std::size_t const n_key = call.key.rows;
    auto const* const additive = std::get_if<StridedMask<T>>(&call.options.mask);
    AttentionOptions<double> options;
    static_cast<ScoreTransform<double>&>(options) = widened<T>(static_cast<ScoreTransform<T> const&>(call.options));
    if (additive == nullptr) {
        Visibility visible = make_matrix<std::uint8_t>(count, n_key);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < n_key; ++j) {
                visible(i, j) = is_visible(call, first + i, j) ? 1 : 0;
            }
        }
        options.mask = std::move(visible);
    } else {
        Matrix<double> added = make_matrix<double>(count, n_key, -std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < n_key; ++j) {
                if (is_visible(call, first + i, j)) {
                    added(i, j) = additive->at(first + i, j);
                }
            }
        }
        options.mask = std::move(added);
    }
    return options;
}

template <class T> std::size_t queries_at_once(HeadCall<T> const& call) {
    std::size_t const numbers_at_once = (std::size_t(1) << 16) / sizeof(double);
    return std::max<std::size_t>(1, numbers_at_once / call.key.rows);
}

template <class T>
ArgumentProblem describe_overflow(Overflow<T> const& overflow, std::size_t batch, std::size_t head, std::size_t rank) {
    std::array<std::size_t, 4> const place = {batch, head, overflow.query, overflow.key};
    bool const is_matrix = rank == 2;
    return describe_problem("scores",
                            {"overflow to ", overflow.score, " at ",
                             is_matrix ? MessagePart::of(place.data() + 2, 2) : MessagePart::of(place.data(), 4)},
                            {"a visible score must be finite"});
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template std::size_t packed_key_value_heads(TensorView<T> const&, TensorView<T> const&,                            \
                                                MultiHeadOptions<T> const&);                                           \
    template bool is_visible(HeadCall<T> const&, std::size_t, std::size_t);                                            \
    template bool sees_any(HeadCall<T> const&, std::size_t);                                                           \
    template bool is_seen(HeadCall<T> const&, std::size_t);                                                            \
    template struct HeadCalls<T>;                                                                                      \
    template HeadCall<T> head_call(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&, AttentionOptions<T> const&);  \
    template Matrix<double> matrix_from(StridedMatrix<T const> const&, std::size_t, std::size_t);                      \
    template AttentionOptions<double> options_for(HeadCall<T> const&, std::size_t, std::size_t);                       \
    template std::size_t queries_at_once(HeadCall<T> const&);                                                          \
    template ArgumentProblem describe_overflow(Overflow<T> const&, std::size_t, std::size_t, std::size_t);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
