#include "attention.hpp"

#include <cmath>
#include <limits>

#include "axpy.hpp"
#include "elementary.hpp"
#include "heads.hpp"
#include "precision.hpp"

namespace attention {
namespace {

Matrix<double> softly_capped(Matrix<double> const& scores, double cap) {
    Matrix<double> capped = scores;
    if (cap != 0) {
        for (double& score : capped) {
            score = cap * hyperbolic_tangent(score / cap);
        }
    }
    return capped;
}

template <class T> Matrix<T> transpose_of(Matrix<T> const& matrix) {
    std::size_t const rows = matrix.shape(0);
    std::size_t const columns = matrix.shape(1);
    Matrix<T> transpose = make_matrix<T>(columns, rows);
    T* const entries = transpose.data();
    // Some rows at once, whose entries come to lie side by side: one by one they would lie a whole row apart.
    constexpr std::size_t at_once = rows_at_once == 1 ? 1 : 8;
    std::size_t first = 0;
    for (; at_once > 1 && first + at_once <= rows; first += at_once) {
        T const* const from = row_of(matrix, first);
        for (std::size_t j = 0; j < columns; ++j) {
            for (std::size_t i = 0; i < at_once; ++i) {
                entries[j * rows + first + i] = from[i * columns + j];
            }
        }
    }
    for (std::size_t i = first; i < rows; ++i) {
        T const* const row = row_of(matrix, i);
        for (std::size_t j = 0; j < columns; ++j) {
            entries[j * rows + i] = row[j];
        }
    }
    return transpose;
}

template <class T> Problem find_mask_problem(AttentionOptions<T> const& options, Visibility const& visible) {
    if (auto const* boolean = std::get_if<Visibility>(&options.mask)) {
        return attention::find_mask_problem(*boolean, visible);
    }
    if (auto const* additive = std::get_if<Matrix<T>>(&options.mask)) {
        return attention::find_mask_problem(*additive, visible);
    }
    return {};
}

/// A mean of finite values is finite, and is the largest number where rounding alone takes its sum beyond it.
template <class T> Matrix<T> kept_finite(Matrix<T> means) {
    constexpr T largest = std::numeric_limits<T>::max();
    for (T& mean : means) {
        mean = mean > largest ? largest : mean < -largest ? -largest : mean;
    }
    return means;
}

/// Applies the mask of the options, whose problems have been looked for.
template <class T> void apply_mask(AttentionOptions<T> const& options, Visibility& visible, Matrix<T>& scores) {
    if (auto const* boolean = std::get_if<Visibility>(&options.mask)) {
        hide_by_mask(visible, *boolean);
    } else if (auto const* additive = std::get_if<Matrix<T>>(&options.mask)) {
        add_mask(visible, scores, *additive);
    }
}

} // namespace

template <class T> Problem find_problem(ScoreTransform<T> const& transform, std::size_t d_k) {
    T const scale = scale_of(transform, d_k);
    double const softcap = transform.softcap;
    Requirements requirements;
    requirements.require(std::isfinite(scale), "scale", {"is ", scale}, {"must be finite"});
    requirements.require(std::isfinite(softcap), "softcap", {"is ", softcap}, {"must be 0 (off) or positive"});
    requirements.require(softcap >= 0, "softcap", {"is negative"}, {"must be 0 (off) or positive"});
    return requirements.first_problem();
}

template <class T> Matrix<T> dot_products(Matrix<T> const& query, Matrix<T> const& key) {
    if constexpr (is_narrow<T>) {
        return narrowed<T>(dot_products(widened(query), widened(key)));
    } else {
        std::size_t const n_query = query.shape(0);
        std::size_t const n_key = key.shape(0);
        std::size_t const d_k = query.shape(1);
        // A row of scores grows by one component of every key at a time, which a compiler can do several keys at once;
        // each score still adds its products one after the other.
        Matrix<T> const components = transpose_of(key); // (d_k, n_key)
        Matrix<T> scores = make_matrix<T>(n_query, n_key);
        for (std::size_t i = 0; i < n_query; ++i) {
            T* const s = row_of(scores, i);
            T const* const q = row_of(query, i);
            RowSum sum(n_key, s);
            for (std::size_t c = 0; c < d_k; ++c) {
                sum.add(q[c], row_of(components, c));
            }
            sum.finish();
        }
        return scores;
    }
}

template <class T> Matrix<T> scaled_by(Matrix<T> const& scores, T factor) {
    Matrix<T> scaled = scores;
    for (T& score : scaled) {
        score *= factor;
    }
    return scaled;
}

Matrix<double> divided_by(Matrix<double> matrix, double divisor) {
    for (double& entry : matrix) {
        entry /= divisor;
    }
    return matrix;
}

template <class T> Matrix<T> blend_values(Matrix<T> const& weights, Matrix<T> const& value, Visibility const& visible) {
    if constexpr (is_narrow<T>) {
        return narrowed<T>(blend_values(widened(weights), widened(value), visible));
    } else {
        std::size_t const d_v = value.shape(1);
        Matrix<T> output = make_matrix<T>(weights.shape(0), d_v);
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            T* const z = row_of(output, i);
            T const* const a = row_of(weights, i);
            std::uint8_t const* const is_visible = row_of(visible, i);
            RowSum sum(d_v, z);
            for (std::size_t j = 0; j < weights.shape(1); ++j) {
                if (is_visible[j] != 0) {
                    sum.add(a[j], row_of(value, j));
                }
            }
            sum.finish();
        }
        return output;
    }
}

