#include "multi_head.hpp"

#include "mask.hpp"
#include "multi_head_testing.hpp"

using namespace attention;
using namespace testing;

namespace {

/// The sentence about a call, which is found beforehand and thrown alike.
template <class T> std::string refusal_of(Tensors<T> const& tensors, MultiHeadOptions<T> const& options = {}) {
    std::string const found = sentence_of(find_problem<T>(tensors.query, tensors.key, tensors.value, options));
    CHECK(thrown_by([&] { attend(tensors, options); }) == found);
    return found;
}

} // namespace

TEST_CASE("a visible number that is not finite is refused, with its place in the tensor as it was given") {
    Tensors<double> const clean = rank_4();
    MultiHeadOptions<double> options;
    options.heads = 4;
    for (auto const& [poison, text] :
         {std::pair(not_a_number, "NaN"), {infinity, "infinity"}, {-infinity, "-infinity"}}) {
        std::string const is = std::string(" is ") + text + " at ";
        std::string const end = ", but what a query sees must be finite";
        Tensors<double> tensors = clean;
        tensors.value(1, 3, 4, 6) = poison;
        CHECK(refusal_of(tensors) == "value" + is + "(1, 3, 4, 6)" + end);
        tensors.key(0, 2, 1, 5) = poison;
        CHECK(refusal_of(tensors) == "key" + is + "(0, 2, 1, 5)" + end);
        tensors.query(1, 1, 2, 3) = poison;
        CHECK(refusal_of(tensors) == "query" + is + "(1, 1, 2, 3)" + end);
        CHECK(refusal_of<double>({side_by_side(tensors.query), clean.key, clean.value}).find("rank 3") !=
              std::string::npos);
        CHECK(refusal_of({side_by_side(tensors.query), side_by_side(tensors.key), side_by_side(tensors.value)},
                         options) == "query" + is + "(1, 2, 9)" + end);
    }
}

TEST_CASE("a shared key that one head hides and another sees must be finite") {
    Tensors<double> const tensors = rank_4();
    Tensors<double> grouped = {tensors.query, with_heads(tensors.key, {0, 1}), with_heads(tensors.value, {0, 1})};
    grouped.key(0, 1, 3, 2) = not_a_number;
    Tensor<std::uint8_t> mask = make_tensor<std::uint8_t>({4, 1, 5});
    mask.fill(1);
    MultiHeadOptions<double> options;
    options.mask = mask;
    mask(2, 0, 3) = 0;
    CHECK(refusal_of(grouped, options) == "key is NaN at (0, 1, 3, 2), but what a query sees must be finite");
    mask(3, 0, 3) = 0;
    CHECK(refusal_of(grouped, options) == "");
    CHECK(all_finite(as_rows(attend(grouped, options).output)));
}

TEST_CASE("a visible score that overflows is refused with batch, head, query and key, with stages and without") {
    Tensors<double> tensors = rank_4();
    tensors.query(1, 2, 1, 0) = 1e200;
    tensors.key(1, 2, 3, 0) = 1e200;
    std::string const sentence = "scores overflow to infinity at (1, 2, 1, 3), but a visible score must be finite";
    CHECK(!find_problem<double>(tensors.query, tensors.key, tensors.value, MultiHeadOptions<double>()));
    CHECK(thrown_by([&] { attend(tensors); }) == sentence);
    CHECK(thrown_by([&] { attend(tensors, {}, {}); }) == sentence);

    Matrix<double> const query = head_of(tensors.query, 1, 2);
    Matrix<double> const key = head_of(tensors.key, 1, 2);
    Matrix<double> const value = head_of(tensors.value, 1, 2);
    CHECK(thrown_by([&] { multi_head_attention<double>(query, key, value); }) ==
          "scores overflow to infinity at (1, 3), but a visible score must be finite");

    MultiHeadOptions<double> causal;
    causal.is_causal = true;
    CHECK(all_finite(as_rows(attend(tensors, causal, {}).output)));
}

