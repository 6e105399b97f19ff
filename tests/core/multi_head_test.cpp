#include "multi_head.hpp"

#include <map>

#include "allocations.hpp"
#include "attention.hpp"
#include "multi_head_testing.hpp"

using namespace attention;
using namespace testing;

namespace {

using testing::require_same;

template <class T> void require_same(MultiHeadAttention<T> const& actual, MultiHeadAttention<T> const& expected) {
    require_same(actual.output, expected.output);
    require_same(actual.scores.value(), expected.scores.value());
    require_same(actual.capped.value(), expected.capped.value());
    require_same(actual.masked.value(), expected.masked.value());
    require_same(actual.weights.value(), expected.weights.value());
}

/// Compares every case of the reference, computed in T, and its output once more without stages.
template <class T> std::size_t require_reference_within(double tolerance, bool half_precision) {
    nlohmann::json const reference = read_reference("multi_head_reference.json");
    nlohmann::json const& tensors = reference.at("tensors");
    std::size_t cases = 0;
    for (nlohmann::json const& each : reference.at("cases")) {
        if (each.at("isHalf").get<bool>() != half_precision) {
            continue;
        }
        ++cases;
        CAPTURE(each.at("name").get<std::string>());
        ReferenceCall<T> const call(tensors, each);
        MultiHeadAttention<T> const result = attend(call.tensors, call.options);
        std::map<std::string, Tensor<T>> const found = {{"output", result.output},
                                                        {"scores", result.scores.value()},
                                                        {"capped", result.capped.value()},
                                                        {"masked", result.masked.value()},
                                                        {"weights", result.weights.value()}};
        for (auto const& [name, tensor] : each.at("results").items()) {
            CAPTURE(name);
            Tensor<double> const expected = tensor_from<double>(tensor);
            Tensor<double> const actual = found.at(name);
            REQUIRE(shape_of(actual) == shape_of(expected));
            require_close(as_rows(actual), as_rows(expected), tolerance, tolerance);
        }
        Tensor<double> const without_stages = attend(call.tensors, call.options, {}).output;
        require_close(as_rows(without_stages), as_rows(tensor_from<double>(each.at("results").at("output"))), tolerance,
                      tolerance);
    }
    return cases;
}

} // namespace

TEST_CASE("float64 agrees with an independent reference within 1e-10, for every rank, mask and option") {
    REQUIRE(require_reference_within<double>(1e-10, false) == 76);
}

TEST_CASE("float32 agrees with an independent reference within 1e-5, for every rank, mask and option") {
    REQUIRE(require_reference_within<float>(1e-5, false) == 76);
}

TEST_CASE("numbers of half precision agree with an independent reference within 2e-3") {
    REQUIRE(require_reference_within<float>(2e-3, true) == 4);
}

TEST_CASE("two heads of rank 3 can be checked by hand") {
    // Head 0: scores 0, ln 3 and -ln 3, 0. Head 1 sees zeros alone and spreads evenly.
    double const three = std::log(3.0);
    Tensors<double> const tensors = {Tensor<double>{{{1, 0}, {-1, 0}}}, Tensor<double>{{{0, 9}, {three, -9}}},
                                     Tensor<double>{{{4, 0, 2, 6}, {8, 4, 4, 2}}}};
    MultiHeadOptions<double> options;
    options.heads = 2;
    options.scale = 1;
    MultiHeadAttention<double> const result = attend(tensors, options);
    require_same(result.scores.value(), Tensor<double>{{{{0, three}, {0, -three}}, {{0, 0}, {0, 0}}}});
    require_close(as_rows(result.weights.value()), Matrix<double>{{0.25, 0.75}, {0.75, 0.25}, {0.5, 0.5}, {0.5, 0.5}},
                  0, 1e-15);
    REQUIRE(shape_of(result.output) == Shape{1, 2, 4});
    require_close(as_rows(result.output), Matrix<double>{{7, 3, 3, 4}, {5, 1, 3, 4}}, 0, 1e-15);
}

TEST_CASE("heads side by side are joined token by token, not by reading memory on") {
    Tensor<double> const value = {{{1, 2, 5, 6}, {3, 4, 7, 8}}};
    Tensor<std::uint8_t> const own = {{1, 0}, {0, 1}};
    MultiHeadOptions<double> options;
    options.heads = 2;
    options.mask = own;
    require_same(attend<double>({value, value, value}, options).output, value);
    Tensor<double> const apart = {{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}};
    options.heads = std::nullopt;
    require_same(attend<double>({apart, apart, apart}, options).output, apart);
}

