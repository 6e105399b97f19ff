#include "layer_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attention.hpp"
#include "mask.hpp"

namespace attention {
namespace {

/// A visible score that is not finite, or nothing.
Problem find_score_overflow(HeadPass const& head, Visibility const& softmax_sees) {
    return find_non_finite(head.masked, "scores", "overflow to ", "a visible score must be finite", &softmax_sees);
}

/// How many of n queries the softmax lets see a key that is no padding.
std::size_t queries_that_see(std::size_t key, std::size_t n, LayerSettings const& settings) {
    bool const is_open = settings.mask == LessonMask::none || settings.mask == LessonMask::late;
    std::size_t const from_key_on = std::max(n, key) - key;
    return is_open ? n : std::min(from_key_on, settings.mask == LessonMask::window ? settings.window : n);
}

} // namespace

Problem find_problem(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings,
                     Matrix<double> const& context) {
    auto const& [W_q, W_k, W_v, b_q, b_k, b_v] = weights;
    std::size_t const d_model = X.shape(1);
    std::size_t const heads = settings.heads;
    Requirements requirements;
    requirements.require(X.size() != 0, "X", {"has shape ", shape_of(X)}, {"every axis must be at least 1"});
    requirements.require(context.size() == 0 || context.shape(1) == d_model, "context",
                         {"has shape ", shape_of(context)}, {"X has d_model = ", d_model});
    requirements.require(W_q.shape(0) == d_model, "W_q", {"has shape ", shape_of(W_q)}, {"X has d_model = ", d_model});
    requirements.require(W_k.shape() == W_q.shape(), "W_k", {"has shape ", shape_of(W_k)},
                         {"W_q has shape ", shape_of(W_q)});
    requirements.require(W_v.shape(0) == d_model, "W_v", {"has shape ", shape_of(W_v)}, {"X has d_model = ", d_model});
    auto const require_bias = [&](char const* name, Matrix<double> const& b, Matrix<double> const& W) {
        requirements.require(b.size() == 0 || (b.shape(0) == 1 && b.shape(1) == W.shape(1)), name,
                             {"has shape ", shape_of(b)},
                             {"its matrix asks for ", MessagePart(std::size_t(1), W.shape(1))});
    };
    require_bias("b_q", b_q, W_q);
    require_bias("b_k", b_k, W_k);
    require_bias("b_v", b_v, W_v);
    if (settings.projections == ProjectionMode::shared) {
        requirements.require(W_v.shape() == W_q.shape(), "W_v", {"has shape ", shape_of(W_v)},
                             {"one matrix is shared, and W_q has shape ", shape_of(W_q)});
    }
    requirements.require(heads != 0 && W_q.shape(1) % heads == 0 && W_v.shape(1) % heads == 0, "heads", {"is ", heads},
                         {"must share out ", W_q.shape(1), " and ", W_v.shape(1), " columns evenly"});
    requirements.require(settings.window != 0, "window", {"is 0"}, {"a query must see its own key"});
    requirements.require(settings.divisor > 0 && std::isfinite(settings.divisor), "divisor",
                         {settings.divisor <= 0 ? MessagePart("is not above 0") : MessagePart("is not finite")},
                         {"must be positive and finite"});
    requirements.require(settings.dropout >= 0 && settings.dropout < 1, "dropout", {"is no probability below 1"},
                         {"must be at least 0 and less than 1"});
    return requirements.first_problem();
}

Sight sight_of(LayerSettings const& settings, std::size_t n_query, std::size_t n_key, std::ptrdiff_t query_offset) {
    VisibilityRule rule;
    rule.left_window =
        settings.mask == LessonMask::window ? static_cast<std::ptrdiff_t>(settings.window) - 1 : std::ptrdiff_t(-1);
    rule.query_offset = query_offset;
    if (settings.key_length) {
        auto const first_key = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, -query_offset));
        rule.key_length = std::max(first_key, *settings.key_length) - first_key;
    }
    auto const table = [&](bool is_causal) {
        rule.is_causal = is_causal;
        Visibility visible = make_matrix<std::uint8_t>(n_query, n_key);
        for (std::size_t i = 0; i < n_query; ++i) {
            for (std::size_t j = 0; j < n_key; ++j) {
                row_of(visible, i)[j] = is_visible(rule, i, j);
            }
        }
        return visible;
    };
    bool const is_masked = settings.mask != LessonMask::none;
    return {table(is_masked), table(is_masked && settings.mask != LessonMask::late)};
}

void attend(HeadPass& head, Visibility const& visible, Visibility const& softmax_sees, LayerSettings const& settings,
            std::size_t index, std::ptrdiff_t query_offset) {
    head.scores = dot_products(head.Q, head.K); // (n_query, n_key)
    weigh_scores(head, visible, softmax_sees, settings, index, query_offset);
}

