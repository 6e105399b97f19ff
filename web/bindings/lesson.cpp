// The table between JavaScript and the lessons of the core, without logic.

#include "lesson_state.hpp"

#include "comparison.hpp"
#include "proofs.hpp"

namespace {

using emscripten::val;
using packing::append;
using packing::Arguments;
using packing::deliver;
using packing::deliver_all;
using packing::is_refused;
using packing::lesson_state;

void lesson(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const state = lesson_state(arguments);
    if (is_refused(receiver, attention::find_problem(state))) {
        return;
    }
    attention::Lesson const lesson = attention::lesson(state);
    attention::RowMetrics const& rows = lesson.rows;
    attention::Worksheet const& sheet = lesson.worksheet;
    double const no_law = -1;
    deliver_all(receiver, lesson.X, lesson.W_q, lesson.W_k, lesson.W_v, lesson.Q, lesson.K, lesson.V, lesson.scores,
                lesson.scaled, lesson.masked, lesson.weights, lesson.output, lesson.visible, lesson.divisor,
                lesson.spread, lesson.expected_spread.value_or(no_law), rows.peak, rows.entropy, rows.maximum_entropy,
                rows.jacobian, rows.row_sum, rows.state, rows.gradient, sheet.products, sheet.subtracted, sheet.shifted,
                sheet.exponentials, sheet.totals, sheet.contributions);
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

void layer(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const state = lesson_state(arguments);
    if (is_refused(receiver, attention::find_problem(state))) {
        return;
    }
    attention::Layer const layer = attention::layer(state);
    std::vector<double> numbers;
    append(numbers, layer.weights.W_q);
    append(numbers, layer.weights.W_k);
    append(numbers, layer.weights.W_v);
    for (auto const stage : {&attention::HeadPass::Q, &attention::HeadPass::K, &attention::HeadPass::V}) {
        append(numbers, joined(layer.pass, stage));
    }
    append(numbers, layer.pass.output);
    append(numbers, layer.average);
    for (auto const stage : {&attention::HeadPass::scores, &attention::HeadPass::scaled, &attention::HeadPass::masked,
                             &attention::HeadPass::weights}) {
        for (attention::HeadPass const& head : layer.pass.heads) {
            append(numbers, head.*stage);
        }
    }
    deliver(receiver, numbers);
}

void proofs(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const state = lesson_state(arguments);
    if (is_refused(receiver, attention::find_problem(state))) {
        return;
    }
    std::vector<double> numbers;
    for (attention::Proof const& proof : attention::prove(state)) {
        append(numbers, static_cast<double>(proof.law));
        append(numbers, static_cast<double>(proof.outcome));
        append(numbers, proof.residual);
        append(numbers, proof.tolerance);
        append(numbers, proof.found);
        append(numbers, proof.expected);
        append(numbers, proof.residuals);
    }
    deliver(receiver, numbers);
}

void comparison(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const first = lesson_state(arguments);
    attention::LessonState const second = lesson_state(arguments);
    if (is_refused(receiver, attention::find_problem(first, second))) {
        return;
    }
    attention::Comparison const comparison = attention::compare(first, second);
    deliver_all(receiver, comparison.first, comparison.second, comparison.difference, comparison.largest);
}

void jacobians(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const state = lesson_state(arguments);
    if (is_refused(receiver, attention::find_problem(state))) {
        return;
    }
    attention::JacobianComparison const pair = attention::compare_jacobians(state);
    deliver_all(receiver, pair.scaled, pair.unscaled, pair.scaled_norm, pair.unscaled_norm);
}

} // namespace

EMSCRIPTEN_BINDINGS(lesson) {
    emscripten::function("lesson", &lesson);
    emscripten::function("layer", &layer);
    emscripten::function("proofs", &proofs);
    emscripten::function("comparison", &comparison);
    emscripten::function("jacobians", &jacobians);
}
