#ifndef __wasm__ // what native programs call

#include "engine.hpp"

#include "allocations.hpp"
#include "multi_head_testing.hpp"

using namespace attention;
using namespace testing;

namespace {

/// (batches, heads, tokens, d) as (batches, tokens, heads, d).
template <class T> std::vector<T> tokens_first(Tensor<T> const& tensor) {
    Tensor<T> const packed = side_by_side(tensor);
    return {packed.begin(), packed.end()};
}

std::vector<std::ptrdiff_t> strides_of(std::size_t heads, std::size_t tokens, std::size_t d) {
    auto const from_token_to_token = static_cast<std::ptrdiff_t>(heads * d);
    return {static_cast<std::ptrdiff_t>(tokens) * from_token_to_token, static_cast<std::ptrdiff_t>(d),
            from_token_to_token, 1};
}

} // namespace

TEMPLATE_TEST_CASE("tokens before heads need no copy, forward and back", "", float, double) {
    using T = TestType;
    Tensors<T> const tensors = rank_4<T>();
    Tensor<T> const output_gradient = scattered_tensor<T>({2, 4, 3, 7}, 54);
    std::vector<T> const query = tokens_first(tensors.query);
    std::vector<T> const key = tokens_first(tensors.key);
    std::vector<T> const value = tokens_first(tensors.value);
    std::vector<T> const gradient = tokens_first(output_gradient);
    auto const q = tensor_of(query, {2, 4, 3, 6}, strides_of(4, 3, 6));
    auto const k = tensor_of(key, {2, 4, 5, 6}, strides_of(4, 5, 6));
    auto const v = tensor_of(value, {2, 4, 5, 7}, strides_of(4, 5, 7));
    MultiHeadOptions<T> options;
    options.is_causal = true;
    options.query_offset = 2;
    MultiHeadAttention<T> const expected = attend(tensors, options);
    MultiHeadAttention<T> const found = multi_head_attention(q, k, v, options, all_stages);
    require_same(found.output, expected.output);
    require_same(found.weights.value(), expected.weights.value());
    require_same(multi_head_attention(q, k, v, options).output, attend(tensors, options, {}).output);

    MultiHeadGradients<T> const gradients =
        multi_head_gradients(q, k, v, tensor_of(gradient, {2, 4, 3, 7}, strides_of(4, 3, 7)), options);
    MultiHeadGradients<T> const expected_gradients =
        multi_head_gradients(tensors.query, tensors.key, tensors.value, output_gradient, options);
    require_same(gradients.query, expected_gradients.query);
    require_same(gradients.key, expected_gradients.key);
    require_same(gradients.value, expected_gradients.value);

    std::vector<T> output(2 * 3 * 4 * 7);
    std::vector<std::ptrdiff_t> const output_strides = strides_of(4, 3, 7);
    MultiHeadPlaces<T> places{output.data()};
    places.output_strides = output_strides.data();
    MultiHeadWorkspace<T> workspace;
    REQUIRE_FALSE(attend_heads<T>(q, k, v, options, places, workspace));
    REQUIRE(output == tokens_first(attend(tensors, options, {}).output));
}

TEST_CASE("an additive mask may have strides, and what is wrong in it is found") {
    Tensors<float> const tensors = rank_4<float>();
    Tensor<float> const mask = scattered_tensor<float>({3, 5}, 55);
    std::vector<float> turned(15);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 5; ++j) {
            turned[j * 3 + i] = mask(i, j);
        }
    }
    MultiHeadOptions<float> options;
    options.mask = mask;
    Tensor<float> const expected = attend(tensors, options, {}).output;
    auto const turned_mask = tensor_of(turned, {3, 5}, {1, 3});
    options.mask = turned_mask;
    require_same(attend(tensors, options, {}).output, expected);
    turned[4 * 3 + 2] = std::numeric_limits<float>::infinity();
    CHECK(thrown_by([&] { attend(tensors, options, {}); }).find(" at (2, 4)") != std::string::npos);
}

