#include "layer.hpp"

#include <set>

#include "random.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

double mean_square(Matrix<double> const& matrix) {
    double sum = 0;
    for (double const entry : matrix) {
        sum += entry * entry;
    }
    return sum / static_cast<double>(matrix.size());
}

} // namespace

TEST_CASE("a matrix product is a sum over the inner axis") {
    Matrix<double> const left = {{1, 2, 3}, {4, 5, 6}};
    Matrix<double> const right = {{1, 0, 2, -1}, {0, 1, -1, 2}, {3, 0, 0, 1}};
    require_equal(matrix_product(left, right), Matrix<double>{{10, 2, 0, 6}, {22, 5, 3, 12}});
    require_equal(matrix_product(Matrix<double>{{7}}, Matrix<double>{{-3}}), Matrix<double>{{-21}});
}

TEST_CASE("matrices that do not belong together are refused with both shapes") {
    CHECK_THROWS_WITH(matrix_product(make_matrix<double>(2, 3), make_matrix<double>(2, 3)),
                      "right has shape (2, 3), but left has shape (2, 3), so it must have 3 rows");
    CHECK_THROWS_AS(project(make_matrix<double>(2, 3), seeded_weights(4, 2, 2, 1)), ArgumentError);
}

TEST_CASE("each projection is X times its own matrix") {
    Matrix<double> const X = {{1, 0, 2}, {0, 1, -1}};
    ProjectionWeights const weights = {{{1, 2}, {3, 4}, {5, 6}}, {{0, 1}, {1, 0}, {1, 1}}, {{1}, {2}, {3}}};
    Projections const projections = project(X, weights);
    require_equal(projections.Q, Matrix<double>{{11, 14}, {-2, -2}});
    require_equal(projections.K, Matrix<double>{{2, 3}, {0, -1}});
    require_equal(projections.V, Matrix<double>{{7}, {-1}});
}

TEST_CASE("weights have the shape of their role, d_v apart from d_k") {
    ProjectionWeights const weights = seeded_weights(7, 3, 5, 1);
    CHECK(shape_text(weights.W_q) == "(7, 3)");
    CHECK(shape_text(weights.W_k) == "(7, 3)");
    CHECK(shape_text(weights.W_v) == "(7, 5)");
}

TEST_CASE("a larger d_k adds columns and moves none") {
    ProjectionWeights const narrow = seeded_weights(16, 5, 3, 42);
    ProjectionWeights const wide = seeded_weights(16, 64, 8, 42);
    require_equal(leading_block(wide.W_q, 16, 5), narrow.W_q);
    require_equal(leading_block(wide.W_k, 16, 5), narrow.W_k);
    require_equal(leading_block(wide.W_v, 16, 3), narrow.W_v);
}

TEST_CASE("no two columns of any role or seed are alike") {
    std::set<double> first_entries;
    for (std::uint32_t const seed : {0u, 1u, 2u, 4294967295u}) {
        ProjectionWeights const weights = seeded_weights(4, 10, 10, seed);
        for (Matrix<double> const* matrix : {&weights.W_q, &weights.W_k, &weights.W_v}) {
            for (std::size_t column = 0; column < 10; ++column) {
                first_entries.insert((*matrix)(0, column));
            }
        }
    }
    CHECK(first_entries.size() == 4 * 3 * 10);
}

TEST_CASE("weights have mean square 1 / d_model") {
    for (std::size_t const d_model : {std::size_t(4), std::size_t(100)}) {
        ProjectionWeights const weights = seeded_weights(d_model, 400, 400, 5);
        double const standard_error = std::sqrt(2.0 / (400.0 * static_cast<double>(d_model)));
        for (Matrix<double> const* matrix : {&weights.W_q, &weights.W_k, &weights.W_v}) {
            CHECK(std::fabs(mean_square(*matrix) * static_cast<double>(d_model) - 1) < 4.5 * standard_error);
        }
    }
}

