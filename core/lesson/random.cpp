#include "random.hpp"

#include <cmath>

#include "elementary.hpp"

namespace attention {
namespace {

constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15u;

// Inlined by hand, as are the draws below: a lesson draws thousands of numbers for each step of the slider, and a build
// for size would make four calls of each.
[[gnu::always_inline]] inline std::uint64_t mix(std::uint64_t word) noexcept {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

[[gnu::always_inline]] inline std::uint64_t next(std::uint64_t& state) noexcept {
    state += golden_gamma;
    return mix(state);
}

[[gnu::always_inline]] inline double uniform(std::uint64_t word) noexcept {
    return static_cast<double>(word >> 11) * 0x1p-53;
}

[[gnu::always_inline]] inline double normal(std::uint64_t& state) noexcept {
    // A point drawn evenly from the rectangle (0, 1] x [-0.8578, 0.8578] is kept when it lies inside the curve
    // v^2 <= -4 u^2 ln u; then v / u is normal. Two quadratics settle nearly every point without the logarithm.
    for (;;) {
        double const u = 1.0 - uniform(next(state));
        double const v = 1.7156 * (uniform(next(state)) - 0.5);
        double const x = u - 0.449871;
        double const y = std::fabs(v) + 0.386595;
        double const bound = x * x + y * (0.19600 * y - 0.25472 * x);
        if (bound < 0.27597) {
            return v / u;
        }
        if (bound <= 0.27846 && v * v <= -4.0 * u * u * natural_logarithm(u)) {
            return v / u;
        }
    }
}

} // namespace

std::uint64_t RandomStream::next_word() noexcept {
    return next(state_);
}

double RandomStream::next_uniform() noexcept {
    return uniform(next(state_));
}

double RandomStream::next_normal() noexcept {
    return normal(state_);
}

void RandomStream::fill_normal(double* first, std::size_t count, std::size_t stride, double deviation) noexcept {
    std::uint64_t state = state_;
    for (std::size_t index = 0; index < count; ++index) {
        first[index * stride] = deviation * normal(state);
    }
    state_ = state;
}

std::uint64_t stream_key(std::initializer_list<std::uint64_t> words) noexcept {
    std::uint64_t key = 0;
    for (std::uint64_t const word : words) {
        key = mix(key + golden_gamma + mix(word + golden_gamma));
    }
    return key;
}

std::uint64_t text_hash(std::string_view text) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (char const byte : text) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    }
    return hash;
}

} // namespace attention
