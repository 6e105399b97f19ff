#include "attention.hpp"

#include <cmath>

namespace attention {
namespace {

template <class T> Matrix<T> softly_capped(Matrix<T> const& scores, T cap) {
    Matrix<T> capped = scores;
    if (cap != T(0)) {
        for (T& score : capped) {
            score = cap * std::tanh(score / cap);
        }
    }
    return capped;
}

template <class T> void require_finite_row(char const* name, Matrix<T> const& matrix, std::size_t row) {
    for (std::size_t column = 0; column < matrix.shape(1); ++column) {
        if (!std::isfinite(matrix(row, column))) {
            refuse(name, {"is ", matrix(row, column), " at ", Part(row, column)}, {"what a query sees must be finite"});
        }
    }
}

/// Names the tensor to blame for a score that is not finite, rather than the score.
template <class T>
void require_finite_where_visible(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                  Matrix<T> const& scores, Matrix<T> const& masked, Visibility const& visible) {
    for (std::size_t j = 0; j < key.shape(0); ++j) {
        bool seen = false;
        for (std::size_t i = 0; i < query.shape(0); ++i) {
            if (visible(i, j) == 0) {
                continue;
            }
            seen = true;
            // Both are asked: a softcap makes an infinite score finite, an additive mask a finite one infinite.
            T const score = std::isfinite(scores(i, j)) ? masked(i, j) : scores(i, j);
            if (!std::isfinite(score)) {
                require_finite_row("query", query, i);
                require_finite_row("key", key, j);
                refuse("scores", {"overflow to ", score, " at ", Part(i, j)}, {"a visible score must be finite"});
            }
        }
        if (seen) {
            require_finite_row("value", value, j);
        }
    }
}

} // namespace

template <class T> Matrix<T> dot_products(Matrix<T> const& query, Matrix<T> const& key) {
    std::size_t const n_query = query.shape(0);
    std::size_t const n_key = key.shape(0);
    std::size_t const d_k = query.shape(1);
    Matrix<T> scores = make_matrix<T>(n_query, n_key);
    for (std::size_t i = 0; i < n_query; ++i) {
        T const* const q = row_of(query, i);
        for (std::size_t j = 0; j < n_key; ++j) {
            T const* const k = row_of(key, j);
            T score = T(0);
            for (std::size_t c = 0; c < d_k; ++c) {
                score += q[c] * k[c];
            }
            scores(i, j) = score;
        }
    }
    return scores;
}

template <class T> Matrix<T> scaled_by(Matrix<T> const& scores, T factor) {
    Matrix<T> scaled = scores;
    for (T& score : scaled) {
        score *= factor;
    }
    return scaled;
}

template <class T> Matrix<T> blend_values(Matrix<T> const& weights, Matrix<T> const& value, Visibility const& visible) {
    std::size_t const d_v = value.shape(1);
    Matrix<T> output = make_matrix<T>(weights.shape(0), d_v);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        T* const z = row_of(output, i);
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            if (visible(i, j) != 0) {
                T const weight = weights(i, j);
                T const* const v = row_of(value, j);
                for (std::size_t c = 0; c < d_v; ++c) {
                    z[c] += weight * v[c];
                }
            }
        }
    }
    return output;
}

template <class T>
Attention<T> scaled_dot_product_attention(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                          AttentionOptions<T> const& options) {
    require_attention_shapes(query, key, value);
    T const scale = options.scale.value_or(T(1) / std::sqrt(static_cast<T>(query.shape(1))));
    if (!std::isfinite(scale)) {
        refuse("scale", {"is ", scale}, {"must be finite"});
    }
    if (!std::isfinite(options.softcap)) {
        refuse("softcap", {"is ", options.softcap}, {"must be 0 (off) or positive"});
    }
    if (options.softcap < T(0)) {
        refuse("softcap", {"is negative"}, {"must be 0 (off) or positive"});
    }

    Attention<T> stages;
    stages.visible = visibility(query.shape(0), key.shape(0), options.rule); // (n_query, n_key)
    stages.scores = scaled_by(dot_products(query, key), scale);              // (n_query, n_key)
    stages.capped = softly_capped(stages.scores, options.softcap);           // (n_query, n_key)
    stages.masked = stages.capped;                                           // (n_query, n_key)
    if (auto const* boolean = std::get_if<Visibility>(&options.mask)) {
        hide_by_mask(stages.visible, *boolean);
    } else if (auto const* additive = std::get_if<Matrix<T>>(&options.mask)) {
        add_mask(stages.visible, stages.masked, *additive);
    }
    stages.masked = hide_scores(stages.masked, stages.visible);
    require_finite_where_visible(query, key, value, stages.scores, stages.masked, stages.visible);
    stages.weights = softmax(stages.masked, stages.visible).weights;     // (n_query, n_key)
    stages.output = blend_values(stages.weights, value, stages.visible); // (n_query, d_v)
    return stages;
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template Matrix<T> dot_products(Matrix<T> const&, Matrix<T> const&);                                               \
    template Matrix<T> scaled_by(Matrix<T> const&, T);                                                                 \
    template Matrix<T> blend_values(Matrix<T> const&, Matrix<T> const&, Visibility const&);                            \
    template Attention<T> scaled_dot_product_attention(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&,           \
                                                       AttentionOptions<T> const&);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
