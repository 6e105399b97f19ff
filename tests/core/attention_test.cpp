#include "attention.hpp"

#include "metrics.hpp"
#include "references.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

struct Tensors {
    Matrix<double> query;
    Matrix<double> key;
    Matrix<double> value;
};

/// Asymmetric and rectangular: no two axes of the five numbers n_query, n_key, d_k, d_v are alike.
Tensors rectangular() {
    return {scattered(3, 2, 21), scattered(5, 2, 22), scattered(5, 4, 23)};
}

template <class T = double> AttentionOptions<T> causal() {
    AttentionOptions<T> options;
    options.rule.is_causal = true;
    return options;
}

AttentionOptions<double> only_where(Visibility const& mask) {
    AttentionOptions<double> options;
    options.mask = mask;
    return options;
}

AttentionOptions<double> unscaled() {
    AttentionOptions<double> options;
    options.scale = 1;
    return options;
}

/// The weights that attention gives to these scores: with the identity as query, the key's columns are the scores.
Matrix<double> weights_for_scores(Matrix<double> const& scores, AttentionOptions<double> options) {
    Matrix<double> query = make_matrix<double>(scores.shape(0), scores.shape(0));
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        query(i, i) = 1;
    }
    options.scale = 1;
    Matrix<double> const key = transposed(scores);
    return scaled_dot_product_attention(query, key, make_matrix<double>(key.shape(0), 1, 1.0), options).weights;
}

/// The largest errors over every case of the reference, computed in T.
template <class T> void require_reference_within(double tolerance) {
    nlohmann::json const reference = read_reference("attention_reference.json");
    Matrix<double> const Q = matrix_from(reference.at("Q"));
    Matrix<double> const K = matrix_from(reference.at("K"));
    Matrix<double> const V = matrix_from(reference.at("V"));
    std::size_t cases = 0;
    for (nlohmann::json const& each : reference.at("cases")) {
        std::size_t const n_query = each.at("n_query");
        std::size_t const n_key = each.at("n_key");
        std::size_t const d_k = each.at("d_k");
        AttentionOptions<T> options;
        options.rule.is_causal = each.at("is_causal").get<bool>();
        Attention<T> const stages =
            scaled_dot_product_attention(leading_block<T>(Q, n_query, d_k), leading_block<T>(K, n_key, d_k),
                                         leading_block<T>(V, n_key, each.at("d_v")), options);
        CAPTURE(n_query, n_key, d_k, options.rule.is_causal);
        ++cases;
        CHECK(largest_error_by_row(stages.output, matrix_from(each.at("output"))) <= tolerance);
        if (each.contains("weights")) {
            CHECK(largest_error_by_row(stages.weights, matrix_from(each.at("weights"))) <= tolerance);
        } else {
            RowMetrics const rows =
                row_metrics(leading_block(Matrix<double>(stages.weights), n_query, n_key), stages.visible);
            require_close(rows.peak, vector_from(each.at("peak")), 0, tolerance);
            require_close(rows.entropy, vector_from(each.at("entropy")), tolerance, tolerance);
        }
    }
    REQUIRE(cases == 46);
}

} // namespace

TEST_CASE("scores, weights and outputs can be checked by hand") {
    // q . k = 0, ln 2, ln 5 for query 0 and 0, -ln 2, 0 for query 1.
    double const two = std::log(2.0);
    double const five = std::log(5.0);
    Matrix<double> const query = {{1, 0}, {0, 1}};
    Matrix<double> const key = {{0, 0}, {two, -two}, {five, 0}};
    Matrix<double> const value = {{8, 0, 16}, {0, 8, 16}, {8, 8, 16}};
    Attention<double> const stages = scaled_dot_product_attention(query, key, value, unscaled());
    require_equal(stages.visible, Visibility{{1, 1, 1}, {1, 1, 1}});
    require_equal(stages.scores, Matrix<double>{{0, two, five}, {0, -two, 0}});
    require_equal(stages.capped, stages.scores);
    require_equal(stages.masked, stages.scores);
    require_close(stages.weights, Matrix<double>{{0.125, 0.25, 0.625}, {0.4, 0.2, 0.4}}, 0, 1e-15);
    require_close(stages.output, Matrix<double>{{6, 7, 16}, {6.4, 4.8, 16}}, 0, 1e-15);
}