TEST_CASE("shapes that do not belong together are refused by name, with what was found and expected") {
    auto const refuse = [](Shape const& query, Shape const& key, Shape const& value,
                           MultiHeadOptions<double> const& options = {}) {
        return refusal_of<double>({make_tensor<double>(query), make_tensor<double>(key), make_tensor<double>(value)},
                                  options);
    };
    MultiHeadOptions<double> six;
    six.heads = 6;
    MultiHeadOptions<double> six_and_three = six;
    six_and_three.key_value_heads = 3;

    CHECK(refuse({4}, {4}, {4}) == "query has shape (4), but must have rank 2, 3 or 4");
    CHECK(refuse({1, 2, 3, 4, 5}, {2, 3}, {2, 3}) == "query has shape (1, 2, 3, 4, 5), but must have rank 2, 3 or 4");
    CHECK(refuse({2, 3, 4, 8}, {2, 5, 24}, {2, 5, 24}) == "key has shape (2, 5, 24), but query has rank 4");
    CHECK(refuse({4, 8}, {5, 8}, {1, 5, 8}) == "value has shape (1, 5, 8), but query has rank 2");
    CHECK(refuse({2, 3, 0, 8}, {2, 3, 5, 8}, {2, 3, 5, 8}) ==
          "query has shape (2, 3, 0, 8), but every axis must be at least 1");
    CHECK(refuse({2, 3, 8}, {2, 0, 8}, {2, 0, 8}) == "key has shape (2, 0, 8), but every axis must be at least 1");
    CHECK(refuse({3, 8}, {5, 8}, {5, 0}) == "value has shape (5, 0), but every axis must be at least 1");

    CHECK(refuse({4, 8}, {5, 7}, {5, 6}) == "key has shape (5, 7), but query has d_k = 8");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 7}, {2, 3, 5, 6}) == "key has shape (2, 3, 5, 7), but query has d_k = 8");
    CHECK(refuse({2, 3, 4, 8}, {1, 3, 5, 8}, {2, 3, 5, 6}) == "key has shape (1, 3, 5, 8), but query has 2 batches");
    CHECK(refuse({2, 4, 4, 8}, {2, 3, 5, 8}, {2, 3, 5, 6}) ==
          "key has shape (2, 3, 5, 8), but its 3 heads must divide query's 4");
    CHECK(refuse({2, 3, 4, 8}, {2, 6, 5, 8}, {2, 6, 5, 6}) ==
          "key has shape (2, 6, 5, 8), but its 6 heads must divide query's 3");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 8}, {3, 3, 5, 6}) == "value has shape (3, 3, 5, 6), but key has 2 batches");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 8}, {2, 1, 5, 6}) == "value has shape (2, 1, 5, 6), but key has 3 heads");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 8}, {2, 3, 4, 6}) == "value has shape (2, 3, 4, 6), but key has 5 rows");
    CHECK(refuse({4, 8}, {5, 8}, {6, 8}) == "value has shape (6, 8), but key has 5 rows");

    CHECK(refuse({2, 4, 24}, {2, 5, 23}, {2, 5, 24}) == "key has shape (2, 5, 23), but query has d_k = 24");
    CHECK(refuse({2, 4, 24}, {2, 5, 9}, {2, 5, 12}, six) == "key has shape (2, 5, 9), but query has d_k = 4");
    CHECK(refuse({2, 4, 24}, {2, 5, 3}, {2, 5, 12}, six) == "key has shape (2, 5, 3), but query has d_k = 4");
    CHECK(refuse({2, 4, 24}, {2, 5, 24}, {2, 5, 12}, six_and_three) ==
          "key has shape (2, 5, 24), but query has d_k = 4");
    CHECK(refuse({2, 4, 24}, {2, 5, 12}, {2, 5, 13}, six) == "value has shape (2, 5, 13), but key has 3 heads");
    CHECK(refuse({2, 4, 24}, {2, 5, 16}, {2, 5, 16}, six) ==
          "key has shape (2, 5, 16), but its 4 heads must divide query's 6");
    CHECK(refuse({2, 4, 24}, {2, 5, 12}, {2, 5, 6}, six_and_three).empty());
}

TEST_CASE("heads that the tensors do not have are refused with both numbers") {
    auto const refuse = [](Shape const& query, Shape const& key, std::optional<std::size_t> heads,
                           std::optional<std::size_t> key_value_heads = {}) {
        MultiHeadOptions<double> options;
        options.heads = heads;
        options.key_value_heads = key_value_heads;
        return refusal_of<double>({make_tensor<double>(query), make_tensor<double>(key), make_tensor<double>(key)},
                                  options);
    };
    CHECK(refuse({1, 2, 5}, {1, 2, 5}, 2) == "heads is 2, but must divide query's width 5");
    CHECK(refuse({1, 2, 5}, {1, 2, 5}, 0) == "heads is 0, but must be at least 1");
    CHECK(refuse({1, 2, 6}, {1, 2, 6}, 2, 4) == "key_value_heads is 4, but must divide key's width 6");
    CHECK(refuse({1, 2, 6}, {1, 2, 6}, 2, 0) == "key_value_heads is 0, but must be at least 1");
    CHECK(refuse({1, 3, 2, 6}, {1, 3, 2, 6}, 2) == "heads is 2, but query with shape (1, 3, 2, 6) has 3");
    CHECK(refuse({1, 3, 2, 6}, {1, 3, 2, 6}, 3, 1) == "key_value_heads is 1, but key with shape (1, 3, 2, 6) has 3");
    CHECK(refuse({2, 6}, {2, 6}, 3) == "heads is 3, but query with shape (2, 6) has 1");
    CHECK(refuse({2, 6}, {2, 6}, 1, 1).empty());
    CHECK(refuse({1, 3, 2, 6}, {1, 3, 2, 6}, 3, 3).empty());
    CHECK(refuse({1, 2, 6}, {1, 2, 3}, 2, 1).empty());
}