TEST_CASE("an embedding has mean square 1, at every width") {
    for (std::size_t const d_model : {std::size_t(1), std::size_t(2), std::size_t(16), std::size_t(512)}) {
        Matrix<double> const X = seeded_embeddings({"a", "b", "", "Grüße"}, d_model, 9);
        REQUIRE(shape_text(X) == shape_text(4, d_model));
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(mean_square(only_row(X, i)) == Approx(1).epsilon(1e-14));
        }
    }
}

TEST_CASE("an entry of q has variance 1, so a score has variance d_k") {
    std::vector<std::string> tokens;
    for (int token = 0; token < 60; ++token) {
        tokens.push_back("token " + std::to_string(token));
    }
    Projections const projections = project(seeded_embeddings(tokens, 32, 3), seeded_weights(32, 200, 100, 3));
    CHECK(mean_square(projections.Q) == Approx(1).epsilon(0.1));
    CHECK(mean_square(projections.K) == Approx(1).epsilon(0.1));
    CHECK(mean_square(projections.V) == Approx(1).epsilon(0.1));
}

TEST_CASE("an embedding depends on the token's own text, not on its place or its neighbours") {
    Matrix<double> const X = seeded_embeddings({"one", "two", "one"}, 8, 4);
    require_equal(only_row(X, 2), only_row(X, 0));
    CHECK(difference(only_row(X, 1), only_row(X, 0)) != "");
    require_equal(only_row(seeded_embeddings({"two"}, 8, 4), 0), only_row(X, 1));
}

TEST_CASE("embeddings depend on the seed, and tell apart texts that differ in one byte") {
    std::vector<std::string> const tokens = {"é", "è", "e", " e", "E", "", std::string("e\0", 2)};
    Matrix<double> const X = seeded_embeddings(tokens, 4, 0);
    std::set<double> first_entries;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        first_entries.insert(X(i, 0));
    }
    CHECK(first_entries.size() == tokens.size());
    CHECK(difference(seeded_embeddings(tokens, 4, 1), X) != "");
    require_equal(seeded_embeddings(tokens, 4, 0), X);
}

TEST_CASE("a head has its own columns, in order, and joined heads are the matrix again") {
    Matrix<double> const joined = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
    require_equal(split_head(joined, 3, 0), Matrix<double>{{1, 2}, {7, 8}});
    require_equal(split_head(joined, 3, 1), Matrix<double>{{3, 4}, {9, 10}});
    require_equal(split_head(joined, 3, 2), Matrix<double>{{5, 6}, {11, 12}});
    require_equal(split_head(joined, 2, 1), Matrix<double>{{4, 5, 6}, {10, 11, 12}});
    for (std::size_t const heads : {std::size_t(1), std::size_t(2), std::size_t(3), std::size_t(6)}) {
        Matrix<double> again = make_matrix<double>(2, 6);
        for (std::size_t head = 0; head < heads; ++head) {
            join_head(again, heads, head, split_head(joined, heads, head));
        }
        require_equal(again, joined);
    }
    Matrix<double> swapped = joined;
    join_head(swapped, 3, 2, split_head(joined, 3, 0));
    require_equal(swapped, Matrix<double>{{1, 2, 3, 4, 1, 2}, {7, 8, 9, 10, 7, 8}});
}

TEST_CASE("heads that cannot share out the columns are refused") {
    Matrix<double> joined = make_matrix<double>(2, 6);
    CHECK(thrown_by([&] { split_head(joined, 4, 0); }) == "heads is 4, but 6 columns must be shared out evenly");
    CHECK(thrown_by([&] { split_head(joined, 0, 0); }) == "heads is 0, but 6 columns must be shared out evenly");
    CHECK(thrown_by([&] { split_head(joined, 3, 3); }) == "head is 3, but there are 3 heads");
    CHECK(thrown_by([&] { join_head(joined, 3, 0, make_matrix<double>(2, 3)); }) ==
          "part has shape (2, 3), but the head's share is (2, 2)");
}
