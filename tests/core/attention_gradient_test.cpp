#include "attention_gradient.hpp"

#include <functional>

#include "differences.hpp"
#include "references.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

template <class T = double> struct Call {
    Matrix<T> query;
    Matrix<T> key;
    Matrix<T> value;
    Matrix<T> output_gradient;
    AttentionOptions<T> options;
};

template <class T> AttentionGradients<T> gradients_of(Call<T> const& call) {
    return attention_gradients(call.query, call.key, call.value, call.output_gradient, call.options);
}

/// Asymmetric and rectangular: no two of n_query, n_key, d_k, d_v are alike.
template <class T = double> Call<T> rectangular() {
    return {scattered<T>(4, 2, 31), scattered<T>(6, 2, 32), scattered<T>(6, 3, 33), scattered<T>(4, 3, 34), {}};
}

void require_differences_agree(Call<double> call) {
    AttentionGradients<double> const gradients = gradients_of(call);
    auto const loss_now = [&] {
        return loss(scaled_dot_product_attention(call.query, call.key, call.value, call.options).output,
                    call.output_gradient);
    };
    CHECK(largest_error(gradients.query, differences(call.query, loss_now)) <= difference_tolerance);
    CHECK(largest_error(gradients.key, differences(call.key, loss_now)) <= difference_tolerance);
    CHECK(largest_error(gradients.value, differences(call.value, loss_now)) <= difference_tolerance);
}

template <class T> Matrix<T> leading(nlohmann::json const& matrix, std::size_t rows, std::size_t columns) {
    return leading_block<T>(matrix_from(matrix), rows, columns);
}

template <class T> AttentionOptions<T> options_from(nlohmann::json const& json) {
    AttentionOptions<T> options;
    if (json.contains("scale")) {
        options.scale = json.at("scale").get<T>();
    }
    options.softcap = json.value("softcap", T(0));
    options.rule.is_causal = json.value("is_causal", false);
    options.rule.query_offset = json.value("query_offset", 0);
    options.rule.left_window = json.value("left_window", -1);
    options.rule.right_window = json.value("right_window", -1);
    if (json.contains("key_length")) {
        options.rule.key_length = json.at("key_length").get<std::size_t>();
    }
    if (json.contains("boolean_mask")) {
        Matrix<double> const mask = matrix_from(json.at("boolean_mask"));
        options.mask = leading_block<std::uint8_t>(mask, mask.shape(0), mask.shape(1));
    }
    if (json.contains("additive_mask")) {
        Matrix<double> const mask = matrix_from(json.at("additive_mask"));
        options.mask = leading_block<T>(mask, mask.shape(0), mask.shape(1));
    }
    return options;
}

template <class T> void for_each_reference_call(std::function<void(Call<T> const&, nlohmann::json const&)> const& use) {
    nlohmann::json const reference = read_reference("gradient_reference.json");
    std::size_t cases = 0;
    for (nlohmann::json const& each : reference.at("attention")) {
        std::string const name = each.at("name");
        CAPTURE(name);
        std::size_t const n_query = each.at("n_query");
        std::size_t const n_key = each.at("n_key");
        std::size_t const d_k = each.at("d_k");
        std::size_t const d_v = each.at("d_v");
        use({leading<T>(reference.at("Q"), n_query, d_k), leading<T>(reference.at("K"), n_key, d_k),
             leading<T>(reference.at("V"), n_key, d_v), leading<T>(reference.at("G"), n_query, d_v),
             options_from<T>(each)},
            each.at("gradients"));
        ++cases;
    }
    REQUIRE(cases == 16);
}

template <class T> void require_reference_within(double tolerance) {
    for_each_reference_call<T>([&](Call<T> const& call, nlohmann::json const& expected) {
        AttentionGradients<T> const gradients = gradients_of(call);
        CHECK(largest_error(gradients.query, matrix_from(expected.at("query"))) <= tolerance);
        CHECK(largest_error(gradients.key, matrix_from(expected.at("key"))) <= tolerance);
        CHECK(largest_error(gradients.value, matrix_from(expected.at("value"))) <= tolerance);
        CHECK(largest_error(gradients.scores, matrix_from(expected.at("scores"))) <= tolerance);
    });
}

} // namespace

