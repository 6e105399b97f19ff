// A call of attention over batches and heads, taken apart into calls of one head.
#pragma once

#include "attention.hpp"
#include "fused.hpp"
#include "multi_head.hpp"
#include "strided.hpp"

namespace attention {

/// A tensor as (batches, heads, rows, width), whatever its rank: in rank 3 the heads stand side by side in a row.
template <class Number> struct Heads {
    StridedMatrix<Number> matrix_of(std::size_t batch, std::size_t head) const {
        return {data + batch * heads * rows * width + head * (is_packed ? width : rows * width), rows, width,
                static_cast<std::ptrdiff_t>(is_packed ? heads * width : width)};
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

/// What one head of one batch computes with. The scale is there, and the mask is (n_query, n_key) or repeats.
template <class T> struct HeadCall {
    StridedMatrix<T const> query; // (n_query, d_k)
    StridedMatrix<T const> key;   // (n_key, d_k)
    StridedMatrix<T const> value; // (n_key, d_v)
    FusedOptions<T> options;
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

/// A number that is NaN or infinite where a query sees it, or in a query that sees a key. Queries come first.
template <class T>
Problem find_number_problem(HeadCalls<T> const& calls, TensorView<T> const& query, TensorView<T> const& key,
                            TensorView<T> const& value);

/// The first entry that is NaN or infinite, or nothing, as for matrices in tensor.hpp.
template <class T>
Problem find_non_finite(TensorView<T> const& tensor, char const* name, char const* verb, char const* expected);

/// How many heads a tensor of key in rank 3 holds: as the options say, or as many as are as wide as query's.
template <class T>
std::size_t packed_key_value_heads(TensorView<T> const& query, TensorView<T> const& key,
                                   MultiHeadOptions<T> const& options);

/// The rule of position for one batch.
template <class T> VisibilityRule rule_of(MultiHeadOptions<T> const& options, std::size_t batch);

/// Whether rule and mask let a query look at a key.
template <class T> bool is_visible(HeadCall<T> const& call, std::size_t query, std::size_t key);

/// A copy of some of a head's rows.
template <class T> Matrix<T> matrix_from(StridedMatrix<T const> const& rows, std::size_t first, std::size_t count);

/// Rule and mask of some of a head's queries, as the one mask that they amount to.
template <class T> AttentionOptions<T> options_for(HeadCall<T> const& call, std::size_t first, std::size_t count);

/// How many queries of a head are attended to at once where its stages are wanted: each stage takes less than 64 KiB
/// beside what is asked for, or is one row.
template <class T> std::size_t queries_at_once(HeadCall<T> const& call);

/// What is wrong with a call in which a visible score overflows, by its place in a stage.
template <class T>
Explanation describe_overflow(Overflow<T> const& overflow, std::size_t batch, std::size_t head, std::size_t rank);

} // namespace attention
