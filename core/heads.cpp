#include "heads.hpp"

#include <array>
#include <cmath>

namespace attention {
namespace {

/// The part of a mask for one head of one batch.
template <class M> struct MaskPart {
    MaskPart(TensorView<M> const& mask, std::size_t batch, std::size_t head) {
        std::array<std::size_t, 4> strides{}; // over batches, heads, queries and keys
        std::size_t stride = 1;
        for (std::size_t back = 1; back <= mask.rank; ++back) {
            std::size_t const length = mask.shape[mask.rank - back];
            strides[4 - back] = length == 1 ? 0 : stride;
            stride *= length;
        }
        first = mask.data + batch * strides[0] + head * strides[1];
        query_stride = strides[2];
        key_stride = strides[3];
    }

    M const* first;
    std::size_t query_stride;
    std::size_t key_stride;
};

template <class T> HeadMask<T> mask_of(MultiHeadOptions<T> const& options, std::size_t batch, std::size_t head) {
    if (auto const* boolean = std::get_if<TensorView<std::uint8_t>>(&options.mask)) {
        MaskPart<std::uint8_t> const part(*boolean, batch, head);
        return {part.first, nullptr, part.query_stride, part.key_stride};
    }
    if (auto const* additive = std::get_if<TensorView<T>>(&options.mask)) {
        MaskPart<T> const part(*additive, batch, head);
        return {nullptr, part.first, part.query_stride, part.key_stride};
    }
    return {};
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
    std::size_t const place = call.mask.place(query, key);
    bool const shown = call.mask.boolean != nullptr    ? call.mask.boolean[place] != 0
                       : call.mask.additive != nullptr ? call.mask.additive[place] > static_cast<T>(hidden_below)
                                                       : true;
    return shown && is_visible(call.rule, query, key);
}

template <class T>
HeadCalls<T>::HeadCalls(TensorView<T> const& all_queries, TensorView<T> const& all_keys,
                        TensorView<T> const& all_values, MultiHeadOptions<T> const& call_options)
    : query(heads_of(all_queries, call_options.heads.value_or(1))),
      key(heads_of(all_keys, packed_heads(all_queries, all_keys, call_options))),
      value(heads_of(all_values, key.heads)), options(call_options) {}

template <class T> HeadCall<T> HeadCalls<T>::at(std::size_t batch, std::size_t head) const {
    T const scale = options.scale.value_or(T(1) / std::sqrt(static_cast<T>(query.width)));
    return {query.rows_of(batch, head),
            key.rows_of(batch, head / group()),
            value.rows_of(batch, head / group()),
            rule_of(options, batch),
            mask_of(options, batch, head),
            scale,
            options.softcap};
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template std::size_t packed_key_value_heads(TensorView<T> const&, TensorView<T> const&,                            \
                                                MultiHeadOptions<T> const&);                                           \
    template VisibilityRule rule_of(MultiHeadOptions<T> const&, std::size_t);                                          \
    template bool is_visible(HeadCall<T> const&, std::size_t, std::size_t);                                            \
    template struct HeadCalls<T>;
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