TEST_CASE("types are deduced, and vectors, tensors and masks of bool are taken as they are") {
    std::vector<float> const query = {1, 0, 0, 1};
    std::vector<float> const key = {1, 0, 0, 2, 1, 1};
    std::vector<float> const value = {1, 2, 4};
    xt::xarray<bool> const mask = {{true, false, true}, {true, true, false}};
    MultiHeadOptions<float> options;
    options.mask = TensorView<std::uint8_t>(mask);
    MultiHeadAttention<float> const found =
        multi_head_attention(tensor_of(query, {2, 2}), tensor_of(key, {3, 2}), tensor_of(value, {3, 1}), options);
    Matrix<std::uint8_t> const bytes = {{1, 0, 1}, {1, 1, 0}};
    options.mask = bytes;
    Matrix<float> const q = {{1, 0}, {0, 1}};
    Matrix<float> const k = {{1, 0}, {0, 2}, {1, 1}};
    Matrix<float> const v = {{1}, {2}, {4}};
    require_same(found.output, multi_head_attention(q, k, v, options).output);
    REQUIRE(found.output(0, 0) == 2.5F);
}

TEST_CASE("numbers that do not fit their shape, and rows that lie in pieces, are refused in one sentence") {
    std::vector<double> const numbers(24);
    CHECK(thrown_by([&] { tensor_of(numbers, {2, 3, 5}); }) == "numbers holds 24, but the shape takes 30");
    CHECK(thrown_by([&] { tensor_of(numbers, {2, 3}, {3}); }) == "strides holds 1 numbers, but the shape has 2 axes");
    CHECK(thrown_by([&] { tensor_of(numbers, {2, 3}, {22, 1}); }) == "numbers holds 24, but the shape takes 25");
    auto const turned = tensor_of(numbers, {4, 6}, {1, 4});
    CHECK(thrown_by([&] { multi_head_attention(turned, turned, turned); }) ==
          "query has a last stride of 4, but must be 1");
}

TEMPLATE_TEST_CASE("heads whose rows lie a power of two apart get the bits that they get one behind the other", "",
                   float, double) {
    using T = TestType;
    Tensors<T> const apart = {scattered_tensor<T>({1, 16, 70, 32}, 61), scattered_tensor<T>({1, 16, 90, 32}, 62),
                              scattered_tensor<T>({1, 16, 90, 32}, 63)};
    MultiHeadOptions<T> options;
    Tensor<T> const expected = attend(apart, options, {}).output;
    options.heads = 16;
    Tensors<T> const packed = {side_by_side(apart.query), side_by_side(apart.key), side_by_side(apart.value)};
    require_same(attend(packed, options, {}).output, side_by_side(expected));
}

TEST_CASE("instruction sets are chosen by name, and decide no bit of stages and gradients") {
    std::vector<std::string> const names = instruction_sets();
    REQUIRE(names.back() == "baseline");
    Tensors<float> const tensors = rank_4<float>();
    Tensor<float> const output_gradient = scattered_tensor<float>({2, 4, 3, 7}, 54);
    MultiHeadAttention<float> const expected = attend(tensors);
    MultiHeadGradients<float> const expected_gradients =
        multi_head_gradients(tensors.query, tensors.key, tensors.value, output_gradient);
    for (std::string const& name : names) {
        CAPTURE(name);
        use_instruction_set(name);
        MultiHeadAttention<float> const found = attend(tensors);
        require_same(found.output, expected.output);
        require_same(found.weights.value(), expected.weights.value());
        require_same(multi_head_gradients(tensors.query, tensors.key, tensors.value, output_gradient).key,
                     expected_gradients.key);
    }
    use_instruction_set(names.front());
    CHECK(thrown_by([] { use_instruction_set("avx1024"); }).find("instruction_set is avx1024, but this machine has ") ==
          0);
}

TEST_CASE("a workspace that is kept makes calls of many heads allocate nothing") {
    Tensors<float> const tensors = rank_4<float>();
    Tensor<float> output = make_tensor<float>({2, 4, 3, 7});
    Tensor<float> const long_key = scattered_tensor<float>({2, 4, 90, 6}, 65);
    Tensor<float> const long_value = scattered_tensor<float>({2, 4, 90, 7}, 66);
    MultiHeadWorkspace<float> workspace;
    auto const attend_both = [&] {
        return !attend_heads<float>(tensors.query, tensors.key, tensors.value, {}, {output.data()}, workspace) &&
               !attend_heads<float>(tensors.query, long_key, long_value, {}, {output.data()}, workspace);
    };
    REQUIRE(attend_both());
    largest_allocation = 0;
    CHECK(attend_both());
    CHECK(largest_allocation == 0);
}

#endif
