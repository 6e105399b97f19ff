// Attention over batches and heads: every rank, every mask. What one head of one batch does is in attention.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <xtensor/xarray.hpp>

#include "error.hpp"
#include "fused.hpp"
#include "score_rule.hpp"

namespace attention {

/// A tensor of any rank that holds its own numbers, row-major.
template <class T> using Tensor = xt::xarray<T, xt::layout_type::row_major, std::allocator<T>>;

/// Whether numbers of one type are read as those of another: themselves, and bool as the bytes of a boolean mask.
template <class T, class N>
constexpr bool is_held_as = std::is_same_v<T, N> ||
                            (std::is_same_v<T, std::uint8_t> && std::is_same_v<N, bool> && sizeof(bool) == 1);

template <class T> class ShapedNumbers;

/// A tensor as an argument: where its numbers lie, row-major where nothing else is said, and its shape. It owns
/// neither, and lives no longer than they do. Any of xtensor's containers becomes one by itself, and one of bool a
/// boolean mask; of other memory `tensor_of` makes one.
template <class T> struct TensorView {
    TensorView(T const* numbers, std::size_t const* lengths, std::size_t axes)
        : data(numbers), shape(lengths), rank(axes) {}

    template <class Container, class = std::enable_if_t<is_held_as<T, typename Container::value_type>>>
    TensorView(Container const& tensor) // NOLINT(google-explicit-constructor)
        : data(reinterpret_cast<T const*>(tensor.data())), shape(tensor.shape().data()), rank(tensor.dimension()) {
        static_assert(Container::static_layout == xt::layout_type::row_major);
    }
    /// A tensor without a name would be gone before it is read.
    template <class Container, class = std::enable_if_t<is_held_as<T, typename Container::value_type>>>
    TensorView(Container const&&) = delete;

    template <class N, class = std::enable_if_t<is_held_as<T, N>>>
    TensorView(ShapedNumbers<N> const& numbers); // NOLINT(google-explicit-constructor)

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
#ifdef __wasm__
    static constexpr std::ptrdiff_t const* strides = nullptr;
#else
    /// For each axis, how many numbers lie from one entry to the next; null where the tensor is row-major. None is
    /// negative, and that of the last axis of query, key and value is 1.
    std::ptrdiff_t const* strides = nullptr;
#endif
};

#ifndef __wasm__
/// Numbers that someone else holds, with a shape and perhaps strides of their own: what `tensor_of` gives.
template <class T> class ShapedNumbers {
  public:
    using value_type = T;

    /// @throws ArgumentError  if there are fewer numbers than the tensor takes, or not as many strides as axes
    ShapedNumbers(T const* numbers, std::size_t count, std::vector<std::size_t> shape,
                  std::vector<std::ptrdiff_t> strides)
        : data_(numbers), shape_(std::move(shape)), strides_(std::move(strides)) {
        throw_if_problem([&] {
            std::size_t needed = 1;
            std::size_t place = 0; // of the last
            bool const is_strided = !strides_.empty();
            Requirements requirements;
            requirements.require(!is_strided || strides_.size() == shape_.size(), "strides",
                                 {"holds ", strides_.size(), " numbers"}, {"the shape has ", shape_.size(), " axes"});
            for (std::size_t axis = 0; requirements.hold() && axis < shape_.size(); ++axis) {
                needed *= shape_[axis];
                if (is_strided && shape_[axis] != 0) {
                    requirements.require(strides_[axis] >= 0, "strides", {"holds ", strides_[axis]},
                                         {"must not be negative"});
                    place += (shape_[axis] - 1) * static_cast<std::size_t>(strides_[axis]);
                }
            }
            std::size_t const least = !is_strided ? needed : needed == 0 ? 0 : place + 1;
            requirements.require(is_strided ? count >= least : count == least, "numbers", {"holds ", count},
                                 {"the shape takes ", least});
            return requirements.first_problem();
        });
    }

  private:
    template <class> friend struct TensorView;

    T const* data_;
    std::vector<std::size_t> shape_;
    std::vector<std::ptrdiff_t> strides_;
};

template <class T>
template <class N, class>
TensorView<T>::TensorView(ShapedNumbers<N> const& numbers)
    : data(reinterpret_cast<T const*>(numbers.data_)), shape(numbers.shape_.data()), rank(numbers.shape_.size()),
      strides(numbers.strides_.empty() ? nullptr : numbers.strides_.data()) {}

/// A std::vector, a std::span or whatever else has data() and size() as a tensor, where it lies:
///
///     multi_head_attention(tensor_of(query, {batches, heads, tokens, d}), …)
///
/// @param numbers must live as long as the tensor
/// @param strides from one entry of each axis to the next, for numbers that do not lie row by row: those of
///                (batches, heads, tokens, d) within (batches, tokens, heads, d) are tokens * heads * d, d, heads * d,
///                1
/// @throws ArgumentError  if there are not as many numbers as the shape takes
template <class Numbers>
auto tensor_of(Numbers const& numbers, std::vector<std::size_t> shape, std::vector<std::ptrdiff_t> strides = {}) {
    using T = std::remove_const_t<std::remove_reference_t<decltype(*numbers.data())>>;
    return ShapedNumbers<T>(numbers.data(), numbers.size(), std::move(shape), std::move(strides));
}
#endif

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
    /// How the output lies, native builds alone: as `TensorView::strides`, for an output that is not row-major.
    std::ptrdiff_t const* output_strides = nullptr;
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

/// The same for containers of numbers, whose type is deduced.
template <class Query, class Key, class Value, class T = typename Query::value_type>
MultiHeadAttention<T> multi_head_attention(Query const& query, Key const& key, Value const& value,
                                           MultiHeadOptions<typename Query::value_type> const& options = {},
                                           KeptStages const& keep = {}) {
    return multi_head_attention<T>(TensorView<T>(query), TensorView<T>(key), TensorView<T>(value), options, keep);
}

} // namespace attention
