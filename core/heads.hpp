// A call of attention over batches and heads, taken apart into calls of one head.
#pragma once

#include "mask.hpp"
#include "multi_head.hpp"

namespace attention {

/// The rows of one head: row i begins at first + i * stride.
template <class Number> struct Rows {
    Number* row(std::size_t index) const { return first + index * stride; }

    Number* first;
    std::size_t count;
    std::size_t width;
    std::size_t stride;
};

/// A tensor as (batches, heads, rows, width), whatever its rank: in rank 3 the heads stand side by side in a row.
template <class Number> struct Heads {
    Rows<Number> rows_of(std::size_t batch, std::size_t head) const {
        return {data + batch * heads * rows * width + head * (is_packed ? width : rows * width), rows, width,
                is_packed ? heads * width : width};
    }

    Number* data;
    std::size_t batches;
    std::size_t heads;
    std::size_t rows;
    std::size_t width;
    bool is_packed;
};

/// A tensor of rank 2, 3 or 4 by its heads.
///
/// @param packed how many heads a tensor of rank 3 holds
template <class T> Heads<T const> heads_of(TensorView<T> const& tensor, std::size_t packed) {
    std::size_t const* const shape = tensor.shape;
    return tensor.rank == 4   ? Heads<T const>{tensor.data, shape[0], shape[1], shape[2], shape[3], false}
           : tensor.rank == 3 ? Heads<T const>{tensor.data, shape[0], packed, shape[1], shape[2] / packed, true}
                              : Heads<T const>{tensor.data, 1, 1, shape[0], shape[1], false};
}

/// A mask as one head of one batch meets it: (n_query, n_key), a stride of 0 repeats. Without a mask both are null.
template <class T> struct HeadMask {
    std::size_t place(std::size_t query, std::size_t key) const { return query * query_stride + key * key_stride; }

    std::uint8_t const* boolean = nullptr;
    T const* additive = nullptr;
    std::size_t query_stride = 0;
    std::size_t key_stride = 0;
};

/// What one head of one batch computes with.
template <class T> struct HeadCall {
    Rows<T const> query; // (n_query, d_k)
    Rows<T const> key;   // (n_key, d_k)
    Rows<T const> value; // (n_key, d_v)
    VisibilityRule rule;
    HeadMask<T> mask;
    T scale;
    T softcap;
};

/// A call whose shapes belong together, by its heads.
template <class T> struct HeadCalls {
    HeadCalls(TensorView<T> const& all_queries, TensorView<T> const& all_keys, TensorView<T> const& all_values,
              MultiHeadOptions<T> const& call_options);

    HeadCall<T> at(std::size_t batch, std::size_t head) const;

    /// How many heads of query look at one head of key and value.
    std::size_t group() const { return query.heads / key.heads; }

    Heads<T const> query;
    Heads<T const> key;
    Heads<T const> value;
    MultiHeadOptions<T> const& options;
};

/// How many heads a tensor of key in rank 3 holds: as the options say, or as many as are as wide as query's.
template <class T>
std::size_t packed_key_value_heads(TensorView<T> const& query, TensorView<T> const& key,
                                   MultiHeadOptions<T> const& options);

/// The rule of position for one batch.
template <class T> VisibilityRule rule_of(MultiHeadOptions<T> const& options, std::size_t batch);

/// Whether rule and mask let a query look at a key.
template <class T> bool is_visible(HeadCall<T> const& call, std::size_t query, std::size_t key);

} // namespace attention
