// The functions with which JavaScript reaches the attention of the core, for programs that bring tensors of their own.
//
// embind does not convert the tensors: web/engine/attention/memory.js writes them, after the numbers of the call, into
// a block of WebAssembly's memory, and reads the results out of another block. A view of that memory takes longer to
// make than the attention of six tokens, so views are made when the memory grows, not for each call.

#include "memory.hpp"
#include "packing.hpp"

#include <emscripten/emscripten.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "multi_head_gradient.hpp"

namespace {

using emscripten::val;

/// A block of memory that is kept from call to call, and grows.
class Block {
  public:
    /// Makes room for so many bytes; what the block held is lost if it grows. The call ends where there is none.
    void* reserve(double bytes) {
        if (bytes > static_cast<double>(size_)) {
            std::free(memory_);
            memory_ = bytes <= most_bytes ? std::malloc(static_cast<std::size_t>(bytes)) : nullptr;
            if (memory_ == nullptr) {
                packing::end_for_want_of(bytes);
            }
            size_ = static_cast<std::size_t>(bytes);
        }
        return memory_;
    }

    void* memory() const { return memory_; }

  private:
    static constexpr double most_bytes = 0x7fffffff;

    void* memory_ = nullptr;
    std::size_t size_ = 0;
};

Block arguments_block;
Block results_block;
attention::Problem problem;

/// Reads and writes the numbers at the start of a call in the order of memory.js.
class Numbers {
  public:
    explicit Numbers(void* memory) : next_(static_cast<double*>(memory)) {}

    double take() { return *next_++; }
    std::size_t size() { return static_cast<std::size_t>(take()); }
    std::ptrdiff_t whole() { return static_cast<std::ptrdiff_t>(take()); }

    void put(std::size_t number) { *next_++ = static_cast<double>(number); }
    void put(void const* address) { put(reinterpret_cast<std::size_t>(address)); }
    void put(attention::MultiHeadShapes::Shape const& shape) {
        put(shape.size());
        for (std::size_t const length : shape) {
            put(length);
        }
    }

  private:
    double* next_;
};

/// A tensor by its address and its shape, whose rank is at most 4.
struct PlacedTensor {
    explicit PlacedTensor(Numbers& numbers)
        : data(reinterpret_cast<void const*>(numbers.size())), rank(numbers.size()) {
        for (std::size_t axis = 0; axis < rank; ++axis) {
            shape[axis] = numbers.size();
        }
    }

    template <class T> attention::TensorView<T> view() const {
        return {static_cast<T const*>(data), shape.data(), rank};
    }

    void const* data;
    std::size_t rank;
    std::array<std::size_t, 4> shape{};
};

/// A number of heads; -1 stands for one that the caller left out, which the JavaScript side refuses as a value.
std::optional<std::size_t> take_heads(Numbers& numbers) {
    std::ptrdiff_t const count = numbers.whole();
    return count < 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(count));
}

/// A list as its length and its entries; -1 stands for none.
template <class Whole> std::optional<std::vector<Whole>> take_list(Numbers& numbers) {
    std::ptrdiff_t const count = numbers.whole();
    if (count < 0) {
        return std::nullopt;
    }
    std::vector<Whole> list(static_cast<std::size_t>(count));
    for (Whole& entry : list) {
        entry = static_cast<Whole>(numbers.take());
    }
    return list;
}

/// The options in the order of `optionTable` in web/engine/attention/options.js. NaN stands for a scale that the caller
/// left out.
template <class T> attention::MultiHeadOptions<T> options_from(Numbers& numbers, PlacedTensor const& mask) {
    attention::MultiHeadOptions<T> options;
    bool const is_boolean = numbers.take() != 0;
    if (mask.rank != 0 && is_boolean) {
        options.mask = mask.view<std::uint8_t>();
    } else if (mask.rank != 0) {
        options.mask = mask.view<T>();
    }
    double const scale = numbers.take();
    if (!std::isnan(scale)) {
        options.scale = static_cast<T>(scale);
    }
    options.softcap = numbers.take();
    options.is_causal = numbers.take() != 0;
    if (std::optional<std::vector<std::ptrdiff_t>> offsets = take_list<std::ptrdiff_t>(numbers)) {
        options.query_offset = std::move(*offsets);
    } else {
        options.query_offset = numbers.whole();
    }
    options.left_window = numbers.whole();
    options.right_window = numbers.whole();
    options.key_lengths = take_list<std::size_t>(numbers);
    options.heads = take_heads(numbers);
    options.key_value_heads = take_heads(numbers);
    return options;
}

double size_of(attention::MultiHeadShapes::Shape const& shape) {
    double size = 1; // which may be beyond what a size of WebAssembly's memory can be
    for (std::size_t const length : shape) {
        size *= static_cast<double>(length);
    }
    return size;
}

/// A call as it stands in its block.
template <class T> struct PlacedCall {
    explicit PlacedCall(Numbers& numbers)
        : tensors{PlacedTensor(numbers), PlacedTensor(numbers), PlacedTensor(numbers), PlacedTensor(numbers),
                  PlacedTensor(numbers)},
          query(tensors[0].view<T>()), key(tensors[1].view<T>()), value(tensors[2].view<T>()),
          output_gradient(tensors[4].view<T>()), options(options_from<T>(numbers, tensors[3])) {}
    PlacedCall(PlacedCall const&) = delete;
    PlacedCall& operator=(PlacedCall const&) = delete;

    std::array<PlacedTensor, 5> tensors; // the mask is among them
    attention::TensorView<T> query;
    attention::TensorView<T> key;
    attention::TensorView<T> value;
    attention::TensorView<T> output_gradient; // of rank 0 where gradients are not wanted
    attention::MultiHeadOptions<T> options;
};