TEST_CASE("float64 agrees with an independent reference within 1e-12 of each row's largest entry") {
    require_reference_within<double>(1e-12);
}

TEST_CASE("float32 agrees with an independent reference within 1e-5 of each row's largest entry") {
    require_reference_within<float>(1e-5);
}

TEST_CASE("a score is the sum of products over d_k, query by key") {
    Matrix<double> const query = {{1, 2, 3}, {0, -1, 1}};
    Matrix<double> const key = {{1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {2, 0, -1}};
    require_equal(dot_products(query, key), Matrix<double>{{1, 2, 6, -1}, {0, -1, 0, -1}});
    require_equal(scaled_by(dot_products(query, key), 0.5), Matrix<double>{{0.5, 1, 3, -0.5}, {0, -0.5, 0, -0.5}});
}

TEST_CASE("an absent scale is 1/sqrt(d_k), and 0 and 1 are scales like any other") {
    Matrix<double> const query = {{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    Matrix<double> const key = {{0.7, 0.8}, {0.9, 1.0}, {1.1, 1.2}};
    Matrix<double> const value = {{1, 2}, {3, 4}, {5, 6}};
    AttentionOptions<double> options = causal();
    require_close(scaled_dot_product_attention(query, key, value, options).output,
                  Matrix<double>{{1, 2}, {2.0494570913, 3.0494570913}, {3.206585766, 4.206585766}}, 1e-9);
    options.scale = 1 / std::sqrt(2.0);
    require_equal(scaled_dot_product_attention(query, key, value, options).output,
                  scaled_dot_product_attention(query, key, value, causal()).output);
    options.scale = 0;
    require_close(scaled_dot_product_attention(query, key, value, options).output,
                  Matrix<double>{{1, 2}, {2, 3}, {3, 4}}, 1e-15);
    options.scale = 1;
    require_close(scaled_dot_product_attention(query, key, value, options).output,
                  Matrix<double>{{1, 2}, {2.0698858903, 3.0698858903}, {3.2909916573, 4.2909916573}}, 1e-9);
}

TEST_CASE("one query, one key: weight 1 and the value itself") {
    Matrix<double> const query = {{0.7}};
    Attention<double> const stages =
        scaled_dot_product_attention(query, Matrix<double>{{-3}}, Matrix<double>{{2, 5, -1}});
    require_equal(stages.weights, Matrix<double>{{1}});
    require_equal(stages.output, Matrix<double>{{2, 5, -1}});
}

TEST_CASE("repeated keys share their weight equally, and repeated queries get equal rows") {
    Matrix<double> const query = {{1, -2}, {0.5, 3}, {1, -2}};
    Matrix<double> const key = {{0.3, 0.1}, {-1, 2}, {0.3, 0.1}, {0.3, 0.1}};
    Attention<double> const stages = scaled_dot_product_attention(query, key, scattered(4, 3, 2));
    require_equal(only_row(stages.weights, 2), only_row(stages.weights, 0));
    require_equal(only_row(stages.output, 2), only_row(stages.output, 0));
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(stages.weights(i, 0) == stages.weights(i, 2));
        CHECK(stages.weights(i, 0) == stages.weights(i, 3));
        CHECK(stages.weights(i, 0) != stages.weights(i, 1));
    }
}

TEST_CASE("keys and values moved together move the weights' columns and leave the output") {
    Tensors const tensors = rectangular();
    std::size_t const order[] = {3, 0, 4, 1, 2};
    Matrix<double> key = tensors.key;
    Matrix<double> value = tensors.value;
    for (std::size_t j = 0; j < 5; ++j) {
        for (std::size_t c = 0; c < 2; ++c) {
            key(j, c) = tensors.key(order[j], c);
        }
        for (std::size_t c = 0; c < 4; ++c) {
            value(j, c) = tensors.value(order[j], c);
        }
    }
    Attention<double> const before = scaled_dot_product_attention(tensors.query, tensors.key, tensors.value);
    Attention<double> const after = scaled_dot_product_attention(tensors.query, key, value);
    require_close(after.output, before.output, 1e-15);
    for (std::size_t j = 0; j < 5; ++j) {
        CHECK(after.weights(1, j) == Approx(before.weights(1, order[j])).epsilon(1e-14));
    }
}

TEST_CASE("64 and 512 tokens give rows that sum to 1 and outputs between the values") {
    for (std::size_t const tokens : {std::size_t(64), std::size_t(512)}) {
        Matrix<double> const value = scattered(tokens, 2, 33);
        auto const [least, most] = std::minmax_element(value.begin(), value.end());
        Attention<double> const stages =
            scaled_dot_product_attention(scattered(tokens, 3, 31), scattered(tokens, 3, 32), value, causal());
        RowMetrics const rows = row_metrics(stages.weights, stages.visible);
        for (std::size_t i = 0; i < tokens; ++i) {
            REQUIRE(std::fabs(rows.row_sum(i) - 1) <= 1e-12);
        }
        for (double const entry : stages.output) {
            REQUIRE((entry >= *least && entry <= *most));
        }
        require_equal(only_row(stages.output, 0), only_row(value, 0));
    }
}

TEMPLATE_TEST_CASE("scores of plus and minus ten thousand give finite weights", "", float, double) {
    using T = TestType;
    Matrix<T> const query = {{100}, {-100}};
    Matrix<T> const key = {{100}, {-100}, {0}};
    Attention<T> const stages = scaled_dot_product_attention(query, key, Matrix<T>{{1, 10}, {2, 20}, {3, 30}});
    require_equal(stages.scores, Matrix<T>{{10000, -10000, 0}, {-10000, 10000, 0}});
    require_equal(stages.weights, Matrix<T>{{1, 0, 0}, {0, 1, 0}});
    require_equal(stages.output, Matrix<T>{{1, 10}, {2, 20}});
}

TEST_CASE("a causal query's output does not depend on what comes after it") {
    Tensors const tensors = rectangular();
    Matrix<double> key = tensors.key;
    Matrix<double> value = tensors.value;
    key(2, 1) += 5;
    value(2, 3) -= 5;
    Attention<double> const before = scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, causal());
    Attention<double> const after = scaled_dot_product_attention(tensors.query, key, value, causal());
    require_equal(leading_block(after.output, 2, 4), leading_block(before.output, 2, 4));
    CHECK(difference(only_row(after.output, 2), only_row(before.output, 2)) != "");
    require_equal(before.visible, Visibility{{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}});
}

TEST_CASE("with an offset, rows of a longer causal run are reproduced one at a time") {
    Tensors const tensors = {scattered(5, 3, 41), scattered(5, 3, 42), scattered(5, 2, 43)};
    Attention<double> const whole = scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, causal());
    for (std::size_t i = 0; i < 5; ++i) {
        AttentionOptions<double> options = causal();
        options.rule.query_offset = static_cast<std::ptrdiff_t>(i);
        Attention<double> const one =
            scaled_dot_product_attention(only_row(tensors.query, i), tensors.key, tensors.value, options);
        require_equal(one.output, only_row(whole.output, i));
    }
}

