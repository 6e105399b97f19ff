#include "widths.hpp"

#include <algorithm>

#include "attention.hpp"
#include "axpy.hpp"

namespace attention {
namespace {

/// Adds the products of column c, as `dot_products` adds them.
void add_column(Matrix<double>& scores, Projections const& columns, std::size_t c) {
    std::size_t const n_key = scores.shape(1);
    Vector<double> component = make_vector<double>(n_key);
    for (std::size_t j = 0; j < n_key; ++j) {
        component.data()[j] = row_of(columns.K, j)[c];
    }
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        axpy(n_key, row_of(columns.Q, i)[c], component.data(), row_of(scores, i));
    }
}

/// Q and K at the largest width, of which a smaller one has the first columns.
Projections nested_columns(LessonState const& state) {
    std::size_t const no_values = 0;
    ProjectionWeights weights = seeded_weights(state.d_model, largest_shown_width, no_values, state.seed, state.head);
    if (state.projections == ProjectionMode::shared) {
        weights.W_k = weights.W_q;
    }
    Matrix<double> const X = embeddings_for(state);
    return project(X, keys_source(X, context_for(state)), weights);
}

/// The scores without projections. Embeddings are not nested: each width has its own.
Matrix<double> scores_of_embeddings(LessonState const& state, std::size_t width) {
    Matrix<double> const X = seeded_embeddings(state.tokens, width, state.seed);
    return dot_products(X, keys_source(X, seeded_embeddings(state.context, width, state.seed, true)));
}

/// The largest weight of the state's row.
double peak_of(Matrix<double> const& scores, LessonState const& state, LayerSettings const& settings) {
    std::size_t const n_key = scores.shape(1);
    // A softmax along the keys needs the scores of its own row alone, and along the queries those of all.
    bool const is_row_alone = settings.softmax_axis == SoftmaxAxis::keys;
    std::size_t const n_query = is_row_alone ? 1 : scores.shape(0);
    std::size_t const first = is_row_alone ? state.row : 0;
    auto const offset = static_cast<std::ptrdiff_t>(first);
    HeadPass head;
    head.scores = make_matrix<double>(n_query, n_key);
    std::copy_n(row_of(scores, first), head.scores.size(), head.scores.data());
    Sight const sight = sight_of(settings, n_query, n_key, offset);
    weigh_scores(head, sight.visible, sight.softmax_sees, settings, state.head, offset);
    double const* const weights = row_of(head.weights, state.row - first); // 0 where hidden
    double peak = 0;
    for (std::size_t j = 0; j < n_key; ++j) {
        peak = maximum(peak, weights[j]);
    }
    return peak;
}

} // namespace

Matrix<double> widths(LessonState const& state) {
    throw_if_problem([&] { return find_problem(state); });
    std::size_t const end = are_scores_seeded(state) ? largest_shown_width + 1 : smallest_shown_width;
    Matrix<double> widths = make_matrix<double>(end - smallest_shown_width, 5);
    LayerSettings settings = layer_settings(state);
    Matrix<double> scores = make_matrix<double>(state.tokens.size(), key_count(state));
    Visibility const softmax_sees = sight_of(settings, scores.shape(0), scores.shape(1)).softmax_sees;
    bool const is_nested = state.projections != ProjectionMode::identity;
    Projections const columns = is_nested ? nested_columns(state) : Projections{};
    for (std::size_t d_k = 1; d_k < end; ++d_k) {
        if (is_nested) {
            add_column(scores, columns, d_k - 1);
        } else {
            scores = scores_of_embeddings(state, d_k);
        }
        if (d_k < smallest_shown_width) {
            continue;
        }
        double* figure = row_of(widths, d_k - smallest_shown_width);
        *figure++ = static_cast<double>(d_k);
        for (Divisor const divisor : {Divisor::sqrt, Divisor::none}) {
            settings.divisor = divisor_value(divisor, d_k);
            *figure++ = score_spread(divided_by(scores, settings.divisor), softmax_sees);
            *figure++ = peak_of(scores, state, settings);
        }
    }
    return widths;
}

} // namespace attention
