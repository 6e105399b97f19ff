// Which keys queries see by their position.
#pragma once

#include <cstddef>

namespace attention {

struct VisibilityRule;

/// Query i sees the keys from i + first up to, but without, i + last, as far as they are among the `valid` first keys.
struct Band {
    std::ptrdiff_t first = 0;
    std::ptrdiff_t last = 0;
    std::ptrdiff_t valid = 0;
};

struct KeyRange {
    std::ptrdiff_t begin = 0;
    std::ptrdiff_t end = 0;
};

/// The band of a rule that has no problem.
Band band_of(VisibilityRule const& rule, std::size_t n_key);

inline KeyRange keys_of(Band const& band, std::ptrdiff_t query) {
    auto const limited = [&](std::ptrdiff_t key) { return key < 0 ? 0 : key < band.valid ? key : band.valid; };
    return {limited(query + band.first), limited(query + band.last)};
}

} // namespace attention
