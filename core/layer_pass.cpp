#include "layer_pass.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "attention.hpp"
#include "mask.hpp"

namespace attention {
namespace {

Visibility visibility_in_order(std::size_t n, bool is_causal) {
    VisibilityRule rule;
    rule.is_causal = is_causal;
    return visibility(n, n, rule);
}

/// A visible score that is not finite, or nothing.
Problem find_score_overflow(HeadPass const& head, Visibility const& seen) {
    return find_non_finite(head.masked, "scores", "overflow to ", "a visible score must be finite", &seen);
}

} // namespace

Problem find_problem(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings) {
    auto const& [W_q, W_k, W_v] = weights;
    std::size_t const d_model = X.shape(1);
    std::size_t const heads = settings.heads;
    Requirements requirements;
    requirements.require(X.size() != 0, "X", {"has shape ", shape_of(X)}, {"every axis must be at least 1"});
    requirements.require(W_q.shape(0) == d_model, "W_q", {"has shape ", shape_of(W_q)}, {"X has d_model = ", d_model});
    requirements.require(W_k.shape() == W_q.shape(), "W_k", {"has shape ", shape_of(W_k)},
                         {"W_q has shape ", shape_of(W_q)});
    requirements.require(W_v.shape(0) == d_model, "W_v", {"has shape ", shape_of(W_v)}, {"X has d_model = ", d_model});
    if (settings.projections == ProjectionMode::shared) {
        requirements.require(W_v.shape() == W_q.shape(), "W_v", {"has shape ", shape_of(W_v)},
                             {"one matrix is shared, and W_q has shape ", shape_of(W_q)});
    }
    requirements.require(heads != 0 && W_q.shape(1) % heads == 0 && W_v.shape(1) % heads == 0, "heads", {"is ", heads},
                         {"must share out ", W_q.shape(1), " and ", W_v.shape(1), " columns evenly"});
    requirements.require(settings.divisor > 0 && std::isfinite(settings.divisor), "divisor",
                         {settings.divisor <= 0 ? Part("is not above 0") : Part("is not finite")},
                         {"must be positive and finite"});
    return requirements.first_problem();
}

LayerPass layer_pass(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings) {
    require_none([&] { return find_problem(X, weights, settings); });
    std::size_t const n = X.shape(0);
    Projections const projections = project(X, weights);
    bool const blends_values = settings.blend == Blend::values;
    std::size_t const width = blends_values ? weights.W_v.shape(1) : settings.heads * X.shape(1);
    LayerPass pass{visibility_in_order(n, settings.mask != LessonMask::none),
                   // A late mask is invisible to the softmax: that is the mistake.
                   visibility_in_order(n, settings.mask == LessonMask::causal), std::vector<HeadPass>(settings.heads),
                   make_matrix<double>(n, width), make_matrix<double>(n, width)};
    for (std::size_t h = 0; h < settings.heads; ++h) {
        HeadPass& head = pass.heads[h];
        head.Q = split_head(projections.Q, settings.heads, h);   // (T, d_k)
        head.K = split_head(projections.K, settings.heads, h);   // (T, d_k)
        head.V = split_head(projections.V, settings.heads, h);   // (T, d_v)
        head.scores = dot_products(head.Q, head.K);              // (T, T)
        head.scaled = divided_by(head.scores, settings.divisor); // (T, T)
        head.masked = hide_scores(head.scaled, pass.seen);       // (T, T)
        if (find_score_overflow(head, pass.seen)) {
            head.softmax.weights = make_matrix(n, n, std::numeric_limits<double>::quiet_NaN());
        } else {
            head.softmax = softmax(head.masked, pass.seen, settings.softmax_axis, settings.softmax);
        }
        head.weights = clear_hidden(head.softmax.weights, pass.visible); // (T, T)
        Matrix<double> const& blended = blends_values ? head.V : X;      // (T, d_v)
        join_head(pass.blended, settings.heads, h, blended);
        join_head(pass.output, settings.heads, h, blend_values(head.weights, blended, pass.visible));
    }
    return pass;
}

Problem find_overflow(LayerPass const& pass) {
    for (HeadPass const& head : pass.heads) {
        if (Problem problem = find_score_overflow(head, pass.seen)) {
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
