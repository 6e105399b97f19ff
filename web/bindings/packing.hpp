// How values cross between JavaScript and the core: one array of numbers in, one array of numbers out. Crossing once
// costs less than the arithmetic of a six-token lesson, crossing once a matrix costs several times as much.
#pragma once

#include <emscripten/bind.h>

#include <cstddef>
#include <string>
#include <vector>

#include "error.hpp"
#include "tensor.hpp"

namespace packing {

template <class Container> emscripten::val view(Container const& container) {
    return emscripten::val(emscripten::typed_memory_view(container.size(), container.data()));
}

/// Reads the numbers of a call in the order in which the JavaScript side packed them.
class Arguments {
  public:
    /// @param packed an array of `size` numbers
    Arguments(emscripten::val const& packed, std::size_t size) : numbers_(size) {
        view(numbers_).call<void>("set", packed);
    }

    double number() { return numbers_[next_++]; }
    std::size_t size() { return static_cast<std::size_t>(number()); }

    /// A choice crosses as its place in the order of the enumerators.
    template <class Choice> void choose(Choice& choice) { choice = static_cast<Choice>(size()); }

    /// A matrix crosses as its two lengths and its entries.
    attention::Matrix<double> matrix() {
        std::size_t const rows = size();
        std::size_t const columns = size();
        attention::Matrix<double> matrix = attention::Matrix<double>::from_shape({rows, columns});
        for (double& entry : matrix) {
            entry = number();
        }
        return matrix;
    }

    /// A text crosses as its length and its UTF-8 bytes.
    std::string text() {
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

// Results stand one behind the other: a matrix as its two lengths and its entries, a vector as its length and its
// entries, states of rows as their count and their numbers, a number as itself.

template <class T, class U> void append(std::vector<T>& numbers, attention::Matrix<U> const& matrix) {
    numbers.push_back(static_cast<T>(matrix.shape(0)));
    numbers.push_back(static_cast<T>(matrix.shape(1)));
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
}

template <class T> void append(std::vector<T>& numbers, attention::Vector<T> const& vector) {
    numbers.push_back(static_cast<T>(vector.size()));
    numbers.insert(numbers.end(), vector.data(), vector.data() + vector.size());
}

template <class T, class State> void append(std::vector<T>& numbers, std::vector<State> const& states) {
    numbers.push_back(static_cast<T>(states.size()));
    for (State const state : states) {
        numbers.push_back(static_cast<T>(state));
    }
}

template <class T> void append(std::vector<T>& numbers, T number) {
    numbers.push_back(number);
}

/// Hands a view of what was computed to JavaScript, which copies it before it returns: the view dies when WebAssembly's
/// memory grows.
template <class Container> void deliver(emscripten::val const& receiver, Container const& container) {
    receiver.call<void>("receive", view(container));
}

template <class Container> std::size_t packed_size(Container const& container) {
    return 2 + container.size();
}

inline std::size_t packed_size(double) {
    return 1;
}

template <class... Values> void deliver_all(emscripten::val const& receiver, Values const&... values) {
    std::vector<double> numbers;
    numbers.reserve((packed_size(values) + ...));
    (append(numbers, values), ...);
    deliver(receiver, numbers);
}

/// Hands over a problem instead of a result, as the bytes of a text of three lines. Whether there is one is looked for
/// before the core is called: this build has no exceptions, and nothing is thrown.
inline bool is_refused(emscripten::val const& receiver, attention::Problem const& problem) {
    if (problem) {
        std::string const lines = problem->argument + '\n' + problem->found + '\n' + problem->expected;
        receiver.call<void>("refuse", emscripten::val(emscripten::typed_memory_view(
                                          lines.size(), reinterpret_cast<unsigned char const*>(lines.data()))));
    }
    return problem.has_value();
}

} // namespace packing
