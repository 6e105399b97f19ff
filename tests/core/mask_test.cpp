#include "mask.hpp"

#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

/// Visibility by its definition alone, one key at a time, in numbers wide enough for any sum.
bool is_visible(long long i, long long j, VisibilityRule const& rule) {
    long long const position = i + rule.query_offset;
    if (rule.is_causal && !(j <= position)) {
        return false;
    }
    if (rule.left_window != -1 && !(j >= position - rule.left_window)) {
        return false;
    }
    if (rule.right_window != -1 && !(j <= position + rule.right_window)) {
        return false;
    }
    return !rule.key_length || j < static_cast<long long>(*rule.key_length);
}

} // namespace

TEST_CASE("without a rule every query sees every key") {
    require_equal(visibility(2, 3), Visibility{{1, 1, 1}, {1, 1, 1}});
}

TEST_CASE("in causal order a query sees itself and what came before") {
    VisibilityRule rule;
    rule.is_causal = true;
    require_equal(visibility(3, 4, rule), Visibility{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}});
    require_equal(visibility(4, 2, rule), Visibility{{1, 0}, {1, 1}, {1, 1}, {1, 1}});
}

TEST_CASE("a query offset moves the causal diagonal, and a negative one hides whole rows") {
    VisibilityRule rule;
    rule.is_causal = true;
    rule.query_offset = 2;
    require_equal(visibility(2, 4, rule), Visibility{{1, 1, 1, 0}, {1, 1, 1, 1}});
    rule.query_offset = -1;
    require_equal(visibility(3, 2, rule), Visibility{{0, 0}, {1, 0}, {1, 1}});
}

TEST_CASE("windows reach to each side of the query's own position") {
    VisibilityRule rule;
    rule.left_window = 1;
    rule.right_window = 0;
    require_equal(visibility(3, 4, rule), Visibility{{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}});
    rule.left_window = -1;
    rule.right_window = 1;
    require_equal(visibility(2, 4, rule), Visibility{{1, 1, 0, 0}, {1, 1, 1, 0}});
}

TEST_CASE("keys from the key length on are padding") {
    VisibilityRule rule;
    rule.key_length = 2;
    require_equal(visibility(2, 3, rule), Visibility{{1, 1, 0}, {1, 1, 0}});
    rule.key_length = 0;
    require_equal(visibility(2, 3, rule), Visibility{{0, 0, 0}, {0, 0, 0}});
    rule.key_length = 3;
    require_equal(visibility(2, 3, rule), Visibility{{1, 1, 1}, {1, 1, 1}});
}

