#include "softmax.hpp"

#include "elementary.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

template <class T> Problem find_problem(Matrix<T> const& scores, Visibility const& visible) {
    if (scores.shape() != visible.shape()) {
        return describe_problem("visible", {"has shape ", shape_of(visible)}, {"scores has shape ", shape_of(scores)});
    }
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (visible(i, j) != 0 && !std::isfinite(scores(i, j))) {
                return describe_problem("scores", {"is ", scores(i, j), " for query ", i, ", key ", j},
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

} // namespace

template <class T>
Softmax<T> softmax(Matrix<T> const& scores, Visibility const& visible, SoftmaxAxis axis, SoftmaxForm form) {
    require_none([&] { return find_problem(scores, visible); });
    std::size_t const n_query = scores.shape(0);
    std::size_t const n_key = scores.shape(1);
    bool const along_keys = axis == SoftmaxAxis::keys;
    std::size_t const lines = along_keys ? n_query : n_key;
    std::size_t const length = along_keys ? n_key : n_query;
    Softmax<T> result{make_matrix<T>(n_query, n_key), make_matrix<T>(n_query, n_key), make_vector<T>(lines),
                      make_vector<T>(lines)};

    for (std::size_t line = 0; line < lines; ++line) {
        auto const row = [&](std::size_t step) { return along_keys ? line : step; };
        auto const column = [&](std::size_t step) { return along_keys ? step : line; };

        // Hidden lines are found by counting what is visible, never by the value of a maximum.
        bool any_visible = false;
        T largest = T(0);
        for (std::size_t step = 0; step < length; ++step) {
            if (visible(row(step), column(step)) != 0) {
                T const score = scores(row(step), column(step));
                largest = any_visible ? std::max(largest, score) : score;
                any_visible = true;
            }
        }
        if (!any_visible) {
            continue;
        }

        T const reference = form == SoftmaxForm::stable ? largest : T(0);
        T total = T(0);
        for (std::size_t step = 0; step < length; ++step) {
            if (visible(row(step), column(step)) != 0) {
                T raised = exponential(scores(row(step), column(step)) - reference);
                if (form == SoftmaxForm::naive) {
                    raised = in_half_precision_range(raised);
                }
                result.exponentials(row(step), column(step)) = raised;
                total += raised;
            }
        }
        for (std::size_t step = 0; step < length; ++step) {
            if (visible(row(step), column(step)) != 0) {
                result.weights(row(step), column(step)) = result.exponentials(row(step), column(step)) / total;
            }
        }
        result.reference(line) = reference;
        result.total(line) = total;
    }
    return result;
}

template Softmax<float> softmax(Matrix<float> const&, Visibility const&, SoftmaxAxis, SoftmaxForm);
template Softmax<double> softmax(Matrix<double> const&, Visibility const&, SoftmaxAxis, SoftmaxForm);

} // namespace attention
