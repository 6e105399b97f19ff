// A short vector: as many numbers as one instruction works on. Written with the compiler's vector extensions, so that
// the same source becomes SSE, AVX2, AVX-512 or WebAssembly SIMD by the options that it is compiled with.
//
// A file that is compiled several times for several instruction sets names each of them by ATTENTION_INSTRUCTION_SET,
// which keeps their functions apart. Such a file calls no function of the standard library that works on floating-point
// numbers: the linker keeps one copy of an inline function, perhaps the one that an older machine cannot run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#ifndef ATTENTION_INSTRUCTION_SET
#define ATTENTION_INSTRUCTION_SET baseline
#endif

#define ATTENTION_INLINE [[gnu::always_inline]] inline

// CMakeLists.txt undoes what a surrounding project asks for; other builds have to do so themselves.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "-ffast-math gives wrong numbers: compile the core with -fno-fast-math"
#endif

namespace attention::ATTENTION_INSTRUCTION_SET {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

template <class T> constexpr std::size_t lanes = vector_bytes / sizeof(T);

template <class T> struct VectorTypes;
template <> struct VectorTypes<float> {
    using Bits = std::uint32_t;
    using Position = std::int32_t;
    typedef float Number __attribute__((vector_size(vector_bytes)));
    typedef std::int32_t Integer __attribute__((vector_size(vector_bytes)));
    typedef std::uint32_t Word __attribute__((vector_size(vector_bytes)));
    typedef float Unaligned __attribute__((vector_size(vector_bytes), aligned(alignof(float)), may_alias));
};
template <> struct VectorTypes<double> {
    using Bits = std::uint64_t;
    using Position = std::int64_t;
    typedef double Number __attribute__((vector_size(vector_bytes)));
    typedef std::int64_t Integer __attribute__((vector_size(vector_bytes)));
    typedef std::uint64_t Word __attribute__((vector_size(vector_bytes)));
    typedef double Unaligned __attribute__((vector_size(vector_bytes), aligned(alignof(double)), may_alias));
};

/// Numbers, the integers of the same width that comparisons give (-1 for true) and their bits.
template <class T> using Vec = typename VectorTypes<T>::Number;
template <class T> using IntegerVec = typename VectorTypes<T>::Integer;
template <class T> using WordVec = typename VectorTypes<T>::Word;

template <class T> ATTENTION_INLINE Vec<T> load(T const* from) {
    return *reinterpret_cast<typename VectorTypes<T>::Unaligned const*>(from);
}

template <class T> ATTENTION_INLINE void store(T* to, Vec<T> vector) {
    *reinterpret_cast<typename VectorTypes<T>::Unaligned*>(to) = vector;
}

template <class T> ATTENTION_INLINE Vec<T> splat(T number) {
    return number - Vec<T>{}; // x - 0 is x for every x, while x + 0 turns -0 into 0
}

/// The larger of each pair; the second where the first is NaN, and the first where the second is.
template <class T> ATTENTION_INLINE Vec<T> larger(Vec<T> a, Vec<T> b) {
    return b > a ? b : a;
}

/// Swaps the blocks of `distance` lanes that lie off the diagonal of two rows, the elementary step of a transposition.
template <class T, std::size_t distance, std::size_t... lane>
ATTENTION_INLINE void swap_blocks(Vec<T>& upper, Vec<T>& lower, std::index_sequence<lane...> /*lanes*/) {
    constexpr std::size_t n = sizeof...(lane);
    Vec<T> const first =
        __builtin_shufflevector(upper, lower, ((lane & distance) != 0 ? n + lane - distance : lane)...);
    lower = __builtin_shufflevector(upper, lower, ((lane & distance) != 0 ? n + lane : lane + distance)...);
    upper = first;
}

/// Transposes a square of numbers: lane j of row i and lane i of row j change places.
template <class T, std::size_t distance = lanes<T> / 2>
ATTENTION_INLINE void transpose(std::array<Vec<T>, lanes<T>>& rows) {
    if constexpr (distance > 0) {
        for (std::size_t i = 0; i < lanes<T>; ++i) {
            if ((i & distance) == 0) {
                swap_blocks<T, distance>(rows[i], rows[i + distance], std::make_index_sequence<lanes<T>>());
            }
        }
        transpose<T, distance / 2>(rows);
    }
}

/// The constants of the exponential. A number of `magic` size has no bits for fractions: adding it rounds to a whole
/// number, which its lowest bits then hold. ln 2 comes in two parts; the first ends in zero bits, so that its product
/// with a small whole number is exact.
template <class T> struct ExponentialConstants;
template <> struct ExponentialConstants<float> {
    static constexpr float magic = 0x1.8p23F;
    static constexpr float ln2_high = 0x1.63p-1F;
    static constexpr float ln2_low = -0x1.bd0106p-13F;
    static constexpr std::size_t terms = 6;
};
template <> struct ExponentialConstants<double> {
    static constexpr double magic = 0x1.8p52;
    static constexpr double ln2_high = 0x1.62e42feep-1;
    static constexpr double ln2_low = 0x1.a39ef35793c76p-33;
    static constexpr std::size_t terms = 13;
};

/// 1/n! from n = 0 on.
template <class T> constexpr std::array<T, 14> make_inverse_factorials() {
    std::array<T, 14> inverses{};
    double factorial = 1;
    for (std::size_t n = 0; n < inverses.size(); ++n) {
        factorial *= n == 0 ? 1 : static_cast<double>(n);
        inverses[n] = static_cast<T>(1 / factorial);
    }
    return inverses;
}

template <class T> constexpr std::array<T, 14> inverse_factorials = make_inverse_factorials<T>();

/// e^x = 2^k (1 + r series) with k the whole number nearest to x / ln 2 and |r| <= ln(2) / 2.
template <class T> struct ReducedExponential {
    WordVec<T> exponent; // k, in the place where a number's exponent is
    Vec<T> r;
    Vec<T> series; // (e^r - 1) / r
};

template <class T> ATTENTION_INLINE ReducedExponential<T> reduce_exponential(Vec<T> x) {
    using Constants = ExponentialConstants<T>;
    constexpr T log2_e = T(0x1.71547652b82fep+0);
    Vec<T> const shifted = x * log2_e + Constants::magic;
    Vec<T> const k = shifted - Constants::magic;
    Vec<T> const r = (x - k * Constants::ln2_high) - k * Constants::ln2_low;
    Vec<T> series = splat(inverse_factorials<T>[Constants::terms]);
#pragma GCC unroll 16
    for (std::size_t term = Constants::terms - 1; term >= 1; --term) {
        series = series * r + inverse_factorials<T>[term];
    }
    return {(WordVec<T>)shifted << (std::numeric_limits<T>::digits - 1), r, series};
}

/// Below this, the fused path calls an exponential zero: 2^-60.
template <class T> constexpr T negligible_below = T(-41.588830833596718);

/// e^x of x <= 0; exactly 0 below 2^-60, where it would not show beside the 1 of the row's largest score but, further
/// down, be a denormal number, on which processors are slow; NaN of a NaN whose lowest bits are 0, as those of
/// arithmetic are.
///
/// Within 3e-7 of e^x, relative, in float32, and within 5e-16 in float64.
/// Source: Cody and Waite, "Software Manual for the Elementary Functions", 1980, chapter 6.
template <class T> ATTENTION_INLINE Vec<T> exponential(Vec<T> x) {
    ReducedExponential<T> const reduced = reduce_exponential<T>(x);
    Vec<T> const power = reduced.series * reduced.r + T(1);
    WordVec<T> const raised = (WordVec<T>)power + reduced.exponent;
    return (Vec<T>)(raised & ~(WordVec<T>)(x < negligible_below<T>));
}

/// tanh x, within 6e-7, relative, in float32, and within 1e-15 in float64: of y = -2|x|, (1 - e^y) / (1 + e^y) with the
/// sign of x, where e^y - 1 is summed without the 1, which would cancel near 0; NaN of NaN.
template <class T> ATTENTION_INLINE Vec<T> hyperbolic_tangent(Vec<T> x) {
    using Bits = typename VectorTypes<T>::Bits;
    WordVec<T> const sign = (WordVec<T>)x & (Bits(1) << (8 * sizeof(T) - 1));
    Vec<T> const y = T(-2) * (Vec<T>)((WordVec<T>)x ^ sign);
    ReducedExponential<T> const reduced = reduce_exponential<T>(y);
    Vec<T> const power = (Vec<T>)((WordVec<T>)splat(T(1)) + reduced.exponent);
    Vec<T> const sum = power * (reduced.series * reduced.r) + (power - T(1));
    Vec<T> const less_one = y < negligible_below<T> ? splat(T(-1)) : sum;
    return (Vec<T>)((WordVec<T>)(-less_one / (less_one + T(2))) ^ sign);
}

} // namespace attention::ATTENTION_INSTRUCTION_SET
