#include "precision.hpp"

#include "attention_gradient.hpp"
#include "multi_head_gradient.hpp"
#include "multi_head_testing.hpp"

using namespace attention;
using namespace testing;

namespace {

/// One query for many keys, with values that do not cancel.
struct LongCall {
    explicit LongCall(std::size_t n_key)
        : query(scattered<float>(1, 4, 91)), key(scattered<float>(n_key, 4, 92)), value(scattered<float>(n_key, 3, 93)),
          output_gradient(scattered<float>(1, 3, 94)) {
        for (float& entry : value) {
            entry += 1;
        }
    }

    Matrix<float> query;
    Matrix<float> key;
    Matrix<float> value;
    Matrix<float> output_gradient;
};

constexpr double half_a_unit = 0x1p-24;

} // namespace

TEST_CASE("float32 outputs beside stages and gradients are off by one rounding, at 100 000 keys") {
    LongCall const call(100000);
    Matrix<double> const query = widened(call.query);
    Matrix<double> const key = widened(call.key);
    Matrix<double> const value = widened(call.value);
    Matrix<double> const exact = scaled_dot_product_attention(query, key, value).output;
    KeptStages const weights = {false, false, false, true};
    Matrix<float> const beside_weights =
        as_rows(multi_head_attention<float>(call.query, call.key, call.value, {}, weights).output);
    CHECK(largest_error_by_row(beside_weights, exact) <= 1.01 * half_a_unit);
    CHECK(largest_error_by_row(scaled_dot_product_attention(call.query, call.key, call.value).output, exact) <=
          1.01 * half_a_unit);
    // Without stages it is the tiles' tolerance.
    Matrix<float> const alone = as_rows(multi_head_attention<float>(call.query, call.key, call.value).output);
    CHECK(largest_error_by_row(alone, exact) <= 1e-6);

    AttentionGradients<double> const gradients = attention_gradients(query, key, value, widened(call.output_gradient));
    MultiHeadGradients<float> const found =
        multi_head_gradients<float>(call.query, call.key, call.value, call.output_gradient);
    CHECK(largest_error_by_row(as_rows(found.query), gradients.query) <= 1.01 * half_a_unit);
    CHECK(largest_error_by_row(as_rows(found.key), gradients.key) <= 1.01 * half_a_unit);
    CHECK(largest_error_by_row(as_rows(found.value), gradients.value) <= 1.01 * half_a_unit);
}

TEST_CASE("a sum over 100 000 queries keeps its digits in the gradients of key and value") {
    LongCall const call(100000); // turned around: its keys are the queries
    Matrix<double> const output_gradient = widened(call.value);
    AttentionGradients<double> const exact =
        attention_gradients(widened(call.key), widened(call.query), widened(call.output_gradient), output_gradient);
    MultiHeadGradients<float> const found =
        multi_head_gradients<float>(call.key, call.query, call.output_gradient, call.value);
    CHECK(largest_error_by_row(as_rows(found.value), exact.value) <= 1.01 * half_a_unit);
}

TEST_CASE("a softcap that float32 cannot hold caps all the same, with stages and without") {
    MultiHeadOptions<float> options;
    options.softcap = 1e-60;
    Matrix<float> const query = {{3, 4}};
    Matrix<float> const key = {{100, -2}, {-5, 6}, {7, 8}};
    Matrix<float> const value = {{3}, {6}, {12}};
    // Scores of at most 1e-60: weights of a third.
    Matrix<float> const mean = {{7}};
    require_close(as_rows(multi_head_attention<float>(query, key, value, options).output), mean, 0, 1e-6);
    require_close(as_rows(multi_head_attention<float>(query, key, value, options, all_stages).output), mean, 0, 1e-6);
    AttentionOptions<float> one;
    one.softcap = 1e-60;
    require_close(scaled_dot_product_attention(query, key, value, one).output, mean, 0, 1e-6);
}

TEMPLATE_TEST_CASE("the mean of values of the largest number is that number, in every path", "", float, double) {
    using T = TestType;
    constexpr T largest = std::numeric_limits<T>::max();
    for (std::size_t const n_key : {3U, 7U, 10U, 49U, 300U}) {
        CAPTURE(n_key);
        Matrix<T> const query = scattered<T>(2, 3, 95);
        Matrix<T> const key = scattered<T>(n_key, 3, 96);
        Matrix<T> const value = make_matrix<T>(n_key, 2, -largest);
        double const few_units = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
        auto const is_right = [&](Matrix<T> const& output) {
            return std::all_of(output.begin(), output.end(), [&](T mean) {
                return std::isfinite(mean) && static_cast<double>(mean / -largest) >= 1 - few_units;
            });
        };
        CHECK(is_right(scaled_dot_product_attention(query, key, value).output));
        CHECK(is_right(as_rows(multi_head_attention<T>(query, key, value).output)));
        CHECK(is_right(as_rows(multi_head_attention<T>(query, key, value, {}, all_stages).output)));
    }
}

TEST_CASE("a weight that the tiles take for nothing counts where a stage is asked for") {
    Matrix<float> const query = {{1}};
    Matrix<float> const key = {{0}, {-42}};
    Matrix<float> const value = {{1}, {1e30F}};
    MultiHeadOptions<float> options;
    options.scale = 1.0F;
    double const exact = 1 + 1e30 * std::exp(-42.0);
    CHECK(multi_head_attention<float>(query, key, value, options, all_stages).output(0, 0) == Approx(exact));
    CHECK(multi_head_attention<float>(query, key, value, options).output(0, 0) == 1);
}

TEST_CASE("gradients pass a softcap of the smallest number by the slope that the scores have") {
    AttentionOptions<double> options;
    options.softcap = std::numeric_limits<double>::denorm_min();
    options.scale = options.softcap; // q . k of about 1 is a score of about the softcap
    Matrix<double> const query = {{1}};
    Matrix<double> const key = {{0.25}, {1.5}};
    Matrix<double> const value = {{1}, {3}};
    // Scores of 0 and 2 smallest numbers, weights of a half: dL/ds is -0.5 and 0.5 times 1 - tanh².
    Matrix<double> const gradient = attention_gradients(query, key, value, Matrix<double>{{1}}, options).scores;
    double const tangent = std::tanh(2.0);
    require_close(gradient, Matrix<double>{{-0.5, 0.5 * (1 - tangent * tangent)}}, 0, 1e-13);
}