/// The reply to a call takes the place of its numbers: the address of the results, and the shapes of the output and of
/// a stage.
void write_reply(void const* memory, attention::MultiHeadShapes const& shapes) {
    Numbers numbers(arguments_block.memory());
    numbers.put(memory);
    numbers.put(shapes.output);
    numbers.put(shapes.stage);
}

/// A call that is in order, and the places of its results.
template <class T> struct Attending {
    explicit Attending(Numbers& numbers) : call(numbers) {}

    PlacedCall<T> call;
    attention::MultiHeadPlaces<T> places{};
};

/// What attention_of last computed; made anew by each call.
template <class T> std::optional<Attending<T>> last;

/// Computes the last call once more. JavaScript asks for it where it has put other numbers into the places of the
/// tensors, and nothing else is other than before.
template <class T> attention::Problem attention_again() {
    auto const& [tensors, query, key, value, output_gradient, options] = last<T>->call;
    return attend_heads(query, key, value, options, last<T>->places);
}

/// The output and the wanted stages of the call that stands in its block.
template <class T> attention::Problem attention_of() {
    Numbers numbers(arguments_block.memory());
    auto const& [tensors, query, key, value, output_gradient, options] = last<T>.emplace(numbers).call;
    if (attention::Problem found = find_form_problem(query, key, value, options)) {
        return found;
    }

    attention::MultiHeadShapes const shapes = result_shapes(query, key, value, options);
    double const output_size = size_of(shapes.output);
    double const stage_size = size_of(shapes.stage);
    std::array<bool, 4> wanted{};
    double size = output_size;
    for (bool& stage : wanted) {
        stage = numbers.take() != 0;
        size += stage ? stage_size : 0;
    }
    T* const memory = static_cast<T*>(results_block.reserve(size * sizeof(T)));

    attention::MultiHeadPlaces<T>& places = last<T>->places;
    places.output = memory;
    T* next = memory + static_cast<std::size_t>(output_size);
    std::array<T**, 4> const stages = {&places.scores, &places.capped, &places.masked, &places.weights};
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        if (wanted[stage]) {
            *stages[stage] = next;
            next += static_cast<std::size_t>(stage_size);
        }
    }
    if (attention::Problem found = attention_again<T>()) {
        return found;
    }
    write_reply(memory, shapes);
    return {};
}

/// The gradients of query, key, value and scores of the call that stands in its block.
template <class T> attention::Problem gradients_of() {
    Numbers numbers(arguments_block.memory());
    PlacedCall<T> const placed(numbers);
    auto const& [tensors, query, key, value, output_gradient, options] = placed;
    if (attention::Problem found = find_problem(query, key, value, output_gradient, options)) {
        return found;
    }

    attention::MultiHeadShapes const shapes = result_shapes(query, key, value, options);
    std::size_t const query_size = query.size();
    std::size_t const key_size = key.size();
    std::size_t const value_size = value.size();
    double const size = static_cast<double>(query_size + key_size + value_size) + size_of(shapes.stage);
    T* const memory = static_cast<T*>(results_block.reserve(size * sizeof(T)));
    T* const of_key = memory + query_size;
    T* const of_value = of_key + key_size;
    if (attention::Problem found = differentiate_heads(query, key, value, output_gradient, options,
                                                       {memory, of_key, of_value, of_value + value_size})) {
        return found;
    }
    write_reply(memory, shapes);
    return {};
}

/// Computes the call that stands in its block.
///
/// @return 0, or 1 where there is a problem
template <attention::Problem (*compute)()> std::size_t run() {
    problem = compute();
    return problem ? 1 : 0;
}

/// A view of the block for a call, of so many bytes.
val reserve_call(std::size_t bytes) {
    auto* const memory = static_cast<std::uint8_t*>(arguments_block.reserve(static_cast<double>(bytes)));
    return val(emscripten::typed_memory_view(bytes, memory));
}

void tell_problem(val const& receiver) {
    packing::refuse(receiver, *problem);
}

using Unconverted = std::size_t (*)();

EM_JS(emscripten::EM_VAL, handle_of_function, (Unconverted table_index),
      { return Emval.toHandle(wasmTable.get(table_index)); });

/// WebAssembly's own function as a value. A function without arguments whose result is a number needs no conversion,
/// and embind's would add a tenth to the time of a call on six tokens.
val unconverted(Unconverted function) {
    return val::take_ownership(handle_of_function(function));
}

} // namespace

EMSCRIPTEN_BINDINGS(attention) {
    emscripten::function("reserveCall", &reserve_call);
    emscripten::constant("attentionFloat32", unconverted(&run<&attention_of<float>>));
    emscripten::constant("attentionFloat64", unconverted(&run<&attention_of<double>>));
    emscripten::constant("attentionAgainFloat32", unconverted(&run<&attention_again<float>>));
    emscripten::constant("attentionAgainFloat64", unconverted(&run<&attention_again<double>>));
    emscripten::constant("gradientsFloat32", unconverted(&run<&gradients_of<float>>));
    emscripten::constant("gradientsFloat64", unconverted(&run<&gradients_of<double>>));
    emscripten::function("tellProblem", &tell_problem);
}