TEMPLATE_TEST_CASE("each head of each batch is what attention of its own matrices is, bit for bit", "", float, double) {
    using T = TestType;
    Tensors<T> const tensors = rank_4<T>();
    Tensor<T> const mask = scattered_tensor<T>({2, 4, 3, 5}, 54);
    MultiHeadOptions<T> options;
    options.softcap = 2;
    options.is_causal = true;
    options.query_offset = Offsets{1, 2};
    options.left_window = 2;
    options.key_lengths = {5, 4};
    options.mask = mask;
    MultiHeadAttention<T> const whole = attend(tensors, options);
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t h = 0; h < 4; ++h) {
            AttentionOptions<T> one;
            one.softcap = 2;
            one.rule = {true, static_cast<std::ptrdiff_t>(b + 1), 2, -1, b == 0 ? 5 : 4};
            one.mask = head_of(mask, b, h);
            Attention<T> const expected = scaled_dot_product_attention(
                head_of(tensors.query, b, h), head_of(tensors.key, b, h), head_of(tensors.value, b, h), one);
            require_equal(head_of(whole.scores.value(), b, h), expected.scores);
            require_equal(head_of(whole.capped.value(), b, h), expected.capped);
            require_equal(head_of(whole.masked.value(), b, h), expected.masked);
            require_equal(head_of(whole.weights.value(), b, h), expected.weights);
            require_equal(head_of(whole.output, b, h), expected.output);
        }
    }
}

TEST_CASE("rank 2 is one batch of one head, with stages of rank 2") {
    Tensors<double> const tensors = rank_4();
    Matrix<double> const query = head_of(tensors.query, 1, 2);
    Matrix<double> const key = head_of(tensors.key, 1, 2);
    Matrix<double> const value = head_of(tensors.value, 1, 2);
    MultiHeadAttention<double> const result = multi_head_attention<double>(query, key, value, {}, all_stages);
    Attention<double> const expected = scaled_dot_product_attention(query, key, value);
    CHECK(shape_of(result.output) == Shape{3, 7});
    CHECK(shape_of(result.weights.value()) == Shape{3, 5});
    require_equal(as_rows(result.output), expected.output);
    require_equal(as_rows(result.weights.value()), expected.weights);
    require_equal(as_rows(result.scores.value()), expected.scores);
}

TEST_CASE("heads side by side give what heads apart give, bit for bit") {
    Tensors<double> const apart = rank_4();
    Tensors<double> const packed = {side_by_side(apart.query), side_by_side(apart.key), side_by_side(apart.value)};
    Tensor<std::uint8_t> const mask = tensor_of<std::uint8_t>({1, 4, 3, 1}, {1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1});
    MultiHeadOptions<double> options;
    options.mask = mask;
    MultiHeadAttention<double> expected = attend(apart, options);
    expected.output = side_by_side(expected.output);
    options.heads = 4;
    require_same(attend(packed, options), expected);
    options.key_value_heads = 4;
    require_same(attend(packed, options), expected);
}

TEST_CASE("heads in another order give outputs and weights in that order") {
    Tensors<double> const tensors = rank_4();
    std::vector<std::size_t> const order = {2, 0, 3, 1};
    Tensors<double> const moved = {with_heads(tensors.query, order), with_heads(tensors.key, order),
                                   with_heads(tensors.value, order)};
    MultiHeadAttention<double> const before = attend(tensors);
    MultiHeadAttention<double> const after = attend(moved);
    require_same(after.output, with_heads(before.output, order));
    require_same(after.weights.value(), with_heads(before.weights.value(), order));
}

TEST_CASE("a head of key and value that several heads of query share is as good as repeated") {
    Tensors<double> const tensors = rank_4();
    for (std::vector<std::size_t> const& shared : {std::vector<std::size_t>{3, 1}, std::vector<std::size_t>{2}}) {
        Tensors<double> const grouped = {tensors.query, with_heads(tensors.key, shared),
                                         with_heads(tensors.value, shared)};
        std::vector<std::size_t> repeated;
        for (std::size_t head = 0; head < 4; ++head) {
            repeated.push_back(shared[head * shared.size() / 4]);
        }
        MultiHeadAttention<double> expected =
            attend<double>({tensors.query, with_heads(tensors.key, repeated), with_heads(tensors.value, repeated)});
        require_same(attend(grouped), expected);

        expected.output = side_by_side(expected.output);
        MultiHeadOptions<double> options;
        options.heads = 4;
        require_same(
            attend({side_by_side(grouped.query), side_by_side(grouped.key), side_by_side(grouped.value)}, options),
            expected);
    }
}