TEST_CASE("gradients can be checked by hand") {
    // Scores 0 and ln 3 give weights 1/4 and 3/4. With values 0 and 8 and G = 1: dA = (0, 8), its mean under the
    // weights is 6, so ds = (1/4 (0 - 6), 3/4 (8 - 6)) = (-3/2, 3/2). Then dq = 2 (ds_0 k_0 + ds_1 k_1), dk_j = 2 ds_j
    // q.
    AttentionOptions<double> options;
    options.scale = 2;
    double const half_log = std::log(3.0) / 2;
    AttentionGradients<double> const gradients = attention_gradients<double>(
        {{1, -1}}, {{1, 1}, {half_log, 0}}, Matrix<double>{{0}, {8}}, Matrix<double>{{1}}, options);
    require_close(gradients.scores, Matrix<double>{{-1.5, 1.5}}, 0, 1e-15);
    require_close(gradients.query, Matrix<double>{{3 * half_log - 3, -3}}, 0, 1e-15);
    require_close(gradients.key, Matrix<double>{{-3, 3}, {3, -3}}, 0, 1e-15);
    require_close(gradients.value, Matrix<double>{{0.25}, {0.75}}, 0, 1e-15);
}

TEST_CASE("float64 gradients agree with automatic differentiation within 1e-12 of the largest") {
    require_reference_within<double>(1e-12);
}

TEST_CASE("float32 gradients agree with automatic differentiation within 1e-5 of the largest") {
    require_reference_within<float>(1e-5);
}

TEST_CASE("gradients agree with central differences, whatever the options") {
    for_each_reference_call<double>(
        [](Call<double> const& call, nlohmann::json const&) { require_differences_agree(call); });
}

TEST_CASE("the gradient of the scores is that of an additive mask") {
    Call<double> call = rectangular();
    call.options.mask = scattered(4, 6, 35);
    auto const loss_now = [&] {
        return loss(scaled_dot_product_attention(call.query, call.key, call.value, call.options).output,
                    call.output_gradient);
    };
    Matrix<double> const expected = differences(std::get<Matrix<double>>(call.options.mask), loss_now);
    CHECK(largest_error(gradients_of(call).scores, expected) <= difference_tolerance);
}

TEST_CASE("a row's score gradients sum to 0, as moving all its scores changes nothing") {
    AttentionGradients<double> const gradients = gradients_of(rectangular());
    for (std::size_t i = 0; i < 4; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 6; ++j) {
            sum += gradients.scores(i, j);
        }
        CHECK(std::fabs(sum) <= 1e-15);
    }
}

TEMPLATE_TEST_CASE("hidden keys get gradients of exactly 0, and pass nothing on, whatever they hold", "", float,
                   double) {
    auto const nothing = std::numeric_limits<TestType>::quiet_NaN();
    auto const boundless = std::numeric_limits<TestType>::infinity();
    Call<TestType> call = rectangular<TestType>();
    call.options.rule.key_length = 4;
    call.options.softcap = GENERATE(TestType(0), TestType(2));
    AttentionGradients<TestType> const expected = gradients_of(call);
    for (TestType const hidden : {nothing, boundless, -boundless}) {
        for (std::size_t const key : {std::size_t(4), std::size_t(5)}) {
            call.key(key, 0) = call.key(key, 1) = hidden;
            call.value(key, 0) = call.value(key, 2) = hidden;
        }
        AttentionGradients<TestType> const gradients = gradients_of(call);
        require_equal(gradients.query, expected.query);
        require_equal(gradients.key, expected.key);
        require_equal(gradients.value, expected.value);
        require_equal(gradients.scores, expected.scores);
        require_equal(only_row(gradients.key, 5), make_matrix<TestType>(1, 2));
        require_equal(only_row(gradients.value, 4), make_matrix<TestType>(1, 3));
        CHECK(gradients.scores(2, 4) == 0);
    }
}

