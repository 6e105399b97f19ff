// What the fuzz targets share: how bytes become calls, and how two answers to a call are compared.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "attention.hpp"
#include "random.hpp"

namespace fuzzing {

using namespace attention;

/// The input, byte by byte; zeros after its end.
class Bytes {
  public:
    Bytes(std::uint8_t const* data, std::size_t size) : next_(data), end_(data + size) {}

    std::uint8_t next() { return next_ == end_ ? std::uint8_t(0) : *next_++; }
    bool toss() { return next() % 2 != 0; }
    /// Once in sixteen times, and never at the end of the input.
    bool seldom() { return next() % 16 == 15; }
    std::size_t below(std::size_t limit) { return next() % limit; }
    template <class Value, std::size_t n> Value one_of(std::array<Value, n> const& values) { return values[below(n)]; }

  private:
    std::uint8_t const* next_;
    std::uint8_t const* end_;
};

template <class T> constexpr T huge = std::numeric_limits<T>::max();
template <class T> constexpr T tiny = std::numeric_limits<T>::denorm_min();
template <class T> constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();

/// What one head of attention takes.
template <class T> struct HeadArguments {
    Matrix<T> query;
    Matrix<T> key;
    Matrix<T> value;
    AttentionOptions<T> options;
};

/// An axis: mostly short, so that all edges of tiles are met; seldom empty, or long enough for several blocks of keys.
inline std::size_t draw_extent(Bytes& bytes, std::size_t usual, std::size_t most) {
    std::size_t const drawn = bytes.next();
    return drawn == 255 ? 0 : drawn >= 248 ? usual + (most - usual) * (drawn - 247) / 7 : 1 + drawn % usual;
}

/// NaN with any payload, infinity, or a denormal number, of either sign: the exponent's bits are all ones or all zeros.
template <class T> void draw_bits(Bytes& bytes, T* number) {
    using Word = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
    constexpr int fraction = std::numeric_limits<T>::digits - 1;
    constexpr Word exponent = static_cast<Word>(static_cast<Word>(~Word(0)) << 1) >> 1 >> fraction << fraction;
    Word word = 0;
    for (std::size_t byte = 0; byte < sizeof word; ++byte) {
        word = static_cast<Word>(word << 8) | bytes.next();
    }
    word = bytes.toss() ? word | exponent : word & static_cast<Word>(~exponent);
    std::memcpy(number, &word, sizeof word); // as a number it might turn quiet
}

/// Random numbers of one size, and a few of any kind among them.
template <class T> void draw_numbers(Bytes& bytes, T* numbers, std::size_t count) {
    static constexpr std::array<T, 8> sizes = {T(1), T(1), T(1), T(0.1), T(30), T(0), T(1e15), T(1e-20)};
    static std::array<T, 14> const kinds = {
        T(0),     T(-0.0),     T(1),         -huge<T>,        tiny<T>,        T(-1e9),  T(1e9),
        T(1e-30), infinity<T>, -infinity<T>, not_a_number<T>, huge<T> / T(2), T(-1e18), std::sqrt(huge<T>)};
    double const size = static_cast<double>(bytes.one_of(sizes));
    RandomStream stream(bytes.next());
    for (std::size_t place = 0; place < count; ++place) {
        numbers[place] = static_cast<T>(size * stream.next_normal());
    }
    if (bytes.seldom()) { // any bits at all, or those of numbers of a few digits either way
        bool const any = bytes.toss();
        for (std::size_t place = 0; place < count; ++place) {
            std::uint64_t word = stream.next_word();
            if constexpr (std::is_same_v<T, float>) {
                auto bits = static_cast<std::uint32_t>(word);
                bits = any ? bits : (bits & 0x81ffffffU) | 0x3e000000U;
                std::memcpy(numbers + place, &bits, sizeof bits);
            } else {
                word = any ? word : (word & 0x803fffffffffffffU) | 0x3fc0000000000000U;
                std::memcpy(numbers + place, &word, sizeof word);
            }
        }
    }
    std::size_t const strays = bytes.toss() ? bytes.below(4) : 0;
    for (std::size_t stray = 0; stray < strays && count != 0; ++stray) {
        std::size_t const place = (bytes.next() * std::size_t(256) + bytes.next()) % count;
        if (bytes.below(4) == 3) {
            draw_bits(bytes, numbers + place);
        } else {
            numbers[place] = bytes.one_of(kinds);
        }
    }
}

template <class T> Matrix<T> draw_matrix(Bytes& bytes, std::size_t rows, std::size_t columns) {
    Matrix<T> matrix = make_matrix<T>(rows, columns);
    draw_numbers(bytes, matrix.data(), matrix.size());
    return matrix;
}

/// Everything but a mask.
template <class T> AttentionOptions<T> draw_options(Bytes& bytes, std::size_t n_key) {
    static constexpr std::array<T, 9> scales = {T(0.3), T(1),    T(-0.7), T(0),           T(1e-30),
                                                T(40),  T(1e30), huge<T>, not_a_number<T>};
    static constexpr std::array<T, 9> caps = {T(5),    T(0.01), T(50),           T(1e-30),   T(1e30),
                                              tiny<T>, T(-1),   not_a_number<T>, infinity<T>};
    static constexpr std::array<std::ptrdiff_t, 6> far = {farthest_offset,
                                                          -farthest_offset,
                                                          farthest_offset + 1,
                                                          -farthest_offset - 1,
                                                          std::numeric_limits<std::ptrdiff_t>::max(),
                                                          std::numeric_limits<std::ptrdiff_t>::min()};
    auto const draw_window = [&](std::ptrdiff_t none) {
        std::size_t const kind = bytes.below(16);
        return kind < 8 ? none : kind < 15 ? static_cast<std::ptrdiff_t>(bytes.below(20)) : bytes.one_of(far);
    };
    AttentionOptions<T> options;
    if (bytes.toss()) {
        options.scale = bytes.one_of(scales);
    }
    if (bytes.below(4) == 3) {
        options.softcap = bytes.one_of(caps);
    }
    options.rule.is_causal = bytes.toss();
    options.rule.query_offset = draw_window(0);
    if (bytes.toss() && options.rule.query_offset < 20) {
        options.rule.query_offset = options.rule.query_offset < 0 ? 0 : -options.rule.query_offset;
    }
    options.rule.left_window = draw_window(-1);
    options.rule.right_window = draw_window(-1);
    if (bytes.toss()) {
        options.rule.key_length = bytes.below(n_key + 2);
    }
    return options;
}

inline std::string sentence_of(Problem const& problem) {
    return problem ? problem->sentence() : "";
}

/// The entry of a mask for a query and a key; an axis of length 1 is repeated.
template <class T> T entry_of(Matrix<T> const& mask, std::size_t query, std::size_t key) {
    return mask(mask.shape(0) == 1 ? 0 : query, mask.shape(1) == 1 ? 0 : key);
}

/// How far two right outputs of a query may lie apart. Scores are sums of d_k rounded products, one rounding follows
/// another for the scale, the cap and the mask; e^(s + error) is e^s times at most e^error; and an output is a mean of
/// values by weights, each of them as wrong as that.
template <class T> double allowed_error(HeadArguments<T> const& call, Visibility const& visible, std::size_t query) {
    double const rounding = static_cast<double>(std::numeric_limits<T>::epsilon());
    double const scale = std::fabs(static_cast<double>(scale_of(call.options, call.query.shape(1))));
    auto const d_k = static_cast<double>(call.query.shape(1));
    double error_of_score = 0;
    double largest_value = 0;
    for (std::size_t j = 0; j < call.key.shape(0); ++j) {
        if (visible(query, j) == 0) {
            continue;
        }
        double products = 0;
        for (std::size_t c = 0; c < call.query.shape(1); ++c) {
            products += std::fabs(static_cast<double>(call.query(query, c)) * static_cast<double>(call.key(j, c)));
        }
        // Products below the smallest number vanish.
        double error = scale * ((d_k + 4) * rounding * products + d_k * static_cast<double>(tiny<T>));
        if (call.options.softcap != 0) {
            error += 16 * rounding * std::min(scale * products, call.options.softcap);
        }
        if (auto const* const added = std::get_if<Matrix<T>>(&call.options.mask)) {
            double const entry = std::fabs(static_cast<double>(entry_of(*added, query, j)));
            error += 2 * rounding * (entry + scale * products);
        }
        error_of_score = std::max(error_of_score, error);
        for (std::size_t c = 0; c < call.value.shape(1); ++c) {
            largest_value = std::max(largest_value, std::fabs(static_cast<double>(call.value(j, c))));
        }
    }
    auto const n_key = static_cast<double>(call.key.shape(0));
    double const of_weights = 2 * std::expm1(std::min(2 * error_of_score, 50.0)) + (n_key + 40) * rounding;
    return largest_value * std::min(of_weights, 3.0) + n_key * static_cast<double>(tiny<T>);
}

/// What of the fast path's output is wrong, or "".
template <class T>
std::string difference(HeadArguments<T> const& call, Visibility const& visible, Matrix<T> const& fast,
                       Matrix<T> const& slow) {
    for (std::size_t i = 0; i < slow.shape(0); ++i) {
        bool sees_any = false;
        for (std::size_t j = 0; j < visible.shape(1); ++j) {
            sees_any = sees_any || visible(i, j) != 0;
        }
        double const allowed = sees_any ? allowed_error(call, visible, i) : 0;
        for (std::size_t c = 0; c < slow.shape(1); ++c) {
            double const found = static_cast<double>(fast(i, c));
            double const expected = static_cast<double>(slow(i, c));
            bool const agrees =
                sees_any ? found == expected || std::fabs(found - expected) <= allowed : found == 0 && expected == 0;
            if (!agrees) {
                std::array<char, 160> text{};
                std::snprintf(text.data(), text.size(), "output (%zu, %zu) is %.17g instead of %.17g +- %.3g", i, c,
                              found, expected, allowed);
                return text.data();
            }
        }
    }
    return "";
}

[[noreturn]] inline void fail(char const* type, char const* path, std::string const& what) {
    std::fprintf(stderr, "%s, %s: %s\n", type, path, what.c_str());
    std::abort();
}

inline void require_same(char const* type, char const* path, std::string const& found, std::string const& expected) {
    if (found != expected) {
        fail(type, path, "\"" + found + "\" instead of \"" + expected + "\"");
    }
}

} // namespace fuzzing