TEST_CASE("one batch does not reach into another") {
    Tensors<double> const tensors = rank_4();
    Tensors<double> changed = tensors;
    for (std::size_t h = 0; h < 4; ++h) {
        changed.query(1, h, 0, 0) += 3;
        changed.key(1, h, 4, 5) -= 3;
        changed.value(1, h, 2, 6) += 3;
    }
    MultiHeadAttention<double> const before = attend(tensors);
    MultiHeadAttention<double> const after = attend(changed);
    for (std::size_t h = 0; h < 4; ++h) {
        require_equal(head_of(after.output, 0, h), head_of(before.output, 0, h));
        CHECK(difference(head_of(after.output, 1, h), head_of(before.output, 1, h)) != "");
    }
}

TEST_CASE("keys behind a cache, one query at a time, give the rows of the whole causal run") {
    Tensors<double> const whole = {scattered_tensor({1, 2, 5, 3}, 61), scattered_tensor({1, 2, 5, 3}, 62),
                                   scattered_tensor({1, 2, 5, 4}, 63)};
    MultiHeadOptions<double> options;
    options.is_causal = true;
    MultiHeadAttention<double> const expected = attend(whole, options);
    for (std::size_t step = 0; step < 5; ++step) {
        Tensors<double> one = whole;
        one.query = make_tensor<double>({1, 2, 1, 3});
        for (std::size_t h = 0; h < 2; ++h) {
            for (std::size_t c = 0; c < 3; ++c) {
                one.query(0, h, 0, c) = whole.query(0, h, step, c);
            }
        }
        options.query_offset = static_cast<std::ptrdiff_t>(step);
        MultiHeadAttention<double> const found = attend(one, options);
        for (std::size_t h = 0; h < 2; ++h) {
            require_equal(head_of(found.output, 0, h), only_row(head_of(expected.output, 0, h), step));
        }
    }
}

TEST_CASE("a mask of any rank is read from its last axis backwards, and repeated along the axes that it lacks") {
    Tensors<double> const tensors = rank_4();
    for (Shape const& shape :
         {Shape{5}, Shape{1}, Shape{3, 5}, Shape{3, 1}, Shape{1, 5}, Shape{4, 3, 5}, Shape{4, 1, 1}, Shape{1, 3, 5},
          Shape{2, 4, 3, 5}, Shape{2, 1, 1, 5}, Shape{1, 4, 3, 1}, Shape{2, 1, 3, 5}, Shape{1, 1, 1, 1}}) {
        Tensor<double> const mask = scattered_tensor(shape, 71);
        CAPTURE(shape);
        Tensor<double> full = make_tensor<double>({2, 4, 3, 5});
        Tensor<std::uint8_t> shown = make_tensor<std::uint8_t>({2, 4, 3, 5});
        Tensor<std::uint8_t> boolean = make_tensor<std::uint8_t>(shape);
        std::transform(mask.begin(), mask.end(), boolean.begin(), [](double entry) { return entry > -0.5 ? 1 : 0; });
        for (std::size_t b = 0; b < 2; ++b) {
            for (std::size_t h = 0; h < 4; ++h) {
                for (std::size_t i = 0; i < 3; ++i) {
                    for (std::size_t j = 0; j < 5; ++j) {
                        Shape const place = {b, h, i, j};
                        std::size_t at = 0;
                        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                            std::size_t const index = place[4 - shape.size() + axis];
                            at = at * shape[axis] + (shape[axis] == 1 ? 0 : index);
                        }
                        full(b, h, i, j) = mask.data()[at];
                        shown(b, h, i, j) = boolean.data()[at];
                    }
                }
            }
        }
        MultiHeadOptions<double> options;
        options.mask = mask;
        MultiHeadOptions<double> expected;
        expected.mask = full;
        require_same(attend(tensors, options), attend(tensors, expected));
        options.mask = boolean;
        expected.mask = shown;
        require_same(attend(tensors, options), attend(tensors, expected));
    }
}