TEST_CASE("a query that sees no key gets and gives gradients of exactly 0, whatever it holds") {
    Call<double> call = rectangular();
    call.options.mask = Visibility{{1, 1, 0, 1, 0, 1}, {0, 0, 0, 0, 0, 0}, {1, 0, 1, 1, 1, 0}, {0, 1, 1, 0, 1, 1}};
    call.output_gradient(1, 0) = 1000;
    AttentionGradients<double> const expected = gradients_of(call);
    call.query(1, 0) = not_a_number;
    call.query(1, 1) = infinity;
    AttentionGradients<double> const gradients = gradients_of(call);
    require_equal(gradients.query, expected.query);
    require_equal(gradients.key, expected.key);
    require_equal(gradients.value, expected.value);
    require_equal(only_row(gradients.query, 1), make_matrix<double>(1, 2));
    require_equal(only_row(gradients.scores, 1), make_matrix<double>(1, 6));
}

TEST_CASE("where nothing is visible every gradient is 0") {
    Call<double> call = rectangular();
    call.options.rule.key_length = 0;
    AttentionGradients<double> const gradients = gradients_of(call);
    require_equal(gradients.query, make_matrix<double>(4, 2));
    require_equal(gradients.key, make_matrix<double>(6, 2));
    require_equal(gradients.value, make_matrix<double>(6, 3));
    require_equal(gradients.scores, make_matrix<double>(4, 6));
}

TEST_CASE("a saturated row passes on next to nothing, and exactly that") {
    // The second weight is e^-40, far below what 1 can be told apart by.
    Call<double> const call = {{{1}}, {{40}, {0}}, {{1}, {3}}, {{1}}, {}};
    double const weight = std::exp(-40.0);
    require_close(gradients_of(call).scores, Matrix<double>{{-2 * weight, 2 * weight}}, 0, 1e-14);
}

TEST_CASE("scores of plus and minus ten thousand give finite gradients") {
    Call<double> const call = {{{100}, {-100}}, {{100}, {-100}, {99}}, {{1, 2}, {3, 4}, {5, 6}}, {{1, -1}, {2, 1}}, {}};
    AttentionGradients<double> const gradients = gradients_of(call);
    CHECK(all_finite(gradients.query));
    CHECK(all_finite(gradients.key));
    require_close(gradients.value, Matrix<double>{{1, -1}, {2, 1}, {0, 0}}, 1e-15);
}

TEST_CASE("a backward pass that cannot be is refused in one sentence") {
    Call<double> const right = rectangular();
    auto const sentence = [&](auto const& change) {
        Call<double> call = right;
        change(call);
        std::string const found =
            sentence_of(find_problem(call.query, call.key, call.value, call.output_gradient, call.options));
        CHECK(thrown_by([&] { gradients_of(call); }) == found);
        return found;
    };
    CHECK(sentence([](auto&) {}) == "");
    CHECK(sentence([](auto& call) { call.output_gradient = make_matrix<double>(6, 3); }) ==
          "output_gradient has shape (6, 3), but the output has shape (4, 3)");
    CHECK(sentence([](auto& call) { call.output_gradient = make_matrix<double>(4, 2); }) ==
          "output_gradient has shape (4, 2), but the output has shape (4, 3)");
    CHECK(sentence([](auto& call) { call.output_gradient(2, 1) = not_a_number; }) ==
          "output_gradient is NaN at (2, 1), but it must be finite");
    CHECK(sentence([](auto& call) { call.output_gradient(0, 2) = -infinity; }) ==
          "output_gradient is -infinity at (0, 2), but it must be finite");
    CHECK(sentence([](auto& call) { call.key = make_matrix<double>(6, 5); }) ==
          "key has shape (6, 5), but query has d_k = 2");
    CHECK(sentence([](auto& call) { call.value(3, 0) = infinity; }) ==
          "value is infinity at (3, 0), but what a query sees must be finite");
}

TEST_CASE("what overflows on the way is named") {
    Call<double> call = rectangular();
    call.query(1, 0) = call.key(2, 0) = 1e200;
    CHECK_THAT(thrown_by([&] { gradients_of(call); }), Catch::StartsWith("scores overflow to infinity at"));
    call = rectangular();
    call.output_gradient(2, 0) = 1e300;
    call.value(1, 0) = 1e300;
    CHECK_THAT(thrown_by([&] { gradients_of(call); }), Catch::StartsWith("the gradient of scores overflows to "));
}
