#include "gradient.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "axpy.hpp"

namespace attention {
namespace {

/// tableᵀ rows, that is sum_i table_ij rows_i for each j. An entry that is exactly 0 leaves its row unread, so that a
/// NaN in what is hidden cannot come through as 0 * NaN.
///
/// @param table (n, m)
/// @param rows  (n, d)
/// @return      (m, d)
template <class T> Matrix<T> transposed_product(Matrix<T> const& table, Matrix<T> const& rows) {
    std::size_t const d = rows.shape(1);
    Matrix<T> product = make_matrix<T>(table.shape(1), d);
    for (std::size_t i = 0; i < table.shape(0); ++i) {
        T const* const factors = row_of(table, i);
        T const* const in = row_of(rows, i);
        for (std::size_t j = 0; j < table.shape(1); ++j) {
            if (factors[j] != T(0)) {
                axpy(d, factors[j], in, row_of(product, j));
            }
        }
    }
    return product;
}

/// Back through the softmax, line by line: ds_j = p_j (dp_j - sum_l p_l dp_l).
///
/// The gradient at the line's largest weight is subtracted from all of them first, which changes nothing as the weights
/// sum to 1; but where one weight is nearly 1, the difference above would cancel to noise.
///
/// @param weights  (n_query, n_key); each line sums to 1, or is all 0
/// @param gradient (n_query, n_key); 0 where the weight can only be 0
template <class T> Matrix<T> softmax_gradient(Matrix<T> const& weights, Matrix<T> gradient, SoftmaxAxis axis) {
    bool const along_keys = axis == SoftmaxAxis::keys;
    std::size_t const n_key = weights.shape(1);
    std::size_t const lines = weights.shape(along_keys ? 0 : 1);
    std::size_t const stride = along_keys ? 1 : n_key; // from one entry of a line to its next
    std::size_t const end = stride * weights.shape(along_keys ? 1 : 0);
    for (std::size_t line = 0; line < lines; ++line) {
        std::size_t const first = line * (along_keys ? n_key : 1);
        T const* const p = weights.data() + first;
        T* const dp = gradient.data() + first;
        std::size_t peak = 0;
        for (std::size_t step = stride; step < end; step += stride) {
            peak = p[step] > p[peak] ? step : peak;
        }
        T const reference = dp[peak];
        T mean = T(0);
        for (std::size_t step = 0; step < end; step += stride) {
            mean += p[step] * (dp[step] - reference);
        }
        for (std::size_t step = 0; step < end; step += stride) {
            dp[step] = p[step] * ((dp[step] - reference) - mean); // ds, in dp's place
        }
    }
    return gradient;
}

/// Back through c * tanh(s / c), whose derivative is 1 - tanh²(s / c). What is 0 stays 0, whatever the score.
template <class T> void pass_softcap(Matrix<T>& gradient, Matrix<T> const& capped, T cap) {
    if (cap != T(0)) {
        for (std::size_t entry = 0; entry < gradient.size(); ++entry) {
            T const tangent = capped.data()[entry] / cap;
            if (gradient.data()[entry] != T(0)) {
                gradient.data()[entry] *= (1 - tangent) * (1 + tangent);
            }
        }
    }
}

/// Adds a matrix of the same shape.
void add_to(Matrix<double>& sum, Matrix<double> const& addend) {
    axpy(sum.size(), 1.0, addend.data(), sum.data());
}

/// Whether an output gradient has the output's shape and is finite.
template <class T>
Problem find_output_gradient_problem(Matrix<T> const& output_gradient, std::size_t rows, std::size_t columns) {
    Requirements requirements;
    requirements.require(output_gradient.shape(0) == rows && output_gradient.shape(1) == columns, "output_gradient",
                         {"has shape ", shape_of(output_gradient)}, {"the output has shape ", Part(rows, columns)});
    return requirements.hold() ? find_non_finite(output_gradient, "output_gradient", "is ", "it must be finite")
                               : requirements.first_problem();
}

} // namespace

template <class T>
Problem find_problem(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                     Matrix<T> const& output_gradient, AttentionOptions<T> const& options) {
    if (Problem forward = find_problem(query, key, value, options)) {
        return forward;
    }
    return find_output_gradient_problem(output_gradient, query.shape(0), value.shape(1));
}

template <class T> Problem find_overflow(AttentionGradients<T> const& gradients) {
    std::pair<char const*, Matrix<T> const*> const all[] = {{"the gradient of scores", &gradients.scores},
                                                            {"the gradient of query", &gradients.query},
                                                            {"the gradient of key", &gradients.key},
                                                            {"the gradient of value", &gradients.value}};
    for (auto const& [name, gradient] : all) {
        if (Problem problem = find_non_finite(*gradient, name, "overflows to ", "it must be finite")) {
            return problem;
        }
    }
    return {};
}

template <class T>
AttentionGradients<T> differentiate(Attention<T> const& stages, Matrix<T> const& query, Matrix<T> const& key,
                                    Matrix<T> const& value, Matrix<T> const& output_gradient,
                                    AttentionOptions<T> const& options) {
    AttentionGradients<T> gradients;
    gradients.value = transposed_product(stages.weights, output_gradient);                           // (n_key, d_v)
    Matrix<T> weights_gradient = clear_hidden(dot_products(output_gradient, value), stages.visible); // (n_query, n_key)
    gradients.scores = softmax_gradient(stages.weights, std::move(weights_gradient), SoftmaxAxis::keys);
    pass_softcap(gradients.scores, stages.capped, options.softcap);
    Matrix<T> const product_gradient = scaled_by(gradients.scores, scale_of(options, query.shape(1)));
    gradients.query = blend_values(product_gradient, key, stages.visible); // (n_query, d_k)
    gradients.key = transposed_product(product_gradient, query);           // (n_key, d_k)
    return gradients;
}

template <class T>
AttentionGradients<T> attention_gradients(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                          Matrix<T> const& output_gradient, AttentionOptions<T> const& options) {
    require_none([&] { return find_problem(query, key, value, output_gradient, options); });
    Attention<T> const stages = attend(query, key, value, options);
    require_none([&] { return find_overflow(stages); });
    AttentionGradients<T> gradients = differentiate(stages, query, key, value, output_gradient, options);
    require_none([&] { return find_overflow(gradients); });
    return gradients;
}

LayerGradients layer_gradients(Matrix<double> const& X, ProjectionWeights const& weights, LayerPass const& pass,
                               Matrix<double> const& output_gradient, LayerSettings const& settings) {
    require_none(
        [&] { return find_output_gradient_problem(output_gradient, pass.output.shape(0), pass.output.shape(1)); });
    std::size_t const n = X.shape(0);
    bool const blends_values = settings.blend == Blend::values;
    LayerGradients gradients{std::vector<Matrix<double>>(settings.heads),
                             make_matrix<double>(n, weights.W_q.shape(1)),
                             make_matrix<double>(n, weights.W_q.shape(1)),
                             make_matrix<double>(n, weights.W_v.shape(1)),
                             {},
                             {},
                             {},
                             {},
                             {}};
    if (!blends_values) {
        gradients.X_blended = make_matrix<double>(n, X.shape(1));
    }
    for (std::size_t h = 0; h < settings.heads; ++h) {
        HeadPass const& head = pass.heads[h];
        Matrix<double> const output = split_head(output_gradient, settings.heads, h); // (T, d_v)
        Matrix<double> const blended = transposed_product(head.weights, output);      // (T, d_v)
        if (blends_values) {
            join_head(gradients.V, settings.heads, h, blended);
        } else {
            add_to(gradients.X_blended, blended);
        }
        Matrix<double> weights_gradient = clear_hidden(dot_products(output, blends_values ? head.V : X), pass.visible);
        gradients.scores[h] =
            softmax_gradient(head.softmax.weights, std::move(weights_gradient), settings.softmax_axis);
        Matrix<double> const product_gradient = divided_by(gradients.scores[h], settings.divisor); // (T, T)
        join_head(gradients.Q, settings.heads, h, blend_values(product_gradient, head.K, pass.seen));
        join_head(gradients.K, settings.heads, h, transposed_product(product_gradient, head.Q));
    }
    if (settings.projections != ProjectionMode::identity) {
        gradients.W_q = transposed_product(X, gradients.Q); // (d_model, heads * d_k)
        gradients.W_k = transposed_product(X, gradients.K); // (d_model, heads * d_k)
        gradients.W_v = transposed_product(X, gradients.V); // (d_model, heads * d_v)
    }
    if (settings.projections == ProjectionMode::shared) {
        gradients.W_shared = gradients.W_q;
        add_to(gradients.W_shared, gradients.W_k);
        add_to(gradients.W_shared, gradients.W_v);
    }
    return gradients;
}

Matrix<double> embedding_gradient(LayerGradients const& gradients, ProjectionWeights const& weights) {
    Matrix<double> X = dot_products(gradients.Q, weights.W_q);
    add_to(X, dot_products(gradients.K, weights.W_k));
    add_to(X, dot_products(gradients.V, weights.W_v));
    if (gradients.X_blended.size() != 0) {
        add_to(X, gradients.X_blended);
    }
    return X;
}

double frobenius_norm(Matrix<double> const& matrix) {
    double sum_of_squares = 0;
    for (double const entry : matrix) {
        sum_of_squares += entry * entry;
    }
    return std::sqrt(sum_of_squares);
}

Problem find_problem(LessonState const& state, Matrix<double> const& output_gradient) {
    if (Problem problem = find_problem(state)) {
        return problem;
    }
    LayerPass const pass = layer(state).pass;
    Problem const overflow = find_overflow(pass);
    return overflow ? overflow
                    : find_output_gradient_problem(output_gradient, pass.output.shape(0), pass.output.shape(1));
}

LessonGradients lesson_gradients(LessonState const& state, Matrix<double> const& output_gradient) {
    require_none([&] { return find_problem(state, output_gradient); });
    Layer const layer = attention::layer(state);
    LessonGradients gradients;
    gradients.layer = layer_gradients(layer.X, layer.weights, layer.pass, output_gradient, layer_settings(state));
    gradients.X = embedding_gradient(gradients.layer, layer.weights);
    gradients.W_q_norm = frobenius_norm(gradients.layer.W_q);
    gradients.W_k_norm = frobenius_norm(gradients.layer.W_k);
    gradients.W_v_norm = frobenius_norm(gradients.layer.W_v);
    return gradients;
}

#define GRADIENT_INSTANTIATE(T)                                                                                        \
    template Problem find_problem(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&, Matrix<T> const&,              \
                                  AttentionOptions<T> const&);                                                         \
    template Problem find_overflow(AttentionGradients<T> const&);                                                      \
    template AttentionGradients<T> differentiate(Attention<T> const&, Matrix<T> const&, Matrix<T> const&,              \
                                                 Matrix<T> const&, Matrix<T> const&, AttentionOptions<T> const&);      \
    template AttentionGradients<T> attention_gradients(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&,           \
                                                       Matrix<T> const&, AttentionOptions<T> const&);
GRADIENT_INSTANTIATE(float)
GRADIENT_INSTANTIATE(double)
#undef GRADIENT_INSTANTIATE

} // namespace attention
