#include "mask.hpp"

#include <cmath>
#include <limits>

namespace attention {
namespace {

template <class M> void require_broadcast(Requirements& requirements, M const& mask, Visibility const& visible) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        requirements.require(mask.shape(axis) == 1 || mask.shape(axis) == visible.shape(axis), "mask",
                             {"has shape ", shape_of(mask)},
                             {"must broadcast to (n_query, n_key) = ", shape_of(visible)});
    }
}

/// The entry of a mask that stands for (row, column) when axes of length 1 are repeated.
template <class M> auto broadcast_entry(M const& mask, std::size_t row, std::size_t column) {
    return mask(mask.shape(0) == 1 ? 0 : row, mask.shape(1) == 1 ? 0 : column);
}

template <class T> void fill_hidden(Matrix<T>& table, Visibility const& visible, T filling) {
    T* const entries = table.data();
    std::uint8_t const* const is_visible = visible.data();
    for (std::size_t entry = 0; entry < table.size(); ++entry) {
        entries[entry] = is_visible[entry] != 0 ? entries[entry] : filling;
    }
}

/// Whether a key is visible that lies so many places ahead of the query, or behind it where that is negative.
bool is_near(VisibilityRule const& rule, std::ptrdiff_t ahead) {
    bool const hidden = (rule.is_causal && ahead > 0) || (rule.left_window >= 0 && -ahead > rule.left_window) ||
                        (rule.right_window >= 0 && ahead > rule.right_window);
    return !hidden;
}

} // namespace

Problem find_problem(VisibilityRule const& rule, std::size_t n_key) {
    Requirements rules;
    rules.require(rule.left_window >= -1, "left_window", {"is ", rule.left_window},
                  {"must be -1 (no limit), 0 or more"});
    rules.require(rule.right_window >= -1, "right_window", {"is ", rule.right_window},
                  {"must be -1 (no limit), 0 or more"});
    rules.require(rule.query_offset >= -farthest_offset && rule.query_offset <= farthest_offset, "query_offset",
                  {"is ", rule.query_offset}, {"must be from ", -farthest_offset, " to ", farthest_offset});
    std::size_t const key_length = rule.key_length.value_or(0);
    rules.require(key_length <= n_key, "key_length", {"is ", key_length}, {"there are ", n_key, " keys"});
    return rules.first_problem();
}

bool is_visible(VisibilityRule const& rule, std::size_t query, std::size_t key) {
    std::ptrdiff_t const position = static_cast<std::ptrdiff_t>(query) + rule.query_offset;
    bool const is_valid = !rule.key_length || key < *rule.key_length;
    return is_valid && is_near(rule, static_cast<std::ptrdiff_t>(key) - position);
}

Visibility visibility(std::size_t n_query, std::size_t n_key, VisibilityRule const& rule) {
    throw_if_problem([&] { return find_problem(rule, n_key); });
    std::size_t const valid = rule.key_length.value_or(n_key);
    Visibility visible = make_matrix<std::uint8_t>(n_query, n_key);
    for (std::size_t i = 0; i < n_query; ++i) {
        std::ptrdiff_t const position = static_cast<std::ptrdiff_t>(i) + rule.query_offset;
        std::uint8_t* const row = row_of(visible, i);
        for (std::size_t j = 0; j < valid; ++j) {
            row[j] = is_near(rule, static_cast<std::ptrdiff_t>(j) - position) ? 1 : 0;
        }
    }
    return visible;
}

Problem find_mask_problem(Visibility const& mask, Visibility const& visible) {
    Requirements requirements;
    require_broadcast(requirements, mask, visible);
    return requirements.first_problem();
}

template <class T> Problem find_mask_problem(T entry, std::size_t query, std::size_t key) {
    if (std::isnan(entry) || entry == std::numeric_limits<T>::infinity()) {
        return describe_problem("mask", {"is ", entry, " for query ", query, ", key ", key},
                                {"must be finite, or -infinity to hide"});
    }
    return {};
}

template <class T> Problem find_mask_problem(Matrix<T> const& mask, Visibility const& visible) {
    Requirements requirements;
    require_broadcast(requirements, mask, visible);
    if (!requirements.hold()) {
        return requirements.first_problem();
    }
    for (std::size_t i = 0; i < visible.shape(0); ++i) {
        for (std::size_t j = 0; j < visible.shape(1); ++j) {
            if (Problem problem = find_mask_problem<T>(broadcast_entry(mask, i, j), i, j)) {
                return problem;
            }
        }
    }
    return {};
}

void hide_by_mask(Visibility& visible, Visibility const& mask) {
    throw_if_problem([&] { return find_mask_problem(mask, visible); });
    for (std::size_t i = 0; i < visible.shape(0); ++i) {
        for (std::size_t j = 0; j < visible.shape(1); ++j) {
            if (broadcast_entry(mask, i, j) == 0) {
                visible(i, j) = 0;
            }
        }
    }
}

template <class T> void add_mask(Visibility& visible, Matrix<T>& scores, Matrix<T> const& mask) {
    throw_if_problem([&] { return find_mask_problem(mask, visible); });
    for (std::size_t i = 0; i < visible.shape(0); ++i) {
        for (std::size_t j = 0; j < visible.shape(1); ++j) {
            T const entry = broadcast_entry(mask, i, j);
            if (entry <= static_cast<T>(hidden_below)) {
                visible(i, j) = 0;
            } else {
                scores(i, j) += entry;
            }
        }
    }
}

template <class T> Matrix<T> hide_scores(Matrix<T> const& scores, Visibility const& visible) {
    Matrix<T> masked = scores;
    fill_hidden(masked, visible, -std::numeric_limits<T>::infinity());
    return masked;
}

template <class T> Matrix<T> clear_hidden(Matrix<T> table, Visibility const& visible) {
    fill_hidden(table, visible, T(0));
    return table;
}

template Problem find_mask_problem(float, std::size_t, std::size_t);
template Problem find_mask_problem(double, std::size_t, std::size_t);
template Problem find_mask_problem(Matrix<float> const&, Visibility const&);
template Problem find_mask_problem(Matrix<double> const&, Visibility const&);
template void add_mask(Visibility&, Matrix<float>&, Matrix<float> const&);
template void add_mask(Visibility&, Matrix<double>&, Matrix<double> const&);
template Matrix<float> hide_scores(Matrix<float> const&, Visibility const&);
template Matrix<double> hide_scores(Matrix<double> const&, Visibility const&);
template Matrix<float> clear_hidden(Matrix<float>, Visibility const&);
template Matrix<double> clear_hidden(Matrix<double>, Visibility const&);

} // namespace attention
