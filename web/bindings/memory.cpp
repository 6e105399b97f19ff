// The memory of the lessons' module, in place of an allocator for programs that run for long: it weighs a tenth of one.
//
// A call allocates, computes, delivers and frees; nothing is kept from one call to the next. So memory needs no care
// about holes: a freed block waits for the next request of its size, and once every block is free, all of it starts
// anew.

#include <emscripten/heap.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

/// What stands before and, while it is free, in a block.
struct Block {
    alignas(8) Block** list; // where it waits when it is free
    alignas(8) Block* next;  // the rest of that list; the caller's while the block is in use
};

std::array<Block*, 4 * 32 + 1> free_blocks; // by size
std::size_t blocks_in_use = 0;
char* unused = nullptr; // from here on no block has been made yet

/// Whoever asks for more memory than there is stops.
Block* new_block(std::size_t size) {
    auto* const block = reinterpret_cast<Block*>(unused);
    unused += size;
    auto const end = reinterpret_cast<std::size_t>(unused);
    if (end > emscripten_get_heap_size() && emscripten_resize_heap(end) == 0) {
        std::abort();
    }
    return block;
}

} // namespace

extern "C" {

extern char __heap_base; // NOLINT(bugprone-reserved-identifier): the linker's name

void* malloc(std::size_t size) {
    if (blocks_in_use == 0) {
        free_blocks.fill(nullptr);
        unused = &__heap_base;
    }
    ++blocks_in_use;
    // Sizes have four steps to a power of two: 32, 40, 48, 56, 64, 80, ...
    size += sizeof(Block*) * 2;
    if (size < 32) {
        size = 32;
    }
    int const shift = 29 - __builtin_clzl(size);
    std::size_t const steps = ((size - 1) >> shift) + 1; // 4 to 8
    Block** const list = &free_blocks[4 * static_cast<std::size_t>(shift) + steps];
    Block* block = *list;
    if (block != nullptr) {
        *list = block->next;
    } else {
        block = new_block(steps << shift);
        block->list = list;
    }
    return &block->next;
}

void free(void* memory) {
    if (memory != nullptr) {
        auto* const block = reinterpret_cast<Block*>(static_cast<char*>(memory) - offsetof(Block, next));
        block->next = *block->list;
        *block->list = block;
        --blocks_in_use;
    }
}
}

void* operator new(std::size_t size) {
    return malloc(size);
}

void operator delete(void* memory) noexcept {
    free(memory);
}
