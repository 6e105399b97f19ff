#include "softmax.hpp"

#include "elementary.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

#include "precision.hpp"

namespace attention {
namespace {

template <class T> Problem find_problem(Matrix<T> const& scores, Visibility const& visible) {
    if (scores.shape() != visible.shape()) {
        return describe_problem("visible", {"has shape ", shape_of(visible)}, {"scores has shape ", shape_of(scores)});
    }
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        T const* const score = row_of(scores, i);
        std::uint8_t const* const is_visible = row_of(visible, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (is_visible[j] != 0 && !std::isfinite(score[j])) {
                return describe_problem("scores", {"is ", score[j], " for query ", i, ", key ", j},
                                        {"a visible score must be finite"});
            }
        }
    }
    return {};
}

/// What is left of a number where only half precision's range can hold it.
template <class T> T in_half_precision_range(T number) {
    return number > static_cast<T>(half_precision_largest)      ? std::numeric_limits<T>::infinity()
           : number < static_cast<T>(half_precision_zero_below) ? T(0)
                                                                : number;
}

template <class T> Softmax<T> rounded(Softmax<double> const& wide) {
    return {narrowed<T>(wide.weights), narrowed<T>(wide.exponentials), wide.reference, wide.total};
}

} // namespace

template <class T> T exponential_in(SoftmaxForm form, T shifted) {
    T const raised = exponential(shifted);
    return form == SoftmaxForm::naive ? in_half_precision_range(raised) : raised;
}

template <class T>
Softmax<T> softmax(Matrix<T> const& scores, Visibility const& visible, SoftmaxAxis axis, SoftmaxForm form) {
    if constexpr (is_narrow<T>) {
        return rounded<T>(softmax(widened(scores), visible, axis, form));
    } else {
        throw_if_problem([&] { return find_problem(scores, visible); });
        std::size_t const n_query = scores.shape(0);
        std::size_t const n_key = scores.shape(1);
        bool const along_keys = axis == SoftmaxAxis::keys;
        std::size_t const lines = along_keys ? n_query : n_key;
        std::size_t const stride = along_keys ? 1 : n_key; // from one entry of a line to its next
        std::size_t const end = stride * (along_keys ? n_key : n_query);
        Softmax<T> result{make_matrix<T>(n_query, n_key), make_matrix<T>(n_query, n_key), make_vector<T>(lines),
                          make_vector<T>(lines)};

        for (std::size_t line = 0; line < lines; ++line) {
            std::size_t const first = line * (along_keys ? n_key : 1);
            T const* const score = scores.data() + first;
            std::uint8_t const* const is_visible = visible.data() + first;
            T* const exponential_of = result.exponentials.data() + first;
            T* const weight = result.weights.data() + first;

            // Hidden lines are found by counting what is visible, never by the value of a maximum.
            bool any_visible = false;
            T largest = T(0);
            for (std::size_t step = 0; step < end; step += stride) {
                if (is_visible[step] != 0) {
                    largest = any_visible ? std::max(largest, score[step]) : score[step];
                    any_visible = true;
                }
            }
            if (!any_visible) {
                continue;
            }

            T const reference = form == SoftmaxForm::stable ? largest : T(0);
            T total = T(0);
            for (std::size_t step = 0; step < end; step += stride) {
                if (is_visible[step] != 0) {
                    exponential_of[step] = exponential_in(form, score[step] - reference);
                    total += exponential_of[step];
                }
            }
            for (std::size_t step = 0; step < end; step += stride) {
                if (is_visible[step] != 0) {
                    weight[step] = exponential_of[step] / total;
                }
            }
            result.reference(line) = reference;
            result.total(line) = total;
        }
        return result;
    }
}

template float exponential_in(SoftmaxForm, float);
template double exponential_in(SoftmaxForm, double);
template Softmax<float> softmax(Matrix<float> const&, Visibility const&, SoftmaxAxis, SoftmaxForm);
template Softmax<double> softmax(Matrix<double> const&, Visibility const&, SoftmaxAxis, SoftmaxForm);

} // namespace attention
