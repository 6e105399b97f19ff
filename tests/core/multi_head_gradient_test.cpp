#include "multi_head_gradient.hpp"

#include "allocations.hpp"
#include "differences.hpp"
#include "gradient.hpp"
#include "multi_head_testing.hpp"

using namespace attention;
using namespace testing;

namespace {

using testing::require_same;

template <class T> struct Call {
    Tensors<T> tensors;
    Tensor<T> output_gradient;
    MultiHeadOptions<T> options;
};

template <class T> MultiHeadGradients<T> gradients_of(Call<T> const& call) {
    return multi_head_gradients<T>(call.tensors.query, call.tensors.key, call.tensors.value, call.output_gradient,
                                   call.options);
}

/// Two batches of four heads, three queries and five keys.
template <class T = double> Call<T> rank_4_call() {
    return {rank_4<T>(), scattered_tensor<T>({2, 4, 3, 7}, 55), {}};
}

/// The same with heads of key and value that two heads of query share.
template <class T = double> Call<T> grouped_call() {
    Call<T> call = rank_4_call<T>();
    call.tensors.key = with_heads(call.tensors.key, {2, 0});
    call.tensors.value = with_heads(call.tensors.value, {2, 0});
    return call;
}

/// The same with its heads side by side.
Call<double> packed(Call<double> const& call) {
    Call<double> result = {
        {side_by_side(call.tensors.query), side_by_side(call.tensors.key), side_by_side(call.tensors.value)},
        side_by_side(call.output_gradient),
        call.options};
    result.options.heads = call.tensors.query.shape(1);
    return result;
}

template <class T> void require_same(MultiHeadGradients<T> const& actual, MultiHeadGradients<T> const& expected) {
    require_same(actual.query, expected.query);
    require_same(actual.key, expected.key);
    require_same(actual.value, expected.value);
    require_same(actual.scores, expected.scores);
}

/// Compares every case of the reference, computed in T.
template <class T> void require_reference_within(double tolerance) {
    nlohmann::json const calls = read_reference("multi_head_reference.json");
    nlohmann::json const reference = read_reference("multi_head_gradient_reference.json");
    std::size_t cases = 0;
    for (nlohmann::json const& expected : reference.at("cases")) {
        for (nlohmann::json const& each : calls.at("cases")) {
            if (each.at("name") != expected.at("name")) {
                continue;
            }
            ++cases;
            CAPTURE(each.at("name").get<std::string>());
            ReferenceCall<T> const call(calls.at("tensors"), each);
            nlohmann::json const& of_output =
                reference.at("outputGradients").at(expected.at("outputGradient").get<std::string>());
            MultiHeadGradients<T> const found =
                gradients_of<T>({call.tensors, tensor_from<T>(of_output), call.options});
            nlohmann::json const& gradients = expected.at("gradients");
            CHECK(largest_error(found.query, tensor_from<double>(gradients.at("query"))) <= tolerance);
            CHECK(largest_error(found.key, tensor_from<double>(gradients.at("key"))) <= tolerance);
            CHECK(largest_error(found.value, tensor_from<double>(gradients.at("value"))) <= tolerance);
            CHECK(largest_error(found.scores, tensor_from<double>(gradients.at("scores"))) <= tolerance);
        }
    }
    REQUIRE(cases == 34);
}

void require_differences_agree(Call<double> call) {
    MultiHeadGradients<double> const gradients = gradients_of(call);
    Tensors<double>& tensors = call.tensors;
    auto const loss_now = [&] { return loss(attend(tensors, call.options, {}).output, call.output_gradient); };
    CHECK(largest_error(gradients.query, differences(tensors.query, loss_now)) <= difference_tolerance);
    CHECK(largest_error(gradients.key, differences(tensors.key, loss_now)) <= difference_tolerance);
    CHECK(largest_error(gradients.value, differences(tensors.value, loss_now)) <= difference_tolerance);
}

} // namespace

TEST_CASE("float64 gradients of every rank, mask and option agree with automatic differentiation within 1e-10") {
    require_reference_within<double>(1e-10);
}

TEST_CASE("float32 gradients of every rank, mask and option agree with automatic differentiation within 1e-5") {
    require_reference_within<float>(1e-5);
}

