#include "threads.hpp"

#ifdef ATTENTION_TBB
#include <algorithm>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace attention {

#ifdef ATTENTION_TBB

struct Threads::Pool {
    explicit Pool(std::size_t count) : arena(static_cast<int>(count)) {}

    tbb::task_arena arena;
};

namespace {

/// oneTBB warns of what it does not have.
std::size_t usable(std::size_t count) {
    auto const all = static_cast<std::size_t>(tbb::info::default_concurrency());
    return count == 0 ? all : std::min(count, all);
}

} // namespace

Threads::Threads(std::size_t count)
    : count_(usable(count)), pool_(count_ == 1 ? nullptr : std::make_unique<Pool>(count_)) {}

void Threads::share_out(std::size_t tasks, NumberedTask run, void* task) const {
    pool_->arena.execute([&] {
        tbb::parallel_for(
            std::size_t(0), tasks,
            [&](std::size_t number) {
                run(task, number, static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()));
            },
            tbb::simple_partitioner());
    });
}

#else

struct Threads::Pool {};

Threads::Threads(std::size_t /*count*/) : count_(1) {}

void Threads::share_out(std::size_t tasks, NumberedTask run, void* task) const {
    for (std::size_t number = 0; number < tasks; ++number) {
        run(task, number, 0);
    }
}

#endif

Threads::~Threads() = default;

} // namespace attention
