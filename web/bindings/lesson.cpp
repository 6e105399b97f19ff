// The table between JavaScript and the lessons of the core, without logic.

#include "lesson_state.hpp"

#include "comparison.hpp"
#include "proofs.hpp"

namespace {

using attention::Problem;
using packing::Arguments;
using packing::call;
using packing::lesson_state;
using packing::Results;

Problem lesson(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    attention::Lesson const lesson = attention::lesson(state);
    attention::RowMetrics const& rows = lesson.rows;
    attention::Worksheet const& sheet = lesson.worksheet;
    double const no_law = -1;
    for (auto const* stage : {&lesson.X, &lesson.W_q, &lesson.W_k, &lesson.W_v, &lesson.Q, &lesson.K, &lesson.V,
                              &lesson.scores, &lesson.scaled, &lesson.masked, &lesson.weights, &lesson.output}) {
        results.append(*stage);
    }
    results.append(lesson.visible);
    results.append(lesson.divisor);
    results.append(lesson.spread);
    results.append(lesson.expected_spread.value_or(no_law));
    for (auto const* figures : {&rows.peak, &rows.entropy, &rows.maximum_entropy, &rows.jacobian, &rows.row_sum}) {
        results.append(*figures);
    }
    results.append(rows.state);
    results.append(rows.gradient);
    results.append(sheet.products);
    for (auto const* terms : {&sheet.subtracted, &sheet.shifted, &sheet.exponentials, &sheet.totals}) {
        results.append(*terms);
    }
    results.append(sheet.contributions);
    return {};
}

/// One of the stages of every head, joined column by column.
attention::Matrix<double> joined(attention::LayerPass const& pass,
                                 attention::Matrix<double> attention::HeadPass::*stage) {
    std::size_t const heads = pass.heads.size();
    attention::Matrix<double> const& first = pass.heads.front().*stage;
    attention::Matrix<double> all = attention::make_matrix<double>(first.shape(0), heads * first.shape(1));
    for (std::size_t head = 0; head < heads; ++head) {
        attention::join_head(all, heads, head, pass.heads[head].*stage);
    }
    return all;
}

Problem layer(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    attention::Layer const layer = attention::layer(state);
    results.append(layer.weights.W_q);
    results.append(layer.weights.W_k);
    results.append(layer.weights.W_v);
    for (auto const stage : {&attention::HeadPass::Q, &attention::HeadPass::K, &attention::HeadPass::V}) {
        results.append(joined(layer.pass, stage));
    }
    results.append(layer.pass.output);
    results.append(layer.average);
    for (auto const stage : {&attention::HeadPass::scores, &attention::HeadPass::scaled, &attention::HeadPass::masked,
                             &attention::HeadPass::weights}) {
        for (attention::HeadPass const& head : layer.pass.heads) {
            results.append(head.*stage);
        }
    }
    return {};
}

Problem proofs(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    for (attention::Proof const& proof : attention::prove(state)) {
        results.append(static_cast<double>(proof.law));
        results.append(static_cast<double>(proof.outcome));
        results.append(proof.residual);
        results.append(proof.tolerance);
        results.append(proof.found);
        results.append(proof.expected);
        results.append(proof.residuals);
    }
    return {};
}

Problem comparison(Arguments& arguments, Results& results) {
    attention::LessonState const first = lesson_state(arguments);
    attention::LessonState const second = lesson_state(arguments);
    if (Problem problem = attention::find_problem(first, second)) {
        return problem;
    }
    attention::Comparison const comparison = attention::compare(first, second);
    results.append(comparison.first);
    results.append(comparison.second);
    results.append(comparison.difference);
    results.append(comparison.largest);
    return {};
}

Problem jacobians(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    attention::JacobianComparison const pair = attention::compare_jacobians(state);
    results.append(pair.scaled);
    results.append(pair.unscaled);
    results.append(pair.scaled_norm);
    results.append(pair.unscaled_norm);
    return {};
}

} // namespace

EMSCRIPTEN_BINDINGS(lesson) {
    emscripten::function("lesson", &call<lesson>);
    emscripten::function("layer", &call<layer>);
    emscripten::function("proofs", &call<proofs>);
    emscripten::function("comparison", &call<comparison>);
    emscripten::function("jacobians", &call<jacobians>);
}