TEST_CASE("gradients over batches and heads agree with central differences") {
    Tensor<std::uint8_t> const boolean = tensor_of<std::uint8_t>({4, 3, 1}, {1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1});
    Tensor<double> const additive = scattered_tensor({2, 1, 3, 5}, 56);
    std::vector<MultiHeadOptions<double>> all(6);
    all[1].softcap = 0.75;
    all[1].scale = -1.25;
    all[2].mask = boolean;
    all[3].mask = additive;
    all[3].softcap = 2;
    all[4].is_causal = true;
    all[4].query_offset = Offsets{2, -1};
    all[4].key_lengths = {4, 5};
    all[5].left_window = 1;
    all[5].right_window = 2;
    all[5].scale = 1;
    for (MultiHeadOptions<double> const& options : all) {
        for (Call<double> call : {rank_4_call(), grouped_call()}) {
            call.options = options;
            require_differences_agree(call);
            require_differences_agree(packed(call));
        }
    }
}

TEST_CASE("gradients of rank 2 agree with central differences") {
    Call<double> call = {{scattered_tensor({4, 2}, 31), scattered_tensor({6, 2}, 32), scattered_tensor({6, 3}, 33)},
                         scattered_tensor({4, 3}, 34),
                         {}};
    require_differences_agree(call);
    Tensor<double> const mask = scattered_tensor({6}, 35);
    call.options.mask = mask;
    call.options.softcap = 1.5;
    call.options.is_causal = true;
    call.options.query_offset = std::ptrdiff_t(1);
    require_differences_agree(call);
}

TEST_CASE("gradients of two heads side by side can be checked by hand") {
    // Head 0: scores 0 and ln 3 give weights 1/4 and 3/4. With values 0 and 8 and G = 1: dA = (0, 8), its mean under
    // the weights is 6, so ds = (1/4 (0 - 6), 3/4 (8 - 6)) = (-3/2, 3/2). Head 1 sees zeros alone: weights 1/2 and 1/2,
    // dA = (4, 12) with mean 8, ds = (-2, 2).
    double const three = std::log(3.0);
    Call<double> call = {
        {Tensor<double>{{{1, 0}}}, Tensor<double>{{{0, 5}, {three, 7}}}, Tensor<double>{{{0, 2}, {8, 6}}}},
        Tensor<double>{{{1, 2}}},
        {}};
    call.options.heads = 2;
    MultiHeadGradients<double> const gradients = gradients_of(call);
    REQUIRE(gradients.scores.dimension() == 4);
    require_close(as_rows(gradients.scores), Matrix<double>{{-1.5, 1.5}, {-2, 2}}, 0, 1e-15);
    require_close(as_rows(gradients.query), Matrix<double>{{1.5 * three, 4}}, 0, 1e-15);
    require_close(as_rows(gradients.key), Matrix<double>{{-1.5, 0}, {1.5, 0}}, 0, 1e-15);
    require_close(as_rows(gradients.value), Matrix<double>{{0.25, 1}, {0.75, 1}}, 0, 1e-15);
}

TEMPLATE_TEST_CASE("the gradients of each head of each batch are those of its own matrices, bit for bit", "", float,
                   double) {
    using T = TestType;
    Call<T> call = rank_4_call<T>();
    Tensor<T> const mask = scattered_tensor<T>({2, 4, 3, 5}, 54);
    call.options.softcap = 2;
    call.options.is_causal = true;
    call.options.query_offset = Offsets{1, 2};
    call.options.left_window = 2;
    call.options.key_lengths = {5, 4};
    call.options.mask = mask;
    MultiHeadGradients<T> const whole = gradients_of(call);
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t h = 0; h < 4; ++h) {
            AttentionOptions<T> one;
            one.softcap = 2;
            one.rule = {true, static_cast<std::ptrdiff_t>(b + 1), 2, -1, b == 0 ? 5 : 4};
            one.mask = head_of(mask, b, h);
            AttentionGradients<T> const expected =
                attention_gradients(head_of(call.tensors.query, b, h), head_of(call.tensors.key, b, h),
                                    head_of(call.tensors.value, b, h), head_of(call.output_gradient, b, h), one);
            require_equal(head_of(whole.query, b, h), expected.query);
            require_equal(head_of(whole.key, b, h), expected.key);
            require_equal(head_of(whole.value, b, h), expected.value);
            require_equal(head_of(whole.scores, b, h), expected.scores);
        }
    }
}

TEST_CASE("heads side by side get the gradients of heads apart, bit for bit") {
    for (Call<double> const& call : {rank_4_call(), grouped_call()}) {
        MultiHeadGradients<double> expected = gradients_of(call);
        expected.query = side_by_side(expected.query);
        expected.key = side_by_side(expected.key);
        expected.value = side_by_side(expected.value);
        require_same(gradients_of(packed(call)), expected);
    }
}

