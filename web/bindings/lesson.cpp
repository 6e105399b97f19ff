// The functions with which JavaScript reaches the lessons of the core.

#include "lesson_state.hpp"

#include "comparison.hpp"
#include "proofs.hpp"
#include "random.hpp"
#include "widths.hpp"

namespace {

using attention::Problem;
using packing::Arguments;
using packing::entry_point;
using packing::lesson_state;
using packing::Results;

void append_worksheet(Results& results, attention::Worksheet const& sheet) {
    results.append(sheet.products);
    for (auto const* terms : {&sheet.subtracted, &sheet.shifted, &sheet.exponentials, &sheet.totals}) {
        results.append(*terms);
    }
    results.append(sheet.contributions);
}

void append_rows(Results& results, attention::LessonRows const& rows) {
    results.append(rows.softmax.reference);
    results.append(rows.softmax.total);
    for (auto const* stage : {&rows.scores, &rows.scaled, &rows.masked, &rows.weights, &rows.output}) {
        results.append(*stage);
    }
    results.append(rows.visible);
    attention::RowMetrics const& metrics = rows.rows;
    for (auto const* figures :
         {&metrics.peak, &metrics.entropy, &metrics.maximum_entropy, &metrics.jacobian, &metrics.row_sum}) {
        results.append(*figures);
    }
    results.append(metrics.state);
    results.append(metrics.gradient);
    results.append(rows.spread_so_far.deviation());
}

Problem lesson(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    attention::Lesson const lesson = attention::lesson(state);
    for (auto const* stage : {&lesson.X, &lesson.W_q, &lesson.W_k, &lesson.W_v, &lesson.Q, &lesson.K, &lesson.V}) {
        results.append(*stage);
    }
    for (auto const* part : {&lesson.context, &lesson.b_q, &lesson.b_k, &lesson.b_v}) {
        results.append(*part);
    }
    append_rows(results, lesson);
    results.append(lesson.expected_spread.value_or(-1));
    results.append(lesson.divisor);
    append_worksheet(results, lesson.worksheet);
    return {};
}

/// Computes some rows of a lesson that would take too long in one call, from the results of earlier calls.
Problem lesson_rows(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    auto const query_offset = static_cast<std::ptrdiff_t>(arguments.number());
    attention::LessonRows rows;
    rows.spread_so_far = {arguments.number(), arguments.number(), arguments.number()};
    rows.Q = arguments.matrix();
    rows.K = arguments.matrix();
    attention::Matrix<double> const blended = arguments.matrix();
    rows.softmax.reference = arguments.vector();
    rows.softmax.total = arguments.vector();
    complete_rows(rows, blended, query_offset, state, attention::layer_settings(state).divisor);
    append_rows(results, rows);
    results.append(rows.spread_so_far.scores);
    results.append(rows.spread_so_far.mean);
    results.append(rows.spread_so_far.squares);
    return {};
}

/// The highlighted row unrolled.
Problem worksheet(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    attention::Matrix<double> const q = arguments.matrix();
    attention::Matrix<double> const K = arguments.matrix();
    attention::Matrix<double> const masked = arguments.matrix();
    attention::Matrix<double> const weights = arguments.matrix();
    attention::Matrix<double> const blended = arguments.matrix();
    attention::Vector<double> const reference = arguments.vector();
    attention::Vector<double> const total = arguments.vector();
    append_worksheet(results,
                     attention::worksheet(
                         {q.data(), K, masked.data(), weights.data(), blended, reference.data(), total.data()}, state));
    return {};
}

/// One head's share added to the mean of some rows of the heads' weights.
Problem average(Arguments& arguments, Results& results) {
    std::size_t const heads = arguments.size();
    attention::Matrix<double> average = arguments.matrix();
    attention::add_to_average(average, arguments.matrix(), heads);
    results.append(average);
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
    results.append(pair.own);
    results.append(pair.scaled_norm);
    results.append(pair.unscaled_norm);
    results.append(pair.own_norm);
    return {};
}

Problem widths(Arguments& arguments, Results& results) {
    attention::LessonState const state = lesson_state(arguments);
    if (Problem problem = attention::find_problem(state)) {
        return problem;
    }
    results.append(attention::widths(state));
    return {};
}

/// A text's hash, as many of its bits as a double holds: the upper 53.
[[clang::minsize]] Problem checksum(Arguments& arguments, Results& results) {
    results.append(static_cast<double>(attention::text_hash(arguments.text()) >> 11));
    return {};
}

} // namespace

EMSCRIPTEN_BINDINGS(lesson) {
    emscripten::function("lesson", &entry_point<lesson>);
    emscripten::function("lessonRows", &entry_point<lesson_rows>);
    emscripten::function("worksheet", &entry_point<worksheet>);
    emscripten::function("average", &entry_point<average>);
    emscripten::function("proofs", &entry_point<proofs>);
    emscripten::function("comparison", &entry_point<comparison>);
    emscripten::function("jacobians", &entry_point<jacobians>);
    emscripten::function("widths", &entry_point<widths>);
    emscripten::function("checksum", &entry_point<checksum>);
}
