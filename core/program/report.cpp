#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace attention {
namespace {

nlohmann::json json_of(double number) {
    if (std::isfinite(number)) {
        return number;
    }
    return std::isnan(number) ? "NaN" : number > 0 ? "infinity" : "-infinity";
}

nlohmann::json json_of(Matrix<double> const& matrix) {
    nlohmann::json rows = nlohmann::json::array();
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        nlohmann::json row = nlohmann::json::array();
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            row.push_back(json_of(matrix(i, j)));
        }
        rows.push_back(row);
    }
    return rows;
}

nlohmann::json json_of(Vector<double> const& vector) {
    nlohmann::json numbers = nlohmann::json::array();
    for (double const number : vector) {
        numbers.push_back(json_of(number));
    }
    return numbers;
}

template <class State> nlohmann::json names_of(std::vector<State> const& states) {
    nlohmann::json names = nlohmann::json::array();
    for (State const state : states) {
        names.push_back(name_of(state));
    }
    return names;
}

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width_of(std::string const& text) {
    std::size_t width = 0;
    for (char const byte : text) {
        width += (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u ? 1 : 0;
    }
    return width;
}

std::string padded(std::string const& text, std::size_t width) {
    std::size_t const own = width_of(text);
    return std::string(own < width ? width - own : 0, ' ') + text;
}

/// Adds the biases that there are.
nlohmann::json with_biases(nlohmann::json json, ProjectionWeights const& weights) {
    for (auto const& [name, bias] : {std::pair("bq", &weights.b_q), {"bk", &weights.b_k}, {"bv", &weights.b_v}}) {
        if (bias->size() != 0) {
            json[name] = json_of(*bias);
        }
    }
    return json;
}

/// The stages of a lesson: of the one head that it shows.
nlohmann::json stages_of(Lesson const& lesson) {
    return {
        {"X", json_of(lesson.X)},
        {"Wq", json_of(lesson.W_q)},
        {"Wk", json_of(lesson.W_k)},
        {"Wv", json_of(lesson.W_v)},
        {"Q", json_of(lesson.Q)},
        {"K", json_of(lesson.K)},
        {"V", json_of(lesson.V)},
        {"scores", json_of(lesson.scores)},
        {"scaled", json_of(lesson.scaled)},
        {"masked", json_of(lesson.masked)},
        {"weights", json_of(lesson.weights)},
        {"output", json_of(lesson.output)},
    };
}

using Stage = Matrix<double> HeadPass::*;

/// A matrix of every head, with the head as the first index.
nlohmann::json stacked(LayerPass const& pass, Stage stage) {
    nlohmann::json heads = nlohmann::json::array();
    for (HeadPass const& head : pass.heads) {
        heads.push_back(json_of(head.*stage));
    }
    return heads;
}

/// A matrix of every head, one beside the other.
nlohmann::json joined(LayerPass const& pass, Stage stage) {
    Matrix<double> const& first = pass.heads.front().*stage;
    Matrix<double> all = make_matrix<double>(first.shape(0), pass.heads.size() * first.shape(1));
    for (std::size_t head = 0; head < pass.heads.size(); ++head) {
        join_head(all, pass.heads.size(), head, pass.heads[head].*stage);
    }
    return json_of(all);
}

/// The stages of all heads, under the same names.
nlohmann::json stages_of(Layer const& layer) {
    LayerPass const& pass = layer.pass;
    return {
        {"X", json_of(layer.X)},
        {"Wq", json_of(layer.weights.W_q)},
        {"Wk", json_of(layer.weights.W_k)},
        {"Wv", json_of(layer.weights.W_v)},
        {"Q", joined(pass, &HeadPass::Q)},
        {"K", joined(pass, &HeadPass::K)},
        {"V", joined(pass, &HeadPass::V)},
        {"scores", stacked(pass, &HeadPass::scores)},
        {"scaled", stacked(pass, &HeadPass::scaled)},
        {"masked", stacked(pass, &HeadPass::masked)},
        {"weights", stacked(pass, &HeadPass::weights)},
        {"output", json_of(pass.output)},
        {"average", json_of(layer.average)},
    };
}

nlohmann::json metrics_of(Lesson const& lesson) {
    RowMetrics const& rows = lesson.rows;
    nlohmann::json expected = nullptr;
    if (lesson.expected_spread) {
        expected = *lesson.expected_spread;
    }
    return {
        {"spread", json_of(lesson.spread)},
        {"expectedSpread", expected},
        {"peak", json_of(rows.peak)},
        {"entropy", json_of(rows.entropy)},
        {"maximumEntropy", json_of(rows.maximum_entropy)},
        {"jacobian", json_of(rows.jacobian)},
        {"rowSum", json_of(rows.row_sum)},
        {"state", names_of(rows.state)},
        {"gradient", names_of(rows.gradient)},
    };
}

nlohmann::json worksheet_of(Worksheet const& sheet) {
    return {
        {"products", json_of(sheet.products)}, {"subtracted", json_of(sheet.subtracted)},
        {"shifted", json_of(sheet.shifted)},   {"exponentials", json_of(sheet.exponentials)},
        {"totals", json_of(sheet.totals)},     {"contributions", json_of(sheet.contributions)},
    };
}

std::vector<std::string> const& keys_of(LessonState const& state) {
    return state.context.empty() ? state.tokens : state.context;
}

nlohmann::json lesson_json(LessonState const& state, Lesson const& lesson) {
    nlohmann::json json = with_biases(stages_of(lesson), lesson);
    if (state.heads > 1) {
        nlohmann::json const head = json;
        Layer const whole = layer(state);
        json = with_biases(stages_of(whole), whole.weights);
        json["head"] = head;
    }
    json["tokens"] = state.tokens;
    json["keyTokens"] = keys_of(state);
    if (!state.context.empty()) {
        json["context"] = json_of(lesson.context);
    }
    json["padding"] = state.padding;
    json["visible"] = json_of(Matrix<double>(lesson.visible));
    json["divisor"] = lesson.divisor;
    json["metrics"] = metrics_of(lesson);
    json["worksheet"] = worksheet_of(lesson.worksheet);
    return json;
}

std::string lesson_table(LessonState const& state, Lesson const& lesson) {
    std::vector<std::string> const& keys = keys_of(state);
    std::size_t column = 7;
    for (std::vector<std::string> const* const sentence : {&state.tokens, &keys}) {
        for (std::string const& token : *sentence) {
            column = std::max(column, width_of(token) + 2);
        }
    }
    std::ostringstream out;
    out << std::fixed << std::setprecision(3);
    out << padded("", column);
    for (std::string const& token : keys) {
        out << padded(token, column);
    }
    out << "     peak  entropy  jacobian  softmax, gradient\n";
    for (std::size_t i = 0; i < state.tokens.size(); ++i) {
        out << padded(state.tokens[i], column);
        for (std::size_t j = 0; j < keys.size(); ++j) {
            std::ostringstream weight;
            weight << std::fixed << std::setprecision(3) << lesson.weights(i, j);
            out << padded(lesson.visible(i, j) == 0 ? "." : weight.str(), column);
        }
        out << std::setw(9) << lesson.rows.peak(i) << std::setw(9) << lesson.rows.entropy(i) << std::setw(10)
            << lesson.rows.jacobian(i) << "  " << name_of(lesson.rows.state[i]) << ", "
            << name_of(lesson.rows.gradient[i]) << '\n';
    }
    if (state.heads > 1) {
        out << "\nhead " << state.head << " of " << state.heads;
    }
    out << "\nd_k " << state.d_k << ", scores divided by " << lesson.divisor << ", spread " << lesson.spread;
    if (lesson.expected_spread) {
        out << " (theory " << *lesson.expected_spread << ')';
    }
    if (state.padding != 0) {
        out << ", the last " << state.padding << " padding";
    }
    out << '\n';
    return out.str();
}

/// One figure of a list of points or widths.
template <class Item, class Figure> nlohmann::json column(std::vector<Item> const& items, Figure const& figure) {
    nlohmann::json numbers = nlohmann::json::array();
    for (Item const& item : items) {
        numbers.push_back(json_of(figure(item)));
    }
    return numbers;
}

nlohmann::json training_json(Training const& training) {
    auto const over_steps = [&](double TrainingPoint::*figure) {
        return column(training.points, [&](TrainingPoint const& point) { return point.*figure; });
    };
    nlohmann::json stopped_at = nullptr;
    if (training.stopped_at) {
        stopped_at = *training.stopped_at;
    }
    return {
        {"loss", over_steps(&TrainingPoint::loss)},
        {"WqNorm", over_steps(&TrainingPoint::W_q_norm)},
        {"WkNorm", over_steps(&TrainingPoint::W_k_norm)},
        {"WvNorm", over_steps(&TrainingPoint::W_v_norm)},
        {"trainedNorm", over_steps(&TrainingPoint::trained_norm)},
        {"meanJacobian", over_steps(&TrainingPoint::mean_jacobian)},
        {"largestJacobian", over_steps(&TrainingPoint::largest_jacobian)},
        {"stoppedAt", stopped_at},
        {"trained", with_biases(
                        {
                            {"Wq", json_of(training.trained.W_q)},
                            {"Wk", json_of(training.trained.W_k)},
                            {"Wv", json_of(training.trained.W_v)},
                        },
                        training.trained)},
        {"masked", json_of(training.masked)},
        {"weights", json_of(training.weights)},
    };
}

std::string training_table(Training const& training) {
    std::ostringstream out;
    out << "  step        loss   |dL/dW_q|   |dL/dW_k|   |dL/dW_v|  mean Jacobian\n" << std::setprecision(4);
    std::size_t const last = training.points.size() - 1;
    for (std::size_t step = 0; step <= last; step += std::max<std::size_t>(last, 1)) {
        TrainingPoint const& point = training.points[step];
        out << std::setw(6) << step << std::setw(12) << point.loss << std::setw(12) << point.W_q_norm << std::setw(12)
            << point.W_k_norm << std::setw(12) << point.W_v_norm << std::setw(15) << point.mean_jacobian << '\n';
    }
    if (training.stopped_at) {
        out << "\nAfter " << *training.stopped_at << " steps the loss was no longer finite.\n";
    }
    return out.str();
}

nlohmann::json law_json(std::vector<std::size_t> const& widths, std::size_t seeds,
                        std::vector<WidthSummary> const& summaries) {
    auto const over_widths = [&](auto const& figure) { return column(summaries, figure); };
    auto const scores = [&](ScoresSummary WidthSummary::*of) {
        return nlohmann::json{
            {"expected", over_widths([&](WidthSummary const& width) { return (width.*of).expected_spread; })},
            {"low", over_widths([&](WidthSummary const& width) { return (width.*of).spread.low; })},
            {"spread", over_widths([&](WidthSummary const& width) { return (width.*of).spread.median; })},
            {"high", over_widths([&](WidthSummary const& width) { return (width.*of).spread.high; })},
            {"peak", over_widths([&](WidthSummary const& width) { return (width.*of).rows.peak; })},
            {"jacobian", over_widths([&](WidthSummary const& width) { return (width.*of).rows.jacobian; })},
            {"saturated", over_widths([&](WidthSummary const& width) { return (width.*of).rows.saturated; })},
        };
    };
    return {
        {"dK", widths},
        {"seeds", seeds},
        {"unscaled", scores(&WidthSummary::unscaled)},
        {"scaled", scores(&WidthSummary::scaled)},
        {"variances",
         {
             {"query", over_widths([](WidthSummary const& width) { return width.q_variance; })},
             {"key", over_widths([](WidthSummary const& width) { return width.k_variance; })},
             {"product", over_widths([](WidthSummary const& width) { return width.product_variance; })},
             {"score", over_widths([](WidthSummary const& width) { return width.score_variance; })},
         }},
    };
}

std::string law_table(std::vector<std::size_t> const& widths, std::size_t seeds,
                      std::vector<WidthSummary> const& summaries) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(3);
    out << "        spread of q.k                       over sqrt(d_k)              variances\n"
        << "   d_k    10 %  median    90 %  sqrt(d_k)    10 %  median    90 %       q       k   q_c k_c      q.k\n";
    for (std::size_t index = 0; index < summaries.size(); ++index) {
        WidthSummary const& width = summaries[index];
        out << std::setw(6) << widths[index];
        for (double const number :
             {width.unscaled.spread.low, width.unscaled.spread.median, width.unscaled.spread.high}) {
            out << std::setw(8) << number;
        }
        out << std::setw(11) << width.unscaled.expected_spread;
        for (double const number : {width.scaled.spread.low, width.scaled.spread.median, width.scaled.spread.high,
                                    width.q_variance, width.k_variance}) {
            out << std::setw(8) << number;
        }
        out << std::setw(10) << width.product_variance << std::setw(9) << width.score_variance << '\n';
    }
    out << '\n' << seeds << " seeds\n";
    return out.str();
}

} // namespace

Report report_of(LessonState const& state, Lesson const& lesson) {
    return {lesson_json(state, lesson), lesson_table(state, lesson)};
}

Report report_of(Training const& training) {
    return {training_json(training), training_table(training)};
}

Report report_of(std::vector<std::size_t> const& widths, std::size_t seeds,
                 std::vector<WidthSummary> const& summaries) {
    return {law_json(widths, seeds, summaries), law_table(widths, seeds, summaries)};
}

} // namespace attention