template <class T>
Problem find_problem(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                     AttentionOptions<T> const& options) {
    if (Problem shapes = find_shape_problem(query, key, value)) {
        return shapes;
    }
    if (Problem option = find_problem<T>(options, query.shape(1))) {
        return option;
    }
    if (Problem rule = find_problem(options.rule, key.shape(0))) {
        return rule;
    }
    if (Problem mask = find_mask_problem(options, visibility(query.shape(0), key.shape(0), options.rule))) {
        return mask;
    }
    return find_number_problem(HeadCalls<T>(head_call(query, key, value, options)));
}

template <class T> std::optional<Overflow<T>> first_overflow(Attention<T> const& stages) {
    for (std::size_t i = 0; i < stages.masked.shape(0); ++i) {
        for (std::size_t j = 0; j < stages.masked.shape(1); ++j) {
            // Both are asked: a softcap makes an infinite score finite, an additive mask a finite one infinite.
            T const raw = stages.scores(i, j);
            T const score = std::isfinite(raw) ? stages.masked(i, j) : raw;
            if (stages.visible(i, j) != 0 && !std::isfinite(score)) {
                return Overflow<T>{i, j, score};
            }
        }
    }
    return {};
}

template <class T> Problem find_overflow(Attention<T> const& stages) {
    std::optional<Overflow<T>> const overflow = first_overflow(stages);
    return overflow ? Problem(describe_overflow(*overflow, 0, 0, 2)) : Problem();
}

template <class T>
Attention<T> attend(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                    AttentionOptions<T> const& options) {
    if constexpr (is_narrow<T>) {
        return narrowed<T>(attend(widened(query), widened(key), widened(value), widened(options)));
    } else {
        Attention<T> stages;
        stages.visible = visibility(query.shape(0), key.shape(0), options.rule);                // (n_query, n_key)
        stages.scores = scaled_by(dot_products(query, key), scale_of(options, query.shape(1))); // (n_query, n_key)
        stages.capped = softly_capped(stages.scores, options.softcap);                          // (n_query, n_key)
        stages.masked = stages.capped;                                                          // (n_query, n_key)
        apply_mask(options, stages.visible, stages.masked);
        stages.masked = hide_scores(stages.masked, stages.visible);
        if (!first_overflow(stages)) {
            stages.weights = softmax(stages.masked, stages.visible).weights;                  // (n_query, n_key)
            stages.output = kept_finite(blend_values(stages.weights, value, stages.visible)); // (n_query, d_v)
        }
        return stages;
    }
}

template <class T>
Attention<T> scaled_dot_product_attention(Matrix<T> const& query, Matrix<T> const& key, Matrix<T> const& value,
                                          AttentionOptions<T> const& options) {
    throw_if_problem([&] { return find_problem(query, key, value, options); });
    Attention<T> stages = attend(query, key, value, options);
    throw_if_problem([&] { return find_overflow(stages); });
    return stages;
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template Matrix<T> dot_products(Matrix<T> const&, Matrix<T> const&);                                               \
    template Matrix<T> scaled_by(Matrix<T> const&, T);                                                                 \
    template Matrix<T> blend_values(Matrix<T> const&, Matrix<T> const&, Visibility const&);                            \
    template Problem find_problem(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&, AttentionOptions<T> const&);   \
    template Problem find_problem(ScoreTransform<T> const&, std::size_t);                                              \
    template Problem find_overflow(Attention<T> const&);                                                               \
    template Attention<T> attend(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&, AttentionOptions<T> const&);    \
    template Attention<T> scaled_dot_product_attention(Matrix<T> const&, Matrix<T> const&, Matrix<T> const&,           \
                                                       AttentionOptions<T> const&);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

template std::optional<Overflow<float>> first_overflow(Attention<float> const&);
template std::optional<Overflow<double>> first_overflow(Attention<double> const&);

} // namespace attention
