#include "axpy.hpp"

namespace attention {

template <class T> void axpy(std::size_t count, T a, T const* __restrict x, T* __restrict y) {
    for (std::size_t c = 0; c < count; ++c) {
        y[c] += a * x[c];
    }
}

template void axpy(std::size_t, float, float const*, float*);
template void axpy(std::size_t, double, double const*, double*);

} // namespace attention