TEST_CASE("a query that sees no key has weights and output exactly 0 and says so") {
    Matrix<double> const query = {{1, 0}, {0, 1}, {1, 1}};
    Matrix<double> const key = {{1, 2}, {3, 4}, {5, 6}};
    Matrix<double> const value = {{1, 0}, {0, 1}, {2, 2}};
    Attention<double> const stages =
        scaled_dot_product_attention(query, key, value, only_where(Visibility{{1, 0, 0}, {0, 0, 0}, {1, 1, 0}}));
    require_close(stages.weights, Matrix<double>{{1, 0, 0}, {0, 0, 0}, {0.0558072192, 0.9441927808, 0}}, 1e-10);
    require_equal(only_row(stages.weights, 1), Matrix<double>{{0, 0, 0}});
    require_equal(only_row(stages.output, 1), Matrix<double>{{0, 0}});
    CHECK(stages.weights(2, 2) == 0);
    RowMetrics const rows = row_metrics(stages.weights, stages.visible);
    CHECK(rows.state[0] == SoftmaxState::saturated);
    CHECK(rows.state[1] == SoftmaxState::no_visible_key);
    CHECK(rows.row_sum(1) == 0);
}

TEST_CASE("a key length of 0 hides everything and is no error") {
    Tensors const tensors = rectangular();
    AttentionOptions<double> options;
    options.rule.key_length = 0;
    Attention<double> const stages = scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options);
    require_equal(stages.weights, make_matrix<double>(3, 5));
    require_equal(stages.output, make_matrix<double>(3, 4));
}

