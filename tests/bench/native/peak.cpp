// What the processor can multiply and add at most, with nothing to load or store. Compiled once for each instruction
// set, as the fused path is.
#include "peak.hpp"

#include "simd.hpp"

namespace attention::ATTENTION_INSTRUCTION_SET {

float multiply_and_add(std::size_t rounds) {
    // As many as hide an addition's and a multiplication's latency, and as fit sixteen registers.
    Vec<float> sums[chains] = {};
    Vec<float> factor = splat(0.5F);
    Vec<float> term = splat(1.0F);
    // The compiler may not know what these hold, or it would compute the result itself.
    __asm__ volatile("" : "+m"(factor), "+m"(term), "+m"(sums));
    Vec<float> const kept_factor = factor;
    Vec<float> const kept_term = term;
    for (std::size_t round = 0; round < rounds; ++round) {
#ifdef __clang__
#pragma unroll
#else
#pragma GCC unroll 12
#endif
        for (Vec<float>& sum : sums) {
            sum = sum * kept_factor + kept_term;
        }
    }
    Vec<float> all = {};
    for (Vec<float> const& sum : sums) {
        all += sum;
    }
    return all[0];
}

Peak peak() {
    return {multiply_and_add, 2.0 * static_cast<double>(chains * lanes<float>)};
}

} // namespace attention::ATTENTION_INSTRUCTION_SET
