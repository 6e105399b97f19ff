#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace testing {

std::size_t largest_allocation = 0;

} // namespace testing

namespace {

void note(std::size_t size) {
    if (size > testing::largest_allocation) {
        testing::largest_allocation = size;
    }
}

} // namespace

// The program's own, in place of the library's.

void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
    note(size);
    return std::malloc(size);
}

void* operator new(std::size_t size) {
    if (void* const memory = operator new(size, std::nothrow)) {
        return memory;
    }
    throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    note(size);
    auto const step = static_cast<std::size_t>(alignment);
    if (void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step)) {
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

void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
