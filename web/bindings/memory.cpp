// What happens where WebAssembly's memory has no room: the call ends at once, and JavaScript is told how much it
// needed.
//
// The modules have no exceptions, so nothing on the way out frees what the call holds. JavaScript therefore throws the
// whole instance away, and goes on with a fresh one: web/engine/instance.js.

#include <emscripten/emscripten.h>
#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "memory.hpp"

namespace {

EM_JS(void, throw_shortage, (double bytes), { throw {bytes : bytes}; });

} // namespace

namespace packing {

void end_for_want_of(double bytes) {
    throw_shortage(static_cast<double>(mallinfo().uordblks) + bytes);
    std::abort(); // not reached
}

} // namespace packing

// Those of the C++ library return null in a build without exceptions. Every other form of new calls one of these.

void* operator new(std::size_t bytes) {
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) {
        packing::end_for_want_of(static_cast<double>(bytes));
    }
    return memory;
}

void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    // A whole multiple of the alignment, as aligned_alloc requires. The rounding may not wrap.
    auto const unit = static_cast<std::size_t>(alignment);
    void* const memory = bytes > static_cast<std::size_t>(-1) - unit
                             ? nullptr
                             : std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (memory == nullptr) {
        packing::end_for_want_of(static_cast<double>(bytes));
    }
    return memory;
}

void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return operator new(bytes, alignment);
}