TEST_CASE("scale 0 spreads evenly over what is visible, and is not taken for a missing one") {
    Tensors<double> const tensors = rank_4();
    MultiHeadOptions<double> options;
    options.scale = 0;
    options.is_causal = true;
    options.query_offset = std::ptrdiff_t(1);
    MultiHeadAttention<double> const result = attend(tensors, options);
    require_close(head_of(result.weights.value(), 1, 3),
                  Matrix<double>{{0.5, 0.5, 0, 0, 0}, {1 / 3., 1 / 3., 1 / 3., 0, 0}, {0.25, 0.25, 0.25, 0.25, 0}}, 0,
                  1e-15);
    options.scale = std::nullopt;
    MultiHeadAttention<double> const by_default = attend(tensors, options);
    options.scale = 1 / std::sqrt(6.0); // of one head's d_k, not of the width of all
    require_same(attend(tensors, options), by_default);
}

TEST_CASE("one query and one key: weight 1 and the value itself, in every rank") {
    std::vector<double> const value = {2, 5, -1};
    for (std::size_t rank = 2; rank <= 4; ++rank) {
        Shape const ones(rank, 1);
        Shape shape = ones;
        shape.back() = 3;
        Tensor<double> const query = tensor_of<double>(ones, {0.7});
        Tensor<double> const key = tensor_of<double>(ones, {-3});
        Tensor<double> const expected = tensor_of(shape, value);
        MultiHeadAttention<double> const result = attend<double>({query, key, expected});
        require_same(result.output, expected);
        require_equal(as_rows(result.weights.value()), Matrix<double>{{1}});
        require_same(attend<double>({query, key, expected}, {}, {}).output, expected);
    }
}

TEST_CASE("scores far apart, large or all negative give the weights that they should, with stages and without") {
    Tensor<double> const query = tensor_of<double>({1, 4, 1, 1}, {1, 1, 1, 1});
    Tensor<double> const key =
        tensor_of<double>({1, 4, 4, 1}, {7999.99, 8000, 2, 1, -1000, -1001, -1000, -1001, 800, 1, 1, 1, -249.873093,
                                         -424.126709, 378.097443, -292.614532});
    Tensor<double> const value =
        tensor_of<double>({1, 4, 4, 1}, {1, 10, 100, 1000, 1, 10, 100, 1000, 1, 10, 100, 1000, 1, 10, 100, 1000});
    MultiHeadOptions<double> options;
    options.scale = 1;
    double const near = 0.7310585786300049 / 2;
    double const far = 0.2689414213699951 / 2;
    Matrix<double> const weights = {
        {0.4975000208331250, 0.5024999791668750, 0, 0}, {near, far, near, far}, {1, 0, 0, 0}, {0, 0, 1, 0}};
    Matrix<double> const output = {{0.4975000208331250 + 5.024999791668750}, {101 * near + 1010 * far}, {1}, {100}};
    MultiHeadAttention<double> const result = attend<double>({query, key, value}, options);
    require_close(as_rows(result.weights.value()), weights, 1e-12);
    require_close(as_rows(result.output), output, 0, 1e-12);
    require_close(as_rows(attend<double>({query, key, value}, options, {}).output), output, 0, 1e-12);
}

TEST_CASE("a mask of 1 lets a query look in one batch, and inside out in another it gives other weights") {
    Tensor<double> query = make_tensor<double>({2, 1, 2, 2});
    Tensor<double> key = make_tensor<double>({2, 1, 2, 2});
    Tensor<std::uint8_t> mask = make_tensor<std::uint8_t>({2, 1, 2, 2});
    for (std::size_t b = 0; b < 2; ++b) {
        query(b, 0, 0, 0) = query(b, 0, 1, 1) = 1; // so that the scores are the key's columns
        key(b, 0, 0, 0) = key(b, 0, 0, 1) = 1;
        key(b, 0, 1, 0) = 5;
        key(b, 0, 1, 1) = 2;
        mask(b, 0, 0, 0) = mask(b, 0, 1, 0) = mask(b, 0, 1, 1) = b == 0 ? 1 : 0;
        mask(b, 0, 0, 1) = b == 0 ? 0 : 1;
    }
    MultiHeadOptions<double> options;
    options.scale = 1;
    options.mask = mask;
    require_close(as_rows(attend<double>({query, key, key}, options).weights.value()),
                  Matrix<double>{{1, 0}, {0.2689414213699951, 0.7310585786300049}, {0, 1}, {0, 0}}, 0, 1e-15);
}