TEST_CASE("a head of key and value that several heads share gets the sum of what reaches it through each") {
    Call<double> const grouped = grouped_call();
    Call<double> repeated = grouped;
    repeated.tensors.key = with_heads(grouped.tensors.key, {0, 0, 1, 1});
    repeated.tensors.value = with_heads(grouped.tensors.value, {0, 0, 1, 1});
    MultiHeadGradients<double> const found = gradients_of(grouped);
    MultiHeadGradients<double> const each = gradients_of(repeated);
    require_same(found.query, each.query);
    require_same(found.scores, each.scores);
    auto const sum_of_pairs = [](Tensor<double> const& tensor) {
        Tensor<double> sum = with_heads(tensor, {0, 2});
        Tensor<double> const others = with_heads(tensor, {1, 3});
        for (std::size_t entry = 0; entry < sum.size(); ++entry) {
            sum.data()[entry] += others.data()[entry];
        }
        return sum;
    };
    require_same(found.key, sum_of_pairs(each.key));
    require_same(found.value, sum_of_pairs(each.value));
}

TEST_CASE("with scale 0 the value alone has gradients") {
    Call<double> call = rank_4_call();
    call.options.scale = 0;
    MultiHeadGradients<double> const gradients = gradients_of(call);
    require_same(gradients.query, make_tensor<double>({2, 4, 3, 6}));
    require_same(gradients.key, make_tensor<double>({2, 4, 5, 6}));
    Tensor<double> const& G = call.output_gradient;
    CHECK(is_close(gradients.value(1, 2, 4, 6), (G(1, 2, 0, 6) + G(1, 2, 1, 6) + G(1, 2, 2, 6)) / 5, 1e-15, 0));
    CHECK(gradients.scores(1, 2, 0, 4) != 0);
}

TEMPLATE_TEST_CASE("hidden keys and blind queries get gradients of exactly 0 and pass nothing on, whatever they hold",
                   "", float, double) {
    using T = TestType;
    auto const [boolean, additive] = hiding_masks<T>();
    for (bool const is_boolean : {true, false}) {
        Call<T> clean = grouped_call<T>();
        clean.options.key_lengths = {4, 5};
        clean.options.softcap = is_boolean ? T(0) : T(2);
        if (is_boolean) {
            clean.options.mask = boolean;
        } else {
            clean.options.mask = additive;
        }
        MultiHeadGradients<T> const expected = gradients_of(clean);
        for (double const poison : {not_a_number, infinity, -infinity}) {
            Call<T> poisoned = clean;
            auto const hidden = static_cast<T>(poison);
            for (std::size_t h = 0; h < 4; ++h) {
                poisoned.tensors.query(0, h, 1, 4) = hidden;
                poisoned.output_gradient(0, h, 1, 6) = hidden;
            }
            for (std::size_t h = 0; h < 2; ++h) {
                poisoned.tensors.key(1, h, 2, 3) = poisoned.tensors.key(0, h, 4, 0) = hidden;
                poisoned.tensors.value(1, h, 2, 0) = poisoned.tensors.value(0, h, 4, 6) = hidden;
            }
            MultiHeadGradients<T> const found = gradients_of(poisoned);
            require_same(found, expected);
            for (std::size_t h = 0; h < 4; ++h) {
                require_equal(only_row(head_of(found.query, 0, h), 1), make_matrix<T>(1, 6));
                require_equal(only_row(head_of(found.scores, 0, h), 1), make_matrix<T>(1, 5));
                CHECK(found.scores(1, h, 0, 2) == 0);
                CHECK(found.scores(1, h, 0, 3) != 0);
            }
            for (std::size_t h = 0; h < 2; ++h) {
                require_equal(only_row(head_of(found.key, 1, h), 2), make_matrix<T>(1, 6));
                require_equal(only_row(head_of(found.value, 0, h), 4), make_matrix<T>(1, 7));
            }
        }
    }
}

