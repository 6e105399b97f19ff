// A call of attention over batches and heads, taken apart into calls of one head.
#pragma once

#include "attention.hpp"
#include "multi_head.hpp"
#include "score_rule.hpp"
#include "strided.hpp"

namespace attention {

/// A tensor as (batches, heads, rows, width), whatever its rank: in rank 3 the heads stand side by side in a row.
template <class Number> struct Heads {
    /// @param tensor_rank  2, 3 or 4
    Heads(Number* numbers, std::size_t tensor_rank, std::size_t batch_count, std::size_t head_count,
          std::size_t row_count, std::size_t column_count)
        : data(numbers), rank(tensor_rank), batches(batch_count), heads(head_count), rows(row_count),
          width(column_count), batch_stride(heads * rows * width), head_stride(rank == 3 ? width : rows * width),
          row_stride(static_cast<std::ptrdiff_t>(rank == 3 ? heads * width : width)) {}

    /// One head, whose rows may lie apart.
    explicit Heads(StridedMatrix<Number> const& matrix)
        : data(matrix.data), rank(2), batches(1), heads(1), rows(matrix.rows), width(matrix.columns), batch_stride(0),
          head_stride(0), row_stride(matrix.stride) {}

    /// A tensor of the same shape.
    template <class Other> Heads<Other> at(Other* place) const { return {place, rank, batches, heads, rows, width}; }

    StridedMatrix<Number> matrix_of(std::size_t batch, std::size_t head) const {
        return {data + batch * batch_stride + head * head_stride, rows, width, row_stride};
    }

    /// How a tensor of this rank lies, where it is not row-major.
    void take_strides(std::ptrdiff_t const* strides) {
        batch_stride = rank == 2 ? 0 : static_cast<std::size_t>(strides[0]);
        head_stride = rank == 4 ? static_cast<std::size_t>(strides[1]) : width;
        row_stride = strides[rank - 2];
    }

    /// Whether there is nothing between its numbers.
    bool is_gapless() const {
        bool const by_heads = head_stride == (rank == 3 ? width : rows * width);
        return (rank == 2 || (by_heads && batch_stride == heads * rows * width)) &&
               row_stride == static_cast<std::ptrdiff_t>(rank == 3 ? heads * width : width);
    }

    Number* data;
    std::size_t rank;
    std::size_t batches;
    std::size_t heads;
    std::size_t rows;
    std::size_t width;
    std::size_t batch_stride; // from one batch to the next
    std::size_t head_stride;  // from one head of a batch to the next
    std::ptrdiff_t row_stride;
};

/// A tensor of rank 2, 3 or 4 by its heads.
///
/// @param packed how many heads a tensor of rank 3 holds
template <class T> Heads<T const> heads_of(TensorView<T> const& tensor, std::size_t packed) {
    std::size_t const* const shape = tensor.shape;
    Heads<T const> heads = tensor.rank == 4 ? Heads<T const>(tensor.data, 4, shape[0], shape[1], shape[2], shape[3])
                           : tensor.rank == 3
                               ? Heads<T const>(tensor.data, 3, shape[0], packed, shape[1], shape[2] / packed)
                               : Heads<T const>(tensor.data, 2, 1, 1, shape[0], shape[1]);
    if (tensor.strides != nullptr) {
        heads.take_strides(tensor.strides);
    }
    return heads;
}

/// A call whose shapes belong together, by its heads. It refers to the lists of its options.
template <class T> struct HeadCalls {
    HeadCalls(TensorView<T> const& all_queries, TensorView<T> const& all_keys, TensorView<T> const& all_values,
              MultiHeadOptions<T> const& call_options);
    /// One head of one batch.
    explicit HeadCalls(HeadCall<T> const& call);

    HeadCall<T> at(std::size_t batch, std::size_t head) const;

    /// The rule of position for one batch.
    VisibilityRule rule_of(std::size_t batch) const;

    /// How many heads of query look at one head of key and value.
    std::size_t group() const { return query.heads / key.heads; }

    Heads<T const> query;
    Heads<T const> key;
    Heads<T const> value;
    ScoreRule<T, MaskView<T>> options;             // of the first head of the first batch, but for what follows
    std::ptrdiff_t const* query_offsets = nullptr; // one for each batch, where they are not the same
    std::size_t const* key_lengths = nullptr;      // one for each batch
    std::size_t mask_batch_stride = 0;
    std::size_t mask_head_stride = 0;
};

/// What the readable path takes, as a call of one head.
template <class T>
HeadCall<T> head_call(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                      AttentionOptions<T> const& options);

/// A number that is NaN or infinite where a query sees it, or in a query that sees a key. Queries come first.
template <class T> Problem find_number_problem(HeadCalls<T> const& calls);

/// The first entry that is NaN or infinite, or nothing, as for matrices in tensor.hpp.
template <class T>
Problem find_non_finite(TensorView<T> const& tensor, char const* name, char const* verb, char const* expected);

/// How many heads a tensor of key in rank 3 holds: as the options say, or as many as are as wide as query's.
template <class T>
std::size_t packed_key_value_heads(TensorView<T> const& query, TensorView<T> const& key,
                                   MultiHeadOptions<T> const& options);

/// Whether rule and mask let a query look at a key. An additive entry that is NaN does.
template <class T> bool is_visible(HeadCall<T> const& call, std::size_t query, std::size_t key);

/// Whether a query sees any key, and whether any query sees a key.
template <class T> bool sees_any(HeadCall<T> const& call, std::size_t query);
template <class T> bool is_seen(HeadCall<T> const& call, std::size_t key);

/// A copy of some of a head's rows, in float64.
template <class T> Matrix<double> matrix_from(StridedMatrix<T const> const& rows, std::size_t first, std::size_t count);

/// All of a matrix, as a view.
template <class T> StridedMatrix<T const> strided(Matrix<T> const& matrix) {
    return {matrix.data(), matrix.shape(0), matrix.shape(1), static_cast<std::ptrdiff_t>(matrix.shape(1))};
}

/// Rule and mask of some of a head's queries, as the one mask that they amount to, in float64.
template <class T> AttentionOptions<double> options_for(HeadCall<T> const& call, std::size_t first, std::size_t count);

/// How many queries of a head are attended to at once where its stages are wanted: each stage takes less than 64 KiB
/// of float64 beside what is asked for, or is one row.
template <class T> std::size_t queries_at_once(HeadCall<T> const& call);

/// What is wrong with a call in which a visible score overflows, by its place in a stage.
///
/// @param rank of query: the stages of a call of matrices have no batches and heads
template <class T>
ArgumentProblem describe_overflow(Overflow<T> const& overflow, std::size_t batch, std::size_t head, std::size_t rank);

} // namespace attention
