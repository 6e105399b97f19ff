#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace testing {

std::size_t largest_allocation = 0;

} // namespace testing

// The program's own, in place of the library's.

void* operator new(std::size_t size) {
    if (size > testing::largest_allocation) {
        testing::largest_allocation = size;
    }
    if (void* const memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