TEST_CASE("every combination of order, offset, windows and padding agrees with the definition") {
    std::size_t combinations = 0;
    std::size_t mistakes = 0;
    for (auto const& [n_query, n_key] : {std::pair<std::size_t, std::size_t>{3, 5}, {5, 3}, {1, 4}, {4, 1}}) {
        for (bool const is_causal : {false, true}) {
            for (std::ptrdiff_t offset = -6; offset <= 6; ++offset) {
                for (std::ptrdiff_t left = -1; left <= 4; ++left) {
                    for (std::ptrdiff_t right = -1; right <= 4; ++right) {
                        for (std::size_t length = 0; length <= n_key + 1; ++length) {
                            VisibilityRule const rule{is_causal, offset, left, right,
                                                      length > n_key ? std::nullopt
                                                                     : std::optional<std::size_t>(length)};
                            Visibility const visible = visibility(n_query, n_key, rule);
                            ++combinations;
                            for (std::size_t i = 0; i < n_query; ++i) {
                                for (std::size_t j = 0; j < n_key; ++j) {
                                    bool const expected =
                                        is_visible(static_cast<long long>(i), static_cast<long long>(j), rule);
                                    mistakes += visible(i, j) == (expected ? 1 : 0) ? 0 : 1;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    CHECK(combinations == 2 * 13 * 36 * (7 + 5 + 6 + 3));
    CHECK(mistakes == 0);
}

TEST_CASE("a rule that cannot be used is refused by name") {
    VisibilityRule rule;
    rule.left_window = -2;
    CHECK_THROWS_WITH(visibility(2, 3, rule), "left_window is -2, but must be -1 (no limit), 0 or more");
    rule = {};
    rule.right_window = -7;
    CHECK_THROWS_WITH(visibility(2, 3, rule), "right_window is -7, but must be -1 (no limit), 0 or more");
    rule = {};
    rule.key_length = 4;
    CHECK_THROWS_WITH(visibility(2, 3, rule), "key_length is 4, but there are 3 keys");
    rule = {};
    rule.query_offset = -farthest_offset - 1;
    CHECK_THROWS_WITH(visibility(2, 3, rule), "query_offset is -536870913, but must be from -536870912 to 536870912");
    CHECK_THROWS_AS(visibility(2, 3, rule), ArgumentError);
}

TEST_CASE("a 1 in a boolean mask lets a query look and a 0 hides") {
    Visibility visible = visibility(2, 2);
    hide_by_mask(visible, Visibility{{1, 0}, {1, 1}});
    require_equal(visible, Visibility{{1, 0}, {1, 1}});
}

TEST_CASE("any boolean entry but 0 lets a query look") {
    Visibility visible = visibility(1, 3);
    hide_by_mask(visible, Visibility{{2, 255, 0}});
    require_equal(visible, Visibility{{1, 1, 0}});
}

TEST_CASE("a boolean mask only hides: it never shows what a rule has hidden") {
    VisibilityRule rule;
    rule.is_causal = true;
    Visibility visible = visibility(2, 3, rule);
    hide_by_mask(visible, Visibility{{1, 1, 1}, {0, 1, 1}});
    require_equal(visible, Visibility{{1, 0, 0}, {0, 1, 0}});
}

TEST_CASE("a mask is repeated along each axis where it has length 1") {
    Visibility by_key = visibility(2, 3);
    hide_by_mask(by_key, Visibility{{1, 0, 1}});
    require_equal(by_key, Visibility{{1, 0, 1}, {1, 0, 1}});

    Visibility by_query = visibility(2, 3);
    hide_by_mask(by_query, Visibility{{0}, {1}});
    require_equal(by_query, Visibility{{0, 0, 0}, {1, 1, 1}});

    Visibility whole = visibility(2, 3);
    hide_by_mask(whole, Visibility{{0}});
    require_equal(whole, Visibility{{0, 0, 0}, {0, 0, 0}});

    Visibility visible = visibility(2, 3);
    Matrix<double> scores = {{1, 2, 3}, {4, 5, 6}};
    add_mask(visible, scores, Matrix<double>{{10}, {20}});
    require_equal(scores, Matrix<double>{{11, 12, 13}, {24, 25, 26}});
    add_mask(visible, scores, Matrix<double>{{1, 0, -1}});
    require_equal(scores, Matrix<double>{{12, 12, 12}, {25, 25, 25}});
    add_mask(visible, scores, Matrix<double>{{100}});
    require_equal(scores, Matrix<double>{{112, 112, 112}, {125, 125, 125}});
    require_equal(visible, Visibility{{1, 1, 1}, {1, 1, 1}});
}

TEST_CASE("a mask that does not broadcast is refused with both shapes") {
    Visibility visible = visibility(2, 3);
    CHECK_THROWS_WITH(hide_by_mask(visible, make_matrix<std::uint8_t>(3, 2)),
                      "mask has shape (3, 2), but must broadcast to (n_query, n_key) = (2, 3)");
    CHECK_THROWS_AS(hide_by_mask(visible, make_matrix<std::uint8_t>(2, 0)), ArgumentError);
    Matrix<double> scores = make_matrix<double>(2, 3);
    CHECK_THROWS_WITH(add_mask(visible, scores, make_matrix<double>(2, 4)),
                      "mask has shape (2, 4), but must broadcast to (n_query, n_key) = (2, 3)");
}

TEMPLATE_TEST_CASE("an additive mask is added, and hides at -1e9 and below", "", float, double) {
    using T = TestType;
    T const lowest = std::numeric_limits<T>::lowest();
    T const just_above = std::nextafter(T(-1e9), T(0));
    Visibility visible = visibility(2, 3);
    Matrix<T> scores = {{T(0.25), T(0.5), T(0.75)}, {1, 2, 3}};
    add_mask(visible, scores,
             Matrix<T>{{T(1.5), T(-1e9), lowest}, {-std::numeric_limits<T>::infinity(), 0, just_above}});
    require_equal(visible, Visibility{{1, 0, 0}, {0, 1, 1}});
    CHECK(scores(0, 0) == T(1.75));
    CHECK(scores(1, 1) == T(2));
    CHECK(scores(1, 2) == T(3) + just_above);
    CHECK(all_finite(scores));
}

TEST_CASE("what is wrong with a rule or a mask is found beforehand, in the sentence that using it throws") {
    VisibilityRule rule;
    CHECK(sentence_of(find_problem(rule, 3)) == "");
    rule.key_length = 3;
    CHECK(sentence_of(find_problem(rule, 3)) == "");
    rule.right_window = -2;
    CHECK(sentence_of(find_problem(rule, 2)) == "right_window is -2, but must be -1 (no limit), 0 or more");
    CHECK(thrown_by([&] { visibility(4, 2, rule); }) == sentence_of(find_problem(rule, 2)));

    Visibility visible = visibility(2, 3);
    Visibility const right = {{1, 0, 0}};
    Visibility const wrong = {{1, 0}};
    CHECK(sentence_of(find_mask_problem(right, visible)) == "");
    CHECK(sentence_of(find_mask_problem(wrong, visible)) ==
          "mask has shape (1, 2), but must broadcast to (n_query, n_key) = (2, 3)");
    CHECK(thrown_by([&] { hide_by_mask(visible, wrong); }) == sentence_of(find_mask_problem(wrong, visible)));

    Matrix<double> scores = make_matrix<double>(2, 3);
    for (Matrix<double> const& mask :
         {Matrix<double>{{0, 0}}, Matrix<double>{{infinity}}, Matrix<double>{{0}, {not_a_number}}}) {
        CHECK(sentence_of(find_mask_problem(mask, visible)) != "");
        CHECK(thrown_by([&] { add_mask(visible, scores, mask); }) == sentence_of(find_mask_problem(mask, visible)));
    }
    CHECK(sentence_of(find_mask_problem(Matrix<double>{{-infinity, 0, 1}}, visible)) == "");
}

TEST_CASE("an additive mask with NaN or plus infinity is refused at its place") {
    Visibility visible = visibility(2, 2);
    Matrix<double> scores = make_matrix<double>(2, 2);
    CHECK_THROWS_WITH(add_mask(visible, scores, Matrix<double>{{0, 0}, {not_a_number, 0}}),
                      "mask is NaN for query 1, key 0, but must be finite, or -infinity to hide");
    CHECK_THROWS_WITH(add_mask(visible, scores, Matrix<double>{{0, infinity}}),
                      "mask is infinity for query 0, key 1, but must be finite, or -infinity to hide");
}

TEST_CASE("hidden scores become minus infinity, whatever they were, and visible ones stay") {
    Matrix<double> const scores = {{1, not_a_number, 3}, {infinity, 5, -6}};
    require_equal(hide_scores(scores, Visibility{{1, 0, 1}, {0, 1, 0}}),
                  Matrix<double>{{1, -infinity, 3}, {-infinity, 5, -infinity}});
}

TEST_CASE("clearing what is hidden leaves the rest, and nothing of a NaN or an infinity") {
    Matrix<double> const table = {{1, not_a_number, 3}, {infinity, 5, 6}};
    require_equal(clear_hidden(table, Visibility{{1, 0, 1}, {0, 1, 0}}), Matrix<double>{{1, 0, 3}, {0, 5, 0}});
}
