// A portable random generator: the same seed gives the same bits on every compiler, processor and browser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace attention {

/// One stream of random words and numbers, decided by its key alone.
///
/// The words are SplitMix64's. Everything derived from them uses additions, multiplications, divisions and
/// comparisons only, which IEEE 754 rounds alike everywhere; std::normal_distribution, std::log and std::cos differ
/// between standard libraries.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class RandomStream {
  public:
    explicit RandomStream(std::uint64_t key) noexcept : state_(key) {}

    /// The next 64 random bits.
    std::uint64_t next_word() noexcept;

    /// A number in [0, 1), a multiple of 2^-53.
    double next_uniform() noexcept;

    /// A number from the normal distribution with mean 0 and variance 1, by the ratio of uniforms.
    /// A logarithm decides one draw in about eighty; it is the core's own, alike everywhere.
    /// Source: Kinderman and Monahan 1977; bounds of Leva, "A fast normal random number generator", 1992.
    double next_normal() noexcept;

    /// Writes the next `count` normal numbers, each times `deviation`, to every `stride`-th place from `first` on.
    void fill_normal(double* first, std::size_t count, std::size_t stride, double deviation) noexcept;

  private:
    std::uint64_t state_;
};

/// Folds several words into the key of a stream; the order of the words matters.
std::uint64_t stream_key(std::initializer_list<std::uint64_t> words) noexcept;

/// The FNV-1a hash of a text's bytes, 64 bits.
/// Source: Fowler, Noll, Vo; IETF draft-eastlake-fnv.
std::uint64_t text_hash(std::string_view text) noexcept;

} // namespace attention