TEST_CASE("a mask of 1 lets a query look, and inside out it gives other weights") {
    Matrix<double> const scores = {{1, 5}, {1, 2}};
    require_close(weights_for_scores(scores, only_where(Visibility{{1, 0}, {1, 1}})),
                  Matrix<double>{{1, 0}, {0.2689414213699951, 0.7310585786300049}}, 0, 1e-15);
    require_equal(weights_for_scores(scores, only_where(Visibility{{0, 1}, {0, 0}})), Matrix<double>{{0, 1}, {0, 0}});
}

TEST_CASE("a boolean mask and the additive mask of the same meaning give the same weights") {
    Tensors const tensors = rectangular();
    Visibility const visible = {{1, 0, 1, 1, 0}, {0, 1, 1, 0, 0}, {1, 1, 0, 1, 1}};
    Attention<double> const expected =
        scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, only_where(visible));
    for (double const hidden : {-1e9, std::numeric_limits<double>::lowest(), -infinity}) {
        Matrix<double> additive = make_matrix<double>(3, 5);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 5; ++j) {
                additive(i, j) = visible(i, j) == 0 ? hidden : 0;
            }
        }
        AttentionOptions<double> options;
        options.mask = additive;
        Attention<double> const stages =
            scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options);
        require_equal(stages.visible, expected.visible);
        require_equal(stages.masked, expected.masked);
        require_equal(stages.weights, expected.weights);
        require_equal(stages.output, expected.output);
    }
}

TEST_CASE("an additive mask moves the scores after scale and softcap") {
    AttentionOptions<double> options = unscaled();
    options.softcap = 2;
    options.mask = Matrix<double>{{0, 3}};
    Attention<double> const stages = scaled_dot_product_attention(
        Matrix<double>{{1, 2}}, Matrix<double>{{2, 0}, {0, 4}}, Matrix<double>{{1}, {1}}, options);
    require_equal(stages.scores, Matrix<double>{{2, 8}});
    require_close(stages.capped, Matrix<double>{{1.5231883119115297, 1.998658599478134}}, 0,
                  1e-15); // 2 tanh 1, 2 tanh 4
    require_close(stages.masked, Matrix<double>{{1.5231883119115297, 4.998658599478134}}, 0, 1e-15);
    options.softcap = 0;
    require_equal(scaled_dot_product_attention(Matrix<double>{{1, 2}}, Matrix<double>{{2, 0}, {0, 4}},
                                               Matrix<double>{{1}, {1}}, options)
                      .masked,
                  Matrix<double>{{2, 11}});
}

TEMPLATE_TEST_CASE("a row hidden by big negative numbers is 0, not an even spread", "", float, double) {
    using T = TestType;
    Matrix<T> const query = {{1}, {1}};
    Matrix<T> const key = {{T(0.3)}, {T(0.1)}, {T(0.2)}};
    Matrix<T> const value = {{1}, {2}, {3}};
    T const lowest = std::numeric_limits<float>::lowest();
    AttentionOptions<T> options;
    options.rule.key_length = 2; // hides key 2 a second time
    options.mask = Matrix<T>{{0, 0, lowest}, {T(-1e9), T(-1e9), T(-1e9)}};
    Attention<T> const stages = scaled_dot_product_attention(query, key, value, options);
    require_close(stages.weights, Matrix<T>{{T(0.549833997312478), T(0.450166002687522), 0}, {0, 0, 0}}, 1e-7);
    CHECK(stages.weights(0, 2) == 0);
    require_equal(only_row(stages.weights, 1), Matrix<T>{{0, 0, 0}});
    require_equal(only_row(stages.output, 1), Matrix<T>{{0}});
    CHECK(all_finite(stages.weights));
}