TEST_CASE("options out of range, and offsets and lengths that are not one for each batch, are refused by name") {
    Tensors<double> const tensors = rank_4();
    auto const refuse = [&tensors](auto const& change) {
        MultiHeadOptions<double> options;
        change(options);
        return refusal_of(tensors, options);
    };
    using Options = MultiHeadOptions<double>;
    CHECK(refuse([](Options& options) { options.scale = infinity; }) == "scale is infinity, but must be finite");
    CHECK(refuse([](Options& options) { options.scale = not_a_number; }) == "scale is NaN, but must be finite");
    CHECK(refuse([](Options& options) { options.softcap = not_a_number; }) ==
          "softcap is NaN, but must be 0 (off) or positive");
    CHECK(refuse([](Options& options) { options.softcap = -2; }) ==
          "softcap is negative, but must be 0 (off) or positive");
    CHECK(refuse([](Options& options) { options.left_window = -2; }) ==
          "left_window is -2, but must be -1 (no limit), 0 or more");
    CHECK(refuse([](Options& options) { options.right_window = -3; }) ==
          "right_window is -3, but must be -1 (no limit), 0 or more");
    CHECK(refuse([](Options& options) {
              options.query_offset = Offsets{1, 2, 3};
          }) == "query_offset holds 3 numbers, but must hold one for each batch, here 2");
    CHECK(refuse([](Options& options) {
              options.query_offset = Offsets{1, farthest_offset + 1};
          }) == "query_offset is 536870913, but must be from -536870912 to 536870912");
    CHECK(refuse([](Options& options) { options.key_lengths = {3}; }) ==
          "key_lengths holds 1 numbers, but must hold one for each batch, here 2");
    CHECK(refuse([](Options& options) { options.key_lengths = Shape{}; }) ==
          "key_lengths holds 0 numbers, but must hold one for each batch, here 2");
    CHECK(refuse([](Options& options) {
              options.key_lengths = {3, 6};
          }) == "key_lengths is 6 for batch 1, but there are 5 keys");
    CHECK(refuse([](Options& options) {
              options.query_offset = Offsets{-farthest_offset, farthest_offset};
              options.is_causal = true;
              options.left_window = 3;
          }).empty());
}

TEST_CASE("a mask that does not broadcast, or is neither finite nor -infinity, is refused") {
    Tensors<double> const tensors = rank_4();
    Tensors<double> const matrices = {scattered_tensor({3, 6}, 1), scattered_tensor({5, 6}, 2),
                                      scattered_tensor({5, 7}, 3)};
    MultiHeadOptions<double> options;
    for (Shape const& shape : {Shape{3}, Shape{5, 3}, Shape{2, 3, 5}, Shape{4, 2, 3, 5}, Shape{2, 4, 3, 2}, Shape{0}}) {
        std::string text;
        for (std::size_t const length : shape) {
            text += (text.empty() ? "" : ", ") + std::to_string(length);
        }
        Tensor<double> const additive = make_tensor<double>(shape);
        Tensor<std::uint8_t> const boolean = make_tensor<std::uint8_t>(shape);
        std::string const start = "mask has shape (" + text + "), but must broadcast to ";
        options.mask = additive;
        CHECK(refusal_of(tensors, options) == start + "(batches, heads, n_query, n_key) = (2, 4, 3, 5)");
        options.mask = boolean;
        CHECK(refusal_of(tensors, options) == start + "(batches, heads, n_query, n_key) = (2, 4, 3, 5)");
        CHECK(refusal_of(matrices, options) == start + "(n_query, n_key) = (3, 5)");
    }
    Tensor<double> const five_axes = make_tensor<double>({1, 1, 1, 1, 1});
    options.mask = five_axes;
    CHECK(refusal_of(tensors, options) == "mask has shape (1, 1, 1, 1, 1), but must have rank 1, 2, 3 or 4");
    Tensor<std::uint8_t> const no_axis = make_tensor<std::uint8_t>({});
    options.mask = no_axis;
    CHECK(refusal_of(tensors, options) == "mask has shape (), but must have rank 1, 2, 3 or 4");

    for (auto const& [wrong, text] : {std::pair(not_a_number, "NaN"), {infinity, "infinity"}}) {
        Tensor<double> mask = scattered_tensor({2, 1, 3, 5}, 4);
        mask(1, 0, 2, 3) = wrong;
        options.mask = mask;
        CHECK(refusal_of(tensors, options) ==
              std::string("mask is ") + text + " at (1, 0, 2, 3), but must be finite, or -infinity to hide");
    }
}