TEMPLATE_TEST_CASE("a query that sees no key has weights and output of exactly 0, with stages and without", "", float,
                   double) {
    using T = TestType;
    Tensors<T> const tensors = rank_4<T>();
    Tensor<std::uint8_t> boolean = make_tensor<std::uint8_t>({2, 4, 3, 5});
    boolean.fill(1);
    Tensor<T> additive = make_tensor<T>({2, 4, 3, 5});
    Tensor<T> lowest = additive;
    for (std::size_t j = 0; j < 5; ++j) {
        boolean(1, 2, 1, j) = 0;
        additive(1, 2, 1, j) = T(-1e9);
        lowest(1, 2, 1, j) = std::numeric_limits<T>::lowest();
    }
    MultiHeadOptions<T> by_boolean;
    by_boolean.mask = boolean;
    MultiHeadOptions<T> by_addition;
    by_addition.mask = additive;
    MultiHeadOptions<T> by_lowest;
    by_lowest.mask = lowest;
    for (MultiHeadOptions<T> const& options : {by_boolean, by_addition, by_lowest}) {
        for (KeptStages const& keep : {all_stages, KeptStages{}}) {
            MultiHeadAttention<T> const result = attend(tensors, options, keep);
            require_equal(only_row(head_of(result.output, 1, 2), 1), make_matrix<T>(1, 7));
            CHECK(all_finite(as_rows(result.output)));
            if (result.weights) {
                require_equal(only_row(head_of(*result.weights, 1, 2), 1), make_matrix<T>(1, 5));
            }
        }
    }
    MultiHeadOptions<T> padded;
    padded.key_lengths = {0, 3};
    Tensor<T> const output = attend(tensors, padded, {}).output;
    for (std::size_t h = 0; h < 4; ++h) {
        require_equal(head_of(output, 0, h), make_matrix<T>(3, 7));
        CHECK(difference(head_of(output, 1, h), make_matrix<T>(3, 7)) != "");
    }
}

TEMPLATE_TEST_CASE("what hidden keys, their values and blind queries hold never reaches a result", "", float, double) {
    using T = TestType;
    Tensors<T> const clean = rank_4<T>();
    auto const [boolean, additive] = hiding_masks<T>();
    MultiHeadOptions<T> by_boolean;
    by_boolean.mask = boolean;
    MultiHeadOptions<T> by_addition;
    by_addition.mask = additive;
    for (MultiHeadOptions<T> options : {by_boolean, by_addition}) {
        options.key_lengths = {4, 5};
        for (KeptStages const& keep : {all_stages, KeptStages{}}) {
            MultiHeadAttention<T> const expected = attend(clean, options, keep);
            for (double const poison : {not_a_number, infinity, -infinity}) {
                Tensors<T> poisoned = clean;
                for (std::size_t h = 0; h < 4; ++h) {
                    poisoned.key(1, h, 2, 3) = static_cast<T>(poison);
                    poisoned.value(1, h, 2, 0) = static_cast<T>(poison);
                    poisoned.query(0, h, 1, 4) = static_cast<T>(poison);
                    poisoned.key(0, h, 4, 0) = static_cast<T>(poison);
                    poisoned.value(0, h, 4, 6) = static_cast<T>(poison);
                }
                MultiHeadAttention<T> const found = attend(poisoned, options, keep);
                require_same(found.output, expected.output);
                if (keep.weights) {
                    require_same(found.masked.value(), expected.masked.value());
                    require_same(found.weights.value(), expected.weights.value());
                }
            }
        }
    }
}

TEST_CASE("no stage that nobody asked for is held whole") {
    std::size_t const tokens = 512;
    Tensors<float> const tensors = {scattered_tensor<float>({1, 1, tokens, 2}, 81),
                                    scattered_tensor<float>({1, 1, tokens, 2}, 82),
                                    scattered_tensor<float>({1, 1, tokens, 3}, 83)};
    std::size_t const stage = tokens * tokens; // a byte for each query and key
    largest_allocation = 0;
    attend(tensors, {}, {});
    CHECK(largest_allocation < stage / 8);
    largest_allocation = 0;
    attend(tensors, {}, KeptStages{false, false, false, true});
    CHECK(largest_allocation == stage * sizeof(float));
}

TEST_CASE("stages that many rows fill are the same as those of a few rows at a time") {
    std::size_t const tokens = 300;
    Matrix<float> const query = scattered<float>(tokens, 2, 84);
    Matrix<float> const key = scattered<float>(tokens + 1, 2, 85);
    Matrix<float> const value = scattered<float>(tokens + 1, 3, 86);
    MultiHeadAttention<float> const result = multi_head_attention<float>(query, key, value, {}, all_stages);
    Attention<float> const expected = scaled_dot_product_attention(query, key, value);
    require_equal(as_rows(result.scores.value()), expected.scores);
    require_equal(as_rows(result.weights.value()), expected.weights);
    require_equal(as_rows(result.output), expected.output);
}