TEST_CASE("one row of a mask serves every query, and one column every key") {
    Tensors const tensors = rectangular();
    Attention<double> const by_key = scaled_dot_product_attention(tensors.query, tensors.key, tensors.value,
                                                                  only_where(Visibility{{0, 1, 1, 0, 1}}));
    require_equal(by_key.visible, Visibility{{0, 1, 1, 0, 1}, {0, 1, 1, 0, 1}, {0, 1, 1, 0, 1}});
    Attention<double> const by_query =
        scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, only_where(Visibility{{1}, {0}, {1}}));
    require_equal(by_query.visible, Visibility{{1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}});
    CHECK_THROWS_WITH(
        scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, only_where(Visibility{{1, 1, 1}})),
        "mask has shape (1, 3), but must broadcast to (n_query, n_key) = (3, 5)");
}

TEST_CASE("what a hidden key or its value holds never reaches a result") {
    Tensors const clean = rectangular();
    Visibility const mask = {{1, 0, 1, 1, 0}};
    AttentionOptions<double> options = only_where(mask);
    for (double const softcap : {0.0, 3.0}) {
        options.softcap = softcap;
        Attention<double> const expected = scaled_dot_product_attention(clean.query, clean.key, clean.value, options);
        for (double const poison : {not_a_number, infinity, -infinity}) {
            Tensors poisoned = clean;
            for (std::size_t const hidden : {std::size_t(1), std::size_t(4)}) {
                poisoned.key(hidden, 1) = poison;
                poisoned.value(hidden, 0) = poison;
            }
            Attention<double> const stages =
                scaled_dot_product_attention(poisoned.query, poisoned.key, poisoned.value, options);
            require_equal(stages.masked, expected.masked);
            require_equal(stages.weights, expected.weights);
            require_equal(stages.output, expected.output);
        }
    }
}

TEST_CASE("a query that sees no key may hold anything") {
    Tensors tensors = rectangular();
    tensors.query(1, 0) = not_a_number;
    Attention<double> const stages =
        scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, only_where(Visibility{{1}, {0}, {1}}));
    require_equal(only_row(stages.output, 1), make_matrix<double>(1, 4));
    CHECK(all_finite(stages.output));
}

TEST_CASE("a visible number that is not finite is refused, naming the tensor and the place") {
    Tensors const clean = rectangular();
    AttentionOptions<double> capped;
    capped.softcap = 3;
    for (AttentionOptions<double> const& options : {AttentionOptions<double>{}, capped}) {
        CAPTURE(options.softcap);
        Tensors tensors = clean;
        tensors.query(1, 0) = not_a_number;
        CHECK_THROWS_WITH(scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options),
                          "query is NaN at (1, 0), but what a query sees must be finite");
        tensors = clean;
        tensors.key(4, 1) = infinity;
        CHECK_THROWS_WITH(scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options),
                          "key is infinity at (4, 1), but what a query sees must be finite");
        tensors = clean;
        tensors.value(3, 2) = -infinity;
        CHECK_THROWS_WITH(scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options),
                          "value is -infinity at (3, 2), but what a query sees must be finite");
        CHECK_THROWS_AS(scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options),
                        ArgumentError);
    }
}

TEST_CASE("scores that overflow are refused as scores, since query and key are finite") {
    CHECK_THROWS_WITH(
        scaled_dot_product_attention(Matrix<double>{{1e200}}, Matrix<double>{{1}, {1e200}}, Matrix<double>{{1}, {2}}),
        "scores overflow to infinity at (0, 1), but a visible score must be finite");
    AttentionOptions<float> options;
    options.mask = Matrix<float>{{3e38f}};
    CHECK_THROWS_WITH(
        scaled_dot_product_attention(Matrix<float>{{1e19f}}, Matrix<float>{{3e19f}}, Matrix<float>{{1}}, options),
        "scores overflow to infinity at (0, 0), but a visible score must be finite");
}