void weigh_scores(HeadPass& head, Visibility const& visible, Visibility const& softmax_sees,
                  LayerSettings const& settings, std::size_t index, std::ptrdiff_t query_offset) {
    std::size_t const n_query = head.scores.shape(0);
    std::size_t const n_key = head.scores.shape(1);
    double const nan = std::numeric_limits<double>::quiet_NaN();
    head.scaled = divided_by(head.scores, settings.divisor); // (n_query, n_key)
    head.masked = hide_scores(head.scaled, softmax_sees);    // (n_query, n_key)
    if (head.softmax.total.size() != 0) {
        head.softmax.weights = head.masked;
        for (std::size_t i = 0; i < n_query; ++i) {
            double* const weight = row_of(head.softmax.weights, i);
            for (std::size_t j = 0; j < n_key; ++j) {
                weight[j] = row_of(softmax_sees, i)[j] == 0
                                ? 0
                                : exponential_in(settings.softmax, weight[j] - head.softmax.reference.data()[j]) /
                                      head.softmax.total.data()[j];
            }
        }
    } else if (find_score_overflow(head, softmax_sees)) {
        std::size_t const n_line = settings.softmax_axis == SoftmaxAxis::keys ? n_query : n_key;
        head.softmax = {make_matrix(n_query, n_key, nan), make_matrix(n_query, n_key, nan), make_vector(n_line, nan),
                        make_vector(n_line, nan)};
    } else {
        head.softmax = softmax(head.masked, softmax_sees, settings.softmax_axis, settings.softmax);
    }
    head.weights = clear_hidden(head.softmax.weights, visible); // (n_query, n_key)
    if (settings.dropout != 0) {
        head.kept = kept_weights(n_query, n_key, settings.dropout, settings.seed, index, query_offset);
        apply_dropout(head.weights, head.kept, settings.dropout);
    }
}

void apply_dropout(Matrix<double>& entries, Visibility const& kept, double dropout) {
    std::size_t const count = kept.size();
    for (std::size_t entry = 0; entry < count; ++entry) {
        double& each = entries.data()[entry];
        each = kept.data()[entry] != 0 ? each / (1 - dropout) : 0;
    }
}

SoftmaxRows softmax_rows(HeadPass const& head, Visibility const& visible, Visibility const& softmax_sees,
                         LayerSettings const& settings) {
    return {head.softmax.weights,
            visible,
            softmax_sees,
            settings.softmax_axis,
            settings.dropout == 0 ? nullptr : &head.kept,
            1 / (1 - settings.dropout)};
}

RowMetrics row_metrics(HeadPass const& head, Visibility const& visible, Visibility const& softmax_sees,
                       LayerSettings const& settings, std::size_t queries) {
    RowMetrics metrics = row_metrics(head.weights, visible);
    bool const is_along_queries = settings.softmax_axis == SoftmaxAxis::queries;
    if (is_along_queries || settings.mask == LessonMask::late || settings.dropout != 0) {
        std::vector<double> line_lengths;
        std::size_t const n = head.K.shape(0);
        for (std::size_t j = 0; is_along_queries && j < n; ++j) {
            line_lengths.push_back(static_cast<double>(queries_that_see(j, queries, settings)));
        }
        measure_jacobians(metrics, softmax_rows(head, visible, softmax_sees, settings), line_lengths);
    }
    return metrics;
}

LayerPass layer_pass(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings,
                     Matrix<double> const& context) {
    throw_if_problem([&] { return find_problem(X, weights, settings, context); });
    Matrix<double> const& source = keys_source(X, context);
    std::size_t const n = X.shape(0);
    std::size_t const n_key = source.shape(0);
    Projections const projections = project(X, source, weights);
    bool const blends_values = settings.blend == Blend::values;
    std::size_t const width = blends_values ? weights.W_v.shape(1) : settings.heads * X.shape(1);
    Sight sight = sight_of(settings, n, n_key);
    LayerPass pass{std::move(sight.visible), std::move(sight.softmax_sees), std::vector<HeadPass>(settings.heads),
                   make_matrix<double>(n_key, width), make_matrix<double>(n, width)};
    for (std::size_t h = 0; h < settings.heads; ++h) {
        HeadPass& head = pass.heads[h];
        head.Q = split_head(projections.Q, settings.heads, h); // (T, d_k)
        head.K = split_head(projections.K, settings.heads, h); // (T_k, d_k)
        head.V = split_head(projections.V, settings.heads, h); // (T_k, d_v)
        attend(head, pass.visible, pass.softmax_sees, settings, h);
        Matrix<double> const& blended = blends_values ? head.V : source; // (T_k, d_v)
        join_head(pass.blended, settings.heads, h, blended);
        join_head(pass.output, settings.heads, h, blend_values(head.weights, blended, pass.visible));
    }
    return pass;
}

Problem find_overflow(LayerPass const& pass) {
    for (HeadPass const& head : pass.heads) {
        if (Problem problem = find_score_overflow(head, pass.softmax_sees)) {
            return problem;
        }
        if (Problem problem =
                find_non_finite(head.softmax.weights, "softmax", "overflows to ", "gradients need finite weights")) {
            return problem;
        }
    }
    return {};
}

} // namespace attention
