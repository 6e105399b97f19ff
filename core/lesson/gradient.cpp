#include "gradient.hpp"

#include <cmath>

#include "axpy.hpp"

namespace attention {
namespace {

/// Adds a matrix of the same shape.
void add_to(Matrix<double>& sum, Matrix<double> const& addend) {
    axpy(sum.size(), 1.0, addend.data(), sum.data());
}

/// What reaches embeddings through keys and values, and by being blended.
void add_past_query(Matrix<double>& sum, LayerGradients const& gradients, ProjectionWeights const& weights) {
    add_to(sum, dot_products(gradients.K, weights.W_k));
    add_to(sum, dot_products(gradients.V, weights.W_v));
    if (gradients.X_blended.size() != 0) {
        add_to(sum, gradients.X_blended);
    }
}

/// Where there is a bias, its gradient: the sum of the rows, (T, d) gives (1, d).
void sum_rows(Matrix<double>& sum, Matrix<double> const& rows, Matrix<double> const& bias) {
    if (bias.size() != 0) {
        sum = make_matrix<double>(1, bias.size());
        for (std::size_t i = 0; i < rows.shape(0); ++i) {
            axpy(sum.size(), 1.0, row_of(rows, i), sum.data());
        }
    }
}

/// The three roles' sum.
Matrix<double> sum_of_roles(Matrix<double> const& query, Matrix<double> const& key, Matrix<double> const& value) {
    Matrix<double> sum = query;
    add_to(sum, key);
    add_to(sum, value);
    return sum;
}

} // namespace

LayerGradients layer_gradients(Matrix<double> const& X, ProjectionWeights const& weights, LayerPass const& pass,
                               Matrix<double> const& output_gradient, LayerSettings const& settings,
                               Matrix<double> const& context) {
    throw_if_problem(
        [&] { return find_output_gradient_problem(output_gradient, pass.output.shape(0), pass.output.shape(1)); });
    std::size_t const n = X.shape(0);
    Matrix<double> const& source = keys_source(X, context);
    std::size_t const n_key = source.shape(0);
    bool const blends_values = settings.blend == Blend::values;
    LayerGradients gradients{std::vector<Matrix<double>>(settings.heads),
                             make_matrix<double>(n, weights.W_q.shape(1)),
                             make_matrix<double>(n_key, weights.W_q.shape(1)),
                             make_matrix<double>(n_key, weights.W_v.shape(1)),
                             {},
                             {},
                             {},
                             {},
                             {},
                             context.size() != 0};
    if (!blends_values) {
        gradients.X_blended = make_matrix<double>(n_key, X.shape(1));
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
        Matrix<double> weights_gradient =
            clear_hidden(dot_products(output, blends_values ? head.V : source), pass.visible);
        apply_dropout(weights_gradient, head.kept, settings.dropout);
        gradients.scores[h] =
            softmax_gradient(head.softmax.weights, std::move(weights_gradient), settings.softmax_axis);
        Matrix<double> const product_gradient = divided_by(gradients.scores[h], settings.divisor); // (T, T)
        join_head(gradients.Q, settings.heads, h, blend_values(product_gradient, head.K, pass.softmax_sees));
        join_head(gradients.K, settings.heads, h, transposed_product(product_gradient, head.Q));
    }
    if (settings.projections != ProjectionMode::identity) {
        gradients.W_q = transposed_product(X, gradients.Q);      // (d_model, heads * d_k)
        gradients.W_k = transposed_product(source, gradients.K); // (d_model, heads * d_k)
        gradients.W_v = transposed_product(source, gradients.V); // (d_model, heads * d_v)
    }
    sum_rows(gradients.b_q, gradients.Q, weights.b_q);
    sum_rows(gradients.b_k, gradients.K, weights.b_k);
    sum_rows(gradients.b_v, gradients.V, weights.b_v);
    if (settings.projections == ProjectionMode::shared) {
        gradients.W_shared = sum_of_roles(gradients.W_q, gradients.W_k, gradients.W_v);
        gradients.b_shared = sum_of_roles(gradients.b_q, gradients.b_k, gradients.b_v);
    }
    return gradients;
}

Matrix<double> embedding_gradient(LayerGradients const& gradients, ProjectionWeights const& weights) {
    Matrix<double> X = dot_products(gradients.Q, weights.W_q);
    if (!gradients.has_context) {
        add_past_query(X, gradients, weights);
    }
    return X;
}

Matrix<double> context_gradient(LayerGradients const& gradients, ProjectionWeights const& weights) {
    Matrix<double> context = make_matrix<double>(gradients.K.shape(0), weights.W_k.shape(0));
    add_past_query(context, gradients, weights);
    return context;
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
    throw_if_problem([&] { return find_problem(state, output_gradient); });
    Layer const layer = attention::layer(state);
    LessonGradients gradients;
    gradients.layer =
        layer_gradients(layer.X, layer.weights, layer.pass, output_gradient, layer_settings(state), layer.context);
    gradients.X = embedding_gradient(gradients.layer, layer.weights);
    if (gradients.layer.has_context) {
        gradients.context = context_gradient(gradients.layer, layer.weights);
    }
    gradients.W_q_norm = frobenius_norm(gradients.layer.W_q);
    gradients.W_k_norm = frobenius_norm(gradients.layer.W_k);
    gradients.W_v_norm = frobenius_norm(gradients.layer.W_v);
    return gradients;
}

} // namespace attention