TEST_CASE("shapes that do not belong together are refused with both of them named") {
    CHECK_THROWS_WITH(
        scaled_dot_product_attention(make_matrix<double>(2, 3), make_matrix<double>(2, 2), make_matrix<double>(2, 3)),
        "key has shape (2, 2), but query has d_k = 3");
    CHECK_THROWS_WITH(
        scaled_dot_product_attention(make_matrix<double>(2, 3), make_matrix<double>(3, 3), make_matrix<double>(2, 3)),
        "value has shape (2, 3), but key has 3 rows");
}

TEST_CASE("an empty axis is refused by name") {
    Matrix<double> const some = make_matrix<double>(2, 3);
    CHECK_THROWS_WITH(scaled_dot_product_attention(make_matrix<double>(0, 3), some, some),
                      "query has shape (0, 3), but every axis must be at least 1");
    CHECK_THROWS_WITH(scaled_dot_product_attention(some, make_matrix<double>(0, 3), some),
                      "key has shape (0, 3), but every axis must be at least 1");
    CHECK_THROWS_WITH(scaled_dot_product_attention(some, some, make_matrix<double>(2, 0)),
                      "value has shape (2, 0), but every axis must be at least 1");
}

TEST_CASE("options out of range are refused by name") {
    Tensors const tensors = rectangular();
    AttentionOptions<double> options;
    auto const attend = [&] {
        return scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options);
    };
    options.scale = not_a_number;
    CHECK_THROWS_WITH(attend(), "scale is NaN, but must be finite");
    options.scale = -infinity;
    CHECK_THROWS_WITH(attend(), "scale is -infinity, but must be finite");
    options = {};
    options.softcap = -0.5;
    CHECK_THROWS_WITH(attend(), "softcap is negative, but must be 0 (off) or positive");
    options.softcap = not_a_number;
    CHECK_THROWS_WITH(attend(), "softcap is NaN, but must be 0 (off) or positive");
    options.softcap = infinity;
    CHECK_THROWS_WITH(attend(), "softcap is infinity, but must be 0 (off) or positive");
    options = {};
    options.rule.key_length = 6;
    CHECK_THROWS_WITH(attend(), "key_length is 6, but there are 5 keys");
}

TEST_CASE("what is wrong with a call is found beforehand, in the sentence that the call throws") {
    using Options = AttentionOptions<double>;
    Tensors const right = rectangular();
    CHECK(sentence_of(find_problem(right.query, right.key, right.value)) == "");
    CHECK(sentence_of(find_problem(right.query, right.key, right.value, causal())) == "");

    std::vector<std::string> arguments;
    auto const wrong = [&](auto const& change) {
        Tensors tensors = right;
        Options options;
        change(tensors, options);
        Problem const problem = find_problem(tensors.query, tensors.key, tensors.value, options);
        REQUIRE(problem);
        arguments.push_back(problem->argument);
        CHECK(thrown_by([&] { scaled_dot_product_attention(tensors.query, tensors.key, tensors.value, options); }) ==
              sentence_of(problem));
    };
    wrong([](Tensors& tensors, Options&) { tensors.query = make_matrix<double>(0, 2); });
    wrong([](Tensors& tensors, Options&) { tensors.key = make_matrix<double>(5, 3); });
    wrong([](Tensors& tensors, Options&) { tensors.value = make_matrix<double>(4, 4); });
    wrong([](Tensors&, Options& options) { options.scale = infinity; });
    wrong([](Tensors&, Options& options) { options.softcap = -1; });
    wrong([](Tensors&, Options& options) { options.rule.left_window = -2; });
    wrong([](Tensors&, Options& options) { options.rule.key_length = 6; });
    wrong([](Tensors&, Options& options) { options.mask = Visibility{{1, 1}}; });
    wrong([](Tensors&, Options& options) { options.mask = Matrix<double>{{0, 0, not_a_number, 0, 0}}; });
    wrong([](Tensors& tensors, Options&) { tensors.query(2, 1) = not_a_number; });
    wrong([](Tensors& tensors, Options&) { tensors.key(0, 0) = -infinity; });
    wrong([](Tensors& tensors, Options&) { tensors.value(1, 3) = infinity; });
    CHECK(arguments == std::vector<std::string>{"query", "key", "value", "scale", "softcap", "left_window",
                                                "key_length", "mask", "mask", "query", "key", "value"});
}

