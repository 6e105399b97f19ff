// Attention over batches and heads: every rank, every mask. What one head of one batch does is in attention.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include <xtensor/xarray.hpp>

#include "error.hpp"
#include "fused.hpp"
#include "score_rule.hpp"

namespace attention {

/// A tensor of any rank that holds its own numbers, row-major.
template <class T> using Tensor = xt::xarray<T>;

/// A tensor as an argument: where its numbers lie, row-major, and its shape. It owns neither, and lives no longer than
/// they do. Any of xtensor's containers becomes one by itself.
template <class T> struct TensorView {
    TensorView(T const* numbers, std::size_t const* lengths, std::size_t axes)
        : data(numbers), shape(lengths), rank(axes) {}

    template <class Container, class = std::enable_if_t<std::is_same_v<typename Container::value_type, T>>>
    TensorView(Container const& tensor) // NOLINT(google-explicit-constructor)
        : data(tensor.data()), shape(tensor.shape().data()), rank(tensor.dimension()) {
        static_assert(Container::static_layout == xt::layout_type::row_major);
    }
    /// A tensor without a name would be gone before it is read.
    template <class Container, class = std::enable_if_t<std::is_same_v<typename Container::value_type, T>>>
    TensorView(Container const&&) = delete;

    std::size_t size() const {
        std::size_t size = 1;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            size *= shape[axis];
        }
        return size;
    }

    T const* data;
    std::size_t const* shape;
    std::size_t rank;
};

template <class T> struct MultiHeadOptions : ScoreTransform<T> {
    /// Key j is visible to query i only where j <= i + query_offset.
    bool is_causal = false;
    /// How many keys come before a batch's first query: one number for every batch, or one for each.
    std::variant<std::ptrdiff_t, std::vector<std::ptrdiff_t>> query_offset = std::ptrdiff_t(0);
    /// Keys visible to the left and right of the query's own position, i + query_offset; -1 for no limit.
    std::ptrdiff_t left_window = -1;
    std::ptrdiff_t right_window = -1;
    /// How many keys of each batch are valid; the others are padding and hidden. All are valid where it is absent.
    std::optional<std::vector<std::size_t>> key_lengths;
    /// A boolean mask (1 = may look) or an additive one, of rank 1 to 4. Counted from the last, each of its axes is as
    /// long as that of (batches, heads, n_query, n_key) or 1; that one, and an axis that it lacks, is repeated.
    std::variant<std::monostate, TensorView<std::uint8_t>, TensorView<T>> mask;
    /// How many heads stand side by side in query's last axis, for rank 3: 1 where it is absent. In rank 4 the shape
    /// tells, and in rank 2 there is one.
    std::optional<std::size_t> heads;
    /// The same for key and value; where it is absent, as many as make key's heads as wide as query's. It may be a
    /// divisor of `heads`: head h then looks at key and value head h / (heads / key_value_heads).
    std::optional<std::size_t> key_value_heads;
    /// How many threads the call is spread over: batches, heads and blocks of queries are shared out. 1 is the caller's
    /// own, 0 asks for as many as this program may use. No bit depends on it. Builds without oneTBB, WebAssembly among
    /// them, use one.
    std::size_t threads = 1;
};

/// Memory that calls of many heads work in. Pass the same one to call after call, and those that want the output alone
/// and are no larger than the first allocate nothing on one thread. Not to be used by two calls at once.
template <class T> class MultiHeadWorkspace {
  public:
    /// One for each thread.
    FusedWorkspace<T>* of_threads(std::size_t count) {
        if (count == 1) {
            return &first_;
        }
        if (all_.size() < count) {
            all_.resize(count);
        }
        return all_.data();
    }

  private:
    FusedWorkspace<T> first_;
    std::vector<FusedWorkspace<T>> all_;
};

/// The shapes of what a call gives.
struct MultiHeadShapes {
    using Shape = Tensor<float>::shape_type;

    Shape output; // (n_query, d_v), (batches, n_query, heads * d_v) or (batches, heads, n_query, d_v), as query
    Shape stage;  // (batches, heads, n_query, n_key), or (n_query, n_key) where query has rank 2
};

/// Where the results of a call are written, row-major. A stage whose place is null is nowhere held whole.
template <class T> struct MultiHeadPlaces {
    T* output;
    T* scores = nullptr;  // scale * q . k
    T* capped = nullptr;  // after the softcap
    T* masked = nullptr;  // mask added, -infinity where hidden
    T* weights = nullptr; // each row sums to 1, or is 0 where it sees no key
};

/// What is wrong with the form of a call: shapes that do not belong together, an option out of range, a mask that holds
/// NaN or infinity. Nothing that takes long but for the mask is looked at.
template <class T>
Problem find_form_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                          MultiHeadOptions<T> const& options);

/// What is wrong with a call, as far as its arguments show: its form, or a visible number that is NaN or infinite.
/// Hidden keys and values may hold anything.
template <class T>
Problem find_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options);

/// The shapes of what a call whose form has no problem gives.
template <class T>
MultiHeadShapes result_shapes(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                              MultiHeadOptions<T> const& options);

/// Computes a call whose form has no problem, into the places. What is left to find is a visible number that is NaN or
/// infinite, or a visible score that overflows; what the places hold then is of no use.
template <class T>
Problem attend_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options, MultiHeadPlaces<T> const& places,
                     MultiHeadWorkspace<T>& workspace);
template <class T>
Problem attend_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options, MultiHeadPlaces<T> const& places);

/// The stages to keep beside the output.
struct KeptStages {
    bool scores = false;
    bool capped = false;
    bool masked = false;
    bool weights = false;
};

/// The output, and the stages that were asked for.
template <class T> struct MultiHeadAttention {
    Tensor<T> output;
    std::optional<Tensor<T>> scores;
    std::optional<Tensor<T>> capped;
    std::optional<Tensor<T>> masked;
    std::optional<Tensor<T>> weights;
};

/// Attention(Q, K, V) = softmax(mask(Q Kᵀ / sqrt(d_k))) V, for each head of each batch on its own.
///
/// @param query (n_query, d_k), (batches, n_query, heads * d_k) or (batches, heads, n_query, d_k)
/// @param key   as query, with n_key rows and key_value_heads heads
/// @param value as key, with d_v in place of d_k
/// @throws ArgumentError  if the call has a problem or a visible score overflows
/// @throws std::bad_alloc  if there is no memory for it
/// Source: Vaswani et al. 2017, section 3.2.2; ranks and options as in the ONNX operator Attention.
template <class T>
MultiHeadAttention<T> multi_head_attention(TensorView<T> const& query, TensorView<T> const& key,
                                           TensorView<T> const& value, MultiHeadOptions<T> const& options = {},
                                           KeptStages const& keep = {});

} // namespace attention
