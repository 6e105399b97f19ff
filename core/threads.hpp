// The threads that a call is spread over. WebAssembly has one, and so has a native build without oneTBB.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace attention {

#ifdef __wasm__
class Threads {
  public:
    explicit Threads(std::size_t /*count*/) {}

    static constexpr std::size_t count() { return 1; }

  private:
    template <class Task> static void share(std::size_t /*tasks*/, Task const& /*task*/) {}
#else
/// The thread that asks, and some of oneTBB's pool, which starts them once for the whole program.
class Threads {
  public:
    /// @param count  1 asks for no others, 0 for as many as this program may use, which are also the most. Without
    ///               oneTBB there is one.
    explicit Threads(std::size_t count);
    Threads(Threads const&) = delete;
    Threads& operator=(Threads const&) = delete;
    ~Threads();

    std::size_t count() const { return count_; }

  private:
    struct Pool;
    using NumberedTask = void (*)(void* task, std::size_t number, std::size_t thread);

    /// Calls run(task, number, thread) for every number.
    void share_out(std::size_t tasks, NumberedTask run, void* task) const;

    template <class Task> void share(std::size_t tasks, Task const& task) const {
        // Every task sees what was written before it was shared out, and what tasks wrote is seen afterwards. oneTBB
        // sees to that too, inside of a library that a thread sanitizer cannot look into; this it can see.
        struct Shared {
            Task const& task;
            std::atomic<std::size_t> done;
        };
        Shared shared{task, {}};
        shared.done.store(0, std::memory_order_release);
        auto const run = [](void* of_all, std::size_t number, std::size_t thread) {
            auto& all = *static_cast<Shared*>(of_all);
            static_cast<void>(all.done.load(std::memory_order_acquire));
            all.task(number, thread);
            all.done.fetch_add(1, std::memory_order_release);
        };
        share_out(tasks, run, &shared);
        static_cast<void>(shared.done.load(std::memory_order_acquire));
    }

    std::size_t count_;
    std::unique_ptr<Pool> pool_; // none where there is one thread
#endif

  public:
    /// Calls task(number, thread) for every number from 0 to tasks - 1, and comes back when all are done, or throws
    /// what one of them threw. No two calls with the same thread, a number below `count`, run at once, so that it may
    /// choose the memory to work in. A task may share out tasks itself, but holds no such memory while it does.
    ///
    /// Which thread does a task must decide no bit of a result: tasks are cut the same way however many threads there
    /// are, and what they give is put together in the order of their numbers.
    template <class Task> void for_each(std::size_t tasks, Task const& task) const {
        if (count() == 1) {
            for (std::size_t number = 0; number < tasks; ++number) {
                task(number, 0);
            }
        } else {
            share(tasks, task);
        }
    }

    /// What the first task that finds something finds, in the order of their numbers.
    ///
    /// @param task  gives something that is true where there is something, and false otherwise
    template <class Task> auto first_found(std::size_t tasks, Task const& task) const -> decltype(task(0, 0)) {
        using Found = decltype(task(0, 0));
        if (count() == 1) {
            for (std::size_t number = 0; number < tasks; ++number) {
                if (Found found = task(number, 0)) {
                    return found;
                }
            }
            return {};
        }
        struct Place { // as bits of a std::vector<bool> could not be written at once
            Found found{};
        };
        std::vector<Place> all(tasks);
        share(tasks, [&](std::size_t number, std::size_t thread) { all[number].found = task(number, thread); });
        for (Place& place : all) {
            if (place.found) {
                return std::move(place.found);
            }
        }
        return {};
    }
};

} // namespace attention
