// Attention and its gradients once more, in long double and straight from the formulas, out of nothing that the core
// has but its structs: a mistake that both of the core's paths share disagrees with this.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "calls.hpp"

namespace fuzzing {

using Number = long double;

/// (rows, columns), zeros at first.
struct Table {
    Table(std::size_t row_count, std::size_t column_count)
        : columns(column_count), entries(row_count * column_count, Number(0)) {}

    Number& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
    Number operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }

    std::size_t columns;
    std::vector<Number> entries;
};

/// What one head comes to, and of each number the sum of what it adds without the signs, which its roundings are
/// relative to.
struct Independent {
    Table output;
    Table query; // gradients
    Table key;
    Table value;
    Table query_size;
    Table key_size;
    Table value_size;
    Number largest_exponent = 0; // of any score before the largest is subtracted
};

template <class T> bool sees(HeadArguments<T> const& call, std::size_t query, std::size_t key) {
    VisibilityRule const& rule = call.options.rule;
    auto const ahead = static_cast<Number>(key) - static_cast<Number>(query) - static_cast<Number>(rule.query_offset);
    if ((rule.key_length && key >= *rule.key_length) || (rule.is_causal && ahead > 0) ||
        (rule.left_window >= 0 && -ahead > static_cast<Number>(rule.left_window)) ||
        (rule.right_window >= 0 && ahead > static_cast<Number>(rule.right_window))) {
        return false;
    }
    if (auto const* const boolean = std::get_if<Visibility>(&call.options.mask)) {
        return entry_of(*boolean, query, key) != 0;
    }
    auto const* const added = std::get_if<Matrix<T>>(&call.options.mask);
    return added == nullptr || static_cast<Number>(entry_of(*added, query, key)) > -1e9L;
}

/// @param output_gradient null where no gradients are wanted
template <class T> Independent independent(HeadArguments<T> const& call, Matrix<T> const* output_gradient) {
    std::size_t const n_query = call.query.shape(0);
    std::size_t const n_key = call.key.shape(0);
    std::size_t const d_k = call.query.shape(1);
    std::size_t const d_v = call.value.shape(1);
    Independent result{{n_query, d_v}, {n_query, d_k}, {n_key, d_k}, {n_key, d_v},
                       {n_query, d_k}, {n_key, d_k},   {n_key, d_v}};
    Number const scale =
        call.options.scale ? static_cast<Number>(*call.options.scale) : 1 / std::sqrt(static_cast<Number>(d_k));
    auto const cap = static_cast<Number>(call.options.softcap);
    auto const* const added = std::get_if<Matrix<T>>(&call.options.mask);
    for (std::size_t i = 0; i < n_query; ++i) {
        std::vector<std::size_t> seen;
        std::vector<Number> weight;
        std::vector<Number> slope; // of the cap
        Number largest = 0;
        for (std::size_t j = 0; j < n_key; ++j) {
            if (!sees(call, i, j)) {
                continue;
            }
            Number score = 0;
            for (std::size_t c = 0; c < d_k; ++c) {
                score += static_cast<Number>(call.query(i, c)) * static_cast<Number>(call.key(j, c));
            }
            score *= scale;
            result.largest_exponent = std::max(result.largest_exponent, std::fabs(score));
            Number const tangent = cap == 0 ? 0 : std::tanh(score / cap);
            score = cap == 0 ? score : cap * tangent;
            score += added == nullptr ? 0 : static_cast<Number>(entry_of(*added, i, j));
            largest = seen.empty() ? score : std::max(largest, score);
            seen.push_back(j);
            weight.push_back(score);
            slope.push_back(1 - tangent * tangent);
        }
        Number total = 0;
        for (Number& score : weight) {
            score = std::exp(score - largest);
            total += score;
        }
        Number mean = 0; // of the gradients of the weights, by the weights
        Number mean_size = 0;
        std::vector<Number> gradient(seen.size());
        std::vector<Number> gradient_size(seen.size());
        for (std::size_t at = 0; at < seen.size(); ++at) {
            weight[at] /= total;
            for (std::size_t c = 0; c < d_v; ++c) {
                auto const value = static_cast<Number>(call.value(seen[at], c));
                result.output(i, c) += weight[at] * value;
                if (output_gradient != nullptr) {
                    auto const of_output = static_cast<Number>((*output_gradient)(i, c));
                    result.value(seen[at], c) += weight[at] * of_output;
                    result.value_size(seen[at], c) += weight[at] * std::fabs(of_output);
                    gradient[at] += of_output * value;
                    gradient_size[at] += std::fabs(of_output * value);
                }
            }
            mean += weight[at] * gradient[at];
            mean_size += weight[at] * gradient_size[at];
        }
        for (std::size_t at = 0; output_gradient != nullptr && at < seen.size(); ++at) {
            Number const of_product = scale * slope[at] * weight[at] * (gradient[at] - mean);
            Number const size = std::fabs(scale) * weight[at] * (gradient_size[at] + mean_size);
            for (std::size_t c = 0; c < d_k; ++c) {
                auto const q = static_cast<Number>(call.query(i, c));
                auto const k = static_cast<Number>(call.key(seen[at], c));
                result.query(i, c) += of_product * k;
                result.query_size(i, c) += size * std::fabs(k);
                result.key(seen[at], c) += of_product * q;
                result.key_size(seen[at], c) += size * std::fabs(q);
            }
        }
    }
    return result;
}

