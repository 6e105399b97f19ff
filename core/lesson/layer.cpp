#include "layer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "axpy.hpp"
#include "random.hpp"

namespace attention {
namespace {

enum class Role : std::uint64_t { embedding = 1, query = 2, key = 3, value = 4, dropout = 5, context = 6 };

Matrix<double> seeded_matrix(std::size_t d_model, std::size_t columns, std::uint32_t seed, Role role,
                             std::size_t head) {
    Matrix<double> weights = make_matrix<double>(d_model, columns);
    double const deviation = 1.0 / std::sqrt(static_cast<double>(d_model));
    for (std::size_t column = 0; column < columns; ++column) {
        std::uint64_t const place = static_cast<std::uint64_t>(head) << 32 | column;
        RandomStream stream(stream_key({seed, static_cast<std::uint64_t>(role), place}));
        stream.fill_normal(row_of(weights, 0) + column, d_model, columns, deviation);
    }
    return weights;
}

Problem find_head_problem(Matrix<double> const& joined, std::size_t heads, std::size_t head) {
    std::size_t const columns = joined.shape(1);
    Requirements requirements;
    requirements.require(heads != 0 && columns % heads == 0, "heads", {"is ", heads},
                         {columns, " columns must be shared out evenly"});
    requirements.require(head < heads, "head", {"is ", head}, {"there are ", heads, " heads"});
    return requirements.first_problem();
}

} // namespace

Matrix<double> seeded_embeddings(std::vector<std::string> const& tokens, std::size_t d_model, std::uint32_t seed,
                                 bool is_context) {
    auto const role = static_cast<std::uint64_t>(is_context ? Role::context : Role::embedding);
    Matrix<double> X = make_matrix<double>(tokens.size(), d_model);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        RandomStream stream(stream_key({seed, role, text_hash(tokens[i])}));
        double* const x = row_of(X, i);
        stream.fill_normal(x, d_model, 1, 1.0);
        double sum_of_squares = 0;
        for (std::size_t c = 0; c < d_model; ++c) {
            sum_of_squares += x[c] * x[c];
        }
        double const to_unit_mean_square = std::sqrt(static_cast<double>(d_model) / sum_of_squares);
        for (std::size_t c = 0; c < d_model; ++c) {
            x[c] *= to_unit_mean_square;
        }
    }
    return X;
}

ProjectionWeights seeded_weights(std::size_t d_model, std::size_t d_k, std::size_t d_v, std::uint32_t seed,
                                 std::size_t head) {
    return {seeded_matrix(d_model, d_k, seed, Role::query, head), seeded_matrix(d_model, d_k, seed, Role::key, head),
            seeded_matrix(d_model, d_v, seed, Role::value, head)};
}

Visibility kept_weights(std::size_t n_query, std::size_t n_key, double dropout, std::uint32_t seed, std::size_t head,
                        std::ptrdiff_t query_offset) {
    auto const first_query = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, query_offset));
    auto const first_key = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, -query_offset));
    Visibility kept = make_matrix<std::uint8_t>(n_query, n_key);
    for (std::size_t i = 0; i < n_query; ++i) {
        std::uint64_t const place = static_cast<std::uint64_t>(head) << 32 | (first_query + i);
        RandomStream stream(stream_key({seed, static_cast<std::uint64_t>(Role::dropout), place}));
        for (std::size_t j = 0; j < first_key; ++j) {
            stream.next_word();
        }
        for (std::size_t j = 0; j < n_key; ++j) {
            row_of(kept, i)[j] = stream.next_uniform() >= dropout;
        }
    }
    return kept;
}

Matrix<double> matrix_product(Matrix<double> const& left, Matrix<double> const& right) {
    throw_if_problem([&] {
        return problem_unless(left.shape(1) == right.shape(0), "right", {"has shape ", shape_of(right)},
                              {"left has shape ", shape_of(left), ", so it must have ", left.shape(1), " rows"});
    });
    std::size_t const columns = right.shape(1);
    Matrix<double> product = make_matrix<double>(left.shape(0), columns);
    for (std::size_t i = 0; i < left.shape(0); ++i) {
        double* const out = row_of(product, i);
        double const* const factors = row_of(left, i);
        for (std::size_t m = 0; m < left.shape(1); ++m) {
            axpy(columns, factors[m], row_of(right, m), out);
        }
    }
    return product;
}

Matrix<double> projected(Matrix<double> const& X, Matrix<double> const& W, Matrix<double> const& b) {
    Matrix<double> product = matrix_product(X, W);
    for (std::size_t i = 0; b.size() != 0 && i < X.shape(0); ++i) {
        axpy(b.size(), 1.0, b.data(), row_of(product, i));
    }
    return product;
}

Projections project(Matrix<double> const& X, ProjectionWeights const& weights) {
    return project(X, X, weights);
}

Projections project(Matrix<double> const& X, Matrix<double> const& context, ProjectionWeights const& weights) {
    return {
        projected(X, weights.W_q, weights.b_q),       // (T, d_k)
        projected(context, weights.W_k, weights.b_k), // (T_k, d_k)
        projected(context, weights.W_v, weights.b_v), // (T_k, d_v)
    };
}

Matrix<double> split_head(Matrix<double> const& joined, std::size_t heads, std::size_t head) {
    throw_if_problem([&] { return find_head_problem(joined, heads, head); });
    std::size_t const d = joined.shape(1) / heads;
    Matrix<double> part = make_matrix<double>(joined.shape(0), d);
    for (std::size_t i = 0; i < joined.shape(0); ++i) {
        std::copy_n(row_of(joined, i) + head * d, d, row_of(part, i));
    }
    return part;
}

void join_head(Matrix<double>& joined, std::size_t heads, std::size_t head, Matrix<double> const& part) {
    throw_if_problem([&] { return find_head_problem(joined, heads, head); });
    std::size_t const d = joined.shape(1) / heads;
    throw_if_problem([&] {
        return problem_unless(part.shape(0) == joined.shape(0) && part.shape(1) == d, "part",
                              {"has shape ", shape_of(part)},
                              {"the head's share is ", MessagePart(joined.shape(0), d)});
    });
    for (std::size_t i = 0; i < joined.shape(0); ++i) {
        std::copy_n(row_of(part, i), d, row_of(joined, i) + head * d);
    }
}

} // namespace attention
