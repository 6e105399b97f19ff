// The ceiling, for a page: a module of its own.
#include "peak.hpp"

extern "C" {

float multiply_and_add(std::size_t rounds);
double operations_of(std::size_t rounds);

float multiply_and_add(std::size_t rounds) {
    return attention::baseline::peak().multiply_and_add(rounds);
}

double operations_of(std::size_t rounds) {
    return attention::baseline::peak().operations_a_round * static_cast<double>(rounds);
}
}
