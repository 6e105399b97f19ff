// How values cross between JavaScript and the core: one array of numbers in, one array of numbers out. One crossing
// costs less time than the arithmetic of a six-token lesson; one crossing for each matrix would cost several times as
// much.
#pragma once

#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "tensor.hpp"

namespace packing {

template <class Container> emscripten::val view(Container const& container) {
    return emscripten::val(emscripten::typed_memory_view(container.size(), container.data()));
}

/// Reads the numbers of a call in the order in which JavaScript wrote them.
class Arguments {
  public:
    /// @param numbers an array of `size` numbers
    Arguments(emscripten::val const& numbers, std::size_t size) : numbers_(size) {
        view(numbers_).call<void>("set", numbers);
    }

    /// Zero past the end: a call that crosses too short is refused before, in JavaScript.
    double number() { return next_ < numbers_.size() ? numbers_[next_++] : 0; }
    std::size_t size() { return static_cast<std::size_t>(number()); }

    /// A choice crosses as its place in the order of the enumerators.
    template <class Choice> void choose(Choice& choice) { choice = static_cast<Choice>(size()); }

    /// A matrix crosses as its two lengths and its entries.
    [[gnu::noinline]] attention::Matrix<double> matrix() {
        std::size_t const rows = size();
        std::size_t const columns = size();
        attention::Matrix<double> matrix = attention::make_matrix<double>(rows, columns);
        for (double& entry : matrix) {
            entry = number();
        }
        return matrix;
    }

    /// The same into a matrix that is there.
    [[gnu::noinline]] void read(attention::Matrix<double>& to) { to = matrix(); }

    /// A row of numbers crosses as its length and its entries.
    [[gnu::noinline]] attention::Vector<double> vector() {
        attention::Vector<double> vector = attention::make_vector<double>(size());
        for (double& entry : vector) {
            entry = number();
        }
        return vector;
    }

    /// A text crosses as its length and its UTF-8 bytes.
    [[gnu::noinline, clang::minsize]] std::string text() {
        std::string bytes(size(), '\0');
        for (char& byte : bytes) {
            byte = static_cast<char>(size());
        }
        return bytes;
    }

    /// Several texts cross as their count and each of them.
    std::vector<std::string> texts() {
        std::vector<std::string> texts(size());
        for (std::string& each : texts) {
            each = text();
        }
        return texts;
    }

  private:
    std::vector<double> numbers_;
    std::size_t next_ = 0;
};

/// What a call hands over. Values stand one behind the other: a matrix as its two lengths and its entries, a row of
/// numbers as its length and its entries, a number as itself.
class Results {
  public:
    template <class U> void append(attention::Matrix<U> const& matrix) {
        append(static_cast<double>(matrix.shape(0)));
        append(static_cast<double>(matrix.shape(1)));
        append_all(matrix.data(), matrix.size());
    }

    void append(attention::Vector<double> const& numbers) { append_counted(numbers.data(), numbers.size()); }
    template <class U> void append(std::vector<U> const& numbers) { append_counted(numbers.data(), numbers.size()); }
    void append(double number) { *places_for(1) = number; }

    template <class U> void append_all(U const* first, std::size_t count) {
        double* const places = places_for(count);
        for (std::size_t index = 0; index < count; ++index) {
            places[index] = static_cast<double>(first[index]);
        }
    }

    std::size_t size() const { return size_; }
    double const* data() const { return numbers_.get(); }

  private:
    template <class U> void append_counted(U const* first, std::size_t count) {
        append(static_cast<double>(count));
        append_all(first, count);
    }

    /// Not a std::vector: its code for growing would be compiled again for each type of entry.
    double* places_for(std::size_t count) {
        if (size_ + count > capacity_) {
            capacity_ = 2 * (size_ + count);
            std::unique_ptr<double[]> larger(new double[capacity_]);
            std::copy_n(numbers_.get(), size_, larger.get());
            numbers_ = std::move(larger);
        }
        size_ += count;
        return numbers_.get() + size_ - count;
    }

    std::size_t size_ = 0;
    std::size_t capacity_ = 1024; // more than most lessons take
    std::unique_ptr<double[]> numbers_{new double[capacity_]};
};

/// Hands a view of what was computed to JavaScript, which copies it before it returns: the view dies when WebAssembly's
/// memory grows.
inline void deliver(emscripten::val const& receiver, Results const& results) {
    receiver.call<void>("receive", view(results));
}

/// Hands over a problem instead of a result, as the bytes of a text of three lines. The bindings look for problems
/// before they call the core, because this build has no exceptions.
inline void refuse(emscripten::val const& receiver, attention::ArgumentProblem const& problem) {
    std::string lines = problem.argument;
    for (std::string const* const line : {&problem.found, &problem.expected}) {
        lines += "\n";
        lines += *line;
    }
    receiver.call<void>("refuse", emscripten::val(emscripten::typed_memory_view(
                                      lines.size(), reinterpret_cast<unsigned char const*>(lines.data()))));
}

/// What a call computes from its arguments, or why it does not.
using Computation = attention::Problem(Arguments&, Results&);

/// Runs a computation on the numbers that JavaScript gave, and hands its results or its problem to the receiver.
inline void dispatch(Computation* compute, emscripten::val const& numbers, std::size_t size,
                     emscripten::val const& receiver) {
    Arguments arguments(numbers, size);
    Results results;
    if (attention::Problem const problem = compute(arguments, results)) {
        refuse(receiver, *problem);
    } else {
        deliver(receiver, results);
    }
}

/// A computation as a function that embind can register.
template <Computation* compute>
void entry_point(emscripten::val const& numbers, std::size_t size, emscripten::val const& receiver) {
    dispatch(compute, numbers, size, receiver);
}

} // namespace packing
