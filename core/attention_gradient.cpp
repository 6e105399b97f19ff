#include "attention_gradient.hpp"

#include <algorithm>
#include <utility>

#include "axpy.hpp"
#include "elementary.hpp"
#include "precision.hpp"

namespace attention {
namespace {

/// Back through c * tanh(s / c), whose derivative is 1 - tanh²(s / c). What is 0 stays 0, whatever the score.
void pass_softcap(Matrix<double>& gradient, Matrix<double> const& scores, double cap) {
    if (cap != 0) {
        for (std::size_t entry = 0; entry < gradient.size(); ++entry) {
            double const tangent = hyperbolic_tangent(scores.data()[entry] / cap);
            if (gradient.data()[entry] != 0) {
                gradient.data()[entry] *= (1 - tangent) * (1 + tangent);
            }
        }
    }
}

template <class T> Attention<double> wide_stages(Attention<T> const& stages) {
    return {stages.visible,         widened(stages.scores),  widened(stages.capped),
            widened(stages.masked), widened(stages.weights), widened(stages.output)};
}

template <class T> AttentionGradients<T> as(AttentionGradients<double> gradients) {
    return {narrowed<T>(std::move(gradients.query)), narrowed<T>(std::move(gradients.key)),
            narrowed<T>(std::move(gradients.value)), narrowed<T>(std::move(gradients.scores))};
}

} // namespace

template <class T> Matrix<T> transposed_product(Matrix<T> const& table, Matrix<T> const& rows) {
    if constexpr (is_narrow<T>) {
        return narrowed<T>(transposed_product(widened(table), widened(rows)));
    } else {
        std::size_t const d = rows.shape(1);
        Matrix<T> product = make_matrix<T>(table.shape(1), d);
        std::size_t const n = table.shape(0);
        std::size_t const m = table.shape(1);
        for (std::size_t first = 0; rows_at_once > 1 && first < n; first += rows_at_once) {
            std::size_t const count = std::min(rows_at_once, n - first);
            T const* const factors = row_of(table, first);
            for (std::size_t j = 0; j < m; ++j) {
                RowSum sum(d, row_of(product, j));
                for (std::size_t row = 0; row < count; ++row) {
                    if (factors[row * m + j] != T(0)) {
                        sum.add(factors[row * m + j], row_of(rows, first + row));
                    }
                }
                sum.finish();
            }
        }
        for (std::size_t i = 0; rows_at_once == 1 && i < n; ++i) { // the same with less code
            T const* const factors = row_of(table, i);
            T const* const in = row_of(rows, i);
            for (std::size_t j = 0; j < m; ++j) {
                if (factors[j] != T(0)) {
                    axpy(d, factors[j], in, row_of(product, j));
                }
            }
        }
        return product;
    }
}

template <class T> Matrix<T> softmax_gradient(Matrix<T> const& weights, Matrix<T> gradient, SoftmaxAxis axis) {
    if constexpr (is_narrow<T>) {
        return narrowed<T>(softmax_gradient(widened(weights), widened(gradient), axis));
    } else {
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
}

template <class T>
Problem find_output_gradient_problem(Matrix<T> const& output_gradient, std::size_t rows, std::size_t columns) {
    Requirements requirements;
    requirements.require(output_gradient.shape(0) == rows && output_gradient.shape(1) == columns, "output_gradient",
                         {"has shape ", shape_of(output_gradient)},
                         {"the output has shape ", MessagePart(rows, columns)});
    return requirements.hold() ? find_non_finite(output_gradient, "output_gradient", "is ", "it must be finite")
                               : requirements.first_problem();
}

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
    if constexpr (is_narrow<T>) {
        return as<T>(differentiate(wide_stages(stages), widened(query), widened(key), widened(value),
                                   widened(output_gradient), widened(options)));
    } else {
        AttentionGradients<T> gradients;
        gradients.value = transposed_product(stages.weights, output_gradient); // (n_key, d_v)
        Matrix<T> weights_gradient =
            clear_hidden(dot_products(output_gradient, value), stages.visible); // (n_query, n_key)
        gradients.scores = softmax_gradient(stages.weights, std::move(weights_gradient), SoftmaxAxis::keys);
        pass_softcap(gradients.scores, stages.scores, options.softcap);
        Matrix<T> const product_gradient = scaled_by(gradients.scores, scale_of(options, query.shape(1)));
        gradients.query = blend_values(product_gradient, key, stages.visible); // (n_query, d_k)
        gradients.key = transposed_product(product_gradient, query);           // (n_key, d_k)
        return gradients;
    }
}

template <class T>
AttentionGradients<T> attention_gradients(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                          Matrix<T> const& output_gradient, AttentionOptions<T> const& options) {
    throw_if_problem([&] { return find_problem(query, key, value, output_gradient, options); });
    AttentionOptions<double> const wide_options = widened(options);
    Attention<double> const stages = attend(widened(query), widened(key), widened(value), wide_options);
    throw_if_problem([&] { return find_overflow(narrowed<T>(stages)); });
    AttentionGradients<T> gradients = as<T>(
        differentiate(stages, widened(query), widened(key), widened(value), widened(output_gradient), wide_options));
    throw_if_problem([&] { return find_overflow(gradients); });
    return gradients;
}

#define GRADIENT_INSTANTIATE(T)                                                                                        \
    template Matrix<T> transposed_product(Matrix<T> const&, Matrix<T> const&);                                         \
    template Matrix<T> softmax_gradient(Matrix<T> const&, Matrix<T>, SoftmaxAxis);                                     \
    template Problem find_output_gradient_problem(Matrix<T> const&, std::size_t, std::size_t);                         \
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
