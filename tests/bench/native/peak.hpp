// The ceiling that the fused path is measured against.
#pragma once

#include <cstddef>

namespace attention {

constexpr std::size_t chains = 12;

struct Peak {
    float (*multiply_and_add)(std::size_t rounds);
    double operations_a_round;
};

namespace baseline {
Peak peak();
}
namespace avx2 {
Peak peak();
}
namespace avx512 {
Peak peak();
}

} // namespace attention