TEST_CASE("hidden keys and values that are not finite are no problem, and where they are visible they are one") {
    Tensors tensors = rectangular();
    tensors.key(4, 0) = not_a_number;
    tensors.value(4, 0) = infinity;
    CHECK(sentence_of(find_problem(tensors.query, tensors.key, tensors.value, causal())) == "");
    CHECK(sentence_of(find_problem(tensors.query, tensors.key, tensors.value)) ==
          "key is NaN at (4, 0), but what a query sees must be finite");
}

TEMPLATE_TEST_CASE("a call without problems attends the same whether it may throw or not", "", float, double) {
    using T = TestType;
    Matrix<T> const query = scattered<T>(3, 2, 41);
    Matrix<T> const key = scattered<T>(5, 2, 42);
    Matrix<T> const value = scattered<T>(5, 4, 43);
    AttentionOptions<T> options = causal<T>();
    options.softcap = 2;
    options.mask = Matrix<T>{{0, T(0.5), T(-1), 0, 0}};
    Attention<T> const stages = attend(query, key, value, options);
    Attention<T> const expected = scaled_dot_product_attention(query, key, value, options);
    CHECK(sentence_of(find_overflow(stages)) == "");
    require_equal(stages.visible, expected.visible);
    require_equal(stages.scores, expected.scores);
    require_equal(stages.capped, expected.capped);
    require_equal(stages.masked, expected.masked);
    require_equal(stages.weights, expected.weights);
    require_equal(stages.output, expected.output);
}

TEST_CASE("where a visible score overflows the stages end, and the place is told") {
    Matrix<double> const query = {{1}, {1e200}};
    Matrix<double> const key = {{1}, {-1e200}};
    Matrix<double> const value = {{1}, {2}};
    CHECK(sentence_of(find_problem(query, key, value)) == ""); // the arguments show nothing
    Attention<double> const stages = attend(query, key, value);
    CHECK(stages.scores(1, 1) == -infinity);
    CHECK(stages.weights.size() == 0);
    CHECK(stages.output.size() == 0);
    std::string const sentence = "scores overflow to -infinity at (1, 1), but a visible score must be finite";
    CHECK(sentence_of(find_overflow(stages)) == sentence);
    CHECK(first_overflow(stages)->query == 1);
    CHECK(first_overflow(stages)->key == 1);
    CHECK(first_overflow(stages)->score == -infinity);
    CHECK(thrown_by([&] { scaled_dot_product_attention(query, key, value); }) == sentence);

    Attention<double> const hidden = attend(query, key, value, only_where(Visibility{{1, 1}, {1, 0}}));
    CHECK(sentence_of(find_overflow(hidden)) == "");
    require_equal(only_row(hidden.output, 1), Matrix<double>{{1}});
}

TEST_CASE("a softcap hides no overflow, and an additive mask can make one") {
    std::string const sentence = "scores overflow to infinity at (0, 0), but a visible score must be finite";
    AttentionOptions<double> capped;
    capped.softcap = 5;
    Attention<double> const stages =
        attend(Matrix<double>{{1e200}}, Matrix<double>{{1e200}}, Matrix<double>{{1}}, capped);
    CHECK(stages.capped(0, 0) == 5);
    CHECK(sentence_of(find_overflow(stages)) == sentence);

    AttentionOptions<double> masked;
    masked.mask = Matrix<double>{{1.7e308}};
    Attention<double> const sum = attend(Matrix<double>{{1e154}}, Matrix<double>{{1e154}}, Matrix<double>{{1}}, masked);
    CHECK(std::isfinite(sum.scores(0, 0)));
    CHECK(sum.weights.size() == 0);
    CHECK(sentence_of(find_overflow(sum)) == sentence);
}

TEST_CASE("a blend skips hidden values, so that NaN in one cannot come through as 0 times NaN") {
    Matrix<double> const weights = {{0.25, 0.75, 0}, {0, 0, 1}};
    Matrix<double> const value = {{4, 8}, {not_a_number, not_a_number}, {1, 2}};
    require_equal(blend_values(weights, value, Visibility{{1, 0, 1}, {0, 0, 1}}), Matrix<double>{{1, 2}, {1, 2}});
}