TEST_CASE(
    "gradients of many queries, some at a time, are those of all at once, and no table but theirs is held whole") {
    std::size_t const tokens = 300;
    Matrix<double> const query = scattered(tokens, 2, 84);
    Matrix<double> const key = scattered(tokens + 1, 2, 85);
    Matrix<double> const value = scattered(tokens + 1, 3, 86);
    Matrix<double> const output_gradient = scattered(tokens, 3, 87);
    AttentionGradients<double> const expected = attention_gradients(query, key, value, output_gradient);
    largest_allocation = 0;
    MultiHeadGradients<double> const found = multi_head_gradients<double>(query, key, value, output_gradient);
    CHECK(largest_allocation == tokens * (tokens + 1) * sizeof(double));
    require_equal(as_rows(found.query), expected.query);
    require_equal(as_rows(found.scores), expected.scores);
    CHECK(largest_error(as_rows(found.key), expected.key) <= 1e-14);
    CHECK(largest_error(as_rows(found.value), expected.value) <= 1e-14);

    Tensor<double> places = make_tensor<double>({2 * (2 * tokens + 1) + 3 * (tokens + 1) + tokens * (tokens + 1)});
    double* const key_place = places.data() + query.size();
    double* const value_place = key_place + key.size();
    largest_allocation = 0;
    CHECK(!differentiate_heads<double>(query, key, value, output_gradient, {},
                                       {places.data(), key_place, value_place, value_place + value.size()}));
    CHECK(largest_allocation <= std::size_t(1) << 16);
}

TEST_CASE("gradients over batches and heads that cannot be are refused in one sentence") {
    auto const sentence = [](auto const& change) {
        Call<double> call = rank_4_call();
        change(call);
        Tensors<double> const& tensors = call.tensors;
        std::string const found = sentence_of(
            find_problem<double>(tensors.query, tensors.key, tensors.value, call.output_gradient, call.options));
        CHECK(thrown_by([&] { gradients_of(call); }) == found);
        return found;
    };
    CHECK(sentence([](auto&) {}) == "");
    CHECK(sentence([](auto& call) {
              call.output_gradient = make_tensor<double>({2, 4, 3, 6});
          }) == "output_gradient has shape (2, 4, 3, 6), but the output has shape (2, 4, 3, 7)");
    CHECK(sentence([](auto& call) {
              call.output_gradient = make_tensor<double>({2, 3, 28});
          }) == "output_gradient has shape (2, 3, 28), but the output has shape (2, 4, 3, 7)");
    CHECK(sentence([](auto& call) {
              call = packed(call);
              call.output_gradient = make_tensor<double>({2, 3, 7});
          }) == "output_gradient has shape (2, 3, 7), but the output has shape (2, 3, 28)");
    CHECK(sentence([](auto& call) { call.output_gradient(1, 3, 2, 0) = not_a_number; }) ==
          "output_gradient is NaN at (1, 3, 2, 0), but it must be finite");
    CHECK(sentence([](auto& call) {
              call.output_gradient(0, 1, 2, 5) = -infinity;
              call = packed(call);
          }) == "output_gradient is -infinity at (0, 2, 12), but it must be finite");
    CHECK(sentence([](auto& call) { call.tensors.value(1, 0, 3, 2) = infinity; }) ==
          "value is infinity at (1, 0, 3, 2), but what a query sees must be finite");
    CHECK(sentence([](auto& call) { call.options.left_window = -2; }) ==
          "left_window is -2, but must be -1 (no limit), 0 or more");
}

TEST_CASE("what overflows on the way to gradients is named with its place") {
    Call<double> call = rank_4_call();
    call.tensors.query(1, 2, 1, 0) = call.tensors.key(1, 2, 3, 0) = 1e200;
    CHECK(thrown_by([&] { gradients_of(call); }) ==
          "scores overflow to infinity at (1, 2, 1, 3), but a visible score must be finite");
    call = rank_4_call();
    call.options.is_causal = true; // the first query sees one key alone
    call.output_gradient(0, 3, 0, 2) = 1e300;
    call.tensors.value(0, 3, 0, 2) = 1e300;
    CHECK(thrown_by([&] { gradients_of(call); }) ==
          "the gradient of scores overflows to NaN at (0, 3, 0, 0), but it must be finite");
    call = rank_4_call();
    call.options.key_lengths = {5, 1}; // in the second batch all three queries give the first key a weight of 1
    call.tensors.value(1, 1, 0, 4) = 0;
    call.output_gradient(1, 1, 0, 4) = call.output_gradient(1, 1, 2, 4) = 1e308;
    CHECK(thrown_by([&] { gradients_of(call); }) ==
          "the gradient of value overflows to infinity at (1, 1, 0, 4), but it must be finite");
}
