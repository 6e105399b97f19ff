#include "heads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace attention {
namespace {

/// The part of a mask for one head of one batch.
template <class M> StridedMask<M> part_of(TensorView<M> const& mask, std::size_t batch, std::size_t head) {
    std::array<std::size_t, 4> strides{}; // over batches, heads, queries and keys
    std::size_t stride = 1;
    for (std::size_t back = 1; back <= mask.rank; ++back) {
        std::size_t const length = mask.shape[mask.rank - back];
        strides[4 - back] = length == 1 ? 0 : stride;
        stride *= length;
    }
    return {mask.data + batch * strides[0] + head * strides[1], static_cast<std::ptrdiff_t>(strides[2]),
            static_cast<std::ptrdiff_t>(strides[3])};
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

template <class T> VisibilityRule rule_of(MultiHeadOptions<T> const& options, std::size_t batch) {
    VisibilityRule rule;
    rule.is_causal = options.is_causal;
    rule.left_window = options.left_window;
    rule.right_window = options.right_window;
    auto const* const offset = std::get_if<std::ptrdiff_t>(&options.query_offset);
    auto const* const offsets = std::get_if<std::vector<std::ptrdiff_t>>(&options.query_offset);
    rule.query_offset = offset != nullptr ? *offset : (*offsets)[batch];
    if (options.key_lengths) {
        rule.key_length = (*options.key_lengths)[batch];
    }
    return rule;
}

template <class T> bool is_visible(HeadCall<T> const& call, std::size_t query, std::size_t key) {
    auto const* const boolean = std::get_if<StridedMask<std::uint8_t>>(&call.options.mask);
    auto const* const additive = std::get_if<StridedMask<T>>(&call.options.mask);
    bool const shown = boolean != nullptr    ? boolean->at(query, key) != 0
                       : additive != nullptr ? additive->at(query, key) > static_cast<T>(hidden_below)
                                             : true;
    return shown && is_visible(call.options.rule, query, key);
}

template <class T>
HeadCalls<T>::HeadCalls(TensorView<T> const& all_queries, TensorView<T> const& all_keys,
                        TensorView<T> const& all_values, MultiHeadOptions<T> const& call_options)
    : query(heads_of(all_queries, call_options.heads.value_or(1))),
      key(heads_of(all_keys, packed_heads(all_queries, all_keys, call_options))),
      value(heads_of(all_values, key.heads)), options(call_options) {}

template <class T> HeadCall<T> HeadCalls<T>::at(std::size_t batch, std::size_t head) const {
    HeadCall<T> call{
        query.matrix_of(batch, head), key.matrix_of(batch, head / group()), value.matrix_of(batch, head / group()), {}};
    call.options.scale = scale_of(options.scale, query.width);
    call.options.softcap = options.softcap;
    call.options.rule = rule_of(options, batch);
    if (auto const* boolean = std::get_if<TensorView<std::uint8_t>>(&options.mask)) {
        call.options.mask = part_of(*boolean, batch, head);
    } else if (auto const* additive = std::get_if<TensorView<T>>(&options.mask)) {
        call.options.mask = part_of(*additive, batch, head);
    }
    return call;
}

template <class T> Matrix<T> matrix_from(StridedMatrix<T const> const& rows, std::size_t first, std::size_t count) {
    Matrix<T> matrix = Matrix<T>::from_shape({count, rows.columns});
    for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(rows.row(first + i), rows.columns, row_of(matrix, i));
    }
    return matrix;
}

template <class T> AttentionOptions<T> options_for(HeadCall<T> const& call, std::size_t first, std::size_t count) {
    std::size_t const n_key = call.key.rows;
    auto const* const additive = std::get_if<StridedMask<T>>(&call.options.mask);
    AttentionOptions<T> options;
    options.scale = call.options.scale;
    options.softcap = call.options.softcap;
    if (additive == nullptr) {
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
                    added(i, j) = additive->at(first + i, j);
                }
            }
        }
        options.mask = std::move(added);
    }
    return options;
}

template <class T> std::size_t queries_at_once(HeadCall<T> const& call) {
    std::size_t const numbers_at_once = (std::size_t(1) << 16) / sizeof(T);
    return std::max<std::size_t>(1, numbers_at_once / call.key.rows);
}

template <class T>
Explanation describe_overflow(Overflow<T> const& overflow, std::size_t batch, std::size_t head, std::size_t rank) {
    std::array<std::size_t, 4> const place = {batch, head, overflow.query, overflow.key};
    bool const is_matrix = rank == 2;
    return describe_problem(
        "scores",
        {"overflow to ", overflow.score, " at ", is_matrix ? Part::of(place.data() + 2, 2) : Part::of(place.data(), 4)},
        {"a visible score must be finite"});
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template std::size_t packed_key_value_heads(TensorView<T> const&, TensorView<T> const&,                            \
                                                MultiHeadOptions<T> const&);                                           \
    template VisibilityRule rule_of(MultiHeadOptions<T> const&, std::size_t);                                          \
    template bool is_visible(HeadCall<T> const&, std::size_t, std::size_t);                                            \
    template struct HeadCalls<T>;                                                                                      \
    template Matrix<T> matrix_from(StridedMatrix<T const> const&, std::size_t, std::size_t);                           \
    template AttentionOptions<T> options_for(HeadCall<T> const&, std::size_t, std::size_t);                            \
    template std::size_t queries_at_once(HeadCall<T> const&);                                                          \
    template Explanation describe_overflow(Overflow<T> const&, std::size_t, std::size_t, std::size_t);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
