#include "threads.hpp"

#ifndef __wasm__ // which has one thread

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "multi_head_gradient.hpp"
#include "multi_head_testing.hpp"
#include "statistics.hpp"

using namespace attention;
using namespace testing;

namespace {

std::vector<std::size_t> const several_threads = {2, 3, 5, 0};

/// Grouped heads, each with its own shape of work: 2 batches, 6 heads that share 2 of key and value.
template <class T> Tensors<T> grouped(std::size_t n_query, std::size_t n_key) {
    return {scattered_tensor<T>({2, 6, n_query, 20}, 61), scattered_tensor<T>({2, 2, n_key, 20}, 62),
            scattered_tensor<T>({2, 2, n_key, 13}, 63)};
}

template <class T> MultiHeadOptions<T> causal_options(std::size_t n_query, std::size_t n_key) {
    MultiHeadOptions<T> options;
    options.is_causal = true;
    auto const before = static_cast<std::ptrdiff_t>(n_key - n_query);
    options.query_offset = Offsets{before, before - 3};
    options.key_lengths = Shape{n_key, n_key - 1};
    return options;
}

} // namespace

TEST_CASE("tasks that are shared out are done once each, and tasks of tasks too") {
    Threads const threads(3);
    std::vector<int> done(7 * 5);
    threads.for_each(7, [&](std::size_t outer, std::size_t) {
        threads.for_each(5, [&](std::size_t inner, std::size_t thread) {
            done[outer * 5 + inner] += thread < threads.count() ? 1 : 100;
        });
    });
    REQUIRE(done == std::vector<int>(7 * 5, 1));
}

TEST_CASE("what the first task finds is given, however many threads look") {
    for (std::size_t const count : {1, 2, 4}) {
        Threads const threads(count);
        std::optional<std::size_t> const found =
            threads.first_found(100, [](std::size_t number, std::size_t) -> std::optional<std::size_t> {
                return number % 40 == 39 ? std::optional<std::size_t>(number) : std::nullopt;
            });
        REQUIRE(found.value() == 39);
        REQUIRE_FALSE(threads.first_found(100, [](std::size_t, std::size_t) { return false; }));
    }
}

TEST_CASE("what a task throws reaches who shared it out") {
    Threads const threads(2);
    auto const fail = [](std::size_t number, std::size_t) {
        if (number == 3) {
            throw std::runtime_error("task 3");
        }
    };
    REQUIRE_THROWS_WITH(threads.for_each(8, fail), "task 3");
}

TEMPLATE_TEST_CASE("no bit of outputs and stages depends on the number of threads", "", float, double) {
    using T = TestType;
    struct Size {
        std::size_t n_query;
        std::size_t n_key;
    };
    // Panels of queries, with a rest; one query for many keys, of which there are several parts.
    for (Size const& size : {Size{150, 170}, Size{1, 20000}, Size{2, 700}}) {
        Tensors<T> const tensors = grouped<T>(size.n_query, size.n_key);
        MultiHeadOptions<T> options = causal_options<T>(size.n_query, size.n_key);
        MultiHeadAttention<T> const alone = attend(tensors, options, {});
        MultiHeadAttention<T> const alone_with_stages = attend(tensors, options);
        for (std::size_t const threads : several_threads) {
            CAPTURE(size.n_query, threads);
            options.threads = threads;
            require_same(attend(tensors, options, {}).output, alone.output);
            MultiHeadAttention<T> const with_stages = attend(tensors, options);
            require_same(with_stages.output, alone_with_stages.output);
            require_same(with_stages.scores.value(), alone_with_stages.scores.value());
            require_same(with_stages.weights.value(), alone_with_stages.weights.value());
        }
    }
}

TEMPLATE_TEST_CASE("no bit of gradients depends on the number of threads", "", float, double) {
    using T = TestType;
    Tensors<T> const tensors = grouped<T>(190, 200);
    Tensor<T> const output_gradient = scattered_tensor<T>({2, 6, 190, 13}, 64);
    MultiHeadOptions<T> options = causal_options<T>(190, 200);
    auto const gradients = [&] {
        return multi_head_gradients<T>(tensors.query, tensors.key, tensors.value, output_gradient, options);
    };
    MultiHeadGradients<T> const alone = gradients();
    for (std::size_t const threads : several_threads) {
        CAPTURE(threads);
        options.threads = threads;
        MultiHeadGradients<T> const shared = gradients();
        require_same(shared.query, alone.query);
        require_same(shared.key, alone.key);
        require_same(shared.value, alone.value);
        require_same(shared.scores, alone.scores);
    }
}

TEST_CASE("no bit of the law's samples depends on the number of threads") {
    StatisticsSettings settings;
    settings.largest_d_k = 9;
    Sample const alone = sample(settings, 7, 70);
    Sample const shared = sample(settings, 7, 70, Threads(3));
    require_equal(shared.spread, alone.spread);
    for (std::size_t width = 0; width < 9; ++width) {
        CHECK(shared.sums[width].score.sum_of_squares == alone.sums[width].score.sum_of_squares);
        CHECK(shared.sums[width].unscaled.peak == alone.sums[width].unscaled.peak);
        CHECK(shared.sums[width].scaled.jacobian == alone.sums[width].scaled.jacobian);
    }
}

TEST_CASE("of several heads that have a problem the first is named, however many threads look") {
    Tensors<float> tensors = grouped<float>(70, 70);
    tensors.query(0, 3, 5, 0) = 3e38F;
    tensors.query(0, 5, 1, 0) = 3e38F;
    tensors.key(0, 1, 8, 0) = 3e38F;
    MultiHeadOptions<float> options;
    std::string const alone = thrown_by([&] { attend(tensors, options, {}); });
    REQUIRE(alone.find(" at (0, 3, 5, ") != std::string::npos);
    for (std::size_t const threads : several_threads) {
        options.threads = threads;
        CHECK(thrown_by([&] { attend(tensors, options, {}); }) == alone);
    }
}

#endif
