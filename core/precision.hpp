// From float32 to float64 and back. The readable path and all gradients compute float32 in float64 and round each
// result once, so that sums keep their digits however many terms they have.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "attention.hpp"
#include "score_rule.hpp"
#include "tensor.hpp"

namespace attention {

template <class T> constexpr bool is_narrow = !std::is_same_v<T, double>;

/// The same numbers; every float32 is a float64.
template <class T> Matrix<double> widened(Matrix<T> const& matrix) {
    Matrix<double> wide = Matrix<double>::from_shape(matrix.shape());
    std::transform(matrix.begin(), matrix.end(), wide.begin(), [](T entry) { return static_cast<double>(entry); });
    return wide;
}

template <class T> ScoreTransform<double> widened(ScoreTransform<T> const& transform) {
    ScoreTransform<double> wide;
    if (transform.scale) {
        wide.scale = static_cast<double>(*transform.scale);
    }
    wide.softcap = transform.softcap;
    return wide;
}

template <class T> AttentionOptions<double> widened(AttentionOptions<T> const& options) {
    AttentionOptions<double> wide{widened<T>(static_cast<ScoreTransform<T> const&>(options)), options.rule, {}};
    if (auto const* boolean = std::get_if<Visibility>(&options.mask)) {
        wide.mask = *boolean;
    } else if (auto const* additive = std::get_if<Matrix<T>>(&options.mask)) {
        wide.mask = widened(*additive);
    }
    return wide;
}

/// Every entry rounded to the nearest T; infinite where it is beyond T's range.
template <class T> Matrix<T> narrowed(Matrix<double> matrix) {
    if constexpr (is_narrow<T>) {
        Matrix<T> narrow = Matrix<T>::from_shape(matrix.shape());
        std::transform(matrix.begin(), matrix.end(), narrow.begin(),
                       [](double entry) { return static_cast<T>(entry); });
        return narrow;
    } else {
        return matrix;
    }
}

/// Stages as T. They end where a visible score overflows, as those of `attend` do.
template <class T> Attention<T> narrowed(Attention<double> stages) {
    if constexpr (is_narrow<T>) {
        Attention<T> narrow{std::move(stages.visible),
                            narrowed<T>(std::move(stages.scores)),
                            narrowed<T>(std::move(stages.capped)),
                            narrowed<T>(std::move(stages.masked)),
                            {},
                            {}};
        if (!first_overflow(narrow)) {
            narrow.weights = narrowed<T>(std::move(stages.weights));
            narrow.output = narrowed<T>(std::move(stages.output));
        }
        return narrow;
    } else {
        return stages;
    }
}

} // namespace attention