/// What of an output is wrong beside the independent one, or "".
template <class T> std::string independent_difference(HeadArguments<T> const& call, Matrix<T> const& output) {
    Independent const exact = independent(call, static_cast<Matrix<T> const*>(nullptr));
    Visibility visible = make_matrix<std::uint8_t>(call.query.shape(0), call.key.shape(0));
    for (std::size_t i = 0; i < visible.shape(0); ++i) {
        for (std::size_t j = 0; j < visible.shape(1); ++j) {
            visible(i, j) = sees(call, i, j) ? 1 : 0;
        }
    }
    Matrix<T> rounded = make_matrix<T>(output.shape(0), output.shape(1));
    std::transform(exact.output.entries.begin(), exact.output.entries.end(), rounded.begin(),
                   [](Number entry) { return static_cast<T>(entry); });
    return difference(call, visible, output, rounded);
}

/// Requires a gradient of one head, computed in float64 and rounded to T.
template <class T>
void require_gradient(char const* type, char const* name, Matrix<T> const& found, Table const& exact, Table const& size,
                      Number amplification, Number least) {
    for (std::size_t entry = 0; entry < exact.entries.size(); ++entry) {
        Number const expected = exact.entries[entry];
        Number const allowed = static_cast<Number>(std::numeric_limits<T>::epsilon()) * std::fabs(expected) +
                               amplification * size.entries[entry] + least;
        Number const number = static_cast<Number>(found.data()[entry]);
        if (!(std::fabs(number - expected) <= allowed)) {
            std::array<char, 200> text{};
            std::snprintf(text.data(), text.size(),
                          "entry %zu of the gradient of %s is %.17Lg instead of %.17Lg +- %.3Lg", entry, name, number,
                          expected, allowed);
            fail(type, "beside the independent answer", text.data());
        }
    }
}

/// What products may lose that fall below the smallest number, on their way through sums and further products.
template <class T> Number least_of(HeadArguments<T> const& call, Matrix<T> const& output_gradient) {
    Number largest = 1;
    for (Matrix<T> const* const matrix : {&call.query, &call.key, &call.value, &output_gradient}) {
        for (T const entry : *matrix) {
            largest = std::isfinite(entry) ? std::max(largest, std::fabs(static_cast<Number>(entry))) : largest;
        }
    }
    auto const terms = static_cast<Number>(call.query.size() + call.key.size() + call.value.size());
    return static_cast<Number>(tiny<double>) * terms * largest * largest + static_cast<Number>(tiny<T>);
}

/// How many float64 roundings, relative to the sums without signs, gradients may be off by: those of sums, and what a
/// score's own make of its exponential.
template <class T> Number amplification_of(HeadArguments<T> const& call, Independent const& exact) {
    auto const terms =
        static_cast<Number>(call.query.shape(0) + call.key.shape(0) + call.query.shape(1) + call.value.shape(1));
    Number largest_mask = 0;
    if (auto const* const added = std::get_if<Matrix<T>>(&call.options.mask)) {
        for (T const entry : *added) {
            largest_mask = std::max(largest_mask, entry > T(-1e9) ? std::fabs(static_cast<Number>(entry)) : Number(0));
        }
    }
    Number products = 0; // the largest |q| |k| that a score may add up to and cancel
    for (T const q : call.query) {
        for (T const k : call.key) {
            products = std::max(products, std::fabs(static_cast<Number>(q) * static_cast<Number>(k)));
        }
    }
    Number const scale = call.options.scale ? std::fabs(static_cast<Number>(*call.options.scale)) : Number(1);
    auto const d_k = static_cast<Number>(call.query.shape(1));
    Number const score_size = d_k * d_k * scale * products;
    auto const cap = static_cast<Number>(call.options.softcap);
    // A cap that is far smaller than a score's own roundings turns those into any slope.
    Number const of_cap = cap == 0 ? Number(0) : score_size / cap;
    return static_cast<Number>(std::numeric_limits<double>::epsilon()) * 16 *
           (terms + score_size + of_cap + exact.largest_exponent + largest_mask);
}

} // namespace fuzzing
